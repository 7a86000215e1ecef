"""Drives an engine over the text protocol, for programs, matches and tests (asyncio).

    >>> import asyncio
    >>> from protocol import Engine, Limit
    >>> async def main() -> None:
    ...     async with Engine.open(["drakkar"]) as engine:
    ...         await engine.configure({"Game": "kuhn", "Seed": 1})
    ...         view = "position view kuhn/1 me=p2 hand.p1=? hand.p2=K actions=b"
    ...         reply = await engine.play(view, Limit(nodes=500))
    ...         print(reply.move, reply.infos[0].margin)
    >>> asyncio.run(main())
    bet 2.0

Commands of several tasks wait for each other, which counts towards their limits in time; while an
`Analysis` runs, `ping` and `query` are answered in between, and every command that would end it
raises EngineBusy. Every command has a limit in time, whatever an engine prints or fails to print; a
cancelled one leaves it usable. `asyncio.run` ends the engines that are still there at its end; a
loop that is closed by hand does not, so quit them before.

What an engine does wrong or refuses is an EngineError; `protocol.faults` has the tree of them. What
the caller does wrong raises before anything is sent:

    ValueError: to play with a Limit that does not end, such as `Limit(seed=1)` (a limit given as
        words is sent as it is); a position line that does not begin with `position`; a line end
        in a line; a query or root moves that are not single words; an unknown dialect; an empty
        `argv`; a number outside 64 bits.
    TypeError: one text in the place of a list (`argv`, `root_moves`); a limit that is neither a
        Limit nor a text; a number of a Limit that is not whole.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Self

from protocol.analysis import STOP_PATIENCE_S, Analysis
from protocol.conversation import Conversation
from protocol.declared import Introduction, Option, find_option, parse_option
from protocol.faults import (
    EngineDied,
    EngineError,
    EngineProtocolError,
    EngineRefusal,
    EngineTimeout,
    first_refusal,
)
from protocol.messages import DIALECTS, UHI, parse_go, split_words, take_word
from protocol.replies import Info, Limit, Reply, go_line
from protocol.transport import LINE_LIMIT, STDERR_TAIL, Opening, Transport, check_argv

# Characters of a refused line that an error shows.
_LONGEST_SHOWN = 200


class Engine:
    """One engine process. Make it with `Engine.open(argv)`; end it with `await quit()`.

    Attributes:
        name: what the engine calls itself (`id name`), else the name of its program.
        author: what it says of its makers (`id author`), or "".
        dialect: `uci`, `ugi` or `uhi`, as it was opened.
        argv: the program and its arguments.
        options: declared options by lower-case name, each an Option.
        games: under uhi the `game` lines by game, such as {"kuhn/1": "seats=2"}.
        features: under uhi the `feature` lines, such as {"protocol": "uhi/1"}.
    """

    def __init__(self, wire: Transport, argv: Sequence[str], dialect: str) -> None:
        self.argv = list(argv)
        self.dialect = dialect
        self.name = wire.name
        self.author = ""
        self.options: dict[str, Option] = {}
        self.games: dict[str, str] = {}
        self.features: dict[str, str] = {}
        self._wire = wire
        self._talk = Conversation(wire)
        self._num_go = 0

    @classmethod
    def open(
        cls,
        argv: Sequence[str],
        *,
        dialect: str = UHI,
        timeout_s: float = 10.0,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> "Opening[Self]":
        """Start a process and shake hands; await it, or enter it by `async with`.

        Args:
            argv: a list of the program and its arguments.
            dialect: `uci`, `ugi` or `uhi`.
            timeout_s: seconds until the handshake must be complete; ending an engine that
                failed to complete it may take half a second more.
            env: the environment, if not that of this process.
            cwd: the working directory, if not that of this process.

        Raises:
            EngineError: it could not be started or did not introduce itself; it is gone then, and
                the error has its `stderr_tail`.
            TypeError, ValueError: `argv` is no list, or it is empty; no such dialect.
        """
        check_argv(argv)
        if dialect not in DIALECTS:
            raise ValueError(f"dialect {dialect!r}: use one of {', '.join(DIALECTS)}")

        async def start() -> Self:
            engine = cls(await Transport.open(argv, env=env, cwd=cwd), argv, dialect)
            try:
                await engine._shake_hands(timeout_s)
            except BaseException as error:
                await engine.kill()
                if isinstance(error, EngineError):
                    error.stderr_tail = engine.stderr_tail
                raise
            return engine

        return Opening(start)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.quit()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._wire.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, negative for a signal; None while the process runs."""
        return self._wire.exit_code

    @property
    def stderr_tail(self) -> str:
        """The end of what the engine has written to standard error."""
        return self._wire.stderr_tail

    @property
    def errors(self) -> deque[EngineRefusal]:
        """The latest complaints of the engine, oldest first, each with `code` and `text`."""
        return self._talk.errors

    @property
    def is_open(self) -> bool:
        """False once the process has ended or closed its output."""
        return self.exit_code is None and not self._talk.is_at_end

    @property
    def gives_ids(self) -> bool:
        """True once the engine has answered a `go` with its id, so that no answer is mistaken."""
        return self._talk.gives_ids

    @property
    def oddities(self) -> tuple[int, int]:
        """How many answers without a question were dropped, and how many lines were no UTF-8."""
        return self._talk.stray_answers, self._wire.garbled

    # ---- settings ----

    async def configure(self, options: Mapping[str, object], timeout_s: float = 10.0) -> None:
        """Set options, checked against what the engine declares.

        Names have any case. A value is a text, number or bool; None pushes a button.

        Args:
            options: values by name.
            timeout_s: seconds until the engine must be ready again.

        Raises:
            BadOption, BadValue: there is no such option, or it has no such value. Unless the engine
                objects to what it has declared, nothing has been sent.
            EngineRefusal: the engine objects; the other options are set.
        """
        found = [(find_option(name, self.options), value) for name, value in options.items()]
        lines = [_setoption(option.name, option.text_of(value)) for option, value in found]
        if lines:
            await self._set(lines, timeout_s)

    async def set_option(self, name: str, value: object = None, timeout_s: float = 10.0) -> None:
        """Set an option, declared or not, and wait; EngineRefusal if the engine objects."""
        text = str(value).lower() if isinstance(value, bool) else value
        await self._set([_setoption(name, text)], timeout_s)

    async def new_game(self, timeout_s: float = 10.0) -> None:
        """Tell the engine that another game begins, and wait until it is ready."""
        async with self._talk.turn("readyok", timeout_s):
            lines = [f"{self.dialect}newgame", "isready"]
            await self._talk.ask(lines, "readyok", "readyok", timeout_s)

    async def ping(self, timeout_s: float = 10.0) -> float:
        """Send `isready`; return the seconds until `readyok`."""
        start = asyncio.get_running_loop().time()
        await self._talk.ask(["isready"], "readyok", "readyok", timeout_s)
        return asyncio.get_running_loop().time() - start

    # ---- positions and questions ----

    async def set_position(self, position_line: str, timeout_s: float = 10.0) -> None:
        """Send a `position ...` line to ask about; BadPosition if the engine refuses it."""
        await self._set([_position(position_line)], timeout_s)

    async def query(self, word: str, timeout_s: float = 10.0) -> str:
        """Ask about the position; return the answer, one word.

        Args:
            word: such as `legal` or `scores`; the protocol lists them.
            timeout_s: seconds until the answer must be there.

        Raises:
            NoPosition: there is none to ask about.
            BadValue: the engine knows no such question.
        """
        if split_words(word) != [word]:
            raise ValueError(f"a query is one word, not {word!r}")
        what = f"query {word}"
        line, errors = await self._talk.ask([what], "response", f"response to {what}", timeout_s)
        words = split_words(line)
        if len(words) != 2:
            raise EngineProtocolError(f"malformed answer to {what}: {words[:5]}")
        if words[1] == "none" and errors:
            raise first_refusal(errors, what)
        return words[1]

    async def legal_moves(self, timeout_s: float = 10.0) -> list[str]:
        """Return the legal moves of the position; none if its seat does not decide."""
        answer = await self.query("legal", timeout_s)
        return [] if answer == "-" else answer.split(",")

    async def turn(self, timeout_s: float = 10.0) -> str:
        """Return who is to decide: `p1` to `p4`, `chance`, or `none` when the game is over."""
        return await self.query("turn", timeout_s)

    async def view(self, timeout_s: float = 10.0) -> str:
        """Return what the seat to decide knows, as a position text; empty if luck decides."""
        answer = await self.query("view", timeout_s)
        return "" if answer == "-" else answer.replace(";", " ")

    # ---- searching ----

    async def play(
        self,
        position_line: str,
        limit: Limit | str,
        timeout_s: float = 60.0,
        *,
        root_moves: Iterable[str] | None = None,
        multipv: int | None = None,
    ) -> Reply:
        """Send a position and `go`; return the move.

        Args:
            position_line: the whole `position ...` line; "" keeps the position.
            limit: a Limit, or the words behind `go`, such as `nodes 100`.
            timeout_s: seconds until `bestmove` must be there.
            root_moves: a list of the moves to choose from, if not all legal ones. Illegal ones are
                complained of in `Reply.errors`; if none is legal, all moves are searched.
            multipv: how many lines to tell of; not all engines know it as a word of `go`.

        Raises:
            EngineTimeout: no answer in time. The search is told to stop; the next command waits
                for that.
            EngineDied: the process ended.
            EngineRefusal: the engine had nothing to search, such as BadPosition.
            EngineProtocolError: the answer cannot be read.
            ValueError, TypeError: nothing has been sent; the text of the module says what for.
        """
        if isinstance(limit, Limit) and not limit.ends:
            raise ValueError("to play takes a limit that ends; analysis goes without")
        lines, go_id = self._go_lines(position_line, limit, root_moves, multipv)
        search = Analysis(self._wire, go_id, keeps_reports=False)
        data = _encoded(lines)
        async with self._talk.turn("bestmove", timeout_s):
            await self._talk.begin(search, data)
            try:
                return await search.wait()
            finally:
                search.stop()

    async def begin(self, position_line: bytes, words: str, timeout_s: float = 10.0) -> Analysis:
        """Send a position and `go`, and return the search at once, for referees.

        Its `wait` may run out of time and be called again; `elapsed_s` is the true time even of an
        answer that is fetched late. It keeps its last report only. Before the next command it must
        have ended, or be told to stop.

        Args:
            position_line: the whole `position ...` line, without its end; b"" keeps the position.
            words: those behind `go`, without an id and without moves to choose from.
            timeout_s: seconds until the engine must be free to take it.

        Raises:
            EngineDied: the process has ended.
            EngineTimeout: it does not read, or another command or search does not end.
            ValueError: a line end in what is to be sent.
        """
        self._num_go += 1
        go_id = str(self._num_go)
        go = f"go {words} id {go_id}" if self.dialect == UHI else f"go {words}"
        data = b"%b\n%b\n" % (position_line, go.encode()) if position_line else f"{go}\n".encode()
        if data.count(b"\n") != 1 + bool(position_line):
            raise ValueError("a command is one line")
        search = Analysis(self._wire, go_id, keeps_reports=False)
        if self._talk.is_free:
            await self._talk.begin(search, data)
        else:
            async with self._talk.turn("go", timeout_s):
                await self._talk.begin(search, data)
        return search

    def analysis(
        self,
        position_line: str,
        limit: Limit | str | None = None,
        *,
        root_moves: Iterable[str] | None = None,
        multipv: int | None = None,
        ponder: bool = False,
    ) -> Analysis:
        """Return a search that tells its reports while it runs; enter it by `async with`.

        To enter it raises BadPosition where the engine refuses the position. With `ponder` the
        limits count from `Analysis.ponderhit` on; to leave without it means that the awaited move
        was not made.

        >>> async def main() -> None:
        ...     async with Engine.open(["drakkar"]) as engine:
        ...         async with engine.analysis("position startpos", multipv=2) as analysis:
        ...             async for info in analysis:
        ...                 if info.multipv == 2:
        ...                     break
        ...             analysis.stop()
        ...             reply = await analysis.wait()
        ...         print(reply.move == analysis.best[0].pv[0], len(analysis.best))
        ...         async with engine.analysis("", Limit(nodes=50), ponder=True) as pondering:
        ...             pondering.ponderhit()
        ...             print((await pondering.wait()).has_move)
        >>> asyncio.run(main())
        True 2
        True

        Args:
            position_line: the whole `position ...` line; "" keeps the position.
            limit: a Limit, or the words behind `go`; None to think until stopped.
            root_moves: a list of the moves to choose from, if not all legal ones. Illegal ones are
                complained of in `Reply.errors`; if none is legal, all moves are searched.
            multipv: how many lines to tell of; not all engines know it as a word of `go`.
            ponder: think ahead, in a position that may come.
        """
        wanted = Limit(infinite=True) if limit is None and not ponder else limit or ""
        lines, go_id = self._go_lines(position_line, wanted, root_moves, multipv, ponder)

        async def begin(analysis: Analysis) -> None:
            async with self._talk.turn("bestmove", None):
                # Without a limit an engine answers nothing before `stop`, a refusal included.
                if lines[:-1]:
                    await self._tell(lines[:-1], STOP_PATIENCE_S)
                await self._talk.begin(analysis, _encoded(lines[-1:]))

        ponders = parse_go(take_word(lines[-1])[1]).ponder
        return Analysis(self._wire, go_id, begin, ponders=ponders)

    async def analyse(
        self,
        position_line: str,
        limit: Limit | str,
        timeout_s: float = 60.0,
        *,
        root_moves: Iterable[str] | None = None,
        multipv: int | None = None,
    ) -> list[Info]:
        """Return the best lines that a search with a limit finds; as `play` otherwise."""
        reply = await self.play(
            position_line, limit, timeout_s, root_moves=root_moves, multipv=multipv
        )
        return reply.infos

    # ---- other ----

    async def send(self, *lines: str) -> None:
        """Send lines as they are; what they make the engine do is the caller's business."""
        self._talk.check_alive()
        await self._wire.send(*lines)

    def signal(self, number: int) -> None:
        """Send a signal to the process and its children; nothing once it was ended."""
        self._wire.signal(number)

    async def quit(self, timeout_s: float = 2.0) -> int | None:
        """End the process by `quit`, else by SIGTERM, else by SIGKILL; return its exit code."""
        try:
            return await self._wire.quit(timeout_s)
        finally:
            await self._talk.close()

    async def kill(self) -> int | None:
        """End the process and its group at once; return the exit code."""
        try:
            return await self._wire.kill()
        finally:
            await self._talk.close()

    # ---- how it is done ----

    async def _shake_hands(self, timeout_s: float) -> None:
        told = Introduction()
        answer = f"{self.dialect}ok"
        await self._talk.ask([self.dialect], answer, answer, timeout_s, told.take)
        self.name = self._wire.name = told.name or self.name
        self.author, self.options = told.author, told.options
        self.games, self.features = told.games, told.features

    async def _set(self, lines: list[str], timeout_s: float) -> None:
        async with self._talk.turn("readyok", timeout_s):
            await self._tell(lines, timeout_s)

    async def _tell(self, lines: list[str], timeout_s: float) -> None:
        """Send lines that have no answer but complaints, and wait until they are carried out."""
        _, errors = await self._talk.ask([*lines, "isready"], "readyok", "readyok", timeout_s)
        if errors:
            raise first_refusal(errors, "; ".join(lines)[:_LONGEST_SHOWN])

    def _go_lines(
        self,
        position_line: str,
        limit: Limit | str,
        root_moves: Iterable[str] | None,
        multipv: int | None,
        ponder: bool = False,
    ) -> tuple[list[str], str]:
        """Return the lines that start a search, and the id of its `go`."""
        self._num_go += 1
        default_id = str(self._num_go)
        line, go_id = go_line(limit, self.dialect, default_id, root_moves, multipv, ponder)
        return [_position(position_line), line] if position_line else [line], go_id


def _setoption(name: str, value: object) -> str:
    return f"setoption name {name}" + ("" if value is None else f" value {value}")


def _encoded(lines: Iterable[str]) -> bytes:
    """Return lines as they are sent; ValueError if one holds a line end."""
    if any("\n" in line for line in lines):
        raise ValueError("a command is one line")
    return "".join(f"{line}\n" for line in lines).encode()


def _position(line: str) -> str:
    """Return a `position` line; ValueError if it is another command."""
    if take_word(line)[0] != "position":
        raise ValueError(f"a position line begins with 'position', not as {line[:40]!r}")
    return line


__all__ = [
    "LINE_LIMIT",
    "STDERR_TAIL",
    "Analysis",
    "Engine",
    "EngineDied",
    "EngineError",
    "EngineProtocolError",
    "EngineRefusal",
    "EngineTimeout",
    "Info",
    "Limit",
    "Option",
    "Reply",
    "parse_option",
]
