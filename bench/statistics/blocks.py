"""Finished games put together to whole blocks, and the blocks handed out in schedule order.

Games that run at the same time end in any order, the quick ones first. Statistics that took them as
they come would be biased towards what is quick, so a block waits until all before it are done.
"""

from typing import Generic, TypeVar

Result = TypeVar("Result")


class BlockBook(Generic[Result]):
    """The games of blocks under way; memory grows with blocks that wait and void blocks only.

    Blocks and the games of a block are numbered from 0. A block with a game that does not count (a
    fault of the manager, say) is void: it is passed over, its other games count in no statistics.

    `complete` and `void` are numbers of blocks; `counted_games` is the number of games in complete
    blocks, `other_games` that of finished games in void and in incomplete blocks.
    """

    def __init__(self, games: int, first: int = 0) -> None:
        if games < 1:
            raise ValueError(f"a block has one game or more, not {games}")
        self.games, self.next = games, first
        self.complete = self.void = 0
        self._open: dict[int, dict[int, Result]] = {}
        self._void: set[int] = set()
        self._lost_games = 0

    @property
    def counted_games(self) -> int:
        """Games in complete blocks."""
        return self.complete * self.games

    @property
    def other_games(self) -> int:
        """Finished games that count in no block: in void blocks, and in blocks not yet complete."""
        unfinished = (len(g) for g in self._open.values() if len(g) < self.games)
        return self._lost_games + sum(unfinished)

    @property
    def waiting(self) -> int:
        """Complete blocks that wait for an earlier one."""
        return sum(len(games) == self.games for games in self._open.values())

    def add(self, block: int, game: int, result: Result) -> list[tuple[Result, ...]]:
        """Take the result of a game; return the blocks that are now due, in schedule order.

        Each is the tuple of its results by number of the game. ValueError for a game that was
        added before or that no block has.
        """
        if not 0 <= game < self.games:
            raise ValueError(f"blocks have games 0 to {self.games - 1}, not {game}")
        if block in self._void:
            self._lost_games += 1
            return []
        if block < self.next or game in self._open.get(block, ()):
            raise ValueError(f"game {game} of block {block} is there already")
        games = self._open.setdefault(block, {})
        games[game] = result
        self.complete += len(games) == self.games
        return self._due()

    def drop(self, block: int) -> list[tuple[Result, ...]]:
        """Make a block void that is not complete; return the blocks that are now due."""
        if block in self._void:
            return []
        if block < self.next or len(self._open.get(block, ())) == self.games:
            raise ValueError(f"block {block} is complete")
        self._lost_games += len(self._open.pop(block, ()))
        self._void.add(block)
        self.void += 1
        return self._due()

    def _due(self) -> list[tuple[Result, ...]]:
        due: list[tuple[Result, ...]] = []
        while True:
            if self.next not in self._void:
                games = self._open.get(self.next)
                if games is None or len(games) < self.games:
                    return due
                del self._open[self.next]
                due.append(tuple(games[number] for number in range(self.games)))
            self.next += 1
