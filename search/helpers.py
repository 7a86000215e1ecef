"""Threads kept from one task to the next: starting one costs dozens of simulations."""

import sys
from _thread import start_new_thread
from os import getpid

from search.event import Event

TYPE_CHECKING = False  # true for type checkers; importing typing would be slow
if TYPE_CHECKING:
    from collections.abc import Callable
    from queue import SimpleQueue
    from typing import Any

    Task = tuple[Callable[..., object], tuple[Any, ...], Event]
    Tasks = SimpleQueue[Task | None]


class Helpers:
    """Threads of one owner. They wait for something to do, and end once it is gone."""

    def __init__(self) -> None:
        self._tasks: Tasks | None = None
        self._number = 0
        self._process = getpid()

    def reserve(self, number: int) -> int:
        """See to it that there are this many threads; return how many the machine lets us have."""
        if self._process != getpid():
            # A fork has taken none of them along.
            self._tasks, self._number, self._process = None, 0, getpid()
        if self._tasks is None:
            from _queue import SimpleQueue  # `queue` would load `threading`

            self._tasks = SimpleQueue()
        while self._number < number:
            try:
                start_new_thread(_serve, (self._tasks,))
            except RuntimeError:
                break  # the machine has no more of them
            self._number += 1
        return min(self._number, number)

    def start(self, call: "Callable[..., object]", *args: "Any") -> Event:
        """Have one of the reserved threads call something; return what goes up afterwards."""
        assert self._tasks is not None
        done = Event()
        self._tasks.put((call, args, done))
        return done

    def let_go(self) -> None:
        """Have the threads end, once they have done what they were given."""
        tasks, self._tasks, self._number = self._tasks, None, 0
        if tasks is not None:
            tasks.put(None)

    __del__ = let_go


def _serve(tasks: "Tasks") -> None:
    """Do one task after another, until there is None; leave that for the other threads."""
    while _do(tasks.get()):
        pass
    tasks.put(None)


def _do(task: "Task | None") -> bool:
    """Do a task and forget it; return False if it is None."""
    if task is None:
        return False
    call, args, done = task
    try:
        call(*args)
    except BaseException:  # noqa: BLE001 - the thread is needed again
        _tell()
    finally:
        done.set()
    return True


def _tell() -> None:
    """Tell of the error that is handled, as the interpreter would, if that can be done."""
    try:
        sys.excepthook(*sys.exc_info())
    except BaseException:  # noqa: BLE001 - such as stderr being closed
        pass


__all__ = ["Helpers"]
