"""How a run ended, as far as reports of it need to know."""

from typing import Any, Protocol

from bench.tournament.plan import Plan
from bench.verdicts import Fault


class Ending(Protocol):
    """What a report reads of the outcome of a run.

    Attributes:
        reason: finished, decided, interrupted, failed or internal.
        games: finished games, those of unfinished or surplus blocks included.
        counted_games: games of the blocks that count.
        seconds: how long the run took.
        failure: the game whose fault ended the run, or None.
        warnings: how many there were.
        decision: of the sequential test, "" without one.
    """

    @property
    def reason(self) -> str: ...
    @property
    def games(self) -> int: ...
    @property
    def counted_games(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def failure(self) -> dict[str, Any] | None: ...
    @property
    def warnings(self) -> int: ...
    @property
    def decision(self) -> str: ...


def failure_json(plan: Plan, ending: Ending) -> dict[str, Any] | None:
    """Return a failure that ended a run as part of `--json`; None if none did.

    `side` is the letter of the contestant in the order in which they were named.
    """
    failure = ending.failure
    if failure is None:
        return None
    fault = failure["fault"]
    told = fault.to_json() if isinstance(fault, Fault) else dict(fault)
    contestant = failure["contestant"]
    return {
        "engine": plan.contestants[contestant].name,
        "label": plan.contestants[contestant].label,
        "side": chr(ord("A") + contestant) if contestant < 26 else str(contestant + 1),
        "kind": told["kind"],
        "text": told["text"],
        "game": failure.get("number"),
        "deal": failure.get("deal"),
        "stderr": told.get("stderr", ""),
    }


__all__ = ["Ending", "failure_json"]
