"""Strength against time: the same engine with less and with more time for a decision."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.charts import line_chart
from bench.measure import matches
from bench.registry import Out

ROOT = Path(__file__).resolve().parent.parent.parent
CHART = ROOT / "bench" / "strength.svg"
# Journals of matches that may be gone on with, in a folder for each state of the sources.
JOURNALS = ROOT / "build" / "strength-time"

TIMES_MS = (5, 10, 20, 40, 80)
FIXED_MS = 20


def strength_time(
    out: Out,
    game: str = "lofoten",
    games: int = 400,
    times_ms: Sequence[int] = TIMES_MS,
    fixed_ms: int = FIXED_MS,
    engine: str = "drakkar",
    concurrency: int = 2,
    journals: Path | None = None,
    chart: Path | None = CHART,
) -> None:
    """Play the engine at several times a decision against itself at one, and draw the curve.

    At equal times the score is one half, since all deals are played in both seatings; that match
    is left out. `out` gets `points`, for each time its score in per cent, the half-width of its
    95 % interval over pairs, and Elo; `least_rise`, the least step from one time to the next, in
    per cent; and `games`, those of all matches.

    Args:
        out: the figure.
        game: name and settings.
        games: of each match, an even number.
        times_ms: milliseconds a decision, ascending.
        fixed_ms: of the other side.
        engine: a preset.
        concurrency: games at the same time, at most the number of idle cores.
        journals: folder for the games, which are gone on with; a folder for the commit if None,
            without journals where the sources differ from it.
        chart: the SVG file to be written, or None.
    """
    folder = journals or _folder()
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    points: list[dict[str, Any]] = []
    total = 0
    for ms in times_ms:
        if ms == fixed_ms:
            points.append({"ms": ms, "score": 50.0, "error": 0.0, "elo": 0.0, "games": 0})
            continue
        words = [engine, engine, "--game", game, "--games", str(games), "--quiet"]
        words += ["--a", f"movetime={ms}", "--b", f"movetime={fixed_ms}"]
        words += ["--concurrency", str(concurrency)]
        if folder is not None:
            file = folder / f"{engine}-{ms}-{fixed_ms}-{games}.journal"
            words += ["--journal", str(file), *(["--resume"] if file.exists() else [])]
        played: Out = {}
        matches.play(played, shlex.join(words))
        points.append(_point(ms, played))
        total += played["games"]
    scores = [point["score"] for point in points]
    steps = [after - before for before, after in zip(scores, scores[1:], strict=False)]
    out.update(game=game, engine=engine, fixed_ms=fixed_ms, points=points, games=total)
    out["least_rise"] = min(steps, default=0.0)
    if chart is not None:
        chart.write_text(_chart(out), encoding="utf-8")


def _folder() -> Path | None:
    """Return the folder for journals of these sources; None if they are in no commit."""
    from bench.figures import commit

    made = commit()
    return JOURNALS / made if made.isalnum() and made != "unknown" else None


def _point(ms: int, played: Out) -> dict[str, Any]:
    error = played["score_error"]
    return {
        "ms": ms,
        "score": 100 * played["score"],
        "error": None if error is None else 100 * error,
        "elo": played["elo"],
        "elo_interval": played["elo_interval"],
        "games": played["games"],
        "forfeits": played["forfeits"],
        "exit_code": played["exit_code"],
    }


def _chart(out: Out) -> str:
    curve = [(point["ms"], point["score"], point["error"] or 0.0) for point in out["points"]]
    name = out["engine"]
    return line_chart(
        {name: curve},
        x_label="milliseconds a decision",
        y_label=f"% of the points against {name} at {out['fixed_ms']} ms",
        title=f"Strength against time on {out['game']}: {name}, 95 % intervals",
        log_x=True,
        bounds={"even": 50.0},
    )


__all__ = ["strength_time"]
