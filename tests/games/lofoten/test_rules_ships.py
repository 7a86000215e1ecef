"""Lofoten, RULES.md section 12: upgrading longships, and the points for it."""

import pytest
from helpers import (
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
    stored,
    take_luck,
    weights,
)
from module_helpers import final, read_cards, upgraded_wheel, upgrades_only, wheel, with_modules

import engine

MARKET = ("~tile=F1x", "~tile=M2o", "~tile=S3x", "~tile=C2x", "~tile=F2o", "~top1=C", "~top2=S")
HOUSES = tuple(f"~warehouse=w{n}" for n in (3, 8, 1, 6))
FISH = "w1:F:F1o.F2x.F2o/F2o|w4|w6|w8"


# 12.1: set-up.


def test_12_1_the_longships_lie_at_random_places():
    """FR Setup, longships: A to D at random, light side up; after the warehouses, seat 1 first."""
    state = play(engine.load("lofoten", upgrades="on").new_state(), *MARKET, *HOUSES)
    for seat in (1, 2):
        outcomes = weights(state)
        assert len(outcomes) == 24 and set(outcomes.values()) == {1}
        assert {frozenset(token.partition("=")[2]) for token in outcomes} == {frozenset("ABCD")}
        assert all(token.startswith(f"~ships@p{seat}=") for token in outcomes)
        state = play(state, f"~ships@p{seat}={('BADC', 'DCAB')[seat - 1]}")
    assert phase(state) == "order p1"
    assert field(state, "ships.p1") == wheel(letters="badc")
    assert field(state, "ships.p2") == wheel(letters="dcab")


def test_12_1_after_the_jarls():
    """RULES 12.1: the order of the set-up with both modules."""
    state = play(engine.load("lofoten", upgrades="on", jarls="on").new_state(), *MARKET, *HOUSES)
    assert phase(state).startswith("jarl")
    state = play(state, "~jarl=j1", "~requirement=q1a", "~jarl=j2", "~requirement=q2a")
    assert phase(state) == "ships p1"


def test_12_1_setting_off_has_no_longships():
    """EN Complete Game: without module 3 the letters do not matter; upgrades=off."""
    state = play(engine.load("lofoten").new_state(), *MARKET, *HOUSES)
    assert phase(state) == "order p1"
    assert legal(position(phase="end", warehouses=FISH)) == {"end"}


def test_12_1_the_start_orders_lie_on_the_longships():
    """EN Setup, orders: left and right, whatever the letters there are."""
    state = take_luck(engine.load("lofoten", upgrades="on").new_state(), 4)
    for seat in (1, 2):
        parts = field(state, f"ships.p{seat}").split(".")
        assert sorted(part[0] for part in parts) == list("abcd")
        assert [part[2:] == "-" for part in parts] == [True, False, True, False]


# 12.2: the upgrade.


def test_12_2_a_tile_is_turned_then_a_ship():
    """EN Module 3, Setup: at the end of your turn; flip one of your stored tiles, then a ship."""
    state = upgrades_only(phase="end", warehouses=FISH)
    assert legal(state) == {"facedown:F1o", "facedown:F2x", "facedown:F2o", "end"}
    state = play(state, "facedown:F2x")
    assert phase(state) == "ship p1" and stored(state, 1) == "F:F1o.F2o.F2x_/F2o"
    assert legal(state) == {f"upgrade:{letter}" for letter in "ABCD"}
    state = play(state, "upgrade:C")
    assert field(state, "ships.p1") == wheel(letters="abCd")
    assert phase(state) == "end p1" and number(state, "upgraded") == 1
    assert legal(state) == {"end"}, "once a turn"


def test_12_2_nobody_has_to_upgrade():
    """EN Module 3, Setup: you may."""
    state = play(upgrades_only(phase="end", warehouses=FISH), "end")
    assert field(state, "ships.p1") == wheel() and phase(state) == "play p2"


def test_12_2_at_the_end_of_the_turn_only():
    """EN Module 3, Setup: not when a card is played, drawn or a pile is chosen."""
    state = upgrades_only(hand_p1="F1.M2.C3", warehouses=FISH)
    for event in ("mid:M2", "discard:5", "~draw@p1=C1", "put:left"):
        assert state.is_chance or not any(word.startswith("facedown") for word in legal(state))
        state = play(state, event)
    state = first_luck(play(first_luck(play(state, "pile:1")), "place:5"))
    assert phase(state) == "end p1" and "facedown:F1o" in legal(state)


@pytest.mark.parametrize(
    "warehouses, turn, tiles",
    [
        ("w1|w4|w6|w8", "p1", set()),
        ("w1:F:-/F2x|w4|w6|w8", "p1", set()),
        ("w1:F:F1o/-|w4|w6|w8", "p1", {"F1o"}),
        ("w1:F:F2x/F3o|w4|w6|w8", "p2", {"F3o"}),
        ("w1:F:F2x.F2x/-|w4:C:C3o/C1o|w6|w8", "p1", {"F2x", "C3o"}),
    ],
)
def test_12_2_one_of_the_own_stored_tiles_pays(warehouses, turn, tiles):
    """EN Module 3, Setup: one of your tiles stored; R63: value 1 will do."""
    state = upgrades_only(phase="end", turn=turn, warehouses=warehouses)
    assert legal(state) == {f"facedown:{tile}" for tile in tiles} | {"end"}


def test_12_2_only_a_tile_that_lies_face_up_pays():
    """R63: a tile that was turned cannot pay again; of two alike the other one can."""
    given = {"phase": "end", "ships_p1": upgraded_wheel(1)}
    state = upgrades_only(warehouses="w1:F:F2x_/-|w4|w6|w8", **given)
    assert legal(state) == {"end"}
    state = upgrades_only(warehouses="w1:F:F2x.F2x_/-|w4|w6|w8", **given)
    state = play(state, "facedown:F2x")
    assert stored(state, 1) == "F:F2x_.F2x_/-"
    assert legal(state) == {"upgrade:A", "upgrade:B", "upgrade:C"}, "D is upgraded already"


@pytest.mark.parametrize("order", ["-", "F2", "F2+F3x"])
def test_12_2_a_ship_with_an_order_or_a_tile_may_be_upgraded(order):
    """R63: any ship not yet upgraded, loaded or not; order and tile stay."""
    given = {"phase": "end", "ships_p1": wheel(left=order), "warehouses": FISH}
    state = play(upgrades_only(**given), "facedown:F1o", "upgrade:D")
    assert ship(state, 1, "left") == f"D:{order}"


def test_12_2_a_fourth_upgrade_is_the_last():
    """R63: a ship not yet upgraded; with four upgraded ships no tile can be turned."""
    paid = "w1:F:F1o_.F2x_.F2o_{}/-|w4|w6|w8"
    state = upgrades_only(
        phase="end",
        ships_p1=upgraded_wheel(3),
        warehouses=paid.format(".F3x_").replace("F3x_", "F3x"),
    )
    state = play(state, "facedown:F3x")
    assert legal(state) == {"upgrade:A"}
    state = play(state, "upgrade:A")
    assert field(state, "ships.p1") == wheel(letters="ABCD")
    paid = "w1:F:F3x.F1o_.F2x_.F2o_.F2o_/-|w4|w6|w8"
    state = upgrades_only(phase="end", ships_p1=upgraded_wheel(4), warehouses=paid)
    assert legal(state) == {"end"}


def test_12_2_in_each_turn_again():
    """R63: one per turn; in additional turns too."""
    state = upgrades_only(phase="end", warehouses=FISH, extra=1, hand_p1="C1.C1.C1")
    state = play(state, "facedown:F1o", "upgrade:B", "end")
    assert phase(state) == "play p1" and number(state, "upgraded") == 0
    state = play(state, "left:C1", "stop", "~draw@p1=M2", "put:left")
    assert phase(state) == "end p1" and legal(state) == {"facedown:F2x", "facedown:F2o", "end"}
    state = play(state, "facedown:F2o", "upgrade:A")
    assert field(state, "ships.p1") == wheel(letters="ABcd") and legal(state) == {"end"}


def test_12_2_an_upgrade_is_for_good():
    """R63: the ship stays upgraded when its order is delivered."""
    given = {"hand_p1": "C1.F2.C1", "ships_p1": wheel(right="F1+F3x", letters="aDcb")}
    state = upgrades_only(warehouses="w1:F:F2x_/-|w4|w6|w8", **given)
    state = play(state, "mid:F2", "turn:cw")
    assert ship(state, 1, "dock") == "D:-" and ship(state, 1, "left") == "c:F2"


# 12.3: in which order.


def both_options(**given):
    """Return the end of a turn in which seat 1 can claim a Jarl and upgrade a longship."""
    usual = {"jarl_cards": "j6:q7b|j7:q4a", "coins": "6.0.2", "warehouses": "w1:F:F2x/-|w4|w6|w8"}
    return with_modules(phase="end", **usual | given)


@pytest.mark.parametrize("setting", ["free", "jarl-first"])
def test_12_3_claim_then_upgrade(setting):
    """R62: always possible."""
    state = play(both_options(turn_end=setting), "claim:1")
    assert "facedown:F2x" in legal(state)
    state = play(state, "facedown:F2x", "upgrade:A")
    assert legal(state) == {"extra", "redraw:M1.F1.S1", "end"}


@pytest.mark.parametrize("setting, possible", [("free", True), ("jarl-first", False)])
def test_12_3_upgrade_then_claim(setting, possible):
    """R62: the player chooses the order; turn-end=jarl-first: no Jarl after the upgrade."""
    state = play(both_options(turn_end=setting), "facedown:F2x", "upgrade:A")
    assert ("claim:1" in legal(state)) == possible
    assert {"extra", "redraw:M1.F1.S1", "end"} <= legal(state)


def test_12_3_setting_jarl_first_looks_at_this_turn_only():
    """R62, turn-end=jarl-first: at the end of the next turn the Jarl can be claimed."""
    state = both_options(turn_end="jarl-first", extra=1, hand_p1="C1.C1.C1")
    state = play(state, "facedown:F2x", "upgrade:A", "end", "left:C1", "stop", "~draw@p1=M2")
    assert "claim:1" in legal(play(state, "put:left"))


def test_12_3_coins_at_any_place_of_the_order():
    """R62, R71: redraw and additional turn before, between and after."""
    state = play(both_options(coins="8.0.0"), "extra", "claim:1", "facedown:F2x", "upgrade:A")
    assert "redraw:M1.F1.S1" in legal(state) and number(state, "extra") == 1
    state = play(state, "redraw:M1.F1.S1", "~draw@p1=C1", "~draw@p1=C1", "~draw@p1=C2")
    assert phase(state) == "end p1" and number(state, "upgraded") == 1
    state = play(both_options(), "redraw:M1.F1.S1", "~draw@p1=C1", "~draw@p1=C1", "~draw@p1=C2")
    assert "facedown:F2x" in legal(state) and "claim:1" not in legal(state)


def test_12_3_no_coins_between_the_tile_and_the_ship():
    """R71, coin-offers=any: turning the tile and the ship are one action."""
    state = play(both_options(coin_offers="any"), "facedown:F2x")
    assert legal(state) == {f"upgrade:{letter}" for letter in "ABCD"}


# 12.4: tiles turned face down.


def test_12_4_a_turned_tile_is_still_a_tile_of_its_type():
    """R21: its type is on its back, so it counts for the uses of a middle card."""
    given = {"hand_p1": "F1.C2.S1", "ships_p1": wheel(letters="abcD")}
    state = upgrades_only(warehouses="w1:C:C2x.C2o_/-|w4|w6|w8", **given)
    state = play(state, "mid:C2", "take", "take")
    assert phase(state) == "draw p1"


def test_12_4_the_warehouse_keeps_its_type():
    """EN Module 3, Setup: the tile stays stored; further tiles of the type go there."""
    given = {"hand_p1": "M1.F2.M2", "ships_p1": wheel(right="C2+C1o", letters="abcD")}
    state = upgrades_only(warehouses="w1:C:C2x_/-|w4|w6|w8", **given)
    state = play(state, "mid:F2", "turn:cw")
    assert phase(state) == "draw p1" and stored(state, 1) == "C:C1o.C2x_/-"


def test_12_4_a_turned_tile_counts_one_and_no_buckler():
    """EN Module 3, Setup; ES: one merchandise at the final scoring, its buckler is lost; R60."""
    given = {"upgrades": "on", "ships_p1": upgraded_wheel(1), "ships_p2": upgraded_wheel(0)}
    assert final("w1:F:F3x_/F2o|w4|w6|w8", **given).scores() == [1, 4]
    assert final("w1:F:F3x_/F1o|w4|w6|w8", **given).scores() == [1, 0]
    assert final("w1:F:F3x_/-|w4|w6|w8", **given).scores() == [5, 0]
    assert final("w1|w4|w6|w10:F:F3x_.F1x/-", level2=1, **given).scores() == [3, 0]
    for setting in ("everywhere", "scoring"):
        state = final("w1:F:F3x_/F2o|w4|w6|w8", turned=setting, **given)
        assert state.scores() == [1, 4], "the final scoring is the same under both"


def test_12_4_everybody_sees_what_lies_face_down():
    """R69: the tile was public when it was turned."""
    state = upgrades_only(ships_p1=upgraded_wheel(1), warehouses="w1:F:F2x_/-|w4|w6|w8")
    for seat in (0, 1):
        assert stored(state.view(seat), 1) == "F:F2x_/-"


# 12.5: points.


@pytest.mark.parametrize(
    "letters, points",
    [
        ("abcd", 0),
        ("aBcd", 1),
        ("abcD", 1),
        ("Abcd", 1 + 3),
        ("aBCd", 3),
        ("ABcd", 3 + 3),
        ("aBCD", 6),
        ("AbCD", 6 + 3),
        ("ABCD", 10 + 3),
    ],
)
def test_12_5_points_for_upgraded_ships_and_for_a(letters, points):
    """EN Module 3, A and End: 1/3/6/10 for 1/2/3/4, A 3 PP more; R68: both add up."""
    paid = ".".join(["F1x_", "F1o_", "F2x_", "F2x_"][: sum(c.isupper() for c in letters)]) or "-"
    for seat in (1, 2):
        sides = f"{paid}/-" if seat == 1 else f"-/{paid}"
        house = "w1" if paid == "-" else f"w1:F:{sides}"
        fleets = {f"ships_p{seat}": wheel(letters=letters), f"ships_p{3 - seat}": wheel()}
        scores = final(f"{house}|w4|w6|w8", upgrades="on", **fleets).scores()
        majority = 0 if paid == "-" else 4
        assert scores[seat - 1] == points + majority and scores[2 - seat] == 0


def test_12_5_both_seats_and_all_modules_add_up():
    """EN Final Scoring; EN Complete Game: warehouses, Jarl and longships together."""
    state = final(
        "w1:M:M2x_.M2o/-|w4|w6|w9:F:F1x/F2x_.F3o_.F1o_",
        level2=1,
        upgrades="on",
        ships_p1=wheel(letters="Abcd"),
        ships_p2=wheel(letters="aBCD"),
        jarls="on",
        jarl_cards="j6:q5b:p1|j7:q2a:p2",
    )
    assert state.scores() == [4 + 4 + 4, 6 + 6]
    assert state.returns() == [0.5, 0.5]


# 12.13: the last turn.


LAST = {"triggered": 1, "turn": "p2", "unseen": "-", "market": "M1x.F1x.S1x.C1x.-"}


def test_12_13_claim_and_upgrade_after_the_last_action_phase():
    """R47: the options of the end of the turn, as the first player had his."""
    state = with_modules(
        coins="0.5.3",
        jarl_cards="j6:q7b|j7:q4a",
        warehouses="w1:F:-/F2x|w4|w6|w8",
        **LAST,
    )
    state = play(state, "left:M3", "stop")
    assert phase(state) == "last p2"
    assert legal(state) == {"claim:1", "facedown:F2x", "extra", "end"}
    state = play(state, "facedown:F2x")
    assert phase(state) == "ship p2"
    state = play(state, "upgrade:A")
    assert phase(state) == "last p2" and legal(state) == {"claim:1", "extra", "end"}
    state = play(state, "claim:1", "end", "keep", "keep")
    assert state.scores() == [0, 4 + 1 + 3 + 4]


def test_12_13_one_upgrade_in_all_with_an_additional_turn_bought():
    """R74: draw, maintenance and the end of the turn follow, still with one upgrade in all."""
    state = with_modules(coins="0.8.0", warehouses="w1:F:-/F2x.F2o|w4|w6|w8", **LAST)
    state = play(state, "left:M3", "stop", "facedown:F2x", "upgrade:B", "extra")
    assert phase(state) == "draw p2"
    state = play(state, "~draw@p2=C3", "put:right")
    assert phase(state) == "end p2"
    assert legal(state) == {"extra", "redraw:F3.S3.C3", "end"}
    state = play(state, "end")
    assert phase(state) == "play p2"
    state = play(state, "left:F3", "stop")
    assert phase(state) == "last p2" and "facedown:F2o" in legal(state)


def test_12_13_the_upgrade_may_wait_for_the_end_of_that_turn():
    """R74: not made after the action phase, it is offered at the end of the turn."""
    state = with_modules(coins="0.5.3", warehouses="w1:F:-/F2x.F2o|w4|w6|w8", **LAST)
    state = play(state, "left:M3", "stop", "extra", "~draw@p2=C3", "put:right")
    assert phase(state) == "end p2" and "facedown:F2x" in legal(state)


def test_12_13_setting_jarl_first_still_holds_at_the_end_of_that_turn():
    """R62, R74: it is the same turn."""
    given = LAST | {"turn_end": "jarl-first", "jarl_cards": "j6:q5a|j7:q4a"}
    stock = "w1:F:-/F2x.F2o|w4:M:-/M2x|w6:S:-/S2x|w8:C:-/C2x"
    state = with_modules(coins="0.5.3", warehouses=stock, **given)
    state = play(state, "left:M3", "stop")
    assert "claim:1" in legal(state)
    state = play(state, "facedown:F2x", "upgrade:B")
    assert "claim:1" not in legal(state)
    state = play(state, "extra", "~draw@p2=C3", "put:right")
    assert phase(state) == "end p2" and "claim:1" not in legal(state)


def test_12_13_nothing_is_offered_in_the_final_unloading():
    """EN Module 3, Setup: at the end of your turn."""
    state = upgrades_only(phase="unload", triggered=1, warehouses=FISH)
    assert legal(state) == {"keep"}


def test_12_5_figures_of_longships_are_the_rulebooks(tmp_path):
    """RULES 15: a card file cannot change what the rulebooks state."""
    with pytest.raises(engine.BadCards, match="a_points"):
        read_cards(tmp_path, ("a_points = 3", "a_points = 4"))


def test_12_2_a_whole_turn_around_an_upgrade():
    """EN Playing the Game: the upgrade ends no turn and changes no market."""
    state = upgrades_only(hand_p1="F1.C2.C3", warehouses=FISH)
    state = play(state, "right:C3", "stop", "~draw@p1=M2", "put:left", "facedown:F1o", "upgrade:A")
    assert "-" not in market(state) and phase(finish_turn(state)) == "play p2"
