"""How the engine process leaves at a signal; imported before all else, so it imports little."""

import os
from _thread import start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_waits = False


def leave_on_signals() -> None:
    """Let SIGINT and SIGTERM end the process with code 0, whatever its threads wait for.

    A handler would run in the reader, and not before it has read: a signal that comes just before
    it begins to wait would be lost. So a thread of its own waits for them.
    """
    import _signal  # type: ignore[import-not-found]  # `signal` would load enum

    global _waits
    numbers = (_signal.SIGINT, _signal.SIGTERM)
    if _waits:
        return
    _waits = True
    if hasattr(_signal, "sigwait"):
        _signal.pthread_sigmask(_signal.SIG_BLOCK, numbers)
        try:
            start_new_thread(_leave_after, (_signal.sigwait, numbers))
            return
        except RuntimeError:  # the system gives no thread
            _signal.pthread_sigmask(_signal.SIG_UNBLOCK, numbers)
    for number in numbers:
        _signal.signal(number, lambda number, frame: os._exit(0))


def _leave_after(wait: "Callable[[tuple[int, ...]], object]", numbers: tuple[int, ...]) -> None:
    wait(numbers)
    os._exit(0)
