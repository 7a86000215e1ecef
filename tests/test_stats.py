"""Match statistics against known answers."""

import math

import pytest

from bench import stats
from bench.stats import Estimate


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
    estimate = Estimate([score] * 5)
    assert (estimate.score, estimate.elo, estimate.elo_error) == (score, None, None)


@pytest.mark.parametrize("score", [-0.01, 1.01])
def test_a_score_outside_its_range_is_refused(score: float) -> None:
    """A score is a share."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        stats.elo_from_score(score)


def test_mean_deviation_and_standard_error() -> None:
    """The textbook example 2 4 4 4 5 5 7 9 has mean 5 and a squared deviation of 32 / 7."""
    values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]
    assert stats.mean(values) == 5.0
    assert stats.deviation(values) == pytest.approx(math.sqrt(32 / 7))
    assert stats.standard_error(values) == pytest.approx(math.sqrt(32 / 7 / 8))
    assert stats.mean([]) is None
    assert stats.deviation([1.0]) is None
    assert stats.standard_error([1.0]) is None


def test_the_interval_is_taken_over_pairs() -> None:
    """100 pairs, 50 won twice and 50 level: 75 % ± 1.96 * 0.2513 / 10, and its Elo."""
    estimate = Estimate([1.0] * 50 + [0.5] * 50)
    deviation = math.sqrt(100 * 0.25**2 / 99)
    error = 1.959963984540054 * deviation / 10
    assert estimate.score == 0.75
    assert estimate.score_error == pytest.approx(error)
    assert estimate.elo == pytest.approx(190.8485, abs=1e-4)
    assert estimate.elo_error == pytest.approx(error * 400 / math.log(10) / (0.75 * 0.25))
    assert estimate.elo_error == pytest.approx(45.63, abs=0.01)


def test_pairs_that_all_ended_alike_tell_no_error() -> None:
    """An interval of nothing would claim too much."""
    estimate = Estimate([0.5] * 20)
    assert (estimate.score, estimate.elo) == (0.5, 0.0)
    assert (estimate.score_error, estimate.elo_error) == (None, None)


@pytest.mark.parametrize("scores", [[], [0.75]])
def test_too_few_pairs_give_no_interval(scores: list[float]) -> None:
    """One pair tells nothing about its spread."""
    estimate = Estimate(scores)
    assert estimate.score_error is None
    assert estimate.elo_error is None


def test_the_delta_method_agrees_with_the_ends_of_the_interval() -> None:
    """For many pairs the half-width is that between the Elo values of both ends."""
    scores = [0.0] * 300 + [0.25] * 800 + [0.5] * 2000 + [0.75] * 900 + [1.0] * 400
    estimate = Estimate(scores)
    assert estimate.score is not None and estimate.score_error is not None
    low = stats.elo_from_score(estimate.score - estimate.score_error)
    high = stats.elo_from_score(estimate.score + estimate.score_error)
    assert low is not None and high is not None
    assert estimate.elo_error == pytest.approx((high - low) / 2, rel=1e-3)


def test_pair_distribution_counts_the_five_results() -> None:
    """From both lost to both won."""
    assert stats.pair_distribution([0.0, 0.5, 0.5, 0.75, 1.0, 0.25]) == [1, 1, 2, 1, 1]


def test_quantiles_by_nearest_rank() -> None:
    """Half of 1..10 lies at or below 5, all at or below 10."""
    values = [float(v) for v in range(10, 0, -1)]
    assert [stats.quantile(values, share) for share in (0.0, 0.5, 0.99, 1.0)] == [1, 5, 10, 10]
    with pytest.raises(ValueError, match="no values"):
        stats.quantile([], 0.5)
