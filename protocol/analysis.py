"""One `go` from the client's side: its reports as they come, and its answer."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

from protocol.faults import (
    EngineError,
    EngineProtocolError,
    EngineRefusal,
    NoPosition,
    first_refusal,
)
from protocol.replies import Info, Reply
from protocol.transport import Transport

STOP_PATIENCE_S = 10.0
"""Seconds that an engine may take to answer `stop` before that counts as a fault."""

AFTER_STOP = "bestmove after stop"
"""What errors call the answer that a stopped search owes."""

QUEUE_LINES = 256
"""Reports that wait for a slow consumer; older ones are dropped."""

# Of the last report of a search so much is kept, whatever an engine writes.
_MOST_LINES = 256
_LONGEST_REPORT = 64 << 10
_LONGEST_REPORTS = 512 << 10
_LONGEST_MOVE = 64 << 10
_MOST_ERRORS = 20


class Analysis:
    """A search that tells what it finds while it runs.

    Made by `Engine.analysis`; it begins on entering the context and is stopped on leaving it, in
    whatever way that happens. In between it is iterated, asked for `best`, stopped or waited for.

        async with engine.analysis(position) as analysis:
            async for info in analysis:
                if info.nodes and info.nodes > 100000:
                    break
        print(analysis.best[0].pv)
    """

    def __init__(
        self,
        wire: Transport,
        go_id: str,
        begin: "Callable[[Analysis], Awaitable[None]] | None" = None,
        keeps_reports: bool = True,
        ponders: bool = False,
    ) -> None:
        self.go_id = go_id
        """What the answer is recognised by, for engines that give ids."""
        self.number = 0
        """Its place in the order of all that the engine was asked."""
        self.dropped = 0
        """Reports that were lost because they were not fetched in time."""
        self._wire = wire
        self._begin = begin
        self._ponders = ponders
        self._is_hit = False
        self._queue: deque[str] | None = deque(maxlen=QUEUE_LINES) if keeps_reports else None
        self._report: list[str] = []
        self._report_before: list[str] = []
        self._report_size = 0
        self._errors: deque[EngineRefusal] = deque(maxlen=_MOST_ERRORS)
        self._news = asyncio.Event() if keeps_reports else None
        self._over = False
        self._waiters: list[asyncio.Future[None]] = []
        self._start: float | None = None
        self._end_time: float | None = None
        self._is_stopping = False
        self._reply: Reply | None = None
        self._error: EngineError | None = None

    # ---- for those who analyse ----

    @property
    def is_over(self) -> bool:
        """True once the answer is there, or will never come."""
        return self._over

    @property
    def is_running(self) -> bool:
        """True from the start until the end, or until it is told to stop."""
        return self._start is not None and not self._is_stopping and not self.is_over

    @property
    def elapsed_s(self) -> float | None:
        """Seconds from `go` or `ponderhit` to the end, whatever it was; None before it."""
        if self._start is None or self._end_time is None:
            return None
        return self._end_time - self._start

    @property
    def best(self) -> list[Info]:
        """The best lines found so far, best first; empty before the first report."""
        before = self._report_before[len(self._report) :]
        return [Info.parse(line) for line in (*self._report, *before)]

    def stop(self) -> None:
        """Ask the engine to answer now; nothing if it has."""
        if self.is_running:
            self._is_stopping = True
            self._wire.post("stop")

    def ponderhit(self) -> None:
        """Tell the engine that the awaited move was made: from now on its limits count.

        Nothing is sent twice, or once the search is over. Raises ValueError if it does not ponder.
        """
        if not self._ponders:
            raise ValueError("this search does not ponder")
        if self.is_running and not self._is_hit:
            self._is_hit = True
            self._start = _now()
            self._wire.post("ponderhit")

    async def wait(self, timeout_s: float | None = None) -> Reply:
        """Return the answer, once the search has come to its end.

        Args:
            timeout_s: seconds to wait at most; None for as long as it takes.

        Raises:
            EngineTimeout: no answer in time; the search goes on.
            EngineDied: the process ended.
            EngineRefusal: the engine had nothing to search, such as BadPosition.
            EngineProtocolError: the answer cannot be read.
        """
        self._check_begun()
        if not await self.ends_within(timeout_s):
            raise self._wire.late("bestmove", timeout_s)
        if self._error is not None:
            raise self._error
        assert self._reply is not None
        return self._reply

    async def close(self) -> None:
        """Stop the search if it runs, and wait for its answer; EngineTimeout if none comes."""
        self.stop()
        if self._start is not None:
            await self.settle(STOP_PATIENCE_S)

    async def __aenter__(self) -> Self:
        if self._start is not None:
            raise RuntimeError("an analysis can be entered once")
        assert self._begin is not None
        await self._begin(self)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        if kind is not None and not issubclass(kind, Exception):
            return  # cancelled: the next command waits for the answer
        try:
            await self.close()
        except EngineError:
            if kind is None:
                raise

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Info:
        self._check_begun()
        if self._queue is None or self._news is None:
            raise StopAsyncIteration
        while not self._queue:
            if self._error is not None:
                raise self._error
            if self.is_over:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return Info.parse(self._queue.popleft())

    def __repr__(self) -> str:
        state = "over" if self.is_over else "running" if self.is_running else "not running"
        return f"<Analysis {self.go_id} {state}>"

    def _check_begun(self) -> None:
        if self._start is None:
            raise RuntimeError("begin the analysis with `async with`")

    async def ends_within(self, timeout_s: float | None) -> bool:
        """Return whether the search ends within so many seconds, whatever its end is."""
        if self._over:
            return True
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[None] = loop.create_future()
        self._waiters.append(waiter)
        timer = None if timeout_s is None else loop.call_later(timeout_s, _wake, waiter)
        try:
            await waiter
        finally:
            self._waiters.remove(waiter)
            if timer is not None:
                timer.cancel()
        return self.is_over

    # ---- for the engine that carries it out ----

    def begun(self, number: int) -> None:
        """Note that `go` has been sent, as which of all that was asked."""
        self.number = number
        self._start = _now()

    async def settle(self, timeout_s: float) -> None:
        """Wait for the end of a stopped search, whatever it is; EngineTimeout if none comes."""
        if not await self.ends_within(timeout_s):
            raise self._wire.late(AFTER_STOP, timeout_s)

    def feed_info(self, line: str) -> None:
        """Take an `info` line of this search."""
        line = line[:_LONGEST_REPORT]
        if self._queue is not None and self._news is not None:
            self.dropped += len(self._queue) == QUEUE_LINES
            self._queue.append(line)
            self._news.set()
        told = line.partition(" string ")[0]
        if " pv " in told:
            if " multipv " not in told or " multipv 1 " in told:
                self._report_before, self._report = self._report, []
                self._report_size = 0
            self._report_size += len(line)
            if len(self._report) < _MOST_LINES and self._report_size <= _LONGEST_REPORTS:
                self._report.append(line)

    def feed_error(self, refusal: EngineRefusal, is_sure: bool) -> None:
        """Take a complaint about this search, or, if that is not sure, about something else."""
        self._errors.append(refusal)
        if is_sure and isinstance(refusal, NoPosition):
            self.stop()  # without a limit it would wait for that, with nothing to think about

    def feed_answer(self, words: list[str]) -> None:
        """Take the `bestmove` line of this search; whether its word is a move, others judge."""
        if words[0] != "bestmove":
            line = " ".join(words)[:200]
            self.fail(EngineProtocolError(f"malformed bestmove line: {line!r}"))
            return
        move = words[1][:_LONGEST_MOVE] if len(words) > 1 else ""
        errors = list(self._errors)
        infos = [Info.parse(info) for info in self._report]
        seconds = _now() - (self._start or 0.0)
        reply = Reply(move, word_after(words, "ponder"), infos, errors, seconds)
        if reply.has_move or not errors:
            self._end(reply, None)
            return
        refusal = first_refusal(errors, f"{self._wire.name} answered {move!r}; it said")
        refusal.reply = reply
        self._end(None, refusal)

    def fail(self, error: EngineError) -> None:
        """Note that no answer will come."""
        self._end(None, error)

    def _end(self, reply: Reply | None, error: EngineError | None) -> None:
        if not self.is_over:
            self._end_time = _now()
            self._reply, self._error = reply, error
            self._over = True
            for waiter in self._waiters:
                _wake(waiter)
            if self._news is not None:
                self._news.set()


def _wake(waiter: "asyncio.Future[None]") -> None:
    if not waiter.done():
        waiter.set_result(None)


def word_after(words: list[str], key: str) -> str | None:
    """Return the word behind `key` in a `bestmove` line."""
    if key in words[2:-1]:
        return words[words.index(key, 2) + 1]
    return None


def _now() -> float:
    return asyncio.get_running_loop().time()


__all__ = ["QUEUE_LINES", "STOP_PATIENCE_S", "Analysis"]
