"""Beliefs: kept event by event, blind to the truth, and drawn from in proportion."""

from itertools import islice

import pytest

from bench.measure import beliefs, worlds
from bench.measure.determinize import views
from bench.measure.selfplay import Player
from bench.measure.twins import twin_games
from engine import RandomStream, load
from engine.conformance import fits
from engine.errors import IllegalMove
from protocol.options import Options
from protocol.session import Session
from search.belief import Belief, draw_worlds

VARIANTS = ["kuhn", "leduc", "oh_hell", "oh_hell seats=4", "lofoten"]
MODULES = "lofoten level2=2 jarls=on upgrades=on"


@pytest.mark.parametrize("identity", [*VARIANTS, MODULES])
def test_worlds_come_in_proportion_to_the_physical_deals(identity):
    out = {}
    worlds.run(out, identity, 4, samples=3000, most=500)
    assert out["worst_standard_errors"] < 4.5, out


def played(game, seed, least):
    """A state after some random events, with the beliefs of both seats."""
    stream = RandomStream(seed, 5)
    state = game.new_state()
    kept = [Belief(state.view(seat)) for seat in range(game.num_seats)]
    events = 0
    while events < least or state.is_chance:
        moves = state.legal_moves()
        move = state.sample_chance(stream) if state.is_chance else moves[stream.below(len(moves))]
        for belief in kept:
            belief.observe(state.redact(move, belief.seat))
        state.apply(move)
        events += 1
    return state, kept


def test_a_belief_follows_the_view(game):
    state, kept = played(game, 3, 3 if game.name in ("kuhn", "leduc") else 60)
    for belief in kept:
        assert belief.view == state.view(belief.seat)
        for world in belief.sample(1, 20):
            assert world.view(belief.seat) == belief.view and world.check() == 0


@pytest.mark.parametrize("least", [70, 300, 500])
def test_worlds_come_in_proportion_to_the_belief(least):
    """By `odds`, which tests/games/lofoten/test_lofoten_belief.py compares with Bayes' rule."""
    state, kept = played(load("lofoten"), least, least)
    listed = state.game.worlds(kept[0].view)
    total = sum(ways for _, ways in listed)
    odds = [kept[0].odds(world) for world, _ in listed]
    assert sum(ours for ours, _ in odds) == pytest.approx(1)
    for (_, ways), (_, dealt) in zip(listed, odds, strict=True):
        assert dealt == pytest.approx(ways / total)
    number = 20_000
    place = {world.to_bytes(): i for i, (world, _) in enumerate(listed)}
    seen = dict.fromkeys(range(len(listed)), 0)
    for world in kept[0].sample(7, number):
        seen[place[world.to_bytes()]] += 1
    # Those that are expected seldom count as one.
    often = [i for i, (ours, _) in enumerate(odds) if number * ours >= 5]
    expected = {i: number * odds[i][0] for i in often}
    counts = {i: seen[i] for i in often}
    expected[-1] = number - sum(expected.values())
    counts[-1] = number - sum(counts.values())
    if expected[-1] < 5:
        del expected[-1], counts[-1]
    assert fits(counts, expected)


@pytest.mark.parametrize("identity", ["lofoten", MODULES])
def test_the_truth_does_not_reach_a_belief(identity):
    """Of two games that a seat can't tell apart it believes the same, bit by bit."""
    from bench.games import parse_game

    game = parse_game(identity)
    compared = other = 0
    for number, pair in enumerate(islice(twin_games(game, 5), 1200)):
        if number % 60:
            continue
        told = []
        for start, referee in zip(pair.starts, pair.referees, strict=True):
            state = game.from_text(start)
            belief = Belief(state.view(pair.seat))
            for event in referee.events:
                move = game.parse_event(event)[1]
                belief.observe(state.redact(move, pair.seat))
                state.apply(move)
            told.append((belief.to_bytes(), [w.to_bytes() for w in belief.sample(3, 5)]))
        assert told[0] == told[1]
        compared += 1
        other += pair.states[0] != pair.states[1]
    assert compared == 20 and other > 10


def test_a_belief_in_steps_is_that_of_one_line():
    """`position` lines that continue the one before, a copy, and a log read in one go."""
    session = Session(Options())
    line = "fen lofoten/1 seed=4 moves"
    decisions = "right:F2 stop put:left end right:C2 stop put:left end".split()
    told = []
    for word in decisions:
        line += f" {word}"
        session.set_position(line)
        told.append(session.position.belief().copy().to_bytes())
    assert session.replayed == 1
    fresh = Session(Options())
    fresh.set_position(line)
    assert fresh.position.belief().to_bytes() == told[-1]
    assert len(set(told)) == len(told)


def test_a_text_alone_leaves_the_deal():
    """What happened before the position was set is not known."""
    state, kept = played(load("lofoten"), 1, 200)
    fresh = Belief(state.view(0))
    for _, values in fresh.rows():
        assert all(ours == pytest.approx(dealt) for _, ours, dealt in values)
    assert fresh.rows() != kept[0].rows()


def test_no_belief_without_a_view_or_out_of_turn():
    game = load("lofoten")
    state, kept = played(game, 2, 100)
    with pytest.raises(ValueError, match="view"):
        Belief(state)
    before = kept[0].to_bytes()
    with pytest.raises(IllegalMove):
        kept[0].observe(0x7F000000)
    assert kept[0].to_bytes() == before


def test_a_belief_knows_nothing_of_other_states():
    state, kept = played(load("lofoten"), 4, 150)
    other, _ = played(load("lofoten"), 5, 150)
    for strange, words in (
        (other, "other things"),
        (state.view(0), "full state"),
        (load("kuhn").new_state(), "of kuhn"),
    ):
        with pytest.raises(ValueError, match=words):
            kept[0].odds(strange)
    with pytest.raises(ValueError, match="another view"):
        draw_worlds(other.view(0), 10, 1, kept[0])


def test_a_copy_goes_its_own_way():
    state, kept = played(load("lofoten"), 4, 150)
    twin = kept[0].copy()
    before = twin.to_bytes()
    kept[0].observe(state.redact(state.legal_moves()[0], 0))
    assert twin.to_bytes() == before != kept[0].to_bytes()


def test_measured_draws_and_figures():
    """What bench/catalogue/beliefs.py measures, in small."""
    game = load("lofoten")
    for found in views(game, 1).values():
        draw_worlds(found[0], 10, 1)
        draw_worlds(found[0], 10, 1, Belief(found[0]))
    out = {}
    beliefs.run(out, "lofoten", Player("vanilla", 20, "playout_plies=0"), 2, seed=3, jobs=1)
    assert out["games"] == 2 and out["number_hand"] > 40 and out["gain_tile"] > 0
    assert out["loss_plain_hand"] > out["loss_plain_left"] > 0
