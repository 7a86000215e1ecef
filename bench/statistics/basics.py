"""Means, their errors, and quantiles of a list of numbers."""

import math
from collections.abc import Sequence

# Half of a 95 % interval of the normal distribution, in standard deviations.
NORMAL_95 = 1.959963984540054


def mean(values: Sequence[float]) -> float | None:
    """Return the arithmetic mean; None of no values."""
    return math.fsum(values) / len(values) if values else None


def deviation(values: Sequence[float]) -> float | None:
    """Return the sample standard deviation (divisor n - 1); None of fewer than two values."""
    if len(values) < 2:
        return None
    middle = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((v - middle) ** 2 for v in values) / (len(values) - 1))


def standard_error(values: Sequence[float]) -> float | None:
    """Return the standard error of the mean; None of fewer than two values."""
    spread = deviation(values)
    return None if spread is None else spread / math.sqrt(len(values))


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which about `share` (0..1) of the values lie, by nearest rank."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, math.ceil(share * len(ordered)) - 1))]


def normal_cdf(z: float) -> float:
    """Return the probability that a standard normal number is below `z`."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))
