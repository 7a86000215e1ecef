"""When a search ends: limits, clocks, the first look, stopping, resting."""

import threading

import pytest
from searching import HANG_S, PRESETS, make_worker, position, positions

import engine
import search
from search.helpers import Helpers
from search.limits import LONGEST_MS
from search.worker import DONE, STOPPED


@pytest.fixture
def longest() -> "engine.Game":
    """The game whose tree is never searched out."""
    return max((engine.load(name) for name in engine.available()), key=lambda g: g.max_plies)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    "limits",
    [
        {"nodes": 0},
        {"nodes": -5},
        {"time_ms": 0},
        {"time_ms": -5},
        {"depth": 0},
        {"clock_ms": 0},
        {"clock_ms": -100, "inc_ms": 50},
        {"nodes": 1, "depth": 50},
    ],
)
def test_no_time_means_a_legal_move_at_once(game, preset, limits):
    state = positions(game)[-1]
    result = search.Searcher(preset).go(state, search.Limits(**limits))
    assert result.best_move in state.legal_moves()
    assert result.info.nodes <= 1
    assert result.info.lines[0].move == result.best_move


def test_the_first_limit_reached_ends_the_search(game):
    state = positions(game)[0]
    go = search.Searcher("vanilla").go
    assert go(state, search.Limits(nodes=77, time_ms=1000 * HANG_S)).info.nodes == 77
    assert go(state, search.Limits(nodes=10**9, time_ms=20)).info.time_ms < 1000 * HANG_S
    by_depth = go(state, search.Limits(nodes=10**8, depth=2, time_ms=1000 * HANG_S)).info
    assert by_depth.depth >= 2
    assert by_depth.nodes % 32 == 0
    assert go(state, search.Limits(nodes=5, depth=2)).info.nodes == 5


@pytest.mark.parametrize("overhead", [-1, float("nan")])
def test_an_overhead_is_not_below_zero(overhead):
    """The clock would seem larger than it is."""
    with pytest.raises(ValueError, match="at least 0"):
        search.Searcher(move_overhead_ms=overhead)


def test_a_depth_beyond_the_game_ends(kuhn):
    """A tree that no longer grows will not get deeper."""
    result = search.Searcher("vanilla").go(position(kuhn, 0), search.Limits(depth=40))
    assert result.info.depth < 40
    assert result.info.nodes < 10_000


def test_a_lead_does_not_end_a_search_whose_move_is_drawn(longest):
    """There more simulations change how likely each move is."""
    searcher = search.Searcher(options={"decided_share": 0.1, "final": "shares"})
    limits, state = search.Limits(clock_ms=4000, moves_to_go=20), position(longest, 0)
    share = searcher.share_ms(state.view(state.seat_to_move), limits)
    assert searcher.go(state, limits).info.time_ms >= share - 1


def test_a_depth_beyond_a_full_tree_ends(longest):
    """A full tree grows no more, however many moves at its edge are untried."""
    searcher = search.Searcher("vanilla", hash_mb=1, playout_plies=0)
    limits = search.Limits(depth=100, time_ms=1000 * HANG_S)
    info = searcher.go(position(longest, 0), limits).info
    assert info.hashfull > 900 and info.depth < 100 and info.time_ms < 1000 * HANG_S


def test_some_limit_must_be_given(game):
    with pytest.raises(ValueError, match="needs a limit"):
        search.Searcher("vanilla").go(position(game, 0), search.Limits())


@pytest.mark.parametrize("preset", PRESETS)
def test_searchmoves_restrict_the_root(game, preset):
    state = next(s for s in positions(game) if len(s.legal_moves()) > 1)
    for move in state.legal_moves():
        limits = search.Limits(nodes=50, searchmoves=(move,))
        result = search.Searcher(preset).go(state, limits, multipv=9)
        assert [line.move for line in result.info.lines] == [move]
    with pytest.raises(ValueError, match="searchmoves"):
        search.Searcher(preset).go(state, search.Limits(nodes=50, searchmoves=(0,)))


def test_a_forced_move_under_a_clock_is_scored_quickly(game):
    state = next(s for s in positions(game) if len(s.legal_moves()) > 1)
    move = state.legal_moves()[0]
    limits = search.Limits(clock_ms=3_600_000, searchmoves=(move,))
    info = search.Searcher("vanilla").go(state, limits).info
    assert info.nodes == info.lines[0].visits == 32


def test_no_search_without_a_decision(game):
    with pytest.raises(ValueError, match="no seat is to move"):
        search.Searcher("vanilla").go(game.new_state(), search.Limits(nodes=1))
    state = position(game, 0)
    other = state.view(1 - state.seat_to_move)
    with pytest.raises(ValueError, match="view of the seat"):
        search.Searcher("vanilla").go(other, search.Limits(nodes=1))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_short_clock_is_searched(game, preset):
    """Every root move is tried, whatever making the tree took."""
    state = next(s for s in positions(game) if len(s.legal_moves()) > 1)
    searcher = search.Searcher(preset)
    for limits in ({"clock_ms": 11}, {"clock_ms": 100}, {"clock_ms": 1_000}, {"time_ms": 1e-3}):
        # The look takes 2 ms at most, of which another process may take some.
        least = 1 if preset == "random" else len(state.legal_moves())
        for _ in range(5):
            info = searcher.go(state, search.Limits(**limits), multipv=99).info
            if info.nodes >= least:
                break
        assert info.nodes >= least
        assert info.lines[0].visits > 0


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("number", [10**13, 2**63 - 1, 10**30])
def test_huge_times_are_cut_back(game, preset, number):
    state = positions(game)[0]
    for limits in (
        {"time_ms": number},
        {"clock_ms": number},
        {"clock_ms": 1_000, "inc_ms": number},
        {"clock_ms": number, "moves_to_go": number},
        {"depth": number},
    ):
        go = search.Searcher(preset).go
        result = go(state, search.Limits(nodes=40, **limits), lambda _: None, info_ms=number)
        assert 1 <= result.info.nodes <= 40
        assert search.Limits(**limits).time_ms in (None, LONGEST_MS)
    assert search.Limits(time_ms=-number).time_ms == 0


# ---- stopping ----


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_an_infinite_search(game, preset, threads):
    """Also one that has nothing left to do; `stop` before `go` counts once armed."""
    state = positions(game)[-1]
    searcher = search.Searcher(preset, threads=threads)
    results = []

    def think():
        results.append(searcher.go(state, search.Limits(infinite=True, nodes=100)))

    searcher.arm()
    thread = threading.Thread(target=think)
    thread.start()
    searcher.stop()
    thread.join(HANG_S)
    assert not thread.is_alive()
    assert results[0].best_move in state.legal_moves()


def test_stop_from_a_report(longest):
    """Reports come while the search runs; the last one is the result. Then it works on."""
    searcher = search.Searcher("vanilla", threads=2)
    reports = []

    def on_info(info):
        reports.append(info)
        if len(reports) == 2:
            searcher.stop()

    result = searcher.go(position(longest, 0), search.Limits(infinite=True), on_info, info_ms=50)
    assert len(reports) == 2
    assert reports[0].nodes <= reports[1].nodes <= result.info.nodes
    assert searcher.go(position(longest, 0), search.Limits(nodes=40)).info.nodes == 40


def test_a_search_that_rests_reports_first(kuhn):
    """It has searched the game out, and whoever waits for `stop` wants to see what it found."""
    searcher = search.Searcher("vanilla")
    reports = []

    def on_info(info):
        reports.append(info)
        searcher.stop()

    view = kuhn.from_text("kuhn/1 me=p2 hand.p1=? hand.p2=J actions=b")
    result = searcher.go(view, search.Limits(infinite=True), on_info, info_ms=10**6)
    assert [info.nodes for info in reports] == [result.info.nodes]


def test_a_stop_that_comes_too_late_is_forgotten(game):
    searcher = search.Searcher("vanilla")
    searcher.stop()
    assert searcher.go(position(game, 0), search.Limits(nodes=40)).info.nodes == 40


def test_one_search_at_a_time(longest):
    """Whoever asks for more while one runs is told so, and that search is not disturbed."""
    searcher = search.Searcher("vanilla")
    state = position(longest, 0)
    refused = []

    def on_info(info):
        for more in (
            searcher.new_game,
            lambda: searcher.go(state, search.Limits(nodes=1)),
            lambda: searcher.ponder(state.view(state.seat_to_move), 1),
        ):
            with pytest.raises(RuntimeError, match="a search is running"):
                more()
            refused.append(more)
        searcher.stop()

    result = searcher.go(state, search.Limits(infinite=True), on_info, info_ms=50)
    assert len(refused) >= 3
    assert result.best_move in state.legal_moves()
    searcher.new_game()
    assert searcher.go(state, search.Limits(nodes=40)).info.nodes == 40


@pytest.mark.parametrize("number", [0, -1, 10**15])
def test_no_such_size(number):
    for name in ("threads", "hash_mb"):
        with pytest.raises(ValueError, match="at most"):
            search.Searcher(**{name: number})


def test_a_failing_report_ends_the_work_of_all_threads(longest, monkeypatch):
    searcher = search.Searcher("vanilla", threads=2)
    real, ends = Helpers.start, []

    def start(*args):
        ends.append(real(*args))
        return ends[-1]

    monkeypatch.setattr(Helpers, "start", start)

    def on_info(info):
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        searcher.go(position(longest, 0), search.Limits(infinite=True), on_info, info_ms=50)
    assert [end.is_set() for end in ends] == [True]
    assert searcher.go(position(longest, 0), search.Limits(nodes=40)).info.nodes == 40


def test_a_stopped_simulation_is_not_booked(game):
    """With the flag up a worker makes no simulation; a stop inside a playout discards it."""
    view = position(game, 0)
    worker, flag = make_worker(view.view(view.seat_to_move), index=1)
    flag.set()
    worker.set_limits(1000, None, None)
    assert worker.run(None) == STOPPED
    assert worker.simulations == 0
    worker, _ = make_worker(view.view(view.seat_to_move), index=1)
    worker.set_limits(None, 1, None)
    assert worker.run(None) == STOPPED
    assert sum(row[1] for row in worker.rows()) == worker.simulations == 0


def look_once(view):
    """Return a worker after its first look; it has 2 ms, which a busy machine can take away."""
    for _ in range(50):
        worker, flag = make_worker(view)
        flag.set()
        worker.set_limits(None, 1, None)
        assert worker.run(None) == STOPPED
        assert all(row[1] <= 1 for row in worker.rows())
        if all(row[1] == 1 for row in worker.rows()):
            break
    return worker


def test_the_first_look_tries_each_root_move(game):
    """By the first worker only, once, and not beyond the number of simulations asked for."""
    for state in positions(game):
        view = state.view(state.seat_to_move)
        number = len(view.legal_moves())
        worker = look_once(view)
        assert [row[1] for row in worker.rows()] == [1] * number
        assert worker.run(None) == STOPPED
        assert worker.simulations == number
        for goal in (0, 1):
            worker, flag = make_worker(view)
            flag.set()
            worker.set_limits(goal, 1, None)
            worker.run(None)
            assert worker.simulations == goal


@pytest.mark.parametrize("given", [{"nodes": 2.5}, {"nodes": "3"}, {"depth": float("nan")}])
def test_counts_are_whole_numbers(given):
    with pytest.raises(TypeError, match="is a whole number, not"):
        search.Limits(**given)


def test_a_time_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="not NaN"):
        search.Limits(time_ms=float("nan"))


def test_an_endless_search_ends_when_it_can_learn_no_more(kuhn, longest):
    view = position(kuhn, 0)
    worker, _ = make_worker(view.view(view.seat_to_move))
    worker.set_limits(None, None, None, True)
    assert worker.run(None) == DONE
    assert 100_000 <= worker.simulations < 101_000
    view = position(longest, 0)
    view = view.view(view.seat_to_move)
    worker, _ = make_worker(view, searchmoves=(view.legal_moves()[0],))
    worker.set_limits(None, None, None, True)
    assert worker.run(None) == DONE
    assert 1_000 <= worker.simulations < 1_100


def test_a_full_tree_is_not_searched_out(longest):
    """Where memory ends the growth there is more to learn."""
    view = position(longest, 0)
    worker, _ = make_worker(view.view(view.seat_to_move), playout_plies=0, hash_bytes=1)
    worker.set_limits(102_000, None, None, True)
    assert worker.run(None) == DONE
    assert worker.permille == 1000
    assert worker.simulations == 102_000


@pytest.mark.parametrize("preset", PRESETS)
def test_waiting_for_stop_costs_nothing(kuhn, preset):
    """With nothing left to do a search sleeps; it does not wake up to look at the flag."""
    resource = pytest.importorskip("resource")
    # Of the searching thread alone: what earlier tests have left running wakes up as it likes.
    who = getattr(resource, "RUSAGE_THREAD", None)
    if who is None:
        pytest.skip("this system does not count by threads")
    searcher = search.Searcher(preset)
    limits = search.Limits(infinite=True, nodes=10)
    wakes = []

    def go():
        before = resource.getrusage(who).ru_nvcsw
        searcher.go(position(kuhn, 0), limits)
        wakes.append(resource.getrusage(who).ru_nvcsw - before)

    searcher.arm()
    thread = threading.Thread(target=go)
    thread.start()
    thread.join(0.3)
    searcher.stop()
    thread.join(HANG_S)
    assert not thread.is_alive()
    assert wakes[0] < 50
