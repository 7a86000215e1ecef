"""Strength against time: the same engine with less and with more time for a decision."""

from collections.abc import Callable, Sequence
from math import log2, sqrt
from pathlib import Path
from typing import Any

from bench.charts import line_chart
from bench.measure import matches
from bench.registry import Out

CHART = Path(__file__).resolve().parent.parent / "strength.svg"

GAME = "lofoten"
ENGINE = "drakkar"
GAMES = 300
FIXED_MS = 20
# Matches at each time but the fixed one, chosen before they were played. Twice the time is worth
# one or two points in a hundred, and GAMES games have an error of 2.5: the nearer a time is to its
# neighbours in strength, the more games it takes to tell them apart.
SEEDS = {5: 10, 10: 16, 40: 8, 80: 4}
# Every time and seed is a figure of its own, so that one after the other can be measured and kept.
MATCHES = {
    ms: {f"strength-{ms}-{seed}": seed for seed in range(1, seeds + 1)}
    for ms, seeds in SEEDS.items()
}


def match(out: Out, time_ms: int, seed: int) -> None:
    """Play the engine at a time a decision, milliseconds, against itself at `FIXED_MS`."""
    matches.play_on(
        out,
        f"strength-{time_ms}-{seed}",
        f"{ENGINE} {ENGINE} --game {GAME} --games {GAMES} --a movetime={time_ms} "
        f"--b movetime={FIXED_MS} --concurrency 2 --seed {seed}",
    )


def curve(
    out: Out,
    current: Callable[[str], dict[str, Any] | None] | None = None,
    chart: Path | None = CHART,
) -> None:
    """Gather the figures of `MATCHES` and draw them.

    At equal times the score is one half, since all deals are played in both seatings; that match
    is left out. `out` gets `points`, for each time its score in per cent, the half-width of its
    95 % interval over pairs, and Elo; `least_rise`, the least step from one time to the next, in
    per cent; `rise`, what twice the time is worth by the straight line through all points, with
    `rise_error`, the half-width of its 95 % interval, and `rise_low`, its low end; `games`, those
    of all matches; and `commits`, those of the matches.

    Args:
        out: the figure.
        current: see `matches.pool`.
        chart: the SVG file to be written, or None.

    Raises:
        LeftOut: a match was not measured from these sources yet: no curve mixes searches.
    """
    even = {"ms": FIXED_MS, "score": 50.0, "error": 0.0, "elo": 0.0, "games": 0}
    points: list[dict[str, Any]] = [even]
    commits: set[str] = set()
    for ms, parts in MATCHES.items():
        played: Out = {}
        matches.pool(played, list(parts), current)
        points.append(_point(ms, played))
        commits |= set(played["commits"])
    points.sort(key=lambda point: point["ms"])
    out.update(game=GAME, engine=ENGINE, fixed_ms=FIXED_MS, points=points)
    out["least_rise"] = _least_rise([point["score"] for point in points])
    out["rise"], out["rise_error"] = _rise(points)
    out["rise_low"] = None if out["rise_error"] is None else out["rise"] - out["rise_error"]
    out["games"] = sum(point["games"] for point in points)
    out["commits"] = sorted(commits)
    if chart is not None:
        chart.write_text(_chart(points), encoding="utf-8")


def _point(ms: int, played: Out) -> dict[str, Any]:
    error = played["score_error"]
    return {
        "ms": ms,
        "score": 100 * played["score"],
        "error": None if error is None else 100 * error,
        "elo": played["elo"],
        "elo_interval": played["elo_interval"],
        "games": played["games"],
    }


def _least_rise(scores: Sequence[float]) -> float:
    return min(after - before for before, after in zip(scores, scores[1:], strict=False))


def _rise(points: Sequence[dict[str, Any]]) -> tuple[float | None, float | None]:
    """Return the slope over doublings of the line through even, fitted by weighted least squares.

    None without the error of each point.
    """
    upper = lower = 0.0
    for point in points:
        if point["ms"] == FIXED_MS:
            continue
        if not point["error"]:
            return None, None
        doublings = log2(point["ms"] / FIXED_MS)
        upper += doublings * (point["score"] - 50) / point["error"] ** 2
        lower += (doublings / point["error"]) ** 2
    return upper / lower, 1 / sqrt(lower)


def _chart(points: Sequence[dict[str, Any]]) -> str:
    return line_chart(
        {ENGINE: [(point["ms"], point["score"], point["error"] or 0.0) for point in points]},
        x_label="milliseconds a decision",
        y_label=f"% of the points against {ENGINE} at {FIXED_MS} ms",
        title=f"Strength against time on {GAME}: {ENGINE}, 95 % intervals",
        log_x=True,
        bounds={"even": 50.0},
    )


__all__ = ["MATCHES", "curve", "match"]
