"""The features of Lofoten: what each counts, and that looking changes nothing."""

import math

import pytest
from helpers import position_text

import engine
from bench.measure.random_games import random_game

GAME = engine.load("lofoten")
MODULES = engine.load("lofoten", level2=2, jarls="on", upgrades="on")


def features(seat=0, **given):
    state = GAME.from_text(position_text(**given))
    return dict(zip(GAME.feature_names, state.game.features(state, seat), strict=True))


@pytest.mark.parametrize("game", [GAME, MODULES], ids=["base", "modules"])
def test_the_seats_have_opposite_finite_numbers_and_nothing_changes(game):
    for seed in range(3):
        for number, state in enumerate(random_game(game, seed)):
            if number % 7 and number > 40:
                continue
            before = state.to_bytes()
            first, second = game.features(state, 0), game.features(state, 1)
            assert state.to_bytes() == before
            assert len(first) == len(game.feature_names)
            assert all(math.isfinite(value) for value in first)
            assert first == [-value for value in second]


def test_there_is_no_third_seat():
    with pytest.raises(ValueError, match="no seat 2"):
        GAME.features(GAME.new_state(), 2)


def test_margin_is_what_the_state_says():
    state = list(random_game(GAME, 5))[-1]
    assert [GAME.features(state, seat)[0] for seat in (0, 1)] == state.margins()


def test_a_lead_counts_more_the_less_is_to_come():
    many = features(warehouses="w1:F:F2x/-|w4|w6|w8")
    few = features(warehouses="w1:F:F2x/-|w4|w6|w8", unseen="M2x.S2x")
    assert 0 < many["contest"] < few["contest"]
    assert many["orders"] == 0


def test_orders_and_the_tiles_they_wait_for():
    far = features(ships_p1="-.-.C1.-", area_p1="1")
    near = features(ships_p1="C1.-.-.-", area_p1="3")
    assert far["orders"] == pytest.approx(near["orders"])
    assert far["tiles"] == pytest.approx(near["tiles"])
    # Three areas and half a turn; one area.
    assert far["near"] == pytest.approx(far["tiles"] / 6)
    assert near["near"] == pytest.approx(near["tiles"] / 2)
    other = features(ships_p2="C1.-.-.-", area_p2="3")
    assert other["near"] == pytest.approx(-near["near"])


def test_a_tile_about_to_be_placed_counts_in_the_empty_area():
    given = {"phase": "place", "turn": "p1", "pile": "1", "ships_p1": "F1.-.-.-"}
    given["piles"] = "?14.S13"
    flipped = features(**given, market="M1x.-.S1x.C1x.M1o", tile="F3x")
    placed = features(ships_p1="F1.-.-.-", market="M1x.F3x.S1x.C1x.M1o")
    assert flipped["tiles"] == pytest.approx(placed["tiles"])
    small = features(**given, market="M1x.-.S1x.C1x.M1o", tile="F1x")
    assert flipped["tiles"] > small["tiles"] > 0


def test_tops_that_a_ship_waits_for():
    assert features(ships_p1="C1.-.-.-")["tops"] > 0  # the second pile shows a coffer
    assert features(ships_p1="F1.-.-.-")["tops"] == 0


def test_cards_in_hand():
    usual = features()
    assert usual["moves"] == 3 - 9
    assert usual["wanted"] == pytest.approx(0)
    assert features(hand_p2="M3.M3.S3")["wanted"] < 0  # two tiles of mead lie in the market
    # A ship that waits for fish already makes another order of fish less use.
    assert usual["fresh"] == pytest.approx(0)
    assert features(ships_p1="F2.-.-.-")["fresh"] < 0
    stored = {"warehouses": "w1:S:S2x.S2o.S1o/-|w4|w6|w8"}
    uses = features(**stored, market="M1x.F1x.M2x.C1x.M1o")
    assert (uses["discards"], uses["turns"], uses["steps"], uses["coins"]) == (0, 0, 2, 0)


@pytest.mark.parametrize(
    ("hand", "loads"),
    [
        ("F1.F1.S2", True),  # the right card: one area and a quarter turn to the right
        ("F1.F1.S1", False),
        ("S3.F1.F1", False),  # the left card moves to the left
        ("F1.S3.F1", False),  # the middle one not at all
    ],
)
def test_loads_of_side_cards(hand, loads):
    # Clockwise a ship on the left comes to the market.
    found = features(hand_p1=hand, ships_p1="-.-.-.C1")
    assert (found["loads"] > 0) == loads


def test_the_seats_sit_opposite():
    # The right of seat 2 is towards area 1; a ship on the right comes to the market by the left.
    right = features(hand_p2="F1.F1.S2", ships_p2="-.-.-.M1", area_p2="2")
    left = features(hand_p2="S2.F1.F1", ships_p2="-.M1.-.-", area_p2="4")
    assert right["loads"] < 0
    assert left["loads"] < 0
    assert features(hand_p2="F1.F1.S2", ships_p2="-.-.-.C1", area_p2="3")["loads"] == 0


def test_a_hidden_card_counts_nothing():
    state = GAME.from_text(position_text())
    view = state.view(0)
    seen = dict(zip(GAME.feature_names, GAME.features(view, 0), strict=True))
    assert seen["moves"] == 3
    assert seen["wanted"] > 0
