"""The search over a graph of knowledge: against a plain Python version, storage, keys, limits."""

import time

import pytest
from plain_puct import PlainPuct
from searching import position, positions

import engine
import search
from search.control import StopFlag
from search.graph import Graph
from search.limits import Limits
from search.options import BY_NAME
from search.puct import PuctWorker
from search.worker import DONE, STOPPED

KEYINGS = BY_NAME["keying"].choices
# Whatever the preset has, the tests do not change with it.
PUCT = {
    "algorithm": "puct",
    "playout_plies": 0,
    "playout_policy": "uniform",
    "exploration": 1.4,
    "prior_mix": 0.1,
}


def options_with(changes):
    return {o.name: o.default for o in BY_NAME.values()} | PUCT | changes


def make_worker(state, graph=None, searchmoves=None, hash_bytes=1 << 20, seed=3, **changes):
    """Return a worker on a fresh graph; the graph is `worker.graph`."""
    graph = graph or Graph(hash_bytes)
    graph.start_search(False)
    view = state if state.observer >= 0 else state.view(state.seat_to_move)
    flag = StopFlag()
    options = options_with(changes)
    plies = options["playout_plies"]
    return PuctWorker(view, flag, seed, 0, searchmoves, plies, graph=graph, options=options)


def run(worker, nodes):
    worker.set_limits(nodes, None, None)
    worker.run(None)
    return worker


def searcher_with(seed=0, **changes):
    return search.Searcher("drakkar", seed=seed, options={"solver": False} | PUCT | changes)


def nodes_of(graph):
    return [graph.node(i) for i in range(graph.num_nodes)]


def choice(plies, least):
    """Return a position of Lofoten so many decisions from the start, with `least` moves or more."""
    game = engine.load("lofoten")
    found = (position(game, plies, seed) for seed in range(100))
    return next(state for state in found if len(state.legal_moves()) >= least)


# ---- the algorithm once more, in plain Python ----

VARIANTS = [
    {},
    {"keying": "public", "exploration": 0.3, "first_play": -0.05},
    {"keying": "actor", "first_play": 0.1},
    {"keying": "actor", "margin_share": 0.5, "prior_mix": 0.5},
    {"playout_plies": 5},
    {"playout_plies": 5, "playout_policy": "prior"},
    {"playout_plies": 5, "playout_policy": "prior", "valued_points": 3},
    {"valued_points": 3, "margin_share": 0.5},
    {"playout_plies": 5, "valued_points": 2, "leaf": "margin", "margin_share": 0.5},
]


@pytest.mark.parametrize("changes", VARIANTS, ids=str)
def test_the_graph_equals_the_plain_python_version(game, changes):
    """Same streams, so the same nodes with the same numbers, to the last bit."""
    for state in positions(game)[-2:]:
        view = state.view(state.seat_to_move)
        plain = PlainPuct(view, 3, options_with(changes))
        for _ in range(250):
            plain.simulate()
        worker = run(make_worker(view, **changes), 250)
        assert worker.graph.num_nodes == len(plain.nodes)
        for index, (key, node) in enumerate(plain.nodes.items()):
            assert worker.graph.node(index) == (key, node.seat, node.visits, node.mean, node.open)
            found = [e[:4] for e in worker.graph.edges_of(index)]
            assert found == [(m, *node.edges[m][:3]) for m in sorted(node.edges)]


def test_luck_without_a_limit_is_as_without_the_idea(game):
    state = positions(game)[-1]
    base, other = (run(make_worker(state, **c), 400) for c in ({}, {"widening": 1e6}))
    assert nodes_of(base.graph) == nodes_of(other.graph)
    assert base.rows() == other.rows()


# ---- storage ----


@pytest.mark.parametrize("keying", KEYINGS)
def test_numbers_of_nodes_and_edges_agree(game, keying):
    for state in positions(game):
        graph = run(make_worker(state, keying=keying), 1500).graph
        nodes = nodes_of(graph)
        assert len({node[0] for node in nodes}) == len(nodes)
        for index, (key, _, visits, mean, is_open) in enumerate(nodes):
            assert graph.find_node(key) == index
            edges = graph.edges_of(index)
            assert sum(e[1] for e in edges) == visits
            assert [e[0] for e in edges] == sorted({e[0] for e in edges})
            assert all(-1 <= e[4] < len(nodes) for e in edges)
            if visits:
                assert mean == pytest.approx(sum(e[1] * e[3] for e in edges) / visits)
            if edges and not is_open:
                assert sum(e[2] for e in edges) == pytest.approx(1.0, abs=1e-5)


def test_every_node_is_found_while_the_table_grows():
    """Nodes move to a larger table a few at a time; none is lost or doubled meanwhile."""
    worker = make_worker(position(engine.load("lofoten"), 40), hash_bytes=1 << 24)
    graph, checked = worker.graph, 0
    for goal in range(0, 12000, 480):
        run(worker, goal)
        nodes = nodes_of(graph)
        assert [graph.find_node(node[0]) for node in nodes] == list(range(len(nodes)))
        checked += len(nodes)
    assert graph.num_nodes > 8 * 1024


def test_an_open_node_keeps_so_many_moves():
    """Further ones are not tried, wherever they stand among the others."""
    worker = make_worker(
        position(engine.load("lofoten"), 0, 1), hash_bytes=1 << 24, exploration=20.0, prior_mix=1.0
    )
    graph = run(worker, 30_000).graph
    widths = [len(graph.edges_of(i)) for i, node in enumerate(nodes_of(graph)) if node[4]]
    assert max(widths) == 64


def test_a_full_graph_is_still_searched(game):
    state = positions(game)[-1]
    worker = make_worker(state, hash_bytes=1)
    memory = worker.graph.memory
    run(worker, 20_000)
    assert sum(row[1] for row in worker.rows()) == worker.simulations == 20_000
    assert worker.graph.num_nodes <= 1024
    if game.max_plies > 100:
        assert worker.permille >= 990
        # Nodes of others may still get moves that worlds seen for the first time allow.
        nodes, memory_full = worker.graph.num_nodes, worker.graph.memory
        run(worker, 21_000)
        assert (worker.graph.num_nodes, worker.graph.memory) == (nodes, memory_full)
        assert worker.permille <= 1000
    assert worker.graph.memory <= memory * 4


@pytest.mark.parametrize("keying", KEYINGS)
def test_a_full_graph_has_used_its_memory(keying):
    """Nodes and edges share what there is as they need it, and keep within it."""
    limit = 2 << 20
    worker = make_worker(position(engine.load("lofoten"), 6), hash_bytes=limit, keying=keying)
    graph, nodes = worker.graph, 0
    while worker.permille < 990 and nodes < 100_000:
        nodes += 2000
        run(worker, nodes)
        assert graph.memory <= limit
    assert 32 * (graph.num_nodes + graph.num_edges) > 0.8 * limit
    assert [graph.find_node(node[0]) for node in nodes_of(graph)] == list(range(graph.num_nodes))


def test_priors_are_those_of_the_game_with_an_even_share(game):
    state = positions(game)[-1]
    for mix in (0.0, 0.1, 1.0):
        worker = make_worker(state, prior_mix=mix)
        moves = len(state.legal_moves())
        for move, _, prior, *_ in worker.graph.edges_of(worker.root_node):
            expected = mix / moves + (1 - mix) * dict(state.prior())[move] if moves > 1 else 1.0
            assert prior == pytest.approx(expected, abs=1e-6)


def test_counters_do_not_overflow():
    """A graph with more simulations than a search may have is not added to."""
    graph = run(make_worker(position(engine.load("kuhn"), 0)), 500).graph
    assert graph.booked == 500
    for booked, is_kept in ((2_147_000_000, True), (2_147_000_001, False)):
        graph.booked = booked
        graph.start_search(True)
        assert (graph.num_nodes > 0) == (graph.booked > 0) == is_kept


# ---- the choice of moves ----


def test_each_root_move_is_tried_once_first(game):
    for state in positions(game):
        moves = state.legal_moves()
        rows = run(make_worker(state), len(moves)).rows()
        assert [row[:2] for row in rows] == [(move, 1) for move in moves]
        chosen = tuple(moves[1::2])
        if chosen:
            worker = run(make_worker(state, searchmoves=chosen), 50)
            assert tuple(row[0] for row in worker.rows()) == chosen
            assert sum(row[1] for row in worker.rows()) == 50


def test_a_limit_in_depth_is_looked_at_behind_the_first_look():
    """How many simulations that makes before its time is over must not change where it ends."""
    state = choice(10, least=5)
    worker = make_worker(state)
    worker.set_limits(None, None, 1)
    assert worker.run(None) == DONE
    assert worker.simulations == len(state.legal_moves()) + 1


@pytest.mark.parametrize("keying", KEYINGS)
def test_keys_are_those_of_the_seat_that_counts(game, keying):
    """Own nodes hold what the searching seat knows, others what the keying says."""
    state = positions(game)[0]
    view, seat = state.view(state.seat_to_move), state.seat_to_move
    graph = run(make_worker(view, keying=keying), 600).graph
    assert graph.node(0)[:2] == (view.infoset_key(seat), seat)
    for _, decides, _, _, is_open in nodes_of(graph):
        hides = ("observer", "public") if decides != seat else ("public",)
        assert is_open <= (keying in hides)
        assert is_open or decides == seat or keying not in hides
    if game.name not in ("kuhn", "leduc"):
        return
    stream = engine.RandomStream(1)
    for move in view.legal_moves() * 20:
        world = view.determinize(stream)
        world.apply(move)
        key = {
            "observer": world.infoset_key(seat),
            "public": world.public_key(),
            "actor": world.infoset_key(world.seat_to_move),
        }.get(keying)
        assert key is None or graph.find_node(key) is not None


def test_with_public_keys_later_turns_hide_the_own_hand():
    """The own nodes of this turn have the hand in their key, those behind the other's have not."""
    game = engine.load("lofoten")
    state = position(game, 30)
    seat = state.seat_to_move
    graph = run(make_worker(state, keying="public", playout_plies=0), 20_000).graph
    behind = {graph.node(child)[4] for child in _own_behind_others(graph, seat)}
    assert behind == {True}
    assert not any(graph.node(i)[4] for _, _, i in _own_moves(state, graph))


def _own_behind_others(graph, seat):
    """Yield the children of others' nodes at which `seat` decides."""
    for index in range(graph.num_nodes):
        if graph.node(index)[1] != seat:
            for *_, child in (edge[:5] for edge in graph.edges_of(index)):
                if child >= 0 and graph.node(child)[1] == seat:
                    yield child


def test_keying_splits_or_shares_the_nodes_of_others(game):
    state = positions(game)[-1]
    sizes = {k: run(make_worker(state, keying=k), 2000).graph.num_nodes for k in KEYINGS}
    if game.max_plies > 20:
        assert min(sizes.values()) > 1900
    else:
        assert sizes["actor"] > sizes["observer"] >= sizes["public"]


def test_different_ways_to_the_same_knowledge_lead_to_one_node():
    """In Lofoten steps lead to one place by several ways; the graph has one node for it."""
    game, merged = engine.load("lofoten"), 0
    for seed in range(12):
        state = position(game, 10, seed)
        worker = make_worker(state, hash_bytes=1 << 24, exploration=20.0, prior_mix=1.0)
        graph = run(worker, 3000).graph
        ways = {}
        for moves, after, index in _own_moves(state, graph):
            assert graph.node(index)[0] == after.infoset_key(state.seat_to_move)
            ways.setdefault(index, set()).add(moves)
        merged += sum(len(found) > 1 for found in ways.values())
    assert merged >= 10


def _own_moves(state, graph):
    """Yield all ways of the graph on which its seat alone decides: moves, state, node."""
    ways = [((), state, 0)]
    while ways:
        moves, before, index = ways.pop()
        for move, visits, _, _, child in graph.edges_of(index):
            after = before.copy()
            after.apply(move)
            if visits and child >= 0 and after.seat_to_move == state.seat_to_move:
                ways.append(((*moves, move), after, child))
                yield ways[-1]


# ---- results ----

IDEAS = [
    {"playout_plies": 6, "playout_policy": "prior"},
    {"widening": 1.0},
    {"leaf": "margin"},
]


def everything(result):
    lines = [(x.move, x.visits, x.availability, x.win, x.margin, x.pv) for x in result.info.lines]
    return result.best_move, result.info.nodes, result.info.depth, result.info.seldepth, lines


@pytest.mark.parametrize("changes", IDEAS, ids=str)
def test_an_idea_repeats_and_sees_nothing_hidden(changes):
    """Same seed, same result, whatever the truth is; and not the result without the idea."""
    state = choice(150, least=5)
    view = state.view(state.seat_to_move)
    worlds = [state, view, *(view.determinize(engine.RandomStream(s, 5)) for s in range(2))]
    limits = Limits(nodes=600)
    found = {str(everything(searcher_with(9, **changes).go(w, limits, multipv=99))) for w in worlds}
    assert len(found) == 1
    base = {k: v for k, v in changes.items() if k in ("playout_plies", "keying")}
    other = searcher_with(9, **base).go(view, limits, multipv=99)
    assert str(everything(other)) not in found


@pytest.mark.serial
@pytest.mark.parametrize("changes", [{}, {"exploration": 1000.0, "prior_mix": 1.0}])
def test_a_search_is_over_when_nothing_can_change(changes):
    """By the clock the rest is saved once it cannot make another move the most visited one.

    That is once the lead is as large as what the rest of the time allows at the rate so far; wide
    exploration tries moves more alike, so it takes longer.
    """
    state = choice(40, least=3)
    ends = []
    for share in (1.0, 1e9):
        worker = make_worker(state, hash_bytes=1 << 24, decided_share=share, **changes)
        begin = time.monotonic_ns()
        worker.set_limits(None, begin + 150_000_000, None, by_clock=True)
        ends.append((worker.run(None), time.monotonic_ns() - begin))
        visits = sorted((row[1] for row in worker.rows()), reverse=True)
        assert visits[0] > visits[1]
        lead = (visits[0] - visits[1]) / sum(visits)
        if share == 1.0:
            assert ends[0][1] > 0.99 * 150_000_000 / (1 + lead)
    assert [end[0] for end in ends] == [DONE, STOPPED]
    assert ends[0][1] < ends[1][1]


def test_widening_keeps_the_outcomes_of_luck_few():
    """Behind an edge no more nodes than the limit, so that the search goes deeper."""
    seen = {}
    for rate in (0.0, 0.2):
        lucky = []
        for plies in (100, 150, 300):
            state = choice(plies, least=3)
            worker = run(make_worker(state, hash_bytes=1 << 24, widening=rate), 6000)
            lucky += [
                edge
                for index in range(worker.graph.num_nodes)
                for edge in worker.graph.look(index, worker.search)[4]
                if edge[5] and edge[1] >= 50
            ]
        assert len(lucky) > 100
        seen[rate] = sum(edge[6] for edge in lucky) / sum(edge[1] for edge in lucky)
    assert seen[0.2] < 0.7 * seen[0.0]


def test_luck_is_not_limited_to_what_cannot_be():
    """Where the known card lies in a hand of this world, another one is drawn: all goes on."""
    game = engine.load("leduc")
    for seed in range(5):
        state = position(game, 1, seed)
        run(make_worker(state, widening=0.001), 2000)
