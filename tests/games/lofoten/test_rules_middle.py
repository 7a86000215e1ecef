"""Lofoten, RULES.md section 6: middle cards and the automatic actions."""

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
)

THREE_COFFERS = "w1:C:C1o.C2x.C2o/-|w4|w6|w8"


def test_6_1_the_middle_card_goes_into_the_docked_ship():
    """EN Middle card 1: place it in the longship facing you; it becomes an order."""
    state = position(hand_p1="F1.M2.S1", ships_p1=ships(top="C2"))
    state = play(state, "mid:M2")
    assert field(state, "ships.p1") == ships(top="C2", dock="M2")
    assert field(state, "discard") == "-"


@pytest.mark.parametrize("card", ["M2", "F2", "S2", "C2"])
def test_6_1_not_where_a_card_lies_already(card):
    """EN Middle card 1: then you cannot perform this action; R15: not even for the effect."""
    state = position(hand_p1=f"F1.{card}.S1", ships_p1=ships(dock="C1"))
    assert legal(state) == {"left:F1", "right:S1"}
    state = position(hand_p1=f"F1.{card}.S1", ships_p2=ships(dock="C1"))
    assert legal(state) == {"left:F1", f"mid:{card}", "right:S1"}


@pytest.mark.parametrize(
    "warehouses, most",
    [
        ("w1|w4|w6|w8", 1),
        ("w1:C:-/C1o.C2x.C2o|w4|w6|w8", 1),
        ("w1:C:C3o/C1o|w4|w6|w8", 1),
        ("w1:C:C3o.C3x/C1o|w4|w6|w8", 2),
        (THREE_COFFERS, 3),
        ("w1:M:M3o.M3x/-|w4|w6|w8", 1),
    ],
)
def test_6_2_one_use_a_tile_stored_at_least_one(warehouses, most):
    """EN Middle card 2: once a tile of the type you have stored, else once; R17: pieces."""
    state = position(hand_p1="F1.C2.S1", warehouses=warehouses)
    state = play(state, "mid:C2")
    for uses in range(most):
        assert legal(state) == {"take", "stop"}, uses
        state = play(state, "take")
    assert phase(state) == "draw p1" and field(state, "coins") == f"{most}.0.{8 - most}"


@pytest.mark.parametrize("uses", [0, 1, 2, 3])
def test_6_2_the_three_coffers_of_the_example(uses):
    """EN Middle card, example: with 3 coffer tiles up to 3 coins, none is compulsory; R16."""
    state = play(position(hand_p1="F1.C2.S1", warehouses=THREE_COFFERS), "mid:C2")
    state = play(state, *["take"] * uses)
    if uses < 3:
        state = play(state, "stop")
    assert phase(state) == "draw p1" and field(state, "coins") == f"{uses}.0.{8 - uses}"


def test_6_2_none_stored_still_gives_one_coin():
    """EN Middle card, example: even with 0 coffer tiles the action can be performed once."""
    state = play(position(hand_p1="F1.C3.S1"), "mid:C3", "take")
    assert field(state, "coins") == "1.0.7" and phase(state) == "draw p1"


@pytest.mark.parametrize("value", [1, 2, 3])
def test_6_2_the_numbers_of_the_card_do_not_matter(value):
    """EN Middle card: the numbers in the upper corners do not matter."""
    state = play(position(hand_p1=f"C1.F{value}.C1"), f"mid:F{value}", "turn:cw")
    assert phase(state) == "draw p1"


def live_position(count):
    return position(
        hand_p1="S1.F2.S1",
        count=count,
        ships_p1=ships(right="F3+F3x"),
        warehouses="w1:F:F2x/-|w4|w6|w8",
    )


def test_6_2_the_uses_are_counted_when_the_card_is_placed():
    """R18: a tile unloaded by the rotation does not raise the uses of this card."""
    state = play(live_position("fixed"), "mid:F2", "turn:cw")
    assert stored(state, 1) == "F:F2x.F3x/-" and phase(state) == "draw p1"


def test_6_2_setting_live_counts_anew_at_each_use():
    """R18, count=live: two fish are stored after the first rotation, so there is a second use."""
    state = play(live_position("live"), "mid:F2", "turn:cw")
    assert stored(state, 1) == "F:F2x.F3x/-"
    assert legal(state) == {"turn:cw", "turn:ccw", "stop"}
    assert phase(play(state, "turn:ccw")) == "draw p1"


def test_6_2_setting_live_counts_the_first_tile_as_the_minimum():
    """R17, R18: the first fish stored leaves N at 1."""
    state = position(hand_p1="S1.F2.S1", count="live", ships_p1=ships(right="F3+F3x"))
    state = play(state, "mid:F2", "turn:cw", "store:3")
    assert phase(state) == "draw p1" and stored(state, 3) == "F:F3x/-"


def test_6_3_coins_come_from_the_reserve_then_from_the_opponent():
    """EN Middle card, coffer: from the opponent if the reserve is empty; R22: coin by coin."""
    state = position(hand_p1="F1.C2.S1", coins="2.5.1", warehouses=THREE_COFFERS)
    state = play(state, "mid:C2", "take")
    assert field(state, "coins") == "3.5.0"
    state = play(state, "take")
    assert field(state, "coins") == "4.4.0"
    state = play(state, "take")
    assert field(state, "coins") == "5.3.0" and phase(state) == "draw p1"


def test_6_3_seat_2_takes_from_seat_1():
    """EN Middle card, coffer: steal the coin from your opponent."""
    state = position(turn="p2", hand_p2="F1.C2.S1", coins="3.5.0")
    assert field(play(state, "mid:C2", "take"), "coins") == "2.6.0"


@pytest.mark.parametrize("gone", [1, 2, 3, 4, 5])
def test_6_4_mead_discards_any_market_tile(gone):
    """EN Middle card, mead: discard a tile from the market board; R23: out of the game."""
    state = play(position(hand_p1="F1.M2.S1"), "mid:M2")
    assert legal(state) == {f"discard:{n}" for n in (1, 2, 3, 4, 5)} | {"stop"}
    tiles = market(state)
    state = play(state, f"discard:{gone}")
    assert field(state, "out") == tiles[gone - 1]
    assert market(state) == [t if n != gone else "-" for n, t in enumerate(tiles, 1)]
    assert phase(state) == "draw p1", "it is replaced in the maintenance phase"


def test_6_4_as_many_as_mead_tiles_are_stored():
    """EN Middle card 2: once for each tile of the type; each time from what is left."""
    state = position(hand_p1="F1.M2.S1", warehouses="w1:M:M3x.M3o/-|w4|w6|w8")
    state = play(state, "mid:M2", "discard:3")
    assert legal(state) == {f"discard:{n}" for n in (1, 2, 4, 5)} | {"stop"}
    state = play(state, "discard:1")
    assert field(state, "out") == "M1x.S1x" and phase(state) == "draw p1"


@pytest.mark.parametrize("effects, turns, moves", [("cards", "F2", "S2"), ("swapped", "S2", "F2")])
def test_6_5_fish_turns_and_sheep_moves_the_fleet(effects, turns, moves):
    """EN Middle card: rotate a quarter turn, move 1 area, in the direction of your choice; B1."""
    state = play(position(hand_p1=f"C1.{turns}.C1", effects=effects), f"mid:{turns}")
    assert legal(state) == {"turn:cw", "turn:ccw", "stop"}
    assert ship(play(state, "turn:cw"), 1, "left") == turns
    assert ship(play(state, "turn:ccw"), 1, "right") == turns
    for seat, right in ((1, 4), (2, 2)):
        given = {f"hand_p{seat}": f"C1.{moves}.C1"}
        state = play(position(turn=f"p{seat}", effects=effects, **given), f"mid:{moves}")
        assert legal(state) == {"move:left", "move:right", "stop"}
        assert area(play(state, "move:right"), seat) == right
        assert area(play(state, "move:left"), seat) == 6 - right


def test_6_5_each_use_has_a_direction_of_its_own():
    """R19: left or right, clockwise or not, is chosen for each use."""
    state = position(hand_p1="C1.F2.C1", warehouses="w1:F:F2x.F2o.F3x/-|w4|w6|w8")
    state = play(state, "mid:F2", "turn:cw", "turn:ccw", "turn:ccw")
    assert ship(state, 1, "right") == "F2" and phase(state) == "draw p1"
    state = position(hand_p1="C1.S2.C1", warehouses="w1:S:S2x.S2o/-|w4|w6|w8")
    state = play(state, "mid:S2", "move:left", "move:right")
    assert area(state, 1) == 3 and phase(state) == "draw p1"


def test_6_5_the_effect_loads_and_unloads_between_uses():
    """EN Automatic actions: during the resolution of your actions; R20."""
    state = position(
        hand_p1="C1.F2.C1",
        warehouses="w1:F:F2x.F2o.F3x/-|w4|w6|w8",
        ships_p1=ships(left="S1", right="C3+C3x"),
    )
    state = play(state, "mid:F2", "turn:cw", "store:2")
    assert ship(state, 1, "top") == "S1+S1x" and stored(state, 2) == "C:C3x/-"
    state = play(state, "turn:cw", "turn:cw", "store:3")
    assert stored(state, 3) == "S:S1x/-" and phase(state) == "draw p1"


def test_6_6_no_coin_where_nobody_else_has_one():
    """R22, R80: a coffer without a coin to take has no use, so the action phase is over."""
    state = play(position(hand_p1="F1.C2.S1", coins="8.0.0"), "mid:C2")
    assert phase(state) == "draw p1"


def test_6_6_a_coffer_goes_on_where_an_additional_turn_would_fill_the_reserve():
    """R71, R80: no coin to take, but between uses an additional turn makes three available."""
    state = position(hand_p1="F1.C2.S1", coins="7.0.1", warehouses=THREE_COFFERS)
    state = play(state, "mid:C2", "take")
    assert field(state, "coins") == "8.0.0" and legal(state) == {"extra", "stop"}
    assert phase(play(state, "stop")) == "draw p1"
    state = play(state, "extra", "take", "take")
    assert field(state, "coins") == "7.0.1" and phase(state) == "draw p1"


def test_6_6_no_discard_from_an_empty_market():
    """R24, R80: nothing to discard."""
    state = play(position(hand_p1="F1.M2.S1", market="-.-.-.-.-"), "mid:M2")
    assert phase(state) == "draw p1"
    state = position(hand_p1="F1.M2.S1", market="-.-.S1x.-.-", warehouses="w1:M:M3x.M3o/-|w4|w6|w8")
    assert legal(play(state, "mid:M2")) == {"discard:3", "stop"}
    assert phase(play(state, "mid:M2", "discard:3")) == "draw p1"


def test_6_6_an_empty_market_ends_the_card_also_for_the_rich():
    """R24, R71, R80: between the uses of mead no additional turn is offered."""
    state = position(
        hand_p1="F1.M2.S1",
        coins="3.0.5",
        market="-.-.S1x.-.-",
        warehouses="w1:M:M3x.M3o/-|w4|w6|w8",
    )
    assert phase(play(state, "mid:M2", "discard:3")) == "draw p1"


@pytest.mark.parametrize("at, word", [(1, "move:right"), (5, "move:left")])
def test_6_6_no_move_beyond_the_end_areas(at, word):
    """R12, R80: only the direction that leads somewhere."""
    state = play(position(hand_p1="F1.S2.S1", area_p1=at), "mid:S2")
    assert legal(state) == {word, "stop"}


def facing(top, tile, **more):
    """Return seat 1 about to step from area 2 to `tile` in area 3 with `top` to the market."""
    return position(
        hand_p1="F1.F1.F1", area_p1=2, ships_p1=ships(top=top), market=f"-.-.{tile}.-.-", **more
    )


@pytest.mark.parametrize("tile", ["F1x", "F1o", "F2x", "F2o", "F3x", "F3o"])
def test_6_7_a_matching_ship_must_load(tile):
    """EN Automatic actions: the 3 conditions; also tiles for the other Jarl; R33e: no choice."""
    for value in "23":
        state = play(facing(f"F{value}", tile), "right:F1", "move:right")
        assert ship(state, 1, "top") == f"F{value}+{tile}" and market(state)[2] == "-"
        assert number(state, "moved") == 1


@pytest.mark.parametrize(
    "top, tile", [("-", "F1x"), ("F2", "-"), ("F2", "M1x"), ("F2+F3x", "F1x"), ("S2+S2x", "F1x")]
)
def test_6_7_not_unless_all_three_conditions_are_met(top, tile):
    """EN Automatic actions: a tile in front, an order of its type, not loaded yet."""
    state = play(facing(top, tile), "right:F1", "move:right")
    assert ship(state, 1, "top") == top and market(state)[2] == tile
    assert number(state, "moved") == 0


@pytest.mark.parametrize("place", ["right", "dock", "left"])
def test_6_7_only_the_ship_that_faces_the_market(place):
    """EN Automatic actions: directly facing a tile of the market."""
    state = position(hand_p1="F1.F1.F1", area_p1=2, ships_p1=ships(**{place: "S2"}))
    state = play(state, "right:F1", "move:right")
    assert ship(state, 1, place) == "S2" and market(state)[2] == "S1x"


def test_6_8_nothing_loads_when_the_owner_places_a_tile():
    """R33a: a tile placed in maintenance waits for the next action phase of the ship's owner."""
    both = {"ships_p1": ships(top="S2"), "ships_p2": ships(top="S3")}
    state = position(phase="pile", market="M1x.F1x.-.C1x.M1o", piles="S14.M14", **both)
    state = first_luck(play(state, "pile:1", "~flip1=S3x", "place:3"))
    assert phase(state) == "end p1"
    assert ship(state, 1, "top") == "S2" and ship(state, 2, "top") == "S3"
    state = play(state, "end")
    assert ship(state, 2, "top") == "S3+S3x" and ship(state, 1, "top") == "S2"


def test_6_8_the_other_may_take_it_first():
    """R33a: the tile is there only if nobody has taken or discarded it."""
    state = position(phase="end", ships_p1=ships(top="S2"), hand_p2="F1.M2.F1", piles="C14.S13")
    state = play(state, "end", "mid:M2", "discard:3")
    assert number(state, "moved") == 1 and field(state, "out") == "S1x"
    state = play(state, "~draw@p2=C1", "put:left", "pile:1", "~flip1=C2x", "place:3", "~top1=M")
    state = play(state, "end")
    assert phase(state) == "play p1" and ship(state, 1, "top") == "S2"


def test_6_8_no_load_in_the_turn_of_the_other():
    """R33b: a seat's ships load only in its own turn, whatever the other does there."""
    state = position(hand_p1="F1.F1.F1", ships_p2=ships(top="S2"))
    state = play(state, "right:F1", "move:right")
    assert ship(state, 2, "top") == "S2" and market(state)[2] == "S1x"


def test_6_8_a_tile_discarded_in_front_of_a_waiting_ship():
    """R77: its owner loads what the other put there instead, wanted or not."""
    state = position(hand_p1="F1.M2.F1", ships_p2=ships(top="S2"), piles="C14.S13")
    state = play(state, "mid:M2", "discard:3", "~draw@p1=C1", "put:left")
    assert ship(state, 2, "top") == "S2"
    wanted = play(state, "pile:2", "~flip2=S3o", "place:3", "~top2=M", "end")
    assert phase(wanted) == "play p2" and ship(wanted, 2, "top") == "S2+S3o"
    spoilt = play(state, "pile:1", "~flip1=C1o", "place:3", "~top1=M", "end")
    assert ship(spoilt, 2, "top") == "S2" and market(spoilt)[2] == "C1o"


def test_6_8_no_check_after_a_coin_or_a_discard():
    """R20: the check comes after steps; a placed order or a coin moves nothing."""
    state = position(hand_p1="F1.C2.F1", ships_p1=ships(top="S2"), coins="0.1.7")
    state = play(state, "mid:C2", "take")
    assert ship(state, 1, "top") == "S2" and market(state)[2] == "S1x"


@pytest.mark.parametrize("word, place", [("turn:cw", "right"), ("turn:ccw", "left")])
def test_6_9_a_loaded_ship_at_the_dock_is_unloaded(word, place):
    """EN Automatic actions: as soon as it becomes the bottom one; its order is discarded (R78)."""
    known = "w1:C:-/C3x|w4|w6|w8"
    state = position(hand_p1="M1.F2.M2", ships_p1=ships(**{place: "C2+C1o"}), warehouses=known)
    state = play(state, "mid:F2", word)
    assert phase(state) == "draw p1"
    assert ship(state, 1, "dock") == "-" and field(state, "discard") == "C2"
    assert stored(state, 1) == "C:C1o/C3x"


def test_6_9_an_order_without_a_tile_stays():
    """EN Automatic actions: only a loaded ship unloads."""
    state = position(hand_p1="M1.F2.M2", ships_p1=ships(right="C2"))
    state = play(state, "mid:F2", "turn:cw")
    assert ship(state, 1, "dock") == "C2" and field(state, "discard") == "-"


def test_6_9_the_dock_is_free_for_a_new_order_afterwards():
    """R15: an order is removed only by filling it and docking."""
    state = position(hand_p1="M1.C1.M2", ships_p1=ships(right="C2+C1o"))
    state = play(state, "right:M2", "turn:cw", "store:1", "stop")
    state = play(finish_turn(state), "left:M3", "stop")
    state = finish_turn(state)
    assert phase(state) == "play p1" and "mid:C1" in legal(state)


def test_6_10_the_fish_of_the_example_must_go_where_fish_is():
    """EN Automatic actions, example: value-2 fish go to the warehouse with the opponent's fish."""
    warehouses = "w1:F:-/F1o|w4|w6|w8"
    state = position(hand_p1="M1.M2.M2", ships_p1=ships(right="F1+F2x"), warehouses=warehouses)
    state = play(state, "right:M2", "turn:cw")
    assert stored(state, 1) == "F:F2x/F1o" and phase(state) == "step p1"
    state = position(
        turn="p2", hand_p2="M1.M2.M2", ships_p2=ships(right="F1+F2x"), warehouses=warehouses
    )
    state = play(state, "right:M2", "turn:cw")
    assert stored(state, 1) == "F:-/F1o.F2x"


def test_6_10_a_new_type_goes_to_an_empty_warehouse_of_ones_choice():
    """EN Automatic actions: choose any empty warehouse; R33d; it then is that of the type."""
    state = position(
        hand_p1="M1.M2.M2", ships_p1=ships(right="F1+F2x"), warehouses="w1|w4:C:C1o/-|w6|w8"
    )
    state = play(state, "right:M2", "turn:cw")
    assert state.seat_to_move == 0 and legal(state) == {"store:1", "store:3", "store:4"}
    state = play(state, "store:4")
    assert field(state, "warehouses") == "w1|w4:C:C1o/-|w6|w8:F:F2x/-"


def test_6_10_the_last_empty_warehouse_is_forced():
    """R33d."""
    state = position(
        turn="p2",
        hand_p2="M1.M2.M2",
        ships_p2=ships(right="F1+F2x"),
        warehouses="w1:M:M2x/-|w4:C:C1o/-|w6|w8:S:-/S2x",
    )
    state = play(state, "right:M2", "turn:cw")
    assert legal(state) == {"store:3"}
    assert stored(play(state, "store:3"), 3) == "F:-/F2x"
