"""The figure of late positions."""

from functools import partial

from bench.measure import late
from bench.registry import Bound, register

register(
    "solver-suite",
    "300 late positions with exact values: drakkar at 200 ms, and the solver where it applies",
    partial(late.suite, preset="drakkar", time_ms=200),
    Bound("positions", 300, 300),
    Bound("best_share", 0.99),
    Bound("solved", 290),
    Bound("solved_but_not_best", 0, 0),
    Bound("greatest_error", None, 1e-6),
)
