"""IS-MCTS against a plain Python version, determinism, hidden truth, threads, memory."""

import math
import subprocess
import sys

import numpy as np
import pytest
from searching import HANG_S, PRESETS, positions

import engine
import search
from search.control import StopFlag
from search.ismcts import IsmctsWorker
from search.maths import natural_log

MASK = 2**64 - 1
STREAM_DETERMINIZE, STREAM_PLAYOUT, STREAM_SELECT = 2, 3, 4


def everything(result: search.Result) -> tuple:
    """Return all of a result that must repeat: all but times and speeds."""
    info = result.info
    lines = [(x.move, x.visits, x.availability, x.win, x.margin, x.wdl, x.pv) for x in info.lines]
    counters = (info.nodes, info.worlds, info.depth, info.seldepth, info.hashfull)
    return result.best_move, result.ponder_move, counters, lines


def whole_tree(searcher: search.Searcher) -> list:
    """Return every node and edge."""
    tree = searcher.tree
    return [(tree.seat(n), tree.edges_of(n)) for n in range(tree.size)]


# ---- the algorithm once more, in plain Python ----


def mix64(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


class Reference:
    """SO-ISMCTS as in the paper, over dictionaries; draws from the same streams, rounds alike."""

    def __init__(self, view, seed, playout_plies=None):
        self.view, self.seat, self.playout_plies = view, view.observer, playout_plies
        name = mix64(seed) ^ view.infoset_key(self.seat)
        self.worlds = engine.RandomStream(name, STREAM_DETERMINIZE)
        self.playouts = engine.RandomStream(name, STREAM_PLAYOUT)
        self.select = engine.RandomStream(name, STREAM_SELECT)
        self.nodes = {(): {}}  # path -> move -> [visits, availability, reward]

    def choose(self, edges, legal):
        """Return the move and whether it is new."""
        untried = [m for m in legal if m not in edges]
        if untried:
            move = untried[self.select.below(len(untried)) if len(untried) > 1 else 0]
            edges[move] = [0, 0, 0.0]
        else:

            def ucb(m):
                visits, available, reward = edges[m]
                share = 1.0 / visits
                return reward * share + 0.7 * math.sqrt(natural_log(available) * share)

            move = max(legal, key=ucb)
        for m in legal:
            if m in edges:
                edges[m][1] += 1
        return move, bool(untried)

    def values(self, world):
        if world.is_terminal:
            return world.returns()
        scale = world.game.margin_scale
        return [float(np.float32(0.5 + 0.5 * m / (abs(m) + scale))) for m in world.margins()]

    def simulate(self):
        world = self.view.determinize(self.worlds)
        path, taken, grown = (), [], False
        while not (grown or world.is_terminal):
            edges = self.nodes.setdefault(path, {})
            move, grown = self.choose(edges, world.legal_moves())
            taken.append((edges[move], world.seat_to_move))
            path += (world.redact(move, self.seat),)
            world.apply(move)
            while world.is_chance:
                outcome = world.sample_chance(self.worlds)
                path += (world.redact(outcome, self.seat),)
                world.apply(outcome)
        left = self.playout_plies
        while not world.is_terminal and left != 0:
            if world.is_chance:
                world.apply(world.sample_chance(self.playouts))
                continue
            moves = world.legal_moves()
            world.apply(moves[self.playouts.below(len(moves))] if len(moves) > 1 else moves[0])
            left = None if left is None else left - 1
            if left == 0:
                while world.is_chance:
                    world.apply(world.sample_chance(self.playouts))
        for edge, seat in taken:
            edge[0] += 1
            edge[2] += self.values(world)[seat]


@pytest.mark.parametrize("playout_plies", [None, 0, 4])
def test_every_edge_equals_the_plain_python_version(game, playout_plies):
    """Same streams, so the same tree: visits, availability and rewards of all nodes."""
    for state in positions(game):
        view = state.view(state.seat_to_move)
        number = 60 if playout_plies is None else 400
        reference = Reference(view, 17, playout_plies)
        for _ in range(number):
            reference.simulate()
        searcher = search.Searcher("vanilla", seed=17, playout_plies=playout_plies)
        searcher.go(view, search.Limits(nodes=number))
        expected = [
            sorted((move, *stats) for move, stats in edges.items())
            for edges in reference.nodes.values()
        ]
        found = [[edge[:4] for edge in edges] for _, edges in whole_tree(searcher)]
        assert found == expected


def test_root_statistics_agree_with_the_tree(game):
    for state in positions(game):
        searcher = search.Searcher("vanilla")
        result = searcher.go(state, search.Limits(nodes=500), multipv=1000)
        edges = {e[0]: e for e in searcher.tree.edges_of(0)}
        for line in result.info.lines:
            if line.visits:
                _, visits, available, reward, _ = edges[line.move]
                assert (line.visits, line.availability) == (visits, available)
                assert line.win == pytest.approx(reward / visits)
                assert sum(line.wdl) == 1000
                assert line.pv[0] == line.move
        assert sum(line.visits for line in result.info.lines) == result.info.nodes == 500
        assert [x.visits for x in result.info.lines] == sorted(
            (x.visits for x in result.info.lines), reverse=True
        )
        assert result.best_move in state.legal_moves()


# ---- determinism and hidden truth ----


@pytest.mark.parametrize("preset", PRESETS)
def test_same_seed_same_result(game, preset):
    """In one process, after a new game, with a new searcher, after another search."""
    state = positions(game)[-1]
    limits = search.Limits(nodes=200)
    searcher = search.Searcher(preset, seed=8)
    first = everything(searcher.go(state, limits, multipv=5))
    assert everything(searcher.go(state, limits, multipv=5)) == first
    searcher.go(positions(game)[0], limits)
    assert everything(searcher.go(state, limits, multipv=5)) == first
    searcher.new_game()
    assert everything(searcher.go(state, limits, multipv=5)) == first
    assert everything(search.Searcher(preset, seed=8).go(state, limits, multipv=5)) == first


def test_another_seed_searches_otherwise(game):
    state = positions(game)[-1]
    results = {
        str(everything(search.Searcher("vanilla", seed=s).go(state, search.Limits(nodes=300))))
        for s in range(4)
    }
    assert len(results) > 1


def test_a_new_process_gives_the_same_result(game):
    state = positions(game)[-1]
    seat = state.seat_to_move
    program = (
        "import engine, search, sys\n"
        "state = engine.load(sys.argv[1]).new_state()\n"
        "state.load_bytes(bytes.fromhex(sys.argv[2]), int(sys.argv[3]))\n"
        "for preset in search.PRESETS:\n"
        "    r = search.Searcher(preset, seed=4).go(state, search.Limits(nodes=150), multipv=9)\n"
        "    print(r.best_move, [(x.move, x.visits, x.win, x.pv) for x in r.info.lines])\n"
    )
    view = state.view(seat)
    run = subprocess.run(
        [sys.executable, "-c", program, game.name, view.to_bytes().hex(), str(seat)],
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=True,
    )
    expected = []
    for preset in search.PRESETS:
        r = search.Searcher(preset, seed=4).go(view, search.Limits(nodes=150), multipv=9)
        expected.append(f"{r.best_move} {[(x.move, x.visits, x.win, x.pv) for x in r.info.lines]}")
    assert run.stdout.splitlines() == expected


@pytest.mark.parametrize("preset", PRESETS)
def test_hidden_truth_changes_nothing(game, preset):
    """All worlds that the seat cannot tell apart give one result, full state or view."""
    for state in positions(game):
        view = state.view(state.seat_to_move)
        worlds = [state, view]
        worlds += [view.determinize(engine.RandomStream(s, 5)) for s in range(6)]
        assert len({w.to_bytes() for w in worlds}) > 2
        results = {
            str(everything(search.Searcher(preset).go(w, search.Limits(nodes=100), multipv=9)))
            for w in worlds
        }
        assert len(results) == 1


def test_threads_are_merged_and_deterministic(game):
    """Two threads with 301 simulations are the workers 0 and 1 with 151 and 150, added up."""
    state = positions(game)[-1]
    view = state.view(state.seat_to_move)
    limits = search.Limits(nodes=301)
    runs = [
        search.Searcher("vanilla", threads=2, seed=6).go(view, limits, multipv=99) for _ in range(2)
    ]
    assert everything(runs[0]) == everything(runs[1])
    rows = {}
    for index, number in ((0, 151), (1, 150)):
        worker = IsmctsWorker(
            view, StopFlag(), 6, index, None, None, exploration=0.7, hash_bytes=1 << 20
        )
        worker.set_limits(number, None, None)
        worker.run(None)
        for move, visits, available, reward, *_ in worker.rows():
            v, a, r = rows.get(move, (0, 0, 0.0))
            rows[move] = (v + visits, a + available, r + reward)
    for line in runs[0].info.lines:
        assert (line.visits, line.availability) == rows[line.move][:2]
        if line.visits:
            assert line.win == pytest.approx(rows[line.move][2] / line.visits)
    assert runs[0].info.nodes == 301


# ---- memory ----


def test_memory_stays_below_the_limit(game):
    """A full tree is still searched: all simulations count at the root."""
    searcher = search.Searcher("vanilla", hash_mb=1, playout_plies=0)
    info = searcher.go(positions(game)[-1], search.Limits(nodes=60_000), multipv=1000).info
    assert sum(line.visits for line in info.lines) == info.nodes == 60_000
    assert searcher.tree.memory <= 1 << 20
    assert info.hashfull <= 1000
    if game.max_plies > 100:
        assert info.hashfull == 1000
        assert searcher.tree.memory > 1 << 19


def test_arguments_are_checked():
    with pytest.raises(ValueError, match="there are: drakkar"):
        search.Searcher("stockfish")
    for wrong in ({"threads": 0}, {"hash_mb": 0}, {"playout_plies": -1}):
        with pytest.raises(ValueError, match="at least"):
            search.Searcher("vanilla", **wrong)
