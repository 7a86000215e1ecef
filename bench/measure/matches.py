"""Figures that are matches: the real command with real processes, read from its `--json`."""

import json
import shlex
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.contestant import engine_argv
from bench.records import NO_MOVE, Record
from bench.registry import Bound, LeftOut, Out
from bench.statistics.basics import NORMAL_95, deviation, mean, quantile, standard_error
from bench.statistics.elo import Strength

# Journals of long matches that may be gone on with, in a folder for each state of the sources.
JOURNALS = Path(__file__).resolve().parent.parent.parent / "build" / "matches"
# The longest a match of the figures may take, seconds.
TIMEOUT_SECONDS = 6 * 3600

Result = dict[str, Any]
"""What the file of a figure holds."""


def play(out: Out, arguments: str) -> None:
    """Run `drakkar match` with these arguments and write its JSON object into `out`.

    Adds `points_share`; `score_low`, the low end of the interval of A's score; `errors_from_even`,
    how many standard errors (over pairs) it is away from one half; and `lost_by_verdict`, how many
    games a side lost by time, an illegal move or another fault.
    """
    command = [*engine_argv(), "match", *shlex.split(arguments), "--json"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, timeout=TIMEOUT_SECONDS, check=False
    )
    if not done.stdout.strip():
        raise RuntimeError(f"{shlex.join(command)} ended with code {done.returncode}")
    out.update(json.loads(done.stdout))
    out["arguments"] = arguments
    out["exit_code"] = done.returncode
    out["points_share"] = out["points"] / out["games"] if out["games"] else None
    out["lost_by_verdict"] = sum(out["forfeits"])
    error = out["score_error"]
    out["score_low"] = None if error is None else out["score"] - error
    if error:
        out["errors_from_even"] = abs(out["score"] - 0.5) / (error / NORMAL_95)


def whole(games: int) -> tuple[Bound, ...]:
    """Return the bounds of a match that was played to its end, all games by the rules."""
    return Bound("games", games, games), Bound("lost_by_verdict", 0, 0), Bound("exit_code", 0, 0)


def play_on(out: Out, name: str, arguments: str) -> None:
    """As `play`, of a long match called `name`: one that was broken off is gone on with.

    Its journal lies in a folder for the commit of the sources; where they differ from it there is
    none, and a match broken off is lost.
    """
    from bench.figures import commit

    made = commit()
    more = ""
    if made.isalnum() and made != "unknown":
        file = JOURNALS / made / f"{name}.journal"
        file.parent.mkdir(parents=True, exist_ok=True)
        more = f" --journal {shlex.quote(str(file))}{' --resume' if file.exists() else ''}"
    play(out, f"{arguments} --quiet{more}")
    out["arguments"] = arguments


def pool(
    out: Out, names: Sequence[str], current: Callable[[str], Result | None] | None = None
) -> None:
    """Add up the games of one long match that was played in parts, each a figure of its own.

    `out` gets games, those lost by a verdict, pairs and their scores, A's score with the half-width
    of its 95 % interval and its low end, Elo with its interval, and commits and processors of the
    parts.

    Args:
        out: the figure.
        names: of the parts, which differ in their seeds.
        current: gives the result of a figure by its name, None if there is none from the sources
            as they are; those in `bench/results` if not given.

    Raises:
        LeftOut: a part was not measured from these sources yet.
    """
    if current is None:
        from bench import figures

        current = figures.current
    results = []
    for name in names:
        result = current(name)
        if result is None:
            raise LeftOut(f"{name} was not measured from these sources yet")
        results.append(result)
    counts = [
        sum(column) for column in zip(*(r["values"]["pair_scores"] for r in results), strict=True)
    ]
    found = Strength(counts)
    out.update(games=2 * found.blocks, pairs=found.blocks, pair_scores=counts, score=found.score)
    low, high = found.score_low, found.score_high
    out["score_low"] = low
    out["score_error"] = None if low is None or high is None else (high - low) / 2
    out["elo"], out["elo_interval"] = found.elo, [found.elo_low, found.elo_high]
    out["lost_by_verdict"] = sum(r["values"]["lost_by_verdict"] for r in results)
    out["commits"] = sorted({str(r["commit"]) for r in results})
    out["processors"] = sorted({str(r["machine"]["processor"]) for r in results})


def statistics(out: Out, arguments: str) -> None:
    """Run a match, replay its record, and write what the games were like into `out`.

    Adds `scores` (mean, deviation and quantiles of the points of each seat, winner and loser), and
    how often the games came across each special ruling: `total` and `share_of_games`.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        play(out, f"{arguments} --record {shlex.quote(str(path))}")
        record = Record(path)
        out["arguments"] = arguments
        total: Counter[str] = Counter()
        games: Counter[str] = Counter()
        scores: list[list[float]] = []
        for recorded in record.counted():
            census = record.game.new_census()
            for state, move in record.replay(recorded):
                if move != NO_MOVE:
                    census.before(state, move)
                    continue
                if not state.is_terminal:
                    continue  # lost by a verdict
                counts = census.finish(state)
                total.update(counts)
                games.update(name for name, count in counts.items() if count)
                scores.append(state.scores())
    out["total"] = dict(sorted(total.items()))
    out["share_of_games"] = {name: n / len(scores) for name, n in sorted(games.items())}
    columns: dict[str, list[float]] = {
        f"seat {seat + 1}": [s[seat] for s in scores] for seat in range(record.game.num_seats)
    }
    columns |= {"best": [max(s) for s in scores], "worst": [min(s) for s in scores]}
    out["scores"] = {name: _distribution(values) for name, values in columns.items()}


def _distribution(values: list[float]) -> dict[str, float | None]:
    """Return mean with its 95 % half-width, deviation and quantiles."""
    error = standard_error(values)
    described = {"mean": mean(values), "deviation": deviation(values)}
    described["mean_error"] = None if error is None else NORMAL_95 * error
    for share in (0.0, 0.1, 0.5, 0.9, 1.0):
        described[f"quantile_{share:g}"] = quantile(values, share)
    return described
