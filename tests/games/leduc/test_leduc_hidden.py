"""What a seat of Leduc poker knows: worlds dealt evenly, keys, and nothing that leaks."""

from collections import Counter, defaultdict

import pytest
from leduc_helpers import at, everything
from leduc_reference import Reference

from bench.measure import leaks
from engine import RandomStream
from engine.conformance import fits

VIEWS = [
    ("me=p1 hand.p1=SJ hand.p2=?", 5),
    ("me=p2 hand.p1=? hand.p2=HQ round1=cr", 5),
    ("me=p2 hand.p1=?", 6),
    ("me=p1 hand.p1=SK hand.p2=? public=HK round1=rc round2=crr", 4),
    ("me=p2 hand.p1=? hand.p2=HQ public=SJ round1=rrc", 4),
    ("me=p1 hand.p1=HJ hand.p2=? public=HK round1=crc round2=rf", 4),
]


@pytest.mark.parametrize("fields, worlds", VIEWS)
def test_worlds_are_equally_likely(fields, worlds):
    view, stream = at(fields), RandomStream(1, 2)
    listed = {world.to_bytes() for world, weight in view.game.worlds(view) if weight == 1}
    counts = Counter(view.determinize(stream).to_bytes() for _ in range(200 * worlds))
    assert len(listed) == worlds and set(counts) == listed
    found = {index: counts[raw] for index, raw in enumerate(sorted(listed))}
    assert fits(found, dict.fromkeys(found, 200.0), 3.5)


@pytest.mark.parametrize("seat", [0, 1])
def test_permuting_the_hidden_truth_gives_the_same_samples(seat):
    other = f"hand.p{2 - seat}"
    drawn = set()
    for card in ("SJ", "SQ", "HQ", "HK"):
        state = at(f"hand.p{seat + 1}=SK {other}={card} public=HJ round1=cc")
        stream = RandomStream(5, 2)
        view = state.view(seat)
        drawn.add(tuple(view.determinize(stream).to_text() for _ in range(20)))
    assert len(drawn) == 1


def test_there_are_936_information_sets_and_keys_tell_them_apart():
    keys, known = defaultdict(set), defaultdict(set)
    for state, tokens in everything():
        for seat in range(2):
            knows = Reference(tokens).known(seat)
            keys[seat, knows].add(state.infoset_key(seat))
            assert state.infoset_key(seat) == state.view(seat).infoset_key(seat)
            if state.seat_to_move == seat:
                known[seat].add(knows)
    assert [len(known[seat]) for seat in range(2)] == [468, 468]
    assert all(len(found) == 1 for found in keys.values()), "one key for the same knowledge"
    assert len(set.union(*keys.values())) == len(keys), "and for nothing else"
    assert len({state.key() for state, _ in everything()}) == len(everything())


def by_rank(tokens, seat):
    """Return what a seat knows, without suits."""
    cut = [token.replace("=S", "=").replace("=H", "=") for token in Reference(tokens).known(seat)]
    return (seat, *cut)


def test_the_abstract_key_leaves_out_suits_and_nothing_else():
    key_of, knowledge_of = defaultdict(set), defaultdict(set)
    deciding = set()
    for state, tokens in everything():
        for seat in range(2):
            key = state.game.abstract_key_of(state, seat)
            assert key == state.game.abstract_key_of(state.view(seat), seat)
            key_of[by_rank(tokens, seat)].add(key)
            knowledge_of[key].add(by_rank(tokens, seat))
            if state.seat_to_move == seat:
                deciding.add(key)
    assert all(len(keys) == 1 for keys in key_of.values())
    assert all(len(known) == 1 for known in knowledge_of.values())
    assert len(deciding) == 288


def outlook(state, seat):
    """Return what may happen from a view on: each world's ranks, the moves, the end."""
    worlds = Counter()
    for world, weight in state.game.worlds(state):
        hidden = world.to_text().split()[2 - seat].replace("=S", "=").replace("=H", "=")
        luck = Counter(t[-1] for t in map(world.event_name, world.legal_moves()) if t[0] == "~")
        worlds[hidden, tuple(world.margins()), tuple(sorted(luck.items()))] += weight
    moves = () if state.is_chance else tuple(state.legal_moves())
    return moves, frozenset(worlds.items())


def test_the_abstract_key_loses_nothing():
    """Views with the same key have the same worlds, by rank, with the same moves and payments."""
    seen = {}
    for state, _ in everything():
        for seat in range(2):
            view = state.view(seat)
            key = state.game.abstract_key_of(view, seat), state.seat_to_move
            if key not in seen:
                seen[key] = outlook(view, seat), view.to_text(), {view.to_text()}
            elif len(seen[key][2]) < 3 and view.to_text() not in seen[key][2]:
                seen[key][2].add(view.to_text())
                assert outlook(view, seat) == seen[key][0], (view.to_text(), seen[key][1])
    assert sum(len(texts) > 1 for _, _, texts in seen.values()) > 800


def test_nothing_differs_for_a_seat_that_sees_no_difference():
    out = {}
    leaks.run(out, "leduc", 60, nodes=6, every=1)
    assert out["differing"] == 0, out["first"]
    assert out["pairs"] == 60 and out["pairs_with_other_secrets"] > 50
    assert 20 < out["seat_decides"] < 55 and out["longest_log"] >= 8
