"""What a step is, how steps are registered, and how one fails or is skipped."""

import difflib
from collections.abc import Awaitable, Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from protocol.messages import DIALECTS

if TYPE_CHECKING:
    from bench.check.subject import Subject

PARTS = {
    2: "Lines and words",
    3: "Handshakes and dialects",
    4: "Commands",
    5: "Options",
    6: "Positions",
    7: "Output",
    8: "Thinking",
    9: "Queries",
    10: "What an engine must do at least",
}
"""The parts of protocol/SPEC.md that steps refer to."""

TOPICS = (
    "handshake",
    "lines",
    "options",
    "positions",
    "refused",
    "open_positions",
    "queries",
    "secrets",
    "limits",
    "reports",
    "repeats",
    "control",
    "ponder",
    "busy",
    "clocks",
    "games",
    "ends",
)
"""Modules of this package with steps, in the order in which they run."""

PATIENCE_S = 10.0
"""Seconds after which an engine that does not answer counts as hung, if nobody says otherwise."""

READY_S, STOP_S, LEAVE_S = 0.05, 0.1, 1.0
"""Limits of SPEC.md in seconds: an answer during a search, `bestmove` after `stop`, the end."""

AT_ONCE_S = 0.1
"""Seconds within which a legal move "at once" has to be there."""

MARGIN_S = 0.1
"""Overrun of a move time that is put down to the machine, in seconds."""

TRIES = 3
"""Times that a limit in time is tried before it counts as missed, since machines hiccup."""


class Failure(Exception):
    """A step that an engine fails: what was expected, and what came instead."""

    def __init__(self, expected: str, got: str = "") -> None:
        super().__init__(expected)
        self.expected, self.got = expected, got


class Skip(Exception):
    """A step that cannot be asked of this engine, dialect or game; the text says why."""


class Step:
    """One thing to check. `sentence` says what the engine has to do, `part` where SPEC.md says so.

    `option` and `feature` are what the engine must declare, `queries` what it must answer, for the
    step to be asked of it; `is_open` is true if it needs open positions.
    """

    __slots__ = (
        "dialects",
        "feature",
        "is_open",
        "name",
        "number",
        "option",
        "part",
        "queries",
        "run",
        "sentence",
    )

    def __init__(
        self,
        name: str,
        part: int,
        run: "Callable[[Subject], Awaitable[None]]",
        dialects: Sequence[str],
        option: str,
        feature: str,
        queries: Sequence[str],
        is_open: bool,
    ) -> None:
        self.name, self.part, self.run = name, part, run
        self.dialects, self.option, self.feature = dialects, option, feature
        self.queries, self.is_open = queries, is_open
        self.sentence = (run.__doc__ or "").partition("\n")[0].rstrip(".")
        self.number = 0

    @property
    def source(self) -> str:
        """Where SPEC.md asks for this."""
        return f"protocol/SPEC.md part {self.part}, {PARTS[self.part]}"


_registered: dict[str, list[Step]] = {}


def step(
    name: str,
    part: int,
    *,
    dialects: Sequence[str] = DIALECTS,
    option: str = "",
    feature: str = "",
    queries: Sequence[str] = (),
    is_open: bool = False,
) -> "Callable[[Callable[[Subject], Awaitable[None]]], Callable[[Subject], Awaitable[None]]]":
    """Return a decorator that makes a coroutine function a step; its first line describes it."""

    def register(
        run: "Callable[[Subject], Awaitable[None]]",
    ) -> "Callable[[Subject], Awaitable[None]]":
        _registered.setdefault(run.__module__, []).append(
            Step(name, part, run, dialects, option, feature, queries, is_open)
        )
        return run

    return register


def all_steps() -> list[Step]:
    """Return all steps in order, numbered from 1."""
    steps: list[Step] = []
    for topic in TOPICS:
        module = import_module(f"bench.check.{topic}")
        steps += _registered[module.__name__]
    for number, found in enumerate(steps, 1):
        found.number = number
    return steps


def choose_steps(wanted: Sequence[str]) -> list[Step]:
    """Return the steps with these numbers or names, all if none; ValueError names what is wrong."""
    steps = all_steps()
    if not wanted:
        return steps
    known = {key: found for found in steps for key in (found.name, str(found.number))}
    for key in wanted:
        if key not in known:
            close = difflib.get_close_matches(key, [found.name for found in steps], 1, 0.5)
            hint = f"; do you mean {close[0]}?" if close else ""
            raise ValueError(f"there is no step {key!a}{hint} (1 to {len(steps)}, see --list)")
    return [found for found in steps if {found.name, str(found.number)} & set(wanted)]


def fail(expected: str, got: str = "") -> NoReturn:
    """Let the step fail."""
    raise Failure(expected, got)


def expect(holds: bool, expected: str, got: str = "") -> None:
    """Let the step fail unless something holds."""
    if not holds:
        raise Failure(expected, got)


async def in_time(measure: Callable[[], Awaitable[float]], limit_s: float, what: str) -> None:
    """Fail unless one of a few tries takes no longer than `limit_s` seconds."""
    best = float("inf")
    for _ in range(TRIES):
        best = min(best, await measure())
        if best <= limit_s:
            return
    fail(
        f"{what} within {1000 * limit_s:.0f} ms",
        f"the best of {TRIES} tries took {1000 * best:.0f} ms",
    )
