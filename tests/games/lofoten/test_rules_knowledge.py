"""Lofoten, RULES.md section 13: who knows what, and what always holds at the table."""

import itertools
import re
from collections import Counter

import pytest
from helpers import (
    CARDS,
    TILES,
    cards_in,
    field,
    fields,
    play,
    position,
    random_game,
    tiles_in,
    weights,
)
from module_helpers import with_modules

MODULES = {"level2": "2", "jarls": "on", "upgrades": "on"}
SECRET = {"me", "hand.p1", "hand.p2", "drawn.p1", "drawn.p2", "held"}


def table_states(seed, **settings):
    """Yield the states of a random game, but for the first: its text names the settings alone."""
    game = random_game(seed, stall=20, **settings)
    return (state for state, _ in itertools.islice(game, 1, None))


def test_13_1_hands_are_secret():
    """Silent; R69: each seat sees its own hand, and how many cards the other holds."""
    state = position(hand_p1="F2.S1.C3", hand_p2="M3.F3.S3")
    assert field(state.view(0), "hand.p1") == "F2.S1.C3"
    assert field(state.view(0), "hand.p2") == field(state.view(1), "hand.p1") == "?.?.?"
    assert field(state.view(1), "hand.p2") == "M3.F3.S3"


def test_13_1_the_order_of_the_deck_is_secret():
    """R69: of what is not in sight any card may be drawn next, for the other also those in hand."""
    state = play(position(hand_p1="F1.S2.C3"), "right:C3", "stop")
    seen = Counter(["C3"])
    assert weights(state) == {
        f"~draw@p1={card}": n
        for card, n in (CARDS - seen - Counter(["F1", "S2", "M3", "F3", "S3"])).items()
    }
    token = next(iter(weights(state)))
    hidden = state.redact(state.game.parse_event(token)[1], 1)
    assert state.view(1).game.event_name(hidden, -1) == "~draw@p1=?"


def test_13_1_values_and_bucklers_in_the_piles_are_secret():
    """R69: only the type on top of each pile shows; values, bucklers and what lies below do not."""
    state = play(position(phase="pile", market="M1x.F1x.S1x.C1x.-", piles="S14.M14"), "pile:1")
    assert {token[-3:] for token in weights(state)} == {"S1o", "S2x", "S2o", "S3x", "S3o"}
    state = play(state, "~flip1=S2x", "place:5")
    assert weights(state) == {"~top1=M": 6, "~top1=F": 7, "~top1=S": 6, "~top1=C": 7}


def test_13_1_what_is_put_away_is_public():
    """R69: every discard, also of a redraw; what is drawn instead is not."""
    state = position(hand_p1="F1.S2.C3", coins="2.0.6")
    move = state.game.parse_event("redraw:F1.S2.C3")[1]
    assert state.redact(move, 1) == move
    state = play(state, "redraw:F1.S2.C3", "~draw@p1=C2", "~draw@p1=M3", "~draw@p1=F2")
    assert field(state.view(1), "discard") == "F1.S2.C3"
    assert field(state.view(1), "hand.p1") == "?.?.?"


@pytest.mark.parametrize("seed", range(2))
def test_13_1_everything_else_is_public(seed):
    """R69: in whole games of all modules the views differ from the state in hands alone."""
    for state in table_states(seed, **MODULES):
        public = {key: text for key, text in fields(state).items() if key not in SECRET}
        for seat in (0, 1):
            view = fields(state.view(seat))
            assert {key: text for key, text in view.items() if key not in SECRET} == public
            other = view.get(f"hand.p{2 - seat}", "-") + view.get(f"drawn.p{2 - seat}", "")
            assert not re.search("[MFSC]", other)


def test_13_1_jarls_upgrades_and_turned_tiles_are_public():
    """R69, R81: nothing of the modules is hidden."""
    state = with_modules(ships_p1="a:-.B:F1+F1o.c:-.d:-")
    for seat in (0, 1):
        view = state.view(seat)
        for key in ("jarl-cards", "warehouses", "ships.p1", "ships.p2", "coins"):
            assert field(view, key) == field(state, key)


def tiles_of(table):
    """Return the tiles that lie face up, in the fields of a position."""
    keys = ("market", "ships.p1", "ships.p2", "warehouses", "out", "tile")
    return sum((tiles_in(table.get(key, "-")) for key in keys), Counter())


def cards_of(table):
    """Return the order cards that can be seen, without the letters of their classes."""
    hands = [table.get(f"{where}.p{seat}", "-") for where in ("hand", "drawn") for seat in "12"]
    texts = [re.sub("[a-z]", "", hand) for hand in hands]
    texts += [table[key] for key in ("ships.p1", "ships.p2", "discard")]
    return sum((cards_in(text) for text in texts), Counter())


def must_load(table, seat):
    """Return whether a ship faces a tile that it has to load: of its order's type, with room."""
    letter, _, load = table[f"ships.{seat}"].split(".")[0].rpartition(":")
    tile = table["market"].split(".")[int(table[f"area.{seat}"]) - 1]
    order, *tiles = load.split("+")
    if order == "-" or tile == "-" or order[0] != tile[0]:
        return False
    total = sum(int(stored[1]) for stored in [*tiles, tile])
    return not tiles or (letter == "B" and total <= 4)


@pytest.mark.parametrize("seed, modules", [(10, {}), (10, MODULES), (11, MODULES)])
def test_13_2_what_always_holds(seed, modules):
    """EN Setup: 8 coins, 32 tiles, 36 order cards; EN Automatic actions: load and unload at once.

    Only while the owner of ship C is asked does another ship wait at the dock to be unloaded.
    """
    for state in table_states(seed, **modules):
        table = fields(state)
        assert sum(map(int, table["coins"].split("."))) == 8
        piles = sum(map(int, re.findall(r"\d+", table["piles"])))
        tiles = tiles_of(table)
        assert tiles <= TILES and tiles.total() + piles == 32
        assert cards_of(table) <= CARDS
        name, mover = table["phase"], table["turn"]
        for seat in ("p1", "p2"):
            docked = table[f"ships.{seat}"].split(".")[2]
            assert "+" not in docked or (name == "load" and seat == mover), state.to_text()
        if name in ("play", "step", "use"):
            assert not must_load(table, mover), state.to_text()


def test_13_2_a_tile_never_comes_back():
    """R23, R42: what is out of the game or turned face down stays so in the whole game."""
    out, down = Counter(), 0
    for state in table_states(4, **MODULES):
        now = tiles_in(field(state, "out"))
        assert out <= now
        turned = field(state, "warehouses").count("_")
        assert turned >= down
        out, down = now, turned
    assert out and down


def test_13_2_a_view_can_be_asked_for_moves():
    """R69: the seat to move has the same choices in its view."""
    for state in table_states(6, **MODULES):
        if state.seat_to_move >= 0:
            assert state.view(state.seat_to_move).legal_moves() == state.legal_moves()
