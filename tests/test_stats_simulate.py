"""Simulated tests: error rates, and games of which the quick ones end first."""

from typing import Any

import pytest

from bench.measure.sprt import quick_games, sprt_errors
from bench.seeds import PURPOSE_MEASURE
from bench.statistics.elo import NORMALIZED, block_scores, score_from_elo, t_from_nelo
from bench.statistics.simulate import LuckModel, concurrent_test, finished, uneven_games
from bench.statistics.sprt import SprtTest
from bench.statistics.tilt import moments
from engine import RandomStream


@pytest.mark.parametrize("elo", [-50.0, 0.0, 20.0])
def test_the_toy_model_has_the_wanted_strength(elo: float) -> None:
    """The expected score, or the t-value, is that of the Elo; shares add up to 1."""
    shares = LuckModel().shares_at_elo(elo)
    assert sum(shares) == pytest.approx(1.0)
    assert moments(shares, block_scores())[0] == pytest.approx(score_from_elo(elo))
    middle, spread = moments(LuckModel().shares_at_elo(elo, NORMALIZED), block_scores())
    assert (middle - 0.5) / spread == pytest.approx(t_from_nelo(elo))


def test_error_rates_are_small() -> None:
    """200 tests of each hypothesis at a wide distance: well below twice the nominal rate."""
    out: dict[str, Any] = {}
    sprt_errors(out, tests=200, elo1=60.0)
    assert out["h0_error_ratio"] < 2.0 and out["h1_error_ratio"] < 2.0
    assert out["undecided"] == 0
    assert "logistic Elo" in out["test"]


@pytest.mark.slow
def test_error_rates_are_nominal() -> None:
    """2,000 tests of each hypothesis, looked at every 8 blocks: within 1.25 of 5 %."""
    out: dict[str, Any] = {}
    sprt_errors(out)
    assert 0.5 < out["h0_error_ratio"] <= 1.25
    assert 0.5 < out["h1_error_ratio"] <= 1.25


@pytest.mark.slow
def test_error_rates_are_nominal_in_normalized_elo() -> None:
    """500 shorter tests of each hypothesis: 5 % within two standard errors."""
    out: dict[str, Any] = {}
    sprt_errors(out, tests=500, elo1=60.0, model=NORMALIZED)
    assert 0.4 < out["h0_error_ratio"] <= 1.4
    assert 0.4 < out["h1_error_ratio"] <= 1.4


def test_quick_games_end_first() -> None:
    """The simulated games come by the time that they end, at most so many under way."""
    order = []
    for block, game, score in finished(uneven_games(RandomStream(1, PURPOSE_MEASURE, 1)), 16):
        order.append((block, game, score))
        if len(order) == 4000:
            break
    assert sum(score for *_, score in order[:20]) < 5
    assert sum(score for *_, score in order) == pytest.approx(2000, abs=150)
    assert len({(block, game) for block, game, _ in order}) == 4000
    assert [(b, g) for b, g, _ in order] != sorted((b, g) for b, g, _ in order)


def test_p64_quick_games_do_not_decide_early() -> None:
    """16 games at a time end with the decision of one at a time, after the same block."""
    out: dict[str, Any] = {}
    quick_games(out, tests=5)
    assert out["as_alone"] == 5
    test = SprtTest(0, 10)
    early = 0
    for number in range(5):
        runs = [
            concurrent_test(
                test, uneven_games(RandomStream(1, PURPOSE_MEASURE, 2**44 + number)), 16, 8, order
            )
            for order in (True, False)
        ]
        early += runs[0].counts != runs[1].counts
    assert early > 0


@pytest.mark.slow
def test_p64_equals_are_taken_for_equal() -> None:
    """H0 in at least 1 - 1.25 alpha of 100 tests of equals."""
    out: dict[str, Any] = {}
    quick_games(out, tests=100)
    assert out["as_alone"] == 100
    assert out["h0_share"] >= out["least_h0_share"]
