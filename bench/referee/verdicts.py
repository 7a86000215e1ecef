"""How games end: the words for it, and what is told of an engine that did wrong.

Each game has exactly one verdict. For one answer time is looked at first, then whether it can be
read, then whether it is legal.
"""

from enum import StrEnum
from typing import Any, Self

# Characters of an answer and of a text that are kept at most.
ANSWER_SIZE = 64
TEXT_SIZE = 1000


class Termination(StrEnum):
    """Why a game ended. All but the last two give a result; those have the game played again."""

    RULES = "rules"
    """Won, lost or drawn by the rules of the game."""
    TIME = "time"
    """An answer came too late or not at all, from an engine that answers a ping."""
    ILLEGAL = "illegal"
    """An answer that is one clean word, but no legal decision."""
    MALFORMED = "malformed"
    """An answer without a word, with bytes that no word has, or a line longer than can be read."""
    STALL = "stall"
    """The engine runs but answers no ping."""
    DISCONNECT = "disconnect"
    """The process ended, or closed a pipe, after its start."""
    START = "start"
    """The process could not be started or did not introduce itself."""
    INTERNAL = "internal"
    """A fault of the referee or its machine."""
    INTERRUPTED = "interrupted"
    """The run was ended while the game was under way."""


VOID = (Termination.INTERNAL, Termination.INTERRUPTED)
"""Endings without a result."""


class Fault:
    """What one seat's engine did wrong.

    Attributes:
        seat: the seat, from 0.
        ply: decisions made in the game before it.
        kind: a Termination that names an engine's fault.
        text: what happened, one line for people.
        answer: the word that it answered, shortened; "" if there was none.
        exit_code: of a process that ended; negative for a signal.
        overrun_ms: milliseconds beyond the limit, the margin not counted; None if unknown.
        stderr: the end of what it wrote to standard error.
    """

    __slots__ = ("answer", "exit_code", "kind", "overrun_ms", "ply", "seat", "stderr", "text")

    def __init__(
        self,
        seat: int,
        ply: int,
        kind: Termination,
        text: str,
        answer: str = "",
        exit_code: int | None = None,
        overrun_ms: float | None = None,
        stderr: str = "",
    ) -> None:
        self.seat, self.ply, self.kind = seat, ply, kind
        self.text, self.answer = text[:TEXT_SIZE], answer[:ANSWER_SIZE]
        self.exit_code, self.overrun_ms, self.stderr = exit_code, overrun_ms, stderr

    def to_json(self) -> dict[str, Any]:
        """Return the object of a record; what is empty is left out."""
        fields: dict[str, Any] = {
            "seat": self.seat,
            "ply": self.ply,
            "kind": str(self.kind),
            "text": self.text,
        }
        for name in ("answer", "exit_code", "overrun_ms", "stderr"):
            value = getattr(self, name)
            if value not in (None, ""):
                fields[name] = value
        return fields

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Self:
        """Return the fault of an object of a record."""
        return cls(**{**fields, "kind": Termination(fields["kind"])})


__all__ = ["ANSWER_SIZE", "TEXT_SIZE", "VOID", "Fault", "Termination"]
