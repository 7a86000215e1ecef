"""What is made of whole blocks, in the order of the schedule; all of it can begin anew."""

from collections.abc import Sequence
from typing import Protocol

from bench.plan import Plan, Schedule
from bench.referee.block import Block
from bench.referee.game_result import GameResult
from bench.tournament.sequential import SequentialRun
from bench.tournament.standings import Standings


class Taker(Protocol):
    """Somebody who takes counted blocks, such as the writer of a record."""

    def take(self, block: Block, results: list[GameResult]) -> None:
        """Take the next block of the schedule, with the results of all its games."""

    def reset(self) -> None:
        """Forget all blocks: they come again from the first one."""


class Counting:
    """Hands each counted block to schedule, standings, sequential test and takers.

    Attributes:
        next: how many blocks are counted; the number of the next one.
        games: games in them.
        schedule, standings: as these blocks make them.
        test: the sequential test under way, or None.
    """

    def __init__(self, plan: Plan, takers: Sequence[Taker]) -> None:
        self._plan, self._takers = plan, takers
        self.standings = Standings(plan)
        self.next = self.games = 0
        self.schedule: Schedule = plan.make_schedule()
        self.test: SequentialRun | None = None if plan.test is None else plan.test.start()

    def reset(self) -> None:
        """Begin before the first block."""
        if self.next == 0:
            return
        self.next = self.games = 0
        self.schedule = self._plan.make_schedule()
        self.test = None if self._plan.test is None else self._plan.test.start()
        self.standings.reset()
        for taker in self._takers:
            taker.reset()

    @property
    def decision(self) -> str | None:
        """What the test has decided; no block counts after that."""
        return None if self.test is None else self.test.decision

    def take(self, block: Block, results: list[GameResult]) -> None:
        """Count the next block."""
        self.next += 1
        self.games += len(results)
        self.schedule.take(block, results)
        self.standings.take(block, results)
        if self.test is not None:
            self.test.take(block, results)
        for taker in self._takers:
            taker.take(block, results)


__all__ = ["Counting", "Taker"]
