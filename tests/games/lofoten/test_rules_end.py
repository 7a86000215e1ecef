"""Lofoten, RULES.md section 9: the end of the game and the final scoring."""

import itertools

import pytest
from helpers import (
    field,
    finish_turn,
    legal,
    market,
    number,
    phase,
    play,
    position,
    ship,
    ships,
    stored,
    take_luck,
)

import engine

FULL = "M1x.F1x.S1x.C1x.M1o"
GAP = "M1x.F1x.S1x.C1x.-"


def refilling(seat=1, unseen="-", **given):
    """Return the state in which a seat's new card is about to bring on the maintenance."""
    given = {"market": GAP, "moved": 1, "hand_p1": "M1.F1.S1", "hand_p2": "M3.F3.S3"} | given
    hand = given[f"hand_p{seat}"]
    given[f"hand_p{seat}"], given[f"drawn_p{seat}"] = hand[:5], hand[6:]
    return position(phase="put", turn=f"p{seat}", unseen=unseen, **given)


# 9.1 to 9.3: the trigger, equal turns, the last turn.


def test_9_1_an_area_that_stays_empty_triggers_the_end():
    """EN End of the Game: not enough tiles to refill the market; R43."""
    state = play(refilling(), "put:left")
    assert phase(state) == "end p1" and number(state, "triggered") == 1
    assert market(state)[4] == "-"


def test_9_1_filling_the_board_with_the_very_last_tile_does_not():
    """R43: a space must stay empty."""
    state = play(refilling(unseen="S2x"), "put:left", "pile:1", "~flip1=S2x", "place:5")
    assert phase(state) == "end p1" and field(state, "piles") == "-.-"
    assert number(state, "triggered") == 0
    state = finish_turn(play(state, "end", "left:M3", "stop"))
    assert phase(state) == "play p1" and number(state, "triggered") == 0


def test_9_1_what_is_left_is_placed_first():
    """R44: a partial refill, at spaces of the player's choice."""
    state = play(refilling(unseen="S2x", market="M1x.-.S1x.-.M1o"), "put:left", "pile:1")
    state = play(state, "~flip1=S2x")
    assert legal(state) == {"place:2", "place:4"}
    state = play(state, "place:4")
    assert phase(state) == "end p1" and market(state) == ["M1x", "-", "S1x", "S2x", "M1o"]
    assert number(state, "triggered") == 1


def test_9_2_seat_1_triggers_and_seat_2_has_the_last_turn():
    """EN End of the Game: the same number of turns, the first player's opponent last; R45."""
    state = play(refilling(), "put:left", "end")
    assert phase(state) == "play p2" and number(state, "turns") == 1
    state = play(state, "left:M3", "stop", "end")
    assert phase(state) == "unload p1" and number(state, "turns") == 2


def test_9_2_seat_2_triggers_and_the_game_is_over_at_once():
    """EN End of the Game: turns are equal then; R46."""
    state = play(refilling(2), "put:left")
    assert phase(state) == "end p2" and number(state, "triggered") == 1
    assert phase(play(state, "end")) == "unload p1"


def test_9_3_the_last_turn_is_an_action_phase_only():
    """FR End of the Game: at the end of the action phase; R47: no draw and no maintenance."""
    state = position(triggered=1, turn="p2", hand_p2="M3.M2.S3", market=GAP, unseen="-")
    assert legal(play(state, "left:M3", "stop")) == {"end"}
    state = play(state, "mid:M2", "discard:1")
    assert phase(state) == "last p2" and field(state, "hand.p2") == "M3.S3"
    assert legal(state) == {"end"}
    assert phase(play(state, "end")) == "unload p1"


def test_9_3_the_last_turn_loads_and_unloads():
    """R47: the action phase with all its automatic actions."""
    state = position(
        phase="end", triggered=1, hand_p2="M3.F2.S3", ships_p2=ships(top="S2"), unseen="-"
    )
    state = play(state, "end")
    assert ship(state, 2, "top") == "S2+S1x"
    state = play(state, "right:S3", "turn:cw", "turn:cw", "store:1", "stop")
    assert stored(state, 1) == "S:-/S1x" and phase(state) == "last p2"


def test_9_3_the_first_seats_turn_with_the_trigger_is_a_whole_one():
    """R47: only the last turn is cut short."""
    state = position(triggered=1, turn="p1", market=GAP, unseen="-")
    assert phase(play(state, "left:M1", "stop")) == "draw p1"


# 9.4 and 9.5: additional turns at the end.


def test_9_4_paid_for_before_the_end_of_the_last_action_phase():
    """R48, R74: draw and maintenance as always, then the additional turn, which is the last."""
    state = position(triggered=1, turn="p2", coins="0.3.5", market=GAP, unseen="-")
    state = play(state, "extra", "left:M3", "stop")
    assert phase(state) == "draw p2"
    state = play(state, "~draw@p2=C3", "put:right")
    assert phase(state) == "end p2" and market(state)[4] == "-"
    state = play(state, "end")
    assert phase(state) == "play p2" and number(state, "extra") == 0
    state = play(state, "left:F3", "stop")
    assert phase(state) == "last p2" and legal(state) == {"end"}
    assert phase(play(state, "end")) == "unload p1"


def test_9_4_paid_for_right_after_the_last_action_phase():
    """R74: the last chance to pay; no redraw with two cards; draw and maintenance follow."""
    state = position(triggered=1, turn="p2", coins="0.5.3", hand_p2="M3.M2.S3", unseen="-")
    state = play(state, "mid:M2", "stop")
    assert phase(state) == "last p2" and legal(state) == {"end", "extra"}
    state = play(state, "extra")
    assert phase(state) == "draw p2" and number(state, "extra") == 1
    state = play(state, "~draw@p2=C3", "put:right")
    assert phase(state) == "end p2" and legal(state) == {"end", "redraw:M3.S3.C3"}
    state = play(state, "end")
    assert phase(state) == "play p2" and number(state, "extra") == 0


def test_9_4_the_additional_turn_may_fill_the_market_again():
    """R74: draw and maintenance as always, where the stall rule has ended the game."""
    state = position(triggered=1, turn="p2", coins="0.3.5", hand_p2="M3.M2.S3")
    state = play(state, "mid:M2", "discard:5", "extra", "~draw@p2=C3", "put:right")
    assert phase(state) == "pile p2"


def test_9_4_setting_late_extra_off():
    """R48, late-extra=off: no additional turn is sold once the end is triggered."""
    given = {"coins": "4.4.0", "market": GAP, "unseen": "-", "late_extra": "off"}
    for turn in ("p1", "p2"):
        for name in ("play", "end"):
            state = position(phase=name, turn=turn, triggered=1, **given)
            assert "extra" not in legal(state), (turn, name)
    assert "extra" in legal(position(**given))
    state = position(turn="p2", triggered=1, hand_p2="M3.M2.S3", **given)
    state = play(state, "mid:M2", "stop")
    assert phase(state) == "last p2" and legal(state) == {"end"}


def test_9_4_late_extra_on_sells_to_both():
    """R48: allowed for both; EN and ES know no limit."""
    for turn in ("p1", "p2"):
        for name in ("play", "end"):
            state = position(
                phase=name, triggered=1, turn=turn, coins="4.4.0", market=GAP, unseen="-"
            )
            assert "extra" in legal(state), (turn, name)


def test_9_4_setting_last_extra_off():
    """R74, last-extra=off: not in the turn after which the game ends, but in seat 1's."""
    given = {"triggered": 1, "coins": "4.4.0", "market": GAP, "unseen": "-", "last_extra": "off"}
    assert "extra" not in legal(position(turn="p2", **given))
    state = position(turn="p2", hand_p2="M3.M2.S3", **given)
    state = play(state, "mid:M2", "stop")
    assert legal(state) == {"end"}
    assert "extra" in legal(position(turn="p1", **given))
    assert "extra" in legal(position(turn="p1", phase="end", **given))
    assert "extra" in legal(position(turn="p2", **(given | {"triggered": 0})))


def test_9_4_setting_last_extra_off_where_seat_2_triggers():
    """R46, R74: the turn in which seat 2 triggers is the one after which the game ends."""
    given = {"coins": "0.4.4", "last_extra": "off"}
    assert legal(play(refilling(2, **given), "put:left")) == {"end", "redraw:S3.M3.F3"}
    assert "extra" in legal(play(refilling(2, extra=1, **given), "put:left"))
    assert "extra" in legal(play(refilling(1, last_extra="off", coins="4.0.4"), "put:left"))


def test_9_5_turns_paid_for_are_taken_after_the_trigger():
    """R76, R32: seat 1's additional turn, then the last turn of seat 2."""
    for late in ("on", "off"):
        state = play(refilling(extra=1, late_extra=late), "put:left", "end")
        assert phase(state) == "play p1" and number(state, "triggered") == 1
        state = play(state, "left:S1", "stop")
        assert phase(state) == "draw p1", "draw and maintenance are part of it"
        state = play(finish_turn(state), "left:M3", "stop")
        assert phase(state) == "last p2"


def test_9_5_seat_2_triggers_with_a_turn_paid_for():
    """R76, R47: its additional turn is then the last one of the game."""
    state = play(refilling(2, extra=1, late_extra="off"), "put:left", "end")
    assert phase(state) == "play p2"
    state = play(state, "left:S3", "stop")
    assert phase(state) == "last p2" and legal(state) == {"end"}
    assert phase(play(state, "end")) == "unload p1"


def test_9_5_two_turns_paid_for_at_the_end():
    """R76, R31: one after the other, only the last of them is cut short."""
    state = position(triggered=1, turn="p2", extra=2, market=GAP, unseen="-")
    for more in (1, 0):
        state = finish_turn(play(state, legal_left(state), "stop"))
        assert phase(state) == "play p2" and number(state, "extra") == more
    state = play(state, legal_left(state), "stop")
    assert phase(state) == "last p2"


def legal_left(state):
    return next(word for word in legal(state) if word.startswith("left:"))


# 9.6: the stall rule.


@pytest.mark.parametrize("limit", [1, 2, 7, 60, 250])
def test_9_6_so_many_turns_without_a_tile_leaving_trigger_the_end(limit):
    """R70: at the end of the last of them, exactly as by R43."""
    given = {} if limit == 60 else {"stall": limit}
    last = position(phase="end", quiet=limit - 1, **given)
    state = play(last, "end")
    assert number(state, "triggered") == 1 and number(state, "quiet") == limit
    assert phase(state) == "play p2"
    assert phase(play(state, "left:M3", "stop")) == "last p2"
    if limit > 1:
        state = play(position(phase="end", quiet=limit - 2, **given), "end")
        assert number(state, "triggered") == 0 and number(state, "quiet") == limit - 1


def test_9_6_seat_2_makes_the_last_of_them():
    """R70, R46: over at once."""
    state = position(phase="end", turn="p2", quiet=59)
    assert phase(play(state, "end")) == "unload p1"
    state = play(position(phase="end", turn="p2", quiet=59, extra=1), "end")
    assert phase(state) == "play p2" and number(state, "triggered") == 1
    assert phase(play(state, "left:M3", "stop")) == "last p2"


def test_9_6_a_tile_loaded_or_discarded_by_mead_starts_the_count_anew():
    """R70: both, also a tile loaded by the check that opens the turn."""
    state = position(phase="end", turn="p2", quiet=58, ships_p1=ships(top="S2"))
    state = play(state, "end")
    assert number(state, "quiet") == 59 and number(state, "moved") == 1
    state = finish_turn(play(state, "left:M1", "stop"))
    assert number(state, "quiet") == 0 and number(state, "triggered") == 0
    state = position(quiet=59, hand_p1="S1.M2.C1")
    state = finish_turn(play(state, "mid:M2", "discard:1"))
    assert number(state, "quiet") == 0 and number(state, "triggered") == 0
    assert number(state, "moved") == 0


def test_9_6_other_actions_do_not():
    """R70: neither moves nor coins nor an unloading are a tile that leaves the market."""
    state = position(quiet=10, hand_p1="S1.M2.C2", ships_p1=ships(right="F1+F2o"), coins="2.3.3")
    state = play(state, "right:C2", "turn:cw", "store:1", "turn:cw", "stop")
    assert number(finish_turn(state), "quiet") == 11


def test_9_6_additional_turns_count():
    """R70: both players together, extra turns too."""
    state = play(position(phase="end", extra=1, quiet=20), "end")
    assert phase(state) == "play p1" and number(state, "quiet") == 21


def test_9_6_setting_off_has_no_such_end():
    """R70, stall=off."""
    state = play(position(phase="end", quiet=400, stall="off"), "end")
    assert number(state, "triggered") == 0 and number(state, "quiet") == 401


def test_9_6_setting_off_is_bounded_by_the_program():
    """RULES.md, longest game: the program stops after 5,000 such turns."""
    state = play(position(phase="end", quiet=4998, stall="off"), "end")
    assert number(state, "triggered") == 0
    state = play(position(phase="end", quiet=4999, stall="off"), "end")
    assert number(state, "triggered") == 1


@pytest.mark.parametrize("stall", ["0", "251", "-1", "1.5", "on", ""])
def test_9_6_the_setting_is_1_to_250_or_off(stall):
    with pytest.raises(engine.BadSetting, match="stall"):
        engine.load("lofoten", stall=stall)


@pytest.mark.parametrize("stall", [1, 60, 250])
def test_9_longest_game(stall):
    """RULES.md, longest game: the sum of the base game, and of all modules."""
    base = 7 * (33 * stall + 32 + 293 // 3 + 24) + 36 * 9 + 293 + 228
    assert engine.load("lofoten", stall=stall).max_plies == base
    coins = 5 + 36 * 9 + 16
    full = 16 * (33 * stall + 32 + coins // 2 + 24) + 2 * (36 * 10 + coins) + 228
    game = engine.load("lofoten", stall=stall, level2=2, jarls="on", upgrades="on")
    assert game.max_plies == full


# 9.7: the last unloading.


def test_9_7_seat_1_then_seat_2_may_unload_one_ship():
    """EN End of the Game: only one, no matter which position it is in; R49: optional."""
    given = {"unseen": "-", "market": "-.-.-.-.-", "phase": "unload", "triggered": 1}
    loaded = {
        "ships_p1": ships(top="M1+M2x", right="F1+F3x", left="C3+C1x"),
        "ships_p2": ships(left="S2+S2x", dock="S1"),
    }
    state = position(**given, **loaded)
    assert legal(state) == {"unload:top", "unload:right", "unload:left", "keep"}
    state = play(state, "unload:right")
    assert phase(state) == "store p1" and legal(state) == {f"store:{n}" for n in (1, 2, 3, 4)}
    state = play(state, "store:2")
    assert stored(state, 2) == "F:F3x/-" and field(state, "discard") == "F1"
    assert phase(state) == "unload p2" and legal(state) == {"unload:left", "keep"}
    state = play(state, "unload:left")
    assert legal(state) == {"store:1", "store:3", "store:4"}
    state = play(state, "store:4")
    assert state.is_terminal and phase(state).startswith("over")
    assert stored(state, 4) == "S:-/S2x" and state.scores() == [6, 8]
    assert ship(state, 1, "top") == "M1+M2x", "only one each"


@pytest.mark.parametrize("place", ["top", "right", "left"])
def test_9_7_from_any_place_to_the_warehouse_of_the_type(place):
    """EN End of the Game: add the tile to the appropriate warehouse."""
    state = position(
        phase="unload", ships_p1=ships(**{place: "M1+M2x"}), warehouses="w1|w4:M:-/M3x|w6|w8"
    )
    state = play(state, f"unload:{place}")
    assert stored(state, 2) == "M:M2x/M3x" and ship(state, 1, place) == "-"
    assert field(state, "discard") == "M1"


def test_9_7_orders_without_tiles_cannot_be_unloaded():
    """EN End of the Game: the Merchandise tile of one longship."""
    state = position(phase="unload", ships_p1=ships(top="M1", dock="F1"))
    assert legal(state) == {"keep"}
    state = play(state, "keep")
    assert phase(state) == "unload p2" and legal(state) == {"keep"}
    assert play(state, "keep").is_terminal


def test_9_7_both_may_keep():
    """R49: optional."""
    tiles = {"ships_p1": ships(top="M1+M2x"), "ships_p2": ships(top="M2+M3x")}
    state = play(position(phase="unload", **tiles), "keep", "keep")
    assert state.is_terminal and state.scores() == [0, 0]


# 9.8 and 9.9: the scores.


def final(warehouses, **given):
    """Return the state after the last unloading, in which nothing was unloaded."""
    given |= {"phase": "unload", "market": "-.-.-.-.-", "warehouses": warehouses}
    return play(position(**given), "keep", "keep")


@pytest.mark.parametrize(
    "warehouses, scores",
    [
        ("w1:M:M1x/-|w4|w6|w8", [4, 0]),
        ("w1|w4:M:M1x/M2x|w6|w8", [0, 6]),
        ("w1:M:M3x/M1x.M1o|w4|w6|w8", [4, 0]),
        ("w1:M:M3x/M2x.M2o|w4:C:C1x/-|w6|w8", [6, 4]),
        ("w1:M:M3x.M3o/M2x.M2o|w4:C:C1x/C1o|w6:F:-/F1x|w8:S:S3x/S2x", [12, 7]),
    ],
)
def test_9_8_who_stores_more_gains_the_points_of_the_card(warehouses, scores):
    """EN Final Scoring: totals of the numbers on the tiles; the PP of the Warehouse card."""
    state = final(warehouses)
    assert state.scores() == scores
    assert state.margins() == [scores[0] - scores[1], scores[1] - scores[0]]


@pytest.mark.parametrize("card, worth", list(enumerate((4, 5, 5, 6, 6, 7, 7, 8), 1)))
def test_9_8_the_points_of_each_card(card, worth):
    """data.toml: the stand-in points of the eight cards."""
    others = [f"w{n}" for n in range(1, 9) if n != card][:3]
    assert final("|".join([f"w{card}:M:M1x/-", *others])).scores() == [worth, 0]


@pytest.mark.parametrize("tie, scores", [("none", [0, 0]), ("both", [4, 4])])
def test_9_8_a_tie_and_its_setting(tie, scores):
    """EN Final Scoring: neither earns the PP; R54, tie=both, from the French text."""
    warehouses = "w1:M:M3x/M1x.M2x|w4|w6|w8"
    state = final(warehouses, tie=tie)
    assert state.scores() == scores and state.returns() == [0.5, 0.5]


def test_9_8_nobody_scores_an_empty_warehouse():
    """R52, R54: not for 0 to 0, under either setting."""
    for tie in ("none", "both"):
        assert final("w1|w4|w6|w8", tie=tie).scores() == [0, 0]


@pytest.mark.parametrize(
    "warehouses, returns",
    [
        ("w1:M:M1x/-|w4|w6|w8", [1, 0]),
        ("w1:M:-/M1x|w4|w6|w8", [0, 1]),
        ("w2:M:-/M1x|w3:C:C1x/-|w6|w8", [0.5, 0.5]),
        ("w1|w4|w6|w8", [0.5, 0.5]),
    ],
)
def test_9_9_more_points_win_and_equal_points_are_a_draw(warehouses, returns):
    """EN Final Scoring: the player with more PP wins; R53."""
    state = final(warehouses)
    assert state.returns() == returns


def test_9_a_whole_game_ends_with_the_last_unloading():
    """All of section 9 in one game in which only the first legal move is ever played."""
    state = take_luck(engine.load("lofoten", stall=4).new_state())
    phases = []
    while not state.is_terminal:
        phases.append(phase(state))
        state = take_luck(play(state, state.game.move_name(state.legal_moves()[0])))
    ends = [name for name, _ in itertools.groupby(phases)][-3:]
    assert ends == ["last p2", "unload p1", "unload p2"]
