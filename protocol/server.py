"""The engine process: reads commands, answers them, lets a job think.

The reader never searches and waits for a search only where the state table of SPEC.md says that a
command ends it. Everything heavy loads when it is first needed, not before `uciok`.
"""

import os
import sys
from time import monotonic

from engine.errors import shorten
from protocol import VERSION
from protocol.memory import give_back_blocks_of
from protocol.messages import (
    BAD_VALUE,
    DIALECTS,
    INTERNAL,
    MAX_LINE,
    NO_POSITION,
    PARSE,
    QUERIES,
    UCI,
    UHI,
    UNKNOWN_COMMAND,
    UNSUPPORTED,
    ProtocolError,
    format_error,
    format_response,
    parse_go,
    parse_setoption,
    printable,
    split_command,
    take_word,
)
from protocol.options import BUTTON, LOG_FILE, SEARCH_OPTIONS, Options, show
from protocol.session import Session
from protocol.signals import leave_on_signals
from protocol.stream import TOO_LONG, Writer, read_lines
from protocol.thinking import Job, Thinker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

UHI_VERSION = 1

_LARGE_BLOCK = 128 << 10

_NO_POSITION = "no position yet; try: position startpos"

_LINGER = 0.6
"""Seconds that a search with limits may go on after the input has ended."""


class Server:
    """One engine: `serve` it lines from `in_fd`, or `handle` single lines."""

    def __init__(self, out_fd: int, in_fd: int = -1) -> None:
        self._in_fd, self._out_fd = in_fd, out_fd
        self.writer = Writer(out_fd, in_fd)
        self.options = Options()
        self.session = Session(self.options)
        self.thinker = Thinker(self.options, self.writer)
        self.dialect = UCI
        self.debug = False
        self.job: Job | None = None
        self._handlers: dict[str, Callable[[str], None]] = {
            "debug": self._debug,
            "go": self._go,
            "isready": self._isready,
            "ponderhit": self._ponderhit,
            "position": self._position,
            "query": self._query,
            "register": self._ignore,
            "setoption": self._setoption,
            "stop": self._stop,
        }
        for dialect in DIALECTS:
            self._handlers[dialect] = self._handshake_of(dialect)
            self._handlers[f"{dialect}newgame"] = self._newgame
        self._people: dict[str, Callable[[], list[str]]] = {
            "belief": self._belief,
            "d": self._draw,
            "help": self._help,
            "legal": self._legal,
        }
        self._words = frozenset((*self._handlers, "quit"))

    # ---- the loop ----

    def serve(self) -> None:
        """Answer lines until `quit` or the end of the input."""
        for line in read_lines(self._in_fd, self._out_fd):
            if line is TOO_LONG:
                self._error(PARSE, f"line longer than {MAX_LINE} bytes, dropped")
            elif not self.handle(line):
                self._leave(0.0)
                return
        self._leave(_LINGER)

    def handle(self, line: str) -> bool:
        """Carry out one line; False if it was `quit`. Never raises."""
        self.writer.note_input(line)
        try:
            first, rest = take_word(line)
            if first in self._people:
                self._tell(*self._people[first]())
                return True
            word, rest = split_command(line, self._words)
            if word == "quit":
                return False
            if word:
                self._handlers[word](rest)
            elif first and self.dialect == UHI:
                self._error(UNKNOWN_COMMAND, f"{shorten(first, 40)!r} is no command; try help")
        except ProtocolError as error:
            self._error(error.code, str(error))
        except Exception as error:
            self._error(INTERNAL, f"{type(error).__name__}: {error}")
            if self.debug:
                sys.excepthook(type(error), error, error.__traceback__)
        return True

    def _leave(self, linger: float) -> None:
        """End the running search, if any, within a second."""
        job = self.job
        if job is None or (not job.holds_back and linger and job.done.wait(linger)):
            return
        if not job.stop(patience=0.3):
            os._exit(0)

    def _end_search(self) -> None:
        """Stop a running search and wait for its `bestmove`."""
        if self.job is not None:
            self.job.stop()
            self.job = None

    def _error(self, code: str, text: str) -> None:
        self.writer.write(format_error(self.dialect, code, text))

    def _tell(self, *lines: str) -> None:
        self.writer.write(*(f"info string {line}".rstrip() for line in lines))

    # ---- handshakes and options ----

    def _handshake_of(self, dialect: str) -> "Callable[[str], None]":
        return lambda text: self._handshake(dialect, text)

    def _handshake(self, dialect: str, text: str) -> None:
        version, _ = take_word(text)
        major = version.removeprefix("uhi/").partition(".")[0]
        if dialect == UHI and version and major != str(UHI_VERSION):
            text = f"version {shorten(version, 40)!r}: this engine speaks uhi/{UHI_VERSION}"
            raise ProtocolError(UNSUPPORTED, text)
        self.dialect = self.thinker.dialect = dialect
        lines = [f"id name Drakkar {VERSION}", "id author the Drakkar authors"]
        lines += self.options.declarations()
        if dialect == UHI:
            lines += _feature_lines()
        self.writer.write(*lines, f"{dialect}ok")

    def _setoption(self, text: str) -> None:
        self._end_search()
        name, value = parse_setoption(text)
        option = self.options.find(name)
        if option.kind == BUTTON:
            self.thinker.new_game()
        else:
            if option.name == LOG_FILE:
                self._open_log(str(option.parse(value)))
            self.options.set(option, value)
        if option.name.lower() not in (*SEARCH_OPTIONS, "seed"):
            self.session.options_changed()
        if self.debug:
            self._tell(f"option {option.name} = {printable(shorten(show(option.value), 400))}")

    def _open_log(self, path: str) -> None:
        try:
            self.writer.open_log(path)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            text = f"option {LOG_FILE}: {shorten(path)!r}: {reason}"
            raise ProtocolError(BAD_VALUE, text) from None

    def _debug(self, text: str) -> None:
        word, _ = take_word(text)
        if word in ("on", "off"):
            self.debug = word == "on"

    def _ignore(self, text: str) -> None:
        """Accept a command of old that has no meaning here."""

    def _isready(self, text: str) -> None:
        try:
            if self.job is None or self.job.done.is_set():
                # Load now what the first search needs.
                self.session.selected_game()
                self.thinker.searcher()
        finally:
            self.writer.write("readyok")

    # ---- positions ----

    def _newgame(self, text: str) -> None:
        self._end_search()
        self.session.forget()
        self.thinker.new_game()

    def _position(self, text: str) -> None:
        self._end_search()
        self.session.set_position(text)
        if self.debug:
            self._tell(f"position: {self.session.replayed} events applied")

    def _query(self, text: str) -> None:
        from protocol.queries import answer

        word, _ = take_word(text)
        if word not in QUERIES:
            self.writer.write(
                format_error(self.dialect, BAD_VALUE, f"query takes one of: {' '.join(QUERIES)}"),
                format_response("none"),
            )
            return
        if word == "game" and self.session.position is None:
            self.writer.write(format_response(self.session.selected_game().identity))
        elif self.session.position is None:
            self.writer.write(
                format_error(self.dialect, NO_POSITION, "there is no valid position"),
                format_response("none"),
            )
        else:
            self.writer.write(format_response(answer(self.session.position, word)))

    def _draw(self) -> list[str]:
        from protocol.queries import draw

        position = self.session.position
        return draw(position) if position else [_NO_POSITION]

    def _legal(self) -> list[str]:
        from protocol.queries import describe_legal

        position = self.session.position
        return describe_legal(position) if position else [_NO_POSITION]

    def _belief(self) -> list[str]:
        from protocol.queries import describe_belief

        position = self.session.position
        return describe_belief(position) if position else [_NO_POSITION]

    def _help(self) -> list[str]:
        from protocol.queries import HELP

        return HELP.splitlines()

    # ---- searching ----

    def _go(self, text: str) -> None:
        started = monotonic()
        self._end_search()
        go = parse_go(text)
        for fault in go.faults:
            self._error(BAD_VALUE, fault)
        self.job = self.thinker.start(go, self.session.position, started)

    def _stop(self, text: str) -> None:
        self._end_search()

    def _ponderhit(self, text: str) -> None:
        if self.job is not None:
            self.job.ponderhit()


def _feature_lines() -> list[str]:
    """Return the `feature` and `game` lines of the uhi handshake."""
    from importlib import import_module

    from engine import available, game_settings

    games: list[str] = []
    seats: list[int] = []
    for name in available():
        package = import_module(f"engine.games.{name}")
        seats.append(package.SEATS)
        words = [f"game {name}/{package.VERSION}", f"seats={package.SEATS}"]
        for setting in game_settings(name):
            if setting.name == "seats":  # named already, by its default
                seats += [number for number in (setting.low, setting.high) if number is not None]
            else:
                words.append(f"{setting.name}={setting.default}")
        games.append(" ".join(words))
    features = (
        f"protocol=uhi/{UHI_VERSION}",
        f"dialects={','.join(DIALECTS)}",
        f"maxline={MAX_LINE}",
        "json=0",
        "views=strict",
        "simultaneous=0",
        f"seats={min(seats)}..{max(seats)}",
        "reproducible=nodes+seed",
    )
    return [f"feature {feature}" for feature in features] + games


def run() -> int:
    """Serve standard input and output until `quit`; return the exit code of the process."""
    # The search hands results over to the reader and back; the usual 5 ms would be felt.
    sys.setswitchinterval(0.0005)
    leave_on_signals()
    give_back_blocks_of(_LARGE_BLOCK)
    try:
        os.set_blocking(0, True)
        os.set_blocking(1, True)
        # The protocol keeps standard output for itself: whatever else prints goes to stderr.
        out_fd = os.dup(1)
        os.dup2(2, 1)
    except OSError:
        out_fd = 1
    Server(out_fd, in_fd=0).serve()
    return 0
