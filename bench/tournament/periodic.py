"""Schedules that play the same line-ups over and over: no results are needed to know them."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from bench.referee.block import Block
from bench.referee.game_result import GameResult


class Periodic:
    """A schedule whose block numbers alone say who sits down, in constant time and memory.

    Attributes:
        planned: how many blocks there are.
    """

    uses: tuple[str, ...] = ("blocks",)

    def __init__(
        self,
        name: str,
        lineups: Sequence[tuple[int, ...]],
        planned: int,
        per_deal: int,
        **described: Any,
    ) -> None:
        """Take the line-ups of a cycle, and how many blocks one after another share a deal."""
        self.planned, self._lineups, self._per_deal = planned, lineups, per_deal
        self._described = {"name": name, **described}

    def block(self, number: int) -> Block:
        """Return a block by its number. Raises IndexError behind the last one."""
        if not 0 <= number < self.planned:
            raise IndexError(number)
        deal = number // self._per_deal
        return Block(number, self._lineups[number % len(self._lineups)], deal, deal)

    def take(self, block: Block, results: list[GameResult]) -> None:
        """Take the results of a block; nothing depends on them."""

    def describe(self) -> dict[str, Any]:
        """Return name and settings."""
        return self._described

    def standing_notes(self) -> list[str]:
        """Return no lines: there are no stages."""
        return []

    def meetings(self) -> dict[tuple[int, int], int]:
        """Return for each pair of contestants at how many blocks of the run they meet."""
        cycles, rest = divmod(self.planned, len(self._lineups))
        counts: dict[tuple[int, int], int] = {}
        for place, lineup in enumerate(self._lineups):
            blocks = cycles + (place < rest)
            for pair in combinations(sorted(lineup), 2):
                counts[pair] = counts.get(pair, 0) + blocks
        return {pair: blocks for pair, blocks in counts.items() if blocks}


__all__ = ["Periodic"]
