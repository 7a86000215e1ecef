"""The fit of the model of play: what decisions were made with is found again."""

import numpy as np
import pytest

from bench.fit_choices import DOCKS, Choices, fit, hand_features
from bench.measure.selfplay import Player

WEIGHTS = np.array([1.5, -0.8, 0.3])


def decisions(number, lots, seed):
    """Choices among four, the last of which is not always allowed; so many are made by lot."""
    luck = np.random.default_rng(seed)
    found = Choices()
    for _ in range(number):
        features = luck.normal(size=(4, len(WEIGHTS)))
        allowed = [True, True, True, bool(luck.random() < 0.5)]
        worth = np.exp(features @ WEIGHTS) * allowed
        chances = np.array(allowed, dtype=float) if luck.random() < lots else worth
        found.add(features, allowed, int(luck.choice(4, p=chances / chances.sum())))
    return found


@pytest.mark.parametrize("lots", [0.05, 0.3])
def test_weights_and_the_share_by_lot_are_found(lots):
    """Of 20,000 decisions, to some three standard errors."""
    found = decisions(20_000, lots, seed=3)
    weights, share = found.fit()
    assert weights == pytest.approx(WEIGHTS, abs=0.15)
    assert share == pytest.approx(lots, abs=0.03)
    # Nothing else explains them better.
    assert found.loss(weights, share) <= found.loss(WEIGHTS, lots) + 1e-6
    assert found.loss(weights, share) < found.loss(weights, 0.6)


def test_a_hand_has_the_sums_of_its_cards_and_the_better_side_card():
    """Left gains 5 and is worth 3 to play, right 4 and 7; the middle counts for neither."""
    hand = np.zeros((3, 5))
    hand[0, 2], hand[0, 3], hand[0, 4] = 2, 3, 3
    hand[1, 2], hand[1, 4] = 50, 90
    hand[2, 3], hand[2, 4] = 4, 7
    row = hand_features(hand[None, None], np.array([0.0, 0, 0, 0, 1]))[0, 0]
    assert row.tolist() == [0, 0, 52, 7, 100, 5, 7]


def test_a_fit_of_few_games_has_the_numbers_of_the_file():
    """Both docks, as many weights as are shipped; the process keeps the shipped ones."""
    from engine.games.lofoten import choice_weights
    from engine.games.lofoten.choices import set_weights

    shipped = choice_weights.SETS["base"]
    try:
        found = fit(0, "lofoten", Player("drakkar", 20), games=5, seed=3)
    finally:
        for dock in DOCKS:
            set_weights(0, dock == "free", **shipped[dock])
    assert {dock: {key: len(row) for key, row in found[dock].items()} for dock in DOCKS} == {
        dock: {key: len(row) for key, row in shipped[dock].items()} for dock in DOCKS
    }
    assert found != shipped
