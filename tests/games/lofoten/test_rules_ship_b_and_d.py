"""Lofoten, RULES.md section 12: what the upgraded longships B and D do."""

import pytest
from helpers import area, field, first_luck, legal, market, number, phase, play, ship, stored
from module_helpers import upgrades_only, wheel, with_modules

STOCK = "w1:F:F1o/-|w4|w6|w8"


# 12.6: B.


def fishing(tiles, order="F1", letters="Bacd", **given):
    """Return seat 1 in area 1 with this order on the ship to the market, about to go right."""
    usual = {"hand_p1": "C1.C1.C3", "coins": "2.0.6", "area_p1": 1, "market": f"-.{tiles}"}
    return play(upgrades_only(ships_p1=wheel(order, letters=letters), **usual | given), "right:C3")


@pytest.mark.parametrize(
    "tiles, loaded",
    [
        ("F1x.F1o.F2x.-", ["F1x", "F1x+F1o", "F1x+F1o+F2x"]),
        ("F2x.F2o.F1x.-", ["F2x", "F2x+F2o", "F2x+F2o"]),
        ("F3x.F2o.F1x.-", ["F3x", "F3x", "F3x+F1x"]),
        ("F3x.F1o.F1x.-", ["F3x", "F3x+F1o", "F3x+F1o"]),
        ("F1x.F3o.F1o.-", ["F1x", "F1x+F3o", "F1x+F3o"]),
        ("F2x.M1x.F2o.-", ["F2x", "F2x", "F2x+F2o"]),
        ("F2x.F3o.F1o.-", ["F2x", "F2x", "F2x+F1o"]),
    ],
)
def test_12_6_b_loads_up_to_a_total_of_four(tiles, loaded):
    """EN Module 3, B: several tiles up to a total of 4; R64: of its order's type, compulsory."""
    state = fishing(tiles)
    for text in loaded:
        state = play(state, "move:right")
        assert phase(state) == "step p1" and ship(state, 1, "top") == f"B:F1+{text}"


def test_12_6_a_tile_that_makes_more_than_four_stays_in_the_market():
    """R85: nobody loads it, and it is still there."""
    state = play(fishing("F3x.F2o.-.-"), "move:right", "move:right")
    assert market(state) == ["-", "-", "F2o", "-", "-"] and ship(state, 1, "top") == "B:F1+F3x"


def test_12_6_without_the_upgrade_one_tile_is_all():
    """EN Automatic actions: not already loaded; the light side of B has no ability."""
    for letters in ("bacd", "AbCD", "Dabc"):
        state = play(fishing("F1x.F1o.F2x.-", letters=letters), "move:right", "move:right")
        assert ship(state, 1, "top")[2:] == "F1+F1x" and market(state)[2] == "F1o"


def test_12_6_all_tiles_are_unloaded_together():
    """R64: into one warehouse, and one order is discarded; 1 + 1 + 2 are three tiles."""
    state = play(fishing("F1x.F1o.F2x.-"), *["move:right"] * 3, "pay:turn:cw", "pay:turn:cw")
    assert phase(state) == "store p1" and field(state, "discard") == "F1.C3"
    assert legal(state) == {"store:1", "store:2", "store:3"}
    state = play(state, "store:2")
    assert stored(state, 2) == "F:F1x.F1o.F2x/-" and ship(state, 1, "dock") == "B:-"
    assert phase(state) == "draw p1"


def test_12_6_where_the_type_is_stored_already_nothing_is_asked():
    """R33d, R64: all of them to the warehouse of the type."""
    state = upgrades_only(
        hand_p1="C1.F2.C1",
        ships_p1=wheel(right="C1+C2x+C2o", letters="aBcd"),
        warehouses="w1:M:M2x_/-|w4:C:-/C1o|w6|w8",
    )
    state = play(state, "mid:F2", "turn:cw")
    assert stored(state, 2) == "C:C2x.C2o/C1o" and phase(state) == "draw p1"


def test_12_6_a_single_tile_is_unloaded_at_the_dock_like_any():
    """EN Automatic actions: as soon as a loaded ship becomes the bottom one; B does not wait."""
    state = upgrades_only(hand_p1="C1.S2.C1", ships_p1=wheel(right="F1+F1o", letters="aBcd"))
    state = play(state, "right:C1", "turn:cw", "store:1")
    assert stored(state, 1) == "F:F1o/-" and ship(state, 1, "dock") == "B:-"


def test_12_6_further_tiles_load_at_the_start_of_the_turn_too():
    """EN Automatic actions, first bullet; R64: a loaded B goes on loading."""
    state = upgrades_only(
        phase="end", turn="p2", market="-.-.F2x.-.-", ships_p1=wheel("F1+F1o", letters="Bacd")
    )
    state = play(state, "end")
    assert ship(state, 1, "top") == "B:F1+F1o+F2x" and number(state, "moved") == 1


def test_12_6_not_in_the_others_turn_nor_when_a_tile_is_placed():
    """R33a, R33b: as any ship."""
    state = upgrades_only(
        phase="place",
        tile="F2x",
        market="M1x.F1x.-.C1x.M1o",
        piles="?11.S12",
        ships_p1=wheel("F1+F1o", letters="Bacd"),
        ships_p2=wheel("F3+F2o", letters="Bacd"),
    )
    state = first_luck(play(state, "place:3"))
    assert ship(state, 1, "top") == "B:F1+F1o" and ship(state, 2, "top") == "B:F3+F2o"
    state = play(state, "end")
    assert ship(state, 2, "top") == "B:F3+F2o+F2x" and ship(state, 1, "top") == "B:F1+F1o"


def test_12_6_several_tiles_stored_at_once_raise_the_uses_under_live():
    """R18, R64, count=live: one fish stored, three more by the first rotation: four uses."""
    for count, uses in (("fixed", 1), ("live", 4)):
        state = upgrades_only(
            hand_p1="S1.F2.S1",
            count=count,
            market="-.-.-.-.-",
            ships_p1=wheel(right="F3+F1x+F1o+F2x", letters="aBcd"),
            warehouses="w1:F:F3x_/-|w4|w6|w8",
        )
        state = play(state, "mid:F2", "turn:cw", *["turn:ccw"] * (uses - 1))
        assert phase(state) == "draw p1", count


def test_12_6_loading_and_unloading_in_one_step():
    """R33c: the ship that comes to the market loads, B at the dock is unloaded."""
    state = upgrades_only(
        hand_p1="C1.F2.C1",
        ships_p1=wheel(right="F1+F1o+F3x", left="S2", letters="aBcd"),
    )
    state = play(state, "mid:F2", "turn:cw")
    assert ship(state, 1, "top") == "d:S2+S1x" and phase(state) == "store p1"
    assert stored(play(state, "store:1"), 1) == "F:F1o.F3x/-"


# 12.7: D.


@pytest.mark.parametrize(
    "coffers, light, upgraded",
    [
        ("-", 1, 4),
        ("C1o", 1, 4),
        ("C1o.C2x.C2o", 3, 4),
        ("C1o.C2x.C2o.C2o", 4, 4),
        ("C1o.C2x.C2o.C2o.C3x", 5, 5),
    ],
)
def test_12_7_up_to_four_uses_on_ship_d(coffers, light, upgraded):
    """EN Module 3, D: its immediate effect up to 4 times; R67: max(4, N)."""
    house = "w1" if coffers == "-" else f"w1:C:{coffers}/-"
    for letters, most in (("abdc", light), ("abDc", upgraded), ("Dbac", light)):
        paid = "M:M2x_/-" if "D" in letters else ""
        state = upgrades_only(
            hand_p1="F1.C2.S1",
            ships_p1=wheel(letters=letters),
            warehouses=f"{house}|w4|w6|w8:{paid}".removesuffix(":"),
        )
        state = play(state, "mid:C2", *["take"] * most)
        assert phase(state) == "draw p1" and field(state, "coins") == f"{most}.0.{8 - most}"


def test_12_7_not_all_uses_are_compulsory():
    """EN Middle card: not required to resolve all; R16."""
    state = upgrades_only(hand_p1="F1.C2.S1", ships_p1=wheel(letters="abDc"))
    assert phase(play(state, "mid:C2", "take", "stop")) == "draw p1"


def test_12_7_the_card_keeps_its_uses_when_d_turns_away():
    """R67: a middle card placed in it; a rotation takes ship D from the dock."""
    state = upgrades_only(hand_p1="C1.F2.C1", ships_p1=wheel(letters="abDc"))
    state = play(state, "mid:F2")
    for turned in range(4):
        assert legal(state) == {"turn:cw", "turn:ccw", "stop"}, turned
        state = play(state, "turn:cw")
    assert phase(state) == "draw p1" and ship(state, 1, "dock") == "D:F2"


@pytest.mark.parametrize("card, word, uses", [("S2", "move:left", 2), ("M2", "discard:", 4)])
def test_12_7_with_sheep_and_mead(card, word, uses):
    """EN Module 3, D: the immediate effect of any type; R80: as far as it changes anything."""
    state = upgrades_only(hand_p1=f"C1.{card}.C1", ships_p1=wheel(letters="abDc"))
    state = play(state, f"mid:{card}")
    for n in range(uses):
        state = play(state, word if word[-1] != ":" else f"{word}{n + 1}")
    if card == "S2":
        assert area(state, 1) == 1 and legal(state) == {"move:right", "stop"}
        state = play(state, "move:right", "move:left")
    assert phase(state) == "draw p1"


def test_12_7_d_upgraded_under_its_order_helps_the_next_card_only():
    """R83: an order already lying there was used when it was placed."""
    state = upgrades_only(phase="end", ships_p1=wheel(dock="C1", letters="abdc"), warehouses=STOCK)
    state = play(state, "facedown:F1o", "upgrade:D", "end")
    assert phase(state) == "play p2" and field(state, "on-d", "0") == "0"


@pytest.mark.parametrize("count, uses", [("fixed", 4), ("live", 5)])
def test_12_7_live_counts_anew_on_ship_d(count, uses):
    """R18, R67: four fish stored, the first rotation unloads the fifth."""
    state = upgrades_only(
        hand_p1="S1.F2.S1",
        count=count,
        market="-.-.-.-.-",
        ships_p1=wheel(right="F3+F3x", letters="abDc"),
        warehouses="w1:F:F1x_.F1o.F2x.F2o/-|w4|w6|w8",
    )
    state = play(state, "mid:F2", "turn:cw")
    assert stored(state, 1) == "F:F1o.F2x.F2o.F3x.F1x_/-"
    for _ in range(uses - 1):
        assert phase(state) == "use p1"
        state = play(state, "turn:ccw")
    assert phase(state) == "draw p1"


@pytest.mark.parametrize(
    "tiles, after, before",
    [("C2x", 5, 4), ("C2x.C2o", 5, 4), ("C1o.C2x.C2o", 5, 4), ("C1o.C2x.C2o.C3x", 5, 5)],
)
def test_11_12_traders_on_ship_d(tiles, after, before):
    """R90: max(4, N) + 1; traders=before: max(4, N + 1)."""
    for setting, uses in (("after", after), ("before", before)):
        state = with_modules(
            hand_p1="F1.C2.S1",
            traders=setting,
            ships_p1=wheel(letters="abDc"),
            jarl_cards="j4:q7b:p1|j6:q5b",
            warehouses=f"w1:C:{tiles}/-|w4|w6|w8:M:M2x_/-",
        )
        state = play(state, "mid:C2", *["take"] * (uses - 1))
        assert "take" in legal(state), "one more"
        assert phase(play(state, "take")) == "draw p1", f"{uses} in all"


@pytest.mark.parametrize(
    "fish, after, before",
    [("F1x_.F1o", 5, 4), ("F1x_.F1o.F2x", 5, 5), ("F1x_.F1o.F2x.F2o", 6, 6)],
)
def test_11_12_traders_on_ship_d_under_live(fish, after, before):
    """R18, R67, R90: N grows by one when the first rotation unloads a fish."""
    for setting, uses in (("after", after), ("before", before)):
        state = with_modules(
            hand_p1="S1.F2.S1",
            count="live",
            traders=setting,
            market="-.-.-.-.-",
            ships_p1=wheel(right="F3+F3x", letters="abDc"),
            jarl_cards="j4:q7b:p1|j6:q5b",
            warehouses=f"w1:F:{fish}/-|w4|w6|w8",
        )
        state = play(state, "mid:F2", "turn:cw", *["turn:ccw"] * (uses - 2))
        assert phase(state) == "use p1", "one more"
        assert phase(play(state, "turn:ccw")) == "draw p1", f"{uses} in all"


# 12.12: the final unloading.


def unloading(order, letters="Bacd", **given):
    usual = {"phase": "unload", "triggered": 1, "market": "-.-.-.-.-"}
    return upgrades_only(ships_p1=wheel(order, letters=letters), **usual | given)


def test_12_12_all_tiles_of_ship_b():
    """EN End of the Game: one of their longships; R51: of ship B all tiles, R50: as in play."""
    state = unloading("F1+F1x+F1o+F2x")
    assert legal(state) == {"unload:top", "keep"}
    state = play(state, "unload:top")
    assert legal(state) == {"store:1", "store:2", "store:3"}, "fish has no warehouse yet"
    state = play(state, "store:1")
    assert stored(state, 1) == "F:F1x.F1o.F2x/-" and ship(state, 1, "top") == "B:-"
    assert field(state, "discard") == "F1" and phase(state) == "unload p2"


@pytest.mark.parametrize(
    "tiles, words, chosen, left",
    [
        ("F1x+F1o+F2x", {"F1x", "F1o", "F2x"}, "F1o", "F1x+F2x"),
        ("F2x+F2x", {"F2x"}, "F2x", "F2x"),
        ("F3o+F1x", {"F3o", "F1x"}, "F3o", "F1x"),
    ],
)
def test_12_12_setting_one_a_tile_of_the_owners_choice(tiles, words, chosen, left):
    """R51, final-b=one: the others and the order stay on the ship."""
    state = unloading(f"F1+{tiles}", final_b="one")
    assert legal(state) == {f"unload:top:{tile}" for tile in words} | {"keep"}
    state = play(state, f"unload:top:{chosen}", "store:1")
    assert stored(state, 1) == f"F:{chosen}/-" and ship(state, 1, "top") == f"B:F1+{left}"
    assert field(state, "discard") == "-" and phase(state) == "unload p2"


def test_12_12_setting_one_with_a_single_tile():
    """R51, final-b=one: the ship is empty then, its order discarded."""
    for letters in ("Bacd", "bacd", "Cabd"):
        state = unloading("F1+F2x", letters=letters, final_b="one")
        assert legal(state) == {"unload:top", "keep"}
        state = play(state, "unload:top", "store:1")
        assert ship(state, 1, "top")[2:] == "-" and field(state, "discard") == "F1"


def test_12_12_one_ship_only_also_with_ship_b():
    """EN End of the Game: from only one of their longships."""
    given = {"ships_p1": wheel("F1+F1x+F2x", left="C1+C2x", letters="Bacd")}
    for final_b in ("all", "one"):
        state = upgrades_only(
            phase="unload", triggered=1, market="-.-.-.-.-", final_b=final_b, **given
        )
        words = {"all": {"unload:top"}, "one": {"unload:top:F1x", "unload:top:F2x"}}[final_b]
        assert legal(state) == words | {"unload:left", "keep"}
        assert phase(play(state, min(words), "store:1")) == "unload p2"
