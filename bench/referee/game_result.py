"""What came of a game, as every part of a tournament passes it on and as a record line holds it."""

from collections.abc import Sequence
from typing import Any

from bench.referee.block import Job
from bench.referee.verdicts import VOID, Fault, Termination


class Decision:
    """One decision of a seat: its time as the referee saw it, and what the engine said of it.

    Attributes:
        time_ms: milliseconds from `go` to `bestmove`, less the referee's own lateness.
        lag_ms: milliseconds by which the referee was late meanwhile.
        nodes, cp, reported_ms: of the engine's last report: simulations, hundredths of a point
            ahead, and its own time; None where it told nothing.
    """

    __slots__ = ("cp", "lag_ms", "nodes", "reported_ms", "time_ms")

    def __init__(
        self,
        time_ms: float,
        lag_ms: float = 0.0,
        nodes: int | None = None,
        cp: int | None = None,
        reported_ms: int | None = None,
    ) -> None:
        self.time_ms, self.lag_ms = time_ms, lag_ms
        self.nodes, self.cp, self.reported_ms = nodes, cp, reported_ms


class GameResult:
    """A game that has come to an end. All lists are by seat, from seat 1.

    Attributes:
        job: which game it is.
        termination: why it ended.
        fault: what ended it, where that was not the rules.
        replaced: illegal answers in whose place a legal move was played.
        events: all event tokens, secrets included, separated by blanks.
        returns: 0 to 1 a seat, as search maximises them; by the verdict, where there is one.
        scores, margins: points of the game, and points ahead of the best other seat, at its end or
            at the moment of the verdict.
        plies: decisions made.
        tallies: what the game counts about itself.
        decisions: one Decision for each decision asked for, in order; the answer that is a fault,
            too, if it came.
        strikes: forgiven overruns beyond the margin.
        names: what the engine on each seat called itself (`id name`).
        luck: points by which luck favoured each seat, if that was measured.
        worker: which slot or machine played it.
        seconds: how long it took.
    """

    __slots__ = (
        "decisions",
        "events",
        "fault",
        "job",
        "luck",
        "margins",
        "names",
        "plies",
        "replaced",
        "returns",
        "scores",
        "seconds",
        "strikes",
        "tallies",
        "termination",
        "worker",
    )

    def __init__(
        self,
        job: Job,
        termination: Termination,
        fault: Fault | None = None,
        replaced: Sequence[Fault] = (),
        events: str = "",
        returns: Sequence[float] = (),
        scores: Sequence[float] = (),
        margins: Sequence[float] = (),
        plies: int = 0,
        tallies: dict[str, int] | None = None,
        decisions: Sequence[Decision] = (),
        strikes: Sequence[int] = (),
        names: Sequence[str] = (),
        luck: Sequence[float] | None = None,
        worker: str = "",
        seconds: float = 0.0,
    ) -> None:
        self.job, self.termination, self.fault = job, termination, fault
        self.replaced, self.events = list(replaced), events
        self.returns, self.scores, self.margins = list(returns), list(scores), list(margins)
        self.plies, self.tallies = plies, tallies or {}
        self.decisions, self.strikes, self.names = list(decisions), list(strikes), list(names)
        self.luck = None if luck is None else list(luck)
        self.worker, self.seconds = worker, seconds

    @property
    def is_void(self) -> bool:
        """True if the game has no result and is to be played again."""
        return self.termination in VOID

    @property
    def is_by_rules(self) -> bool:
        """True if the game came to its end by its rules, so that margins and tallies mean it."""
        return self.termination == Termination.RULES

    def seat_of(self, contestant: int) -> int:
        """Return the seat of a contestant."""
        return self.job.seats.index(contestant)

    def points(self, contestant: int) -> float:
        """Return the share of the other seats that a contestant beat, 0 to 1; ties count half."""
        return seat_points(self.returns, self.seat_of(contestant))

    def pair_points(self, contestant: int, other: int) -> float:
        """Return 1 if a contestant did better than another, 1/2 if as well, 0 if worse."""
        own, others = self.returns[self.seat_of(contestant)], self.returns[self.seat_of(other)]
        return 0.5 if own == others else float(own > others)

    def margin(self, contestant: int) -> float:
        """Return the points by which a contestant is ahead at the end."""
        return self.margins[self.seat_of(contestant)]


def seat_points(returns: Sequence[float], seat: int) -> float:
    """Return the share of the other seats that a seat beat; ties count half.

    >>> [seat_points([0.2, 0.9, 0.2], seat) for seat in range(3)]
    [0.25, 1.0, 0.25]
    """
    own = returns[seat]
    others = [value for index, value in enumerate(returns) if index != seat]
    return sum(0.5 if value == own else float(own > value) for value in others) / len(others)


def places(returns: Sequence[float]) -> list[int]:
    """Return the place of each seat, 1 is best; equal returns share the better place.

    >>> places([0.2, 0.9, 0.2])
    [2, 1, 2]
    """
    return [1 + sum(other > own for other in returns) for own in returns]


def block_points(results: Sequence[GameResult], contestant: int) -> float:
    """Return a contestant's mean points over the games of a block."""
    return sum(result.points(contestant) for result in results) / len(results)


def block_margin(results: Sequence[GameResult], contestant: int) -> float | None:
    """Return its mean margin; None if not all games came to their end by the rules."""
    if not all(result.is_by_rules for result in results):
        return None
    return sum(result.margin(contestant) for result in results) / len(results)


def block_luck(results: Sequence[GameResult], contestant: int) -> float | None:
    """Return its mean luck; None if that was not measured in all games."""
    lucks = [r.luck[r.seat_of(contestant)] for r in results if r.luck is not None]
    return sum(lucks) / len(lucks) if len(lucks) == len(results) else None


def verdict_returns(num_seats: int, loser: int) -> list[float]:
    """Return the returns of a game that a seat has lost by the verdict of the referee.

    The loser has none; all others beat it and tie with each other.

    >>> verdict_returns(2, 0)
    [0.0, 1.0]
    >>> verdict_returns(3, 1)
    [0.75, 0.0, 0.75]
    """
    others = (1.0 + 0.5 * (num_seats - 2)) / (num_seats - 1)
    return [0.0 if seat == loser else others for seat in range(num_seats)]


def result_line(result: GameResult) -> dict[str, Any]:
    """Return the object of a record line; bench/RECORDS.md describes its fields."""
    job = result.job
    line: dict[str, Any] = {
        "number": job.number + 1,
        "block": job.block.number + 1,
        "game": job.rotation + 1,
        "round": job.block.round + 1,
        "seats": list(job.seats),
        "deal": job.deal,
        "deal_number": job.block.deal + 1,
        "opening": job.opening_text,
        "termination": str(result.termination),
        "returns": result.returns,
        "scores": result.scores,
        "margins": result.margins,
        "plies": result.plies,
        "tallies": result.tallies,
        "names": result.names,
    }
    if result.fault is not None:
        line["fault"] = result.fault.to_json()
    if result.replaced:
        line["replaced"] = [fault.to_json() for fault in result.replaced]
    if result.luck is not None:
        line["luck"] = result.luck
    line["nodes"] = [decision.nodes for decision in result.decisions]
    line["cp"] = [decision.cp for decision in result.decisions]
    line["events"] = result.events
    line["times"] = {
        "time_ms": [round(decision.time_ms, 3) for decision in result.decisions],
        "lag_ms": [round(decision.lag_ms, 3) for decision in result.decisions],
        "reported_ms": [decision.reported_ms for decision in result.decisions],
        "strikes": result.strikes,
        "seconds": round(result.seconds, 3),
        "worker": result.worker,
    }
    return line


def result_from_line(line: dict[str, Any], job: Job) -> GameResult:
    """Return the result that a record line tells, for the job that its numbers name."""
    times = line.get("times", {})
    size = len(line["nodes"])
    columns = [times.get(name, [0] * size) for name in ("time_ms", "lag_ms")]
    columns.append(times.get("reported_ms", [None] * size))
    decisions = [
        Decision(ms, lag, nodes, cp, reported)
        for ms, lag, reported, nodes, cp in zip(*columns, line["nodes"], line["cp"], strict=True)
    ]
    return GameResult(
        job,
        Termination(line["termination"]),
        Fault.from_json(line["fault"]) if "fault" in line else None,
        [Fault.from_json(fault) for fault in line.get("replaced", [])],
        line["events"],
        line["returns"],
        line["scores"],
        line["margins"],
        line["plies"],
        line["tallies"],
        decisions,
        times.get("strikes", []),
        line["names"],
        line.get("luck"),
        times.get("worker", ""),
        times.get("seconds", 0.0),
    )


__all__ = [
    "Decision",
    "GameResult",
    "block_luck",
    "block_margin",
    "block_points",
    "places",
    "result_from_line",
    "result_line",
    "seat_points",
    "verdict_returns",
]
