"""Lofoten told and drawn for people."""

import re

import pytest
from helpers import position, random_game, ships

import engine
from engine.games.lofoten import notation

CARD = re.compile(r"(?<![A-Za-z])[MFSC][123](?![xo0-9])")


@pytest.fixture(scope="module")
def lofoten():
    return engine.load("lofoten")


# Descriptions and pictures.


def hand_line(picture, seat):
    return next(line for line in picture.splitlines() if line.startswith(f"seat {seat + 1}: hand"))


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_can_be_drawn_and_told(lofoten, seed):
    for state, event in random_game(seed, stall=15):
        assert_drawn(lofoten, state)
        if event is None:
            continue
        mover = state.seat_to_move
        told = lofoten.describe_move(state, event)
        assert (told[:6] == f"seat {mover + 1}") or mover < 0
        for seat in (0, 1):
            shown = state.redact(event, seat)
            seen = lofoten.describe_move(state.view(seat), shown)
            if shown == event:
                assert seen == told
            else:
                assert mover == -1 and seen == f"seat {2 - seat} draws a hidden card"


def assert_drawn(game, state):
    for shown in (state, state.view(0), state.view(1)):
        picture = game.picture(shown)
        assert len(picture.splitlines()) == 16 and max(map(len, picture.splitlines())) < 110
        for seat in (0, 1):
            cards = CARD.findall(hand_line(picture, seat))
            if shown.observer in (-1, seat):
                hand = [c for c in game.fields(state)["hand"][seat] if c != notation.CARD_NONE]
                assert cards == [notation.CARDS[c] for c in hand]
            else:
                assert not cards


def test_the_picture_shows_the_table():
    picture = position(
        hand_p1="F2.S1.C3",
        ships_p1=ships(top="M1", right="F1+F3o"),
        ships_p2=ships(right="C2"),
        coins="1.2.5",
        warehouses="w1:C:C1o.C3o/C2x|w4|w6|w8",
    )
    drawn = picture.game.picture(picture)
    assert "seat 1: hand [F2] [S1] [C3]   coins 1" in drawn
    assert "seat 2: hand [M3] [F3] [S3]   coins 2" in drawn
    assert "reserve 5 coins" in drawn and "seat 1 plays a card" in drawn
    assert "warehouse 1: coffer, seat 1: 4 (C1o C3o), seat 2: 2 (C2x) - w1, who has more" in drawn
    lines = drawn.splitlines()
    market = next(n for n, line in enumerate(lines) if line.lstrip().startswith("|"))
    assert [tile in lines[market] for tile in ("M1x", "F1x", "S1x", "C1x", "M1o")] == [True] * 5
    assert "(M)" in lines[market + 1], "the ship that faces the market is next to it"
    assert lines[market + 1].index("M") == lines[market].index("S1x") + 1, "and below its area"
    assert lines[market + 2].split() == ["(empty)", "(F[F3o])"]
    assert lines[market - 2].split() == ["(C)", "(empty)"], "seat 2 sits opposite"


@pytest.mark.parametrize(
    "word, told",
    [
        ("left:F2", "seat 1 plays the left card, fish 2, to move to the left"),
        ("mid:S1", "seat 1 plays the middle card, sheep 1, into the docked ship"),
        ("redraw:F2.S1.C3", "seat 1 pays 2 coins and puts away fish 2, sheep 1, coffer 3"),
        ("extra", "seat 1 buys an additional turn"),
        ("pay:turn:cw", "seat 1 pays a coin and turns the fleet clockwise"),
        ("store:2", "seat 1 opens warehouse 2"),
    ],
)
def test_moves_in_words(lofoten, word, told):
    assert lofoten.describe_move(position(), lofoten.parse_move(word)) == told


def test_four_alike_are_told_once_each():
    """The tile just placed can be one of the two that leave; an empty area says nothing."""
    before = position(phase="place", tile="C2x", market="C1x.C2o.-.C3x.-", piles="?14.S14")
    after = before.copy()
    after.apply(before.game.parse_move("place:3"))
    told = [line for line in before.game.describe_change(before, after) if "alike" in line]
    assert told == [
        "four alike: coffer 2o in the second area leaves the game",
        "four alike: coffer 2x, just placed, leaves the game",
    ]
