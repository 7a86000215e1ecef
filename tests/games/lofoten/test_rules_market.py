"""Lofoten, RULES.md sections 7 and 8: the draw phase and maintenance."""

import pytest
from helpers import (
    CARDS,
    TILES,
    field,
    first_luck,
    legal,
    market,
    number,
    phase,
    play,
    position,
    ships,
    weights,
)

# Section 7: the draw phase.


def test_7_1_a_card_is_drawn_and_seen_before_it_is_placed():
    """EN Draw phase; R34: the owner looks at it first, the other seat does not see it."""
    state = play(position(hand_p1="F1.S2.C3"), "right:C3", "stop")
    outcomes = weights(state)
    assert outcomes["~draw@p1=F1"] == 2 and outcomes["~draw@p1=C1"] == 3
    assert "~draw@p1=F3" in outcomes and sum(outcomes.values()) == 36 - 3 - 3
    state = play(state, "~draw@p1=M2")
    assert field(state, "drawn.p1") == "M2" and field(state, "hand.p1") == "F1.S2"
    assert field(state.view(0), "drawn.p1") == "M2" and field(state.view(1), "drawn.p1") == "?"


@pytest.mark.parametrize("word, hand", [("put:left", "M2.F1.S2"), ("put:right", "F1.S2.M2")])
def test_7_1_at_the_left_or_right_end(word, hand):
    """EN Draw phase: not in the middle, without changing the order of the others."""
    state = play(position(hand_p1="F1.S2.C3"), "right:C3", "stop", "~draw@p1=M2")
    assert legal(state) == {"put:left", "put:right"}
    assert field(play(state, word), "hand.p1") == hand


def test_7_2_an_empty_deck_is_renewed_when_a_card_is_needed():
    """Silent; R35: the discard pile is shuffled into a new deck, not before it is needed."""
    state = position(hand_p1="F1.S2.C3", deck="M2", coins="0.0.8")
    state = play(state, "right:C3", "stop")
    assert weights(state) == {"~draw@p1=M2": 1} and number(state, "shuffles") == 0
    state = play(state, "~draw@p1=M2", "put:left", "end")
    assert number(state, "shuffles") == 0 and field(state, "discard") != "-"
    state = play(state, "left:M3", "stop")
    assert number(state, "shuffles") == 1 and field(state, "discard") == "-"
    kept = ["F1", "S2", "M2", "F3", "S3"]
    left = {f"~draw@p2={card}": n - kept.count(card) for card, n in CARDS.items()}
    assert weights(state) == {token: n for token, n in left.items() if n}
    assert "~draw@p2=M3" in weights(state), "the card just played is among them"


def test_7_2_what_the_hands_had_kept_can_be_counted():
    """R35, R69: all discards are public, so the cards kept in both hands are known as a class."""
    state = position(hand_p1="F1.S2.C3", deck="M2", turn="p2", hand_p2="M3.F3.S3")
    state = play(state, "left:M3", "stop", "~draw@p2=M2", "put:left", "end")
    state = play(state, "left:F1", "stop", "~draw@p1=C1", "put:right")
    assert field(state, "hand.p1") == "S2a.C3a.C1" and field(state, "hand.p2") == "M2a.F3a.S3a"
    view = state.view(1)
    assert field(view, "hand.p1") == "?a.?a.?" and field(view, "held") == "a:S2.C3"
    view = state.view(0)
    assert field(view, "hand.p2") == "?a.?a.?a" and field(view, "held") == "a:M2.F3.S3"


# Section 8: maintenance.


def test_8_1_nothing_to_do_while_the_market_is_full():
    """EN Maintenance: for each empty space only."""
    state = play(position(hand_p1="F1.S2.C3"), "right:C3", "stop", "~draw@p1=M2", "put:left")
    assert phase(state) == "end p1"


def test_8_1_pile_then_tile_then_area():
    """EN Maintenance; R36: choose a pile, flip that tile, then choose the space."""
    state = position(phase="pile", market="-.F1x.S1x.C1x.-", piles="S14.M15")
    assert legal(state) == {"pile:1", "pile:2"}
    state = play(state, "pile:2")
    left = {"M1x": 1, "M1o": 1, "M2x": 2, "M2o": 2, "M3x": 1, "M3o": 1}
    assert weights(state) == {f"~flip2={tile}": n for tile, n in left.items()}
    state = play(state, "~flip2=M3o")
    assert legal(state) == {"place:1", "place:5"}, "no return to the pile"
    assert field(state, "tile") == field(state.view(1), "tile") == "M3o"
    state = play(state, "place:5")
    assert market(state) == ["-", "F1x", "S1x", "C1x", "M3o"]
    assert weights(state) == {"~top2=M": 7, "~top2=S": 7 - 1, "~top2=F": 7, "~top2=C": 7}
    state = play(state, "~top2=F")
    assert field(state, "piles") == "S14.F14" and legal(state) == {"pile:1", "pile:2"}
    state = play(state, "pile:1", "~flip1=S2x")
    assert legal(state) == {"place:1"}
    state = first_luck(play(state, "place:1"))
    assert phase(state) == "end p1" and "-" not in market(state)


def test_8_1_all_flipped_tiles_are_of_the_type_that_shows():
    """EN Setup, tiles: the back shows the type."""
    for kind in "MFSC":
        piles = f"{kind}14.{kind}14"
        state = play(position(phase="pile", market="M1x.F1x.S1x.C1x.-", piles=piles), "pile:1")
        assert {token[7] for token in legal(state)} == {kind}
        expected = {
            f"~flip1={tile}": copies - (tile in ("M1x", "F1x", "S1x", "C1x"))
            for tile, copies in TILES.items()
            if tile[0] == kind
        }
        assert weights(state) == {token: n for token, n in expected.items() if n}


def test_8_1_with_one_pile_empty_the_other_is_used():
    """R37."""
    state = position(phase="pile", market="-.F1x.S1x.C1x.-", unseen="S2x.M2x", piles="-.S2")
    assert legal(state) == {"pile:2"}
    state = first_luck(play(state, "pile:2", "~flip2=S2x", "place:1"))
    assert field(state, "piles") == "-.M1" and legal(state) == {"pile:2"}


@pytest.mark.parametrize(
    "before, place, after, gone",
    [
        ("F1x.F2x.F3x.-.S1x", 4, "F1x.-.-.F2o.S1x", "F2x.F3x"),
        ("F1x.-.F3x.F2x.S1x", 2, "F1x.-.-.F2x.S1x", "F2o.F3x"),
        ("-.S1x.F1x.F2x.F3x", 1, "F2o.S1x.-.-.F3x", "F1x.F2x"),
        ("F1x.F2x.S1x.F3x.-", 5, "F1x.-.S1x.-.F2o", "F2x.F3x"),
        ("F1x.S1x.F2x.-.F3x", 4, "F1x.S1x.-.-.F3x", "F2x.F2o"),
        ("F1x.-.F2x.S1x.F3x", 2, "F1x.-.-.S1x.F3x", "F2x.F2o"),
    ],
)
def test_8_2_of_four_alike_the_two_in_the_middle_leave(before, place, after, gone):
    """EN Maintenance, note; R39: the 2nd and 3rd in board order; R42: out of the game."""
    state = position(phase="place", tile="F2o", market=before, piles="?13.C14")
    state = play(state, f"place:{place}")
    assert field(state, "market") == after
    assert sorted(field(state, "out").split(".")) == sorted(gone.split("."))
    assert number(state, "fours") == 1
    state = first_luck(state)
    assert phase(state) == "pile p1" and legal(state) == {"pile:1", "pile:2"}


def test_8_2_it_is_checked_at_once_after_each_tile():
    """ES Mantenimiento, "at any moment"; R38: not only when the market is full."""
    state = position(phase="place", tile="F2o", market="F1x.F2x.F3x.-.-", piles="?14.C14")
    state = first_luck(play(state, "place:4"))
    assert field(state, "market") == "F1x.-.-.F2o.-" and field(state, "out") == "F2x.F3x"
    assert phase(state) == "pile p1"


def test_8_2_as_often_as_it_occurs():
    """R40: the replacements may make four alike again."""
    state = position(phase="place", tile="F2o", market="F1x.F2x.F3x.-.S1x", piles="?14.F13")
    state = play(state, "place:4", "~top1=F", "pile:1", "~flip1=F1o", "place:2", "~top1=F")
    assert field(state, "market") == "F1x.F1o.-.F2o.S1x" and number(state, "fours") == 1
    state = play(state, "pile:1", "~flip1=F3o", "place:3")
    assert field(state, "market") == "F1x.-.-.F2o.S1x" and number(state, "fours") == 2
    assert field(state, "out") == "F1o.F2x.F3x.F3o"


def test_8_2_three_alike_stay():
    """EN Maintenance, note: four of the same type only."""
    state = position(phase="place", tile="F2o", market="F1x.F2x.-.M1x.S1x", piles="?14.C13")
    state = first_luck(play(state, "place:3"))
    assert phase(state) == "end p1" and field(state, "out") == "-"


def test_8_2_a_four_is_no_progress_by_itself():
    """R70: only tiles loaded or discarded by mead count as leaving the market."""
    state = position(
        phase="place", tile="F2o", market="F1x.F2x.F3x.-.S1x", piles="?13.C14", quiet=7
    )
    state = play(first_luck(play(state, "place:4")), "pile:1")
    assert number(state, "moved") == 0 and number(state, "quiet") == 7


SHORT = {"phase": "place", "tile": "F2o", "market": "F1x.F2x.F3x.-.S1x"}


@pytest.mark.parametrize("unseen, piles", [("-", "-.-"), ("M2x", "-.M1")])
def test_8_3_four_alike_leave_though_the_piles_cannot_replace_them(unseen, piles):
    """R41: still discard the two, refill as far as possible, and the end is triggered."""
    state = position(unseen=unseen, piles=piles, **SHORT)
    state = play(state, "place:4")
    assert field(state, "market") == "F1x.-.-.F2o.S1x"
    if unseen != "-":
        assert legal(state) == {"pile:2"}
        state = play(state, "pile:2", "~flip2=M2x", "place:3")
    assert phase(state) == "end p1" and number(state, "triggered") == 1


@pytest.mark.parametrize("unseen, piles", [("-", "-.-"), ("M2x", "-.M1")])
def test_8_3_setting_keep_they_stay(unseen, piles):
    """R41, four-short=keep: with fewer than two tiles left they are kept."""
    state = play(position(unseen=unseen, piles=piles, four_short="keep", **SHORT), "place:4")
    assert field(state, "market") == "F1x.F2x.F3x.F2o.S1x"
    assert phase(state) == "end p1" and number(state, "triggered") == 0
    assert number(state, "fours") == 0


def test_8_3_setting_keep_two_left_are_enough():
    """R41, four-short=keep: two tiles can replace the two."""
    state = position(unseen="M2x.S2x", piles="?1.S1", four_short="keep", **SHORT)
    assert field(play(state, "place:4"), "market") == "F1x.-.-.F2o.S1x"


def test_8_any_empty_area_may_be_filled_first():
    """EN Maintenance: an empty space of your choice, also in front of the other's fleet."""
    waiting = {"ships_p2": ships(top="F1"), "area_p2": 1}
    state = position(
        phase="place", tile="F2o", market="-.F1x.-.M1x.S1x", piles="?14.C14", **waiting
    )
    assert legal(state) == {"place:1", "place:3"}
    assert market(play(state, "place:1"))[0] == "F2o"
