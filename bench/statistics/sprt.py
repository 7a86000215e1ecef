"""Sequential tests of two hypotheses on the strength of one side, over blocks.

The generalized sequential probability ratio test: after each block, how much more likely is what
happened under the best distribution of block scores that fits the upper hypothesis than under the
best that fits the lower. The test ends when this log-likelihood ratio (LLR) leaves the bounds.
A hypothesis fixes the expected block score (logistic Elo) or its t-value (normalized Elo), and
nothing else: how often blocks are drawn, and how much the games of a deal cancel out, is taken from
the blocks. Method: M. Van den Bergh, "A practical introduction to the GSPRT".
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from bench.statistics.elo import (
    LOGISTIC,
    NORMALIZED,
    UNITS,
    block_scores,
    score_from_elo,
    score_index,
    t_from_nelo,
)
from bench.statistics.running import Moments
from bench.statistics.tilt import moments, tilt_to_mean, tilt_to_t

# What a result that did not occur counts, in blocks, so that no hypothesis is impossible.
UNSEEN = 1e-3
# A variance that counts as one block more: the largest that numbers between 0 and 1 can have.
_PRIOR_VARIANCE = 0.25
MAX_ELO = 4000.0
H0, H1 = "H0", "H1"


class Sprt(NamedTuple):
    """How a test stands: `decision` is "H0", "H1", or None while the LLR is between the bounds."""

    llr: float
    lower: float
    upper: float
    decision: str | None
    blocks: int
    unit: str
    """What the hypotheses are measured in: logistic Elo or normalized Elo."""


class SprtTest:
    """A test of `elo0` against `elo1` > `elo0`, in the Elo of the model.

    `alpha` is the probability to accept `elo1` where `elo0` is true, `beta` the reverse. `model`
    is "logistic" or "normalized"; `games` is the number of games in a block: 2 for pairs, 1 for
    single games, more for tables. Raises ValueError, with the reason, for settings that are no
    test.
    """

    def __init__(
        self,
        elo0: float,
        elo1: float,
        alpha: float = 0.05,
        beta: float = 0.05,
        model: str = LOGISTIC,
        games: int = 2,
    ) -> None:
        _check(elo0, elo1, alpha, beta, model)
        self.elo0, self.elo1, self.alpha, self.beta = elo0, elo1, alpha, beta
        self.model, self.games = model, games
        self.support = block_scores(games)
        self.lower, self.upper = math.log(beta / (1.0 - alpha)), math.log((1.0 - beta) / alpha)

    @property
    def unit(self) -> str:
        """What the hypotheses are measured in."""
        return UNITS[self.model]

    def llr(self, counts: Sequence[int]) -> float:
        """Return the LLR of the counts of `block_scores(games)`; 0 without blocks.

        Always a finite number. Where no distribution fits a hypothesis, or none is found, the one
        of normally distributed block scores is used instead, see `llr_of_moments`.
        """
        self._check_counts(counts)
        if not any(counts):
            return 0.0
        filled = [c if c else UNSEEN for c in counts]
        blocks = math.fsum(filled)
        shares = [c / blocks for c in filled]
        q0, q1 = self._best(shares, self.elo0), self._best(shares, self.elo1)
        if q0 is None or q1 is None:
            middle, spread = moments(shares, self.support)
            return self._normal(blocks, middle, spread * spread)
        return blocks * math.fsum(
            p * math.log(b / a) for p, a, b in zip(shares, q0, q1, strict=True)
        )

    def llr_of_moments(self, blocks: int, middle: float, variance: float) -> float:
        """Return the LLR of real block scores by mean and variance, taken as normal; 0 without any.

        For scores on a scale from 0 to 1, such as adjusted scores and scaled margins; single
        blocks may lie outside. The largest variance on this scale counts as one more block, so
        that a few blocks that are alike by chance decide nothing.
        """
        if blocks < 0 or variance < 0.0 or not math.isfinite(middle + variance):
            raise ValueError(f"no moments of block scores: {blocks}, {middle}, {variance}")
        if blocks == 0:
            return 0.0
        filled = (blocks * variance + _PRIOR_VARIANCE) / (blocks + 1)
        return self._normal(blocks, middle, filled)

    def status(self, counts: Sequence[int]) -> Sprt:
        """Return how the test stands after the counted blocks."""
        return self._judge(self.llr(counts), sum(counts))

    def status_of_moments(self, scores: Moments) -> Sprt:
        """Return how the test stands after blocks with real scores."""
        blocks = scores.count
        variance = scores.squares / blocks if blocks else 0.0
        llr = self.llr_of_moments(blocks, scores.total_mean, variance)
        return self._judge(llr, blocks)

    def describe(self) -> str:
        """Return the settings in one line, with the unit of Elo.

        >>> SprtTest(0, 5).describe()
        '[0, 5] logistic Elo, alpha 0.05, beta 0.05, blocks of 2 games'
        """
        block = "1 game" if self.games == 1 else f"{self.games} games"
        return (
            f"[{self.elo0:g}, {self.elo1:g}] {self.unit}, "
            f"alpha {self.alpha:g}, beta {self.beta:g}, blocks of {block}"
        )

    def _best(self, shares: Sequence[float], elo: float) -> list[float] | None:
        if self.model == LOGISTIC:
            return tilt_to_mean(shares, self.support, score_from_elo(elo))
        return tilt_to_t(shares, self.support, t_from_nelo(elo, self.games))

    def _normal(self, blocks: float, middle: float, variance: float) -> float:
        """Return the LLR of normally distributed block scores of unknown variance."""
        if self.model == LOGISTIC:
            above, below = (
                variance + (middle - score_from_elo(elo)) ** 2 for elo in (self.elo0, self.elo1)
            )
        else:
            t = (middle - 0.5) / math.sqrt(variance)
            above, below = (
                1.0 + (t - t_from_nelo(elo, self.games)) ** 2 for elo in (self.elo0, self.elo1)
            )
        return 0.5 * blocks * math.log(above / below)

    def _judge(self, llr: float, blocks: int) -> Sprt:
        decision = H0 if llr <= self.lower else H1 if llr >= self.upper else None
        return Sprt(llr, self.lower, self.upper, decision, blocks, self.unit)

    def _check_counts(self, counts: Sequence[int]) -> None:
        if len(counts) != len(self.support):
            raise ValueError(f"{len(self.support)} counts are needed, not {len(counts)}")
        if any(not math.isfinite(c) or c < 0 for c in counts):
            raise ValueError(f"counts are whole numbers from 0, not {list(counts)}")


class SprtRun:
    """A test under way, fed with one block after another in schedule order; its decision is final.

    The LLR is looked at every `every` blocks. Blocks that come after the decision (they were under
    way when it fell) are counted in `late` and change nothing, so the decision depends on the
    schedule alone and not on which games were quick.
    """

    def __init__(self, test: SprtTest, every: int = 1) -> None:
        if every < 1:
            raise ValueError(f"a test is looked at every 1 block or more, not {every}")
        self.test, self.every = test, every
        self.counts = [0] * len(test.support)
        self.blocks = self.late = 0
        self.decision: str | None = None

    def add(self, score: float) -> str | None:
        """Count the score of the next block, and return the decision if there is one."""
        place = score_index(score, self.test.games)
        if self.decision is not None:
            self.late += 1
            return self.decision
        self.counts[place] += 1
        self.blocks += 1
        if self.blocks % self.every == 0:
            self.decision = self.test.status(self.counts).decision
        return self.decision

    def status(self) -> Sprt:
        """Return how the test stands: the LLR now, but a decision only at the set blocks."""
        return self.test.status(self.counts)._replace(decision=self.decision)


def check_contestants(number: int) -> None:
    """Raise ValueError unless a test has two contestants."""
    if number != 2:
        raise ValueError(f"a sequential test is between two contestants, not {number}")


def settings(test: SprtTest) -> dict[str, Any]:
    """Return the settings of a test for a record: `SprtTest(**settings)` is the same test."""
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "model": test.model,
        "games": test.games,
    }


def _check(elo0: float, elo1: float, alpha: float, beta: float, model: str) -> None:
    if model not in UNITS:
        raise ValueError(f"model is {LOGISTIC} or {NORMALIZED}, not {model!r}")
    for name, elo in (("elo0", elo0), ("elo1", elo1)):
        if not abs(elo) <= MAX_ELO:
            raise ValueError(f"{name} lies between {-MAX_ELO:g} and {MAX_ELO:g}, not at {elo}")
    if elo0 >= elo1:
        raise ValueError(f"elo0 is less than elo1; {elo0:g} and {elo1:g} are not")
    for name, chance in (("alpha", alpha), ("beta", beta)):
        if not 0.0 < chance < 1.0:
            raise ValueError(f"{name} lies between 0 and 1, not at {chance:g}")
    if alpha + beta >= 1.0:
        raise ValueError(f"alpha and beta add up to less than 1, not to {alpha + beta:g}")
