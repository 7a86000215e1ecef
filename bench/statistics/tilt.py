"""Maximum-likelihood distributions under a constraint, on a finite support.

Of all distributions with a given mean, or a given t-value, the one that makes the observed shares
most likely is a *tilt* of them: each share divided by a linear function of a feature of its value.
"""

import math
from collections.abc import Sequence

_NEWTON_STEPS = 200
_ROUNDS = 80
_WHOLE_STEPS = 15
_CLOSE = 1e-9


def tilt_to_zero(shares: Sequence[float], feature: Sequence[float]) -> list[float] | None:
    """Return the most likely distribution under which the feature has mean 0.

    The result is `p / (1 + x * feature)` with the one x that gives the mean. None if the feature
    does not take both signs, so that no distribution does. All shares are positive.
    """
    low, high = min(feature), max(feature)
    if not (low < 0.0 < high and math.isfinite(low) and math.isfinite(high)):
        return None
    # The mean falls from +inf to -inf between the poles.
    left, right = -1.0 / high, -1.0 / low
    x = 0.0
    before = math.inf
    for _ in range(_NEWTON_STEPS):
        value = slope = 0.0
        for p, d in zip(shares, feature, strict=True):
            part = d / (1.0 + x * d)
            value += p * part
            slope -= p * part * part
        if value > 0.0:
            left = x
        else:
            right = x
        step = x - value / slope
        if not left < step < right or abs(value) > 0.5 * before:
            step = 0.5 * (left + right)
        before = abs(value)
        if abs(step - x) <= 1e-15 * (right - left) or step in (left, right) or value == 0.0:
            break
        if abs(step - x) < 1e-13 * max(1.0, abs(x)):
            x = step
            break
        x = step
    tilted = [p / (1.0 + x * d) for p, d in zip(shares, feature, strict=True)]
    total = math.fsum(tilted)
    if not (math.isfinite(total) and total > 0.0 and min(tilted) > 0.0):
        return None
    return [q / total for q in tilted]


def tilt_to_mean(
    shares: Sequence[float], support: Sequence[float], middle: float
) -> list[float] | None:
    """Return the most likely distribution with a given mean; None outside the support."""
    return tilt_to_zero(shares, [x - middle for x in support])


def tilt_to_t(shares: Sequence[float], support: Sequence[float], t: float) -> list[float] | None:
    """Return the most likely distribution with a given t-value, (mean - 1/2) / deviation.

    The constraint is not linear, so the linear one that touches it at the distribution found last
    is used in turn until nothing changes: at mean m and deviation s that is a mean of 0 for
    `x - 1/2 - t s (1 + ((x - m) / s)^2) / 2`. There can be several such points of rest, so this is
    done from the shares and from a distribution with the wanted t-value; the more likely result
    is returned. None if neither comes to rest, for example on a support that can't have the value.
    """
    # The distribution on both ends of 0..1 with this t-value.
    upper = 0.5 + 0.5 * t / math.sqrt(1.0 + t * t)
    ends = [0.0] * len(support)
    ends[0], ends[-1] = 1.0 - upper, upper
    found = [_rest(shares, support, t, start) for start in (shares, ends)]
    good = [q for q in found if q is not None]
    return max(good, key=lambda q: _log_likelihood(shares, q), default=None)


def _rest(
    shares: Sequence[float], support: Sequence[float], t: float, start: Sequence[float]
) -> list[float] | None:
    """Return where the iteration of `tilt_to_t` comes to rest from a start."""
    current = list(start)
    for index in range(_ROUNDS):
        middle, spread = moments(current, support)
        if spread <= 0.0:
            return None
        feature = [
            x - 0.5 - 0.5 * t * spread * (1.0 + ((x - middle) / spread) ** 2) for x in support
        ]
        tilted = tilt_to_zero(shares, feature)
        if tilted is None:
            return None
        change = max(abs(a - b) for a, b in zip(current, tilted, strict=True))
        if change < _CLOSE:
            return tilted
        # Whole steps are fast; where they jump to and fro, half steps come to rest.
        step = 1.0 if index < _WHOLE_STEPS else 0.5
        current = [a + step * (b - a) for a, b in zip(current, tilted, strict=True)]
    return None


def _log_likelihood(shares: Sequence[float], q: Sequence[float]) -> float:
    return math.fsum(p * math.log(value) for p, value in zip(shares, q, strict=True))


def moments(shares: Sequence[float], support: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard deviation of a distribution."""
    middle = math.fsum(p * x for p, x in zip(shares, support, strict=True))
    square = math.fsum(p * (x - middle) ** 2 for p, x in zip(shares, support, strict=True))
    return middle, math.sqrt(square)
