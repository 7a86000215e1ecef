"""The figures of the search of `drakkar`: its speed by parts, its strength against time."""

from functools import partial

from bench.measure import parts, strength
from bench.measure.matches import whole
from bench.registry import Bound, register

register(
    "search-parts",
    "simulations a second with playouts of length 0 from the middle of games, instructions by part",
    parts.parts,
    Bound("positions", 20),
    Bound("per_s", 500_000),
    Bound("threads_ratio", 1.7),
    Bound("instructions_per_simulation", 1),
)
for _ms, _parts in strength.MATCHES.items():
    for _name, _seed in _parts.items():
        register(
            _name,
            f"drakkar at {_ms} ms a decision against itself at {strength.FIXED_MS} ms",
            partial(strength.match, time_ms=_ms, seed=_seed),
            *whole(strength.GAMES),
        )
register(
    "strength-time",
    "the curve of strength against time, from the matches strength-*",
    strength.curve,
    Bound("games", 11_400, 11_400),
    Bound("least_rise", 0.001),
    Bound("rise_low", 0),
)
