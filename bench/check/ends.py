"""Steps: leaving. Each has a process of its own; the exit code is 0, and no child is left."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress

from bench.check.steps import LEAVE_S, Failure, expect, in_time, step
from bench.check.subject import Subject
from bench.check.talk import Talk, describe_end
from protocol.messages import split_words


async def _leaves(subject: Subject, told: str, end: Callable[[Talk], None], go: str = "") -> None:
    """Fail unless a process, perhaps in a search, ends as it should when told to."""

    async def wait() -> float:
        talk = await subject.open()
        if go:
            await talk.place(subject.material.choice.line)
            await talk.send(f"go {go}")
            await asyncio.sleep(0.05)
        talk.note(f"({told})") if told != "quit" else await talk.send("quit")
        end(talk)
        seconds = await talk.ended()
        code = talk.wire.exit_code
        expect(code == 0, "exit code 0", describe_end(code))
        _left_nothing(await talk.rest(), 1 if go else 0)
        await _has_no_children(talk)
        return seconds

    await in_time(wait, LEAVE_S, f"the end of the process after {told}")


def _left_nothing(lines: list[str], answers: int) -> None:
    """Fail if more was printed at the end than the answer to a search."""
    rest = [line for line in lines if split_words(line)[0] != "info"]
    good = len(rest) <= answers and all(line.startswith("bestmove ") for line in rest)
    expect(good, "no further output", "; ".join(rest[:3]))


async def _has_no_children(talk: Talk) -> None:
    """Fail if a process of the engine's group is still there, some milliseconds later."""
    for _ in range(10):
        try:
            os.killpg(talk.wire.pid, 0)
        except (ProcessLookupError, PermissionError):
            return
        await asyncio.sleep(0.02)
    expect(False, "no child left", "a process of its group still runs")


def _nothing(talk: Talk) -> None:
    """Leave it at what was sent."""


def _close(talk: Talk) -> None:
    talk.wire.close_input()


def _sigterm(talk: Talk) -> None:
    talk.wire.signal(signal.SIGTERM)


def _sigint(talk: Talk) -> None:
    talk.wire.signal(signal.SIGINT)


@step("quit", 4)
async def quit_idle(subject: Subject) -> None:
    """Leave at `quit` within a second, exit code 0."""
    await _leaves(subject, "quit", _nothing)


@step("quit-in-search", 4)
async def quit_in_search(subject: Subject) -> None:
    """Leave at `quit` in a search."""
    await _leaves(subject, "quit", _nothing, "infinite")
    await _leaves(subject, "quit", _nothing, "movetime 60000")


@step("end-of-input", 4)
async def end_of_input(subject: Subject) -> None:
    """Leave at the end of the input."""
    await _leaves(subject, "end of input", _close)


@step("end-of-input-in-search", 4)
async def end_of_input_in_search(subject: Subject) -> None:
    """Leave at the end of the input in a search."""
    await _leaves(subject, "end of input", _close, "infinite")
    await _leaves(subject, "end of input", _close, "ponder movetime 60000")


@step("sigterm", 4)
async def sigterm(subject: Subject) -> None:
    """Leave at SIGTERM, exit code 0."""
    await _leaves(subject, "SIGTERM", _sigterm)


@step("sigterm-in-search", 4)
async def sigterm_in_search(subject: Subject) -> None:
    """Leave at SIGTERM in a search."""
    await _leaves(subject, "SIGTERM", _sigterm, "infinite")


@step("output-closed", 4)
async def output_closed(subject: Subject) -> None:
    """Leave when nobody reads the output any more."""

    async def wait() -> float:
        talk = await subject.open()
        await talk.place(subject.material.choice.line)
        await talk.send("go infinite")
        talk.wire.close_output()
        talk.note("(output closed)")
        await asyncio.sleep(0.02)  # it is closed as soon as the loop comes to it
        start = time.perf_counter()
        with suppress(Failure):  # it may have left already
            await talk.send("isready")
        await talk.ended()
        await _has_no_children(talk)
        return time.perf_counter() - start

    await in_time(wait, LEAVE_S, "the end of the process after its output was closed")


@step("sigint", 4)
async def sigint(subject: Subject) -> None:
    """Leave at SIGINT, idle and in a search."""
    await _leaves(subject, "SIGINT", _sigint)
    await _leaves(subject, "SIGINT", _sigint, "infinite")
