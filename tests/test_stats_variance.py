"""By what factor pairing and luck adjustment cut the variance."""

import numpy as np
import pytest

from bench.statistics.basics import normal_cdf
from bench.statistics.simulate import LuckModel
from bench.statistics.variance import adjustment_factor, pairing_factor


def luck_games(numbers: np.random.Generator, blocks: int, luck: float) -> np.ndarray:
    """Return scores of both games of pairs in the toy model, without draws."""
    deal = luck * numbers.standard_normal(blocks)
    noise = numbers.standard_normal((blocks, 2))
    return ((np.stack([deal, -deal], axis=1) + noise) > 0).astype(float)


@pytest.mark.parametrize(("luck", "share"), [(0.5, 0.87), (1.0, 0.65), (1.5, 0.49), (2.0, 0.39)])
def test_the_toy_model_cuts_the_variance_as_measured(luck: float, share: float) -> None:
    """The more luck a deal has, the less of it is left in a pair."""
    model = LuckModel(luck)
    variance = sum(p * (k / 4 - 0.5) ** 2 for k, p in enumerate(model.pair_shares(0.0)))
    # A single game alone has the margin of luck and noise together.
    drawn = 1 - 2 * normal_cdf(-model.draw_margin / (1 + luck**2) ** 0.5)
    assert variance / ((1 - drawn) / 8) == pytest.approx(share, abs=0.01)


def test_the_factor_of_pairing_is_found_again() -> None:
    """The known one within the interval, about 95 times of 100."""
    numbers = np.random.default_rng(1)
    # Signs of margins with correlation -1/2 are correlated by -1/3.
    inside = 0
    for _ in range(100):
        factor = pairing_factor(luck_games(numbers, 400, 1.0).tolist())
        assert factor.value is not None and factor.low is not None and factor.high is not None
        assert factor.low < factor.value < factor.high
        inside += factor.low <= 1.5 <= factor.high
    assert 88 <= inside <= 99


def test_the_variances_are_those_of_numpy() -> None:
    """Before: of the games of each seat, after: of the block means."""
    games = luck_games(np.random.default_rng(2), 50, 1.0)
    factor = pairing_factor(games.tolist())
    assert factor.before == pytest.approx(games.var(axis=0, ddof=1).sum() / 4)
    assert factor.after == pytest.approx(games.mean(axis=1).var(ddof=1))
    assert factor.blocks == 50


def test_a_seat_that_always_wins_is_no_luck() -> None:
    """What a seat is worth is not saved by pairing: unpaired games are split over seats too."""
    numbers = np.random.default_rng(4)
    games = (numbers.random((2000, 2)) < [0.9, 0.2]).astype(float)
    factor = pairing_factor(games.tolist())
    assert factor.value == pytest.approx(1.0, abs=0.1)


def test_the_factor_of_adjustment() -> None:
    """Half of the variance taken away is a factor of 2."""
    numbers = np.random.default_rng(3)
    rest, luck = numbers.standard_normal((2, 2000))
    factor = adjustment_factor((rest + luck).tolist(), rest.tolist())
    assert factor.value == pytest.approx(2.0, rel=0.1)
    assert factor.low is not None and factor.high is not None
    assert factor.low < 2.0 < factor.high
    reverse = adjustment_factor(rest.tolist(), (rest + luck).tolist())
    assert reverse.high == pytest.approx(1 / factor.low)


def test_too_little_gives_no_factor() -> None:
    """Few blocks, or blocks that all ended alike."""
    assert pairing_factor([[1.0, 0.0]] * 2).value is None
    assert pairing_factor([[1.0, 0.0]] * 20).value is None
    one_differs = pairing_factor([[1.0, 1.0]] + [[1.0, 0.0]] * 20)
    assert one_differs.value is not None and one_differs.low is None
    with pytest.raises(ValueError, match="same number of games"):
        pairing_factor([[1.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match="raw scores, but"):
        adjustment_factor([1.0], [])
