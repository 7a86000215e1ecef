"""One place in a pool: the engine processes that play one game after another there.

A process meets one seating only, and no deal twice, as one does that is played again: nothing that
it remembers can tell it what another seat holds.
"""

import asyncio
import signal
import time
from collections import deque
from collections.abc import Mapping
from typing import Protocol

from bench.contestant import BadContestant, Contestant, check_option
from bench.plan import Plan, ResultSink
from bench.referee.block import Job
from bench.referee.game_result import GameResult
from bench.referee.lag import monitor
from bench.referee.play import Play, kind_of
from bench.referee.policy import DISTURBED_S, GAME
from bench.referee.verdicts import TEXT_SIZE, Fault, Termination
from bench.text import tail, visible
from protocol.client import Engine, EngineDied, EngineError, EngineProtocolError, EngineTimeout

# Idle processes that are kept at most.
MOST_IDLE = 16
# Deals that a process is known to have seen.
MOST_DEALS = 64
# Lines and characters of standard error that a fault keeps at most.
STDERR_LINES = 20
STDERR_SIZE = 4000

# Exit codes that need no remark: that of a good end, and those of the signals that we send.
NORMAL_EXITS = (None, 0, -signal.SIGTERM, -signal.SIGKILL, 128 + signal.SIGTERM)

Key = tuple[tuple[int, ...], int]
"""A seating and one of its seats."""


class Reaper(Protocol):
    """Finds and ends what engines leave behind; `bench.referee.guardian.Guardian` is one."""

    def env_for(self, name: str) -> Mapping[str, str]:
        """Return the environment that an engine is started with."""

    def reap(self, name: str) -> None:
        """End all that an engine has started."""


class Process:
    """An engine process and whose it is; `name` is what the guardian knows it by."""

    def __init__(self, engine: Engine, contestant: int, name: str) -> None:
        self.engine, self.contestant, self.name = engine, contestant, name
        self.odd = (0, 0)
        # Deals that it has seen; one that is played again comes soon after.
        self.deals: deque[int] = deque(maxlen=MOST_DEALS)


class StartFailure(Exception):
    """An engine that did not start: its fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


class Slot:
    """The processes of one place. `play` games one after another, then `close`.

    Attributes:
        name: what results call it.
        sink: takes warnings.
    """

    def __init__(
        self, plan: Plan, name: str, sink: ResultSink, guardian: Reaper | None = None
    ) -> None:
        self.name, self.sink = name, sink
        self._plan, self._guardian = plan, guardian
        # The processes by what they are for, the one used last at the end.
        self._processes: dict[Key, Process] = {}
        self._suspects: set[Key] = set()
        self._endings: dict[asyncio.Task[None], Process] = {}
        # Contestants whose engines have taken their options once. What they say of them later is a
        # fault of theirs and no mistake of the user, so it does not end the run.
        self._fit: set[int] = set()
        self._num_started = 0

    def __len__(self) -> int:
        """Return how many processes are kept."""
        return len(self._processes)

    async def play(self, job: Job) -> GameResult:
        """Play a game and return its result; an engine's fault is one, too.

        Raises BadContestant if the first engine of a contestant has no such option as it should be
        given. Cancelled, the game has no result; `close` ends its engines.
        """
        start = time.monotonic()
        keys = [(job.seats, seat) for seat in range(len(job.seats))]
        self._drop([key for key in keys if key in self._suspects or self._has_met(key, job.deal)])
        self._suspects.update(keys)
        play = Play(self._plan, job, monitor())
        unfit: list[Key] = []
        try:
            processes = await self._seated(job, keys)
            for process in processes:
                process.deals.append(job.deal)
        except StartFailure as failure:
            result = play.forfeit(failure.fault)
        else:
            result = await play.run([process.engine for process in processes])
            unfit = [keys[seat] for seat in sorted(play.unfit)]
            if result.fault is not None:
                process = processes[result.fault.seat]
                if result.fault.seat in play.unfit:
                    await process.engine.kill()
                result.fault.stderr = tail(process.engine.stderr_tail, STDERR_LINES, STDERR_SIZE)
            self._warn_of_odd(processes)
        self._suspects.difference_update(keys)
        self._drop(unfit, at_once=True)
        if self._plan.policy.restart == GAME:
            self._drop(keys)
        self._drop(list(self._processes)[:-MOST_IDLE])
        result.worker, result.seconds = self.name, time.monotonic() - start
        return result

    async def close(self, at_once: bool = False) -> None:
        """End all processes, at once by SIGKILL; if it is cancelled meanwhile, that too."""
        if at_once:
            self._signal_all(signal.SIGKILL)
        self._drop(list(self._processes), at_once)
        ending = asyncio.gather(*self._endings, return_exceptions=True)
        is_cancelled = False
        while not ending.done():
            try:
                await asyncio.shield(ending)
            except asyncio.CancelledError:
                is_cancelled = True
                self._signal_all(signal.SIGKILL)
        if is_cancelled:
            raise asyncio.CancelledError

    # ---- processes ----

    def _has_met(self, key: Key, deal: int) -> bool:
        return key in self._processes and deal in self._processes[key].deals

    async def _seated(self, job: Job, keys: list[Key]) -> list[Process]:
        """Return a running process for each seat."""
        found = await asyncio.gather(
            *(self._process(key, job.seats[key[1]]) for key in keys), return_exceptions=True
        )
        for process in found:
            if isinstance(process, BaseException):
                raise process
        return [process for process in found if isinstance(process, Process)]

    async def _process(self, key: Key, contestant: int) -> Process:
        process = self._processes.pop(key, None)
        if process is not None and not process.engine.is_open:
            self._warn(process, f"ended between two games: {_how(process.engine.exit_code)}")
            self._end(process, at_once=True)
            process = None
        if process is None:
            process = await self._start(key[1], contestant)
        self._processes[key] = process
        return process

    async def _start(self, seat: int, contestant: int) -> Process:
        """Start an engine and tell it its options."""
        self._num_started += 1
        name, env = f"{self.name}.{self._num_started}", None
        if self._guardian is not None:
            env = self._guardian.env_for(name)
        chosen, limit_s = self._plan.contestants[contestant], self._plan.policy.start_s
        engine, start = None, asyncio.get_running_loop().time()
        try:
            engine = await Engine.open(chosen.argv, dialect="uhi", timeout_s=limit_s, env=env)
            await self._set_up(engine, chosen, limit_s)
        except BaseException as error:
            if engine is not None:
                self._end(Process(engine, contestant, name), at_once=True)
            elif self._guardian is not None:
                self._guardian.reap(name)
            if isinstance(error, BadContestant):
                error.contestant = contestant
                if contestant in self._fit:
                    error = EngineProtocolError(f"took its options before, but now: {error}")
            if isinstance(error, EngineError):
                failure = await self._start_failure(seat, error, engine)
                if isinstance(error, EngineTimeout) and monitor().worst_since(start) > DISTURBED_S:
                    failure.fault.kind = Termination.INTERNAL
                raise failure from None
            raise
        self._fit.add(contestant)
        return Process(engine, contestant, name)

    async def _set_up(self, engine: Engine, chosen: Contestant, limit_s: float) -> None:
        for name, value in chosen.options.items():
            check_option(name, value, engine.options)
        wanted = dict(chosen.options)
        if self._plan.card_file and "cardfile" in engine.options:
            wanted = {"CardFile": self._plan.card_file, **wanted}
        if "strict views" in engine.options:
            wanted = {"Strict Views": "true", **wanted}
        for name, value in wanted.items():
            try:
                await engine.set_option(name, value, limit_s)
            except EngineProtocolError as error:
                raise BadContestant(visible(str(error)[:TEXT_SIZE])) from None
        await engine.ping(limit_s)

    async def _start_failure(
        self, seat: int, error: EngineError, engine: Engine | None
    ) -> StartFailure:
        stderr = error.stderr_tail
        if engine is not None:
            await engine.kill()
            stderr = engine.stderr_tail
        # Once it has introduced itself, it has started.
        kind = Termination.START if engine is None else kind_of(error)
        limit = " (limit start)" if isinstance(error, EngineTimeout) else ""
        code = error.exit_code if isinstance(error, EngineDied) else None
        text = visible(f"{error}{limit}"[:TEXT_SIZE])
        stderr = tail(stderr, STDERR_LINES, STDERR_SIZE)
        return StartFailure(Fault(seat, 0, kind, text, exit_code=code, stderr=stderr))

    # ---- their end ----

    def _drop(self, keys: list[Key], at_once: bool = False) -> None:
        """Give up processes, and see to it that they end."""
        for key in keys:
            process = self._processes.pop(key, None)
            if process is not None:
                self._end(process, at_once)
            self._suspects.discard(key)

    def _end(self, process: Process, at_once: bool) -> None:
        task = asyncio.ensure_future(self._bury(process, at_once))
        self._endings[task] = process
        task.add_done_callback(self._endings.pop)

    async def _bury(self, process: Process, at_once: bool) -> None:
        if at_once:
            await process.engine.kill()
        else:
            code = await process.engine.quit(self._plan.policy.quit_s)
            if code not in NORMAL_EXITS:
                self._warn(process, f"abnormal exit after quit: {_how(code)}", exit_code=code)
        if self._guardian is not None:
            self._guardian.reap(process.name)

    def _signal_all(self, number: int) -> None:
        for process in [*self._processes.values(), *self._endings.values()]:
            process.engine.signal(number)

    # ---- remarks ----

    def _warn(self, process: Process, text: str, **fields: object) -> None:
        self.sink.warn(text, process.contestant, **fields)

    def _warn_of_odd(self, processes: list[Process]) -> None:
        """Tell of what the engines wrote that nobody asked for or that is no text."""
        for process in processes:
            strays, garbled = process.engine.oddities
            strays_before, garbled_before = process.odd
            process.odd = strays, garbled
            if strays > strays_before:
                text = "bestmove lines that answered nothing, dropped"
                self._warn(process, f"{text}: {strays - strays_before}")
            if garbled > garbled_before:
                text = "lines with bytes that are no UTF-8"
                self._warn(process, f"{text}: {garbled - garbled_before}")


def _how(code: int | None) -> str:
    """Return how a process ended."""
    if code is None:
        return "it has closed its output"
    return f"signal {-code}" if code < 0 else f"exit code {code}"


__all__ = ["MOST_IDLE", "Reaper", "Slot"]
