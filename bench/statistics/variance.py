"""By what factor pairing, and luck adjustment, cut the variance of a match: fewer games needed."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bench.statistics.basics import NORMAL_95, deviation


class Factor(NamedTuple):
    """A ratio of variances, before over after, with its 95 % interval; above 1 is a gain."""

    value: float | None
    """None with fewer than three blocks, or where a variance is 0."""
    low: float | None
    high: float | None
    before: float | None
    """Variance of the mean score of a block without, in squared points."""
    after: float | None
    blocks: int


def pairing_factor(blocks: Sequence[Sequence[float]]) -> Factor:
    """Return how much more the mean of unpaired games varies than the mean of the games of a block.

    Each block holds the scores of one side in its games, in the order of the seats, so that the
    first games of all blocks have the same seat, and so on. Unpaired play has the same games, each
    with a deal of its own: its variance is that of the games without what they share in a block.
    """
    if not blocks:
        return Factor(None, None, None, None, None, 0)
    games = len(blocks[0])
    if games == 0 or any(len(block) != games for block in blocks):
        raise ValueError("all blocks have the same number of games, one or more")
    single = [_Spread([block[k] for block in blocks]) for k in range(games)]
    whole = _Spread([math.fsum(block) / games for block in blocks])
    return _factor(
        lambda i: math.fsum(s.variance(i) for s in single) / games**2, whole.variance, len(blocks)
    )


def adjustment_factor(raw: Sequence[float], adjusted: Sequence[float]) -> Factor:
    """Return how much more raw block scores vary than adjusted ones of the same blocks."""
    if len(raw) != len(adjusted):
        raise ValueError(f"{len(raw)} raw scores, but {len(adjusted)} adjusted ones")
    before, after = _Spread(raw), _Spread(adjusted)
    return _factor(before.variance, after.variance, len(raw))


class _Spread:
    """Sample variance of numbers, and of all but one of them."""

    def __init__(self, values: Sequence[float]) -> None:
        self._values = values
        self._middle = math.fsum(values) / max(1, len(values))
        self._squares = math.fsum((v - self._middle) ** 2 for v in values)

    def variance(self, without: int | None) -> float:
        """Return the sample variance of the numbers but for the one of the given index."""
        n = len(self._values)
        if without is None:
            return self._squares / (n - 1)
        rest = self._squares - (self._values[without] - self._middle) ** 2 * n / (n - 1)
        return max(0.0, rest) / (n - 2)


def _factor(
    before: Callable[[int | None], float], after: Callable[[int | None], float], blocks: int
) -> Factor:
    """Return the ratio with an interval by the jackknife over blocks, of its logarithm."""
    if blocks < 3:
        return Factor(None, None, None, None, None, blocks)
    variances = before(None), after(None)
    if min(variances) <= 0.0:
        return Factor(None, None, None, *variances, blocks)
    value = variances[0] / variances[1]
    logs = []
    for index in range(blocks):
        one, other = before(index), after(index)
        if min(one, other) <= 1e-15:
            return Factor(value, None, None, *variances, blocks)
        logs.append(math.log(one / other))
    spread = deviation(logs)
    assert spread is not None
    half = NORMAL_95 * spread * (blocks - 1) / math.sqrt(blocks)
    return Factor(value, value * math.exp(-half), value * math.exp(half), *variances, blocks)
