"""The engine against the slow rules: random games at every ply, and the perft table."""

import random

import pytest
from oh_hell_perft import recount
from oh_hell_reference import LUCK, OVER, Reference

import engine
from engine import RandomStream

SETTINGS = [
    {},
    {"seats": 4},
    {"seats": 4, "tricks": 12, "penalty": "on"},
    {"tricks": 17, "points": 3},
    {"suits": 2, "cards": 5, "points": 0},
    {"seats": 4, "suits": 3, "cards": 6, "penalty": "on", "points": 20},
    {"suits": 1},
    {"cards": 2, "penalty": "on"},
    {"tricks": 1},
]
NAMES = {"cards": "cards-per-suit", "penalty": "off-bid-penalty", "points": "points-per-trick"}
# A path counts as deep, left to the slow test, from so many on.
DEEP = 300


def load(given):
    return engine.load("oh_hell", **{NAMES.get(key, key): word for key, word in given.items()})


def compare(state, slow, seats):
    """Compare all that can be asked."""
    turn = slow.to_move()
    assert state.seat_to_move == {LUCK: -1, OVER: -2}.get(turn, turn)
    assert [state.event_name(move) for move in state.legal_moves()] == slow.legal()
    assert state.scores() == slow.scores()
    fields = state.game.fields(state)
    for seat in range(seats):
        hand = {state.game.move_name(6 << 24 | card)[5:] for card in fields["hand"][seat]}
        assert hand == set(slow.hand(seat))
        assert fields["won"][seat] == slow.won(seat)
        assert fields["bid"][seat] == slow.bids().get(seat)


def play(given, seed):
    """Play one random game with both."""
    game, slow, choice = load(given), Reference(**given), random.Random(seed)
    state, luck = game.new_state(), RandomStream(seed)
    while True:
        compare(state, slow, game.num_seats)
        if state.is_terminal:
            break
        moves = state.legal_moves()
        move = state.sample_chance(luck) if state.is_chance else choice.choice(moves)
        token = state.event_name(move)
        slow.follow(token)
        state.apply(move)
    assert state.returns() == pytest.approx([float(share) for share in slow.returns()])
    best = [max(s for other, s in enumerate(slow.scores()) if other != seat)
            for seat in range(game.num_seats)]  # fmt: skip
    assert state.margins() == [s - b for s, b in zip(slow.scores(), best, strict=True)]


@pytest.mark.parametrize("given", SETTINGS, ids=str)
def test_random_games_agree_at_every_ply(given):
    for seed in range(2):
        play(given, seed)


@pytest.mark.slow
@pytest.mark.parametrize("given", SETTINGS, ids=str)
def test_many_random_games_agree(given):
    for seed in range(100, 110):
        play(given, seed)


def test_the_reference_counts_the_same():
    counted = recount(0, DEEP)
    assert [(name, depth, found) for name, depth, found, _ in counted] == [
        (name, depth, expected) for name, depth, _, expected in counted
    ]
    assert len(counted) > 15


@pytest.mark.slow
def test_the_reference_counts_the_same_deeper():
    counted = recount(DEEP, 15_000)
    assert [(name, depth, found) for name, depth, found, _ in counted] == [
        (name, depth, expected) for name, depth, _, expected in counted
    ]
    assert len(counted) > 8
