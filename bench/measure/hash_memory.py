"""The memory of the engine process at several sizes of its option Hash, filled to the brim."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.contestant import engine_argv
from bench.positions import read
from bench.registry import Out
from engine import load
from protocol.client import Engine

SIZES = (1, 16, 64, 256, 1024)
# A graph counts as full from here on, per mille: for the moves of one more node there may be no
# room before the last edge is in use.
_FULL = 990
# Seconds of search behind the moment at which it is full, and between two looks.
_AFTER_S, _LOOK_S = 0.3, 0.1


def hash_memory(
    out: Out, sizes: Sequence[int] = SIZES, most_s: float = 600.0, game: str = "lofoten"
) -> None:
    """Search with each size of Hash until the memory is full, and on; write what came into `out`.

    `sizes` has a row for each size: `hash_mb`, `peak_mb` (resident memory at its highest, VmHWM),
    `over_mb` (what that is above Hash), `full_s` (seconds until the memory was full, null if it was
    not after `most_s`), `nodes_after` (simulations made since), `stop_ms` (from `stop` to
    `bestmove`) and `next_ms` (a search of one simulation after that). `worst_over_mb`,
    `worst_stop_ms`, `worst_next_ms` and `least_nodes_after` sum them up; `filled` counts the sizes
    that became full.
    """
    rows = [asyncio.run(_fill(size, most_s, game)) for size in sizes]
    out["sizes"] = rows
    out["filled"] = sum(row["full_s"] is not None for row in rows)
    out["worst_over_mb"] = max(row["over_mb"] for row in rows)
    out["worst_stop_ms"] = max(row["stop_ms"] for row in rows)
    out["worst_next_ms"] = max(row["next_ms"] for row in rows)
    out["least_nodes_after"] = min(row["nodes_after"] for row in rows)


async def _fill(hash_mb: int, most_s: float, name: str) -> dict[str, Any]:
    """Return the row of one size of Hash."""
    game = load(name)
    position = f"position view {read(game)[0].to_text()}"
    async with Engine.open(engine_argv()) as engine:
        await engine.configure({"Hash": hash_mb})
        start, full_s, nodes, nodes_full = time.perf_counter(), None, 0, 0
        async with engine.analysis(position) as analysis:
            end = start + most_s
            while time.perf_counter() < end:
                await asyncio.sleep(_LOOK_S)
                best = analysis.best
                if not best:
                    continue
                nodes = best[0].nodes or 0
                if full_s is None and (best[0].hashfull or 0) >= _FULL:
                    full_s, nodes_full = time.perf_counter() - start, nodes
                    end = time.perf_counter() + _AFTER_S
            begin = time.perf_counter()
            analysis.stop()
            reply = await analysis.wait()
            stop_s = time.perf_counter() - begin
        begin = time.perf_counter()
        again = await engine.play(position, "nodes 1")
        next_s = time.perf_counter() - begin
        if not (reply.has_move and again.has_move):
            raise RuntimeError("no move from a full memory")
        nodes = max(nodes, reply.infos[0].nodes or 0)
        peak_mb = _peak_mb(engine.pid)
    return {
        "hash_mb": hash_mb,
        "peak_mb": peak_mb,
        "over_mb": peak_mb - hash_mb,
        "full_s": full_s,
        "nodes": nodes,
        "nodes_after": nodes - nodes_full if full_s is not None else 0,
        "stop_ms": 1000 * stop_s,
        "next_ms": 1000 * next_s,
    }


def _peak_mb(pid: int) -> float:
    """Return the most memory of a process that was ever resident, MiB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


__all__ = ["SIZES", "hash_memory"]
