"""Playouts: same as in plain Python, bounded, truncatable, deterministic in threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import engine
from search.playout import run_playouts

STREAM_DETERMINIZE, STREAM_PLAYOUT = 2, 3


def by_hand(state: "engine.State", number: int, seed: int, index: int, plies: int | None):
    """Do the same playouts with the checked Python state."""
    worlds = engine.RandomStream(seed, STREAM_DETERMINIZE, index)
    stream = engine.RandomStream(seed, STREAM_PLAYOUT, index)
    made = choices = 0
    for _ in range(number):
        world = state.copy() if state.observer < 0 else state.determinize(worlds)
        left = state.game.max_plies if plies is None else plies
        while not world.is_terminal:
            if world.is_chance:
                world.apply(world.sample_chance(stream))
                continue
            if left == 0:
                break
            moves = world.legal_moves()
            world.apply(moves[stream.below(len(moves))] if len(moves) > 1 else moves[0])
            left -= 1
            made += 1
            choices += len(moves) > 1
    return number, made, choices


def dealt(game: "engine.Game") -> "engine.State":
    """Return the first decision of a game."""
    stream = engine.RandomStream(11)
    state = game.new_state()
    while state.is_chance:
        state.apply(state.sample_chance(stream))
    return state


@pytest.mark.parametrize("plies", [None, 0, 1, 5])
def test_playouts_equal_those_made_by_hand(game, plies):
    """From the empty table, from a first decision, and from what a seat knows there."""
    state = dealt(game)
    for start in (game.new_state(), state, state.view(state.seat_to_move)):
        assert run_playouts(start, 5, 42, 3, plies) == by_hand(start, 5, 42, 3, plies)


def test_truncation_bounds_the_decisions(game):
    number, plies, choices = run_playouts(dealt(game), 50, plies=2)
    assert number == 50
    assert choices <= plies <= 100
    assert run_playouts(dealt(game), 50, plies=0) == (50, 0, 0)


def test_length_stays_below_what_the_game_declares(game):
    _, plies, _ = run_playouts(game.new_state(), 200)
    assert 0 < plies <= 200 * game.max_plies


def test_the_start_is_not_changed(game):
    state = dealt(game)
    before = state.to_bytes()
    run_playouts(state, 3)
    assert state.to_bytes() == before


def test_streams_are_named_by_seed_and_index(game):
    state = game.new_state()
    runs = {run_playouts(state, 300, seed, index) for seed in (1, 2) for index in (0, 1)}
    assert len(runs) == 4
    assert run_playouts(state, 300, 1, 0) in runs


def test_threads_do_not_disturb_each_other(game):
    state = game.new_state()
    alone = [run_playouts(state, 300, 7, i) for i in range(2)]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda i: run_playouts(state, 300, 7, i), range(2)))
    assert together == alone
