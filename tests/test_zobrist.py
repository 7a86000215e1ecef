"""Keys: pinned, recomputed by an independent formula, distinct, and a function of knowledge."""

import itertools

import pytest
from test_rng import mix64

from engine import RandomStream
from engine.conformance import Trial

CARDS = "JQK?-"


def hash_word(word, salt):
    return mix64(word ^ mix64(salt))


def kuhn_positions():
    for one, two in itertools.permutations("JQK", 2):
        for actions in ("-", "p", "b", "pp", "pb", "bp", "bb", "pbp", "pbb"):
            yield one, two, actions


def test_pinned_keys(kuhn):
    state = kuhn.from_text("kuhn/1 hand.p1=K hand.p2=J actions=pb")
    assert f"{state.key():016x}" == "a514f25d7b47968d"
    assert f"{state.infoset_key(0):016x}" == "72e4c2a145332857"
    assert f"{state.infoset_key(1):016x}" == "5ef7b2c81740a154"


def test_keys_by_their_formula(kuhn):
    for one, two, actions in kuhn_positions():
        state = kuhn.from_text(f"kuhn/1 hand.p1={one} hand.p2={two} actions={actions}")
        done = actions.replace("-", "")
        bets = sum(1 << i for i, action in enumerate(done) if action == "b")
        public = hash_word(2 | len(done) << 4 | bets << 8, 1)
        cards = [hash_word(CARDS.index(card), 2 + seat) for seat, card in enumerate((one, two))]
        assert state.key() == public ^ cards[0] ^ cards[1]
        assert [state.infoset_key(seat) for seat in (0, 1)] == [public ^ card for card in cards]


def test_all_kuhn_keys_differ(kuhn):
    texts = [f"kuhn/1 hand.p1={a} hand.p2={b} actions={c}" for a, b, c in kuhn_positions()]
    states = [kuhn.from_text(text) for text in texts]
    assert len({state.key() for state in states}) == 6 * 9
    for seat in (0, 1):
        assert len({state.infoset_key(seat) for state in states}) == 3 * 9


def test_keys_tell_states_and_knowledge_apart(game):
    """Equal bytes have equal keys and different bytes different ones, for states and for views."""
    seen = 0
    keys = [dict[bytes, int]() for _ in range(game.num_seats + 1)]
    for seed in range(40):
        for state, _ in Trial(game, seed, limit=4000 - seen).steps():
            seen += 1
            pairs = [(state.to_bytes(), state.key())]
            pairs += [
                (state.view(s).to_bytes(), state.infoset_key(s)) for s in range(game.num_seats)
            ]
            for known, (raw, key) in zip(keys, pairs, strict=True):
                assert known.setdefault(raw, key) == key
    for known in keys:
        assert len(set(known.values())) == len(known)


@pytest.mark.parametrize("purpose", [2, 3])
def test_full_keys_see_secrets(game, purpose):
    """Among the worlds that a view allows, different states have different keys."""
    for state in Trial(game, 5, 200).sparse(5):
        for seat in range(game.num_seats):
            view, worlds = state.view(seat), dict[bytes, int]()
            for index in range(8):
                world = view.determinize(RandomStream(1, purpose, index))
                worlds[world.to_bytes()] = world.key()
            assert len(set(worlds.values())) == len(worlds)
