"""Charts as SVG files: lines through measured values, written without any library.

A chart stands alone: it has its own background and colours, light or dark as the reader's system
asks for, so that it can be shown as a picture in a document.
"""

import math
from collections.abc import Mapping, Sequence
from html import escape

from bench.report.plots import Chart, shown, spread, ticks

Point = tuple[float, float] | tuple[float, float, float]
"""A value of the horizontal axis, one of the vertical axis, and the half-width of its error bar."""

WIDTH, HEIGHT = 960, 480
# Pixels left, top, right and bottom of the drawing area; names of lines stand right of it.
BOX = (70.0, 64.0, 730.0, 415.0)
_COLOURS = 6
STYLE = """
svg{--card:#fff;--ink:#1a2230;--soft:#5b6575;--line:#e8ebf0;--c0:#14598c;--c1:#c2571a;--c2:#1f7a4d;
--c3:#8a3f8f;--c4:#a07400;--c5:#b02a55;font-family:system-ui,"Segoe UI",Arial,sans-serif}
@media (prefers-color-scheme:dark){svg{--card:#171e28;--ink:#e6eaf0;--soft:#9aa6b6;--line:#2a3442;
--c0:#6db3e8;--c1:#f0975a;--c2:#5cc48e;--c3:#cf8fd4;--c4:#e0b94a;--c5:#f07a9f}}
.back{fill:var(--card)}text{font-size:13px;fill:var(--ink)}.head{font-size:17px;font-weight:650}
.tick,.name{font-size:12px;fill:var(--soft)}.grid{stroke:var(--line)}
.bound{stroke:var(--soft);stroke-dasharray:6 4}.end{fill:var(--mark);font-weight:600}
.curve{fill:none;stroke:var(--mark);stroke-width:2.25;stroke-linejoin:round}
.interval{stroke:var(--mark);stroke-width:2;opacity:.55}.lead{stroke:var(--mark);opacity:.45}
.dot{fill:var(--mark);stroke:var(--card);stroke-width:1.5}
.c0{--mark:var(--c0)}.c1{--mark:var(--c1)}.c2{--mark:var(--c2)}.c3{--mark:var(--c3)}
.c4{--mark:var(--c4)}.c5{--mark:var(--c5)}
"""


class _Axis:
    """The range of one axis, linear or logarithmic, and where its ticks are."""

    def __init__(self, values: Sequence[float], log: bool, from_zero: bool = False) -> None:
        self.log = log
        if log and min(values) <= 0:
            raise ValueError("a logarithmic axis has values above 0 only")
        placed = [self.place(v) for v in values]
        low, high = min(placed), max(placed)
        if from_zero and not log:
            low = min(low, 0.0)
        margin = 0.04 * (high - low) or 0.5
        self.range = (low if from_zero and low == 0 else low - margin, high + margin)

    def place(self, value: float) -> float:
        """Return the value on the scale that is drawn."""
        return math.log10(value) if self.log else value

    def ticks(self) -> list[tuple[float, str]]:
        """Return places and words of the ticks."""
        low, high = self.range
        if not self.log:
            return [(value, shown(value)) for value in ticks(low, high)]
        powers = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
        wanted = [10.0**power for power in powers]
        if len(wanted) < 3:
            steps = range(math.floor(low), math.ceil(high) + 1)
            wanted = [m * 10.0**power for power in steps for m in (1, 2, 5)]
        return [(p, shown(v)) for v in wanted if low <= (p := math.log10(v)) <= high]


def line_chart(
    series: Mapping[str, Sequence[Point]],
    x_label: str,
    y_label: str,
    title: str,
    log_x: bool = False,
    log_y: bool = False,
    bounds: Mapping[str, float] | None = None,
) -> str:
    """Return a chart of several lines as the text of an SVG file.

    Args:
        series: the points of each line, by the name that is written at its end. Points are
            (x, y), or (x, y, error) with an error bar from y - error to y + error.
        x_label, y_label: what the axes show, with units.
        title: written above, and read out by screen readers.
        log_x, log_y: logarithmic axes; all values are above 0 then. Linear vertical axes show 0.
        bounds: dashed horizontal lines, name -> height.

    Raises:
        ValueError: there is no point, or a value that a logarithmic axis can't show.
    """
    points = {name: sorted(row) for name, row in series.items() if row}
    if not points:
        raise ValueError("a chart without points")
    bounds = bounds or {}
    x_axis = _Axis([p[0] for row in points.values() for p in row], log_x)
    heights = [p[1] for row in points.values() for p in row] + list(bounds.values())
    if not log_y:
        heights += [p[1] + s * p[2] for row in points.values() for p in row if len(p) > 2
                    for s in (-1, 1)]  # fmt: skip
    y_axis = _Axis(heights, log_y, from_zero=True)
    chart = Chart(title, WIDTH, HEIGHT, x_axis.range, y_axis.range, BOX)
    chart.rect(0, 0, WIDTH, HEIGHT, "back")
    chart.text(BOX[0], 28, title, "head")
    _draw_axes(chart, x_axis, y_axis, x_label, y_label)
    for name, height in bounds.items():
        y = chart.at_y(y_axis.place(height))
        chart.line(BOX[0], y, BOX[2], y, "bound", name)
        chart.text(BOX[2] - 6, y - 6, name, "name", "end")
    for number, row in enumerate(points.values()):
        _draw_line(chart, x_axis, y_axis, row, f"c{number % _COLOURS}")
    _name_lines(chart, [(name, y_axis.place(row[-1][1])) for name, row in points.items()])
    ends = "; ".join(f"{name}: {row[0][1]:.4g} to {row[-1][1]:.4g}" for name, row in points.items())
    svg = chart.svg(f"{y_label} by {x_label}. {ends}")
    return (
        svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace(
            "</title>", f"</title><style>{escape(STYLE, quote=False)}</style>", 1
        )
        + "\n"
    )


def _draw_axes(chart: Chart, x_axis: _Axis, y_axis: _Axis, x_label: str, y_label: str) -> None:
    left, top, right, bottom = BOX
    for place, words in x_axis.ticks():
        x = chart.at_x(place)
        chart.line(x, top, x, bottom, "grid")
        chart.text(x, bottom + 18, words, "tick", "middle")
    for place, words in y_axis.ticks():
        y = chart.at_y(place)
        chart.line(left, y, right, y, "grid")
        chart.text(left - 8, y + 4, words, "tick", "end")
    chart.text((left + right) / 2, bottom + 42, x_label, "name", "middle")
    chart.text(left, top - 14, y_label, "name")


def _draw_line(
    chart: Chart, x_axis: _Axis, y_axis: _Axis, row: Sequence[Point], colour: str
) -> None:
    chart.path([(x_axis.place(p[0]), y_axis.place(p[1])) for p in row], f"curve {colour}")
    for point in row:
        x, y = chart.at_x(x_axis.place(point[0])), chart.at_y(y_axis.place(point[1]))
        tip = f"{point[0]:g}: {point[1]:.4g}"
        if len(point) > 2:
            tip += f" ± {point[2]:.2g}"
            # On a logarithmic axis a bar that reaches 0 goes down to the foot of the chart.
            low = point[1] - point[2]
            foot = BOX[3] if y_axis.log and low <= 0 else chart.at_y(y_axis.place(low))
            chart.line(x, foot, x, chart.at_y(y_axis.place(point[1] + point[2])),
                       f"interval {colour}")  # fmt: skip
        chart.dot(x, y, 4, f"dot {colour}", tip)


def _name_lines(chart: Chart, ends: Sequence[tuple[str, float]]) -> None:
    """Write the name of each line beside its end, moved apart where they would overlap."""
    at = [chart.at_y(height) for _, height in ends]
    moved = spread(at, 18, BOX[1], BOX[3])
    for number, ((name, _), y, word_y) in enumerate(zip(ends, at, moved, strict=True)):
        colour = f"c{number % _COLOURS}"
        chart.line(BOX[2] + 4, y, BOX[2] + 20, word_y, f"lead {colour}")
        chart.text(BOX[2] + 24, word_y + 4, name, f"end {colour}")


__all__ = ["Point", "line_chart"]
