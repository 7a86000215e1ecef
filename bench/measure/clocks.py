"""Figures on short clocks."""

import json
import tempfile
from pathlib import Path

from bench.measure.matches import play
from bench.registry import Out
from bench.statistics.basics import quantile


def clocks(out: Out, clock: str, games: int = 500, game: str = "lofoten") -> None:
    """Play drakkar against itself with a short clock and no margin, two games at a time.

    Beside the object of the match writes `verdicts`, the games that were not ended by the rules,
    and of the decisions for which more than one simulation was made the quantiles of their time in
    milliseconds and of their simulations.
    """
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "games.journal"
        play(
            out,
            f"drakkar drakkar --game {game} --games {games} --tc {clock} --margin 0 "
            f"--concurrency 2 --journal {journal}",
        )
        lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    out["arguments"] = out["arguments"].partition(" --journal")[0]
    played = [line for line in lines if "termination" in line]
    out["verdicts"] = sum(line["termination"] != "rules" for line in played)
    times, nodes = [], []
    for line in played:
        for time_ms, count in zip(line["times"]["time_ms"], line["nodes"], strict=True):
            if (count or 0) > 1:
                times.append(time_ms)
                nodes.append(count)
    out["decisions"] = len(times)
    for name, share in (("median", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0)):
        out[f"time_{name}_ms"] = quantile(times, share)
    out["nodes_median"] = quantile(nodes, 0.5)
