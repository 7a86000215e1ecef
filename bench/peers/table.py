"""Ours beside OpenSpiel's compiled IS-MCTS: speed, memory, exploitability, games.

    python -m bench.peers.table [--strength] [GAME ...]

Speed is taken in one run on one core, in processor time: at each position the programs search in
turn, several times over, so that a disturbance meets all of them. Columns: `peer` and `compatible`
(see searches.py), `best` (the preset `drakkar`). For Leduc there is plain C for this one game too
(leduc_bound.c): `bound`, and beside it `opening`, the compatible search of the same positions, the
first decisions of the game.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import fmean, median
from time import thread_time

from bench.measure.exploitability import GameTree, InformationSet
from bench.peers.duels import duel
from bench.peers.games import Translator, translator
from bench.peers.searches import (
    Compatible,
    Peer,
    heap_bytes,
    most_visited,
    num_nodes,
    roots,
)
from bench.registry import Out
from engine import State
from engine.stream import RandomStream
from search import Limits, Searcher

GAMES = ("kuhn", "leduc", "oh_hell", "oh_hell tricks=17")
EXPLORATION = 1.4
BOUND_SOURCE = Path(__file__).parent / "leduc_bound.c"
_BOUND_SEARCHES = 120


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process and those it starts on one core."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def bound_program(game: str) -> Iterator[list[str] | None]:
    """Compile the plain C search of a game; None without source or compiler."""
    compiler = shutil.which("cc")
    if game != "leduc" or compiler is None or not BOUND_SOURCE.exists():
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        target = str(Path(folder) / "bound")
        flags = ["-O3", "-march=native", "-std=c11", str(BOUND_SOURCE), "-lm", "-o", target]
        subprocess.run([compiler, *flags], check=True)
        yield [target]


def speed(
    out: Out,
    identity: str,
    positions: int = 24,
    repeats: int = 3,
    simulations: int = 5000,
) -> None:
    """Write simulations per second and bytes per node of all columns into `out`.

    `times_peer` is how many times as fast as the peer the compatible search is, `share_of_bound`
    how near it comes to plain C, `share_of_bytes` its bytes per node over the peer's. Ours counts
    nodes, edges and slots of the table in use; `heap_bytes_per_node` has what both take from the
    heap, of which the arrays of a small search of ours are the greater part.
    """
    game = translator(identity)
    states = roots(game, positions)
    rates: dict[str, list[float]] = {"peer": [], "compatible": [], "best": []}
    nodes = arrays = 0.0
    bound_bytes = None
    with one_core(), bound_program(game.ours.name) as bound:
        for repeat in range(repeats):
            for number, state in enumerate(states):
                seed = number + 1000 * repeat + 1
                peer = Peer(game, state, simulations, EXPLORATION, seed)
                rates["peer"].append(simulations / peer.run())
                ours = Compatible(state, simulations, EXPLORATION, seed)
                rates["compatible"].append(simulations / ours.run())
                rates["best"].append(_speed_of_best(state, simulations, seed))
                assert ours.worker is not None
                nodes += ours.worker.size
                arrays += ours.worker.size * ours.worker.bytes_per_node
            if bound is not None:
                for number, state in enumerate(roots(game, positions, first=True)):
                    ours = Compatible(state, simulations, EXPLORATION, number + 1000 * repeat)
                    rates.setdefault("opening", []).append(simulations / ours.run())
                numbers = [str(simulations), str(EXPLORATION), str(_BOUND_SEARCHES)]
                words = subprocess.run(
                    bound + numbers, stdout=subprocess.PIPE, text=True, check=True
                ).stdout.split()
                rates.setdefault("bound", []).append(float(words[0]))
                bound_bytes = int(words[1])
        compatible = [Compatible(s, simulations, EXPLORATION, 1) for s in states]
        number = num_nodes(compatible)
        peers = [Peer(game, s, simulations, EXPLORATION, i) for i, s in enumerate(states)]
        theirs, reserved = heap_bytes(peers, number), heap_bytes(compatible, number)
    rate = {column: median(values) for column, values in rates.items()}
    out["simulations_per_s"] = rate
    out["slowest_and_fastest"] = {c: [min(values), max(values)] for c, values in rates.items()}
    out["bytes_per_node"] = {"peer": theirs, "compatible": arrays / nodes, "bound": bound_bytes}
    out["heap_bytes_per_node"] = {"peer": theirs, "compatible": reserved}
    out["nodes_per_search"] = nodes / (positions * repeats)
    out["times_peer"] = rate["compatible"] / rate["peer"]
    if theirs:
        out["share_of_bytes"] = arrays / nodes / theirs
    if bound_bytes is not None:
        out["share_of_bound"] = rate["opening"] / rate["bound"]


def _speed_of_best(state: State, simulations: int, seed: int) -> float:
    """Search as a user would, but for working positions out; return simulations a second."""
    view = state.view(state.seat_to_move)
    searcher = Searcher("drakkar", seed=seed, options={"solver": False})
    start = thread_time()
    made = searcher.go(view, Limits(nodes=simulations)).info.nodes
    return made / (thread_time() - start)


def exploitability(
    out: Out,
    identity: str,
    exploration: float,
    sizes: Sequence[int] = (100, 1000, 10_000),
    rounds: int = 3,
) -> None:
    """Write the mean NashConv of each column by simulations into `out`.

    A policy comes from one fresh search for each information set: the `shares` of the visits, or
    always the `most` visited move; of `best` the move it plays. Each round has seeds of its own.
    """
    game = translator(identity)
    tree = GameTree(game.ours)
    out["uniform"] = {"any": tree.nash_conv(tree.uniform())}
    for size in sizes:
        found: dict[str, list[float]] = {}
        for seed in range(1, rounds + 1):
            for column in ("peer", "compatible", "best"):
                policy = {
                    id(s): _policy(column, game, s.view, size, exploration, 10_000 * seed + i)
                    for i, s in enumerate(tree.sets)
                }
                always = {name: {most_visited(p): 1.0} for name, p in policy.items()}
                kinds = {"most": always} if column == "best" else {"shares": policy, "most": always}
                for kind, chosen in kinds.items():
                    value = tree.nash_conv(tree.policy(partial(_of_set, chosen)))
                    found.setdefault(f"{column} {kind}", []).append(value)
        out[str(size)] = {name: fmean(values) for name, values in found.items()}


def _of_set(policy: dict[int, dict[int, float]], found: InformationSet) -> dict[int, float]:
    return policy[id(found)]


def _policy(
    column: str, game: Translator, view: State, size: int, exploration: float, seed: int
) -> dict[int, float]:
    """Return the policy that a search of a view finds."""
    if column == "best":
        best = Searcher("drakkar", seed=seed).go(view, Limits(nodes=size)).best_move
        return {best: 1.0}
    if column == "compatible":
        ours = Compatible(view, size, exploration, seed)
        ours.run()
        return ours.shares()
    # The world doesn't matter: the peer draws its own from what the seat knows.
    peer = Peer(game, view.determinize(RandomStream(seed, 2)), size, exploration, seed)
    peer.run()
    return peer.shares()


def strength(
    out: Out, identity: str, exploration: float, sizes: Sequence[int], blocks: int
) -> None:
    """Write NashConv, and games at equal simulations and at equal time, into `out`."""
    if translator(identity).ours.num_seats == 2:
        out["nash_conv"] = {}
        exploitability(out["nash_conv"], identity, exploration, sizes)
    for column in ("compatible", "best"):
        for name, nodes, seconds in (("simulations", 1000, 0.0), ("time", 0, 0.005)):
            found = duel(identity, column, blocks, nodes, seconds, exploration)
            out[f"{column} at equal {name}"] = found


def show(identity: str, out: Out) -> str:
    """Return the figures of a game as lines for people."""
    columns = out["simulations_per_s"]
    lines = [f"{identity:24}" + "".join(f"{column:>14}" for column in columns)]
    rates = "".join(f"{rate:14,.0f}" for rate in columns.values())
    lines.append(f"{'simulations per second':24}{rates}")
    sizes = [out["bytes_per_node"].get(column) for column in columns]
    shown = "".join(f"{size:14.1f}" if size else f"{'-':>14}" for size in sizes)
    lines.append(f"{'bytes per node':24}{shown}")
    for size, row in out.get("nash_conv", {}).items():
        told = "  ".join(f"{name} {value:.3f}" for name, value in row.items())
        lines.append(f"{'NashConv ' + size:24}{told}")
    for name, found in out.items():
        if " at equal " in name:
            mean, error = found["points_per_game"], found["error"]
            lines.append(f"{name:32} {mean:+.3f} ± {error:.3f} points a game over the peer")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Print the table of the named games."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers.table", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="name and settings, in quotes")
    parser.add_argument("--strength", action="store_true", help="let them play matches too")
    asked = parser.parse_args(arguments)
    for identity in asked.games or GAMES:
        out: Out = {}
        speed(out, identity)
        if asked.strength:
            exploration = 5.0 if identity.startswith("leduc") else EXPLORATION
            strength(out, identity, exploration, (100, 1000, 10_000), 500)
        print(show(identity, out), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
