"""Keys know every field, classes are told card by card, and worlds are dealt evenly."""

import pytest
from helpers import field, play, position

import engine
from engine import RandomStream
from engine.conformance import Trial, fits

MODULES = {"level2": "2", "jarls": "on", "upgrades": "on", "stall": "20"}
# What is counted from other fields, what nothing depends on, and what only views have.
NO_PART = {"stored_units", "stored_tiles", "deck", "deck_size", "out", "held"}
NO_PART |= {"turns", "shuffles", "redeals", "fours"}


def leaves(value, path=()):
    """Yield the way to each number of a field."""
    if isinstance(value, int):
        yield path
        return
    for index, part in enumerate(value):
        yield from leaves(part, (*path, index))


def flipped(value, path):
    """Return a field with one of its numbers changed, by the lowest bit."""
    if not path:
        return value ^ 1
    changed = list(value)
    changed[path[0]] = flipped(value[path[0]], path[1:])
    return changed


def changes(fields):
    """Yield a name for each number of the fields, and the fields with that number changed."""
    for name, value in fields.items():
        for path in leaves(value) if name not in NO_PART else ():
            if (name, *path) == ("coins", 2) or (name == "house_type" and value[path[0]] == 7):
                continue  # the reserve is what the seats do not have; no type is next to none
            yield f"{name}{list(path)}", {**fields, name: flipped(value, path)}


def test_the_key_knows_every_field():
    """A key of two situations is a wrong memory of one for the other."""
    game = engine.load("lofoten", **MODULES)
    seen = 0
    for seed in range(12):
        for state in Trial(game, seed, 700).sparse(20):
            fields = game.fields(state)
            key = game.build(fields, -1).key()
            assert key == state.key()
            for name, changed in changes(fields):
                assert game.build(changed, -1).key() != key, f"{name}: {state.to_text()}"
                seen += 1
    assert seen > 20_000


def after_renewal(hand):
    """Return the state after seat 1, the deck being empty, has played the first of these cards."""
    state = position(hand_p1=hand, turn="p2", hand_p2="M3.F3.S3", deck="M2")
    state = play(state, "left:M3", "stop", "~draw@p2=M2", "put:left", "end")
    return play(state, f"left:{hand[:2]}", "stop", "~draw@p1=C1", "put:right")


def test_the_key_of_a_seat_knows_what_the_other_has_kept():
    """R35: the cards of a class are public, and all that differs here."""
    one, two = after_renewal("F1.S2.C3"), after_renewal("F1.S1.C3")
    assert one.infoset_key(1) != two.infoset_key(1)
    assert one.view(1).infoset_key(1) == one.infoset_key(1)


def test_cards_alike_are_known_one_by_one():
    """R35: what is left of a class once its other cards are played may be all alike."""
    state = after_renewal("F1.S2.S2")
    assert field(state, "hand.p1") == "S2a.S2b.C1" and field(state.view(1), "held") == "a:S2/b:S2"


@pytest.mark.parametrize("hidden", ["C1", "C1.M2.M2", "M1.M2.M2.F3.F3.F3"])
def test_hidden_cards_are_dealt_by_their_number(hidden):
    """Each card that the other hand may hold is equally likely at each of its places."""
    view = position(hand_p2="M3.M3.M3", deck=hidden).view(0)
    stream, draws = RandomStream(7, 2), 4000
    counts = {}
    for _ in range(draws):
        hand = field(view.determinize(stream), "hand.p2")
        for place, card in enumerate(hand.split(".")):
            counts[place, card] = counts.get((place, card), 0) + 1
    pool = hidden.split(".") + ["M3"] * 3
    expected = {
        (place, card): draws * pool.count(card) / len(pool) for place in range(3) for card in pool
    }
    assert set(counts) == set(expected)
    for place in range(3):
        here = {key: n for key, n in expected.items() if key[0] == place}
        assert fits({key: counts[key] for key in here}, here)
