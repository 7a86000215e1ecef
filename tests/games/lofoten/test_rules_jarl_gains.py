"""Lofoten, RULES.md section 11: abilities of Jarls that act at once."""

import pytest
from helpers import field, legal, phase, play, ship, ships, stored
from module_helpers import (
    COFFERS,
    JARLS,
    claiming,
    final,
    jarls_only,
    owning,
    read_cards,
    wheel,
    with_modules,
)

# 11.8: immediate, permanent, at the end.


@pytest.mark.parametrize("ability", JARLS)
def test_11_8_each_ability_can_be_claimed(ability):
    """EN Module 2, end: immediate, permanent or for the end; the claim ends no turn."""
    state = play(claiming(ability), "claim:1")
    if ability == "storehouse":
        assert phase(state) == "attach p1"
        state = play(state, "attach:1")
    assert phase(state) == "end p1"
    assert phase(play(state, "end")) == "play p2"


def test_11_8_permanent_abilities_begin_with_the_claim():
    """R90: from the claim on, so in the additional turn that was already paid for."""
    state = claiming("rowers", hand_p1="F1.F1.C1", extra=1)
    plain = play(state, "end", "right:C1", "turn:cw")
    assert "turn:cw" not in legal(plain)
    state = play(state, "claim:1", "end", "right:C1", "turn:cw")
    assert {"turn:cw", "move:right"} < legal(state)


def test_11_8_only_the_owner_has_them():
    """EN Module 2, end: the Jarl card grants abilities to the one who has it."""
    given = {"hand_p1": "F1.C2.C1", "coins": "2.0.6"}
    for ability in ("rowers", "traders", "swift"):
        mine, his = owning(ability, **given), owning(ability, seat=2, **given)
        assert ("extra" in legal(mine), "extra" in legal(his)) == (ability == "swift", False)
        mine, his = play(mine, "right:C1", "turn:cw"), play(his, "right:C1", "turn:cw")
        assert ("turn:cw" in legal(mine), "turn:cw" in legal(his)) == (ability == "rowers", False)
    mine, his = (play(owning("traders", seat, **given), "mid:C2", "take") for seat in (1, 2))
    assert phase(mine) == "use p1" and phase(his) == "draw p1"


# 11.9: tribute.


@pytest.mark.parametrize(
    "before, reserve, coffer",
    [
        ("5.0.3", "8.0.0", "8.0.0"),
        ("5.1.2", "7.1.0", "8.0.0"),
        ("5.2.1", "6.2.0", "8.0.0"),
        ("5.3.0", "5.3.0", "8.0.0"),
        ("8.0.0", "8.0.0", "8.0.0"),
        ("6.1.1", "7.1.0", "8.0.0"),
    ],
)
def test_11_9_tribute_takes_three_coins_as_far_as_there_are(before, reserve, coffer):
    """R90: from the reserve only; tribute=coffer: one by one, then from the opponent (R22)."""
    state = claiming("tribute", coins=before)
    assert field(play(state, "claim:1"), "coins") == reserve
    for word, after in (("reserve", reserve), ("coffer", coffer)):
        state = play(claiming("tribute", coins=before, tribute=word), "claim:1")
        assert field(state, "coins") == after and phase(state) == "end p1"


def test_11_9_tribute_of_seat_2():
    """R90: the same from the other side."""
    given = {"turn": "p2", "coins": "2.5.1"}
    assert field(play(claiming("tribute", **given), "claim:1"), "coins") == "2.6.0"
    state = play(claiming("tribute", tribute="coffer", **given), "claim:1")
    assert field(state, "coins") == "0.8.0"


@pytest.mark.parametrize(
    "before, reserve, coffer", [("3.2.3", "3.5.0", "3.5.0"), ("3.5.0", "0.8.0", "3.5.0")]
)
def test_11_9_the_coins_given_come_first(before, reserve, coffer):
    """R58, R90: three coins to the opponent, then the tribute; the reserve may be empty."""
    given = {"coins": before, "jarl_cards": "j1:q7a|j6:q4a"}
    assert field(play(claiming("tribute", **given), "claim:1"), "coins") == reserve
    state = play(claiming("tribute", tribute="coffer", **given), "claim:1")
    assert field(state, "coins") == coffer


def test_11_9_the_coins_can_be_spent_at_once():
    """R71, R90: the end of the turn offers an additional turn after the claim."""
    given = {"warehouses": COFFERS, "jarl_cards": "j1:q4a|j6:q7b"}
    state = claiming("tribute", coins="0.0.8", **given)
    assert legal(state) == {"claim:1", "end"}
    state = play(state, "claim:1")
    assert field(state, "coins") == "3.0.5"
    assert phase(play(state, "extra", "end")) == "play p1"


def test_11_9_the_number_is_that_of_the_card(tmp_path):
    """RULES 15: `tribute` has the figure `coins`."""
    cards = read_cards(tmp_path, ('"tribute"\ncoins = 3', '"tribute"\ncoins = 1'))
    assert field(play(claiming("tribute", cards=cards), "claim:1"), "coins") == "6.0.2"


# 11.10: harbour.


LOADED = {"ships_p1": ships(top="F2+F2o", right="S1+S2x", left="C3+C3o")}


def test_11_10_harbour_unloads_one_ship_of_ones_choice():
    """R89: at once, whatever its place, the order discarded, an empty warehouse chosen (R33d)."""
    state = play(claiming("harbour", **LOADED), "claim:1")
    assert phase(state) == "harbour p1"
    assert legal(state) == {"unload:top", "unload:right", "unload:left"}
    for place, house, left in (
        ("top", "F:F2o/-", ships(right="S1+S2x", left="C3+C3o")),
        ("right", "S:S2x/-", ships(top="F2+F2o", left="C3+C3o")),
        ("left", "C:C3o/-", ships(top="F2+F2o", right="S1+S2x")),
    ):
        after = play(state, f"unload:{place}")
        assert phase(after) == "store p1"
        assert legal(after) == {f"store:{n}" for n in (1, 2, 3, 4)}
        after = play(after, "store:3")
        assert phase(after) == "end p1" and stored(after, 3) == house
        assert field(after, "ships.p1") == left
        assert field(after, "discard") == {"top": "F2", "right": "S1", "left": "C3"}[place]


def test_11_10_harbour_stores_where_the_type_is():
    """R89, R33d: as any unloading."""
    given = LOADED | {"warehouses": "w1|w4:F:-/F3o|w6|w8"}
    state = play(claiming("harbour", **given), "claim:1", "unload:top")
    assert phase(state) == "end p1" and stored(state, 2) == "F:F2o/F3o"


@pytest.mark.parametrize("setting", ["must", "may"])
def test_11_10_harbour_without_a_loaded_ship(setting):
    """R89: then nothing happens, also where the opponent has loaded ships."""
    given = {"ships_p1": ships(top="F2", dock="C1"), "ships_p2": ships(top="S1+S2x")}
    state = play(claiming("harbour", harbour=setting, **given), "claim:1")
    assert phase(state) == "end p1" and field(state, "jarl-cards").startswith("j2:q7b:p1")


def test_11_10_setting_may_it_can_be_kept():
    """R89, harbour=may: with `keep` the ability is over."""
    state = play(claiming("harbour", harbour="may", **LOADED), "claim:1")
    assert legal(state) == {"unload:top", "unload:right", "unload:left", "keep"}
    state = play(state, "keep")
    assert phase(state) == "end p1" and field(state, "ships.p1") == LOADED["ships_p1"]
    assert legal(state) == {"extra", "redraw:M1.F1.S1", "end"}


@pytest.mark.parametrize("final_b", ["all", "one"])
def test_11_10_harbour_unloads_all_tiles_of_ship_b(final_b):
    """R89, R51: with all its tiles, also where the final unloading takes one only."""
    given = {
        "upgrades": "on",
        "final_b": final_b,
        "ships_p1": wheel("S1+S2x", "F1+F2o+F1o", letters="aBcd"),
        "warehouses": "w1:F:F3x_/-|w4|w6|w8",
    }
    state = play(claiming("harbour", **given), "claim:1")
    assert legal(state) == {"unload:top", "unload:right"}
    state = play(state, "unload:right")
    assert stored(state, 1) == "F:F1o.F2o.F3x_/-" and phase(state) == "end p1"
    assert ship(state, 1, "right") == "B:-" and field(state, "discard") == "F1"


def test_11_10_several_tiles_of_ship_b_open_one_warehouse():
    """R89, 12.6: all into the one warehouse that is chosen."""
    given = {
        "upgrades": "on",
        "ships_p1": wheel(right="F1+F2o+F2x", letters="aBcd"),
        "warehouses": "w1|w4|w6|w8:M:M3x_/-",
    }
    state = play(claiming("harbour", **given), "claim:1", "unload:right")
    assert phase(state) == "store p1" and sorted(field(state, "tile").split("+")) == ["F2o", "F2x"]
    state = play(state, "store:2")
    assert stored(state, 2) == "F:F2x.F2o/-" and phase(state) == "end p1"


def test_11_10_the_tile_unloaded_can_pay_for_an_upgrade():
    """R62, R89: the turn's end goes on, so what was just stored may be turned."""
    given = {"upgrades": "on", "ships_p1": wheel("F2+F2o"), "warehouses": "w1|w4|w6|w8"}
    state = play(claiming("harbour", **given), "claim:1", "unload:top", "store:1")
    assert "facedown:F2o" in legal(state)
    state = play(state, "facedown:F2o", "upgrade:B")
    assert stored(state, 1) == "F:F2o_/-" and phase(state) == "end p1"


def test_11_10_in_the_last_turn_besides_the_final_unloading():
    """R47, R49: the Jarl unloads one ship, the end of the game another."""
    given = {"phase": "last", "hand_p2": "M3.F3", "triggered": 1, "turn": "p2", "coins": "0.5.3"}
    given["ships_p2"] = LOADED["ships_p1"]
    state = play(claiming("harbour", **given), "claim:1", "unload:left", "store:1")
    assert phase(state) == "last p2" and legal(state) == {"extra", "end"}
    state = play(state, "end", "keep")
    assert legal(state) == {"unload:top", "unload:right", "keep"}


# 11.15: storehouse; what it does in each scoring see test_rules_warehouses.py.


def test_11_15_a_storehouse_is_attached_at_once():
    """FR Module 2: associated with a warehouse as soon as gained; R86: any of the four."""
    stock = "w1:F:F2x/-|w4:C:-/C2x|w6|w8"
    state = play(claiming("storehouse", warehouses=stock), "claim:1")
    assert phase(state) == "attach p1" and legal(state) == {f"attach:{n}" for n in (1, 2, 3, 4)}
    for house in (1, 2, 3, 4):
        after = play(state, f"attach:{house}")
        assert field(after, "jarl-cards") == f"j8:q7b:p1@{house}|j6:q4a"
        assert phase(after) == "end p1" and field(after, "warehouses") == stock


def test_11_15_a_storehouse_is_no_tile():
    """R86: an empty warehouse it is attached to stays empty, open to any type of either seat."""
    state = jarls_only(
        hand_p1="M1.F2.M2",
        ships_p1=ships(right="C2+C1o"),
        jarl_cards="j8:q7b:p2@3|j6:q4a",
    )
    state = play(state, "mid:F2", "turn:cw")
    assert "store:3" in legal(state)
    assert stored(play(state, "store:3"), 3) == "C:C1o/-"


def test_11_15_a_storehouse_gives_no_uses():
    """R17, R86: N counts tiles."""
    given = {"warehouses": "w1:C:C3o/-|w4|w6|w8", "jarl_cards": "j8:q7b:p1@1|j6:q4a"}
    state = play(jarls_only(hand_p1="F1.C2.S1", **given), "mid:C2", "take")
    assert phase(state) == "draw p1"


def test_11_15_a_storehouse_claimed_in_the_last_turn_counts():
    """R47, R86: 2 merchandise in an empty warehouse are a majority."""
    given = {"phase": "last", "hand_p2": "M3.F3", "triggered": 1, "turn": "p2", "coins": "0.5.3"}
    state = play(claiming("storehouse", **given), "claim:1", "attach:4")
    assert phase(state) == "last p2"
    state = play(state, "end", "keep", "keep")
    assert state.scores() == [0, 8]


def test_11_15_the_figure_of_the_card(tmp_path):
    """RULES 15: `storehouse` has the figure `merchandise`."""
    cards = read_cards(tmp_path, ('"storehouse"\nmerchandise = 2', '"storehouse"\nmerchandise = 4'))
    given = {"jarls": "on", "jarl_cards": "j8:q7b:p1@1|j6:q4a"}
    house = "w1:F:-/F3x|w4|w6|w8"
    assert final(house, **given).scores() == [0, 4]
    assert final(house, cards=cards, **given).scores() == [4, 0]


def test_11_8_coins_are_not_offered_within_an_ability():
    """R71, coin-offers=any: the claim and what it brings are one action."""
    given = {"coins": "5.0.3", "coin_offers": "any"}
    for ability in ("harbour", "storehouse"):
        state = play(claiming(ability, **given, **LOADED), "claim:1")
        assert all(word.startswith(("unload:", "attach:")) for word in legal(state))


def test_11_8_jarls_and_longships_together():
    """EN Complete Game: the modules are combinable; both options at one turn's end."""
    state = with_modules(
        phase="end",
        jarl_cards="j6:q7b|j7:q4a",
        coins="5.0.3",
        warehouses="w1:F:F2x/-|w4|w6|w8",
    )
    assert legal(state) == {"claim:1", "facedown:F2x", "extra", "redraw:M1.F1.S1", "end"}
