"""The table of measured figures: what each shows, how it is measured, and its bounds."""

from collections.abc import Callable
from typing import Any

Out = dict[str, Any]
"""What a figure is written into: numbers and texts by name."""


class LeftOut(Exception):
    """A figure cannot be measured here and now; the text says what is missing."""


class Bound:
    """The least and the greatest value that a number of a figure may have; None: no bound."""

    __slots__ = ("high", "key", "low")

    def __init__(self, key: str, low: float | None = None, high: float | None = None) -> None:
        self.key, self.low, self.high = key, low, high

    def holds(self, out: Out) -> bool:
        """True if the value is there and within the bound."""
        value = out.get(self.key)
        if not isinstance(value, int | float):
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        low = "" if self.low is None else f"{self.low:g} <= "
        high = "" if self.high is None else f" <= {self.high:g}"
        return f"{low}{self.key}{high}"


class Figure:
    """One figure: what it shows, the function that measures it, and its bounds."""

    __slots__ = ("bounds", "name", "run", "summary")

    def __init__(self, name: str, summary: str, run: Callable[[Out], None], *bounds: Bound) -> None:
        self.name, self.summary, self.run, self.bounds = name, summary, run, bounds


FIGURES: dict[str, Figure] = {}


def register(name: str, summary: str, run: Callable[[Out], None], *bounds: Bound) -> None:
    """Add a figure to the table; names are unique."""
    if name in FIGURES:
        raise ValueError(f"two figures are called {name}")
    FIGURES[name] = Figure(name, summary, run, *bounds)


def bound(name: str, key: str) -> Bound:
    """Return a bound of a figure, for tests that allow ten times as much."""
    return next(b for b in FIGURES[name].bounds if b.key == key)


__all__ = ["FIGURES", "Bound", "Figure", "LeftOut", "Out", "bound", "register"]
