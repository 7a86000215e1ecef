"""When a search ends: simulations, time, clocks, depth, and how they combine."""

# Under clocks a decision with one legal move gets this many simulations: enough for a score.
FORCED_SIMULATIONS = 32

# Times beyond this, some thirty years, would overflow a clock of nanoseconds.
LONGEST_MS = 10**12

# A clock is divided by the expected number of own decisions to come, kept within these bounds.
_FEWEST_TO_GO, _MOST_TO_GO = 10, 500
# Players end a game with about this share of the decisions that random moves need.
_PLAYED_SHARE = 0.5
# So many times the overhead is kept on a clock for the delays of a busy machine.
_RESERVE = 5
# No single decision may take more than this share of a clock without its reserve.
_LARGEST_SHARE = 0.5
_LEAST_SHARE_MS = 0.1
# Share of an increment that is spent at once.
_INCREMENT_SHARE = 0.75


class Limits:
    """Limits of one search; the first that is reached ends it. Times are kept within LONGEST_MS.

    Args:
        nodes: simulations, 0 or more.
        time_ms: milliseconds, an upper limit; 0 or less answers at once.
        depth: ends when `Info.depth` reaches it, or when the tree has stopped growing.
        infinite: the answer waits for `stop()`, even when another limit has ended the work.
        clock_ms: what is left on the own clock; 0 or less answers at once.
        inc_ms: what the clock gains with each decision.
        moves_to_go: own decisions until the clock is refilled; 0 or None: not known.
        searchmoves: consider only these root moves.
    """

    __slots__ = (
        "clock_ms",
        "depth",
        "inc_ms",
        "infinite",
        "moves_to_go",
        "nodes",
        "searchmoves",
        "time_ms",
    )

    def __init__(
        self,
        nodes: int | None = None,
        time_ms: float | None = None,
        depth: int | None = None,
        infinite: bool = False,
        clock_ms: float | None = None,
        inc_ms: float = 0,
        moves_to_go: int | None = None,
        searchmoves: tuple[int, ...] | None = None,
    ) -> None:
        self.nodes, self.depth, self.infinite = nodes, depth, infinite
        self.time_ms = None if time_ms is None else _bounded(time_ms)
        self.clock_ms = None if clock_ms is None else _bounded(clock_ms)
        self.inc_ms, self.moves_to_go = _bounded(inc_ms), moves_to_go
        self.searchmoves = searchmoves

    @property
    def is_open(self) -> bool:
        """True if nothing would ever end the search, not even `stop()` being waited for."""
        given = (self.nodes, self.time_ms, self.depth, self.clock_ms)
        return not self.infinite and all(limit is None for limit in given)

    def __repr__(self) -> str:
        given = ((name, getattr(self, name)) for name in self.__slots__)
        return f"Limits({', '.join(f'{k}={v!r}' for k, v in given if v)})"


def _bounded(time_ms: float) -> float:
    return min(max(time_ms, 0), LONGEST_MS)


def share_of_clock(
    clock_ms: float, inc_ms: float, decisions_to_go: float, overhead_ms: float
) -> float:
    """Return the milliseconds that one decision may take, 0 or more.

    The clock is divided evenly over the decisions to go, with most of the increment on top. The
    overhead (what a decision costs beside the search) is taken off, but leaves a quarter of a
    share. Little is left of a clock in reserve, and nothing of one that does not exceed the
    overhead.
    """
    if clock_ms <= overhead_ms:
        return 0.0
    to_go = min(max(decisions_to_go, 1.0), _MOST_TO_GO)
    spare = max(clock_ms - _RESERVE * overhead_ms, 0.0)
    share = min(
        spare / to_go + _INCREMENT_SHARE * inc_ms,
        spare * (_LARGEST_SHARE if to_go > 1 else 1.0),
    )
    least = min(_LEAST_SHARE_MS, clock_ms - overhead_ms)
    return max(share - overhead_ms, share / 4, least)


def expected_to_go(choices_per_playout: float, num_seats: int) -> float:
    """Return how many own decisions to plan for, from the choices of all seats in a playout."""
    expected = _PLAYED_SHARE * choices_per_playout / num_seats
    return min(max(expected, _FEWEST_TO_GO), _MOST_TO_GO)
