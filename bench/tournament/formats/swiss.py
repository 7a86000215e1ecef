"""The Swiss system: in each round neighbours in the standings meet."""

from typing import Any

from bench.referee.block import Block
from bench.referee.game_result import GameResult
from bench.tournament.formats import BLOCKS, BadFormat, Terms
from bench.tournament.pairing import pair_up


class Format:
    """Rounds of pairs that are about equally strong so far; nobody meets again while avoidable.

    A round won, by more than half of the games' points, is a point, a tied one half a point. Ties
    in the ranking are broken by the games' points, then by the order of the engines. With an odd
    number the last of the ranking with the fewest byes has a bye: a point, and half of the games'
    points. A round's pairs all play the same deals, block by block in turns, and the next round is
    paired when all are done.
    """

    uses = ("blocks", "rounds")

    def __init__(self, terms: Terms) -> None:
        if terms.seats != 2:
            raise BadFormat(f"a swiss tournament has pairs, the game has {terms.seats} seats")
        self._labels = terms.labels
        count = len(terms.labels)
        self._blocks = BLOCKS if terms.blocks is None else terms.blocks
        # As many as a knockout needs to find the best, and one more to order the others.
        self._rounds = terms.rounds or (count - 1).bit_length() + (count > 2)
        self._points, self._shares = [0.0] * count, [0.0] * count
        # The place behind the last contestant is the opponent of who is bye.
        self._met: dict[tuple[int, int], int] = {}
        self._pairs: list[list[tuple[int, int]]] = []
        self._bye: int | None = None
        self._scores: list[list[float]] = []
        self._taken = 0
        self._begin_round()

    @property
    def planned(self) -> int:
        """How many blocks all rounds have."""
        return self._rounds * self._round_size

    @property
    def _round_size(self) -> int:
        return len(self._labels) // 2 * self._blocks

    def block(self, number: int) -> Block | None:
        """Return a block by its number; None if its round is not paired yet."""
        if not 0 <= number < self.planned:
            raise IndexError(number)
        round, inside = divmod(number, self._round_size)
        if round >= len(self._pairs):
            return None
        turn, pair = divmod(inside, len(self._pairs[round]))
        return Block(number, self._pairs[round][pair], round * self._blocks + turn, round)

    def take(self, block: Block, results: list[GameResult]) -> None:
        """Take the results of a block; the last one of a round has the next round paired."""
        scores = self._scores[self._pairs[-1].index((block.lineup[0], block.lineup[1]))]
        for place, contestant in enumerate(block.lineup):
            scores[place] += sum(result.points(contestant) for result in results)
        self._taken += 1
        if self._taken % self._round_size == 0:
            self._end_round(len(results) * self._blocks)
            if self._taken < self.planned:
                self._begin_round()

    def describe(self) -> dict[str, Any]:
        """Return name and settings."""
        return {"name": "swiss", "blocks": self._blocks, "rounds": self._rounds}

    def standing_notes(self) -> list[str]:
        """Return which round it is, the points of the rounds before, and who has a bye."""
        ranked = ", ".join(f"{self._labels[c]} {self._points[c]:g}" for c in self._ranking())
        if self._taken == self.planned:
            return [f"all {self._rounds} rounds are over; points of the rounds: {ranked}"]
        round = len(self._pairs)
        notes = [f"round {round} of {self._rounds}; points of the rounds before: {ranked}"]
        if self._bye is not None:
            notes.append(f"bye in this round, for a full point: {self._labels[self._bye]}")
        return notes

    def _ranking(self) -> list[int]:
        contestants = range(len(self._labels))
        return sorted(contestants, key=lambda c: (-self._points[c], -self._shares[c], c))

    def _begin_round(self) -> None:
        nobody = len(self._labels)
        odd = nobody % 2 == 1
        drawn = pair_up(self._ranking(), self._meetings, nobody if odd else None)
        pairs = [(min(pair), max(pair)) for pair in drawn]
        for pair in pairs:
            self._met[pair] = self._met.get(pair, 0) + 1
        self._bye = pairs.pop(0)[0] if odd else None
        self._pairs.append(pairs)
        self._scores = [[0.0, 0.0] for _ in pairs]

    def _meetings(self, one: int, other: int) -> int:
        return self._met.get((min(one, other), max(one, other)), 0)

    def _end_round(self, games: int) -> None:
        """Count a round whose pairs have played so many games each."""
        for pair, scores in zip(self._pairs[-1], self._scores, strict=True):
            for contestant, own, other in zip(pair, scores, reversed(scores), strict=True):
                self._points[contestant] += 0.5 if own == other else float(own > other)
                self._shares[contestant] += own
        if self._bye is not None:
            self._points[self._bye] += 1.0
            self._shares[self._bye] += games / 2
