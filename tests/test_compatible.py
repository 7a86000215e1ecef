"""The search that general frameworks have: a node for each information state, UCB1, raw rewards."""

import math
import time

import pytest

import engine
from bench.peers import duels, games, searches
from search.compatible import CompatibleWorker
from search.control import StopFlag
from search.playout import Playouts

# The tree of 200 simulations in all that the first seat with a queen may come to: what was done,
# the visits of the node, and (move, visits, sum of chips) of its edges.
GOLDEN_TREE = """
- Q 199: pass 128 -27; bet 71 -23
p J 64: pass 44 -44; bet 20 -25
p K 62: pass 8 +8; bet 54 +89
b J 36: pass 32 -32; bet 4 -8
b K 33: pass 1 -1; bet 32 +64
pb Q 73: pass 23 -23; bet 50 -40
"""


@pytest.fixture
def queen(kuhn):
    return kuhn.from_text("kuhn/1 me=p1 hand.p1=Q hand.p2=?")


def searched(view, nodes, seed=1, exploration=1.4, hash_bytes=1 << 20, index=1, plies=None):
    """Return a worker after so many simulations; None: not run yet."""
    options = {"exploration": exploration, "hash_bytes": hash_bytes}
    worker = CompatibleWorker(view, StopFlag(), seed, index, None, plies, **options)
    if nodes is not None:
        worker.set_limits(nodes, None, None)
        worker.run(None)
    return worker


def root_of(worker, view):
    return worker.node(view.infoset_key(view.seat_to_move))


def dump(kuhn, worker):
    """Write the nodes that a queen of the first seat can come to, one line each."""
    lines = []
    for acts in ("", "p", "b", "pb"):
        for card in "Q" if len(acts) != 1 else "JK":
            seat = len(acts) % 2 + 1
            hands = f"hand.p{seat}={card} hand.p{3 - seat}=?"
            state = kuhn.from_text(f"kuhn/1 me=p{seat} {hands} actions={acts or '-'}")
            visits, edges = root_of(worker, state)
            told = "; ".join(f"{kuhn.move_name(m)} {v} {r:+.0f}" for m, v, r in edges)
            lines.append(f"{acts or '-'} {card} {visits}: {told}")
    return "\n".join(lines)


def test_golden_tree(kuhn, queen):
    worker = searched(queen, 200)
    assert dump(kuhn, worker) == GOLDEN_TREE.strip()
    assert worker.size == 6


def test_same_seed_same_rows(queen):
    rows = searched(queen, 500).rows()
    assert rows == searched(queen, 500).rows()
    assert rows != searched(queen, 500, seed=2).rows()
    in_parts = searched(queen, 200)
    in_parts.set_limits(500, None, None)
    in_parts.run(None)
    assert in_parts.rows() == rows


def test_moves_are_tried_before_ucb():
    state = searches.roots(games.OhHell("oh_hell tricks=3"), 1, first=True)[0]
    view = state.view(state.seat_to_move)
    moves = view.legal_moves()
    orders = set()
    for seed in range(1, 9):
        order = []
        # The first simulation plays out from the root.
        assert root_of(searched(view, 1, seed), view)[0] == 0
        for nodes in range(2, len(moves) + 2):
            tried = {
                move for move, visits, _ in root_of(searched(view, nodes, seed), view)[1] if visits
            }
            assert len(tried) == nodes - 1
            order.append(max(tried - set(order)))
        orders.add(tuple(order))
    assert len(orders) > 4


@pytest.mark.parametrize("exploration", [1.0, 1.4, 5.0])
def test_the_best_by_ucb1_is_taken(queen, exploration):
    before = root_of(searched(queen, 3, exploration=exploration), queen)
    chosen = set()
    for nodes in range(4, 80):
        after = root_of(searched(queen, nodes, exploration=exploration), queen)
        (grown,) = [a[0] for a, b in zip(after[1], before[1], strict=True) if a[1] > b[1]]
        visits, edges = before
        values = {
            move: reward / tried + exploration * math.sqrt(math.log(visits) / tried)
            for move, tried, reward in edges
        }
        assert values[grown] > max(values.values()) - 1.01e-5
        chosen.add(grown)
        before = after
    assert len(chosen) == 2


def test_rewards_are_chips_of_the_own_seat(kuhn):
    # The king of the second seat answers a bet: pass costs 1, bet wins 2.
    view = kuhn.from_text("kuhn/1 me=p2 hand.p1=? hand.p2=K actions=b")
    _, edges = root_of(searched(view, 100), view)
    assert [reward / visits for _, visits, reward in edges] == [-1.0, 2.0]


def test_rewards_are_points_where_a_game_has_them():
    game = games.OhHell("oh_hell tricks=1").ours
    state = game.new_state()
    stream = engine.RandomStream(4)
    while state.ply < 5:
        moves = state.legal_moves()
        state.apply(
            state.sample_chance(stream) if state.is_chance else moves[stream.below(len(moves))]
        )
    seat = state.seat_to_move
    end = state.copy()
    end.apply(state.legal_moves()[0])
    row = searched(state.view(seat), 50).rows()[0]
    assert end.scores()[seat] != end.margins()[seat]
    assert row[4] / row[1] == end.scores()[seat]


def test_visits_add_up(opening):
    worker = searched(opening, 300)
    visits, edges = root_of(worker, opening)
    assert visits == sum(edge[1] for edge in edges) == worker.simulations - 1
    assert 1 < worker.size <= 300


@pytest.fixture
def opening():
    """Return the view of the first choice in a game of Lofoten, whose playouts are long."""
    lofoten = engine.load("lofoten")
    state = lofoten.new_state()
    deal = lofoten.new_deal(3)
    while state.is_chance or len(state.legal_moves()) == 1:
        state.apply(deal.outcome(state) if state.is_chance else state.legal_moves()[0])
    return state.view(state.seat_to_move)


def test_what_is_cut_short_is_not_counted(opening):
    for microseconds in range(300, 2300, 100):
        worker = searched(opening, None)
        worker.set_limits(None, time.monotonic_ns() + 1000 * microseconds, None)
        worker.run(None)
        visits, edges = root_of(worker, opening)
        assert visits == sum(edge[1] for edge in edges) == max(worker.simulations - 1, 0)


def test_memory_limit_holds():
    game = games.OhHell("oh_hell tricks=4 suits=2 cards-per-suit=7")
    state = searches.roots(game, 1, first=True)[0]
    view = state.view(state.seat_to_move)
    limit = 120 << 10  # not enough for the edges of the nodes that it is enough for
    small = searched(view, 20_000, hash_bytes=limit, plies=0)
    large = searched(view, 20_000, hash_bytes=64 << 20, plies=0)
    assert small.simulations == 20_000
    assert small.size * small.bytes_per_node <= small.memory <= limit < large.memory
    assert small.permille > 700 > large.permille
    assert large.size > 4 * small.size
    assert root_of(small, view)[0] == 19_999


def test_first_look_tries_every_move(opening):
    worker = searched(opening, None, index=0)
    worker.set_limits(None, time.monotonic_ns(), None)
    worker.run(None)
    assert all(row[1] for row in worker.rows())


def test_searchmoves(queen):
    worker = CompatibleWorker(
        queen, StopFlag(), 1, 0, (1 << 24,), None, exploration=1.4, hash_bytes=1 << 20
    )
    worker.set_limits(50, None, None)
    worker.run(None)
    assert [row[0] for row in worker.rows()] == [1 << 24]


def test_playouts_one_at_a_time():
    state = searches.roots(games.OhHell("oh_hell"), 1)[0]
    before = state.to_bytes()
    results = [Playouts(5).returns(state) for _ in range(2)]
    assert results[0] == results[1]
    assert state.to_bytes() == before
    assert sum(results[0]) == pytest.approx(1.5)
    many = Playouts(5)
    assert len({tuple(many.returns(state)) for _ in range(50)}) > 3
    with pytest.raises(ValueError, match="full state"):
        many.returns(state.view(0))


def test_peer_games_without_the_peer():
    game = games.translator("kuhn")
    found = searches.roots(game, 6)
    assert [s.to_text() for s in found] == [s.to_text() for s in searches.roots(game, 6)]
    assert all(len(s.legal_moves()) > 1 and s.observer < 0 for s in found)
    first = [lambda state, seed: state.legal_moves()[0]] * 2
    for deal in range(1, 5):
        payoffs = duels.play(game, deal, first)
        assert sorted(payoffs) == [-1.0, 1.0]
