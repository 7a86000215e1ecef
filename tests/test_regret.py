"""The search `regret`: convergence, repeats, memory, the drawn move; final-move policies."""

import time

import numpy as np
import pytest
from searching import HANG_S, positions

import engine
from bench.measure.exploitability import GameTree
from search.control import StopFlag
from search.final import FINALS, in_order, lot
from search.options import find
from search.regret import RegretWorker
from search.worker import DONE, STOPPED


@pytest.fixture(scope="module")
def kuhn():
    return GameTree(engine.load("kuhn"))


@pytest.fixture(scope="module")
def leduc():
    return GameTree(engine.load("leduc"))


def searched(view, nodes, seed=1, moves=None, plies=0, **options):
    worker = RegretWorker(view, StopFlag(), seed, 0, moves, plies, **options)
    worker.set_limits(nodes, None, None)
    assert worker.run(None) == DONE
    assert worker.simulations == nodes
    return worker


def nash_conv(tree, worker):
    """Return how exploitable the strategy is that one search has for all information sets."""
    return tree.nash_conv(tree.policy(lambda found: dict(worker.policy_at(found.view))))


def view_of(tree, words, seat):
    return next(f.view for f in tree.sets if f.seat == seat and words in f.view.to_text())


# ---- the strategy ----


def test_each_search_of_a_game_has_the_same_strategy(kuhn):
    """Fresh searches of all information sets, each with a seed of its own, play as one does."""
    one = searched(kuhn.sets[0].view, 3000)
    for number, found in enumerate(kuhn.sets):
        other = searched(found.view, 3000, seed=2 + number)
        assert other.whole
        assert dict(other.policy()) == pytest.approx(dict(one.policy_at(found.view)))


def test_kuhn_gets_less_exploitable(kuhn):
    values = [
        nash_conv(kuhn, searched(kuhn.sets[0].view, nodes))
        for nodes in (100, 1000, 10_000, 100_000)
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] < 0.5 and values[1] < 0.1 and values[3] < 0.001


def test_leduc_gets_less_exploitable(leduc):
    workers = [searched(leduc.sets[0].view, nodes) for nodes in (1000, 10_000, 100_000, 300_000)]
    values = [nash_conv(leduc, worker) for worker in workers]
    assert values == sorted(values, reverse=True)
    # The same on every machine: what walks and passes do may not change without a word.
    assert values[0] < 4 and values[-1] == pytest.approx(0.0852, abs=0.0005)
    assert workers[1].passes == 0 and workers[-1].passes > 40
    assert workers[-1].information_sets == len(leduc.sets)


def test_walks_alone_get_there_too(leduc):
    """With no room for the list of the game."""
    worker = searched(leduc.sets[0].view, 30_000, hash_bytes=700_000)
    assert worker.whole and worker.passes == 0 and worker.permille <= 1000
    assert nash_conv(leduc, worker) < 0.7


def test_full_memory(leduc):
    """With room for a few information sets the search goes on; the others are played at random."""
    worker = searched(leduc.sets[0].view, 5000, hash_bytes=1)
    assert worker.information_sets == 64 and worker.permille == 1000
    assert 0 < nash_conv(leduc, worker) < 6


def test_value_in_reports(kuhn):
    """With the king and a bet to answer, calling wins two points."""
    view = view_of(kuhn, "hand.p2=K actions=b", 1)
    worker = searched(view, 20_000)
    rows = worker.rows()
    calls = max(rows, key=lambda row: row[1])
    assert kuhn.game.move_name(calls[0]) == "bet"
    assert calls[4] == 2 * calls[1] and calls[3] == calls[1] == calls[5]
    assert dict(worker.policy())[calls[0]] > 0.999


def test_visits_follow_the_policy(kuhn):
    worker = searched(view_of(kuhn, "hand.p1=Q hand.p2=? actions=pb", 0), 30_000)
    visits = np.array([row[1] for row in worker.rows()])
    shares = np.array([share for _, share in worker.policy()])
    assert 0.1 < shares[0] < 0.9
    assert np.abs(visits / visits.sum() - shares).max() < 0.05
    assert worker.counts[1] == visits.sum()


# ---- the move ----


def test_the_move_is_drawn(kuhn):
    """Over many seeds the moves come as often as the strategy says; one seed gives one move."""
    view = view_of(kuhn, "hand.p1=Q hand.p2=? actions=pb", 0)
    expected = passes = 0.0
    for seed in range(400):
        worker = searched(view, 2000, seed=seed)
        first = [worker.best_order(worker.rows())[0][0] for _ in range(2)]
        assert first[0] == first[1]
        passes += kuhn.game.move_name(first[0]) == "pass"
        expected += dict(worker.policy())[worker.rows()[0][0]]
    assert kuhn.game.move_name(worker.rows()[0][0]) == "pass"
    assert 0.2 * 400 < expected < 0.8 * 400
    assert abs(passes - expected) < 4 * 10


def test_some_root_moves_only(leduc):
    found = next(f for f in leduc.sets if len(f.moves) == 3)
    some = (found.moves[0], found.moves[2])
    worker = searched(found.view, 2000, moves=some)
    policy = worker.policy()
    assert [m for m, _ in policy] == list(some) and sum(p for _, p in policy) == pytest.approx(1)
    whole = dict(worker.policy_at(found.view))
    assert policy[0][1] * (whole[some[0]] + whole[some[1]]) == pytest.approx(whole[some[0]])


def test_first_look(leduc):
    found = next(f for f in leduc.sets if len(f.moves) == 3)
    assert [row[1] for row in searched(found.view, 3).rows()] == [1, 1, 1]


def test_final_moves():
    """Rows: move, visits, availability, sum of returns, ..."""
    rows = [(7, 50, 99, 20.0), (8, 50, 99, 30.0), (9, 100, 99, 10.0), (10, 0, 0, 0.0)]
    first = [in_order(rows, "most", 0.0)[i][0] for i in range(4)]
    assert first == [9, 7, 8, 10]
    assert [row[0] for row in in_order(rows, "robust", 0.0)] == [9, 8, 7, 10]
    assert in_order(rows, "auto", 0.3) == in_order(rows, "robust", 0.3)
    for word, average in (("shares", None), ("average", None), ("shares", {10: 1.0})):
        drawn = [in_order(rows, word, at, average)[0][0] for at in (0.0, 0.24, 0.26, 0.49, 0.51)]
        assert drawn == [7, 7, 8, 8, 9]
    for word in ("auto", "average"):
        drawn = [in_order(rows, word, at, {8: 0.5, 10: 0.5})[0][0] for at in (0.0, 0.49, 0.51)]
        assert drawn == [8, 8, 10]
    assert in_order(rows, "shares", 1 - 2**-53)[0][0] == 9
    assert find("final").choices == FINALS


def test_lots(kuhn):
    lots = np.array([lot(seed, found.view) for seed in range(100) for found in kuhn.sets])
    assert len(set(lots)) == len(lots) and 0 <= lots.min() and lots.max() < 1
    assert abs(lots.mean() - 0.5) < 4 / np.sqrt(12 * len(lots))
    assert lots[0] == lot(0, kuhn.sets[0].view)


# ---- ends, other games ----


def test_a_stop_ends_it(kuhn):
    stop = StopFlag()
    stop.set()
    worker = RegretWorker(kuhn.sets[0].view, stop, 1, 0, None, None)
    worker.set_limits(None, None, None)
    assert worker.run(None) == STOPPED


def test_an_endless_search_comes_to_rest(kuhn):
    worker = RegretWorker(kuhn.sets[0].view, StopFlag(), 1, 0, None, None)
    worker.set_limits(None, time.monotonic_ns() + HANG_S * 10**9, None, endless=True)
    assert worker.run(None) == DONE and worker.passes >= 20_000


@pytest.mark.parametrize("name", ["lofoten", "oh_hell"])
def test_games_that_are_too_long(name):
    """Searched from the present position: legal moves, probabilities, the same twice."""
    game = engine.load(name)
    for state in positions(game):
        view = state.view(state.seat_to_move)
        workers = [searched(view, 500, plies=20) for _ in range(2)]
        assert not workers[0].whole and workers[0].information_sets > 10
        assert workers[0].policy() == workers[1].policy()
        assert workers[0].rows() == workers[1].rows()
        assert [m for m, _ in workers[0].policy()] == view.legal_moves()
        assert sum(p for _, p in workers[0].policy()) == pytest.approx(1)
        assert all(row[1] for row in workers[0].rows())
        with pytest.raises(ValueError, match="from its start"):
            workers[0].policy_at(view)


def test_a_path_finds_the_better_move(kuhn):
    """From the present position, too: who holds the king calls, and never folds it."""
    view = view_of(kuhn, "hand.p2=K actions=b", 1)
    worker = searched(view, 2000, whole=False)
    assert not worker.whole
    policy = {kuhn.game.move_name(move): share for move, share in worker.policy()}
    assert policy["bet"] > 0.95


def test_no_view_of_another_seat(kuhn):
    state = kuhn.game.new_state()
    with pytest.raises(ValueError, match="view"):
        RegretWorker(state, StopFlag(), 1, 0, None, None)
