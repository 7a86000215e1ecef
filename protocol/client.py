"""Drives an engine process over the text protocol, for matches and tests (asyncio).

    engine = await Engine.open(["drakkar"])
    await engine.set_option("Game", "kuhn")
    reply = await engine.play("position view kuhn/1 me=p1 moves ~deal@p1=K ~deal@p2=?", "nodes 100")
    await engine.quit()

Every wait has a limit, nothing an engine prints or fails to print makes a caller hang, and `quit`
always ends the process. The engine runs in a process group of its own; on Linux the kernel kills it
when the thread that opened it ends.
"""

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Self

from protocol.messages import BLANKS, DIALECTS, UHI, parse_info, split_words, take_word

LINE_LIMIT = 16 << 20
"""Longest line in bytes that is read from an engine."""

STDERR_TAIL = 64 << 10
"""Bytes of standard error that are kept for reports."""

_PR_SET_PDEATHSIG = 1
_MAX_ERRORS = 20
# Of the last report of a search so much is kept, whatever an engine writes.
_MOST_LINES = 256
_LONGEST_REPORT = 64 << 10
_POLL_S = 0.02
_LAST_WORDS_S = 0.3


class EngineError(Exception):
    """An engine did not do what the protocol asks for."""

    stderr_tail = ""
    """Of an engine that failed to start: the end of what it wrote to standard error."""


class EngineDied(EngineError):
    """The process has ended, or closed its output; `exit_code` is negative for a signal."""

    def __init__(self, text: str, exit_code: int | None) -> None:
        super().__init__(text)
        self.exit_code = exit_code


class EngineTimeout(EngineError):
    """An answer did not come in time."""


class EngineProtocolError(EngineError):
    """An answer cannot be understood, or the engine refused a command."""


class Option:
    """An option as the engine declares it; `default`, `low` and `high` are texts or None."""

    __slots__ = ("choices", "default", "high", "kind", "low", "name")

    def __init__(self, name: str, kind: str) -> None:
        self.name, self.kind = name, kind
        self.default: str | None = None
        self.low: str | None = None
        self.high: str | None = None
        self.choices: list[str] = []

    def __repr__(self) -> str:
        return f"<Option {self.name} {self.kind} default={self.default}>"


class Reply:
    """The answer to one `go`."""

    __slots__ = ("errors", "infos", "move", "ponder", "time_s")

    def __init__(
        self,
        move: str,
        ponder: str | None,
        infos: list[dict[str, Any]],
        errors: list[str],
        time_s: float,
    ) -> None:
        self.move = move
        """The move word; `0000` if the engine sees no decision."""
        self.ponder = ponder
        """The move it expects next, or None."""
        self.infos = infos
        """Fields of the last report, one dictionary for each line, best first."""
        self.errors = errors
        """What the engine complained of since the command before."""
        self.time_s = time_s
        """Seconds from `go` to `bestmove`, as the caller sees them."""

    def __repr__(self) -> str:
        return f"<Reply {self.move} in {self.time_s:.3f} s>"


def parse_option(line: str) -> Option:
    """Return the option that an `option` line declares; EngineProtocolError if it is malformed."""
    keys = ("name", "type", "default", "min", "max", "var")
    fields: list[tuple[str, list[str]]] = []
    for word in split_words(line)[1:]:
        # A type stands behind the name, so `name` and `type` cannot begin a field again.
        if word in keys and not (fields and word in ("name", "type") and len(fields) > 1):
            fields.append((word, []))
        elif fields:
            fields[-1][1].append(word)
    values = [(key, " ".join(words)) for key, words in fields]
    named = dict(values)
    if not named.get("name") or not named.get("type"):
        raise EngineProtocolError(f"malformed option line: {line[:200]!r}")
    option = Option(named["name"], named["type"])
    option.default, option.low, option.high = (named.get(k) for k in ("default", "min", "max"))
    option.choices = [value for key, value in values if key == "var"]
    return option


class Engine:
    """One engine process. Make it with `await Engine.open(argv)`; end it with `await quit()`."""

    def __init__(self, process: asyncio.subprocess.Process, argv: Sequence[str], dialect: str):
        self.argv = list(argv)
        self.dialect = dialect
        self.name = os.path.basename(argv[0])
        """What the engine calls itself (`id name`), else the name of its program."""
        self.author = ""
        self.options: dict[str, Option] = {}
        """Declared options by lower-case name."""
        self.games: dict[str, str] = {}
        """Under uhi: the `game` lines by game, such as {"kuhn/1": "seats=2"}."""
        self.features: dict[str, str] = {}
        """Under uhi: the `feature` lines."""
        self.errors: deque[str] = deque(maxlen=_MAX_ERRORS)
        """The latest complaints of the engine, oldest first."""
        self._process = process
        self._num_go = 0
        self._gives_ids = False
        self._stderr: deque[bytes] = deque()
        self._stderr_size = 0
        self._stderr_task = asyncio.ensure_future(self._drain_stderr())

    @classmethod
    async def open(
        cls,
        argv: Sequence[str],
        *,
        dialect: str = UHI,
        timeout_s: float = 10.0,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> Self:
        """Start a process and shake hands.

        Args:
            argv: the program and its arguments.
            dialect: `uci`, `ugi` or `uhi`.
            timeout_s: seconds until the handshake must be complete; ending an engine that
                failed to complete it may take half a second more.
            env: the environment, if not that of this process.
            cwd: the working directory, if not that of this process.

        Raises:
            EngineError: it could not be started or did not introduce itself; it is gone then, and
                the error has its `stderr_tail`.
        """
        if dialect not in DIALECTS:
            raise ValueError(f"dialect {dialect!r}: use one of {', '.join(DIALECTS)}")
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=LINE_LIMIT,
                start_new_session=True,
                preexec_fn=_die_with_parent(),
                env=env,
                cwd=cwd,
            )
        except (OSError, ValueError) as error:
            raise EngineDied(f"cannot start {argv[0]!r}: {error}", None) from error
        engine = cls(process, argv, dialect)
        try:
            await engine._shake_hands(timeout_s)
        except BaseException as error:
            await engine.kill()
            if isinstance(error, EngineError):
                error.stderr_tail = engine.stderr_tail
            raise
        return engine

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, negative for a signal; None while the process runs."""
        return self._process.returncode

    @property
    def stderr_tail(self) -> str:
        """The end of what the engine has written to standard error."""
        return b"".join(self._stderr)[-STDERR_TAIL:].decode("utf-8", "replace")

    # ---- commands ----

    async def set_option(self, name: str, value: object = None, timeout_s: float = 10.0) -> None:
        """Set an option and wait until it is done; EngineProtocolError if the engine objects."""
        text = str(value).lower() if isinstance(value, bool) else value
        line = f"setoption name {name}" + ("" if value is None else f" value {text}")
        before = list(self.errors)
        self.errors.clear()
        await self._send(line)
        await self.ping(timeout_s)
        if self.errors:
            raise EngineProtocolError(f"{line}: {'; '.join(self.errors)}")
        self.errors.extend(before)

    async def new_game(self, timeout_s: float = 10.0) -> None:
        """Tell the engine that another game begins, and wait until it is ready."""
        await self._send(f"{self.dialect}newgame")
        await self.ping(timeout_s)

    async def ping(self, timeout_s: float = 10.0) -> float:
        """Send `isready`; return the seconds until `readyok`."""
        start = time.perf_counter()
        await self._send("isready")
        async with self._limit(timeout_s, "readyok"):
            while split_words(await self._line())[:1] != ["readyok"]:
                pass
        return time.perf_counter() - start

    async def query(self, word: str, timeout_s: float = 10.0) -> str:
        """Ask about the position; return the answer, one word."""
        await self._send(f"query {word}")
        async with self._limit(timeout_s, f"response to query {word}"):
            while True:
                words = split_words(await self._line())
                if words[:1] == ["response"]:
                    if len(words) != 2:
                        raise EngineProtocolError(f"malformed answer to query {word}: {words[:5]}")
                    return words[1]

    async def play(self, position_line: str, go_args: str, timeout_s: float = 60.0) -> Reply:
        """Send a position and `go`; return the move.

        Args:
            position_line: the whole `position ...` line; "" keeps the position.
            go_args: what follows `go`, such as `nodes 100`.
            timeout_s: seconds until `bestmove` must be there.

        Raises:
            EngineTimeout: no answer in time; the engine should be ended, or asked by `stop`.
            EngineDied: the process ended.
            EngineProtocolError: the answer cannot be read.
        """
        self.errors.clear()
        go_id = await self.start(position_line, go_args)
        start = time.perf_counter()
        return await self._reply(go_id, start, timeout_s)

    async def start(self, position_line: str, go_args: str) -> str:
        """Send a position and `go` without waiting; return the id to give to `stop`."""
        self._num_go += 1
        line = f"go {go_args}".rstrip()
        go_id = _word_after(["", "", *split_words(line)], "id")
        if go_id is None:
            go_id = str(self._num_go)
            if self.dialect == UHI:
                line += f" id {go_id}"
        await self._send(*([position_line] if position_line else []), line)
        return go_id

    async def stop(self, go_id: str, timeout_s: float = 10.0) -> Reply:
        """Stop the search that `start` began; return its answer, timed from now."""
        start = time.perf_counter()
        await self._send("stop")
        return await self._reply(go_id, start, timeout_s)

    async def send(self, *lines: str) -> None:
        """Send lines as they are."""
        await self._send(*lines)

    async def quit(self, timeout_s: float = 2.0) -> int | None:
        """End the process by `quit`, else by SIGTERM, else by SIGKILL; return its exit code."""
        with contextlib.suppress(EngineError):
            await self._send("quit")
        with contextlib.suppress(OSError, RuntimeError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        if not await self._has_ended(timeout_s):
            self._signal(signal.SIGTERM)
            if not await self._has_ended(timeout_s):
                return await self.kill()
        # Children that the engine left behind are in its group.
        return await self.kill()

    async def kill(self) -> int | None:
        """End the process and its group at once; return the exit code."""
        self._signal(signal.SIGKILL)
        await self._has_ended(5.0)
        # What the engine has written last is still in the pipe.
        await asyncio.wait({self._stderr_task}, timeout=_LAST_WORDS_S)
        self._stderr_task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._stderr_task
        # Closing the transport frees the pipes also when a grandchild holds them open.
        self._process._transport.close()  # type: ignore[attr-defined]
        return self._process.returncode

    # ---- the wire ----

    async def _shake_hands(self, timeout_s: float) -> None:
        async with self._limit(timeout_s, f"{self.dialect}ok"):
            await self._send(self.dialect)
            while True:
                line = await self._line()
                word, rest = take_word(line)
                rest = rest.strip(BLANKS)
                if word == f"{self.dialect}ok":
                    return
                if word == "option":
                    option = parse_option(line)
                    self.options[option.name.lower()] = option
                elif word == "id" and rest.startswith("name "):
                    self.name = rest.removeprefix("name ").strip(BLANKS)
                elif word == "id" and rest.startswith("author "):
                    self.author = rest.removeprefix("author ").strip(BLANKS)
                elif word == "game":
                    game, _, fields = rest.partition(" ")
                    self.games[game] = fields
                elif word == "feature":
                    key, _, value = rest.partition("=")
                    self.features[key] = value

    async def _reply(self, go_id: str, start: float, timeout_s: float) -> Reply:
        """Read up to the `bestmove` of a `go`; answers to an earlier one are dropped."""
        report: list[str] = []
        async with self._limit(timeout_s, "bestmove"):
            while True:
                line = await self._line()
                if line.startswith("info ") and " pv " in line:
                    if " multipv " not in line or " multipv 1 " in line:
                        report.clear()
                    if len(report) < _MOST_LINES:
                        report.append(line[:_LONGEST_REPORT])
                elif line.startswith("bestmove"):
                    words = split_words(line)
                    if _word_after(words, "id") == go_id:
                        self._gives_ids = True
                        break
                    # An engine that gives ids gives them always: without one this is no answer.
                    if _word_after(words, "id") is None and not self._gives_ids:
                        break
        seconds = time.perf_counter() - start
        if len(words) < 2 or words[0] != "bestmove":
            raise EngineProtocolError(f"malformed bestmove line: {line[:200]!r}")
        infos = [parse_info(info) for info in report]
        return Reply(words[1], _word_after(words, "ponder"), infos, list(self.errors), seconds)

    async def _send(self, *lines: str) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        if any("\n" in line for line in lines):
            raise ValueError("a command is one line")
        try:
            stdin.write("".join(f"{line}\n" for line in lines).encode())
            async with asyncio.timeout(10.0):
                await stdin.drain()
        except TimeoutError:
            raise EngineTimeout(f"{self.name} does not read its input") from None
        except (OSError, RuntimeError):
            raise await self._died() from None

    async def _line(self) -> str:
        """Return the next line without its end; complaints are kept in `errors`."""
        stdout = self._process.stdout
        assert stdout is not None
        try:
            raw = await stdout.readline()
        except ValueError:
            raise EngineProtocolError(
                f"{self.name} printed a line longer than {LINE_LIMIT} bytes"
            ) from None
        except OSError:
            raw = b""
        if not raw:
            raise await self._died()
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if line.startswith("error "):
            self.errors.append(line.removeprefix("error "))
        elif line.startswith("info string error "):
            self.errors.append(line.removeprefix("info string error "))
        return line

    @contextlib.asynccontextmanager
    async def _limit(self, timeout_s: float, what: str) -> AsyncIterator[None]:
        """Turn running out of time into EngineTimeout."""
        try:
            async with asyncio.timeout(timeout_s):
                yield
        except TimeoutError:
            assert self._process.stdout is not None
            if self._process.stdout.at_eof():
                raise self._death() from None
            raise EngineTimeout(f"{self.name}: no {what} within {timeout_s:g} s") from None

    async def _died(self) -> EngineDied:
        """Return the error for an engine whose pipe is closed, once its exit code is known."""
        await self._has_ended(1.0)
        return self._death()

    def _death(self) -> EngineDied:
        code = self._process.returncode
        if code is None:
            return EngineDied(f"{self.name} closed a pipe but runs on", None)
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return EngineDied(f"{self.name} ended: {how}", code)

    async def _has_ended(self, timeout_s: float) -> bool:
        """Wait for the process to end; return whether it has."""
        deadline = time.monotonic() + timeout_s
        waiter = asyncio.ensure_future(self._process.wait())
        # wait() also waits for the pipes, which a grandchild may hold open for ever; therefore the
        # exit code is looked at in between.
        while self._process.returncode is None and time.monotonic() < deadline:
            await asyncio.wait({waiter}, timeout=min(_POLL_S, timeout_s))
        waiter.cancel()
        return self._process.returncode is not None

    def _signal(self, number: int) -> None:
        """Send a signal to the process group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    async def _drain_stderr(self) -> None:
        """Read standard error for ever and keep its end, so that the engine is never blocked."""
        stderr = self._process.stderr
        assert stderr is not None
        while chunk := await stderr.read(1 << 16):
            self._stderr.append(chunk)
            self._stderr_size += len(chunk)
            while self._stderr_size - len(self._stderr[0]) >= STDERR_TAIL:
                self._stderr_size -= len(self._stderr.popleft())


def _word_after(words: list[str], key: str) -> str | None:
    """Return the word behind `key`, looking from the third word on."""
    pairs = zip(words[2:], words[3:], strict=False)
    return next((value for word, value in pairs if word == key), None)


def _die_with_parent() -> Callable[[], None] | None:
    """Return what a child calls before it becomes the engine; None where it is not supported."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        return None
    return partial(_set_death_signal, prctl, os.getpid())


def _set_death_signal(prctl: Callable[[int, int], int], parent: int) -> None:
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # the parent ended before the signal was armed


__all__ = [
    "Engine",
    "EngineDied",
    "EngineError",
    "EngineProtocolError",
    "EngineTimeout",
    "Option",
    "Reply",
    "parse_option",
]
