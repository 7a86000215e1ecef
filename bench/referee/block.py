"""Blocks: the unit of every tournament and of all statistics.

A block is one deal, played once in each of its seatings: for two seats both ways round, for more
seats every cyclic shift of the line-up or every permutation of it. Its games share their luck, so
only whole blocks are counted.
"""

from itertools import permutations

from engine.game import State

CYCLIC, ALL = "cyclic", "all"
ROTATIONS = (CYCLIC, ALL)


class Block:
    """One block of a schedule.

    Attributes:
        number: its place in the schedule, from 0.
        lineup: the contestants that sit at the table, by their place in the list of the run.
        deal: which deal of the run it plays, from 0; other blocks may play the same.
        round: the round of the tournament that it belongs to, from 0.
    """

    __slots__ = ("deal", "lineup", "number", "round")

    def __init__(self, number: int, lineup: tuple[int, ...], deal: int, round: int = 0) -> None:
        self.number, self.lineup, self.deal, self.round = number, lineup, deal, round

    def __repr__(self) -> str:
        return f"Block({self.number}, {self.lineup}, deal={self.deal}, round={self.round})"


def seatings(lineup: tuple[int, ...], rotation: str = CYCLIC) -> list[tuple[int, ...]]:
    """Return the contestant on each seat for every game of a block, in playing order.

    >>> seatings((4, 7, 9))
    [(4, 7, 9), (9, 4, 7), (7, 9, 4)]
    >>> len(seatings((4, 7, 9), ALL))
    6
    """
    if rotation == ALL:
        return list(permutations(lineup))
    return [lineup[-shift:] + lineup[:-shift] for shift in range(len(lineup))]


class Job:
    """What makes one game: who sits where, its deal, and what it starts from.

    Attributes:
        block: its block.
        rotation: which seating of the block, from 0.
        seats: the contestant on each seat.
        number: its number in the run, from 0: block by block, seating by seating.
        deal: the seed of its luck, alike in all games of the block.
        opening, opening_text: the full state it starts from, if not the empty table.
    """

    __slots__ = ("block", "deal", "number", "opening", "opening_text", "rotation", "seats")

    def __init__(
        self,
        block: Block,
        rotation: int,
        seats: tuple[int, ...],
        number: int,
        deal: int,
        opening: State | None = None,
        opening_text: str | None = None,
    ) -> None:
        self.block, self.rotation, self.seats, self.number = block, rotation, seats, number
        self.deal, self.opening, self.opening_text = deal, opening, opening_text

    def __str__(self) -> str:
        return f"game {self.rotation + 1} of block {self.block.number + 1}"


__all__ = ["ALL", "CYCLIC", "ROTATIONS", "Block", "Job", "seatings"]
