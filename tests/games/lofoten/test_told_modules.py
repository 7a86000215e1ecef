"""Lofoten with modules drawn, told, dealt in advance and counted."""

import pytest
from helpers import field, legal, play, position, position_text

import engine
from engine import BadPositionText, RandomStream
from engine.games.lofoten import notation

ALL = {"level2": 2, "jarls": "on", "upgrades": "on"}
FULL = "a:-.b:-.c:-.d:-"
USUAL = ALL | {
    "market": "M1x.S1x.C1x.C1o.S1o",
    "warehouses": "w1|w4|w9|w10",
    "jarl_cards": "j1:q5b|j2:q6b",
    "ships_p1": FULL,
    "ships_p2": FULL,
}


def table(**fields):
    return position(**USUAL | fields)


def told(state, *words):
    """Return what the last of some events brings about, and the state after it."""
    before = play(state, *words[:-1])
    after = play(before, words[-1])
    return state.game.describe_change(before, after), after


def cards_of(state):
    """Return the words of warehouse cards, Jarls and requirements by name."""
    cards = state.game.cards
    return (
        {f"w{i + 1}": card.words() for i, card in enumerate(cards.houses)},
        {f"j{i + 1}": card.words() for i, card in enumerate(cards.jarls)},
        {f"q{i // 2 + 1}{'ab'[i % 2]}": card.words() for i, card in enumerate(cards.requirements)},
    )


# Pictures.


def test_the_picture_shows_warehouses_jarls_and_longships():
    state = table(
        ships_p1="B:F1+F2o+F1x.a:M1.C:S1.d:-",
        area_p1=2,
        coins="1.2.5",
        warehouses="w1:F:F3o.F2x_/F2o|w4|w9|w14:C:C2x/C3x_.C2o",
        jarl_cards="j8:q2a:p2@4|j3:q5b",
    )
    drawn = state.game.picture(state)
    lines = drawn.splitlines()
    houses, jarls, sides = cards_of(state)
    for shown in (
        "warehouse 1: fish, seat 1: 4 (F3o F2x_), seat 2: 2 (F2o)",
        f" - w1, {houses['w1']}",
        "warehouse 2: empty",
        "warehouse 4: coffer, seat 1: 2 (C2x), seat 2: 3+2 (C2o C3x_) - w14, " + houses["w14"],
        f"Jarl 1: j8, {jarls['j8']} - claimed by seat 2, at warehouse 4",
        f"Jarl 2: j3, {jarls['j3']} - q5b, {sides['q5b']}",
    ):
        assert shown in drawn, shown
    market = next(n for n, line in enumerate(lines) if line.lstrip().startswith("|"))
    assert lines[market + 1].strip() == "(B:F[F2o F1x])"
    assert lines[market + 2].split() == ["(d:empty)", "(a:M)"]
    assert lines[market + 3].strip() == "(C:S)"


def test_the_picture_of_a_storehouse_at_an_empty_warehouse():
    state = table(jarl_cards="j8:q2a:p1@2|j3:q5b")
    assert "warehouse 2: empty, seat 1: 0+2" in state.game.picture(state)


@pytest.mark.parametrize(
    "fields, status",
    [
        (
            {"phase": "load", "back": "play", "ships_p1": "C:F1.a:-.b:-.d:-"},
            "seat 1 may load longship C",
        ),
        (
            {"phase": "attach", "back": "end", "jarl_cards": "j8:q2a:p1|j3:q5b"},
            "seat 1 attaches the storehouse",
        ),
        (
            {"phase": "ship", "back": "end", "warehouses": "w1:F:F2x_/-|w4|w9|w10"},
            "seat 1 upgrades a longship",
        ),
        (
            {
                "phase": "harbour",
                "back": "end",
                "jarl_cards": "j2:q2a:p1|j3:q5b",
                "ships_p1": "a:F1+F2x.b:-.c:-.d:-",
            },
            "seat 1 unloads a ship in the harbour",
        ),
        (
            {
                "phase": "store",
                "back": "step",
                "direction": "left",
                "hand_p1": "M1.F1",
                "ships_p1": "B:-.a:-.c:-.d:-",
                "tile": "F1x+F2o",
            },
            "seat 1 chooses a warehouse for F1x and F2o",
        ),
    ],
)
def test_the_picture_says_what_is_to_be_decided(fields, status):
    state = table(**fields)
    assert state.game.picture(state).splitlines()[-1] == status


# What events bring about.


def test_a_claim_is_told_with_what_it_gives():
    state = table(phase="end", coins="4.0.4", jarl_cards="j1:q7a|j3:q5b")
    said, after = told(state, "claim:1")
    _, jarls, sides = cards_of(state)
    assert said == [
        f"Jarl j1, {jarls['j1']} - q7a, {sides['q7a']}",
        "seat 1 gives seat 2 3 coins",
        "seat 1 takes 3 coins from the reserve",
    ]
    assert field(after, "coins") == "4.3.1"


def test_coins_of_a_tribute_that_come_from_the_other_seat_are_told():
    state = table(phase="end", coins="5.2.1", jarl_cards="j1:q7b|j3:q5b", tribute="coffer")
    said, after = told(state, "claim:1")
    assert said[1:] == [
        "seat 1 takes 1 coin from the reserve",
        "the reserve is empty: 2 coins from the other seat",
    ]
    assert field(after, "coins") == "8.0.0"


def test_a_harbour_without_a_loaded_ship_is_told():
    state = table(phase="end", coins="5.2.1", jarl_cards="j2:q7b|j3:q5b")
    assert told(state, "claim:1")[0][1:] == ["seat 1 has no loaded ship to unload"]


def test_a_storehouse_is_told_with_its_warehouse():
    state = table(phase="end", coins="5.2.1", jarl_cards="j8:q7b|j3:q5b")
    said, _ = told(state, "claim:1", "attach:3")
    assert said == ["seat 1 now has 2 more merchandise in warehouse 3"]


@pytest.mark.parametrize(
    "ship, can",
    [
        ("A", "3 points at the end"),
        ("B", "it holds several tiles, 4 in all"),
        ("C", "it may load a tile of another type"),
        ("D", "a middle card on it has 4 uses or more"),
    ],
)
def test_an_upgrade_is_told_with_what_the_ship_can_do(ship, can):
    state = table(phase="end", warehouses="w1|w4:F:F2x.F3o/-|w9|w10")
    said, after = told(state, "facedown:F3o")
    assert said == ["in warehouse 2 it now counts 1 merchandise and no buckler"]
    said, _ = told(after, f"upgrade:{ship}")
    assert said == [f"longship {ship}: {can}; seat 1 has 1 upgraded, 1 point"]


def test_what_ships_b_and_c_load_is_told():
    start = {"hand_p1": "M1.F1.S1", "market": "-.F1o.F1x.-.M1x", "area_p1": 1}
    b = table(ships_p1="B:F1+F2o.a:-.c:-.d:-", **start)
    said, after = told(b, "right:S1", "move:right")
    assert said[0] == "seat 1 loads fish 1o from the second area onto longship B, which now holds 3"
    c = table(ships_p1="C:S1.a:-.b:-.d:-", **start)
    said, _ = told(c, "right:S1", "move:right", "load")
    assert (
        said[0]
        == "seat 1 loads fish 1o from the second area onto longship C, on its order for sheep"
    )


def test_tiles_of_ship_b_are_told_together():
    state = table(ships_p1="a:-.B:F1+F2o+F1x.c:-.d:-", hand_p1="M1.F1.S1")
    said, after = told(state, "right:S1", "turn:cw")
    assert said[0] == "seat 1 unloads fish 2o and fish 1x, the first fish"
    said, _ = told(after, "store:2")
    assert said[0] == "seat 1 stores fish 1x and fish 2o in warehouse 2"


def test_of_ship_b_one_tile_is_told_where_only_one_is_stored():
    ships = "B:F1+F2o+F1x.a:-.c:-.d:-"
    one = table(phase="unload", ships_p1=ships, final_b="one", warehouses="w1:F:F3x/-|w4|w9|w10")
    assert legal(one) == {"unload:top:F2o", "unload:top:F1x", "keep"}
    said, after = told(one, "unload:top:F2o")
    assert said == ["seat 1 stores fish 2o in warehouse 1"]
    assert field(after, "ships.p1").startswith("B:F1+F1x.")
    one = table(phase="unload", ships_p1=ships, final_b="one")
    said, after = told(one, "unload:top:F2o")
    assert said == ["seat 1 unloads fish 2o, the first fish"] and field(after, "tile") == "F2o"


def test_the_price_of_an_additional_turn_is_told():
    state = table(phase="end", coins="5.2.1")
    assert told(state, "extra")[0] == ["it costs 3 coins"]
    state = table(phase="end", coins="5.2.1", jarl_cards="j5:q7b:p1|j3:q5b")
    assert told(state, "extra")[0] == ["it costs 2 coins"]


def test_what_is_loaded_at_the_start_of_a_turn_is_told_after_the_turn_begins():
    state = position(phase="end", ships_p2="S1.-.-.-")
    said, _ = told(state, "end")
    assert said == ["-- turn 2, seat 2 --", "seat 2 loads sheep 1x from the third area"]


# Luck fixed in advance.


def set_up(game, deal, state=None):
    """Return the tokens of a set-up up to the start orders."""
    state, tokens = (state or game.new_state()).copy(), []
    while field(state, "phase", "tile") not in ("order", "play"):
        event = deal.outcome(state)
        assert state.chance_weight(event) > 0
        tokens.append(game.event_name(event, -1))
        state.apply(event)
    return tokens


def test_a_deal_lays_out_cards_of_the_levels_and_of_unlike_requirements():
    for seed in range(40):
        level2 = seed % 5
        game = engine.load("lofoten", level2=level2, jarls="on", upgrades="on")
        tokens = set_up(game, game.new_deal(seed))
        names = [token.partition("=")[2] for token in tokens]
        houses = [int(name[1:]) for name in names if name[0] == "w"]
        assert [house > 8 for house in houses] == [i >= 4 - level2 for i in range(4)]
        jarls = [name for name in names if name[0] == "j"]
        sides = [name[:2] for name in names if name[0] == "q"]
        assert len(set(houses)) == 4 and len(set(jarls)) == len(set(sides)) == 2
        assert sum("~ships" in token for token in tokens) == 2


def test_deals_lay_out_every_card():
    game = engine.load("lofoten", level2=2, jarls="on", upgrades="on")
    tokens = {token for seed in range(300) for token in set_up(game, game.new_deal(seed))}
    for kind, names in (
        ("warehouse", notation.HOUSES),
        ("jarl", notation.JARLS),
        ("requirement", notation.REQUIREMENTS),
        ("ships@p1", notation.ARRANGEMENTS),
        ("ships@p2", notation.ARRANGEMENTS),
    ):
        assert {f"~{kind}={name}" for name in names} <= tokens


def test_a_module_leaves_the_deal_of_the_base_game_as_it_is():
    """Warehouses of level 1, tiles and orders are the same with the same seed."""
    base, more = (engine.load("lofoten", **s) for s in ({}, {"jarls": "on", "upgrades": "on"}))
    for seed in range(5):
        own = [t for t in set_up(more, more.new_deal(seed)) if t[1:3] not in ("ja", "re", "sh")]
        assert own == set_up(base, base.new_deal(seed))


def test_a_deal_goes_on_in_the_middle_of_the_set_up():
    game = engine.load("lofoten", **ALL)
    first = game.new_deal(1)
    state = game.new_state()
    started = 0
    while field(state, "phase", "tile") != "order":
        if field(state, "phase", "tile") != "tile":
            for seed in (2, 3):
                assert len(set_up(game, game.new_deal(seed, state), state)) < 16
            started += 1
        elif state.ply:
            with pytest.raises(BadPositionText, match="phase"):
                game.new_deal(2, state)
        state.apply(first.outcome(state))
    assert started == 12


def test_a_deck_of_start_orders_that_runs_out_is_renewed():
    """Two mead cards are left, are set aside, and all that was set aside comes back."""
    cards = [f"{kind}{value}" for kind in "MFSC" for value in "123" for _ in range(3)]
    cards.remove("M1")
    cards.remove("M2")
    text = position_text(
        phase="order",
        hand_p1="-",
        hand_p2="-",
        coins="2.3.3",
        discard=".".join(cards),
    )
    state = engine.load("lofoten").from_text(text)
    for seed in range(5):
        again, deal = state.copy(), state.game.new_deal(seed, state)
        dealt = []
        while again.is_chance:
            event = deal.outcome(again)
            assert again.chance_weight(event) > 0
            dealt.append(again.game.event_name(event, -1))
            again.apply(event)
        assert set(dealt[:2]) == {"~order@p1=M1", "~order@p1=M2"} and len(dealt) >= 12
        assert again.check() == 0 and field(again, "phase") == "play"


# Counts.


def counted(state, *words):
    """Return what a census counts in some events."""
    census = state.game.new_census()
    state = state.copy()
    for word in words:
        assert word in legal(state), legal(state)
        move = state.game.parse_move(word)
        census.before(state, move)
        state.apply(move)
    return {name for name, count in census.counts.items() if count}


@pytest.mark.parametrize(
    "fields, words, name",
    [
        (
            {"phase": "end", "coins": "5.2.1", "jarl_cards": "j1:q7b|j3:q5b"},
            ["claim:1"],
            "R90 tribute with too few coins in the reserve",
        ),
        (
            {"phase": "end", "coins": "5.2.1", "jarl_cards": "j8:q7b|j3:q5b"},
            ["claim:1", "attach:2"],
            "R86 storehouse at an empty warehouse",
        ),
        (
            {"phase": "end", "coins": "5.2.1", "jarl_cards": "j2:q7b|j3:q5b"},
            ["claim:1"],
            "R89 harbour without a loaded ship",
        ),
        (
            {"phase": "end", "coins": "5.2.1", "jarl_cards": "j5:q7b:p1|j3:q5b"},
            ["extra"],
            "R90 extra turn with swift",
        ),
        (
            {"phase": "end", "warehouses": "w1:F:F2x/-|w4|w9|w10"},
            ["facedown:F2x", "upgrade:C"],
            "R63 ship C upgraded",
        ),
        (
            {"ships_p1": "B:F1+F2o.a:-.c:-.d:-", "market": "-.F1o.-.-.M1x", "area_p1": 1},
            ["right:S1", "move:right"],
            "R64 ship B loads a further tile",
        ),
        (
            {"ships_p1": "B:F1+F2o.a:-.c:-.d:-", "market": "-.F3o.-.-.M1x", "area_p1": 1},
            ["right:S1", "move:right"],
            "R85 tile too big for ship B",
        ),
        (
            {"ships_p1": "C:S1.a:-.b:-.d:-", "market": "-.F3o.-.-.M1x", "area_p1": 1},
            ["right:S1", "move:right", "load"],
            "R65 ship C loads another type",
        ),
        (
            {"ships_p1": "C:S1.a:-.b:-.d:-", "market": "-.F3o.-.-.M1x", "area_p1": 1},
            ["right:S1", "move:right", "leave"],
            "R84 ship C leaves a tile",
        ),
        ({"ships_p1": "a:-.b:-.D:-.c:-"}, ["mid:F1"], "R67 ship D adds uses"),
        (
            {"market": "-.-.-.-.-", "hand_p1": "F1.M1.S1"},
            ["mid:M1"],
            "R24 mead with an empty market",
        ),
        (
            {"warehouses": "w1:F:F2x_.F3o/-|w4|w9|w10"},
            ["mid:F1"],
            "R21 tile turned face down adds a use",
        ),
    ],
)
def test_special_rulings_are_counted(fields, words, name):
    """The same events elsewhere, or with other cards, don't count."""
    assert name in counted(table(**fields), *words)
    assert name not in counted(table(), "left:M1", "turn:ccw")


def test_whom_warehouses_of_level_2_pay_is_counted():
    state = table(
        phase="over",
        turn="p2",
        warehouses="w1:F:F2x/F2o|w4|w9:C:C2x.C2o/C2x.C2o|w14:M:M3x.M2x/M2o",
        jarl_cards="j8:q2a:p1@2|j3:q5b",
    )
    counts = state.game.new_census().finish(state)
    for name in (
        "R52 warehouse tied",
        "R52 warehouse never opened",
        "R86 storehouse where its owner has no tile",
        "R87 most_tiles tied",
        "R87 threshold pays one seat",
    ):
        assert counts[name] == 1, name


def test_whole_games_are_drawn_told_and_counted():
    for seed in range(3):
        game = engine.load("lofoten", stall=10, **ALL)
        state, census, deal = game.new_state(), game.new_census(), game.new_deal(seed)
        choice = RandomStream(seed, 5)
        while not state.is_terminal:
            moves = state.legal_moves()
            event = deal.outcome(state) if state.is_chance else moves[choice.below(len(moves))]
            census.before(state, event)
            before = state.copy()
            state.apply(event)
            for seat in (0, 1):
                seen = game.describe_change(before.view(seat), state.view(seat))
                assert seen == game.describe_change(before, state), "a consequence is secret"
            assert max(map(len, game.picture(state).splitlines())) < 160
        assert census.finish(state)["turns"] > 5
