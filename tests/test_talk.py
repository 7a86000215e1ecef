"""The measure that looks for leaks in what the engine prints, and that it can find one."""

import pytest

import engine
from bench.measure.talk import engine_pairs
from protocol.session import Position


@pytest.mark.parametrize("game", engine.available())
def test_the_engine_prints_the_same_for_states_that_its_seat_cannot_tell_apart(game):
    out = {}
    engine_pairs(out, game, 40, 20)
    assert out["differing"] == 0
    assert out["pairs_with_other_secrets"] > 10 and out["bytes_compared"] > 10_000


def test_a_planted_leak_is_found(monkeypatch):
    """The engine that does not blind itself tells by everything it prints."""
    monkeypatch.setattr(Position, "view", lambda position: position.state)
    out = {}
    engine_pairs(out, "kuhn", 40, 20)
    assert out["differing"] == out["pairs_with_other_secrets"]
