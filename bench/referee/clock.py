"""The clocks of one game, as the referee keeps them, and what a `go` line says of them."""

from bench.contestant import Limit


class Clock:
    """The time left to each seat, in milliseconds; None for a seat without a clock."""

    def __init__(self, limits: list[Limit]) -> None:
        self._limits = limits
        self.left_ms: list[float | None] = [limit.base_ms for limit in limits]
        # Decisions that each seat has to make until its time is refilled.
        self._to_go = [limit.period for limit in limits]

    def budget_ms(self, seat: int) -> float | None:
        """Return what a seat may spend on its next decision; None where no time runs."""
        left, movetime = self.left_ms[seat], self._limits[seat].movetime_ms
        if left is None:
            return movetime
        return left if movetime is None else min(left, movetime)

    def spend(self, seat: int, ms: float) -> None:
        """Take the time of a decision that was in time, then add what it earns.

        That is the increment and, behind the last decision of a period, the time of the next one.
        A forgiven overrun is no debt: nobody has less than the increment afterwards.
        """
        left = self.left_ms[seat]
        if left is None:
            return
        limit = self._limits[seat]
        left = max(0.0, left - ms) + limit.inc_ms
        to_go = self._to_go[seat]
        if to_go is not None:
            if to_go == 1:
                left += limit.base_ms or 0
            self._to_go[seat] = limit.period if to_go == 1 else to_go - 1
        self.left_ms[seat] = left

    def words(self, seat: int) -> list[str]:
        """Return the clocks of all seats as words of a `go` line for one of them."""
        words = []
        for index, left in enumerate(self.left_ms):
            if left is not None:
                words += [f"p{index + 1}time", str(int(left))]
                words += [f"p{index + 1}inc", str(self._limits[index].inc_ms)]
        to_go = self._to_go[seat]
        return words if to_go is None else [*words, "movestogo", str(to_go)]


def go_words(limit: Limit, seat: int, clock: Clock, seed: int) -> str:
    """Return what stands behind `go` for a decision of a seat."""
    words = [] if limit.base_ms is None else clock.words(seat)
    if limit.nodes is not None:
        words.append(f"nodes {limit.nodes}")
    if limit.movetime_ms is not None:
        words.append(f"movetime {limit.movetime_ms}")
    if limit.depth is not None:
        words.append(f"depth {limit.depth}")
    return " ".join([*words, f"seed {seed}"])


__all__ = ["Clock", "go_words"]
