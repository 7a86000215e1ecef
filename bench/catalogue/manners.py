"""The figures of clocks, and of the memory of the process."""

from functools import partial

from bench.measure import clocks, hash_memory
from bench.measure.matches import whole
from bench.registry import Bound, register

for _name, _clock in (("clocks-1s", "1+0.005"), ("clocks-02s", "0.2+0.002")):
    register(
        _name,
        f"drakkar against itself with a clock of {_clock} s and no margin, two games at a time",
        partial(clocks.clocks, clock=_clock),
        *whole(500),
        Bound("verdicts", 0, 0),
    )
register(
    "hash-memory",
    "resident memory of the engine at Hash 1 to 1024 MiB, searching on when that is full",
    hash_memory.hash_memory,
    Bound("filled", 5, 5),
    Bound("worst_over_mb", None, 40),
    Bound("worst_stop_ms", None, 100),
    Bound("least_nodes_after", 1),
)
