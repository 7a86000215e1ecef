"""How a run went, in the end."""

from typing import Any

from bench.exits import EXIT_DONE

FINISHED, DECIDED, INTERRUPTED = "finished", "decided", "interrupted"
FAILED, INTERNAL = "failed", "internal"


class Outcome:
    """The end of a run.

    Attributes:
        reason: FINISHED, DECIDED (by its test), INTERRUPTED, FAILED (an engine, or the disk), or
            INTERNAL (a fault of the referee, or no machine left).
        text: the same for people, one line.
        exit_code: of the command.
        planned: blocks of the schedule, as far as it is known.
        counted_blocks, counted_games: blocks that count, and games in them.
        games: all finished games of the run, those of unfinished and surplus blocks too.
        seconds: how long it took, without what was played before a resume.
        failure: of the engine that ended the run, None if none did: `contestant`, `label`,
            `fault`, and `number`, `block`, `game` (from 1) and `deal` of its game.
        warnings: how many there were.
        decision: of the test: "H0", "H1" or "".
        resume: the command that goes on with the run, or None.
    """

    def __init__(self) -> None:
        self.reason, self.text, self.exit_code = FINISHED, "", EXIT_DONE
        self.planned = self.counted_blocks = self.counted_games = self.games = 0
        self.seconds = 0.0
        self.failure: dict[str, Any] | None = None
        self.warnings = 0
        self.decision = ""
        self.resume: str | None = None
        self.last_words: list[str] = []

    @property
    def is_complete(self) -> bool:
        """True if no game is left to play."""
        return self.reason in (FINISHED, DECIDED)


class RunEnd(Exception):
    """Ends a run from within; the attributes are those of the outcome."""

    def __init__(
        self, reason: str, text: str, exit_code: int, failure: dict[str, Any] | None = None
    ) -> None:
        super().__init__(text)
        self.reason, self.text, self.exit_code, self.failure = reason, text, exit_code, failure


__all__ = [
    "DECIDED",
    "FAILED",
    "FINISHED",
    "INTERNAL",
    "INTERRUPTED",
    "Outcome",
    "RunEnd",
]
