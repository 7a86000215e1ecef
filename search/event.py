"""A flag that threads can wait for; `threading` itself would cost start-up time."""

from _thread import allocate_lock


class Event:
    """Goes up once, by `set`, and stays up."""

    __slots__ = ("_guard", "_is_set", "_lock")

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._lock.acquire()
        self._guard = allocate_lock()
        self._is_set = False

    def set(self) -> None:
        """Raise the flag for good."""
        with self._guard:
            if not self._is_set:
                self._is_set = True
                self._lock.release()

    def is_set(self) -> bool:
        """Return True after `set`."""
        return self._is_set

    def wait(self, timeout: float = -1.0) -> bool:
        """Wait for the flag, at most `timeout` seconds (-1: for ever); return whether it is up."""
        # The lock may be held for ever by a wait that a signal has ended.
        if not self._is_set and self._lock.acquire(True, timeout):
            self._lock.release()
        return self._is_set
