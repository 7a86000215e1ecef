"""One search after another on the same searcher: nothing of an earlier one shows."""

import _thread
import gc
import os
import signal
import time

import pytest
from searching import position

import engine
import search
from search import helpers
from search.info import Info
from search.running import Running

LOFOTEN = "lofoten"
OPTIONS = {"solver": False}
HANG_S = 20.0


def told(result):
    info = result.info
    lines = [(x.move, x.visits, x.win, x.margin, x.wdl, x.error, x.pv) for x in info.lines]
    return result.best_move, info.nodes, info.depth, info.hashfull, lines


def decision(plies=40, least=4, game=LOFOTEN):
    game = engine.load(game)
    states = (position(game, plies, seed) for seed in range(100))
    return next(state for state in states if len(state.legal_moves()) >= least)


class Threads:
    """The helper threads of one test alone: those of others may end meanwhile."""

    def __init__(self, patch):
        self.begun, self.ended = [], []
        start, serve = helpers.start_new_thread, helpers._serve

        def counted_start(*args):
            number = start(*args)
            self.begun.append(number)
            return number

        def counted_serve(tasks):
            serve(tasks)
            self.ended.append(_thread.get_ident())

        patch.setattr(helpers, "start_new_thread", counted_start)
        patch.setattr(helpers, "_serve", counted_serve)

    def all_end(self):
        """Return True once all that were begun have ended."""
        until = time.monotonic() + HANG_S
        while len(self.ended) < len(self.begun) and time.monotonic() < until:
            time.sleep(0.01)
        return sorted(self.ended) == sorted(self.begun)


@pytest.fixture
def helper_threads(monkeypatch):
    return Threads(monkeypatch)


@pytest.mark.parametrize("preset", ["drakkar", "equilibrium"])
def test_a_full_memory_does_not_show_in_the_next_search(preset):
    """What earlier searches needed room for does not change what the next one has room for."""
    searcher = search.Searcher(preset, hash_mb=1, options=OPTIONS)
    places = [decision(plies, 2) for plies in (40, 160, 40, 10)]
    for state in [*places, *reversed(places)]:
        fresh = search.Searcher(preset, hash_mb=1, options=OPTIONS)
        limits = search.Limits(nodes=30_000)
        assert told(searcher.go(state, limits)) == told(fresh.go(state, limits))


@pytest.mark.parametrize("reuse", [False, True])
def test_a_search_that_failed_to_begin_leaves_nothing_of_another_seat(reuse):
    """Not in the memory of any thread: what a seat has found tells of its hand."""
    state = decision()
    mine, others = state.seat_to_move, 1 - state.seat_to_move
    limits = search.Limits(nodes=400)
    options = OPTIONS | {"reuse": reuse}
    searcher = search.Searcher(threads=2, options=options)
    searcher.ponder(state.view(others), nodes=4000)
    with pytest.raises(ValueError, match="searchmoves"):
        searcher.go(state, search.Limits(nodes=9, searchmoves=[0x7F000000]))
    found = told(searcher.go(state.view(mine), limits))
    assert found == told(search.Searcher(threads=2, options=options).go(state, limits))


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_threads_are_kept_while_their_searcher_is(helper_threads):
    """As many as were needed at once, and gone with it; a fork takes none along."""
    state, limits = decision(), search.Limits(nodes=100)
    searcher = search.Searcher(threads=3, options=OPTIONS)
    expected = told(searcher.go(state, limits))
    for _ in range(5):
        assert told(searcher.go(state, limits)) == expected
        assert len(helper_threads.begun) == 2
    assert not helper_threads.ended
    child = os.fork()
    if not child:
        signal.alarm(int(HANG_S))
        try:
            os._exit(told(searcher.go(state, limits)) != expected)
        finally:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    del searcher
    assert helper_threads.all_end()


@pytest.mark.parametrize("moment", ["reserve", "start"])
def test_an_interrupted_search_leaves_no_thread(monkeypatch, helper_threads, moment):
    """However it is interrupted: what was just begun in a thread ends with its search."""
    state = decision()
    real = getattr(helpers.Helpers, moment)

    def interrupted(*args):
        real(*args)
        raise KeyboardInterrupt

    searcher = search.Searcher(threads=3, options=OPTIONS)
    for method, args in (
        ("go", (state, search.Limits(infinite=True))),
        ("ponder", (state.view(1 - state.seat_to_move),)),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(helpers.Helpers, moment, interrupted)
            with pytest.raises(KeyboardInterrupt):
                getattr(searcher, method)(*args)
        # The next one does not call it back to life.
        searcher.go(state, search.Limits(nodes=100))
    assert helper_threads.begun
    del searcher
    assert helper_threads.all_end()


def test_an_error_in_a_thread_is_told_and_ends_nothing(capsys):
    """The thread goes on to the next call."""
    one = helpers.Helpers()
    assert one.reserve(1) == 1
    assert one.start(divmod, 1, 0).wait(HANG_S)
    assert one.start(divmod, 1, 1).wait(HANG_S)
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_machine_without_threads_searches_all_the_same(monkeypatch):
    """One thread does the work of all, with the same result; or two, if there is one more."""
    state = decision()
    limits = search.Limits(nodes=1000)
    expected = told(search.Searcher(threads=3, options=OPTIONS).go(state, limits))
    real = _thread.start_new_thread

    for available in (0, 1):
        left = [available]

        def few_left(*args, left=left):
            if not left[0]:
                raise RuntimeError("can't start new thread")
            left[0] -= 1
            return real(*args)

        monkeypatch.setattr("search.helpers.start_new_thread", few_left)
        monkeypatch.setattr("search.searcher.start_new_thread", few_left)
        searcher = search.Searcher(threads=3, hash_mb=65, options=OPTIONS)
        for _ in range(2):
            assert told(searcher.go(state, limits)) == expected
            searcher.new_game()
        result = searcher.go(state, search.Limits(time_ms=30))
        assert result.best_move in state.legal_moves()


@pytest.mark.parametrize("threads", [1, 4])
def test_what_a_kept_graph_does_not_know_is_not_made_up(threads):
    """Margins and wins come from the simulations of this search, never thinned by others."""
    state = decision()
    searcher = search.Searcher(threads=threads, options=OPTIONS | {"reuse": True})
    first = searcher.go(state, search.Limits(nodes=8000), multipv=9).info.lines
    for nodes in (1, 20):
        for line in searcher.go(state, search.Limits(nodes=nodes), multipv=9).info.lines:
            known = next(other for other in first if other.move == line.move)
            assert line.visits >= known.visits
            if nodes == 1:
                assert line.margin == 0.0 or abs(line.margin) > abs(known.margin) / 2
                assert line.wdl[0] + line.wdl[1] / 2 == pytest.approx(1000 * line.win, abs=400)
            else:
                assert sum(line.wdl) == 1000


def test_what_was_found_is_read_at_rest_only():
    """Not while it grows, and not once the next search has begun."""
    state = decision()
    searcher = search.Searcher(options=OPTIONS)
    refused = []

    def on_info(info):
        for name in ("outline", "tree"):
            with pytest.raises(RuntimeError, match="a search is running"):
                getattr(searcher, name)
        refused.append(info)
        searcher.stop()

    searcher.go(state, search.Limits(infinite=True), on_info, info_ms=50)
    assert refused
    outline = searcher.outline
    assert outline.spot(outline.root).visits
    searcher.ponder(state.view(1 - state.seat_to_move), nodes=10)
    with pytest.raises(RuntimeError, match="later search"):
        outline.spot(outline.root)


def test_the_move_told_at_rest_is_the_move_played():
    """Where lots decide between equal moves, they are drawn once."""
    for plies in range(0, 60, 3):
        state = position(engine.load(LOFOTEN), plies)
        searcher = search.Searcher("greedy")
        best = searcher.go(state, search.Limits(nodes=10_000)).best_move
        moves = []

        def on_info(info, moves=moves, searcher=searcher):
            moves.append(info.lines[0].move)
            searcher.stop()

        moves.append(searcher.go(state, search.Limits(infinite=True), on_info).best_move)
        assert set(moves) == {best}


class Torn:
    """A worker of which a row was read while it was written: sums of later simulations."""

    def line_from(self, move):
        return [move]


@pytest.mark.parametrize("wins", [0.0, 2.0, 9.0])
@pytest.mark.parametrize("draws", [0.0, 2.0, 9.0])
def test_a_torn_row_makes_no_impossible_numbers(wins, draws):
    running = Running([Torn()], 0, 1, "auto", 0.0)
    line = running._line((7, 3, 3, 4.5, 1.0, wins, draws, 9.0, 3))
    assert 0 <= line.win <= 1
    assert min(line.wdl) >= 0 and sum(line.wdl) == 1000


def test_memory_of_searches_is_given_back():
    """An interrupted search keeps nothing alive."""
    state = decision()
    searcher = search.Searcher(options=OPTIONS)

    def on_info(info):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        searcher.go(state, search.Limits(infinite=True), on_info, info_ms=50)
    gc.collect()
    assert searcher.outline is None
    assert isinstance(searcher.go(state, search.Limits(nodes=10)).info, Info)
