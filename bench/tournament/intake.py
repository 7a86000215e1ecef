"""Where the results of a run come in, on their way to the disk and to the counters."""

import asyncio
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from bench.exits import EXIT_ENGINE, EXIT_INTERNAL, EXIT_OUTPUT
from bench.plan import Plan
from bench.referee.block import Block, Job
from bench.referee.game_result import GameResult, result_line
from bench.referee.policy import STOP
from bench.referee.verdicts import Fault, Termination
from bench.tournament import events
from bench.tournament.counting import Counting, Taker
from bench.tournament.guard import Guard
from bench.tournament.journal import Journal
from bench.tournament.outcome import FAILED, INTERNAL, RunEnd

TRIES = 3
"""Void games of a block that end the run."""

START_FAILURES = 3
"""Games in a row in which a contestant did not start, that end the run."""

Emit = events.Emit
MakeGuard = Callable[[], Guard]


class OpenBlock:
    """A block under way: its games, their results, and how often it went wrong."""

    __slots__ = ("block", "is_spoilt", "jobs", "losses", "results", "tries", "writing")

    def __init__(self, block: Block, jobs: list[Job], results: dict[int, GameResult]) -> None:
        self.block, self.jobs, self.results = block, jobs, results
        # Results on their way to the disk.
        self.writing: dict[int, GameResult] = {}
        self.tries = self.losses = 0
        self.is_spoilt = False

    def missing(self) -> list[int]:
        """Return the seatings without a result."""
        return [
            rotation
            for rotation in range(len(self.jobs))
            if rotation not in self.results and rotation not in self.writing
        ]


class Intake:
    """The sink of the executor: it has results written, and counts blocks that are complete.

    Attributes:
        counting: what whole blocks are fed to.
        open: the blocks under way, by their number.
        end: why the run ends, once that is known.
        suspect: a worker that is to be set aside, and why.
        num_writing: lines of games on their way to the disk.
        num_warnings: remarks so far.
        under_way: games that have begun.
        wake: set when the manager has something to look at.
        changed: set when blocks have been counted.
        last_words: of each contestant that lost a game by a fault, who it was and the end of what
            it had written to standard error, at its first such game.
    """

    def __init__(
        self,
        plan: Plan,
        journal: Journal | None,
        takers: Sequence[Taker],
        emit: Emit,
        make_guard: MakeGuard | None,
    ) -> None:
        self._plan, self._journal, self._emit = plan, journal, emit
        self._make_guard = None if journal is None else make_guard
        self.guard = None if self._make_guard is None else self._make_guard()
        self.counting = Counting(plan, takers)
        self.open: dict[int, OpenBlock] = {}
        self.under_way: dict[tuple[int, int], Job] = {}
        self.num_writing = self.num_warnings = 0
        self.suspect: tuple[str, str] | None = None
        self.end: RunEnd | None = None
        self.wake, self.changed = asyncio.Event(), asyncio.Event()
        self.last_words: dict[int, str] = {}
        self._start_failures: dict[int, list[RunEnd]] = {}

    def reset(self) -> None:
        """Forget all blocks: they are counted again from the first one."""
        self.counting.reset()
        self.open.clear()
        self.suspect = None
        if self._make_guard is not None:
            self.guard = self._make_guard()

    def start(self, job: Job, worker: str) -> None:
        """Take that a game begins."""
        self.under_way[job.block.number, job.rotation] = job
        self._emit(events.start_event(job, worker))

    def result(self, result: GameResult) -> None:
        """Take a finished game; all of them come in here, and the first of each counts."""
        number, rotation = result.job.block.number, result.job.rotation
        self.under_way.pop((number, rotation), None)
        opened = self.open.get(number)
        if opened is None or rotation not in opened.missing() or self._has_failed:
            return
        result.job = opened.jobs[rotation]
        if result.is_void:
            self._take_void(opened, result)
            return
        end = self._verdict_on(result)
        if end is not None:
            self._emit(events.game_event(result))
            self.stop(end)
            return
        opened.writing[rotation] = result
        if self._journal is None:
            self._store(opened, result)
            return
        self.num_writing += 1
        written = self._journal.append(result_line(result))
        written.add_done_callback(partial(self._written, opened, result))

    def warn(self, text: str, contestant: int | None = None, **fields: Any) -> None:
        """Take a remark about something unusual."""
        self.num_warnings += 1
        self._emit(events.warning_event(text, contestant, **fields))

    def _take_void(self, opened: OpenBlock, result: GameResult) -> None:
        self._emit(events.game_event(result))
        if result.termination != Termination.INTERNAL:
            return
        opened.tries += 1
        opened.is_spoilt = True
        why = "" if result.fault is None else f": {result.fault.text}"
        if opened.tries >= TRIES:
            text = f"{result.job} could not be played in {TRIES} tries{why}"
            self.stop(RunEnd(INTERNAL, text, EXIT_INTERNAL))
        else:
            self.warn(f"{result.job} has no result, its block is played again{why}")

    def _verdict_on(self, result: GameResult) -> RunEnd | None:
        """Return the end of the run if a result is a reason for it, else None."""
        fault = result.fault
        if fault is None or fault.kind != Termination.START:
            for contestant in result.job.seats:
                self._start_failures.pop(contestant, None)
        if fault is None:
            return None
        end, contestant = self._failure(result, fault), result.job.seats[fault.seat]
        if fault.kind == Termination.START:
            failures = self._start_failures.setdefault(contestant, [])
            failures.append(end)
            if len(failures) >= START_FAILURES:
                return end
        policy = self._plan.policy
        is_illegal = fault.kind == Termination.ILLEGAL
        return end if (policy.illegal if is_illegal else policy.failures) == STOP else None

    def _failure(self, result: GameResult, fault: Fault) -> RunEnd:
        """Return the end of a run by a fault of an engine."""
        contestant, job = result.job.seats[fault.seat], result.job
        label = self._plan.contestants[contestant].label
        failure = {
            "contestant": contestant,
            "label": label,
            "fault": fault.to_json(),
            "number": job.number + 1,
            "block": job.block.number + 1,
            "game": job.rotation + 1,
            "deal": job.deal,
        }
        text = f"engine {label} failed in {job}: {fault.kind}: {fault.text}"
        return RunEnd(FAILED, text, EXIT_ENGINE, failure)

    def never_started(self) -> RunEnd | None:
        """Return the failure of a contestant that did not start in any of its games, if any."""
        for contestant, failures in self._start_failures.items():
            numbers = self.counting.standings.contestants[contestant]
            if numbers.terminations[str(Termination.START)] == numbers.games:
                return failures[-1]
        return None

    def _written(
        self, opened: OpenBlock, result: GameResult, written: asyncio.Future[None]
    ) -> None:
        """Take that the line of a game is on the disk, or that it never will be."""
        self.num_writing -= 1
        self.wake.set()
        error = written.exception()
        if error is None:
            self._store(opened, result)
        else:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            where = "" if self._journal is None else f" {self._journal.path}"
            self.stop(RunEnd(FAILED, f"the journal{where} takes no more: {reason}", EXIT_OUTPUT))

    def _store(self, opened: OpenBlock, result: GameResult) -> None:
        """Take a result that will not be lost any more."""
        rotation = result.job.rotation
        if opened.writing.get(rotation) is not result:
            return  # its block is played again
        del opened.writing[rotation]
        opened.results[rotation] = result
        self._emit(events.game_event(result))
        self._tell_fault(result)
        if self.guard is not None:
            self.guard.take(result)
            reason = self.guard.fault(result.worker)
            if reason and self.suspect is None:
                self.suspect = (result.worker, reason)
        self.count()

    def _tell_fault(self, result: GameResult) -> None:
        """Warn of a game that an engine has lost by a fault; keep what it said when it began."""
        fault, job = result.fault, result.job
        if fault is None:
            return
        contestant = job.seats[fault.seat]
        label = self._plan.contestants[contestant].label
        # Not in the stream, which other engines may read: a process in its trouble says anything.
        if fault.stderr and contestant not in self.last_words:
            self.last_words[contestant] = f"{label} in {job}:\n{fault.stderr}"
        text = f"{label} lost {job} by {fault.kind}: {fault.text}"
        self.warn(text, contestant, kind=str(fault.kind))

    def count(self) -> None:
        """Count all blocks that are due."""
        counting = self.counting
        try:
            while counting.decision is None and self.suspect is None:
                opened = self.open.get(counting.next)
                if opened is None or len(opened.results) < len(opened.jobs):
                    break
                del self.open[counting.next]
                results = [opened.results[rotation] for rotation in range(len(opened.jobs))]
                counting.take(opened.block, results)
                self._emit(events.block_event(opened.block, results, counting.next))
                self.changed.set()
        except Exception as error:
            self.stop(internal(error))
        self.wake.set()

    def stop(self, end: RunEnd) -> None:
        """End the run; the first reason holds."""
        if self.end is None:
            self.end = end
        self.wake.set()

    @property
    def _has_failed(self) -> bool:
        """True if no result can be taken any more, as the journal or an engine has failed."""
        return self.end is not None and self.end.reason == FAILED


def internal(error: Exception) -> RunEnd:
    """Return the end of a run by a fault of our own, with the place where it was."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" (at {frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    text = f"internal fault: {type(error).__name__}: {error}{where}"
    return RunEnd(INTERNAL, text, EXIT_INTERNAL)


__all__ = ["Intake", "MakeGuard", "OpenBlock", "internal"]
