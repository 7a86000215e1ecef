"""How a clock is divided over a game, and what a game teaches of that."""

import pytest
from searching import position

import engine
import search
from search import pace as pace_module
from search.limits import LONGEST_MS, share_of_clock, within_bounds
from search.outlook import decisions_to_come
from search.pace import Pace

CLOCKS = (-5, 0, 1, 11, 100, 1_000, 60_000, 3_600_000, LONGEST_MS)


@pytest.mark.parametrize("cost", [None, 0.0, 0.7, 40.0])
def test_shares_of_a_clock_are_sound(cost):
    """Never more than is left, nothing when nothing is left, more with more time."""
    for overhead in (0, 10, 100):
        for inc in (0, 10, 2_000):
            for to_go in (1, 7, 40, 500, 10**18):
                last = 0.0
                for clock in CLOCKS:
                    share = share_of_clock(clock, inc, to_go, overhead, cost, 1.5 * to_go, 70_000)
                    assert 0.0 <= share <= max(clock - overhead, 0)
                    assert (share > 0) == (clock > overhead)
                    assert share >= last
                    last = share


def test_what_a_share_is_made_of():
    """The clock without its reserve, the increments to come, and what decisions cost."""
    assert share_of_clock(60_050, 0, 300, 10) == pytest.approx(190)
    assert share_of_clock(60_050, 100, 300, 10) == pytest.approx(290)
    # Decisions without a choice earn increments, too.
    assert share_of_clock(60_050, 100, 300, 10, 10, 450) == pytest.approx(200 + 1.5 * 90)
    # Whatever a decision costs, a quarter of what there is remains.
    assert share_of_clock(60_050, 100, 300, 10, 5_000) == pytest.approx((200 + 100) / 4)
    # The last decision before the clock is set anew may take what is left.
    assert share_of_clock(1_050, 0, 1, 10) == pytest.approx(990)
    # The reserve is a quarter of the largest clock at most.
    assert share_of_clock(100, 0, 10, 1_000 / 50, 0) == pytest.approx(7.5)
    assert share_of_clock(100, 0, 10, 10, 0, largest_ms=1_000) == pytest.approx(5)
    # In the reserve the clock recovers.
    assert share_of_clock(50, 4, 100, 10, 1, largest_ms=1_000) == pytest.approx(1.5)
    assert share_of_clock(30, 4, 100, 10, 1, largest_ms=1_000) == pytest.approx(0.9)


def test_increments_do_not_touch_the_reserve():
    """They come behind the decision; free is what is above the reserve, or half of the clock."""
    for clock in (60, 200, 1_000, 60_000):
        for inc in (0, 5, 100, 1_000, 60_000):
            for to_go in (2, 10, 50, 500):
                share = share_of_clock(clock, inc, to_go, 10, 0.7, largest_ms=clock)
                assert share <= max(clock - min(50, clock / 4), (clock - 10) / 2)
    assert share_of_clock(1_000, 1_000, 50, 10) == pytest.approx(950)
    assert share_of_clock(60, 100, 50, 10, largest_ms=1_000) == pytest.approx(25)


def test_estimates_have_bounds():
    assert [within_bounds(to_go) for to_go in (-3, 40, 10**9)] == [10, 40, 500]


def play_out(clock, inc, choices, expected, cost=0.7, stalls=(), closeness=1.0):
    """Return what is left at the end of a game, and the shares.

    `cost` is what each decision takes beside the search; every fourth has no choice. At decisions
    in `stalls` the machine does nothing for 30 ms. `closeness` is by how much the end seems to come
    nearer with each choice.
    """
    left, shares = clock, []
    for done in range(choices):
        to_go = within_bounds(expected - done * closeness)
        share = share_of_clock(left, inc, to_go, 10, cost, 4 / 3 * to_go, clock)
        shares.append(share)
        left -= share + cost + 30 * (done in stalls)
        assert left > 0, f"lost on time at decision {done}"
        left += inc
        if done % 3 == 2:
            left += inc - cost
    return left, shares


@pytest.mark.parametrize(("clock", "inc"), [(200, 2), (1_000, 5), (1_000, 0), (10_000, 50)])
@pytest.mark.parametrize("expected", [60, 120, 300])
def test_many_decisions_fit_one_clock(clock, inc, expected):
    """120 choices, whatever was expected, or 400; the time is used and never runs out."""
    play_out(clock, inc, 400, max(expected, 200), closeness=0.5)
    left, shares = play_out(clock, inc, 120, expected)
    spent = sum(shares)
    share = 0.45 if expected <= 120 else 0.25
    assert spent > share * (clock + 160 * inc - 160 * 0.7)
    assert left > 0.0
    # It is not all spent at once.
    assert max(shares) < 4 * spent / 120 + inc


def test_stalls_are_survived():
    """A busy machine takes 30 ms now and then, more than increments bring back at once."""
    play_out(200, 2, 150, 120, stalls=range(20, 150, 25))


def test_short_increments_are_searched():
    """With 0.2 s and 2 ms a decision a choice has about 2 ms, not what the overhead leaves."""
    _, shares = play_out(200, 2, 150, 120)
    assert min(shares[:100]) > 1.5


# ---- what a game teaches ----


@pytest.fixture
def now(monkeypatch):
    """The clock of the module, in a list, in nanoseconds."""
    time = [0]
    monkeypatch.setattr(pace_module, "monotonic_ns", lambda: time[0])
    return time


def views(game, number):
    """Return views of one seat at successive decisions of its own with a choice."""
    state, found = position(game, 0), []
    seat, stream = state.seat_to_move, engine.RandomStream(2)
    while len(found) < number:
        if state.is_chance:
            state.apply(state.sample_chance(stream))
            continue
        moves = state.legal_moves()
        if state.seat_to_move == seat and len(moves) > 1:
            found.append(state.view(seat))
        state.apply(moves[0])
    return found


def test_the_cost_of_decisions_is_learned(now):
    """From what is gone from the clock beyond the time of the search."""
    pace, clock = Pace(10), 1_000.0
    assert pace.cost_ms is None
    for view in views(engine.load("oh_hell"), 6):
        limits = search.Limits(clock_ms=clock, inc_ms=5)
        share = pace.share_ms(view, limits, 1)
        pace.begin(limits, share)
        now[0] += int(share * 1e6)
        pace.end()
        clock += 5 - share - 0.75
    assert pace.cost_ms == pytest.approx(0.75)


def test_an_early_end_is_no_negative_cost(now):
    pace, (first, second, third) = Pace(10), views(engine.load("oh_hell"), 3)
    limits = search.Limits(clock_ms=1_000, inc_ms=5)
    pace.begin(limits, pace.share_ms(first, limits, 1))
    now[0] += 2_000_000
    pace.end()
    pace.share_ms(second, search.Limits(clock_ms=1_002, inc_ms=5), 1)
    assert pace.cost_ms == pytest.approx(1.0)
    # A clock that was set anew in between teaches nothing.
    pace.begin(limits, 1.0)
    pace.end()
    pace.share_ms(third, search.Limits(clock_ms=900_000), 1)
    assert pace.cost_ms == pytest.approx(1.0)


def test_the_end_comes_nearer():
    """The estimate falls by one with each choice, and is made anew from time to time."""
    game = max((engine.load(name) for name in engine.available()), key=lambda g: g.max_plies)
    pace, seen = Pace(10), []
    for view in views(game, 7):
        pace.share_ms(view, search.Limits(clock_ms=1_000), 1)
        seen.append(pace.to_go[0])
    assert [seen[0] - number for number in seen] == pytest.approx(range(7))
    first = views(game, 1)[0]
    pace.share_ms(first, search.Limits(clock_ms=1_000), 1)
    assert pace.to_go[0] == seen[0], "another game begins from nothing"


def test_a_clock_with_a_number_of_moves(game):
    """Then nothing needs to be guessed."""
    pace, view = Pace(10), position(game, 0)
    view = view.view(view.seat_to_move)
    share = pace.share_ms(view, search.Limits(clock_ms=60_050, moves_to_go=40), 1)
    assert share == pytest.approx(1_490)
    assert pace.share_ms(view, search.Limits(nodes=5), 1) is None
    assert pace.share_ms(view, search.Limits(clock_ms=9), 1) == 0.0


def test_games_are_played_on(game):
    """Choices are some of the decisions; the same seed says the same."""
    state = position(game, 0)
    view = state.view(state.seat_to_move)
    choices, decisions = decisions_to_come(view, 20, 3)
    assert 1.0 <= choices <= decisions <= game.max_plies
    assert decisions_to_come(view, 20, 3) == (choices, decisions)
    late = position(game, 250 if game.max_plies > 500 else 1)
    assert decisions_to_come(late.view(late.seat_to_move), 20, 3)[1] >= 1.0
    with pytest.raises(ValueError, match="view"):
        decisions_to_come(state, 20, 3)
    with pytest.raises(ValueError, match="number"):
        decisions_to_come(view, 0)


def test_the_searcher_uses_it():
    """The next decision is divided by what the one before has taught."""
    searcher, game = search.Searcher(), engine.load("oh_hell")
    first, second = views(game, 2)
    searcher.go(first, search.Limits(clock_ms=1_000))
    searcher.go(second, search.Limits(clock_ms=900))
    assert 0.0 < searcher._pace.cost_ms <= 100.0
    searcher.new_game()
    assert searcher._pace.cost_ms is None
