"""The figures of the search of `drakkar`: its speed by parts, its strength against time."""

from functools import partial

from bench.measure import parts, strength
from bench.registry import Bound, register

register(
    "search-parts",
    "simulations a second with playouts of length 0 from the middle of games, instructions by part",
    parts.parts,
    Bound("positions", 20),
    Bound("per_s", 500_000),
    Bound("threads_ratio", 1.7),
)
register(
    "strength-time",
    "drakkar at 5, 10, 40 and 80 ms a decision against itself at 20 ms, and the curve",
    partial(strength.strength_time, games=300),
    Bound("games", 1200, 1200),
    Bound("least_rise", 0.001),
)
