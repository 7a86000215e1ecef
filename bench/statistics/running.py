"""Statistics that take one value after another and keep no values."""

import math
from collections import Counter
from collections.abc import Sequence

from bench.statistics.basics import NORMAL_95

# Steps of a Scale for each doubling, and the least value that it tells from 0.
STEPS = 16
LEAST = 1e-3


class Moments:
    """Count, mean and spread of a stream of numbers."""

    __slots__ = ("count", "squares", "total_mean")

    def __init__(self) -> None:
        self.count, self.total_mean, self.squares = 0, 0.0, 0.0

    def add(self, value: float) -> None:
        """Count a value."""
        self.count += 1
        step = value - self.total_mean
        self.total_mean += step / self.count
        self.squares += step * (value - self.total_mean)

    def extend(self, values: Sequence[float]) -> None:
        """Count many values; faster than one at a time, equal but for rounding."""
        number = len(values)
        if not number:
            return
        middle = math.fsum(values) / number
        total, step = self.count + number, middle - self.total_mean
        self.squares += sum([(value - middle) ** 2 for value in values])
        self.squares += step * step * self.count * number / total
        self.total_mean += step * number / total
        self.count = total

    @property
    def mean(self) -> float | None:
        """The arithmetic mean; None of no values."""
        return self.total_mean if self.count else None

    @property
    def deviation(self) -> float | None:
        """The sample standard deviation; None of fewer than two values."""
        return math.sqrt(self.squares / (self.count - 1)) if self.count > 1 else None

    @property
    def error(self) -> float | None:
        """Half-width of the 95 % interval of the mean; None where no spread is known."""
        spread = self.deviation
        return NORMAL_95 * spread / math.sqrt(self.count) if spread else None


class Series:
    """A few values of a long stream, evenly spread: (place in the stream from 1, value).

    When it is full, every second one is forgotten and only half as many are taken from then on.
    """

    __slots__ = ("_last", "_limit", "_points", "_stride")

    def __init__(self, limit: int = 400) -> None:
        self._limit, self._stride = limit, 1
        self._points: list[tuple[int, float]] = []
        self._last: tuple[int, float] | None = None

    def wants(self, place: int) -> bool:
        """True if the value of this place would be kept, so that it is worth finding out."""
        return place % self._stride == 0

    def add(self, place: int, value: float) -> None:
        """Take the next value; places rise."""
        self._last = (place, value)
        if self.wants(place):
            self._points.append((place, value))
        if len(self._points) > self._limit:
            self._points = self._points[1::2]
            self._stride *= 2

    @property
    def points(self) -> list[tuple[int, float]]:
        """The values kept, and always the last one."""
        tail = [] if self._last is None or self._last in self._points[-1:] else [self._last]
        return [*self._points, *tail]


class Scale:
    """Quantiles of a stream of numbers from 0, to 5 %: it counts how many fall in which step."""

    __slots__ = ("_counts", "count", "greatest", "total")

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()
        self.count, self.greatest, self.total = 0, 0.0, 0.0

    @property
    def mean(self) -> float | None:
        """The arithmetic mean; None of no values."""
        return self.total / self.count if self.count else None

    def add(self, value: float) -> None:
        """Count a value; what is below 0 counts as 0."""
        step = int(STEPS * math.log2(value / LEAST)) if value > LEAST else -1
        self._counts[step] = self._counts.get(step, 0) + 1
        self.count += 1
        self.total += value
        if value > self.greatest:
            self.greatest = value

    def extend(self, values: Sequence[float]) -> None:
        """Count many values; faster than one at a time."""
        if not values:
            return
        log2 = math.log2
        self._counts.update(
            [int(STEPS * log2(value / LEAST)) if value > LEAST else -1 for value in values]
        )
        self.count += len(values)
        self.total += sum(values)
        self.greatest = max(self.greatest, *values)

    def quantile(self, share: float) -> float | None:
        """Return the value that a share (0..1) of the values does not exceed; None of no values."""
        if not self.count:
            return None
        wanted = max(1, math.ceil(share * self.count))
        seen = 0
        for step in sorted(self._counts):
            seen += self._counts[step]
            if seen >= wanted:
                return min(self.greatest, LEAST * 2.0 ** ((step + 1) / STEPS)) if step >= 0 else 0.0
        raise AssertionError("counts are lost")


class Bars:
    """How often whole-number steps of a value occur, for plots; far values share the last bars."""

    __slots__ = ("_width", "counts")

    def __init__(self, width: float = 1.0) -> None:
        self._width = width
        self.counts: dict[int, int] = {}

    def add(self, value: float) -> None:
        """Count a value in the bar whose middle is nearest."""
        bar = max(-500, min(500, round(value / self._width)))
        self.counts[bar] = self.counts.get(bar, 0) + 1


__all__ = ["Bars", "Moments", "Scale", "Series"]
