"""The bench signature: search and rules behave as they did."""

import pytest

import engine
from bench import positions, signature
from engine import Game


def test_every_game_has_positions_and_a_signature() -> None:
    """A new game brings both."""
    assert positions.games() == engine.available()
    assert sorted(signature.expected()) == engine.available()


def test_signature_is_as_recorded(game: Game) -> None:
    """A change must be meant: then run `drakkar bench --update` and say so in the commit."""
    assert signature.measure(game.name).line == signature.expected()[game.name]


def test_signature_depends_on_what_is_searched(kuhn: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another seed is another search."""
    before = signature.measure("kuhn")
    monkeypatch.setattr(signature, "SEED", 2)
    after = signature.measure("kuhn")
    assert before.value != after.value
    assert len(after.value) == 16
    assert before.nodes == after.nodes == signature.NODES * len(positions.read(kuhn))


def test_positions_are_views_with_a_choice(game: Game) -> None:
    """Each shows what the seat to move knows, and leaves it a choice."""
    states = positions.read(game)
    variants = 1 + len(engine.game_variants(game.name))
    assert len(states) == positions.COUNT * variants
    assert len({state.to_text() for state in states}) == len(states)
    for state in states:
        assert state.observer == state.seat_to_move
        assert len(state.legal_moves()) > 1
        assert state.check() == 0


def test_positions_are_made_again_alike(game: Game) -> None:
    """`python -m bench.positions` writes what is there, unless the rules changed."""
    file = positions.FOLDER / f"{game.name}.txt"
    assert "\n".join(positions.make_all(game.name)) + "\n" == file.read_text(encoding="utf-8")
