"""Lofoten in text: move words and event tokens. Position texts: test_position.py."""

import re
from itertools import permutations

import pytest
from helpers import CARDS, PLACES, TILES

import engine
from engine import BadMoveText
from engine.games.lofoten import notation


@pytest.fixture(scope="module")
def lofoten():
    return engine.load("lofoten")


# Words and tokens.


def test_every_word_is_read_back(lofoten):
    words = set(notation.WORDS) | {"redraw:F2.S1.C3", "redraw:?.?.?", "redraw:F2.F2.?"}
    assert len({lofoten.parse_move(word) for word in words}) == len(words)
    for word in words:
        move = lofoten.parse_move(word)
        assert lofoten.move_name(move) == word
        assert lofoten.parse_event(word) == (None, move)
        for seat in (0, 1):
            token = lofoten.event_name(move, seat)
            assert token == f"p{seat + 1}:{word}" and lofoten.parse_event(token) == (seat, move)


def test_the_words_are_those_of_the_rules():
    """RULES.md part 14."""
    cards = [f"{slot}:{card}" for slot in ("left", "mid", "right") for card in [*CARDS, "?"]]
    steps = ["move:left", "move:right", "turn:cw", "turn:ccw"]
    places = [f"unload:{place}" for place in PLACES]
    places += [f"unload:{place}:{tile}" for place in PLACES for tile in TILES]
    numbered = [f"{w}:{n}" for w in ("discard", "place") for n in range(1, 6)]
    numbered += [f"{w}:{n}" for w in ("store", "attach") for n in range(1, 5)]
    numbered += [f"{w}:{n}" for w in ("pile", "claim") for n in (1, 2)]
    sides = [f"{w}:{side}" for w in ("put", "order") for side in ("left", "right")]
    others = ["take", "stop", "extra", "end", "keep", "load", "leave"]
    others += [f"facedown:{tile}" for tile in TILES] + [f"upgrade:{ship}" for ship in "ABCD"]
    expected = [*cards, *steps, *(f"pay:{s}" for s in steps), *places, *numbered, *sides, *others]
    assert sorted(notation.WORDS) == sorted(expected)


def test_every_token_of_luck_is_read_back(lofoten):
    expected = {f"~tile={tile}" for tile in TILES}
    expected |= {f"~flip{pile}={tile}" for pile in "12" for tile in TILES}
    expected |= {f"~top{pile}={kind}" for pile in "12" for kind in "MFSC"}
    expected |= {f"~warehouse=w{n}" for n in range(1, 17)}
    expected |= {f"~jarl=j{n}" for n in range(1, 9)}
    expected |= {f"~requirement=q{n}{side}" for n in range(1, 8) for side in "ab"}
    orders = ["".join(order) for order in permutations("ABCD")]
    expected |= {f"~ships@p{seat}={order}" for seat in "12" for order in orders}
    expected |= {f"~order@p{seat}={card}" for seat in "12" for card in CARDS}
    expected |= {f"~draw@p{seat}={card}" for seat in "12" for card in [*CARDS, "?"]}
    assert set(notation.TOKENS) == expected
    for token in expected:
        seat, move = lofoten.parse_event(token)
        assert seat == -1 and lofoten.event_name(move, -1) == token
        with pytest.raises(BadMoveText):
            lofoten.move_name(move)


@pytest.mark.parametrize(
    "word",
    ["", "left", "left:", "left:F4", "left:X1", "left:f2", "LEFT:F2", "mid:F2x", "up:F2"]
    + ["move:up", "move", "turn:left", "pay:take", "pay:", "discard:0", "discard:6", "store:5"]
    + ["place:x", "pile:3", "put:mid", "order:mid", "unload:bottom", "redraw", "redraw:F2.S1"]
    + ["redraw:F2.S1.C3.M1", "redraw:F2.S1.X3", "p1:left:F2", " stop", "stop ", "~tile=F2x"]
    + ["claim:3", "claim", "attach:0", "attach:5", "facedown:F2", "facedown:F2x_", "facedown"]
    + ["upgrade:b", "upgrade:E", "unload:top:F2", "unload:F2x", "load:1", "leave:top"],
)
def test_bad_words_are_named(lofoten, word):
    with pytest.raises(BadMoveText, match=re.escape(repr(word))):
        lofoten.parse_move(word)


@pytest.mark.parametrize(
    "token",
    ["~", "~tile", "~tile=F2", "~tile=?", "~top=F", "~top3=F", "~top1=F2x", "~warehouse=w17"]
    + ["~warehouse=w0", "~jarl=j9", "~jarl=3", "~requirement=q8a", "~requirement=q1c"]
    + ["~ships=ABCD", "~ships@p1=ABC", "~ships@p1=AABC", "~ships@p1=abcd", "~ships@p3=ABCD"]
    + ["~order@p1=?", "~order@p3=F2", "~draw=F2", "~draw@p1=", "~flip0=F2x", "~draw@p1=F2 "],
)
def test_bad_tokens_are_named(lofoten, token):
    with pytest.raises(BadMoveText, match=re.escape(repr(token))):
        lofoten.parse_event(token)


@pytest.mark.parametrize("token", ["p3:stop", "p1:", "p1:p1:stop", "p1:~tile=F2x", "P1:stop"])
def test_bad_seats_are_refused(lofoten, token):
    with pytest.raises(BadMoveText):
        lofoten.parse_event(token)


@pytest.mark.parametrize(
    "move", [0, 1, 22 << 24, 33 << 24, 1 << 24 | 3 << 8, 2 << 24 | 0xFFF, 2**32 - 1]
)
def test_numbers_that_are_no_moves_have_no_name(lofoten, move):
    for name in (lofoten.move_name, lambda m: lofoten.event_name(m, -1)):
        with pytest.raises(BadMoveText, match=str(move)):
            name(move)


@pytest.mark.parametrize(
    "token, number",
    [
        ("unload:left", 15 << 24 | 3),
        ("unload:top:M1x", 15 << 24 | 1 << 8),
        ("unload:left:C3o", 15 << 24 | 24 << 8 | 3),
        ("leave", 17 << 24),
        ("load", 17 << 24 | 1),
        ("claim:2", 18 << 24 | 1),
        ("attach:4", 19 << 24 | 3),
        ("facedown:F2x", 20 << 24 | 8),
        ("upgrade:D", 21 << 24 | 3),
        ("~tile=C3o", 24 << 24 | 23),
        ("~warehouse=w16", 26 << 24 | 15),
        ("~jarl=j8", 30 << 24 | 7),
        ("~requirement=q5b", 31 << 24 | 9),
        ("~ships@p1=ABCD", 32 << 24),
        ("~ships@p2=DCBA", 32 << 24 | 1 << 8 | 23),
    ],
)
def test_words_have_the_numbers_that_the_rules_in_c_know(lofoten, token, number):
    """state.pxd has the table of bits."""
    assert lofoten.parse_event(token)[1] == number


@pytest.mark.parametrize(
    "token, told",
    [
        ("unload:right:F2x", "seat 2 unloads fish 2x from the ship on the right"),
        ("unload:top", "seat 2 unloads the ship facing the market"),
        ("load", "seat 2 loads the tile that faces longship C"),
        ("leave", "seat 2 leaves the tile that faces longship C"),
        ("claim:1", "seat 2 claims the first Jarl"),
        ("attach:3", "seat 2 attaches the storehouse to warehouse 3"),
        ("facedown:C3o", "seat 2 turns a stored coffer 3o face down"),
        ("upgrade:B", "seat 2 upgrades longship B"),
        ("extra", "seat 2 buys an additional turn"),
        ("~warehouse=w12", "warehouse card w12 is laid out"),
        ("~jarl=j3", "Jarl j3 is laid out"),
        ("~requirement=q5b", "requirement q5b lies above it"),
        (
            "~ships@p2=BADC",
            "longships of seat 2: B facing the market, A on the right, "
            "D at the dock, C on the left",
        ),
    ],
)
def test_events_of_the_modules_in_words(lofoten, token, told):
    seat, move = lofoten.parse_event(token)
    assert notation.describe(move, 1 if seat is None else seat) == told


def test_every_event_is_told_in_words_of_its_own():
    """Which pile a tile comes from was said when the pile was chosen."""
    names = {"p1:" + word: move for word, move in notation.WORDS.items()} | notation.TOKENS
    told = {
        notation.describe(move, 0 if name[0] == "p" else -1)
        for name, move in names.items()
        if not name.startswith("~flip2")
    }
    assert len(told) == len(names) - len(TILES)
