"""Threads tell each other what they find of the root moves."""

import time

import pytest
from searching import HANG_S, decision, told

import search

OPTIONS = {"solver": False}
PLIES = {"lofoten": 40, "oh_hell": 6, "leduc": 1}


def beside_the_best(threads: int, nodes: int) -> float:
    """Return the mean share of visits that moves other than the most visited get."""
    shares = []
    for plies in (20, 40, 60, 80, 100, 120):
        searcher = search.Searcher(threads=threads, options=OPTIONS)
        found = searcher.go(decision(plies), search.Limits(nodes=nodes), multipv=99).info
        shares.append(1 - max(line.visits for line in found.lines) / found.nodes)
    return sum(shares) / len(shares)


def test_threads_search_like_one_of_them():
    """The root moves share the visits as with one thread, not as with as many searches apart.

    Unlikely moves get about the root of all visits: four threads of their own give them twice as
    much.
    """
    alone, quarter = beside_the_best(1, 4000), beside_the_best(1, 1000)
    assert quarter > 1.4 * alone
    assert beside_the_best(4, 4000) < (quarter + alone) / 2


@pytest.mark.parametrize("game", PLIES)
@pytest.mark.parametrize(
    "limits",
    [
        {"nodes": 1},
        {"nodes": 7},
        {"nodes": 8},
        {"nodes": 1001},
        {"depth": 3, "nodes": 20_000},
        {"nodes": 500, "time_ms": 20_000},
    ],
    ids=str,
)
def test_a_search_of_many_threads_repeats(game, limits):
    """Where a count ends it: each hears what the others told after as many simulations."""
    state = decision(PLIES[game], 2, game)
    first, second = (
        told(search.Searcher(threads=5, options=OPTIONS).go(state, search.Limits(**limits)))
        for _ in range(2)
    )
    assert first == second


def test_it_repeats_for_some_of_the_moves_and_with_a_kept_graph():
    """The other root moves are told of by nobody; what is kept is told of, too."""
    state = decision()
    some = state.legal_moves()[1:3]
    results = []
    for _ in range(2):
        searcher = search.Searcher(threads=3, options=OPTIONS | {"reuse": "on"})
        searcher.go(state, search.Limits(nodes=900))
        kept = told(searcher.go(state, search.Limits(nodes=900), multipv=9))
        chosen = told(searcher.go(state, search.Limits(nodes=90, searchmoves=some), multipv=9))
        results.append((kept, chosen))
    assert results[0] == results[1]
    assert sum(line[1] for line in results[0][0][-1]) == 1800


@pytest.mark.parametrize("limits", [{}, {"nodes": 1_000_000_000}], ids=str)
def test_threads_that_wait_for_each_other_end_in_time(limits):
    """By the clock and when they are told to."""
    state = decision()
    searcher = search.Searcher(threads=6, options=OPTIONS)
    begin = time.monotonic()
    info = searcher.go(state, search.Limits(time_ms=60, **limits)).info
    assert info.nodes > 100
    reports = []

    def stop_at_the_second(report):
        reports.append(report)
        if len(reports) == 2:
            searcher.stop()

    searcher.go(state, search.Limits(infinite=not limits, **limits), stop_at_the_second, 50)
    assert len(reports) >= 2
    assert time.monotonic() - begin < HANG_S
