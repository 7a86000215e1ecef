"""Counts of a pool of contestants, block by block: all that reports of ratings tell."""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from bench.counts import Counts
from bench.referee.block import Block
from bench.referee.game_result import (
    Decision,
    GameResult,
    places,
    seat_points,
)
from bench.statistics.pairs import PairTable, Placing, TableSums
from bench.statistics.running import Bars, Moments, Scale, Series

Games = tuple[tuple[Placing, ...], ...]


class ContestantTally(Counts):
    """What one contestant did, with what plots and tables of times need."""

    def __init__(self, num_seats: int) -> None:
        super().__init__(num_seats)
        self.places = [0] * num_seats
        self.margins, self.scores = Bars(), Series()
        self.nodes = Moments()
        self.time, self.latency = Scale(), Scale()

    def decide(self, decisions: Sequence[Decision]) -> None:
        """Count its decisions of a game."""
        self.time.extend([d.time_ms for d in decisions])
        self.nodes.extend([d.nodes for d in decisions if d.nodes is not None])
        late = [d.time_ms - d.reported_ms for d in decisions if d.reported_ms is not None]
        self.latency.extend([ms if ms > 0.0 else 0.0 for ms in late])


class Tally:
    """Counts whole blocks of a pool; memory depends on the number of contestants only.

    For tables of more than two seats four bytes a block come to that: which of the outcomes that
    have occurred it had.

    `coefficient` is the score that a point of luck is worth, if luck is measured; `test` a
    sequential test under way that is fed with the blocks, or None.
    """

    def __init__(
        self,
        labels: Sequence[str],
        num_seats: int,
        coefficient: float | None = None,
        test: Any = None,
    ) -> None:
        self.labels, self.num_seats = list(labels), num_seats
        self.coefficient = coefficient
        self.pairs = PairTable(self.labels)
        self.tables = TableSums() if num_seats > 2 else None
        self._outcomes: dict[Games, int] = {}
        self._outcome_of = array("L")
        self.contestants = [ContestantTally(num_seats) for _ in labels]
        self.blocks, self.games = 0, 0
        self.seats = [Moments() for _ in range(num_seats)]
        self.seat_margins = [Moments() for _ in range(num_seats)]
        self.terminations: Counter[str] = Counter()
        self.plies, self.tallies = Moments(), dict[str, Moments]()
        self.lag = Scale()
        self.test, self.llr = test, Series()

    def take(
        self, block: Block, results: Sequence[GameResult], who: Sequence[int] | None = None
    ) -> None:
        """Count a block by the results of all its games.

        `who` tells which contestant of the pool each one of the run is; None if they are the same.
        """
        names = range(len(self.labels)) if who is None else who
        self.blocks += 1
        placings = tuple(
            tuple(
                (names[contestant], place)
                for contestant, place in zip(r.job.seats, places(r.returns), strict=True)
            )
            for r in results
        )
        self.pairs.add_block(placings)
        if self.tables is not None:
            self.tables.add_block(placings)
            self._outcome_of.append(self._outcomes.setdefault(placings, len(self._outcomes)))
        for contestant in dict.fromkeys(block.lineup):
            own = self.contestants[names[contestant]]
            own.add_block(results, contestant, self.coefficient)
            own.scores.add(own.score.count, own.score.total_mean)
        for seat in range(self.num_seats):
            shares = [seat_points(r.returns, seat) for r in results]
            self.seats[seat].add(sum(shares) / len(shares))
        for result in results:
            self._take_game(result, names)
        if self.test is not None:
            self.test.take(block, list(results))
            if self.llr.wants(self.blocks):
                self.llr.add(self.blocks, self.test.to_json()["llr"])

    def placings(self) -> Iterator[Games]:
        """Yield the (contestant, place) of all seats in all games, block by block.

        Only for tables of more than two seats; for others `pairs` has all there is to know.
        """
        outcomes = list(self._outcomes)
        for outcome in self._outcome_of:
            yield outcomes[outcome]

    def _take_game(self, result: GameResult, names: Sequence[int]) -> None:
        self.games += 1
        self.terminations[str(result.termination)] += 1
        seated = [self.contestants[names[contestant]] for contestant in result.job.seats]
        for seat, (own, place) in enumerate(zip(seated, places(result.returns), strict=True)):
            own.add(result, seat)
            own.places[place - 1] += 1
        if result.is_by_rules:
            for seat, own in enumerate(seated):
                own.margins.add(result.margins[seat])
                self.seat_margins[seat].add(result.margins[seat])
            self.plies.add(float(result.plies))
            for name, count in result.tallies.items():
                self.tallies.setdefault(name, Moments()).add(float(count))
        self._take_times(result, seated)

    def _take_times(self, result: GameResult, seated: list[ContestantTally]) -> None:
        if not any(decision.time_ms for decision in result.decisions):
            return  # a record in its canonical form has no times
        self.lag.extend([decision.lag_ms for decision in result.decisions])
        of_seat: list[list[Decision]] = [[] for _ in seated]
        for decision, seat in zip(result.decisions, decider_seats(result), strict=False):
            of_seat[seat].append(decision)
        for own, decisions in zip(seated, of_seat, strict=True):
            own.decide(decisions)


def decider_seats(result: GameResult) -> list[int]:
    """Return the seat that made each decision of a game, from 0, in order."""
    seats = [
        int(token[1]) - 1
        for token in result.events.split()
        if token[0] == "p" and token[2:3] == ":"
    ]
    if result.fault is not None and len(result.decisions) > len(seats):
        seats.append(result.fault.seat)
    return seats


__all__ = ["ContestantTally", "Tally", "decider_seats"]
