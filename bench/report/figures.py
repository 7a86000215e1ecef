"""The plots of the report page, each from the data of the report."""

from typing import Any

from bench.report.plots import WIDE, Chart, spread
from bench.report.text import rating_words
from bench.report.words import cut, percent_error, plus_minus, width

Report = dict[str, Any]
COLOURS = 8


def colour(place: int) -> str:
    """Return the style class of a contestant by its place."""
    return f"c{place % COLOURS}"


def rating_plot(report: Report) -> str:
    """Return ratings with their intervals, best on top."""
    rows = report["contestants"]
    ends = [v for row in rows for v in (row["low"], row["rating"], row["high"]) if v is not None]
    low, high = (min(ends), max(ends)) if ends else (-100.0, 100.0)
    pad = 0.06 * (high - low) + 10.0
    left = min(260.0, 24.0 + 7.6 * max(width(cut(row["label"], 30)) for row in rows))
    bottom = 16.0 + 34.0 * len(rows)
    chart = Chart(
        "Ratings with 95 % intervals",
        WIDE,
        bottom + 48,
        (low - pad, high + pad),
        (0, 1),
        (left, 10, WIDE - 150, bottom),
    )
    chart.x_axis(f"rating, {report['unit']}", signed=True)
    for place, row in enumerate(rows):
        y, kind = 30.0 + 34.0 * place, colour(place)
        tip = f"{row['label']}: {rating_words(row)}"
        chart.text(left - 12, y + 5, cut(row["label"], 30), "label", "end")
        chart.text(WIDE - 138, y + 5, _short(row), "value")
        if row["rating"] is None:
            continue
        ends_x = [
            chart.at_x(low - pad if row["low"] is None else row["low"]),
            chart.at_x(high + pad if row["high"] is None else row["high"]),
        ]
        chart.line(ends_x[0], y, ends_x[1], y, f"interval {kind}", tip)
        for end, x in zip((row["low"], row["high"]), ends_x, strict=True):
            if end is not None:
                chart.line(x, y - 6, x, y + 6, f"cap {kind}")
        if row["status"] == "rated":
            chart.dot(chart.at_x(row["rating"]), y, 6, f"dot {kind}", tip)
    return chart.svg("; ".join(f"{row['label']} {rating_words(row)}" for row in rows))


def _short(row: Report) -> str:
    if row["status"] != "rated":
        return rating_words(row)
    return plus_minus(row["rating"], row["error"], "+.0f")


def llr_plot(test: Report) -> str:
    """Return the log-likelihood ratio of the sequential test over its blocks."""
    points = [(0.0, 0.0), *((float(x), float(y)) for x, y in test["series"])]
    lower, upper = test["lower"], test["upper"]
    values = [y for _, y in points]
    y = (min(lower, *values) - 0.6, max(upper, *values) + 0.6)
    chart = Chart(
        "Log-likelihood ratio over time",
        WIDE,
        340,
        (0.0, max(1.0, points[-1][0])),
        y,
        (56, 30, WIDE - 24, 292),
    )
    left, top, right, bottom = chart.box
    chart.rect(left, top, right - left, chart.at_y(upper) - top, "accept")
    chart.rect(left, chart.at_y(lower), right - left, bottom - chart.at_y(lower), "reject")
    chart.x_axis("blocks")
    chart.y_axis("LLR", signed=True)
    for bound, name, elo, shift in (
        (upper, "H1", test["elo1"], -7),
        (lower, "H0", test["elo0"], 16),
    ):
        height = chart.at_y(bound)
        chart.line(left, height, right, height, "bound")
        words = f"{name}: {elo:g} {test['unit']}, at {bound:.2f}"
        chart.text(left + 8, height + shift, words, "note")
    chart.path(points, "curve c0")
    chart.dot(chart.at_x(points[-1][0]), chart.at_y(points[-1][1]), 5, "dot c0")
    return chart.svg(f"It ends at {test['llr']:.2f} after {test['blocks']} blocks")


def score_plot(report: Report) -> str:
    """Return the mean score of each contestant over its blocks."""
    rows = [row for row in report["contestants"] if row["scores"]]
    most = max(row["scores"][-1][0] for row in rows)
    # The first few blocks say little and would squeeze the rest.
    calm = [100 * y for row in rows for x, y in row["scores"] if x >= 0.05 * most]
    low, high = min(calm, default=0.0), max(calm, default=100.0)
    y = (max(0.0, low - 5.0), min(100.0, high + 5.0))
    chart = Chart("Score over time", WIDE, 360, (1.0, max(2.0, most)), y, (56, 30, WIDE - 190, 312))
    chart.x_axis("blocks of the contestant")
    chart.y_axis("mean score", unit=" %")
    chart.line(chart.box[0], chart.at_y(50), chart.box[2], chart.at_y(50), "even")
    ends = [chart.at_y(100 * row["scores"][-1][1]) for row in rows]
    labels = spread(ends, 18, chart.box[1], chart.box[3])
    for place, (row, end, label) in enumerate(zip(rows, ends, labels, strict=True)):
        points = [(float(x), 100 * y) for x, y in row["scores"] if x >= 0.02 * most]
        chart.path(points, f"curve {colour(place)}")
        x = chart.at_x(points[-1][0])
        chart.dot(x, end, 4, f"dot {colour(place)}")
        chart.line(x + 5, end, chart.box[2] + 12, label, f"lead {colour(place)}")
        chart.text(chart.box[2] + 16, label + 4, cut(row["label"], 21), f"fill {colour(place)}")
    return chart.svg(
        "; ".join(
            f"{row['label']} {percent_error(row['score'], row['score_error'])}" for row in rows
        )
    )


def margin_plot(row: Report, place: int, reach: float) -> str:
    """Return how often a contestant ended with which margin, in games that the rules ended."""
    bars = row["margins"]
    games = sum(count for _, count in bars)
    size = max(1, round(2 * reach / 60))  # so many points a bar, or bars become hairs
    counts: dict[int, int] = {}
    for margin, count in bars:
        counts[round(margin / size)] = counts.get(round(margin / size), 0) + count
    most = max(counts.values(), default=1)
    chart = Chart(
        f"Margins of {row['label']}",
        300,
        170,
        (-reach - size, reach + size),
        (0, most),
        (10, 30, 290, 138),
    )
    chart.text(10, 18, cut(row["label"], 22), f"title {colour(place)}")
    chart.text(290, 18, plus_minus(row["margin"], row["margin_error"], "+.1f"), "value", "end")
    chart.x_axis("", signed=True, wanted=6)
    left, right = chart.at_x(0), chart.at_x(size)
    for bar, count in sorted(counts.items()):
        x, y = chart.at_x(bar * size), chart.at_y(count)
        kind = "ahead" if bar > 0 else "behind" if bar < 0 else "level"
        tip = f"{bar * size:+d}: {count} of {games} games"
        wide = right - left
        chart.rect(x - wide / 2 + 0.5, y, wide - 1, chart.box[3] - y, f"bar {kind}", tip)
    if row["margin"] is not None:
        mean = chart.at_x(row["margin"])
        chart.line(mean, chart.box[1] - 4, mean, chart.box[3], "mean", "mean")
    return chart.svg(f"mean {plus_minus(row['margin'], row['margin_error'], '+.2f')}")


def luck_plot(report: Report, name: str, title: str, factor: float) -> str:
    """Return raw and luck-adjusted values with their intervals, one above the other."""
    rows = [row for row in report["contestants"] if (row["adjusted"] or {}).get(f"raw_{name}")]
    values = []
    for row in rows:
        for key in (f"raw_{name}", name):
            error = row["adjusted"][f"{key}_error"] or 0.0
            values += [row["adjusted"][key] - error, row["adjusted"][key] + error]
    if not values:
        return ""
    low, high = factor * min(values), factor * max(values)
    pad = 0.05 * (high - low) + 0.1
    bottom = 20.0 + 44.0 * len(rows)
    chart = Chart(
        title,
        WIDE,
        bottom + 48,
        (low - pad, high + pad),
        (0, 1),
        (220, 10, WIDE - 170, bottom),
    )
    chart.x_axis(title, signed=name == "margin")
    for place, row in enumerate(rows):
        y = 36.0 + 44.0 * place
        chart.text(208, y + 4, cut(row["label"], 26), "label", "end")
        for key, shift, kind in ((f"raw_{name}", -7, "raw"), (name, 7, colour(place))):
            value, error = row["adjusted"][key], row["adjusted"][f"{key}_error"] or 0.0
            x1, x2 = chart.at_x(factor * (value - error)), chart.at_x(factor * (value + error))
            chart.line(x1, y + shift, x2, y + shift, f"interval {kind}")
            chart.dot(chart.at_x(factor * value), y + shift, 5, f"dot {kind}")
        kept = row["adjusted"][f"{name}_variance_kept"]
        if kept is not None:
            chart.text(WIDE - 158, y + 4, f"{100 * kept:.0f} % of variance left", "note")
    return chart.svg("raw above, less luck below")


__all__ = ["colour", "llr_plot", "luck_plot", "margin_plot", "rating_plot", "score_plot"]
