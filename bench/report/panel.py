"""The lines that a terminal shows of a run, for any width and height."""

from typing import TYPE_CHECKING, Any

import click

from bench.report.words import cut, fill, number, percent, percent_error, plus_minus, span, width
from bench.text import visible

if TYPE_CHECKING:
    from bench.report.live import View

# Standings take at most this share of the lines, and the block at most all but one of them.
FULL, EMPTY = "█", "░"


def panel(view: "View", columns: int, lines: int) -> list[str]:
    """Return the block for a terminal of so many columns and lines; no line is longer."""
    columns -= 1  # the last column makes some terminals break the line
    head = [_title(view, columns), _progress(view, columns)]
    foot = [*_test(view, columns), *_notes(view, columns)]
    room = lines - 1 - len(head) - len(foot)
    shown = [*head, *_standings(view, columns, room), *foot]
    return shown[: max(1, lines - 1)]


def bar(share: float, columns: int) -> str:
    """Return a bar of which a share of 0..1 is full."""
    full = round(max(0.0, min(1.0, share)) * columns)
    return FULL * full + EMPTY * (columns - full)


def _title(view: "View", columns: int) -> str:
    parts = [view.game, view.format_name]
    title = ", ".join(part for part in parts if part)
    if view.end is not None:
        title += f": {visible(str(view.end['reason']))}"
    return click.style(cut(title, columns), bold=True)


def _progress(view: "View", columns: int) -> str:
    done = f"{view.games} of {view.planned_games} games"
    parts = [done]
    if view.rate is not None:
        parts.append(f"{view.rate:.{1 if view.rate < 10 else 0}f} a minute")
    if view.end is not None or view.games >= view.planned_games:
        parts.append(span(view.seconds))
    elif view.rest_s is not None:
        parts.append(f"{span(view.rest_s)} left")
    text = ", ".join(parts)
    while len(parts) > 1 and width(text) > columns:
        text = ", ".join(parts[:1] + parts[2:])
        parts = parts[:1] + parts[2:]
    room = min(30, columns - width(text) - 2)
    if room < 5:
        return cut(text, columns)
    share = view.games / view.planned_games if view.planned_games else 0.0
    return f"{click.style(bar(share, room), fg='green')}  {text}"


Column = tuple[str, list[str]]


def _standings(view: "View", columns: int, room: int) -> list[str]:
    rows = view.standings.get("rows") or []
    if not rows or room < 2:
        return []
    hidden = 0
    if len(rows) > room - 1:
        hidden = len(rows) - max(1, room - 2)
        rows = rows[: len(rows) - hidden]
    chosen: list[Column] = []
    longest = max(width(visible(str(row["label"]))) for row in rows)
    left = columns - max(8, min(24, columns // 3, longest))
    # A narrow terminal drops what comes last.
    for title, cells in _columns(rows):
        wide = max(width(text) for text in (title, *cells))
        if wide + 2 > left:
            break
        left -= wide + 2
        chosen.append((title, cells))
    names = columns - sum(2 + max(width(t) for t in (title, *cells)) for title, cells in chosen)
    names = min(names, max(8, *(width(visible(str(r["label"]))) for r in rows)))
    titles = _row("", [title for title, _ in chosen], names, chosen)
    out = [click.style(titles, dim=True)] if titles else []
    for place, row in enumerate(rows):
        label = cut(visible(str(row["label"])), names)
        out.append(_row(label, [cells[place] for _, cells in chosen], names, chosen))
    if hidden:
        out.append(cut(f"and {hidden} more", columns))
    return out


def _columns(rows: list[dict[str, Any]]) -> list[Column]:
    """Return the columns of the standings, what matters most first."""
    faults = [
        " ".join(f"{word} {n}" for word, n in sorted(row.get("terminations", {}).items()) if n)
        for row in rows
    ]
    games = ("games", [str(row.get("games", "")) for row in rows])
    found = [
        ("rating", [plus_minus(row.get("rating"), row.get("error"), "+.0f") for row in rows]),
        ("score", [percent(row.get("score")) for row in rows]),
        games,
    ]
    if any(faults):
        found.append(("faults", faults))
    found += [
        ("points", [number(row.get("points"), ".1f") for row in rows]),
        *(
            (title, [str(row.get(key, "")) for row in rows])
            for title, key in (("won", "wins"), ("drawn", "draws"), ("lost", "losses"))
        ),
    ]
    return found


def _row(label: str, cells: list[str], names: int, columns: list[Column]) -> str:
    line = fill(label, names)
    for text, (title, all_cells) in zip(cells, columns, strict=True):
        wide = max(width(t) for t in (title, *all_cells))
        line += "  " + fill(text, wide, right=True)
    return line.rstrip()


def _test(view: "View", columns: int) -> list[str]:
    test = view.standings.get("sprt")
    if not test:
        return []
    lower, upper = f"{test['lower']:.2f}", f"{test['upper']:.2f}"
    # The bar leans from its middle towards the bound that the test comes near.
    place = view.llr_place()
    half = max(2, min(15, (columns - len(lower) - len(upper) - 12) // 2))
    full = round(abs(place) * half)
    left = EMPTY * (half - full) + FULL * full if place < 0 else EMPTY * half
    right = FULL * full + EMPTY * (half - full) if place > 0 else EMPTY * half
    colour = "green" if place > 0 else "red"
    decision = f" {test['decision']}" if test.get("decision") else ""
    drawn = f"LLR {test['llr']:+.2f}  {lower} {left}│{right} {upper}{decision}"
    if width(drawn) > columns:
        drawn = cut(f"LLR {test['llr']:+.2f} of {lower} to {upper}{decision}", columns)
    unit = {"normalized": "nElo"}.get(str(test.get("model")), "Elo")
    terms = (
        f"test of {test.get('elo0'):g} against {test.get('elo1'):g} {unit} "
        f"({test.get('model')}), {test.get('blocks')} blocks"
    )
    return [click.style(drawn, fg=colour), cut(terms, columns)]


def _notes(view: "View", columns: int) -> list[str]:
    standings = view.standings
    notes = [visible(str(note)) for note in standings.get("notes") or []]
    adjusted = (standings.get("adjusted") or {}).get("rows") or []
    if len(adjusted) == 2 and adjusted[0].get("adjusted_score") is not None:
        share, error = adjusted[0]["adjusted_score"], adjusted[0].get("adjusted_score_error")
        label = visible(str(adjusted[0]["label"]))
        notes.append(f"less luck: {label} {percent_error(share, error)}")
    lag = standings.get("lag_p99_ms")
    if lag is not None and lag >= 5.0:
        notes.append(f"the referee's own lag: 99 % below {lag:.0f} ms")
    if view.warnings:
        notes.append(f"{view.warnings} warning{'s' if view.warnings > 1 else ''}")
    return [cut(note, columns) for note in notes[:6]]


__all__ = ["bar", "panel"]
