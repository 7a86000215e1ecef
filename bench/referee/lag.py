"""How late the referee's own event loop is, so that no engine pays for it."""

import asyncio
from collections import deque
from weakref import WeakKeyDictionary

TICK_S = 0.01
"""Seconds between looks at the clock; a delay is known to about that."""

RECENT_S = 0.05
"""An answer that is read so soon after a delay may have waited for the end of it."""

# Delays of so many seconds are remembered, the latest ones of each kind.
_SHORT_S, _LONG_S = 0.001, 0.1
_MOST = 100


class LagMonitor:
    """Watches how late an event loop runs what it should; get it by `monitor()`.

    A loop that is stopped, or busy with something else, wakes late. All times are those of the
    loop, in seconds.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        # When the loop should have woken, and when it did.
        self._late: deque[tuple[float, float]] = deque(maxlen=_MOST)
        self._long: deque[tuple[float, float]] = deque(maxlen=_MOST)
        self._due = 0.0
        self._set()

    def lag_between(self, start: float, end: float) -> float:
        """Return the seconds by which something was read late at `end`, at most since `start`.

        These are the delay under way and those that have just ended: what was read long after a
        delay did not wait for it.
        """
        lag = max(0.0, end - max(self._due, start))
        for due, woke in reversed(self._late):
            if woke < end - RECENT_S:
                break
            lag += max(0.0, min(woke, end) - max(due, start))
        return lag

    def worst_since(self, start: float) -> float:
        """Return the longest delay since `start` in seconds, if it was a long one, else 0."""
        worst = max(0.0, self._loop.time() - max(self._due, start))
        for due, woke in reversed(self._long):
            if woke < start:
                break
            worst = max(worst, woke - max(due, start))
        return worst if worst >= _LONG_S else 0.0

    def _set(self) -> None:
        self._due = self._loop.time() + TICK_S
        self._loop.call_at(self._due, self._tick)

    def _tick(self) -> None:
        now = self._loop.time()
        late_s = max(0.0, now - self._due)
        if late_s > _SHORT_S:
            self._late.append((self._due, now))
        if late_s > _LONG_S:
            self._long.append((self._due, now))
        self._set()


_MONITORS: "WeakKeyDictionary[asyncio.AbstractEventLoop, LagMonitor]" = WeakKeyDictionary()


def monitor() -> LagMonitor:
    """Return the monitor of the running event loop; it runs as long as the loop."""
    loop = asyncio.get_running_loop()
    found = _MONITORS.get(loop)
    if found is None:
        found = _MONITORS[loop] = LagMonitor(loop)
    return found


__all__ = ["RECENT_S", "TICK_S", "LagMonitor", "monitor"]
