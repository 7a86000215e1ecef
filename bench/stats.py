"""Match statistics: what a result says about the difference in strength, and how surely.

The unit is the *pair*: two games with the same deal and swapped seats. Their results depend on
each other, so errors are taken over pair scores (0, 1/4, 1/2, 3/4 or 1), never over games.
"""

import math
from collections.abc import Sequence

# Half of a 95 % interval of the normal distribution, in standard deviations.
NORMAL_95 = 1.959963984540054
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


def elo_from_score(score: float) -> float | None:
    """Return the Elo difference of an expected score; None at 0 and at 1, where it is infinite.

    >>> round(elo_from_score(0.75), 1)
    190.8
    """
    if not 0.0 <= score <= 1.0:
        raise ValueError(f"a score lies between 0 and 1, not at {score}")
    if score in (0.0, 1.0):
        return None
    return -400.0 * math.log10(1.0 / score - 1.0) + 0.0


def score_from_elo(elo: float) -> float:
    """Return the expected score at an Elo difference.

    >>> round(score_from_elo(200), 3)
    0.76
    """
    return float(1.0 / (1.0 + 10.0 ** (-elo / 400.0)))


def mean(values: Sequence[float]) -> float | None:
    """Return the arithmetic mean; None of no values."""
    return math.fsum(values) / len(values) if values else None


def deviation(values: Sequence[float]) -> float | None:
    """Return the sample standard deviation (divisor n - 1); None of fewer than two values."""
    if len(values) < 2:
        return None
    middle = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((v - middle) ** 2 for v in values) / (len(values) - 1))


def standard_error(values: Sequence[float]) -> float | None:
    """Return the standard error of the mean; None of fewer than two values."""
    spread = deviation(values)
    return None if spread is None else spread / math.sqrt(len(values))


class Estimate:
    """Score and Elo of one side with the half-widths of their 95 % intervals, over pairs.

    `score_error`, and with it `elo_error`, is None with fewer than two pairs and when all pairs
    ended alike, which tells nothing of the spread; `elo` and `elo_error` are None at 0 % and at
    100 %. The Elo error is the score error times the slope of the Elo curve (delta method).
    """

    __slots__ = ("elo", "elo_error", "pairs", "score", "score_error")

    def __init__(self, pair_scores: Sequence[float]) -> None:
        self.pairs = len(pair_scores)
        self.score = mean(pair_scores)
        self.elo = None if self.score is None else elo_from_score(self.score)
        error = standard_error(pair_scores)
        self.score_error = NORMAL_95 * error if error else None
        self.elo_error: float | None = None
        if self.elo is not None and self.score is not None and self.score_error is not None:
            slope = 400.0 / math.log(10.0) / (self.score * (1.0 - self.score))
            self.elo_error = slope * self.score_error


def pair_distribution(pair_scores: Sequence[float]) -> list[int]:
    """Return how many pairs scored 0, 1/4, 1/2, 3/4 and 1."""
    counts = [0] * len(PAIR_SCORES)
    for score in pair_scores:
        counts[PAIR_SCORES.index(score)] += 1
    return counts


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which about `share` (0..1) of the values lie, by nearest rank."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, math.ceil(share * len(ordered)) - 1))]
