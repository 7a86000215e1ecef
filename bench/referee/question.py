"""One question to one engine: send position and `go`, wait, and say what came of it and when."""

import asyncio

from bench.referee.lag import LagMonitor
from bench.referee.policy import AFTERMATH_S
from protocol.client import Analysis, Engine, EngineError, EngineRefusal, Reply
from protocol.faults import NoPosition

# Turns of the event loop that an answer which has arrived takes to be noticed.
_TURNS = 4


class Answer:
    """What came of a question.

    Attributes:
        reply: the answer, None if there was none or it cannot be used.
        error: why not: what the client raised.
        time_ms: milliseconds that the engine took, the referee's delays not counted; None if no
            answer came, or the process ended.
        lag_ms: milliseconds of the referee's delays meanwhile.
        is_ready: the process answers, so that it can be asked again.
    """

    __slots__ = ("error", "is_ready", "lag_ms", "reply", "time_ms")

    def __init__(self) -> None:
        self.reply: Reply | None = None
        self.error: EngineError | None = None
        self.time_ms: float | None = None
        self.lag_ms = 0.0
        self.is_ready = True


class Question:
    """A `go` that has been sent. Make it with `await Question.send(...)`; then `await answer()`."""

    __slots__ = ("_engine", "_lag", "_refusal", "_search", "_start")

    def __init__(self, engine: Engine, search: Analysis, lag: LagMonitor) -> None:
        self._engine, self._search, self._lag = engine, search, lag
        # Why the engine did not take the position, where it was asked to read that first.
        self._refusal: EngineRefusal | None = None
        self._start = asyncio.get_running_loop().time()

    @classmethod
    async def send(
        cls,
        engine: Engine,
        position: bytes,
        words: str,
        lag: LagMonitor,
        ping_s: float,
        first: bool,
    ) -> "Question":
        """Send a position and `go`.

        Args:
            engine: who is asked.
            position: the whole position line.
            words: those behind `go`.
            lag: measures the referee's delays.
            ping_s: seconds that the engine has to take it.
            first: have it read the position before `go`, so that the time of that is not counted.

        Raises EngineError if it does not take it.
        """
        refusal = None
        if first:
            try:
                await engine.set_position(position.decode(), ping_s)
            except EngineRefusal as error:
                refusal = error
            position = b""
        question = cls(engine, await engine.begin(position, words, ping_s), lag)
        question._refusal = refusal
        return question

    async def answer(self, allowed_ms: float) -> Answer:
        """Wait for the answer; ask a late engine to stop, and for a sign of life.

        Args:
            allowed_ms: milliseconds that the engine may take.
        """
        answer, search = Answer(), self._search
        if not await self._ends_within(allowed_ms / 1000.0):
            await self._aftermath(answer)
        elapsed_s = search.elapsed_s
        now = asyncio.get_running_loop().time()
        end = now if elapsed_s is None else self._start + elapsed_s
        lag_s = self._lag.lag_between(self._start, end)
        answer.lag_ms = 1000.0 * lag_s
        if search.is_over:
            answer.time_ms = 1000.0 * max(0.0, end - self._start - lag_s)
            try:
                answer.reply, answer.error = await search.wait(), None
            except EngineError as error:
                answer.error = error
        if isinstance(answer.error, NoPosition) and self._refusal is not None:
            self._refusal.reply = answer.error.reply
            answer.error = self._refusal
        return answer

    async def _ends_within(self, allowed_s: float) -> bool:
        """Return whether the search ends in time; a delay of ours is added to it."""
        search, loop = self._search, asyncio.get_running_loop()
        left_s = allowed_s
        while left_s > 0.0:
            if await search.ends_within(left_s):
                return True
            now = loop.time()
            left_s = allowed_s - (now - self._start) + self._lag.lag_between(self._start, now)
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        return search.is_over

    async def _aftermath(self, answer: Answer) -> None:
        """Tell a late engine to stop, and see whether it lives."""
        search, loop = self._search, asyncio.get_running_loop()
        search.stop()
        deadline = loop.time() + AFTERMATH_S
        try:
            await self._engine.ping(AFTERMATH_S)
        except EngineError as error:
            answer.is_ready = False
            answer.error = error
        else:
            answer.is_ready = await search.ends_within(max(0.0, deadline - loop.time()))


__all__ = ["Answer", "Question"]
