"""The knockout: who loses a tie is out."""

from typing import Any

from bench.referee.block import Block
from bench.referee.game_result import GameResult
from bench.tournament.formats import BLOCKS, BadFormat, Terms

EXTRA_BLOCKS = 16
"""A tie that is level after so many blocks beyond its own goes to the earlier seed."""


class Tie:
    """Two contestants of whom one goes on. Attributes: their numbers, and points of their games."""

    __slots__ = ("pair", "points")

    def __init__(self, pair: tuple[int, int]) -> None:
        self.pair, self.points = pair, [0.0, 0.0]

    @property
    def is_level(self) -> bool:
        """True if both have as many points."""
        return self.points[0] == self.points[1]

    @property
    def winner(self) -> int:
        """Who goes on; the first, which is the earlier seed, of a tie that is level."""
        return self.pair[self.points[1] > self.points[0]]


class Stage:
    """Blocks that are known at one time: some ties, block by block in turns."""

    __slots__ = ("blocks", "deal", "first", "round", "ties")

    def __init__(self, first: int, ties: list[Tie], blocks: int, deal: int, round: int) -> None:
        self.first, self.ties, self.blocks, self.deal, self.round = first, ties, blocks, deal, round

    @property
    def end(self) -> int:
        """The number behind its last block."""
        return self.first + len(self.ties) * self.blocks

    def block(self, number: int) -> Block:
        """Return one of its blocks."""
        turn, tie = divmod(number - self.first, len(self.ties))
        return Block(number, self.ties[tie].pair, self.deal + turn, self.round)


class Format:
    """A bracket by the order of the engines; the first have a bye where places are left.

    The first two can meet in the last round only. Ties of a round play the same deals, block by
    block in turns. A tie that is level then plays further blocks, one at a time, up to
    EXTRA_BLOCKS; if it still is, the earlier engine of the list goes on.
    """

    uses = ("blocks",)

    def __init__(self, terms: Terms) -> None:
        if terms.seats != 2:
            raise BadFormat(f"a knockout has pairs, the game has {terms.seats} seats")
        self._labels = terms.labels
        self._blocks = BLOCKS if terms.blocks is None else terms.blocks
        count = len(terms.labels)
        self._rounds = (count - 1).bit_length()
        self._stages: list[Stage] = []
        self._ties: list[Tie] = []
        self._extra = self._taken = 0
        self._decisions: list[str] = []
        self._champion: int | None = None
        places: list[int | None] = [seed if seed < count else None for seed in seeding(count)]
        self._begin_round(0, places)

    @property
    def planned(self) -> int:
        """How many blocks there will be if no further tie is level."""
        later = (1 << (self._rounds - self._stages[-1].round - 1)) - 1
        return self._stages[-1].end + later * self._blocks

    def block(self, number: int) -> Block | None:
        """Return a block by its number; None if it depends on ties that are not over."""
        if number >= self._stages[-1].end:
            if self._champion is None:
                return None
            raise IndexError(number)
        for stage in reversed(self._stages):
            if number >= stage.first >= 0:
                return stage.block(number)
        raise IndexError(number)

    def take(self, block: Block, results: list[GameResult]) -> None:
        """Take the results of a block; the last one of a stage makes the next one known."""
        tie = next(tie for tie in self._ties if tie.pair == block.lineup)
        for place, contestant in enumerate(tie.pair):
            tie.points[place] += sum(result.points(contestant) for result in results)
        self._taken += 1
        if self._taken == self._stages[-1].end:
            self._go_on()

    def describe(self) -> dict[str, Any]:
        """Return name and settings."""
        return {"name": "knockout", "blocks": self._blocks, "extra_blocks": EXTRA_BLOCKS}

    def standing_notes(self) -> list[str]:
        """Return the ties so far, how level ones were decided, and who has won."""
        notes = list(self._decisions)
        if self._champion is not None:
            return [*notes, f"winner of the knockout: {self._labels[self._champion]}"]
        notes.extend(self._told(tie, "under way") for tie in self._ties if len(set(tie.pair)) == 2)
        return notes

    def _begin_round(self, round: int, places: list[int | None]) -> None:
        """Let neighbours of the bracket meet; None is an empty place."""
        self._extra, self._ties = 0, []
        for one, other in zip(places[::2], places[1::2], strict=True):
            known = sorted(seed for seed in (one, other) if seed is not None)
            # Who has no opponent has a tie with itself, of which it is the winner.
            self._ties.append(Tie((known[0], known[-1])))
        self._add_stage([tie for tie in self._ties if tie.pair[0] != tie.pair[1]], round)

    def _add_stage(self, ties: list[Tie], round: int) -> None:
        last = self._stages[-1] if self._stages else None
        first, deal = (0, 0) if last is None else (last.end, last.deal + last.blocks)
        self._stages.append(Stage(first, ties, 1 if self._extra else self._blocks, deal, round))

    def _go_on(self) -> None:
        """Give level ties another block, or have the winners meet."""
        round = self._stages[-1].round
        level = [tie for tie in self._stages[-1].ties if tie.is_level]
        if level and self._extra < EXTRA_BLOCKS:
            self._extra += 1
            self._add_stage(level, round)
            return
        for tie in self._ties:
            if tie.pair[0] == tie.pair[1]:
                self._decisions.append(f"round {round + 1}: {self._labels[tie.pair[0]]} has a bye")
                continue
            how = f"{self._labels[tie.winner]} goes on"
            if tie.is_level:
                how += f" as the earlier seed, level after {EXTRA_BLOCKS} further blocks"
            self._decisions.append(self._told(tie, how))
        winners: list[int | None] = [tie.winner for tie in self._ties]
        if len(winners) == 1:
            self._champion = winners[0]
        else:
            self._begin_round(round + 1, winners)

    def _told(self, tie: Tie, how: str) -> str:
        one, other = (self._labels[seed] for seed in tie.pair)
        points = f"{tie.points[0]:g} : {tie.points[1]:g}"
        return f"round {self._stages[-1].round + 1}: {one} - {other} {points}, {how}"


def seeding(count: int) -> list[int]:
    """Return the seeds of a bracket from top to bottom, for at least so many contestants.

    >>> seeding(5)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    seeds = [0]
    while len(seeds) < count:
        size = 2 * len(seeds)
        seeds = [place for seed in seeds for place in (seed, size - 1 - seed)]
    return seeds
