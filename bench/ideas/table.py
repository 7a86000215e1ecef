"""The table of all ideas with their results, gains first."""

import json
from pathlib import Path
from typing import Any

from bench.ideas.catalogue import IDEAS, Idea

RESULTS = Path(__file__).resolve().parent.parent / "results"
DECISIONS = {"H1": "gain", "H0": "no gain of 25", None: "undecided"}
HEAD = (
    "| idea | A against B | games | A's points | Elo (95 %) | LLR | test | source |",
    "|---|---|---|---|---|---|---|---|",
)


def stored(idea: Idea) -> dict[str, Any] | None:
    """Return what a figure has found out about an idea, None if there is no result."""
    try:
        text = (RESULTS / f"idea-{idea.name}.json").read_text(encoding="utf-8")
        gain: dict[str, Any] = json.loads(text)["values"]["gain"]
    except (OSError, ValueError, KeyError):
        return None
    return gain


def row(idea: Idea, gain: dict[str, Any]) -> str:
    """Return the line of an idea."""
    share = 100 * gain["points"] / gain["games"] if gain["games"] else 50.0
    low, high = (_elo(end) for end in gain["elo_interval"])
    cells = [
        f"{idea.name}: {idea.what}",
        f"`{idea.a or '-'}` : `{idea.b or '-'}`",
        f"{gain['games']:,}",
        f"{share:.1f} %",
        f"{_elo(gain['elo'])} ({low} to {high})",
        f"{gain['llr']:+.2f}",
        DECISIONS.get(gain["decision"], str(gain["decision"])),
        idea.source or "-",
    ]
    return "| " + " | ".join(cells) + " |"


def _elo(value: float | None) -> str:
    return "?" if value is None else f"{value:+.0f}"


def lines(results: dict[str, dict[str, Any]] | None = None) -> list[str]:
    """Return the table of some results by name of the idea; by default of all that are stored."""
    if results is None:
        found = ((idea.name, stored(idea)) for idea in IDEAS.values())
        results = {name: gain for name, gain in found if gain is not None}

    def strength(name: str) -> float:
        gain = results[name]
        return -float(gain["points"]) / max(int(gain["games"]), 1)

    return [*HEAD, *(row(IDEAS[name], results[name]) for name in sorted(results, key=strength))]
