"""One search after another on the same searcher: nothing of an earlier one shows."""

import gc

import pytest
from searching import decision, position, told

import engine
import search
from search.info import Info
from search.running import Running

LOFOTEN = "lofoten"
OPTIONS = {"solver": False}


@pytest.mark.parametrize("preset", ["drakkar", "equilibrium"])
def test_a_full_memory_does_not_show_in_the_next_search(preset):
    """What earlier searches needed room for does not change what the next one has room for."""
    searcher = search.Searcher(preset, hash_mb=1, options=OPTIONS)
    places = [decision(plies, 2) for plies in (40, 160, 40, 10)]
    for state in [*places, *reversed(places)]:
        fresh = search.Searcher(preset, hash_mb=1, options=OPTIONS)
        limits = search.Limits(nodes=30_000)
        assert told(searcher.go(state, limits)) == told(fresh.go(state, limits))


@pytest.mark.parametrize("reuse", ["off", "on"])
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


@pytest.mark.parametrize("threads", [1, 4])
def test_what_a_kept_graph_does_not_know_is_not_made_up(threads):
    """Margins and wins come from the simulations of this search, never thinned by others."""
    state = decision()
    searcher = search.Searcher(threads=threads, options=OPTIONS | {"reuse": "on"})
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


def test_a_position_that_was_worked_out_has_no_tree(kuhn):
    """Not the one of the search before."""
    searcher = search.Searcher(options={"solver": True})
    searcher.go(decision(), search.Limits(nodes=50))
    assert searcher.outline is not None
    late = kuhn.from_text("kuhn/1 me=p2 hand.p1=? hand.p2=K actions=b")
    assert searcher.go(late, search.Limits(nodes=50)).info.solved
    assert searcher.outline is None


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
