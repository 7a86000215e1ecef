"""Plots as inline SVG, made of nothing but text: no script, colours by the style of the page."""

import math
from collections.abc import Sequence
from html import escape

WIDE = 960

Points = Sequence[tuple[float, float]]


def ticks(low: float, high: float, wanted: int = 6) -> list[float]:
    """Return round numbers that divide a range into about so many parts.

    >>> ticks(0, 230)
    [0.0, 50.0, 100.0, 150.0, 200.0]
    """
    if not high > low:
        return [low]
    span = high - low
    raw = span / max(1, wanted)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= raw * 0.8)
    first = math.ceil(low / step - 1e-9)
    return [
        round(step * n, 10) + 0.0
        for n in range(first, first + 50)
        if step * n <= high + 1e-9 * max(span, abs(high))
    ]


def shown(value: float, signed: bool = False) -> str:
    """Write the number of a tick."""
    return f"{value:+g}" if signed and value else f"{value:g}"


class Chart:
    """One plot under way: a drawing area with scales, and the marks put into it.

    `x` and `y` are the ranges of the values, `box` the pixels left, top, right and bottom.
    """

    def __init__(
        self,
        title: str,
        width: float,
        height: float,
        x: tuple[float, float],
        y: tuple[float, float],
        box: tuple[float, float, float, float],
    ) -> None:
        self.title, self.width, self.height = title, width, height
        self._x, self._y, self.box = x, y, box
        self._marks: list[str] = []

    def at_x(self, value: float) -> float:
        """Return the pixel of a value on the horizontal axis; values beyond it are held there."""
        low, high = self._x
        left, _, right, _ = self.box
        share = (value - low) / (high - low) if high > low else 0.5
        return left + max(0.0, min(1.0, share)) * (right - left)

    def at_y(self, value: float) -> float:
        """Return the pixel of a value on the vertical axis; values beyond it are held there."""
        low, high = self._y
        _, top, _, bottom = self.box
        share = (value - low) / (high - low) if high > low else 0.5
        return bottom - max(0.0, min(1.0, share)) * (bottom - top)

    def add(self, mark: str) -> None:
        """Add an SVG element."""
        self._marks.append(mark)

    def text(self, x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> None:
        """Write words at a point."""
        self.add(
            f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">'
            f"{escape(words)}</text>"
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str, tip: str = "") -> None:
        """Draw a line between two points."""
        inside = f"<title>{escape(tip)}</title>" if tip else ""
        self.add(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}">'
            f"{inside}</line>"
        )

    def rect(self, x: float, y: float, w: float, h: float, kind: str, tip: str = "") -> None:
        """Draw a filled box."""
        inside = f"<title>{escape(tip)}</title>" if tip else ""
        self.add(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(0.0, w):.1f}" height="{max(0.0, h):.1f}" '
            f'class="{kind}">{inside}</rect>'
        )

    def dot(self, x: float, y: float, radius: float, kind: str, tip: str = "") -> None:
        """Draw a dot."""
        inside = f"<title>{escape(tip)}</title>" if tip else ""
        self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" class="{kind}">{inside}</circle>')

    def path(self, points: Points, kind: str) -> None:
        """Draw a line through values."""
        words = " ".join(f"{self.at_x(x):.1f},{self.at_y(y):.1f}" for x, y in points)
        self.add(f'<polyline points="{words}" class="{kind}"/>')

    def x_axis(self, name: str, signed: bool = False, wanted: int = 8) -> None:
        """Draw grid lines, ticks and the name of the horizontal axis."""
        left, top, right, bottom = self.box
        for value in ticks(*self._x, wanted):
            x = self.at_x(value)
            self.line(x, top, x, bottom, "zero" if value == 0 and signed else "grid")
            self.text(x, bottom + 18, shown(value, signed), "tick", "middle")
        if name:
            self.text((left + right) / 2, bottom + 38, name, "name", "middle")

    def y_axis(self, name: str, signed: bool = False, unit: str = "", wanted: int = 5) -> None:
        """Draw grid lines, ticks and the name of the vertical axis."""
        left, top, right, _ = self.box
        for value in ticks(*self._y, wanted):
            y = self.at_y(value)
            self.line(left, y, right, y, "zero" if value == 0 and signed else "grid")
            self.text(left - 8, y + 4, shown(value, signed) + unit, "tick", "end")
        if name:
            self.text(left - 40, top - 10, name, "name")

    def svg(self, about: str) -> str:
        """Return the element; `about` says in words what it shows."""
        return (
            f'<svg viewBox="0 0 {self.width:.0f} {self.height:.0f}" role="img" '
            f'aria-label="{escape(self.title)}. {escape(about)}">'
            f"<title>{escape(self.title)}</title>{''.join(self._marks)}</svg>"
        )


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places moved apart to a distance of at least `gap`, in the same order.

    >>> spread([10, 11, 40], 12, 0, 100)
    [4.5, 16.5, 40]
    """
    order = sorted(range(len(places)), key=places.__getitem__)
    groups: list[list[int]] = [[i] for i in order]
    centres = [places[i] for i in order]
    index = 0
    while index < len(groups) - 1:
        reach = gap * (len(groups[index]) + len(groups[index + 1])) / 2
        if centres[index + 1] - centres[index] >= reach:
            index += 1
            continue
        members = groups[index] + groups[index + 1]
        half = gap * (len(members) - 1) / 2
        centre = sum(places[i] for i in members) / len(members)
        groups[index : index + 2] = [members]
        centres[index : index + 2] = [min(max(centre, low + half), max(high - half, low + half))]
        index = max(0, index - 1)
    moved = list(places)
    for members, centre in zip(groups, centres, strict=True):
        if len(members) > 1:
            for place, i in enumerate(members):
                moved[i] = centre + gap * (place - (len(members) - 1) / 2)
    return moved


__all__ = ["WIDE", "Chart", "Points", "shown", "spread", "ticks"]
