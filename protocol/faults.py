"""What can go wrong with an engine, as exceptions that a caller can tell apart.

EngineError
    EngineDied               the process has ended
    EngineTimeout            no answer in time
    EngineBusy               an analysis is running
    EngineProtocolError      an answer that cannot be understood
        EngineRefusal        an `error` line of the engine, with its code
            BadOption  BadValue  Unsupported  InternalFault
            BadPosition
                InconsistentView  IllegalMove  NoPosition
"""

from typing import TYPE_CHECKING

from protocol import messages

if TYPE_CHECKING:
    from protocol.replies import Reply


class EngineError(Exception):
    """An engine did not do what it was asked for."""

    stderr_tail = ""
    """Of an engine that failed to start: the end of what it wrote to standard error."""


class EngineDied(EngineError):
    """The process has ended, or closed a pipe; `exit_code` is negative for a signal."""

    def __init__(self, text: str, exit_code: int | None) -> None:
        super().__init__(text)
        self.exit_code = exit_code


class EngineTimeout(EngineError):
    """An answer did not come in time."""


class EngineBusy(EngineError):
    """The command would end an analysis that is still running; leave or stop that first."""


class EngineProtocolError(EngineError):
    """An answer cannot be understood, or the engine refused a command."""


class EngineRefusal(EngineProtocolError):
    """A command was refused, by the engine or because of what the engine has declared.

    `code` is one of the error codes of the protocol, `text` what was said besides.
    """

    def __init__(self, code: str, text: str, message: str = "") -> None:
        super().__init__(message or f"{code} {text}".rstrip())
        self.code = code
        self.text = text
        self.reply: Reply | None = None
        """Where a `go` was refused: its answer `0000`, with all complaints and its time."""


class BadOption(EngineRefusal):
    """The engine has no such option."""


class BadValue(EngineRefusal):
    """A value that is not allowed."""


class BadPosition(EngineRefusal):
    """The position cannot be read, or is not allowed; there is no position now."""


class InconsistentView(BadPosition):
    """An event of luck contradicts what the seat knows."""


class IllegalMove(BadPosition):
    """A decision that the rules do not allow there."""


class NoPosition(BadPosition):
    """The engine has no valid position to think or be asked about."""


class Unsupported(EngineRefusal):
    """A limit or version that the engine does not have."""


class InternalFault(EngineRefusal):
    """A fault of the engine, which goes on."""


_KINDS: dict[str, type[EngineRefusal]] = {
    messages.BAD_OPTION: BadOption,
    messages.BAD_VALUE: BadValue,
    messages.BAD_POSITION: BadPosition,
    messages.INCONSISTENT_VIEW: InconsistentView,
    messages.ILLEGAL_MOVE: IllegalMove,
    messages.NO_POSITION: NoPosition,
    messages.UNSUPPORTED: Unsupported,
    messages.INTERNAL: InternalFault,
}

_LONGEST_TEXT = 1000


def parse_error(line: str) -> tuple[EngineRefusal, str | None] | None:
    """Return what an error line says, and the id of its `go` if it has one; None for other lines.

    >>> refusal, go_id = parse_error("error bad-position id=7 token 5: what is this?")
    >>> type(refusal).__name__, refusal.text, go_id
    ('BadPosition', 'token 5: what is this?', '7')
    >>> parse_error("info string error bad-value no")
    (BadValue('bad-value no'), None)
    """
    word, rest = messages.take_word(line)
    if word == "info":
        string, rest = messages.take_word(rest)
        word, rest = messages.take_word(rest) if string == "string" else ("", "")
    if word != "error":
        return None
    code, rest = messages.take_word(rest)
    mark, behind = messages.take_word(rest)
    go_id = mark.removeprefix("id=") if mark.startswith("id=") else None
    text = rest if go_id is None else behind
    return refusal(code[:_LONGEST_TEXT], text.strip(messages.BLANKS)[:_LONGEST_TEXT]), go_id


def refusal(code: str, text: str, message: str = "") -> EngineRefusal:
    """Return the exception for an error code; `message` is its text for people, if another."""
    return _KINDS.get(code, EngineRefusal)(code, text, message)


def first_refusal(refusals: list[EngineRefusal], what: str) -> EngineRefusal:
    """Return the exception for a command with several complaints: the first one tells its kind."""
    first = refusals[0]
    return refusal(first.code, first.text, f"{what}: {'; '.join(map(str, refusals))}")


__all__ = [
    "BadOption",
    "BadPosition",
    "BadValue",
    "EngineBusy",
    "EngineDied",
    "EngineError",
    "EngineProtocolError",
    "EngineRefusal",
    "EngineTimeout",
    "IllegalMove",
    "InconsistentView",
    "InternalFault",
    "NoPosition",
    "Unsupported",
    "first_refusal",
    "parse_error",
    "refusal",
]
