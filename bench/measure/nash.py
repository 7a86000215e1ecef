"""How exploitable the search `regret` is after so much time: figures, and the chart of them.

python -m bench.measure.nash      draws bench/exploitability.svg from the recorded figures
"""

import argparse
import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.charts import Point, line_chart
from bench.games import parse_game
from bench.measure.exploitability import GameTree, InformationSet, Shares
from bench.registry import Out
from search.control import StopFlag
from search.regret import RegretWorker

HASH_BYTES = 64 * 1024 * 1024
RESULTS = Path(__file__).resolve().parent.parent / "results"
CHART = RESULTS.parent / "exploitability.svg"

# The ISMCTSBot of open_spiel 2.0.2 with visit shares as its policy: NashConv by simulations for
# each information set. Quoted from a run of its own on an idle core (exploration 1.4 for kuhn, 5
# for leduc), not measured in these figures; how fast it is comes from `peers-speed`.
PEER: dict[str, dict[int, float]] = {
    "kuhn": {100: 0.261, 1000: 0.321, 10_000: 0.332, 100_000: 0.333},
    "leduc": {100: 2.361, 1000: 1.423, 10_000: 0.988, 100_000: 0.868},
}


def search(view: Any, nodes: int | None, time_ms: float | None, seed: int) -> RegretWorker:
    """Search a position of its own and return the worker, which has the policy."""
    start = time.monotonic_ns()
    worker = RegretWorker(view, StopFlag(), seed, 0, None, None, hash_bytes=HASH_BYTES)
    deadline = None if time_ms is None else start + int(time_ms * 1e6)
    worker.set_limits(nodes, deadline, None)
    worker.run(None)
    return worker


def measured(
    tree: GameTree, nodes: int | None = None, time_ms: float | None = None, seed: int = 1
) -> dict[str, float]:
    """Search each information set once, afresh; return NashConv of all policies together.

    Each has a seed of its own, as the decisions of an engine have. With it the median of
    simulations, and the median and the greatest time that one search took, milliseconds.
    """
    simulations: list[int] = []
    took: list[float] = []

    def shares(found: InformationSet) -> Shares:
        begin = time.perf_counter()
        worker = search(found.view, nodes, time_ms, seed * len(tree.sets) + len(took))
        policy = dict(worker.policy())
        took.append(1000 * (time.perf_counter() - begin))
        simulations.append(worker.simulations)
        return policy

    value = tree.nash_conv(tree.policy(shares))
    return {
        "nash_conv": value,
        "simulations": statistics.median(simulations),
        "ms": statistics.median(took),
        "slowest_ms": max(took),
    }


def exploitability(
    out: Out,
    identity: str,
    times_ms: Sequence[float] = (2.5, 25, 250),
    nodes: Sequence[int] = (100, 1000, 10_000, 100_000, 1_000_000),
    runs: int = 1,
) -> None:
    """Measure a game at several times and numbers of simulations for each information set.

    How much a search gets done in a time differs, so times are measured in so many runs, each with
    seeds of its own: `nash_conv` of a row is their mean, `worst` the greatest. The values with
    bounds, `nash_conv_25_ms` and the like, are the greatest; `rises` and `rises_by_nodes` count how
    often more search came out more exploitable, on average.
    """
    tree = GameTree(parse_game(identity))
    out.update(game=tree.game.identity, information_sets=len(tree.sets), situations=tree.size)
    out["uniform"] = tree.nash_conv(tree.uniform())
    out["runs"] = runs
    out["by_time"] = {f"{ms:g}": _several(tree, ms, runs) for ms in times_ms}
    out["by_nodes"] = {str(n): measured(tree, nodes=n) for n in nodes}
    for ms in times_ms:
        out[f"nash_conv_{ms:g}_ms"] = out["by_time"][f"{ms:g}"]["worst"]
    out["rises"] = _rises([row["nash_conv"] for row in out["by_time"].values()])
    out["rises_by_nodes"] = _rises([row["nash_conv"] for row in out["by_nodes"].values()])
    name = tree.game.name
    out["peer"] = "open_spiel 2.0.2, ISMCTSBot, visit shares; quoted, not of this run"
    out["peer_by_nodes"] = {str(n): value for n, value in PEER.get(name, {}).items()}


def _several(tree: GameTree, time_ms: float, runs: int) -> dict[str, float]:
    found = [measured(tree, time_ms=time_ms, seed=seed) for seed in range(1, runs + 1)]
    values = [run["nash_conv"] for run in found]
    return {
        "nash_conv": statistics.fmean(values),
        "worst": max(values),
        "simulations": statistics.median(run["simulations"] for run in found),
        "ms": statistics.median(run["ms"] for run in found),
        "slowest_ms": max(run["slowest_ms"] for run in found),
    }


def _rises(values: Sequence[float]) -> int:
    return sum(after >= before for before, after in zip(values, values[1:], strict=False))


def chart(figures: Sequence[Out], peer_speed: dict[str, float]) -> str:
    """Draw what `exploitability` has measured, beside the peer, as the text of an SVG file.

    `peer_speed` has the simulations of the peer in a second, by game.
    """
    lines: dict[str, list[Point]] = {}
    for figure in figures:
        name = figure["game"].partition("/")[0]
        lines[f"{name}, regret"] = [
            (float(ms), row["nash_conv"]) for ms, row in figure["by_time"].items()
        ]
        lines[f"{name}, OpenSpiel ISMCTS"] = [
            (1000 * int(n) / peer_speed[name], value)
            for n, value in figure["peer_by_nodes"].items()
        ]
    return line_chart(
        lines,
        "milliseconds of one core for each information set",
        "NashConv in points; 0: nobody can win anything by knowing the strategy",
        "How exploitable the search is after so much time",
        log_x=True,
        log_y=True,
    )


def main(arguments: list[str] | None = None) -> None:
    """Draw the chart of the recorded figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.measure.nash", description=main.__doc__)
    parser.parse_args(arguments)
    games = ("leduc", "kuhn")
    speeds = _values("peers-speed")
    peer_speed = {name: speeds[name]["simulations_per_s"]["peer"] for name in games}
    figures = [_values(f"exploitability-{name}") for name in games]
    CHART.write_text(chart(figures, peer_speed), encoding="utf-8")


def _values(name: str) -> Out:
    result: dict[str, Out] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return result["values"]


if __name__ == "__main__":
    main()
