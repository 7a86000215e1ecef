"""What scores say about strength, against known answers."""

import math

import numpy as np
import pytest
import scipy.stats

from bench.statistics import basics
from bench.statistics import elo as stats
from bench.statistics.elo import Strength


@pytest.mark.parametrize(
    ("score", "elo"),
    [(0.5, 0.0), (0.75, 190.848501887865), (0.25, -190.848501887865), (10 / 11, 400.0)],
)
def test_elo_of_a_score(score: float, elo: float) -> None:
    """The logistic curve: ten to one is 400 points."""
    assert stats.elo_from_score(score) == pytest.approx(elo, abs=1e-9)
    assert stats.score_from_elo(elo) == pytest.approx(score)


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_no_elo_at_the_ends(score: float) -> None:
    """At 0 % and 100 % the difference is infinite, so there is none."""
    assert stats.elo_from_score(score) is None
    strength = Strength(stats.score_distribution([score] * 5))
    assert (strength.score, strength.elo) == (score, None)


@pytest.mark.parametrize("score", [-0.01, 1.01])
def test_a_score_outside_its_range_is_refused(score: float) -> None:
    """A score is a share."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        stats.elo_from_score(score)


def test_mean_deviation_and_standard_error() -> None:
    """The textbook example 2 4 4 4 5 5 7 9 has mean 5 and a squared deviation of 32 / 7."""
    values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]
    assert basics.mean(values) == 5.0
    assert basics.deviation(values) == pytest.approx(math.sqrt(32 / 7))
    assert basics.standard_error(values) == pytest.approx(math.sqrt(32 / 7 / 8))
    assert basics.mean([]) is None
    assert basics.deviation([1.0]) is None
    assert basics.standard_error([1.0]) is None


def test_the_interval_is_taken_over_pairs() -> None:
    """100 pairs, 50 won twice and 50 level: 75 % ± 1.96 * 0.2513 / 10, and its Elo."""
    strength = Strength(stats.score_distribution([1.0] * 50 + [0.5] * 50))
    error = 1.959963984540054 * math.sqrt(100 * 0.25**2 / 99) / 10
    assert strength.score == 0.75
    assert strength.score_low == pytest.approx(0.75 - error)
    assert strength.score_high == pytest.approx(0.75 + error)
    assert strength.elo == pytest.approx(190.8485, abs=1e-4)
    assert stats.elo_slope(0.75) * error == pytest.approx(45.63, abs=0.01)


def test_the_delta_method_agrees_with_the_ends_of_the_interval() -> None:
    """For many pairs the half-width is that between the Elo values of both ends."""
    strength = Strength([300, 800, 2000, 900, 400])
    assert strength.score is not None and strength.score_high is not None
    assert strength.elo_low is not None and strength.elo_high is not None
    half = stats.elo_slope(strength.score) * (strength.score_high - strength.score)
    assert half == pytest.approx((strength.elo_high - strength.elo_low) / 2, rel=1e-3)


def test_score_distribution_counts_the_five_results() -> None:
    """From both lost to both won."""
    assert stats.score_distribution([0.0, 0.5, 0.5, 0.75, 1.0, 0.25]) == [1, 1, 2, 1, 1]


def test_quantiles_by_nearest_rank() -> None:
    """Half of 1..10 lies at or below 5, all at or below 10."""
    values = [float(v) for v in range(10, 0, -1)]
    assert [basics.quantile(values, share) for share in (0.0, 0.5, 0.99, 1.0)] == [1, 5, 10, 10]
    with pytest.raises(ValueError, match="no values"):
        basics.quantile([], 0.5)


@pytest.mark.parametrize("elo", [-300.0, 0.0, 7.0])
def test_normalized_elo_of_pairs_and_of_games(elo: float) -> None:
    """A pair has the root of 2 times the t-value of a game; 347.4 nElo are one deviation."""
    assert stats.t_from_nelo(elo, 2) == pytest.approx(math.sqrt(2) * stats.t_from_nelo(elo, 1))
    assert stats.nelo_from_t(stats.t_from_nelo(elo, 6), 6) == pytest.approx(elo)
    assert stats.nelo_from_t(1.0, 1) == pytest.approx(800 / math.log(10))


def test_both_kinds_of_elo_agree_for_close_games_without_draws() -> None:
    """A score of 50.1 % over single games is 0.695 Elo in both units."""
    strength = Strength([499_000, 0, 501_000], games=1)
    assert strength.elo == pytest.approx(0.695, abs=1e-3)
    assert strength.nelo == pytest.approx(strength.elo, abs=1e-3)


def test_strength_agrees_with_the_scores_of_pairs() -> None:
    """The textbook mean and standard error of the scores give the same interval."""
    scores = [0.0] * 30 + [0.25] * 80 + [0.5] * 200 + [0.75] * 90 + [1.0] * 40
    strength = Strength(stats.score_distribution(scores))
    middle, error = basics.mean(scores), basics.standard_error(scores)
    assert middle is not None and error is not None
    half = basics.NORMAL_95 * error
    assert strength.score == pytest.approx(middle)
    assert strength.elo == pytest.approx(stats.elo_from_score(middle))
    assert strength.score_low == pytest.approx(middle - half)
    assert strength.elo_high == pytest.approx(stats.elo_from_score(middle + half))
    z = (middle - 0.5) / error
    assert strength.los == pytest.approx(scipy.stats.norm.cdf(z), abs=1e-12)


def test_the_interval_of_normalized_elo_agrees_with_resampling() -> None:
    """The delta method against the deviation of 4,000 resampled t-values, skew included."""
    counts, games = [5, 10, 40, 120, 225], 2
    numbers = np.random.default_rng(3)
    rows = numbers.multinomial(sum(counts), np.array(counts) / sum(counts), size=4000)
    support = np.array(stats.block_scores(games))
    means = rows @ support / sum(counts)
    spreads = np.sqrt(rows @ support**2 / sum(counts) - means**2)
    values = stats.nelo_from_t(1.0, games) * (means - 0.5) / spreads
    strength = Strength(counts, games)
    assert strength.nelo_low is not None and strength.nelo_high is not None
    half = (strength.nelo_high - strength.nelo_low) / 2
    assert half == pytest.approx(1.96 * values.std(), rel=0.05)


def test_twenty_wins_are_at_least_277_elo() -> None:
    """All alike: the exact one-sided bound, and nothing above."""
    strength = Strength([0, 0, 0, 0, 20])
    exact = scipy.stats.binomtest(20, 20).proportion_ci(0.95, "exact").low
    assert strength.score_low == pytest.approx(exact)
    assert strength.elo_low == pytest.approx(277.4, abs=0.1)
    assert (strength.score_high, strength.elo, strength.elo_high) == (1.0, None, None)
    assert strength.nelo is None and strength.nelo_high is None
    assert strength.nelo_low is not None and 100 < strength.nelo_low < 300
    assert strength.los == 1 - 0.5**21
    mirrored = Strength([20, 0, 0, 0, 0])
    assert mirrored.elo_high == pytest.approx(-277.4, abs=0.1)
    assert mirrored.nelo_high == pytest.approx(-strength.nelo_low)
    assert mirrored.elo_low is None


def test_twenty_draws_are_not_known_to_be_even() -> None:
    """Half of a sixth to both sides, since that many others could have been missed."""
    strength = Strength([0, 0, 20, 0, 0])
    assert (strength.score, strength.elo, strength.nelo, strength.los) == (0.5, 0.0, 0.0, 0.5)
    assert strength.score_low == pytest.approx(0.5 * 0.025 ** (1 / 20))
    assert strength.elo_low == pytest.approx(-strength.elo_high)  # type: ignore[operator]


def test_no_block_says_nothing() -> None:
    """No division by zero either."""
    strength = Strength([0, 0, 0, 0, 0])
    assert {getattr(strength, name) for name in Strength.__slots__} == {0, 2, None}


@pytest.mark.parametrize("score", [0.3, -0.25, 1.25, math.nan])
def test_a_score_that_no_pair_has_is_refused(score: float) -> None:
    """Quarters only."""
    with pytest.raises(ValueError, match="no score of a block"):
        stats.score_distribution([score])
