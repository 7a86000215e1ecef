"""Position texts of Lofoten: what they hold, and faults that are named.

With modules: test_position_modules.py.
"""

import re

import pytest
from helpers import CARDS, legal, phase, play, position, position_text, random_game, ships

import engine
from engine import BadPositionText, BadSetting, IllegalMove
from engine.games.lofoten import position_reader as texts


@pytest.fixture(scope="module")
def lofoten():
    return engine.load("lofoten")


@pytest.mark.parametrize("seed", range(4))
def test_positions_of_whole_games_are_read_back(lofoten, seed):
    """States and both views, every few events, under changing settings."""
    settings = [{}, {"first-market": "play"}, {"start-orders": "choose"}, {"coin-offers": "any"}]
    for number, (state, _) in enumerate(random_game(seed, stall=9, **settings[seed])):
        if number % 5 and number > 30:
            continue
        for shown in (state, state.view(0), state.view(1)):
            text = shown.to_text()
            again = lofoten.from_text(text)
            assert again == shown and again.to_text() == text and again.key() == shown.key()
            assert again.game is shown.game and again.observer == shown.observer
            assert again.legal_moves() == shown.legal_moves()


def test_the_start_has_a_short_text(lofoten):
    cards = f"cards={lofoten.cards.hash}"
    assert lofoten.new_state().to_text() == f"lofoten/1 {cards}"
    assert lofoten.new_state(1).to_text() == f"lofoten/1 {cards} me=p2"
    state = lofoten.from_text("lofoten/1 stall=40 me=p2 tie=both")
    assert state.observer == 1 and state.game is engine.load("lofoten", stall=40, tie="both")
    assert state == state.game.new_state(1)
    assert state.to_text() == f"lofoten/1 {cards} tie=both stall=40 me=p2"


def test_settings_and_fields_have_different_names():
    """Both stand in one line as key=value."""
    names = {setting.name for setting in engine.game_settings("lofoten")}
    assert not names & set(texts.FIELDS)
    assert "me" in texts.FIELDS and "moves" in texts.FIELDS


def test_deck_and_piles_hold_what_lies_nowhere_else():
    state = position(hand_p1="F1.F1.F2", hand_p2="S1.S1.S1", discard="C1.C2.F1", coins="0.0.8")
    deck = {token[9:]: n for token, n in deck_of(state).items()}
    assert deck == CARDS - CARDS.__class__("F1 F1 F2 S1 S1 S1 C1 C2 F1 F3".split())


def deck_of(state):
    state = play(state, f"right:{state.to_text().partition('hand.p1=')[2][6:8]}", "stop")
    state = play(state, "~draw@p1=F3", "put:left", "end")
    state = play(state, next(word for word in legal(state) if word[0] == "l"), "stop")
    return {state.game.event_name(m, -1): state.chance_weight(m) for m in state.legal_moves()}


GOOD = position_text()


def but(**fields):
    return position_text(**fields)


def without(key):
    return " ".join(part for part in GOOD.split() if not part.startswith(f"{key}="))


BAD = {
    "": "must begin with lofoten/1",
    "kuhn/1": "must begin with lofoten/1",
    "lofoten/2": "must begin with lofoten/1",
    "lofoten/1 phase": "'phase' is no field",
    "lofoten/1 phase=play": "field turn is missing",
    f"{GOOD} coins=0.0.8": "field coins is given twice",
    f"{GOOD} deck=F1": "field deck is not",
    f"{GOOD} hand.p3=F1": "field hand.p3 is not",
    f"{GOOD} me=p3": "field me=p3",
    but(phase="sleep"): "field phase=sleep",
    but(turn="p3"): "field turn=p3",
    but(hand_p1="M1.F9.S1"): "field hand.p1=M1.F9.S1: 'F9'",
    but(hand_p1="M1.F1.S1.C1"): "field hand.p1=.* at most 3",
    but(hand_p2="M1e.F1.S1"): "field hand.p2",
    but(phase="put", hand_p1="M1.F1", drawn_p1="C1.C2"): "field drawn.p1",
    but(ships_p1="-.-.-"): "field ships.p1=-.-.-: 3 parts, 4",
    but(ships_p2="-.X1.-.-"): "field ships.p2=.*'X1'",
    but(ships_p2="-.?.-.-"): r"field ships.p2=.*'\?'",
    but(ships_p2="-.F1+F4x.-.-"): "field ships.p2=.*'F4x'",
    but(ships_p2="-.F1+.-.-"): "field ships.p2",
    but(area_p1="6"): "field area.p1=6",
    but(area_p2="0"): "field area.p2=0",
    but(coins="0.8"): "field coins=0.8: 2 parts",
    but(coins="0.0.9"): "field coins=0.0.9",
    but(coins="-1.1.8"): "field coins=-1.1.8",
    but(coins="0.0.7"): "coins are not eight",
    but(market="-.-.-.-"): "field market=.* 4 parts",
    but(market="F2.-.-.-.-"): "field market=.*'F2'",
    but(piles="M27"): "field piles=M27: 1 parts",
    but(piles="X13.M14"): "field piles=X13.M14: 'X'",
    but(piles="M13.M"): "field piles=M13.M",
    but(piles="M13.M15"): "piles",
    but(piles="?13.M14"): "piles",
    but(warehouses="w1|w2|w3"): "field warehouses=.*3 parts",
    but(warehouses="w1|w2|w3|w17"): "field warehouses=.*'w17'",
    but(warehouses="w1:F:F2x|w2|w3|w4"): "field warehouses",
    but(warehouses="w1:X:F2x/-|w2|w3|w4"): "field warehouses=.*'X'",
    but(warehouses="w1:F:M2x/-|w2|w3|w4"): "field warehouses=.*M2x does not belong",
    but(warehouses="w1:F:-/-|w2|w3|w4"): "warehouses",
    but(warehouses="w1|w1|w3|w4"): "warehouses",
    but(warehouses="w1:F:F2x/-|w2:F:F2x/-|w3|w4"): "warehouses",
    but(discard="F4"): "field discard=F4",
    but(out="F2"): "field out=F2",
    but(held="e:F1"): "field held=e:F1",
    but(held="a:F9"): "field held=a:F9",
    but(extra="-1"): "field extra=-1",
    but(extra="251"): "field extra=251",
    but(triggered="2"): "field triggered=2",
    but(moves="4"): "field moves=4",
    but(quiet="many"): "field quiet=many",
    but(turns="\uff11"): "field turns",
    but(turns="1e3"): "field turns=1e3",
    but(back="bed"): "field back=bed",
    but(direction="up"): "field direction=up",
    but(effect="Q"): "field effect=Q",
    but(pile="3"): "field pile=3",
    f"{GOOD} tile=Q1x": "field tile=Q1x",
    but(hand_p1="M1.F1"): "field hand.p1=M1.F1: 2 cards; a hand has 3",
    but(hand_p1="M1.F1.S1b"): "lettered",
    but(ships_p1=ships(dock="F1+F2x")): "field ships.p1=.*docked",
    but(ships_p1=ships(top="F1+M2x")): "field ships.p1=.*'F1[+]M2x': a tile lies on another",
    but(ships_p1=ships(top="-+M2x")): "field ships.p1=.*'-[+]M2x': a tile without an order",
}


@pytest.mark.parametrize("text", list(BAD))
def test_bad_positions_name_the_fault(lofoten, text):
    with pytest.raises(BadPositionText, match=BAD[text]):
        lofoten.from_text(text)


@pytest.mark.parametrize(
    "key", ["phase", "turn", "ships.p1", "area.p2", "coins", "market", "piles"]
)
def test_missing_fields_are_named(lofoten, key):
    with pytest.raises(BadPositionText, match=f"field {re.escape(key)} is missing"):
        lofoten.from_text(without(key))


@pytest.mark.parametrize(
    "text, name", [("stall=0", "stall"), ("tie=some", "tie"), ("count=", "count")]
)
def test_bad_settings_are_named(lofoten, text, name):
    with pytest.raises((BadSetting, BadPositionText), match=name):
        lofoten.from_text(f"lofoten/1 {text}")


@pytest.mark.parametrize(
    "fields, what",
    [
        ({"hand_p1": "M1.M1.M1", "hand_p2": "M1.S1.S1"}, "order card M1 occurs 1 times more"),
        ({"hand_p1": "M1.M1.M1", "ships_p1": ships(top="M1")}, "order card M1 occurs 1 times more"),
        ({"hand_p1": "M1.M1.M1", "discard": "M1.M1"}, "order card M1 occurs 2 times more"),
        ({"market": "M1x.M1x.-.-.-"}, "tile M1x occurs 1 times more"),
        ({"out": "F1x"}, "tile F1x occurs 1 times more"),
        ({"warehouses": "w1:C:C3o/C3o|w2|w3|w4"}, "tile C3o occurs 1 times more"),
        ({"ships_p2": ships(top="S1+S1x")}, "tile S1x occurs 1 times more"),
    ],
)
def test_cards_and_tiles_that_occur_too_often_are_named(lofoten, fields, what):
    with pytest.raises(BadPositionText, match=what):
        lofoten.from_text(position_text(**({"piles": "M13.S14"} | fields)))


@pytest.mark.parametrize(
    "fields, what",
    [
        ({"hand_p2": "?.?.?"}, r"field hand.p2: a card is \?"),
        ({"me": "p1"}, "field hand.p2: the view of seat 1 cannot show"),
        ({"me": "p2"}, "field hand.p1: the view of seat 2 cannot show"),
        ({"me": "p1", "hand_p2": "?.F3.?"}, "field hand.p2: the view of seat 1 cannot show"),
        ({"me": "p1", "hand_p1": "M1.?.S1", "hand_p2": "?.?.?"}, "field hand.p1: seat 1 knows"),
        (
            {"me": "p2", "hand_p1": "?.?", "phase": "put", "drawn_p1": "C1"},
            "field hand.p1: the view of seat 2 cannot show",
        ),
        ({"me": "p1", "hand_p2": "?a.?a.?", "held": "a:F2"}, "field held=a:F2: 1 cards of class a"),
        ({"me": "p1", "hand_p2": "?.?.?", "held": "a:F2"}, "field held=a:F2: 1 cards of class a"),
        ({"held": "a:F2"}, "field held=a:F2: 1 cards of class a"),
    ],
)
def test_views_show_what_their_seat_knows_and_only_that(lofoten, fields, what):
    with pytest.raises(BadPositionText, match=what):
        lofoten.from_text(position_text(**fields))


def test_a_view_refuses_events_that_its_text_rules_out():
    """All three F3 lie open, so the other seat cannot hold one."""
    view = position(me="p1", turn="p2", hand_p1="F3.F3.S1", hand_p2="?.?.?", discard="F3")
    with pytest.raises(IllegalMove):
        play(view, "left:F3")
    assert phase(play(view, "left:F2")) == "step p2"


NOBODY = {"hand_p1": "-", "hand_p2": "-"}
BARE = NOBODY | {"warehouses": "-|-|-|-", "coins": "2.3.3"}
GAP = "M1x.F1x.S1x.C1x.-"
STEP = {"back": "step", "direction": "left", "moves": 1, "hand_p1": "M1.F1", "tile": "F2x"}
SETUP = ships(left="F1", right="M1")
IMPOSSIBLE = {
    "uses: no use left": but(phase="use", effect="C", hand_p1="M1.F1", ships_p1=ships(dock="C1")),
    "direction: steps of no side": but(phase="step", hand_p1="M1.F1", moves=2),
    "market: refill a full market": but(phase="pile"),
    "piles: refill from empty piles": but(phase="pile", market=GAP, unseen="-"),
    "market: turn a tile up for a full market": but(phase="flip"),
    "market: place a tile in a full market": but(phase="place", tile="C2x", piles="?13.C13"),
    "step: a sixth first tile": but(phase="tile", step=5, piles="?13.?14", **BARE),
    "market: a first tile on a full market": but(phase="tile", piles="?13.?14", **BARE),
    "market: a fifth tile alone": but(
        phase="tile", step=4, piles="?16.?16", market="-.-.-.-.-", **BARE
    ),
    "step: a fifth warehouse": but(phase="warehouse", step=4, **NOBODY),
    "step: a fifth start order": but(phase="order", step=4, **NOBODY),
    "ships.p1: a first order in place": but(
        phase="order", ships_p1=ships(left="F1", right="M1"), **NOBODY
    ),
    "ships.p1: no order to choose a side for": but(
        phase="side", step=2, start_orders="choose", **NOBODY
    ),
    "step: a seventh card": but(phase="hand", step=6),
    "step: a fourth new card": but(phase="redraw", step=3, back="play"),
    "back: a new hand amid a middle card": but(phase="redraw", back="use", effect="C", hand_p1="-"),
    "back: a new hand after a new hand": but(phase="redraw", back="redraw", hand_p1="-"),
    "back: a new hand after the end": but(phase="redraw", back="over", hand_p1="-"),
    "discard: a draw from an empty deck": but(phase="draw", hand_p1="M1.F1", deck="-"),
    "tile: two types for one warehouse": but(
        phase="store", warehouses="w1:F:F1o/-|w2:M:M2x/-|w3:S:S2x/-|w4:C:C2x/-", **STEP
    ),
    "tile: a second warehouse of a type": but(
        phase="store", warehouses="w1:F:F1o/-|w2|w3|w4", **STEP
    ),
    "back: a warehouse before the card": but(phase="store", back="play", tile="F2x"),
    "phase: a last turn before the trigger": but(phase="last", turn="p2", hand_p2="M3.F3"),
    "phase: a last turn of seat 1": but(phase="last", triggered=1, hand_p1="M1.F1"),
    "piles: two piles without a type": but(phase="top", market=GAP, piles="?14.?14"),
    "piles: a pile that was not touched hides its type": but(
        phase="place", tile="C2x", market=GAP, pile=2, piles="?13.-", unseen="C3x"
    ),
    "quiet: more turns without progress than end the game": but(quiet=61),
    "quiet: the stall limit reached but nothing triggered": but(quiet=60),
    "uses: more uses than tiles": but(
        phase="use", effect="C", uses=2, hand_p1="M1.F1", ships_p1=ships(dock="C1")
    ),
    "effect: a use of no card": but(phase="use", effect="C", uses=1, hand_p1="M1.F1"),
    "direction: a warehouse after a step to no side": but(
        phase="store", **{**STEP, "direction": "-"}
    ),
    "back: a warehouse in the maintenance": but(phase="store", **{**STEP, "back": "end"}),
    "pile: a pile chosen too early": but(pile=2),
    "filling: a first market being refilled": but(phase="pile", market=GAP, filling=1),
    "market: four of a kind left lying": but(market="M1x.M1o.M2x.M2x.C1x"),
    "effect: a use of a card without type": but(
        phase="use", effect="-", uses=1, hand_p1="M1.F1", ships_p1=ships(dock="C1")
    ),
    "back: a turn that goes on with a market tile": but(back="tile"),
    "market: a redraw amid the refill of a full market": but(
        phase="redraw", back="pile", hand_p1="-"
    ),
    "ships.p1: a warehouse laid out after the start orders": but(
        phase="warehouse",
        step=3,
        ships_p1=ships(left="F1"),
        **NOBODY | {"warehouses": "w1|w4|w6|-"},
    ),
    "discard: a hand dealt without the orders set aside": but(
        phase="hand", discard="F1.F2", ships_p1=SETUP, ships_p2=SETUP, **NOBODY
    ),
    "piles: first tiles from unlike piles": but(
        phase="tile", market="-.-.-.-.-", piles="?20.?12", **BARE
    ),
    "coins: nine coins": but(coins="1.0.8"),
    "extra: an extra turn after the last one": but(
        phase="last", turn="p2", hand_p2="M3.F3", triggered=1, extra=1
    ),
    "turn: seat 1 unloads last": but(phase="over"),
}


@pytest.mark.parametrize("what", list(IMPOSSIBLE))
def test_positions_from_which_the_game_cannot_go_on_are_refused(lofoten, what):
    """No game leads there, and no legal move, or a broken state, would follow."""
    with pytest.raises(BadPositionText) as caught:
        lofoten.from_text(IMPOSSIBLE[what])
    assert caught.value.key == what.partition(":")[0], str(caught.value)


@pytest.mark.parametrize(
    "key, value",
    [
        ("phase", "zz"),
        ("area.p2", "9"),
        ("quiet", "9" * 5000),
        ("stall", "1" * 5000),
        ("stall", "0"),
        ("me", "p3"),
        ("foo", "1"),
        ("coins", "1.2"),
        ("market", "M1x"),
        ("hand.p1", "K"),
        ("warehouses", "w1:|w4|w6|w8"),
        ("held", "a:-"),
        ("held", "a:F2/a:M1"),
    ],
)
def test_an_error_knows_the_field_at_fault(lofoten, key, value):
    words = [w for w in GOOD.split() if not w.startswith(f"{key}=")]
    with pytest.raises(BadPositionText) as caught:
        lofoten.from_text(" ".join([*words, f"{key}={value}"]))
    assert caught.value.key == key and len(str(caught.value)) < 400


def test_an_empty_seat_is_refused(lofoten):
    """`me=` does not mean that all cards are known."""
    with pytest.raises(BadPositionText, match="field me"):
        lofoten.from_text(f"{GOOD} me=")
