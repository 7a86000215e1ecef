"""The report of ratings as one page that needs nothing else: no network, no script."""

from collections.abc import Sequence
from html import escape
from typing import Any

from bench.report.figures import (
    colour,
    llr_plot,
    luck_plot,
    margin_plot,
    rating_plot,
    score_plot,
)
from bench.report.style import STYLE
from bench.report.text import fault_words, rating_words
from bench.report.words import number, percent

Report = dict[str, Any]


def ratings_html(report: Report) -> str:
    """Return the page of a report; it opens from a file, and is readable without colours."""
    parts = [
        _standings(report),
        _section("Ratings", _HINTS["ratings"], _plot(rating_plot(report), "Ratings")),
        _test(report),
        _cross(report),
        _scores(report),
        _margins(report),
        _seats(report),
        _luck(report),
        _faults(report),
        _times(report),
    ]
    title = f"Ratings: {report['game']}"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f'<title>{escape(title)}</title>\n<link rel="icon" href="data:,">\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#main">Skip to the standings</a>\n'
        f'{_header(report)}\n<main id="main">\n{"".join(p for p in parts if p)}</main>\n'
        f"{_footer(report)}\n</body>\n</html>\n"
    )


_HINTS = {
    "ratings": "The dot is the most likely rating, the bar its 95 % interval over resampled "
    "blocks. An open end has no bound.",
    "test": "The test ends when the curve leaves the band between its bounds. It counts whole "
    "blocks in the order of the schedule.",
    "cross": "Mean score of the row against the column, in per cent, and the number of blocks. "
    "Blue is ahead, orange behind.",
    "scores": "Mean score of each contestant up to that block of its own; a good run wears off, a "
    "better engine does not.",
    "margins": "Points ahead of the best other seat at the end of the games that the rules ended. "
    "The dashed line is the mean.",
    "seats": "How well each contestant does in each seat; all contestants sat in all seats equally "
    "often.",
    "luck": "Luck that was measured at each chance event is taken off. Grey is the result as it "
    "was, coloured the same blocks less luck: the shorter the bar, the surer.",
    "faults": "Games lost by a verdict of the referee, and what was forgiven.",
    "times": "Milliseconds a decision as the referee saw it, and how much more that is than the "
    "engine itself reported.",
}


def _header(report: Report) -> str:
    faults = sum(n for word, n in report["terminations"].items() if word != "rules")
    plies = report["plies"]
    tiles = [
        ("contestants", str(len(report["contestants"]))),
        ("games", f"{report['games']:,}"),
        ("blocks", f"{report['blocks']:,}"),
        ("decisions a game", number(plies, ".1f" if plies and plies < 20 else ".0f")),
        ("lost by a verdict", f"{faults:,}"),
    ]
    inside = "".join(
        f'<div class="tile"><dt>{name}</dt><dd>{value}</dd></div>' for name, value in tiles
    )
    best = report["contestants"][0] if report["contestants"] else None
    lede = ""
    if best is not None and best["rating"] is not None:
        lede = (
            f'<p class="lede">{escape(best["label"])} leads with {escape(rating_words(best))}, '
            f"{escape(report['unit'])}.</p>"
        )
    groups = ""
    if len(report["groups"]) > 1:
        names = "; ".join(", ".join(group) for group in report["groups"])
        groups = (
            '<section class="warn"><h2>Groups that never met</h2><p>Ratings of different groups '
            f"cannot be compared: {escape(names)}.</p></section>"
        )
    return (
        f'<header><div class="over">Drakkar ratings</div><h1>{escape(report["game"])}</h1>{lede}'
        f'<dl class="tiles">{inside}</dl>{groups}</header>'
    )


def _section(title: str, hint: str, body: str) -> str:
    """Return a part of the page with its heading; "" if there is nothing in it."""
    if not body:
        return ""
    return f'<section><h2>{escape(title)}</h2><p class="hint">{escape(hint)}</p>{body}</section>\n'


def _plot(svg: str, name: str) -> str:
    if not svg:
        return ""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{name}">{svg}</div>'


def _table(name: str, head: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    """Return a table; the first cell of a row is its heading, cells are HTML already."""
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>{"".join(_cell(cell) for cell in row[1:])}</tr>'
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(name)}">'
        f'<table class="{kind}"><caption>{escape(name)}</caption>'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(text: str) -> str:
    return text if text.startswith("<td") else f"<td>{text}</td>"


def _name(row: Report, place: int) -> str:
    return f'<span class="swatch {colour(place)}"></span>{escape(row["label"])}'


def _pm(value: str, error: str) -> str:
    """Return a value with the half-width of its interval, both as text."""
    return value if value == "-" else f'{value} <span class="pm">± {error}</span>'


def _percent(share: float | None, error: float | None) -> str:
    return _pm(percent(share), percent(error))


def _standings(report: Report) -> str:
    head = ["Contestant", "Rating", "95 % interval", "Score", "Points", "Games"]
    head += ["Won / drawn / lost", "Margin", "Verdicts"]
    rows = []
    for place, row in enumerate(report["contestants"]):
        faults = sum(row["terminations"].values())
        rated = row["status"] == "rated"
        rows.append(
            [
                f"{place + 1}&ensp;{_name(row, place)}"
                f'<span class="terms">{escape(row["terms"])}</span>',
                f"<b>{row['rating']:+.0f}</b>" if rated else "–",
                _interval(row) if rated else escape(rating_words(row)),
                _percent(row["score"], row["score_error"]),
                f"{row['points']:,.1f}",
                f"{row['games']:,}",
                f"{row['wins']:,} / {row['draws']:,} / {row['losses']:,}",
                _pm(number(row["margin"], "+.2f"), number(row["margin_error"], ".2f")),
                f'<span class="bad">{faults}</span>' if faults else "0",
            ]
        )
    anchor = report["anchor"]
    zero = f"{anchor['label']} is fixed at {anchor['rating']:g}" if anchor else "the mean is 0"
    hint = f"Ratings are {report['unit']}; {zero}. Intervals are 95 %, over whole blocks."
    return _section("Standings", hint, _table("Standings", head, rows))


def _interval(row: Report) -> str:
    return f"{number(row['low'], '+.0f')} to {number(row['high'], '+.0f')}"


def _test(report: Report) -> str:
    test = report["test"]
    if test is None:
        return ""
    state = f"{test['decision']} was accepted" if test["decision"] else "There is no decision yet"
    words = (
        f"<p><b>{state}</b>: LLR {test['llr']:.2f} between {test['lower']:.2f} and "
        f"{test['upper']:.2f} after {test['blocks']} blocks, {test['elo0']:g} against "
        f"{test['elo1']:g} {escape(test['unit'])}.</p>"
    )
    return _section("Sequential test", _HINTS["test"], words + _plot(llr_plot(test), "LLR"))


def _cross(report: Report) -> str:
    contestants = report["contestants"]
    if len(contestants) < 3:
        return ""
    head = ["", *(escape(row["label"]) for row in contestants)]
    rows = []
    for place, (row, cells) in enumerate(zip(contestants, report["cross"], strict=True)):
        shown = [f"{place + 1}&ensp;{_name(row, place)}"]
        for other, cell in enumerate(cells):
            if cell is None:
                shown.append('<td class="self"></td>' if other == place else "<td>–</td>")
                continue
            away = abs(cell["score"] - 0.5)
            hue = "--cold" if cell["score"] >= 0.5 else "--warm"
            tip = f"{row['label']} against {contestants[other]['label']}: {cell['points']:g} of "
            tip += f"{cell['blocks']} blocks"
            shown.append(
                f'<td style="background:rgba(var({hue}),{0.05 + 0.9 * away:.2f})" '
                f'title="{escape(tip)}">{100 * cell["score"]:.1f}'
                f'<span class="n">{cell["blocks"]} blocks</span></td>'
            )
        rows.append(shown)
    return _section("Cross table", _HINTS["cross"], _table("Cross table", head, rows, "cross"))


def _scores(report: Report) -> str:
    if not any(len(row["scores"]) > 1 for row in report["contestants"]):
        return ""
    return _section("Score over time", _HINTS["scores"], _plot(score_plot(report), "Score"))


def _margins(report: Report) -> str:
    rows = [(place, row) for place, row in enumerate(report["contestants"]) if row["margins"]]
    if not rows:
        return ""
    reach = float(max(abs(margin) for _, row in rows for margin, _ in row["margins"]) or 1)
    plots = "".join(f"<div>{margin_plot(row, place, reach)}</div>" for place, row in rows)
    return _section("Margins", _HINTS["margins"], f'<div class="many">{plots}</div>')


def _seats(report: Report) -> str:
    numbers = range(report["seats"])
    head = ["Contestant", *(f"Seat {seat + 1}" for seat in numbers)]
    rows = [
        [_name(row, place), *(_seat(seat, colour(place)) for seat in row["by_seat"])]
        for place, row in enumerate(report["contestants"])
    ]
    rows.append(["All", *(_seat(seat, "raw") for seat in report["by_seat"])])
    return _section("By seat", _HINTS["seats"], _table("Score by seat", head, rows))


def _seat(seat: Report, kind: str) -> str:
    if seat["score"] is None:
        return "-"
    share = f"{100 * seat['score']:.1f}%"
    bar = f'<span class="track"><i class="{kind}" style="width:{share}"></i></span>'
    return _percent(seat["score"], seat["score_error"]) + bar


def _luck(report: Report) -> str:
    if not any(row["adjusted"] for row in report["contestants"]):
        return ""
    plots = [
        _plot(luck_plot(report, "score", "score, per cent", 100.0), "Score less luck"),
        _plot(luck_plot(report, "margin", "margin, points", 1.0), "Margin less luck"),
    ]
    head = ["Contestant", "Score", "Less luck", "Variance left", "Margin", "Less luck"]
    head.append("Variance left")
    rows = []
    for place, row in enumerate(report["contestants"]):
        found = row["adjusted"] or {}
        cells = [_name(row, place)]
        for key in ("raw_score", "score"):
            cells.append(_percent(found.get(key), found.get(f"{key}_error")))
        cells.append(percent(found.get("score_variance_kept")))
        for key in ("raw_margin", "margin"):
            value, error = found.get(key), found.get(f"{key}_error")
            cells.append(_pm(number(value, "+.2f"), number(error, ".2f")))
        cells.append(percent(found.get("margin_variance_kept")))
        rows.append(cells)
    body = "".join(plots) + _table("Results less luck", head, rows)
    return _section("Less luck", _HINTS["luck"], body)


def _faults(report: Report) -> str:
    rows = [
        [_name(row, place), str(row["games"]), f'<td class="left">{escape(fault_words(row))}</td>']
        for place, row in enumerate(report["contestants"])
        if fault_words(row)
    ]
    if not rows:
        return ""
    head = ["Contestant", "Games", "Verdicts"]
    return _section("Verdicts", _HINTS["faults"], _table("Verdicts", head, rows))


def _times(report: Report) -> str:
    rows = [
        [
            _name(row, place),
            number(row["time_ms"], ".1f"),
            number(row["time_p99_ms"], ".1f"),
            number(row["nodes"], ",.0f"),
            number(row["latency_ms"], ".2f"),
            number(row["latency_p99_ms"], ".2f"),
        ]
        for place, row in enumerate(report["contestants"])
        if row["time_ms"] is not None
    ]
    if not rows:
        return ""
    head = ["Contestant", "Mean", "99 %", "Nodes", "Beyond its own count", "99 %"]
    lag = (
        f'<p class="hint">The referee itself was late by less than '
        f"{number(report['lag_p99_ms'], '.2f')} ms for 99 % of the decisions, and by at most "
        f"{number(report['lag_max_ms'], '.2f')} ms.</p>"
    )
    return _section("Time", _HINTS["times"], _table("Time a decision, ms", head, rows) + lag)


def _footer(report: Report) -> str:
    files = "".join(
        f"<li>{escape(journal['name'])}: {journal['games']:,} games in {journal['blocks']:,} blocks"
        + (f", {journal['unfinished']} more that do not count" if journal["unfinished"] else "")
        + f", {escape(journal['reason'] or 'no end')}</li>"
        for journal in report["journals"]
    )
    warnings = "".join(f"<li>{escape(text)}</li>" for text in report["warnings"])
    commands = "".join(
        f"<li>{escape(row['label'])}: <code>{escape(row['command'])}</code>, "
        f"{escape(row['terms'])}</li>"
        for row in report["contestants"]
    )
    return (
        f"<footer><p>Made from</p><ul>{files}{warnings}</ul><p>Contestants</p><ul>{commands}</ul>"
        "<p>A block is one deal, played once in each seating; its games share their luck, so all "
        f"intervals are over blocks. Resampling seed {report['seed']}.</p></footer>"
    )


__all__ = ["ratings_html"]
