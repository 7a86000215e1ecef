"""Lofoten, RULES.md section 2: the set-up, one test or more a rule."""

from collections import Counter

import pytest
from helpers import (
    CARDS,
    TILES,
    area,
    field,
    legal,
    market,
    number,
    phase,
    play,
    position,
    ship,
    ships,
    take_luck,
    weights,
)

import engine

MIXED = ("~tile=F1x", "~tile=M2o", "~tile=S3x", "~tile=C2x", "~tile=F2o")
FOUR = ("~tile=F1x", "~tile=F2o", "~tile=M3x", "~tile=F3x", "~tile=F2x")
FIVE = ("~tile=F1x", "~tile=F2o", "~tile=F1o", "~tile=F3x", "~tile=F2x")
HOUSES = tuple(f"~warehouse=w{n}" for n in (3, 8, 1, 6))
ORDERS = ("~order@p1=F1", "~order@p1=M2", "~order@p2=S3", "~order@p2=F1")
HANDS = tuple(f"~draw@p{seat}={card}" for seat in "12" for card in ("C1", "S2", "M3"))


def start(**settings):
    return engine.load("lofoten", **settings).new_state()


def set_up(market=MIXED, tops=("~top1=C", "~top2=S"), **settings):
    return play(start(**settings), *market, *tops, *HOUSES, *ORDERS, *HANDS)


def kinds(weighed):
    """Return the weights of outcomes summed by the first letter of what comes up."""
    total = Counter()
    for token, weight in weighed.items():
        total[token.partition("=")[2][0]] += weight
    return dict(total)


def test_2_1_seat_1_is_the_first_player():
    """Silent; R1: the lot decides who gets seat 1, and seat 1 has the first turn."""
    for seed in range(20):
        state = take_luck(start(), seed)
        assert phase(state) == "play p1" and state.seat_to_move == 0


def test_2_2_all_32_tiles_may_come_up():
    """EN Merchandise Tiles: 8 of each type, 2 of value 1, 4 of value 2, 2 of value 3."""
    state = start()
    assert weights(state) == {f"~tile={tile}": copies for tile, copies in TILES.items()}
    assert sum(weights(state).values()) == 32
    assert kinds(weights(state)) == dict.fromkeys("MFSC", 8)
    values = Counter()
    for token, weight in weights(state).items():
        values[token[7]] += weight
    assert values == {"1": 8, "2": 16, "3": 8}
    again = weights(play(state, "~tile=F1x"))
    assert "~tile=F1x" not in again and sum(again.values()) == 31


@pytest.mark.parametrize("word, sizes", [("alternate", (13, 14)), ("pile1", (11, 16))])
def test_2_2_five_tiles_of_two_piles_of_16_lie_in_the_market(word, sizes):
    """EN Setup, tiles: two piles, five tiles turned up; R2: by turns from pile 1, left to right."""
    state = set_up(**{"first-tiles": word})
    assert market(state) == ["F1x", "M2o", "S3x", "C2x", "F2o"]
    assert field(state, "piles") == f"C{sizes[0]}.S{sizes[1]}"


@pytest.mark.parametrize(
    "word, sizes",
    [
        ("alternate", [(15, 16), (15, 15), (14, 15), (14, 14), (13, 14)]),
        ("pile1", [(15, 16), (14, 16), (13, 16), (12, 16), (11, 16)]),
    ],
)
def test_2_2_the_piles_shrink_as_the_tiles_are_dealt(word, sizes):
    """R2: alternate piles start with pile 1."""
    state = start(**{"first-tiles": word})
    for token, (one, two) in zip(MIXED, sizes, strict=True):
        state = play(state, token)
        assert field(state, "piles").replace("?", "") == f"{one}.{two}"


def test_2_2_the_type_on_top_of_both_piles_shows():
    """EN Setup, tiles: you see the type of merchandise, not its quantity; R69."""
    state = play(start(), *MIXED)
    left = {"M": 7, "F": 6, "S": 7, "C": 7}
    assert weights(state) == {f"~top1={kind}": n for kind, n in left.items()}
    state = play(state, "~top1=F")
    assert weights(state) == {f"~top2={kind}": n for kind, n in (left | {"F": 5}).items()}
    for view in (0, 1):
        assert field(set_up().view(view), "piles") == "C13.S14"


@pytest.mark.parametrize("tiles", [FOUR, FIVE])
def test_2_3_four_or_five_alike_are_dealt_again(tiles):
    """EN Maintenance, note; R3: all 32 tiles are shuffled, split and dealt again."""
    state = play(start(), *tiles)
    assert market(state) == ["-"] * 5
    assert number(state, "redeals") == 1
    assert weights(state) == weights(start())
    state = play(state, *tiles, *MIXED)
    assert number(state, "redeals") == 2
    assert market(state) == ["F1x", "M2o", "S3x", "C2x", "F2o"]
    state = play(state, "~top1=C", "~top2=S")
    assert field(state, "piles") == "C13.S14"


def test_2_3_three_alike_stay():
    """R3: only four of a type are dealt again."""
    three = ("~tile=F1x", "~tile=F2o", "~tile=F3x", "~tile=M1x", "~tile=M2x")
    assert market(play(start(), *three)) == ["F1x", "F2o", "F3x", "M1x", "M2x"]


@pytest.mark.parametrize(
    "tiles, left, gone",
    [
        (FOUR, ["F1x", "-", "M3x", "-", "F2x"], "F2o.F3x"),
        (FIVE, ["F1x", "-", "-", "F3x", "F2x"], "F1o.F2o"),
    ],
)
def test_2_3_setting_play_seat_1_replaces_the_two_in_the_middle(tiles, left, gone):
    """R3, first-market=play: R38 to R40 for seat 1 before its first turn; no coins (R71)."""
    state = set_up(tiles, **{"first-market": "play", "coin-offers": "any"})
    assert phase(state) == "pile p1" and number(state, "redeals") == 0
    assert market(state) == left and field(state, "out") == gone
    assert number(state, "fours") == 1
    assert legal(state) == {"pile:1", "pile:2"}
    empty = {f"place:{area}" for area, tile in enumerate(left, 1) if tile == "-"}
    state = play(state, "pile:1", "~flip1=C1x")
    assert legal(state) == empty
    state = play(state, min(empty), "~top1=M", "pile:2", "~flip2=S1x", max(empty), "~top2=M")
    assert phase(state) == "play p1"
    assert number(state, "turns") == 0 and field(state, "coins") == "2.3.3"
    assert "-" not in market(state)


def test_2_3_setting_play_leaves_a_mixed_market_alone():
    """R3: nothing to replace without four alike."""
    assert phase(set_up(**{"first-market": "play"})) == "play p1"


def test_2_4_four_of_eight_warehouse_cards_by_lot():
    """FR Setup, warehouses: four cards of level 1 at random."""
    state = play(start(), *MIXED, "~top1=C", "~top2=S")
    used = []
    for token in HOUSES:
        left = {f"~warehouse=w{n}" for n in range(1, 9)} - set(used)
        assert weights(state) == dict.fromkeys(left, 1)
        state = play(state, token)
        used.append(token)
    assert field(state, "warehouses") == "w3|w8|w1|w6"


def test_2_5_two_orders_each_the_first_drawn_on_the_left():
    """EN Setup, orders: two cards into the left and right ships; R5, R6: seat 1 first."""
    state = play(start(), *MIXED, "~top1=C", "~top2=S", *HOUSES)
    assert weights(state) == {f"~order@p1={card}": 3 for card in CARDS}
    state = play(state, *ORDERS)
    assert field(state, "ships.p1") == ships(left="F1", right="M2")
    assert field(state, "ships.p2") == ships(left="S3", right="F1")


@pytest.mark.parametrize("side, other", [("left", "right"), ("right", "left")])
def test_2_5_setting_choose_the_owner_chooses_the_side(side, other):
    """R5, start-orders=choose: the first of a seat's two orders goes where its owner says."""
    state = play(start(**{"start-orders": "choose"}), *MIXED, "~top1=C", "~top2=S", *HOUSES)
    for seat in (1, 2):
        state = play(state, f"~order@p{seat}=F1", f"~order@p{seat}=C2")
        assert state.seat_to_move == seat - 1
        assert legal(state) == {"order:left", "order:right"}
        state = play(state, f"order:{side}")
        assert (ship(state, seat, side), ship(state, seat, other)) == ("F1", "C2")
    assert phase(play(state, *HANDS)) == "play p1"


def test_2_6_two_orders_of_a_type_are_drawn_again():
    """EN Setup, note; R4: both are set aside face up, and two others drawn from what is left."""
    state = play(start(), *MIXED, "~top1=C", "~top2=S", *HOUSES, "~order@p1=F1", "~order@p1=F3")
    assert field(state, "ships.p1") == ships()
    assert field(state, "discard") == field(state.view(1), "discard") == "F1.F3"
    left = {f"~order@p1={card}": 3 - (card in ("F1", "F3")) for card in CARDS}
    assert weights(state) == left
    state = play(state, "~order@p1=M1", "~order@p1=M1")
    assert field(state, "discard") == "M1.M1.F1.F3"
    state = play(state, "~order@p1=C2", "~order@p1=S2")
    assert field(state, "ships.p1") == ships(left="C2", right="S2")
    assert sum(weights(state).values()) == 30 and set(map(lambda t: t[:10], weights(state))) == {
        "~order@p2="
    }


def test_2_6_orders_set_aside_return_before_the_hands_are_dealt():
    """R4: when both seats have their orders, all cards set aside are shuffled back in."""
    state = play(start(), *MIXED, "~top1=C", "~top2=S", *HOUSES, "~order@p1=F1", "~order@p1=F3")
    state = play(state, "~order@p1=F1", "~order@p1=M2", "~order@p2=S3", "~order@p2=S1")
    assert field(state, "discard") == "F1.F3.S1.S3"
    state = play(state, "~order@p2=S3", "~order@p2=F1")
    on_ships = Counter(["F1", "M2", "S3", "F1"])
    assert weights(state) == {f"~draw@p1={card}": n for card, n in (CARDS - on_ships).items()}
    assert sum(weights(state).values()) == 32
    assert field(state, "discard") == "-"


def test_2_7_three_cards_each_from_left_to_right():
    """EN Setup, orders: three cards, kept in the order of the draw; R6: after the orders."""
    state = play(start(), *MIXED, "~top1=C", "~top2=S", *HOUSES, *ORDERS)
    state = play(state, "~draw@p1=C1", "~draw@p1=S2", "~draw@p1=M3")
    assert field(state, "hand.p1") == "C1.S2.M3"
    state = play(state, "~draw@p2=C3", "~draw@p2=C3", "~draw@p2=F2")
    assert field(state, "hand.p2") == "C3.C3.F2"
    for token in ("hand.p1", "hand.p2"):
        other = 1 if token == "hand.p1" else 0
        assert field(state.view(other), token) == "?.?.?"


def test_2_8_coins_and_places_at_the_start():
    """EN Setup: 2 coins, 3 coins, 3 in the reserve; a ship faces the middle area (R8)."""
    state = set_up()
    assert field(state, "coins") == "2.3.3"
    assert (area(state, 1), area(state, 2)) == (3, 3)
    assert number(state, "turns") == number(state, "extra") == number(state, "quiet") == 0


def test_2_8_nothing_loads_at_the_start():
    """R7: the first orders lie left and right, so no ship with an order faces the market."""
    facing = ("~tile=F1x", "~tile=M2o", "~tile=M3x", "~tile=C2x", "~tile=F2o")
    state = set_up(facing)
    assert market(state)[2] == "M3x"
    assert field(state, "ships.p1") == ships(left="F1", right="M2")
    assert phase(state) == "play p1"


def test_2_8_first_clan_changes_nothing_but_the_identity():
    """R79: in the base game nothing depends on the clans."""
    one, two = (
        take_luck(start(**{"first-clan": clan}), 5).to_text().replace(" first-clan=2", "")
        for clan in "12"
    )
    assert one == two
    assert " first-clan=2 phase=" in set_up(**{"first-clan": "2"}).to_text()


def test_2_8_a_position_may_begin_anywhere():
    """The helper's usual position is a sound one."""
    state = position()
    assert phase(state) == "play p1" and state.check() == 0
