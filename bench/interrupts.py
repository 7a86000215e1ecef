"""Signals that end a run: work is cancelled, so that it can end its engines."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


async def until_signal(work: Coroutine[Any, Any, T]) -> T:
    """Do some work; each SIGINT, SIGTERM or SIGHUP cancels it once more.

    After the first a match ends its engines, which may take a second, and reports; another one
    kills them.
    """
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup leaves it
            loop.add_signal_handler(number, task.cancel)
    return await task


def exit_on_signal() -> None:
    """Make SIGTERM and SIGHUP raise SystemExit, at which `subprocess.run` ends what it runs."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _exit)


def _exit(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)
