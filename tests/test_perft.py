"""Perft tables: tests/perft/<game>.perft."""

import pytest
from perft_tables import FOLDER, entries

import engine
from engine.perft import divide, perft


def test_table(game):
    checked = 0
    for name, position, seed, depth, count in entries(game.name):
        state = game.from_text(position)
        found = perft(state, depth, seed)
        if found != count:
            parts = divide(state, depth, seed) if depth else {}
            split = "\n".join(f"  {word} {paths}" for word, paths in parts.items())
            pytest.fail(f"{name}: depth {depth}: {found} paths, expected {count}\n{state}\n{split}")
        checked += 1
    assert checked >= 10


def test_every_table_is_of_a_game():
    assert sorted(path.stem for path in FOLDER.iterdir()) == engine.available()


@pytest.mark.parametrize("seed", [None, 3])
def test_divide_adds_up(game, seed):
    state = game.new_state()
    for depth in range(1, 5):
        assert sum(divide(state, depth, seed).values()) == perft(state, depth, seed)


@pytest.mark.parametrize("seed", [None, 5])
def test_agrees_with_a_walk_in_python(game, seed):
    def count(state, depth, events):
        if depth == 0:
            return 1
        if seed is not None:
            while state.is_chance:
                state.apply(state.sample_chance(engine.RandomStream(seed, 1, events)))
                events += 1
        total = 0
        for move in state.legal_moves():
            if state.is_chance and not state.chance_weight(move):
                continue
            child = state.copy()
            child.apply(move)
            total += count(child, depth - 1, events + 1)
        return total

    for depth in range(4):
        assert perft(game.new_state(), depth, seed) == count(game.new_state(), depth, 0)


def test_refuses_views_and_wild_depths(kuhn):
    with pytest.raises(ValueError, match="view"):
        perft(kuhn.new_state(0), 1)
    with pytest.raises(ValueError, match="65"):
        perft(kuhn.new_state(), 65)
    with pytest.raises(ValueError, match="0"):
        divide(kuhn.new_state(), 0)
