"""What the score of a match says about the difference in strength, and how surely.

Two units of strength, which differ and are always named. *Logistic Elo* is a function of the
expected score alone. *Normalized Elo* (nElo) is a multiple of the t-value, the expected score above
one half in standard deviations of a game; it says how many games are needed to see the difference.
A block of n games has a standard deviation that is smaller by the root of n, so the t-value of a
block is the root of n times that of a game.
"""

import math
from collections.abc import Sequence

from bench.statistics.basics import NORMAL_95, normal_cdf

LOGISTIC, NORMALIZED = "logistic", "normalized"
UNITS = {LOGISTIC: "logistic Elo", NORMALIZED: "normalized Elo"}
ELO_PER_NAT = 400.0 / math.log(10.0)
"""Logistic Elo of odds of e to one."""
# One unit of t-value of a game in nElo: both kinds of Elo agree for even games without draws.
NELO_PER_T = 800.0 / math.log(10.0)
# Chance of a 95 % interval to err on one side.
ONE_SIDE = 0.025


def elo_from_score(score: float) -> float | None:
    """Return the logistic Elo of an expected score; None at 0 and at 1, where it is infinite.

    >>> round(elo_from_score(0.75), 1)
    190.8
    """
    if not 0.0 <= score <= 1.0:
        raise ValueError(f"a score lies between 0 and 1, not at {score}")
    if score in (0.0, 1.0):
        return None
    return -400.0 * math.log10(1.0 / score - 1.0) + 0.0


def score_from_elo(elo: float) -> float:
    """Return the expected score at a difference in logistic Elo.

    >>> round(score_from_elo(200), 3)
    0.76
    """
    return float(1.0 / (1.0 + 10.0 ** (-elo / 400.0)))


def nelo_from_t(t: float, games: int = 2) -> float:
    """Return the normalized Elo of a t-value of blocks of `games` games; 1 for single games.

    >>> round(nelo_from_t(0.5, games=1), 2)
    173.72
    """
    return NELO_PER_T * t / math.sqrt(games)


def t_from_nelo(nelo: float, games: int = 2) -> float:
    """Return the t-value that blocks of `games` games have at a normalized Elo."""
    return nelo / NELO_PER_T * math.sqrt(games)


def block_scores(games: int = 2) -> tuple[float, ...]:
    """Return the scores that a block of `games` games can have, ascending: five for a pair.

    >>> block_scores(1)
    (0.0, 0.5, 1.0)
    """
    if games < 1:
        raise ValueError(f"a block has one game or more, not {games}")
    return tuple(half / (2 * games) for half in range(2 * games + 1))


def score_index(score: float, games: int = 2) -> int:
    """Return the place of a block score in `block_scores`; ValueError for any other number."""
    place = round(score * 2 * games) if math.isfinite(score) else -1
    if not 0 <= place <= 2 * games or abs(score * 2 * games - place) > 1e-9:
        raise ValueError(f"{score} is no score of a block of {games} games")
    return place


def score_distribution(scores: Sequence[float], games: int = 2) -> list[int]:
    """Return how many blocks ended with each of `block_scores`."""
    counts = [0] * (2 * games + 1)
    for score in scores:
        counts[score_index(score, games)] += 1
    return counts


def elo_slope(score: float) -> float:
    """Return by how many logistic Elo an expected score between 0 and 1 differs, per unit."""
    return ELO_PER_NAT / (score * (1.0 - score))


class Strength:
    """What block counts say of one side: score, both kinds of Elo, and likelihood of superiority.

    Made from the counts of `block_scores(games)`. Each of `score`, `elo` (logistic) and `nelo`
    (normalized) has the ends of a 95 % interval beside it: `score_low`, `score_high` and so on. An
    end, or a value, is None where it is infinite or where nothing is known: without a block
    everything is. `los` is the probability that the side is the stronger one, 0..1.

    Intervals are those of the normal distribution, Elo by the ends of the score interval, nElo by
    the delta method with skewness and kurtosis of the block scores. Where all blocks ended alike
    the spread is unknown and the interval is the exact one for any distribution between 0 and 1:
    with a share 1 - p of other results, all n blocks ended alike with probability p^n. So 20
    blocks won out of 20 are at least 83 %, or 277 Elo.
    """

    __slots__ = (
        "blocks",
        "elo",
        "elo_high",
        "elo_low",
        "games",
        "los",
        "nelo",
        "nelo_high",
        "nelo_low",
        "score",
        "score_high",
        "score_low",
    )

    def __init__(self, counts: Sequence[int], games: int = 2) -> None:
        support = block_scores(games)
        if len(counts) != len(support) or any(c < 0 for c in counts):
            raise ValueError(f"{games} games a block have {len(support)} counts, not {counts}")
        self.games, self.blocks = games, sum(counts)
        self.score = self.score_low = self.score_high = self.los = None
        self.elo: float | None = None
        self.nelo: float | None = None
        self.nelo_low: float | None = None
        self.nelo_high: float | None = None
        if self.blocks:
            self.score = math.fsum(c * x for c, x in zip(counts, support, strict=True)) / (
                self.blocks
            )
            self.elo = elo_from_score(self.score)
            if sum(c > 0 for c in counts) > 1:
                self._spread(counts, support)
            else:
                self._alike()
        self.elo_low = None if self.score_low is None else elo_from_score(self.score_low)
        self.elo_high = None if self.score_high is None else elo_from_score(self.score_high)

    score: float | None
    score_low: float | None
    score_high: float | None
    los: float | None

    def _spread(self, counts: Sequence[int], support: Sequence[float]) -> None:
        """Fill in intervals from the moments of blocks that did not all end alike."""
        assert self.score is not None
        n, middle = self.blocks, self.score
        second, third, fourth = (
            math.fsum(c * (x - middle) ** k for c, x in zip(counts, support, strict=True)) / n
            for k in (2, 3, 4)
        )
        error = math.sqrt(second / (n - 1))
        self.score_low = max(0.0, middle - NORMAL_95 * error)
        self.score_high = min(1.0, middle + NORMAL_95 * error)
        self.los = normal_cdf((middle - 0.5) / error)
        # Sample variance as for the error of the score, so that both mean the same at t = 0.
        t = (middle - 0.5) / (error * math.sqrt(n))
        skewness, kurtosis = third / second**1.5, fourth / second**2
        variance = (1.0 - skewness * t + (kurtosis - 1.0) / 4.0 * t * t) / n
        half = NORMAL_95 * math.sqrt(max(0.0, variance))
        self.nelo = nelo_from_t(t, self.games)
        self.nelo_low = nelo_from_t(t - half, self.games)
        self.nelo_high = nelo_from_t(t + half, self.games)

    def _alike(self) -> None:
        """Fill in intervals for blocks that all ended alike."""
        assert self.score is not None
        share = alike_share(self.blocks)
        value = self.score
        self.score_low, self.score_high = value * share, value * share + 1.0 - share
        self.nelo = 0.0 if value == 0.5 else None
        if value > 0.0:
            self.nelo_low = nelo_from_t(_t_of_mixture(value, share, 0.0), self.games)
        if value < 1.0:
            self.nelo_high = nelo_from_t(_t_of_mixture(value, share, 1.0), self.games)
        # Even chances for the direction of each block and a flat prior of the chance.
        doubt = 0.5 ** (self.blocks + 1)
        self.los = 0.5 if value == 0.5 else 1.0 - doubt if value > 0.5 else doubt


def alike_share(blocks: int) -> float:
    """Return the least share of a result that all of `blocks` blocks had, at 97.5 % confidence."""
    return float(ONE_SIDE ** (1.0 / blocks))


def _t_of_mixture(value: float, share: float, other: float) -> float:
    """Return the t-value if a share of blocks scores `value` and the rest `other`."""
    middle = value * share + other * (1.0 - share)
    return (middle - 0.5) / (abs(value - other) * math.sqrt(share * (1.0 - share)))
