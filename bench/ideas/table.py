"""The table of all ideas with results, gains first; also of those that the engine lost for it."""

import json
import sys
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent.parent / "results"
DECISIONS = {"H1": "gain", "H0": "no gain of 25", None: "undecided"}
HEAD = (
    "| idea | A against B | games | A's points | Elo (95 %) | LLR | test | source |",
    "|---|---|---|---|---|---|---|---|",
)


def stored(folder: Path = RESULTS) -> list[dict[str, Any]]:
    """Return what figures have found out about ideas: each with `idea` and `gain`, see trial.

    A file that holds no such thing is named on standard error, and left out.
    """
    found = []
    for path in sorted(folder.glob("idea-*.json")):
        try:
            values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["values"]
            row(values)
        except (OSError, ValueError, KeyError, TypeError) as fault:
            text = f"{path}: no result of an idea ({type(fault).__name__}: {fault}); try it anew"
            print(text, file=sys.stderr)
        else:
            found.append(values)
    return found


def row(result: dict[str, Any]) -> str:
    """Return the line of one result."""
    idea, gain = result["idea"], result["gain"]
    low, high = (_elo(end) for end in gain["elo_interval"])
    cells = [
        f"{idea['name']}: {idea['what']}",
        f"`{idea['a'] or '-'}` : `{idea['b'] or '-'}`",
        f"{gain['games']:,}",
        f"{_percent(result):.1f} %",
        f"{_elo(gain['elo'])} ({low} to {high})",
        f"{gain['llr']:+.2f}",
        DECISIONS.get(gain["decision"], str(gain["decision"])),
        idea["source"] or "-",
    ]
    return "| " + " | ".join(cells) + " |"


def _elo(value: float | None) -> str:
    return "?" if value is None else f"{value:+.0f}"


def _percent(result: dict[str, Any]) -> float:
    gain = result["gain"]
    return float(100 * gain["points"] / gain["games"]) if gain["games"] else 50.0


def lines(results: list[dict[str, Any]]) -> list[str]:
    """Return the table of some results."""
    return [*HEAD, *(row(result) for result in sorted(results, key=_percent, reverse=True))]
