"""How a game gets along with its clock: decisions still to come, and what each one costs."""

from time import monotonic_ns

from search import limits as limits_module
from search.limits import Limits
from search.outlook import decisions_to_come

TYPE_CHECKING = False  # true for type checkers; importing typing would be slow
if TYPE_CHECKING:
    from engine import State

_MS = 1_000_000
# A search ends a game with about this share of the decisions that moves by prior need.
_PLAYED_SHARE = 0.7
# Games played on at the first decision, and later at every so many choices, which cost a few
# tenths of a millisecond each; an older estimate counts twice as much as a new one.
_FIRST_SAMPLES, _SAMPLES, _EVERY = 4, 1, 8
_OLD_WEIGHT = 2 / 3
# The cost of a decision is the mean of so many.
_COSTS = 16
# Costs beyond these, in milliseconds, are none: the clock was set anew.
_LEAST_COST_MS, _MOST_COST_MS = -5.0, 1000.0


class Pace:
    """Divides the clock of one seat over one game, and learns while the game goes on.

    Call `share_ms` for each decision, then `begin` and `end` around the search.

    Args:
        overhead_ms: what a decision costs beside the search, until the clock has told; five times
            that stay in reserve.
    """

    def __init__(self, overhead_ms: float) -> None:
        self._overhead_ms = overhead_ms
        self._of: tuple[str, int] | None = None
        self._forget()

    def _forget(self) -> None:
        self._ply = -1
        self._choices = self._decisions = 0.0
        self._since = _EVERY
        self._largest_ms = 0.0
        self._costs: list[float] = []
        # Clock with increment, share, and the time at which a search began; and what that took.
        self._begun: tuple[float, float, int] | None = None
        self._spent_ms: float | None = None

    @property
    def cost_ms(self) -> float | None:
        """Milliseconds that a decision takes off the clock beside its share; None: not known."""
        return max(sum(self._costs) / len(self._costs), 0.0) if self._costs else None

    @property
    def to_go(self) -> tuple[float, float]:
        """Own decisions still to come as last estimated: those with a choice, and all."""
        return self._choices, self._decisions

    def share_ms(self, view: "State", limits: Limits, seed: int) -> float | None:
        """Return the milliseconds of the own clock that a decision may take.

        0 where the clock does not exceed the overhead; None if the limits have no clock.

        Args:
            view: what the seat to move knows.
            limits: with the clock as it stands now.
            seed: of the games that are played on to see how long this one lasts.
        """
        clock = limits.clock_ms
        if clock is None:
            self._begun = None
            return None
        self._follow(view)
        self._note_cost(clock)
        if clock <= self._overhead_ms:
            return 0.0
        self._largest_ms = max(self._largest_ms, clock)
        choices = decisions = float(limits.moves_to_go or 0)
        if choices <= 0:
            self._look_ahead(view, seed)
            choices = limits_module.within_bounds(self._choices)
            decisions = max(self._decisions, choices)
        return limits_module.share_of_clock(
            clock,
            limits.inc_ms,
            choices,
            self._overhead_ms,
            self.cost_ms,
            decisions,
            self._largest_ms,
        )

    def _follow(self, view: "State") -> None:
        """Forget what another game taught; count the choices that this one has come to."""
        of = (view.game.identity, view.observer)
        if of != self._of or view.ply < self._ply:
            self._of = of
            self._forget()
        if view.ply != self._ply:
            self._ply = view.ply
            self._decisions -= 1
            if len(view.legal_moves()) > 1:
                self._since += 1
                self._choices -= 1

    def _look_ahead(self, view: "State", seed: int) -> None:
        """Estimate anew from time to time how many decisions are still to come."""
        if self._since < _EVERY:
            return
        self._since = 0
        is_first = self._choices <= 0
        seen = decisions_to_come(view, _FIRST_SAMPLES if is_first else _SAMPLES, seed % 2**64)
        choices, decisions = (_PLAYED_SHARE * number for number in seen)
        old = 0.0 if is_first else _OLD_WEIGHT
        self._choices = old * self._choices + (1 - old) * choices
        self._decisions = old * self._decisions + (1 - old) * decisions

    def _note_cost(self, clock_ms: float) -> None:
        """Learn from the clock what the last decision cost beside its share or, if less, search."""
        if self._begun is None or self._spent_ms is None:
            return
        before_ms, share_ms, _ = self._begun
        cost = before_ms - min(share_ms, self._spent_ms) - clock_ms
        self._begun = None
        if _LEAST_COST_MS < cost < _MOST_COST_MS:
            self._costs = [*self._costs[1 - _COSTS :], cost]

    def begin(self, limits: Limits, share_ms: float) -> None:
        """Note that a search of these limits begins now, which may take a share of the clock."""
        self._spent_ms = None
        self._begun = None
        if limits.clock_ms is not None:
            self._begun = (limits.clock_ms + limits.inc_ms, share_ms, monotonic_ns())

    def end(self) -> None:
        """Note that it has ended."""
        if self._begun is not None:
            self._spent_ms = (monotonic_ns() - self._begun[2]) / _MS
