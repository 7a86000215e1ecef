"""When a search ends: simulations, time, clocks, depth, and how they combine."""

from operator import index

# Under clocks a decision with one legal move gets this many simulations: enough for a score.
FORCED_SIMULATIONS = 32

# Times beyond this, some thirty years, would overflow a clock of nanoseconds.
LONGEST_MS = 10**12

# A clock is divided by the expected number of own choices to come, kept within these bounds.
_FEWEST_TO_GO, _MOST_TO_GO = 10, 500
# So many times the overhead is kept on a clock for the delays of a busy machine, but not more than
# this share of the largest clock that was seen.
_RESERVE, _LARGEST_RESERVE = 5, 0.25
# No single decision may take more than this share of a clock without its reserve, or of what an
# increment leaves.
_LARGEST_SHARE = 0.5
_LEAST_SHARE_MS = 0.1


class Limits:
    """Limits of one search; the first that is reached ends it. Times are kept within LONGEST_MS.

    Args:
        nodes: simulations; 0 or less answers at once.
        time_ms: milliseconds, an upper limit; 0 or less answers at once.
        depth: ends when `Info.depth` reaches it, or when the tree has stopped growing.
        infinite: the answer waits for `stop()`, even when another limit has ended the work.
        clock_ms: what is left on the own clock; 0 or less answers at once.
        inc_ms: what the clock gains with each decision.
        moves_to_go: own decisions until the clock is refilled; 0 or None: not known.
        searchmoves: consider only these root moves.

    Raises:
        TypeError: nodes or depth that is no whole number.
        ValueError: a time that is no number.
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
        self.nodes = None if nodes is None else max(_whole("nodes", nodes), 0)
        self.depth = None if depth is None else _whole("depth", depth)
        self.infinite = infinite
        self.time_ms = None if time_ms is None else _bounded(time_ms)
        self.clock_ms = None if clock_ms is None else _bounded(clock_ms)
        self.inc_ms, self.moves_to_go = _bounded(inc_ms), moves_to_go
        self.searchmoves = searchmoves

    @property
    def is_open(self) -> bool:
        """True if nothing would ever end the search, not even `stop()` being waited for."""
        given = (self.nodes, self.time_ms, self.depth, self.clock_ms)
        return not self.infinite and all(limit is None for limit in given)

    @property
    def is_counted(self) -> bool:
        """True if a count may end the search: what it finds must not depend on earlier ones."""
        return self.nodes is not None or self.depth is not None

    def __repr__(self) -> str:
        given = ((name, getattr(self, name)) for name in self.__slots__)
        return f"Limits({', '.join(f'{k}={v!r}' for k, v in given if v)})"


def _bounded(time_ms: float) -> float:
    if time_ms != time_ms:
        raise ValueError("a time is a number of milliseconds, not NaN")
    return min(max(time_ms, 0), LONGEST_MS)


def _whole(name: str, number: int) -> int:
    try:
        return index(number)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {number!r}") from None


def share_of_clock(
    clock_ms: float,
    inc_ms: float,
    choices_to_go: float,
    overhead_ms: float,
    cost_ms: float | None = None,
    decisions_to_go: float = 0,
    largest_ms: float = 0,
) -> float:
    """Return the milliseconds that one choice may take, 0 or more.

    The clock without its reserve, and what the increments to come leave on it, are divided evenly
    over the choices to go. What a decision costs beside the search is taken off, but leaves a
    quarter of a share. Where the reserve is touched, less than half of an increment is spent, the
    less there is, so that the clock recovers. An increment comes behind the decision: large ones do
    not touch the reserve. Nothing is left of a clock that does not exceed the overhead.

    Args:
        clock_ms: what is left.
        inc_ms: what it gains with each decision.
        choices_to_go: own decisions with more than one legal move, this one included.
        overhead_ms: what a decision may cost beside the search at most, as the user says.
        cost_ms: what it does cost, where that is known.
        decisions_to_go: all own decisions, where that is more.
        largest_ms: the largest clock seen in this game.
    """
    if clock_ms <= overhead_ms:
        return 0.0
    cost = overhead_ms if cost_ms is None else cost_ms
    choices = min(max(choices_to_go, 1.0), _MOST_TO_GO)
    decisions = min(max(decisions_to_go, choices), 2 * choices)
    most = _LARGEST_RESERVE * max(clock_ms, largest_ms)
    reserve = min(_RESERVE * overhead_ms, most)
    spare = max(clock_ms - reserve, 0.0)
    gain = inc_ms - cost
    even = max((spare + gain * decisions) / choices, (spare / choices + inc_ms) / 4)
    share = min(even, _LARGEST_SHARE * (spare + max(gain, 0.0)))
    if choices <= 1.0:
        share = spare - cost
    elif clock_ms < reserve:
        share *= clock_ms / reserve
    least = min(_LEAST_SHARE_MS, clock_ms - overhead_ms)
    left = clock_ms - overhead_ms
    return min(max(share, least), max(spare, _LARGEST_SHARE * left), left)


def within_bounds(choices_to_go: float) -> float:
    """Return an estimate of the choices to go as a clock is divided by it."""
    return min(max(choices_to_go, _FEWEST_TO_GO), _MOST_TO_GO)
