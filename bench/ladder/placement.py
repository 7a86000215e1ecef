"""The rating of one engine by its results against engines with known ratings."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from bench.statistics.basics import NORMAL_95
from bench.statistics.elo import ELO_PER_NAT, ONE_SIDE, alike_share, score_from_elo

# Squared residuals of block scores that are nothing but rounding.
_ROUNDING = 1e-15
# No rating is looked for beyond this distance from the rungs.
_FAR = 4000.0

Results = Sequence[tuple[float, dict[Fraction, int]]]
"""For each opponent its rating and how many blocks had which score."""


class Placement:
    """A rating in logistic Elo on a fixed scale.

    Attributes:
        rating: the most likely one; None if all blocks were won or all were lost.
        low, high: ends of the 95 % interval over blocks, None where nothing bounds it; the errors
            of the known ratings are not in it.
        blocks: how many counted.
        score: mean score of all blocks, 0..1; None without a block.
    """

    def __init__(self, results: Results) -> None:
        cells = [(elo, float(s), n) for elo, counts in results for s, n in counts.items() if n]
        self.blocks = sum(n for _, _, n in cells)
        self.score: float | None = None
        self.rating: float | None = None
        self.low: float | None = None
        self.high: float | None = None
        if not self.blocks:
            return
        points = math.fsum(s * n for _, s, n in cells)
        self.score = points / self.blocks
        if self.score == 1.0:
            self.low = _bound(cells, won=True)
        elif self.score == 0.0:
            self.high = _bound(cells, won=False)
        else:
            self.rating = _solve(cells, points)
            self._spread(cells, self.rating)

    def _spread(self, cells: list[tuple[float, float, int]], rating: float) -> None:
        """Set the interval: squared residuals of block scores over the squared slope.

        Where all blocks ended just as expected their spread is unknown; then, as for `Strength`,
        the interval is the one for any distribution.
        """
        expected = [score_from_elo(rating - elo) for elo, _, _ in cells]
        pairs = list(zip(cells, expected, strict=True))
        squares = math.fsum(n * (s - e) ** 2 for (_, s, n), e in pairs)
        slope = math.fsum(n * e * (1.0 - e) for (_, _, n), e in pairs)
        if self.blocks < 2:
            return
        if squares <= _ROUNDING * self.blocks:
            share = alike_share(self.blocks)
            points = math.fsum(s * n for _, s, n in cells) * share
            self.low = _solve(cells, points)
            self.high = _solve(cells, points + self.blocks * (1.0 - share))
            return
        correction = self.blocks / (self.blocks - 1)
        half = NORMAL_95 * math.sqrt(squares * correction) / slope * ELO_PER_NAT
        self.low, self.high = rating - half, rating + half

    @property
    def error(self) -> float | None:
        """Half-width of the 95 % interval; None where it is open."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2.0

    def __str__(self) -> str:
        if self.rating is not None:
            error = "-" if self.error is None else f"{self.error:.0f}"
            return f"{round(self.rating)} ± {error}"
        if self.low is not None:
            return f"at least {self.low:.0f}"
        return "no rating" if self.high is None else f"at most {self.high:.0f}"


def _solve(cells: list[tuple[float, float, int]], points: float) -> float:
    """Return the rating at which so many points are expected of the blocks."""

    def expected(rating: float) -> float:
        return math.fsum(n * score_from_elo(rating - elo) for elo, _, n in cells)

    return _rises_to(expected, points, cells)


def _bound(cells: list[tuple[float, float, int]], won: bool) -> float:
    """Return the rating at which all blocks end so with a chance of 2.5 %."""
    side = 1.0 if won else -1.0

    def chance(rating: float) -> float:
        return side * math.fsum(
            n * math.log(max(1e-300, score_from_elo(side * (rating - elo)))) for elo, _, n in cells
        )

    return _rises_to(chance, side * math.log(ONE_SIDE), cells)


def _rises_to(
    rising: Callable[[float], float], value: float, cells: list[tuple[float, float, int]]
) -> float:
    low = min(elo for elo, _, _ in cells) - _FAR
    high = max(elo for elo, _, _ in cells) + _FAR
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if rising(middle) < value else (low, middle)
    return 0.5 * (low + high)


__all__ = ["Placement", "Results"]
