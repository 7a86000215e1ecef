"""Clocks of a game, and how late the referee itself is."""

import asyncio
import time

import pytest

from bench.contestant import BadContestant, Limit, parse_clock
from bench.referee.clock import Clock, go_words
from bench.referee.lag import RECENT_S, TICK_S, monitor


def test_the_clock() -> None:
    """Time goes off, the increment comes on, and a forgiven overrun leaves no debt."""
    clock = Clock([Limit(base_ms=1000, inc_ms=100), Limit(nodes=5)])
    assert clock.words(0) == ["p1time", "1000", "p1inc", "100"]
    clock.spend(0, 250.0)
    assert clock.left_ms == [850.0, None]
    clock.spend(0, 5000.0)
    assert clock.left_ms == [100.0, None]
    assert go_words(Limit(base_ms=1000, inc_ms=100, nodes=9), 0, clock, 3) == (
        "p1time 100 p1inc 100 nodes 9 seed 3"
    )
    assert go_words(Limit(nodes=5), 1, clock, 3) == "nodes 5 seed 3"


def test_four_seats_have_four_clocks() -> None:
    """All are told to each seat that has one, its own decisions to go beside them."""
    limits = [Limit(base_ms=1000 * seat, inc_ms=seat) for seat in range(1, 4)]
    clock = Clock([*limits, Limit(base_ms=4000, period=10)])
    words = "p1time 1000 p1inc 1 p2time 2000 p2inc 2 p3time 3000 p3inc 3 p4time 4000 p4inc 0"
    assert " ".join(clock.words(1)) == words
    assert " ".join(clock.words(3)) == f"{words} movestogo 10"


def test_what_a_decision_may_take() -> None:
    """The clock, the time for each decision, or the lesser of both."""
    clock = Clock([Limit(base_ms=900, movetime_ms=200), Limit(movetime_ms=50), Limit(nodes=5)])
    assert [clock.budget_ms(seat) for seat in range(3)] == [200, 50, None]
    clock.spend(0, 800.0)
    assert clock.budget_ms(0) == pytest.approx(100.0)


def test_periods() -> None:
    """So many decisions for so much time, over and over; what is left is kept."""
    clock = Clock([Limit(base_ms=1000, inc_ms=10, period=3)])
    seen = []
    for _ in range(7):
        seen.append((clock.words(0)[-1], clock.left_ms[0]))
        clock.spend(0, 210.0)
    assert seen == [
        ("3", 1000.0),
        ("2", 800.0),
        ("1", 600.0),
        ("3", 1400.0),
        ("2", 1200.0),
        ("1", 1000.0),
        ("3", 1800.0),
    ]


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("10", (10000, 0, None)),
        ("10+0.1", (10000, 100, None)),
        ("40/60", (60000, 0, 40)),
        ("1/0.5+0.25", (500, 250, 1)),
    ],
)
def test_clocks_are_read(text: str, clock: tuple[int, int, int | None]) -> None:
    """Seconds, an increment, a number of decisions."""
    assert parse_clock(text) == clock


@pytest.mark.parametrize(
    "text", ["", "0", "x", "10+", "10+x", "/10", "0/10", "-1/10", "4/", "1/2/3"]
)
def test_bad_clocks(text: str) -> None:
    """The message shows what a clock looks like."""
    with pytest.raises(BadContestant, match=r"such as 10\+0.1"):
        parse_clock(text)


@pytest.mark.serial
def test_the_delays_of_the_loop_are_measured() -> None:
    """Also the one that is under way; what is read long after a delay did not wait for it."""

    async def main() -> None:
        lag, loop = monitor(), asyncio.get_running_loop()
        assert lag is monitor()
        await asyncio.sleep(3 * TICK_S)
        start = loop.time()
        time.sleep(0.3)
        middle = loop.time()
        assert 0.3 - 2 * TICK_S < lag.lag_between(start, middle) <= middle - start
        assert lag.worst_since(start) > 0.3 - 2 * TICK_S
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        woken = loop.time()
        assert 0.3 - 2 * TICK_S < lag.lag_between(start, woken) <= woken - start
        # Only what lies behind the start counts.
        assert lag.lag_between(middle - 0.1, woken) < 0.1 + (woken - middle) + TICK_S
        await asyncio.sleep(4 * RECENT_S)
        end = loop.time()
        assert lag.lag_between(start, end) < end - woken
        assert lag.worst_since(start) > 0.3 - 2 * TICK_S
        assert lag.worst_since(woken) < 0.3 - 2 * TICK_S

    asyncio.run(main())
