"""The report of ratings as tables for a terminal or a mail."""

from typing import Any

from bench.report.match import test_words
from bench.report.words import grid, number, percent, percent_error, plus_minus, span
from bench.statistics.ratings import AT_LEAST, AT_MOST, BETWEEN, NO_RATING
from bench.text import visible

Report = dict[str, Any]


def rating_words(row: Report) -> str:
    """Return the rating of a contestant with its interval, or the bound that is known."""
    if row["status"] == NO_RATING:
        return NO_RATING
    low, high = number(row["low"], "+.0f"), number(row["high"], "+.0f")
    if row["status"] == AT_LEAST:
        return f"at least {low}"
    if row["status"] == AT_MOST:
        return f"at most {high}"
    if row["status"] == BETWEEN:
        return f"{low} to {high}"
    return f"{number(row['rating'], '+.0f')}  ({low} to {high})"


def fault_words(row: Report) -> str:
    """Return the verdicts against a contestant and what was forgiven it; "" for none."""
    words = [f"{word} {n}" for word, n in row["terminations"].items()]
    words += [f"{name} {row[name]}" for name in ("replaced", "strikes") if row[name]]
    return ", ".join(words)


def ratings_text(report: Report) -> str:
    """Return the whole report as text."""
    parts = [
        _head(report),
        _standings(report),
        _cross(report),
        _seats(report),
        _luck(report),
        _faults(report),
        _times(report),
        _test(report),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _head(report: Report) -> list[str]:
    lines = [
        f"{visible(report['game'])}: {report['games']} games in {report['blocks']} blocks"
        + (f", {report['plies']:.1f} decisions a game" if report["plies"] is not None else "")
    ]
    for journal in report["journals"]:
        loose = journal["unfinished"]
        lines.append(
            f"{journal['name']}: {journal['games']} games"
            + (f", {loose} more that do not count" if loose else "")
            + (f", {journal['reason']}" if journal["reason"] else ", no end")
        )
    if len(report["groups"]) > 1:
        lines.append("groups that never met; ratings of different groups cannot be compared:")
        lines += ["  " + ", ".join(visible(name) for name in names) for names in report["groups"]]
    return lines


def _standings(report: Report) -> list[str]:
    title = ["", f"rating ({report['unit']})", "score", "points", "games", "won", "drawn", "lost"]
    title += ["margin", "faults"]
    rows = [
        [
            f"{place}  {visible(row['label'])}",
            rating_words(row),
            percent_error(row["score"], row["score_error"]),
            f"{row['points']:.1f}",
            str(row["games"]),
            str(row["wins"]),
            str(row["draws"]),
            str(row["losses"]),
            plus_minus(row["margin"], row["margin_error"], "+.2f"),
            str(sum(row["terminations"].values())),
        ]
        for place, row in enumerate(report["contestants"], 1)
    ]
    anchor = report["anchor"]
    fixed = f"{visible(anchor['label'])} is fixed at {anchor['rating']:g}; " if anchor else ""
    return [*grid([title, *rows]), f"{fixed}intervals are 95 %, over blocks"]


def _cross(report: Report) -> list[str]:
    contestants = report["contestants"]
    if len(contestants) < 3:
        return []
    title = ["score against", *(str(place) for place in range(1, len(contestants) + 1))]
    rows = [
        [
            f"{place}  {visible(row['label'])}",
            *("" if cell is None else f"{100 * cell['score']:.1f}" for cell in cells),
        ]
        for place, (row, cells) in enumerate(zip(contestants, report["cross"], strict=True), 1)
    ]
    return grid([title, *rows])


def _seats(report: Report) -> list[str]:
    numbers = range(report["seats"])
    title = ["score by seat", *(f"seat {seat + 1}" for seat in numbers)]
    rows = [
        [visible(row["label"]), *(_share(seat) for seat in row["by_seat"])]
        for row in report["contestants"]
    ]
    rows.append(["all", *(_share(seat) for seat in report["by_seat"])])
    return grid([title, *rows])


def _share(seat: Report) -> str:
    return percent_error(seat["score"], seat["score_error"])


def _luck(report: Report) -> list[str]:
    rows = [row for row in report["contestants"] if row["adjusted"]]
    if not rows:
        return []
    kinds = [
        (name, shape)
        for name, shape in (("score", ""), ("margin", "+.2f"))
        if any(f"raw_{name}" in row["adjusted"] for row in rows)
    ]
    title = ["less luck"]
    for name, _ in kinds:
        title += [name, "adjusted", "kept"]
    lines = []
    for row in rows:
        found = row["adjusted"]
        lines.append([visible(row["label"])])
        for name, shape in kinds:
            for key in (f"raw_{name}", name):
                value, error = found.get(key), found.get(f"{key}_error")
                lines[-1].append(
                    plus_minus(value, error, shape) if shape else percent_error(value, error)
                )
            lines[-1].append(percent(found.get(f"{name}_variance_kept")))
    return [*grid([title, *lines]), "kept: the share of the variance that luck does not explain"]


def _faults(report: Report) -> list[str]:
    rows = [(row, fault_words(row)) for row in report["contestants"]]
    if not any(words for _, words in rows):
        return []
    lines = [[visible(row["label"]), words or "none"] for row, words in rows]
    return ["games lost by a verdict, and what was forgiven", *grid(lines, "  ")]


def _times(report: Report) -> list[str]:
    rows = [row for row in report["contestants"] if row["time_ms"] is not None]
    if not rows:
        return []
    title = ["time a decision, ms", "mean", "99 %", "nodes", "beyond its own count", "99 %"]
    lines = [
        [
            visible(row["label"]),
            number(row["time_ms"], ".1f"),
            number(row["time_p99_ms"], ".1f"),
            number(row["nodes"], ".0f"),
            number(row["latency_ms"], ".2f"),
            number(row["latency_p99_ms"], ".2f"),
        ]
        for row in rows
    ]
    lag = f"the referee's own lag: 99 % below {number(report['lag_p99_ms'], '.2f')} ms"
    return [*grid([title, *lines]), f"{lag}, at most {number(report['lag_max_ms'], '.2f')} ms"]


def _test(report: Report) -> list[str]:
    test = report["test"]
    if test is None:
        return []
    return [f"test of {test_words(test)}"]


def ending_words(reason: str, games: int, counted: int, seconds: float) -> str:
    """Return the last line of a run: how it ended, and what does not count."""
    loose = f", {games - counted} more games of unfinished blocks" if games > counted else ""
    return f"{reason}{loose}, {span(seconds)}"


__all__ = ["ending_words", "fault_words", "rating_words", "ratings_text"]
