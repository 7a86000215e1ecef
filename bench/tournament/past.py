"""The games that a journal holds already, in the order of the schedule and in little memory."""

import asyncio
from typing import Protocol

from bench.plan import Plan
from bench.records.fields import check_game
from bench.records.head import Head, journal_head
from bench.records.lines import BadRecord
from bench.referee.block import Block, Job
from bench.referee.game_result import GameResult, result_from_line
from bench.tournament.counting import Counting
from bench.tournament.journal import BadJournal, Journal

# Lines that are read before others get their turn.
_LINES = 200


class Watcher(Protocol):
    """Looks at each game."""

    def take(self, result: GameResult) -> None:
        """Take a game."""


class Past:
    """Finds the results of blocks in a journal; without one there are none.

    Games lie in a journal in the order in which they ended. Of those that are ahead of the blocks
    that can be counted, only the places in the file are kept.
    """

    def __init__(self, plan: Plan, journal: Journal | None) -> None:
        self._plan, self._journal = plan, journal
        self._head: Head | None = None
        if journal is not None:
            head = journal_head(plan, plan.make_schedule().describe())
            self._head = Head(head, f"{journal.path}, line 1")
        self._ahead: dict[int, dict[int, list[int]]] = {}

    @property
    def games_ahead(self) -> int:
        """Games of blocks that were not taken from here yet."""
        return sum(len(games) for games in self._ahead.values())

    async def recount(self, counting: Counting, watcher: Watcher | None = None) -> None:
        """Feed all blocks that can be counted, and remember where the other games are.

        Games that do not fit the schedule (it may have changed as games were played again) are
        passed over. A watcher gets each counted game.
        """
        self._ahead.clear()
        if self._journal is None:
            return
        for index, line in enumerate(self._journal.games()):
            if index % _LINES == 0:
                await asyncio.sleep(0)
            if line.block < counting.next:
                continue
            games = self._ahead.setdefault(line.block, {})
            games.setdefault(line.rotation, []).append(line.offset)
            while self._count_next(counting, watcher):
                pass

    def _count_next(self, counting: Counting, watcher: Watcher | None) -> bool:
        games = self._ahead.get(counting.next, {})
        if len(games) < self._plan.games_per_block or counting.decision is not None:
            return False
        try:
            block = counting.schedule.block(counting.next)
        except IndexError:
            block = None
        if block is None:
            return False
        results = self._results(block)
        if len(results) < self._plan.games_per_block:
            return False
        del self._ahead[block.number]
        ordered = [results[rotation] for rotation in range(len(results))]
        counting.take(block, ordered)
        if watcher is not None:
            for result in ordered:
                watcher.take(result)
        return True

    def take(self, block: Block) -> dict[int, GameResult]:
        """Return the games of a block by their rotation, and forget them."""
        results = self._results(block)
        self._ahead.pop(block.number, None)
        return results

    def _results(self, block: Block) -> dict[int, GameResult]:
        """Return the first fitting result of each game of a block; forget those that do not fit."""
        games = self._ahead.get(block.number)
        if games is None:
            return {}
        results = {}
        for job in self._plan.jobs(block):
            offsets = games.get(job.rotation, [])
            while offsets:
                result = self._read(offsets[0], job)
                if result is not None:
                    results[job.rotation] = result
                    break
                offsets.pop(0)
            else:
                games.pop(job.rotation, None)
        return results

    def _read(self, offset: int, job: Job) -> GameResult | None:
        assert self._journal is not None and self._head is not None
        line = self._journal.read(offset)
        try:
            check_game(line, self._head, f"{self._journal.path}, byte {offset}")
        except BadRecord as error:
            raise BadJournal(str(error)) from None
        if line["seats"] != list(job.seats) or line["deal"] != job.deal:
            return None
        result = result_from_line(line, job)
        return None if result.is_void else result

    async def games_of(self, worker: str) -> list[int]:
        """Return the numbers, from 1, of all games that a worker has played."""
        assert self._journal is not None
        numbers = []
        for index, line in enumerate(self._journal.games()):
            if index % _LINES == 0:
                await asyncio.sleep(0)
            times = self._journal.read(line.offset).get("times", {})
            if times.get("worker") == worker:
                numbers.append(line.number)
        return numbers


__all__ = ["Past", "Watcher"]
