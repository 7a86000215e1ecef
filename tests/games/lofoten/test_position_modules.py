"""Position texts of Lofoten with modules: level-2 warehouses, Jarls, upgraded longships."""

import pytest
from helpers import field, legal, play, position, position_text

import engine
from engine import BadPositionText, RandomStream

ALL = {"level2": 2, "jarls": "on", "upgrades": "on"}
COMBINATIONS = [
    {"level2": level2, "jarls": jarls, "upgrades": upgrades}
    for level2, jarls, upgrades in [
        (4, "off", "off"),
        (0, "on", "off"),
        (0, "off", "on"),
        (1, "on", "off"),
        (3, "off", "on"),
        (0, "on", "on"),
        (2, "on", "on"),
    ]
]
JARL_OFF = {"level2": 2, "upgrades": "on"}
SHIPS_OFF = {"level2": 2, "jarls": "on"}
MARKET = "M1x.S1x.C1x.C1o.S1o"
FULL = "a:-.b:-.c:-.d:-"
STORE = {"phase": "store", "back": "step", "direction": "left", "hand_p1": "M1.F1"}


def written(settings=ALL, **fields):
    """Return a position text in which the modules that are on have what they need."""
    low = 4 - settings.get("level2", 0)
    usual = {"market": MARKET}
    usual["warehouses"] = "|".join(["w1", "w4", "w6", "w8"][:low] + ["w9", "w10", "w11"][: 4 - low])
    if settings.get("jarls") == "on":
        usual["jarl_cards"] = "j1:q5b|j2:q6b"
    if settings.get("upgrades") == "on":
        usual |= {"ships_p1": FULL, "ships_p2": FULL}
    return position_text(**usual | settings | fields)


def read(settings=ALL, **fields):
    return engine.load("lofoten").from_text(written(settings, **fields))


def busy_game(seed, **settings):
    """Yield the states of a game whose seats like to claim, to upgrade and to load."""
    state = engine.load("lofoten", stall=12, **settings).new_state()
    luck, choice = RandomStream(seed, 1), RandomStream(seed, 5)
    while not state.is_terminal:
        moves = state.legal_moves()
        event = state.sample_chance(luck) if state.is_chance else moves[choice.below(len(moves))]
        liked = ("claim", "facedown", "load", "mid", "turn")
        if not state.is_chance and choice.below(2):
            names = [(state.game.move_name(move), move) for move in moves]
            event = next((m for name, m in names if name.startswith(liked)), event)
        yield state.copy()
        state.apply(event)
    yield state


@pytest.mark.parametrize("number", range(len(COMBINATIONS)))
def test_positions_of_whole_games_are_read_back(number):
    for count, state in enumerate(busy_game(number, **COMBINATIONS[number])):
        if count % 4 and count > 40:
            continue
        for shown in (state, state.view(0), state.view(1)):
            text = shown.to_text()
            again = state.game.from_text(text)
            assert again == shown and again.to_text() == text and again.key() == shown.key()
            assert again.legal_moves() == shown.legal_moves()


def test_the_fields_stand_in_the_order_of_the_rules():
    state = read(
        phase="use",
        effect="F",
        uses=2,
        used=1,
        on_d=1,
        moved=1,
        upgraded=1,
        hand_p1="M1.F1",
        ships_p1="A:-.b:-.D:F1.c:-",
        warehouses="w1:F:F2x.F1x_.F2x_/F1o|w4|w9|w12",
        jarl_cards="j8:q2a:p2@4|j3:q5b",
    )
    keys = [part.partition("=")[0] for part in state.to_text().split()]
    for one, two in (("moved", "upgraded"), ("used", "on-d"), ("warehouses", "jarl-cards")):
        assert keys.index(two) == keys.index(one) + 1
    assert field(state, "warehouses") == "w1:F:F2x.F1x_.F2x_/F1o|w4|w9|w12"
    assert field(state, "ships.p1") == "A:-.b:-.D:F1.c:-"
    assert field(state, "jarl-cards") == "j8:q2a:p2@4|j3:q5b"


def test_tiles_of_a_warehouse_are_written_ascending_and_face_down_ones_last():
    state = read(warehouses="w1:F:F3o.F1x_.F2x.F2o_.F2x_.F1o/-|w4|w9|w10")
    assert field(state, "warehouses").startswith("w1:F:F1o.F2x.F3o.F1x_.F2x_.F2o_/-|")


def test_usual_values_are_left_out():
    text = read().to_text()
    for key in ("upgraded", "on-d", "tile", "back"):
        assert f" {key}=" not in text
    text = position().to_text()
    for key in ("jarl-cards", "upgraded", "on-d"):
        assert f" {key}=" not in text
    assert "ships.p1=-.-.-.- " in text


def test_ship_b_keeps_the_order_of_loading():
    state = read(ships_p1="B:F1+F2o+F1x.a:-.c:-.d:-", area_p1=5)
    assert field(state, "ships.p1") == "B:F1+F2o+F1x.a:-.c:-.d:-"


def test_tiles_of_ship_b_and_of_another_ship_in_hand_are_told_apart():
    """While the warehouse for another ship's tile is chosen, ship B keeps its tiles."""
    state = read(**STORE, ships_p1="a:-.B:F1+F1x+F2o.c:-.d:-", tile="S2x")
    assert field(state, "tile") == "S2x"
    assert field(state, "ships.p1").startswith("a:-.B:F1+F1x+F2o.")
    state = play(state, "store:2")
    assert field(state, "ships.p1").startswith("a:-.B:F1+F1x+F2o.")
    assert "w4:S:S2x/-" in field(state, "warehouses")


def test_tiles_of_ship_b_in_hand_are_stored_together():
    state = read(**STORE, ships_p1="a:-.c:-.B:-.d:-", tile="F2x+F1o")
    assert field(state, "tile") == "F2x+F1o"
    assert "w9:F:F1o.F2x/-" in field(play(state, "store:3"), "warehouses")


def test_a_view_typed_from_a_table_is_enough():
    """Public things, the own hand, and counts; what is not written has its usual value."""
    view = engine.load("lofoten").from_text(
        "lofoten/1 level2=1 jarls=on upgrades=on me=p2 phase=end turn=p2 hand.p1=?.?.? "
        "hand.p2=F2.S1.C3 ships.p1=b:M2.A:F1+F2o.C:S2.d:- area.p1=2 "
        "ships.p2=c:-.B:S3+S2o+S1x.a:C2.D:- area.p2=5 coins=1.6.1 market=M1o.F1x.S1o.C1x.C2o "
        "piles=F10.C8 warehouses=w3:S:S2x.S3x_/S3o.S2o_|w5|w1:C:C3o/C1o_|w12 "
        "jarl-cards=j8:q5b:p1@4|j3:q7b discard=M1.M3.F3.C1"
    )
    assert view.check() == 0 and view.observer == 1
    assert legal(view) == {"extra", "end", "redraw:F2.S1.C3", "claim:2", "facedown:S3o"}
    world = view.determinize(RandomStream(1))
    assert world.check() == 0 and world.view(1) == view


USE = {"phase": "use", "effect": "C", "uses": 1, "hand_p1": "M1.F1"}
END = {"back": "end"}
HOUSE = "w1:F:{}/-|w4|w9|w10"
BAD = {
    # Fields of a module that is off.
    "jarl-cards: jarls=on": written(JARL_OFF, jarl_cards="j1:q1a|j2:q2a"),
    "phase: jarls=on": written(JARL_OFF, phase="attach", **END),
    "phase: upgrades=on": written(SHIPS_OFF, phase="ship", **END),
    "back: start-orders=choose": written(back="side"),
    "on-d: upgrades=on": written(SHIPS_OFF, on_d=0),
    "upgraded: upgrades=on": written(SHIPS_OFF, upgraded=1),
    "ships.p2: letters only with the setting upgrades=on": written(SHIPS_OFF, ships_p2=FULL),
    "warehouses: upgrades=on": written(SHIPS_OFF, warehouses=HOUSE.format("F2x_")),
    "moves: 0 to 3": written(JARL_OFF, moves=4),
    # Warehouses.
    "warehouses: level2=2 there are 2": written(warehouses="w1|w2|w3|w9"),
    "warehouses: written first": written(warehouses="w9|w10|w1|w2"),
    "warehouses: twice": written(warehouses="w1|w1|w9|w10"),
    "warehouses: 'w17'": written(warehouses="w1|w2|w9|w17"),
    "warehouses: 'F4x'": written(warehouses=HOUSE.format("F4x_")),
    "warehouses: two warehouses store F": written(warehouses="w1:F:F1x/-|w2:F:F1o/-|w9|w10"),
    "warehouses: M2x_ does not belong": written(warehouses=HOUSE.format("M2x_")),
    # Jarls.
    "jarl-cards: missing": written().replace("jarl-cards=j1:q5b|j2:q6b", ""),
    "jarl-cards: 1 parts": written(jarl_cards="j1:q1a"),
    "jarl-cards: 'j9'": written(jarl_cards="j9:q1a|j2:q2a"),
    "jarl-cards: 'q8a'": written(jarl_cards="j1:q8a|j2:q2a"),
    "jarl-cards: '-'": written(jarl_cards="-|-"),
    "jarl-cards: 'j2'": written(jarl_cards="j1:q1a|j2"),
    "jarl-cards: Jarl occurs twice": written(jarl_cards="j1:q1a|j1:q2a"),
    "jarl-cards: requirement card occurs twice": written(jarl_cards="j1:q1a|j2:q1b"),
    "jarl-cards: 'p3'": written(jarl_cards="j1:q1a:p3|j2:q2a"),
    "jarl-cards: two Jarls": written(jarl_cards="j1:q1a:p1|j2:q2a:p1"),
    "jarl-cards: no storehouse": written(jarl_cards="j1:q1a:p1@2|j2:q2a"),
    "jarl-cards: from 1 to 4": written(jarl_cards="j8:q1a:p1@5|j2:q2a"),
    "jarl-cards: say where": written(jarl_cards="j8:q1a:p1|j2:q2a"),
    "phase: storehouse": written(phase="attach", jarl_cards="j8:q1a:p2@1|j2:q2a", **END),
    "phase: harbour and a loaded ship": written(
        phase="harbour", jarl_cards="j2:q1a:p1|j3:q2a", **END
    ),
    # Longships.
    "ships.p1: '' is no longship": written(ships_p1="a:-.b:-.c:-.-"),
    "ships.p1: must occur once": written(ships_p1="a:-.A:-.c:-.d:-"),
    "ships.p1: 'e'": written(ships_p1="a:-.b:-.c:-.e:-"),
    "ships.p2: only the upgraded longship B": written(ships_p2="b:F1+F1x+F1o.a:-.c:-.d:-"),
    "ships.p2: one type only": written(ships_p2="B:F1+F1x+M2o.a:-.c:-.d:-"),
    "ships.p2: at most 4": written(ships_p2="B:F1+F3x+F2o.a:-.c:-.d:-"),
    "ships.p1: another type's order": written(ships_p1="c:F1+M2o.a:-.b:-.d:-"),
    "ships.p1: docked": written(ships_p1="C:-.a:-.B:F1+F2x.d:-"),
    "on-d: no upgraded longship D": written(**USE, on_d=1, ships_p1="a:-.b:-.c:C1.d:-"),
    "effect: no order of C": written(**USE, on_d=1, ships_p1="a:-.b:-.D:-.c:-"),
    "uses: 4 uses": written(**USE | {"uses": 5}, on_d=1, ships_p1="a:-.b:-.D:C1.c:-"),
    "upgraded: no upgraded": written(upgraded=1),
    "upgraded: is no": written(upgraded=1, phase="unload", ships_p1="A:-.b:-.c:-.d:-").replace(
        "upgraded=1", "upgraded=2"
    ),
    "upgraded: none is under way": written(upgraded=1, phase="unload", ships_p1="A:-.b:-.c:-.d:-"),
    "tile: only after ship B": written(**STORE, tile="F2x+F1o"),
    "tile: after ship B was unloaded": written(
        **STORE, tile="F2x+F1o", ships_p1="B:S1+S2x.a:-.c:-.d:-"
    ),
    "tile: one type": written(**STORE, tile="F2x+M2o", ships_p1="B:-.a:-.c:-.d:-"),
    "phase: ship C is not asked": written(phase="load", back="play"),
    "phase: no longship can be upgraded": written(phase="ship", **END, ships_p1="A:-.B:-.C:-.D:-"),
    "warehouses: to pay for the upgrade": written(phase="ship", **END),
    "back: use one of end, last": written(phase="ship", back="play"),
}


@pytest.mark.parametrize("what", list(BAD))
def test_bad_positions_name_the_field(what):
    key, _, why = what.partition(": ")
    with pytest.raises(BadPositionText) as caught:
        engine.load("lofoten").from_text(BAD[what])
    assert caught.value.key == key and why in str(caught.value), str(caught.value)


def test_setup_lays_out_one_thing_after_the_other():
    """What is not laid out yet is `-`; a wheel has its letters once its ships are there."""
    game = engine.load("lofoten", **ALL)
    state, deal = game.new_state(), game.new_deal(3)
    seen = {}
    while not legal(state) & {"left:F1"} and field(state, "phase", "tile") != "play":
        state.apply(deal.outcome(state))
        seen[field(state, "phase", "tile"), field(state, "step", "0")] = state.copy()
    assert field(seen["jarl", "0"], "jarl-cards") == "-|-"
    assert field(seen["jarl", "1"], "jarl-cards").count(":") == 0
    assert field(seen["jarl", "3"], "jarl-cards").count(":") == 1
    assert field(seen["ships", "0"], "ships.p1") == "-.-.-.-"
    assert field(seen["ships", "1"], "ships.p1").count(":-") == 4
    assert field(seen["ships", "1"], "ships.p2") == "-.-.-.-"
    for (phase, step), part in seen.items():
        text = part.to_text()
        assert game.from_text(text) == part
        for wrong in (1, -1):
            other = f"step={int(step) + wrong}"
            if phase in ("jarl", "ships") and int(step) + wrong >= 0:
                given = text.replace(f" step={step}", "")
                with pytest.raises(BadPositionText):
                    game.from_text(given.replace(" turn=", f" {other} turn="))
