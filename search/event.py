"""A flag that threads can wait for; `threading` itself would cost start-up time."""

from _thread import allocate_lock


class Event:
    """Goes up once, by `set`, and stays up."""

    __slots__ = ("_is_set", "_lock")

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._lock.acquire()
        self._is_set = False

    def set(self) -> None:
        """Raise the flag for good; a signal handler may do so at any moment."""
        self._is_set = True
        # Guarding this by a lock would shut out a handler that interrupts it.
        try:
            self._lock.release()
        except RuntimeError:
            pass  # somebody else did so

    def is_set(self) -> bool:
        """Return True after `set`."""
        return self._is_set

    def wait(self, timeout: float = -1.0) -> bool:
        """Wait for the flag, at most `timeout` seconds (-1: for ever); return whether it is up."""
        # The lock may be held for ever by a wait that a signal has ended.
        if not self._is_set and self._lock.acquire(True, timeout):
            try:
                self._lock.release()
            except RuntimeError:
                pass  # another `set` did so
        return self._is_set
