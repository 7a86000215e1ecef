"""How a tournament stands: running numbers of the counted blocks, in constant memory."""

from typing import TYPE_CHECKING, Any

from bench.counts import Counts
from bench.referee.block import Block
from bench.referee.game_result import (
    GameResult,
    places,
    seat_points,
)
from bench.referee.verdicts import Termination
from bench.statistics.pairs import PairTable, TableSums
from bench.statistics.running import Moments, Scale

if TYPE_CHECKING:
    from bench.plan import Plan


class Standings:
    """The numbers of a run so far; it takes whole blocks, in the order of the schedule.

    Attributes:
        games, blocks: counted.
        contestants: the numbers of each contestant.
        pairs: how often which block score occurred between each two.
        seats: share of the points on each seat, over blocks.
        lag: milliseconds by which the referee was late at a decision.
        latency: milliseconds between the engine's own time and the referee's.
        overrun: milliseconds beyond limits, of the games lost on time.
    """

    def __init__(self, plan: "Plan") -> None:
        self._plan = plan
        self._coefficient = plan.evaluator.score_coefficient if plan.evaluator else None
        self.reset()

    def reset(self) -> None:
        """Forget all blocks, to count from the start."""
        plan = self._plan
        self.games = self.blocks = 0
        num_seats = plan.game.num_seats
        self.contestants = [Counts(num_seats) for _ in plan.contestants]
        self.pairs = PairTable([contestant.label for contestant in plan.contestants])
        self._tables = TableSums() if num_seats > 2 else None
        self.seats = [Moments() for _ in range(num_seats)]
        self.lag, self.latency, self.overrun = Scale(), Scale(), Scale()

    def take(self, block: Block, results: list[GameResult]) -> None:
        """Count a block; its results are those of all its games."""
        self.blocks += 1
        placings = []
        for result in results:
            self._take_game(result)
            placings.append(list(zip(result.job.seats, places(result.returns), strict=True)))
        self.pairs.add_block(placings)
        if self._tables is not None:
            self._tables.add_block(placings)
        for seat, moments in enumerate(self.seats):
            moments.add(sum(seat_points(r.returns, seat) for r in results) / len(results))
        for contestant in dict.fromkeys(block.lineup):
            self.contestants[contestant].add_block(results, contestant, self._coefficient)

    def _take_game(self, result: GameResult) -> None:
        self.games += 1
        for seat, contestant in enumerate(result.job.seats):
            self.contestants[contestant].add(result, seat)
        fault = result.fault
        if fault is not None and fault.kind == Termination.TIME and fault.overrun_ms is not None:
            self.overrun.add(fault.overrun_ms)
        decisions = result.decisions
        self.lag.extend([decision.lag_ms for decision in decisions])
        self.latency.extend(
            [d.time_ms - d.reported_ms for d in decisions if d.reported_ms is not None]
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of the `standings` event, best first; ratings are fitted for it."""
        ratings = self._ratings()
        rows = [
            self._row(contestant, rating, error)
            for contestant, (rating, error) in enumerate(ratings)
        ]
        return sorted(rows, key=_rank)

    def _ratings(self) -> list[tuple[float | None, float | None]]:
        """Return rating and half-width of its 95 % interval of each contestant, in Elo."""
        if not self.blocks:
            return [(None, None)] * len(self.contestants)
        from bench.statistics.ratings import rate

        pool = rate(self.pairs, replicates=0, tables=self._tables)
        return [(r.elo, r.error) for r in pool.ratings]

    def _row(self, contestant: int, rating: float | None, error: float | None) -> dict[str, Any]:
        numbers = self.contestants[contestant]
        return {
            "contestant": contestant,
            "label": self._plan.contestants[contestant].label,
            "rating": _rounded(rating),
            "error": _rounded(error),
            "score": _rounded(numbers.score.mean),
            "score_error": _rounded(numbers.score.error),
            "margin": _rounded(numbers.margin.mean),
            "margin_error": _rounded(numbers.margin.error),
            "points": numbers.points,
            "games": numbers.games,
            "blocks": numbers.score.count,
            "wins": numbers.wins,
            "draws": numbers.draws,
            "losses": numbers.losses,
            "terminations": dict(sorted(numbers.terminations.items())),
            "replaced": numbers.replaced,
            "strikes": numbers.strikes,
            "seats": [{"games": m.count, "score": _rounded(m.mean)} for m in numbers.seats],
        }

    def adjusted(self) -> dict[str, Any] | None:
        """Return scores and margins less luck beside the raw ones; None where none was measured."""
        if self._plan.evaluator is None:
            return None
        rows = [
            {
                "contestant": contestant,
                "label": self._plan.contestants[contestant].label,
                "blocks": numbers.luck.adjusted[0].count,
                "score": _rounded(numbers.score.mean),
                "score_error": _rounded(numbers.score.error),
                "adjusted_score": _rounded(numbers.luck.adjusted[0].mean),
                "adjusted_score_error": _rounded(numbers.luck.adjusted[0].error),
                "margin": _rounded(numbers.margin.mean),
                "margin_error": _rounded(numbers.margin.error),
                "adjusted_margin": _rounded(numbers.luck.adjusted[1].mean),
                "adjusted_margin_error": _rounded(numbers.luck.adjusted[1].error),
            }
            for contestant, numbers in enumerate(self.contestants)
        ]
        return {"evaluator": self._plan.evaluator.hash, "rows": rows}

    def seat_rows(self) -> list[dict[str, Any]]:
        """Return share of the points and its error for each seat, whoever sat there."""
        return [
            {"seat": seat, "score": _rounded(m.mean), "score_error": _rounded(m.error)}
            for seat, m in enumerate(self.seats)
        ]

    def clock_numbers(self) -> dict[str, Any]:
        """Return how late the referee was, and what engines and referee disagree on."""
        return {
            "lag_p99_ms": _rounded(self.lag.quantile(0.99)),
            "latency_ms": _rounded(self.latency.quantile(0.5)),
            "overruns": self.overrun.count,
            "overrun_max_ms": _rounded(self.overrun.greatest) if self.overrun.count else None,
        }


def _rounded(value: float | None) -> float | None:
    """Return a number with six digits behind the point, as many as anybody can use."""
    return None if value is None else round(value, 6)


def _rank(row: dict[str, Any]) -> tuple[bool, float, float, int]:
    rating, score = row["rating"], row["score"]
    return (rating is None, -(rating or 0.0), -(score or 0.0), row["contestant"])


__all__ = ["Standings"]
