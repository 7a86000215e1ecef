"""Lofoten, RULES.md sections 3 to 5: the turn, side cards and coins."""

import itertools

import pytest
from helpers import (
    area,
    field,
    finish_turn,
    first_luck,
    legal,
    market,
    number,
    phase,
    play,
    position,
    ship,
    ships,
    stored,
    weights,
)

# Section 3: the turn.


def test_3_1_the_load_check_opens_the_turn():
    """EN Automatic actions, first bullet; R72: a ship loads before its owner decides anything."""
    state = position(phase="end", turn="p2", ships_p1=ships(top="S2"), coins="8.0.0")
    assert ship(state, 1, "top") == "S2"
    state = play(state, "end")
    assert phase(state) == "play p1"
    assert ship(state, 1, "top") == "S2+S1x" and market(state)[2] == "-"


def test_3_1_additional_turns_open_with_it_too():
    """R30, R75: an additional turn starts with the automatic load check."""
    state = position(phase="end", extra=1, ships_p1=ships(top="S2"))
    state = play(state, "end")
    assert phase(state) == "play p1" and ship(state, 1, "top") == "S2+S1x"


def test_3_2_one_card_must_be_played():
    """EN Action phase: you must play one of the three cards; R9."""
    state = position(hand_p1="F2.S1.C3", coins="0.3.5")
    assert legal(state) == {"left:F2", "mid:S1", "right:C3"}


@pytest.mark.parametrize("at", [1, 5])
def test_3_2_a_side_card_can_always_be_played(at):
    """R9, R73: at an end area with an order at the dock the side cards are still there."""
    state = position(hand_p1="F2.S1.C3", area_p1=at, ships_p1=ships(*["C1", "C1", "M2", "M2"]))
    assert legal(state) == {"left:F2", "right:C3"}
    for card in ("left:F2", "right:C3"):
        assert any(word.startswith("turn:") for word in legal(play(state, card)))


@pytest.mark.parametrize(
    "card, left", [("left:F2", "S1.C3"), ("mid:S1", "F2.C3"), ("right:C3", "F2.S1")]
)
def test_3_3_the_other_two_cards_keep_their_order(card, left):
    """EN Action phase: without changing the order of the 2 other cards in your hand."""
    state = play(position(hand_p1="F2.S1.C3"), card)
    assert field(state, "hand.p1") == left


def test_3_the_three_phases_follow_each_other():
    """EN Playing the Game: action, draw, maintenance, then it is the opponent's turn."""
    state = position(hand_p1="F2.M1.C3")
    state = play(state, "mid:M1", "discard:4")
    assert phase(state) == "draw p1"
    state = play(state, "~draw@p1=F1")
    assert phase(state) == "put p1"
    state = play(state, "put:left")
    assert phase(state) == "pile p1"
    state = first_luck(play(state, "pile:1"))
    state = first_luck(play(state, "place:4"))
    assert phase(state) == "end p1" and legal(state) == {"end"}
    state = play(state, "end")
    assert phase(state) == "play p2" and number(state, "turns") == 1


# Section 4: side cards.


@pytest.mark.parametrize("value, made", [(v, n) for v in (1, 2, 3) for n in range(v + 1)])
def test_4_1_a_card_of_value_v_gives_up_to_v_moves(value, made):
    """EN Side card: 1, 2 or 3 moves, not all required; R10: none is allowed too."""
    state = play(position(hand_p1=f"M1.M2.S{value}"), f"right:S{value}", *["turn:cw"] * made)
    if made < value:
        assert "stop" in legal(state)
        state = play(state, "stop")
    assert phase(state) == "draw p1"


@pytest.mark.parametrize(
    "card, steps", [("right", {"move:right", "turn:cw"}), ("left", {"move:left", "turn:ccw"})]
)
def test_4_2_the_side_of_the_card_gives_the_direction(card, steps):
    """EN Side card: right card to the right and clockwise, left card left, counterclockwise."""
    state = position(hand_p1="C3.M1.C3")
    state = play(state, f"{card}:C3")
    for step in ("turn:cw" if card == "right" else "turn:ccw", f"move:{card}"):
        assert legal(state) == steps | {"stop"}
        state = play(state, step)
    assert legal(state) == steps | {"stop"}


def test_4_2_the_three_moves_of_the_example():
    """EN Side card, example: right card of value 3; right, a quarter turn clockwise, another."""
    orders = ships(top="M1", right="F1", dock="S2", left="C2")
    state = position(hand_p1="C1.C1.F3", ships_p1=orders, area_p1=2, market="-.-.-.-.-")
    state = play(state, "right:F3", "move:right")
    assert area(state, 1) == 3 and field(state, "ships.p1") == orders
    state = play(state, "turn:cw")
    assert field(state, "ships.p1") == ships(top="C2", right="M1", dock="F1", left="S2")
    assert "stop" in legal(state), "she could have stopped there"
    state = play(state, "turn:cw")
    assert field(state, "ships.p1") == ships(top="S2", right="C2", dock="M1", left="F1")
    assert area(state, 1) == 3 and phase(state) == "draw p1"


def test_4_2_only_the_value_counts():
    """EN Side card, example: the type of merchandise and its action can be ignored."""
    for kind in "MFSC":
        state = play(position(hand_p1=f"{kind}3.M1.M1", coins="0.8.0"), f"left:{kind}3")
        assert legal(state) == {"move:left", "turn:ccw", "stop"}


def test_4_2_counterclockwise_is_the_reverse():
    """EN Side card: a quarter turn counterclockwise with the left card."""
    orders = ships(top="M1", right="F1", dock="S2", left="C2")
    state = position(hand_p1="F3.C1.C1", ships_p1=orders, market="-.-.-.-.-")
    state = play(state, "left:F3", "turn:ccw")
    assert field(state, "ships.p1") == ships(top="F1", right="S2", dock="C2", left="M1")


def test_4_2_any_mix_in_any_order():
    """EN Side card: the value is spent on either or both types of movement; R14."""
    start = play(position(hand_p1="C3.C3.F3"), "right:F3")
    ends = {}
    for steps in itertools.product(("move:right", "turn:cw"), repeat=3):
        if steps.count("move:right") < 3:
            ends[steps] = area(play(start, *steps), 1)
    assert len(ends) == 7
    assert all(end == 3 + steps.count("move:right") for steps, end in ends.items())


@pytest.mark.parametrize(
    "seat, card, to", [(1, "right", 4), (1, "left", 2), (2, "right", 2), (2, "left", 4)]
)
def test_4_3_left_and_right_are_the_owners_own(seat, card, to):
    """Silent; R11: the seats sit opposite, so area 1 of one is area 5 of the other."""
    hands = {f"hand_p{seat}": "C1.F1.C1"}
    state = play(position(turn=f"p{seat}", **hands), f"{card}:C1", f"move:{card}")
    assert area(state, seat) == to and area(state, 3 - seat) == 3


def test_4_3_clockwise_is_the_same_for_both():
    """R11: seen from above, clockwise is clockwise: what faced the market is on the right."""
    for seat in (1, 2):
        given = {f"hand_p{seat}": "C1.F1.C1", f"ships_p{seat}": ships(top="M1", left="F1")}
        state = play(position(turn=f"p{seat}", **given), "right:C1", "turn:cw")
        assert field(state, f"ships.p{seat}") == ships(right="M1", top="F1")


@pytest.mark.parametrize(
    "seat, at, card", [(1, 5, "right"), (1, 1, "left"), (2, 1, "right"), (2, 5, "left")]
)
def test_4_4_no_move_beyond_the_end_areas(seat, at, card):
    """EN Side card: always aligned with one of the 5 areas; R12, R73: a turn is possible."""
    given = {f"hand_p{seat}": "C2.F1.C2", f"area_p{seat}": at}
    state = play(position(turn=f"p{seat}", **given), f"{card}:C2")
    turn = "turn:cw" if card == "right" else "turn:ccw"
    assert legal(state) == {turn, "stop"}
    other = "left" if card == "right" else "right"
    state = play(position(turn=f"p{seat}", **given), f"{other}:C2")
    assert f"move:{other}" in legal(state)


def test_4_5_the_fleets_do_not_block_each_other():
    """Silent; R13: both may stand at the same area and pass each other."""
    state = play(position(hand_p1="F1.F1.F3", area_p1=2, area_p2=3), "right:F3", "move:right")
    assert area(state, 1) == area(state, 2) == 3
    assert area(play(state, "move:right"), 1) == 4


def test_4_6_a_tile_between_two_moves_is_loaded():
    """EN Automatic actions: this can happen between 2 movements of your fleet; R14."""
    state = position(hand_p1="F1.F1.F3", ships_p1=ships(top="C2"))
    state = play(state, "right:F3", "move:right")
    assert ship(state, 1, "top") == "C2+C1x" and market(state)[3] == "-"
    state = play(state, "move:right")
    assert ship(state, 1, "top") == "C2+C1x" and market(state)[4] == "M1o"


def test_4_6_loaded_and_unloaded_within_one_card():
    """EN Automatic actions: after each move, at once; R14, R20."""
    state = position(hand_p1="F1.F1.F3", ships_p1=ships(top="C2"))
    state = play(state, "right:F3", "move:right", "turn:cw")
    assert ship(state, 1, "right") == "C2+C1x"
    state = play(state, "turn:cw")
    assert phase(state) == "store p1"
    state = play(state, "store:2")
    assert ship(state, 1, "dock") == "-" and stored(state, 2) == "C:C1x/-"


def test_4_6_one_turn_loads_one_ship_and_unloads_another():
    """R33c: load, then unload; both happen after the same quarter turn."""
    state = position(hand_p1="F1.F1.F2", ships_p1=ships(left="S1", right="C2+C1o"))
    state = play(state, "right:F2", "turn:cw")
    assert ship(state, 1, "top") == "S1+S1x"
    assert phase(state) == "store p1" and legal(state) == {f"store:{n}" for n in (1, 2, 3, 4)}
    state = play(state, "store:1")
    assert stored(state, 1) == "C:C1o/-" and phase(state) == "step p1"
    assert field(state, "ships.p1") == ships(top="S1+S1x")


def test_4_6_the_card_goes_on_after_a_warehouse_is_chosen():
    """R14: moves left are still there after an unloading."""
    state = position(hand_p1="F1.F1.F2", ships_p1=ships(right="C2+C1o"))
    state = play(state, "right:F2", "turn:cw", "store:1")
    assert legal(state) == {"move:right", "turn:cw", "stop"}


def test_4_7_a_side_card_is_discarded_when_it_is_played():
    """Silent; R78."""
    state = play(position(hand_p1="F2.S1.C3"), "right:C3")
    assert phase(state) == "step p1" and field(state, "discard") == "C3"


# Section 5: coins.


def test_5_1_spent_coins_go_to_the_reserve():
    """Silent; R25."""
    start = position(hand_p1="F1.S2.C3", coins="6.1.1")
    assert field(play(start, "extra"), "coins") == "3.1.4"
    assert field(play(start, "redraw:F1.S2.C3"), "coins") == "4.1.3"
    assert field(play(start, "left:F1", "turn:ccw", "pay:turn:ccw"), "coins") == "5.1.2"


def test_5_2_a_coin_buys_one_more_move_of_the_side_card():
    """EN Coins a: after a side card, always in the same direction; R26: any number."""
    state = play(position(hand_p1="F1.S2.C1", coins="3.0.5"), "right:C1")
    assert legal(state) == {"move:right", "turn:cw", "stop"}
    state = play(state, "turn:cw")
    for left in (2, 1):
        assert legal(state) == {"pay:move:right", "pay:turn:cw", "stop"}
        state = play(state, "pay:move:right")
        assert field(state, "coins") == f"{left}.0.{8 - left}"
    assert area(state, 1) == 5 and legal(state) == {"pay:turn:cw", "stop"}
    state = play(state, "pay:turn:cw")
    assert phase(state) == "draw p1" and field(state, "coins") == "0.0.8"


def test_5_2_the_left_card_keeps_its_direction():
    """EN Coins a: always in the same direction."""
    state = play(position(hand_p1="F1.S2.C1", coins="1.0.7"), "left:F1", "move:left")
    assert legal(state) == {"pay:move:left", "pay:turn:ccw", "stop"}
    assert phase(play(state, "stop")) == "draw p1"


def test_5_2_bought_moves_load_and_unload():
    """R26: they count as ordinary moves of that card."""
    state = position(hand_p1="F1.S2.C1", coins="3.0.5", ships_p1=ships(top="M2"), area_p1=4)
    state = play(state, "right:C1", "turn:cw", "pay:turn:cw", "pay:turn:cw", "pay:turn:cw")
    assert phase(state) == "draw p1" and ship(state, 1, "top") == "M2"
    state = position(hand_p1="F1.S2.C1", coins="3.0.5", ships_p1=ships(top="M2"), area_p1=3)
    state = play(state, "right:C1", "move:right", "pay:move:right")
    assert ship(state, 1, "top") == "M2+M1o"
    state = play(state, "pay:turn:cw", "pay:turn:cw", "store:4")
    assert stored(state, 4) == "M:M1o/-" and phase(state) == "draw p1"


def test_5_2_no_bought_move_with_a_middle_card():
    """EN Coins a; R28: after a side card only."""
    for offers in ("fewest", "any"):
        given = {"coin_offers": offers, "late_moves": "turn"}
        state = play(position(hand_p1="F1.S2.C1", coins="2.0.6", **given), "mid:S2")
        while phase(state) != "play p2":
            assert not any(word.startswith("pay:") for word in legal(state)), state.to_text()
            state = first_luck(state)
            state = play(state, min(legal(state) - {"stop"}))


def test_5_2_not_after_the_action_phase():
    """R27: only before the draw phase."""
    state = play(position(hand_p1="F1.S2.C1", coins="1.0.7"), "right:C1", "turn:cw", "stop")
    state = play(state, "~draw@p1=F1", "put:left")
    assert phase(state) == "end p1" and legal(state) == {"end"}


def test_5_2_setting_late_moves_also_later_in_the_turn():
    """R27, late-moves=turn: at the choice of a pile and at the end; tiles just placed may load."""
    state = position(
        hand_p1="F1.S2.C1", coins="3.0.5", market="M1x.F1x.S1x.C1x.-", late_moves="turn"
    )
    state = play(state, "right:C1", "stop", "~draw@p1=F1", "put:left")
    assert phase(state) == "pile p1"
    steps = {"pay:move:right", "pay:turn:cw"}
    assert steps < legal(state)
    state = play(state, "pay:move:right")
    assert area(state, 1) == 4 and phase(state) == "pile p1" and field(state, "coins") == "2.0.6"
    state = first_luck(play(first_luck(play(state, "pile:1")), "place:5"))
    assert phase(state) == "end p1"
    assert steps < legal(state)
    state = play(state, "pay:move:right", "pay:turn:cw")
    assert area(state, 1) == 5 and field(state, "coins") == "0.0.8" and legal(state) == {"end"}


def test_5_2_setting_late_moves_loads_what_was_just_placed():
    """R27, late-moves=turn: the literal text would load tiles just placed; refilled again."""
    given = {"ships_p1": ships(top="C1"), "area_p1": 4, "late_moves": "turn"}
    state = position(
        hand_p1="F1.S2.C1", coins="2.0.6", market="M1x.F1x.S1x.M1o.-", piles="C14.S14", **given
    )
    state = play(state, "right:C1", "turn:cw", "stop", "~draw@p1=F1", "put:left")
    state = first_luck(play(state, "pile:1", "~flip1=C3o", "place:5"))
    assert phase(state) == "end p1" and ship(state, 1, "right") == "C1"
    state = play(state, "pay:move:right")
    assert ship(state, 1, "right") == "C1", "it does not face the market"
    state = position(
        phase="end",
        direction="right",
        hand_p1="F1.S2.C1",
        coins="2.0.6",
        market="M1x.F1x.S1x.M1o.C3o",
        **given,
    )
    state = play(state, "pay:move:right")
    assert ship(state, 1, "top") == "C1+C3o"
    assert phase(state) == "pile p1" and market(state)[4] == "-"


def test_5_2_setting_late_moves_not_without_a_side_card():
    """R27, R28: a middle card has no direction to go on with, nor has the next turn."""
    state = position(hand_p1="F1.C2.C1", coins="1.0.7", late_moves="turn")
    state = play(state, "mid:C2", "stop", "~draw@p1=F1", "put:left")
    assert legal(state) == {"end"}
    state = position(hand_p1="F1.C2.C1", coins="4.0.4", late_moves="turn")
    state = play(state, "right:C1", "stop", "~draw@p1=F1", "put:left", "extra", "end")
    assert legal(state) == {"left:F1", "mid:F1", "right:C2"}


def test_5_2_setting_any_offers_moves_before_the_own_ones_are_used():
    """R71, coin-offers=any: bought moves at every step of a side card."""
    state = play(position(hand_p1="F1.S2.C2", coins="1.0.7", coin_offers="any"), "right:C2")
    assert legal(state) == {"move:right", "turn:cw", "pay:move:right", "pay:turn:cw", "stop"}
    state = play(state, "pay:turn:cw")
    assert legal(state) == {"move:right", "turn:cw", "stop"}
    assert phase(play(state, "turn:cw", "turn:cw")) == "draw p1"


def test_5_3_two_coins_change_the_hand():
    """EN Coins b: discard the 3 cards, draw 3 new ones, kept in the order of the draw; R29."""
    state = position(hand_p1="F1.S2.C3", coins="4.0.4")
    state = play(state, "redraw:F1.S2.C3")
    assert field(state, "discard") == "F1.S2.C3" and field(state, "hand.p1") == "-"
    state = play(state, "~draw@p1=C2", "~draw@p1=M3", "~draw@p1=F2")
    assert field(state, "hand.p1") == "C2.M3.F2" and phase(state) == "play p1"
    state = play(state, "redraw:C2.M3.F2", "~draw@p1=M2", "~draw@p1=M2", "~draw@p1=S1")
    assert legal(state) == {"left:M2", "mid:M2", "right:S1"}, "no coins are left"


def test_5_3_offered_with_three_cards_in_hand_only():
    """R29, R71: when a card is to be played, at each choice of a pile, at the end of the turn."""
    state = position(hand_p1="F1.M2.C3", coins="2.0.6")
    redraw = "redraw:F1.M2.C3"
    assert redraw in legal(state)
    state = play(state, "mid:M2")
    offers = {phase(state): legal(state)}
    state = play(state, "discard:4", "~draw@p1=F2")
    offers[phase(state)] = legal(state)
    state = play(state, "put:right")
    assert "redraw:F1.C3.F2" in legal(state) and phase(state) == "pile p1"
    state = first_luck(play(state, "pile:2"))
    offers[phase(state)] = legal(state)
    state = first_luck(play(state, "place:4"))
    assert legal(state) == {"end", "redraw:F1.C3.F2"} and phase(state) == "end p1"
    assert len(offers) == 3
    assert not any(word.startswith("redraw") for words in offers.values() for word in words)


def test_5_3_the_phase_goes_on_after_a_new_hand():
    """R29: after drawing, too, with the maintenance and the end of the turn still to come."""
    state = position(
        phase="pile", hand_p1="F1.M2.C3", coins="4.0.4", market="M1x.F1x.S1x.C1x.-", moved=1
    )
    state = play(state, "redraw:F1.M2.C3", "~draw@p1=C2", "~draw@p1=M3", "~draw@p1=F2")
    assert phase(state) == "pile p1" and {"pile:1", "pile:2"} < legal(state)
    state = first_luck(play(first_luck(play(state, "pile:1")), "place:5"))
    state = play(state, "redraw:C2.M3.F2", "~draw@p1=F1", "~draw@p1=M1", "~draw@p1=F2")
    assert phase(state) == "end p1" and legal(state) == {"end"}


def test_5_3_the_old_hand_is_discarded_first():
    """R29, R35: the cards put away are in the deck again if it has to be renewed."""
    state = position(hand_p1="F1.S2.C3", coins="2.0.6", deck="M1.M2")
    state = play(state, "redraw:F1.S2.C3", "~draw@p1=M1", "~draw@p1=M2")
    assert number(state, "shuffles") == 1 and field(state, "discard") == "-"
    outcomes = weights(state)
    assert all(outcomes[f"~draw@p1={card}"] == 3 for card in ("F1", "S2", "C3"))
    assert sum(outcomes.values()) == 36 - 3 - 2


def test_5_4_three_coins_buy_an_additional_turn():
    """EN Coins c, FR Coins c; R30: after the maintenance phase of this one, with all phases."""
    state = position(hand_p1="F1.S2.C3", coins="3.0.5")
    assert "extra" in legal(state)
    state = play(state, "extra")
    assert number(state, "extra") == 1 and phase(state) == "play p1"
    state = finish_turn(play(state, "right:C3"))
    assert phase(state) == "play p1" and number(state, "extra") == 0
    assert number(state, "turns") == 1
    state = play(state, f"right:{field(state, 'hand.p1')[-2:]}", "stop")
    assert phase(state) == "draw p1"
    state = finish_turn(state)
    assert phase(state) == "play p2" and number(state, "turns") == 2


def test_5_4_any_number_of_additional_turns():
    """R31, R75: several in one turn, one after the other; also bought in an additional turn."""
    state = play(position(hand_p1="F1.S2.C3", coins="8.0.0"), "extra", "extra", "right:C3", "stop")
    state = finish_turn(state)
    assert phase(state) == "play p1" and number(state, "extra") == 1
    state = position(hand_p1="F1.S2.C3", coins="3.0.5", extra=1)
    state = play(state, "extra", "right:C3", "stop")
    assert number(state, "extra") == 2


def test_5_4_where_an_additional_turn_is_offered():
    """R71: when a card is to be played and at the end of the turn."""
    state = position(hand_p1="F1.M2.C3", coins="3.0.5")
    assert "extra" in legal(state)
    state = play(state, "mid:M2")
    assert phase(state) == "use p1" and "extra" not in legal(state)
    state = play(state, "discard:1", "~draw@p1=F2")
    assert "extra" not in legal(state)
    state = play(state, "put:right")
    assert "extra" not in legal(state)
    state = first_luck(play(state, "pile:2"))
    assert "extra" not in legal(state)
    state = first_luck(play(state, "place:1"))
    assert phase(state) == "end p1" and "extra" in legal(state)
    assert "extra" not in legal(play(position(hand_p1="F1.M2.C3", coins="3.0.5"), "right:C3"))


def test_5_4_between_the_uses_of_a_coffer_the_moment_matters():
    """R30: coins back in the reserve change where a coffer takes from."""
    stock = "w1:C:C1o.C2x.C2o/-|w4|w6|w8"
    state = position(hand_p1="F1.C2.C3", coins="2.5.1", warehouses=stock)
    state = play(state, "mid:C2")
    assert "extra" not in legal(state)
    state = play(state, "take")
    assert field(state, "coins") == "3.5.0" and "extra" in legal(state)
    assert field(play(state, "take"), "coins") == "4.4.0"
    state = play(state, "extra", "take")
    assert field(state, "coins") == "1.5.2" and number(state, "extra") == 1


def test_5_4_setting_any_offers_it_at_every_decision():
    """R71, coin-offers=any: everywhere but within an unloading or the placing of a tile."""
    offers = {"coins": "3.0.5", "coin_offers": "any"}
    state = position(hand_p1="F1.F2.C3", ships_p1=ships(right="M2+M2x"), **offers)
    assert "extra" in legal(state)
    state = play(state, "mid:F2")
    assert "extra" in legal(state)
    state = play(state, "turn:cw")
    assert phase(state) == "store p1" and "extra" not in legal(state)
    state = play(state, "store:1", "~draw@p1=F2")
    assert phase(state) == "put p1" and "extra" in legal(state)
    state = play(state, "put:right")
    assert phase(state) == "end p1" and "extra" in legal(state)
    state = position(phase="pile", market="M1x.F1x.S1x.-.M1o", **offers)
    assert "extra" in legal(state)
    state = first_luck(play(state, "pile:1"))
    assert phase(state) == "place p1" and "extra" not in legal(state)


@pytest.mark.parametrize("events", [["right:C3"], ["mid:F2"], ["right:C3", "turn:cw"]])
def test_5_4_setting_any_the_decision_goes_on(events):
    """R71, coin-offers=any: after the purchase the same phase continues."""
    state = position(hand_p1="F1.F2.C3", coins="3.0.5", coin_offers="any")
    before = play(state, *events)
    after = play(before, "extra")
    assert phase(after) == phase(before) and number(after, "extra") == 1
    assert legal(after) == {w for w in legal(before) if w != "extra" and w[:4] != "pay:"}
