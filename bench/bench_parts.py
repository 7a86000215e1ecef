"""Benchmarks of the parts, side by side: `make bench` (pytest-benchmark).

For judging a change on one machine; the figures that count are instructions
(`python -m bench.instructions`) and ratios measured in one run (`python -m bench.figures`).
"""

from typing import Any

from engine import RandomStream, available, load
from engine.game import State
from search import Limits, Searcher
from search.playout import run_playouts


def pytest_generate_tests(metafunc: Any) -> None:
    """Run every benchmark for every game."""
    metafunc.parametrize("name", available())


def _view(name: str) -> State:
    """The view of the first seat that decides in deal 1."""
    game = load(name)
    state, deal = game.new_state(), game.new_deal(1)
    while state.is_chance:
        state.apply(deal.outcome(state))
    return state.view(state.seat_to_move)


def test_playouts(benchmark: Any, name: str) -> None:
    """100 uniform playouts to the end."""
    view = _view(name)
    assert benchmark(run_playouts, view, 100)[0] == 100


def test_simulations(benchmark: Any, name: str) -> None:
    """1,000 simulations of the published algorithm with playouts of length 0."""
    view = _view(name)
    searcher = Searcher("vanilla", playout_plies=0)
    assert benchmark(searcher.go, view, Limits(nodes=1000)).info.nodes == 1000


def test_determinize(benchmark: Any, name: str) -> None:
    """One world drawn from a view, from Python."""
    view, stream = _view(name), RandomStream(1)
    assert benchmark(view.determinize, stream).check() == 0


def test_infoset_key(benchmark: Any, name: str) -> None:
    """The key of what a seat knows, from Python."""
    view = _view(name)
    assert benchmark(view.infoset_key, view.observer) == view.infoset_key(view.observer)


def test_position_text(benchmark: Any, name: str) -> None:
    """Position text written and read."""
    view = _view(name)
    game = view.game
    assert benchmark(lambda: game.from_text(view.to_text())) == view
