"""The manager: plays the blocks of a schedule, and counts them in its order.

A game counts when its line is on the disk, a block when all its games do and all blocks before it
are counted. So what a run finds does not depend on how many games run at a time, nor on how often
it was broken off and resumed.
"""

import asyncio
import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from bench.contestant import BadContestant
from bench.exits import EXIT_DONE, EXIT_ENGINE, EXIT_INTERNAL, EXIT_INTERRUPTED
from bench.plan import Executor, ExecutorLost, Plan
from bench.referee.block import Block
from bench.referee.game_result import GameResult
from bench.referee.verdicts import Termination
from bench.tournament import events
from bench.tournament.counting import Taker
from bench.tournament.intake import Intake, MakeGuard, OpenBlock, internal
from bench.tournament.journal import BadJournal, Journal
from bench.tournament.outcome import (
    DECIDED,
    FAILED,
    FINISHED,
    INTERNAL,
    INTERRUPTED,
    Outcome,
    RunEnd,
)
from bench.tournament.past import Past
from protocol import VERSION

LOSSES_MAX = 20
"""Times that a block may be lost with its machine before the run ends."""

STANDINGS_S = 1.0
"""Seconds between two events of the standings at least."""

LOOK_S = 1.0
"""Seconds after which the capacity of the executor is looked at again."""


async def run(
    plan: Plan,
    executor: Executor,
    *,
    journal: Journal | None = None,
    takers: Sequence[Taker] = (),
    emit: events.Emit | None = None,
    make_guard: MakeGuard | None = None,
    resume_command: Sequence[str] = (),
    finish: Callable[[Outcome], None] | None = None,
) -> Outcome:
    """Play a run and return its outcome; journal and executor are closed then.

    The journal may hold games already: they are counted first, and only the others are played.
    `takers` get the counted blocks, `emit` the events. A worker of which the guard says a fault
    gets nothing more, and its games are played again; that needs a journal. `finish` is called with
    the outcome before it is told as the last event, and may change it.

    When the task is cancelled, games under way end without a result and the outcome says
    INTERRUPTED; cancelled again, the engines are killed at once. Raises BadContestant if an engine
    does not declare an option, OSError if the executor cannot be opened.
    """
    return await Run(plan, executor, journal, takers, emit, make_guard).go(resume_command, finish)


class Run:
    """A run under way; see `run`."""

    def __init__(
        self,
        plan: Plan,
        executor: Executor,
        journal: Journal | None,
        takers: Sequence[Taker],
        emit: events.Emit | None,
        make_guard: MakeGuard | None,
    ) -> None:
        self._plan, self._executor, self._journal = plan, executor, journal
        self._emit: events.Emit = emit or (lambda event: None)
        self._is_heard = emit is not None
        self._in = Intake(plan, journal, takers, self._emit, make_guard)
        self._past = Past(plan, journal)
        self._retry: list[OpenBlock] = []
        self._next = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._error: Exception | None = None
        self._start_s = time.monotonic()
        self._first_block = 0
        # Before that the counters do not tell how far the run is.
        self._has_begun = False

    async def go(
        self, resume_command: Sequence[str], finish: Callable[[Outcome], None] | None
    ) -> Outcome:
        """Play the run; see `run`."""
        telling: asyncio.Task[None] | None = None
        try:
            await self._begin()
            telling = asyncio.create_task(self._keep_telling())
            await self._play()
        except asyncio.CancelledError:
            _forget_cancelling()
            self._in.stop(RunEnd(INTERRUPTED, "", EXIT_INTERRUPTED))
        except RunEnd as end:
            self._in.stop(end)
        except (BadContestant, BadJournal, OSError) as error:
            self._error = error
        except Exception as error:
            self._in.stop(internal(error))
        if telling is not None:
            telling.cancel()
        await self._shut_down()
        return self._conclude(resume_command, finish)

    async def _begin(self) -> None:
        if self._is_heard:
            import bench.statistics.ratings  # noqa: F401 - it takes its time: not during a game

        await self.recount()
        self._first_block = self._in.counting.next
        await self._executor.open(self._plan)
        if self._journal is not None and self._journal.resumed_games:
            games = self._journal.resumed_games
            await self._journal.append({"resumed": {"games": games, "drakkar": VERSION}})
        schedule, capacity = self._in.counting.schedule, self._executor.capacity
        self._emit(events.run_event(self._plan, schedule, capacity, self._first_block))
        self._start_s = time.monotonic()
        self._has_begun = True

    async def recount(self) -> None:
        """Begin all counters anew and feed them with what the journal holds."""
        self._in.reset()
        self._retry.clear()
        await self._past.recount(self._in.counting, self._in.guard)
        self._next = self._in.counting.next

    async def _play(self) -> None:
        while self._in.end is None:
            self._in.wake.clear()
            if self._in.suspect is not None:
                await self._set_aside(*self._in.suspect)
            if self._in.counting.decision is not None:
                assert self._in.counting.test is not None
                raise RunEnd(DECIDED, self._in.counting.test.conclusion(), EXIT_DONE)
            try:
                self._fill()
            except ExecutorLost as error:
                raise RunEnd(INTERNAL, str(error), EXIT_INTERNAL) from None
            if not (self._tasks or self._retry or self._in.num_writing or self._in.open):
                if self._is_over():
                    failed = self._in.never_started()
                    if failed is not None:
                        raise failed
                    return
                if self._next_block() is None:
                    raise RunEnd(INTERNAL, "the schedule waits for nothing", EXIT_INTERNAL)
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._in.wake.wait()

    def _fill(self) -> None:
        """Start blocks while there is room for them."""
        capacity = self._executor.capacity
        while self._in.end is None and len(self._tasks) < capacity:
            opened = self._take_retry() or self._open_next(16 + 8 * capacity)
            if opened is None or self._in.counting.decision is not None:
                return
            task = asyncio.create_task(self._play_block(opened, opened.missing()))
            self._tasks.add(task)
            task.add_done_callback(self._has_ended)

    def _has_ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._in.wake.set()

    def _take_retry(self) -> OpenBlock | None:
        if not self._retry:
            return None
        first = min(self._retry, key=lambda opened: opened.block.number)
        self._retry.remove(first)
        return first

    def _open_next(self, window: int) -> OpenBlock | None:
        """Return the next block with games to play; not too far ahead of those that count."""
        while self._next - self._in.counting.next < window and self._in.counting.decision is None:
            block = None if self._is_over() else self._next_block()
            if block is None:
                return None
            results = self._past.take(block)
            opened = OpenBlock(block, self._plan.jobs(block), results)
            self._in.open[self._next] = opened
            self._next += 1
            if opened.missing():
                return opened
            self._in.count()
        return None

    def _next_block(self) -> Block | None:
        return self._in.counting.schedule.block(self._next)

    def _is_over(self) -> bool:
        """Return True if the schedule has no further block."""
        try:
            self._in.counting.schedule.block(self._next)
        except IndexError:
            return True
        return False

    async def _play_block(self, opened: OpenBlock, rotations: list[int]) -> None:
        """Have the missing games of a block played, and see what came of it."""
        lost = ""
        try:
            await self._executor.play(opened.block, rotations, self._in)
        except ConnectionError as error:
            lost = str(error) or type(error).__name__
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            lost = "its game was cancelled"  # by the executor, not by us
        except ExecutorLost as error:
            self._in.stop(RunEnd(INTERNAL, str(error), EXIT_INTERNAL))
        except BadContestant as error:
            self._error = self._error or error
            self._in.stop(RunEnd(FAILED, str(error), EXIT_ENGINE))
        except Exception as error:
            self._in.stop(internal(error))
        if opened.is_spoilt:
            self._drop_results(opened)
        elif opened.missing():
            opened.losses += 1
            if lost:
                self._in.warn(f"block {opened.block.number + 1} was lost: {lost}")
            if opened.losses > LOSSES_MAX:
                text = f"block {opened.block.number + 1} was lost {opened.losses} times"
                self._in.stop(RunEnd(INTERNAL, text, EXIT_INTERNAL))
        for rotation in range(len(opened.jobs)):
            self._in.under_way.pop((opened.block.number, rotation), None)
        if opened.missing():
            self._retry.append(opened)

    def _drop_results(self, opened: OpenBlock) -> None:
        """Forget the games of a block with a void one: all of it is played again."""
        rotations = [*opened.results, *opened.writing]
        numbers = [opened.jobs[rotation].number + 1 for rotation in sorted(rotations)]
        opened.results.clear()
        opened.writing.clear()
        opened.is_spoilt = False
        if numbers and self._journal is not None:
            self._append({"purge": {"games": numbers, "reason": "a game of the block is void"}})

    def _append(self, fields: dict[str, Any]) -> asyncio.Future[None]:
        """Write a line of the journal that is no game; a failure is met at the next game."""
        assert self._journal is not None
        written = self._journal.append(fields)
        written.add_done_callback(lambda future: future.exception())
        return written

    async def _set_aside(self, worker: str, reason: str) -> None:
        """Give nothing more to a worker, and have all its games played again."""
        assert self._journal is not None
        self._executor.exclude(worker)
        self._in.num_warnings += 1
        self._emit(events.worker_event(worker, "quarantined", reason))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while self._in.num_writing:
            self._in.wake.clear()
            await self._in.wake.wait()
        numbers = await self._past.games_of(worker)
        with suppress(OSError):
            await self._append({"purge": {"games": numbers, "reason": reason, "worker": worker}})
        await self.recount()
        self._in.changed.set()
        self._in.wake.set()

    # ---- the end ----

    async def _shut_down(self) -> None:
        """End what is under way; cancelled meanwhile, at once."""
        for task in self._tasks:
            task.cancel()
        ending = asyncio.ensure_future(self._end_all())
        hurry: asyncio.Task[None] | None = None
        while not ending.done() or (hurry is not None and not hurry.done()):
            try:
                await asyncio.wait({ending} if hurry is None else {ending, hurry})
            except asyncio.CancelledError:
                _forget_cancelling()
                if hurry is None:
                    hurry = asyncio.create_task(self._close_at_once())

    async def _close_at_once(self) -> None:
        with suppress(Exception):  # the ordinary close tells of faults
            await self._executor.close(at_once=True)

    async def _end_all(self) -> None:
        """Wait for the games, the engines and the disk. It raises nothing."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
        try:
            await self._executor.close()
        except Exception as error:
            self._in.stop(internal(error))
        while self._in.num_writing:
            self._in.wake.clear()
            await self._in.wake.wait()
        if self._journal is None:
            return
        if self._has_begun and self._error is None and self._journal.error is None:
            with suppress(OSError):
                await self._append({"end": self._end_fields()})
        self._journal.close()

    def _end_fields(self) -> dict[str, Any]:
        unfinished = [
            [number + 1, [rotation + 1 for rotation in sorted(opened.results)]]
            for number, opened in sorted(self._in.open.items())
            if opened.results and opened.missing()
        ]
        return {
            "reason": FINISHED if self._in.end is None else self._in.end.reason,
            "blocks": self._in.counting.next,
            "games": self._in.counting.games,
            "unfinished": unfinished,
        }

    def _conclude(
        self, resume_command: Sequence[str], finish: Callable[[Outcome], None] | None
    ) -> Outcome:
        """Tell the last events, and return the outcome."""
        if self._error is not None:
            raise self._error
        counting, outcome, end = self._in.counting, Outcome(), self._in.end
        outcome.planned = counting.schedule.planned
        outcome.counted_blocks, outcome.counted_games = counting.next, counting.games
        outcome.games = counting.games + self._past.games_ahead
        outcome.games += sum(len(opened.results) for opened in self._in.open.values())
        outcome.seconds = time.monotonic() - self._start_s
        outcome.warnings = self._in.num_warnings
        outcome.last_words = [words for _, words in sorted(self._in.last_words.items())]
        outcome.decision = counting.decision or ""
        outcome.text = f"finished after {counting.games} games"
        if end is not None:
            outcome.reason, outcome.text = end.reason, end.text
            outcome.exit_code, outcome.failure = end.exit_code, end.failure
        if outcome.reason == INTERRUPTED:
            planned = outcome.planned * self._plan.games_per_block
            outcome.text = f"interrupted after {counting.games} of {planned} games"
        if not outcome.is_complete and self._journal is not None and resume_command:
            outcome.resume = shlex.join(resume_command)
        for job in self._in.under_way.values():
            self._emit(events.game_event(GameResult(job, Termination.INTERRUPTED)))
        self._tell_standings()
        if finish is not None:
            finish(outcome)
        text = (outcome.reason, outcome.text, outcome.resume, outcome.exit_code)
        self._emit(events.end_event(*text))
        return outcome

    async def _keep_telling(self) -> None:
        """Tell the standings after counted blocks, but not too often."""
        while True:
            await self._in.changed.wait()
            self._in.changed.clear()
            self._tell_standings()
            await asyncio.sleep(STANDINGS_S)

    def _tell_standings(self) -> None:
        if not self._is_heard:
            return
        counting = self._in.counting
        seconds = time.monotonic() - self._start_s
        blocks, left = counting.next - self._first_block, counting.schedule.planned - counting.next
        eta_s = seconds / blocks * left if blocks > 0 and self._in.end is None else None
        test = None if counting.test is None else counting.test.to_json()
        standings = counting.standings
        event = events.standings_event(standings, counting.schedule, test, seconds, eta_s)
        self._emit(event)


def _forget_cancelling() -> None:
    """Take note of a cancellation, so that what follows can wait again."""
    task = asyncio.current_task()
    if task is not None:
        task.uncancel()


__all__ = ["Run", "run"]
