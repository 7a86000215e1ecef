"""The option Hash: how much memory the process takes, full and beyond."""

import pytest

from bench.measure.hash_memory import hash_memory


def test_the_memory_limit_is_kept() -> None:
    """The search goes on when its memory is full, stops soon, and plays on."""
    out: dict[str, float] = {}
    hash_memory(out, sizes=(1, 16), most_s=20.0)
    assert out["filled"] == 2
    assert out["worst_over_mb"] < 40.0
    assert out["least_nodes_after"] > 0
    assert out["worst_stop_ms"] < 5_000.0


@pytest.mark.slow
def test_a_larger_limit_is_kept() -> None:
    """The same at the default."""
    out: dict[str, float] = {}
    hash_memory(out, sizes=(64,), most_s=60.0)
    assert out["filled"] == 1
    assert out["worst_over_mb"] < 40.0
