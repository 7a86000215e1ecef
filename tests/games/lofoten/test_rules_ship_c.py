"""Lofoten, RULES.md section 12: the upgraded longship C, and when abilities begin."""

import pytest
from helpers import field, finish_turn, legal, market, number, phase, play, ship, stored
from module_helpers import upgrades_only, wheel

# 12.8 to 12.10: C.


def facing(order="F1", tile="S1x", letters="Cabd", value=2, **given):
    """Return seat 1 about to step from area 2 to a tile in area 3 with C to the market."""
    usual = {"hand_p1": f"C1.C1.C{value}", "area_p1": 2, "market": f"-.-.{tile}.C2x.-"}
    state = upgrades_only(ships_p1=wheel(order, letters=letters), **usual | given)
    return play(state, f"right:C{value}")


@pytest.mark.parametrize("tile", ["M2o", "S1x", "C3o"])
def test_12_8_c_may_load_any_type(tile):
    """EN Module 3, C: if it has an order you can load any type; R65: the owner decides."""
    state = play(facing(tile=tile), "move:right")
    assert phase(state) == "load p1" and legal(state) == {"load", "leave"}
    taken = play(state, "load")
    assert ship(taken, 1, "top") == f"C:F1+{tile}" and market(taken)[2] == "-"
    assert phase(taken) == "step p1" and number(taken, "moved") == 1
    left = play(state, "leave")
    assert ship(left, 1, "top") == "C:F1" and market(left)[2] == tile
    assert phase(left) == "step p1" and number(left, "moved") == 0


@pytest.mark.parametrize("setting", ["may", "must"])
@pytest.mark.parametrize("tile", ["F1o", "F2x", "F3o"])
def test_12_8_a_tile_of_its_orders_type_must_load(tile, setting):
    """R65: a matching tile must, as always; nobody is asked."""
    state = play(facing(tile=tile, ship_c=setting), "move:right")
    assert phase(state) == "step p1" and ship(state, 1, "top") == f"C:F1+{tile}"


def test_12_8_setting_must_loads_any_tile():
    """R65, ship-c=must: also another type, at each step and at the start of the turn."""
    state = play(facing(ship_c="must"), "move:right")
    assert phase(state) == "step p1" and ship(state, 1, "top") == "C:F1+S1x"
    given = {"phase": "end", "turn": "p2", "ships_p1": wheel("F1", letters="Cabd")}
    state = play(upgrades_only(ship_c="must", **given), "end")
    assert phase(state) == "play p1" and ship(state, 1, "top") == "C:F1+S1x"


@pytest.mark.parametrize("setting", ["may", "must"])
@pytest.mark.parametrize(
    "order, letters, tile",
    [
        ("-", "Cabd", "S1x"),
        ("F1+F2x", "Cabd", "S1x"),
        ("F1+M2x", "Cabd", "F1o"),
        ("F1", "cabd", "S1x"),
        ("F1", "cABD", "S1x"),
        ("F1", "BaCd", "S1x"),
        ("F1", "Cabd", "-"),
    ],
)
def test_12_8_only_an_upgraded_c_with_an_order_and_no_tile(order, letters, tile, setting):
    """EN Module 3, C: if this longship has an order card; EN Automatic actions: not yet loaded."""
    state = play(facing(order, tile, letters, ship_c=setting), "move:right")
    assert phase(state) == "step p1" and ship(state, 1, "top")[2:] == order
    assert market(state)[2] == tile


def test_12_9_asked_before_all_else_of_the_turn():
    """R84, R72: at the start of the action phase, before coins and cards."""
    given = {"phase": "end", "turn": "p2", "ships_p1": wheel("F1", letters="Cabd")}
    for offers in ("fewest", "any"):
        state = play(upgrades_only(coins="8.0.0", coin_offers=offers, **given), "end")
        assert phase(state) == "load p1" and legal(state) == {"load", "leave"}
        taken = play(state, "load")
        assert phase(taken) == "play p1" and ship(taken, 1, "top") == "C:F1+S1x"
        assert "extra" in legal(taken)
        assert phase(play(state, "leave")) == "play p1"


def test_12_9_asked_at_the_start_of_an_additional_turn():
    """R75, R84: it has a load check of its own; what was refused before is asked again."""
    given = {"hand_p1": "C1.F1.C1", "ships_p1": wheel("F1", letters="Cabd"), "extra": 1}
    state = upgrades_only(phase="end", **given)
    state = play(state, "end")
    assert phase(state) == "load p1" and number(state, "turns") == 1
    state = play(state, "leave", "left:C1", "stop", "~draw@p1=C2", "put:left", "end")
    assert phase(state) == "play p2"


def test_12_9_asked_after_each_step():
    """R84: each step of the fleet; a refusal holds until the next one."""
    state = play(facing(value=3, coins="1.0.7", market="-.-.S1x.C2x.M2o"), "move:right")
    for n, word in enumerate(("move:right", "move:right", "pay:turn:cw")):
        assert phase(state) == "load p1", n
        state = play(state, "leave")
        assert phase(state) == "step p1" and word in legal(state)
        state = play(state, word)
    assert phase(state) == "draw p1", "the last step turned C away from the market"


def test_12_9_asked_after_a_step_that_was_bought():
    """R26, R84: bought moves are ordinary moves."""
    state = play(facing(value=1, area_p1=1, coins="1.0.7"), "move:right")
    assert phase(state) == "step p1" and legal(state) == {"pay:move:right", "pay:turn:cw", "stop"}
    state = play(state, "pay:move:right")
    assert phase(state) == "load p1" and field(state, "coins") == "0.0.8"
    assert phase(play(state, "load")) == "draw p1" == phase(play(state, "leave"))


@pytest.mark.parametrize("card, word", [("F2", "turn:cw"), ("S2", "move:right")])
def test_12_9_asked_after_a_step_of_a_middle_card(card, word):
    """R20, R84: rotations and moves of a middle card are steps of the fleet too."""
    places = {"left": "M1"} if card == "F2" else {"top": "M1"}
    letters = "abdC" if card == "F2" else "Cabd"
    state = upgrades_only(
        hand_p1=f"C1.{card}.C1",
        ships_p1=wheel(**places, letters=letters),
        warehouses=f"w1:{card[0]}:{card[0]}2x_.{card[0]}2o/-|w4|w6|w8",
    )
    state = play(state, f"mid:{card}", word)
    assert phase(state) == "load p1"
    state = play(state, "load")
    assert phase(state) == "use p1" and ship(state, 1, "top").startswith("C:M1+")


def test_12_9_asked_before_the_unloading_of_that_step():
    """R33c, R84: load, then unload, here with the choice of a warehouse."""
    given = {"hand_p1": "C1.F2.C1", "ships_p1": wheel(right="M1+M2x", left="F1", letters="abdC")}
    state = play(upgrades_only(warehouses="w1:C:C2x_/-|w4|w6|w8", **given), "mid:F2", "turn:cw")
    assert phase(state) == "load p1" and legal(state) == {"load", "leave"}
    assert field(state, "warehouses") == "w1:C:C2x_/-|w4|w6|w8"
    for word, top in (("load", "C:F1+S1x"), ("leave", "C:F1")):
        after = play(state, word)
        assert phase(after) == "store p1" and ship(after, 1, "top") == top
        after = play(after, "store:3")
        assert stored(after, 3) == "M:M2x/-" and phase(after) == "draw p1"


@pytest.mark.parametrize("setting, asked", [("steps", False), ("uses", True)])
def test_12_9_setting_uses_asks_after_coins_and_discards_too(setting, asked):
    """R84: not after a coin or a discard; ship-c-asks=uses: after these too."""
    given = {"ships_p1": wheel("F1", letters="Cabd"), "ship_c_asks": setting, "turn": "p2"}
    for card, word, other in (("C2", "take", "take"), ("M2", "discard:1", "discard:3")):
        state = upgrades_only(
            phase="end",
            hand_p1=f"C1.{card}.C1",
            warehouses=f"w1:{card[0]}:{card[0]}2x_.{card[0]}2o/-|w4|w6|w8",
            **given,
        )
        state = play(state, "end", "leave", f"mid:{card}")
        assert phase(state) == "use p1", "placing a card is no use of it"
        state = play(state, word)
        assert phase(state) == ("load p1" if asked else "use p1")
        if asked:
            assert ship(play(state, "load"), 1, "top") == "C:F1+S1x"
            state = play(state, "leave")
            assert phase(state) == "use p1"
        state = play(state, other)
        again = asked and card == "C2"
        assert phase(state) == ("load p1" if again else "draw p1"), "no tile is left to ask for"


def test_12_9_setting_uses_with_must_asks_nothing():
    """R65, R84: where any tile must load there is nothing to ask."""
    given = {"ship_c": "must", "ship_c_asks": "uses", "hand_p1": "C1.C2.C1"}
    state = upgrades_only(phase="end", turn="p2", ships_p1=wheel("F1", letters="Cabd"), **given)
    state = play(state, "end", "mid:C2", "take")
    assert phase(state) == "draw p1" and ship(state, 1, "top") == "C:F1+S1x"


def test_12_9_only_in_the_owners_turn():
    """R33b: a tile in front of the other's C is nothing to ask about."""
    given = {"hand_p1": "C1.M2.C1", "ships_p2": wheel("F1", letters="Cabd")}
    state = play(upgrades_only(**given), "right:C1", "turn:cw")
    assert phase(state) == "draw p1"
    state = finish_turn(state)
    assert phase(state) == "load p2"


def test_12_9_late_moves_ask_too():
    """R27, R84, late-moves=turn: a step at the end of the turn; the gap is refilled again."""
    state = upgrades_only(
        phase="end",
        direction="right",
        coins="1.0.7",
        area_p1=2,
        late_moves="turn",
        ships_p1=wheel("F1", letters="Cabd"),
    )
    state = play(state, "pay:move:right")
    assert phase(state) == "load p1"
    assert phase(play(state, "leave")) == "end p1"
    state = play(state, "load")
    assert phase(state) == "pile p1" and ship(state, 1, "top") == "C:F1+S1x"


def test_12_10_the_tiles_own_type_decides():
    """R66: the sheep on a fish order goes where sheep is; the fish order is discarded."""
    given = {"hand_p1": "C1.F2.C1", "ships_p1": wheel(right="F1+S2x", letters="aCbd")}
    stock = "w1:F:F2x_/-|w4:S:-/S1o|w6|w8"
    state = play(upgrades_only(warehouses=stock, **given), "mid:F2", "turn:cw")
    assert phase(state) == "draw p1" and stored(state, 2) == "S:S2x/S1o"
    assert field(state, "discard") == "F1" and ship(state, 1, "dock") == "C:-"


def test_12_10_and_the_uses_it_counts_for():
    """R66: stored, it is a tile of its own type, here a second coffer and no fish."""
    given = {"hand_p1": "C1.C2.F1", "ships_p1": wheel(right="F1+C2x", letters="aCbd")}
    state = upgrades_only(warehouses="w1:C:C2x_/-|w4:F:F2o/-|w6|w8", **given)
    state = play(state, "right:F1", "turn:cw")
    assert stored(state, 1) == "C:C2x.C2x_/-"
    state = play(finish_turn(state), "left:M3", "stop")
    state = finish_turn(state)
    state = play(state, "mid:C2", "take", "take")
    assert phase(state) == "draw p1"


# 12.11: from the upgrade on.


@pytest.mark.parametrize(
    "order, ship_name, after",
    [
        ("S2+S1o", "B", "B:S2+S1o+S1x"),
        ("S2", "A", "A:S2+S1x"),
        ("S2+S2o", "A", "A:S2+S2o"),
    ],
)
def test_12_11_what_b_can_now_load_waits_for_the_next_action_phase(order, ship_name, after):
    """R83: upgraded while loaded and facing a tile; loaded at the start of the next turn."""
    letters = ship_name.lower() + "".join(c for c in "abcd" if c != ship_name.lower())
    given = {"phase": "end", "ships_p1": wheel(order, letters=letters), "extra": 1}
    state = upgrades_only(warehouses="w1:F:F1o/-|w4|w6|w8", **given)
    state = play(state, "facedown:F1o", f"upgrade:{ship_name}")
    assert ship(state, 1, "top") == f"{ship_name}:{order}"
    assert phase(state) == "end p1" and market(state)[2] == "S1x"
    state = play(state, "end")
    assert phase(state) == "play p1" and ship(state, 1, "top") == after


def test_12_11_c_is_asked_at_the_start_of_the_next_action_phase():
    """R83, R84: not right after the upgrade, and not in the other's turn."""
    given = {"phase": "end", "ships_p1": wheel("F2", letters="cabd"), "hand_p2": "C1.C1.C2"}
    state = upgrades_only(warehouses="w1:F:F1o/-|w4|w6|w8", **given)
    state = play(state, "facedown:F1o", "upgrade:C")
    assert phase(state) == "end p1"
    state = finish_turn(play(state, "end", "left:C1", "stop"))
    assert phase(state) == "load p1"


def test_12_11_after_the_next_step_where_one_can_be_bought():
    """R27, R83, late-moves=turn: a step at the end of the turn comes first."""
    given = {"ships_p1": wheel("S2+S1o", letters="bacd"), "late_moves": "turn", "area_p1": 2}
    state = upgrades_only(
        phase="end", direction="right", coins="1.0.7", warehouses="w1:F:F1o/-|w4|w6|w8", **given
    )
    state = play(state, "facedown:F1o", "upgrade:B", "pay:move:right")
    assert ship(state, 1, "top") == "B:S2+S1o+S1x" and phase(state) == "pile p1"


def test_12_11_in_the_last_turn_an_ability_comes_too_late():
    """R47, R83: no action phase follows, so B loads nothing more."""
    state = upgrades_only(
        phase="last",
        turn="p2",
        triggered=1,
        hand_p2="M3.F3",
        ships_p2=wheel("S2+S1o", letters="bacd"),
        warehouses="w1:F:-/F1o|w4|w6|w8",
    )
    state = play(state, "facedown:F1o", "upgrade:B", "end", "keep", "unload:top", "store:2")
    assert stored(state, 2) == "S:-/S1o" and state.is_terminal


def test_12_12_ship_c_is_unloaded_by_the_type_of_its_tile():
    """R50, R66: into the appropriate warehouse."""
    state = upgrades_only(
        phase="unload",
        triggered=1,
        market="-.-.-.-.-",
        ships_p1=wheel("F1+S2x", letters="Cabd"),
        warehouses="w1:F:F2x_/-|w4:S:-/S1o|w6|w8",
    )
    state = play(state, "unload:top")
    assert stored(state, 2) == "S:S2x/S1o" and phase(state) == "unload p2"


def test_12_10_harbour_unloads_the_tile_of_another_type():
    """R66, R89: as any unloading of ship C."""
    state = upgrades_only(
        phase="end",
        jarls="on",
        jarl_cards="j2:q7b|j6:q4a",
        coins="5.0.3",
        ships_p1=wheel("F1+S2x", letters="Cabd"),
        warehouses="w1:F:F2x_/-|w4:S:-/S1o|w6|w8",
    )
    state = play(state, "claim:1", "unload:top")
    assert phase(state) == "end p1" and stored(state, 2) == "S:S2x/S1o"
    assert field(state, "discard") == "F1" and ship(state, 1, "top") == "C:-"


def test_12_9_loading_counts_as_a_tile_that_leaves_the_market():
    """R70, R84: a tile taken by the owner's choice starts the count of quiet turns anew."""
    given = {"phase": "end", "turn": "p2", "quiet": 30, "hand_p1": "C1.C1.C1"}
    state = play(upgrades_only(ships_p1=wheel("F1", letters="Cabd"), **given), "end")
    for word, quiet in (("load", 0), ("leave", 32)):
        after = finish_turn(play(state, word, "left:C1", "stop"))
        assert number(after, "quiet") == quiet, word
