"""How often which block score occurred between each two contestants of a pool."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

Placing = tuple[int, int]
"""A contestant and its place in one game: 1 is best, the same place is a tie."""


def block_pair_scores(games: Iterable[Sequence[Placing]]) -> dict[tuple[int, int], Fraction]:
    """Return the block score of each two contestants, from the placings of all games of a block.

    The score of i against j is the mean over the games in which both sat: 1 where i came before j,
    1/2 for a tie. Keys are (i, j) with i < j, ascending. A contestant in two seats of a game meets
    the others twice there and itself not at all.
    """
    halves: dict[tuple[int, int], list[int]] = {}
    for game in games:
        for index, (one, place) in enumerate(game):
            for other, other_place in game[index + 1 :]:
                if one == other:
                    continue
                half = 1 + (place < other_place) - (place > other_place)
                entry = halves.setdefault((min(one, other), max(one, other)), [0, 0])
                entry[0] += half if one < other else 2 - half
                entry[1] += 2
    return {pair: Fraction(*halves[pair]) for pair in sorted(halves)}


class TableSums:
    """How the scores of the pairs of a table go together, over blocks; for three seats and more.

    Who beats one often beats the others of the table, too, so scores of its pairs are not
    independent. Memory is that of the line-ups.

    `sums` has for each set of pairs that met in a block: the number of blocks, the sum of the
    scores of each pair, and the sums of the products of each two of them.
    """

    def __init__(self) -> None:
        self.sums: dict[
            tuple[tuple[int, int], ...], tuple[int, list[float], list[list[float]]]
        ] = {}

    def add_block(self, games: Iterable[Sequence[Placing]]) -> None:
        """Count a complete block by the placings of all its games."""
        found = block_pair_scores(games)
        scores = [float(score) for score in found.values()]
        zeros = [0.0] * len(scores)
        number, total, products = self.sums.get(tuple(found), (0, zeros, [zeros] * len(scores)))
        total = [old + new for old, new in zip(total, scores, strict=True)]
        products = [
            [old + own * other for old, other in zip(row, scores, strict=True)]
            for row, own in zip(products, scores, strict=True)
        ]
        self.sums[tuple(found)] = number + 1, total, products


class PairTable:
    """Counts of block scores for each two of the named contestants; memory is that of the counts.

    Contestants are numbered in the order of `names`. Scores are exact fractions from 0 to 1.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        if len(set(self.names)) < len(self.names):
            raise ValueError(f"names of contestants differ, unlike those of {self.names}")
        self._counts: dict[tuple[int, int], dict[Fraction, int]] = {}

    def add(self, one: int, other: int, score: Fraction, blocks: int = 1) -> None:
        """Count blocks in which `one` had a score against `other`."""
        size = len(self.names)
        if not (0 <= one < size and 0 <= other < size) or one == other:
            raise ValueError(f"no two of the {size} contestants: {one} and {other}")
        if not 0 <= score <= 1 or blocks < 0:
            raise ValueError(f"no block score with a count: {score}, {blocks}")
        if one > other:
            one, other, score = other, one, 1 - score
        entry = self._counts.setdefault((one, other), {})
        score = Fraction(score)
        entry[score] = entry.get(score, 0) + blocks

    def add_block(self, games: Iterable[Sequence[Placing]]) -> None:
        """Count a complete block by the placings of all its games, for each two who met."""
        for (one, other), score in block_pair_scores(games).items():
            self.add(one, other, score)

    def items(self) -> Iterator[tuple[int, int, dict[Fraction, int]]]:
        """Yield (i, j, counts by score of i) for all who met, i < j, all in ascending order."""
        for one, other in sorted(self._counts):
            counts = self._counts[one, other]
            yield one, other, {score: counts[score] for score in sorted(counts)}

    def counts(self, one: int, other: int) -> dict[Fraction, int]:
        """Return how often `one` had which block score against `other`; empty if they never met."""
        found = self._counts.get((min(one, other), max(one, other)), {})
        scores = {score if one < other else 1 - score: n for score, n in found.items()}
        return {score: scores[score] for score in sorted(scores)}

    def blocks(self, one: int, other: int) -> int:
        """Return the number of blocks in which both sat."""
        return sum(self.counts(one, other).values())

    def points(self, one: int, other: int) -> Fraction:
        """Return the sum of the block scores of `one` against `other`."""
        return sum((s * n for s, n in self.counts(one, other).items()), start=Fraction(0))

    def score(self, one: int, other: int) -> float | None:
        """Return the mean block score of `one` against `other`; None if they never met."""
        blocks = self.blocks(one, other)
        return float(self.points(one, other) / blocks) if blocks else None
