"""Who speaks when with one engine: gives every line it prints to the command that waits for it.

One task reads all lines, so that answers are matched in the order of the questions, also those to
questions whose caller has gone: a late answer is never taken for the next one.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from protocol.analysis import AFTER_STOP, STOP_PATIENCE_S, Analysis, word_after
from protocol.faults import (
    EngineBusy,
    EngineDied,
    EngineError,
    EngineProtocolError,
    EngineRefusal,
    parse_error,
)
from protocol.messages import split_words, take_word
from protocol.transport import Transport

_MOST_ERRORS = 20
_CLOSE_PATIENCE_S = 0.3
# Characters of a line that are looked at. To split 16 MiB into words takes a second, in which no
# other engine is heard.
_LONGEST_LINE = 256 << 10
# Lines that are read of an engine that was asked nothing; what it prints beyond stays in the pipe.
_MOST_UNASKED = 1000
# What follows `info` where that may be `info string error`.
_NO_PLAIN_REPORT = "s \t\r"


class Question:
    """Something asked whose answer begins with a word of its own, such as `readyok`."""

    def __init__(self, number: int, listen: Callable[[str], None] | None) -> None:
        self.number = number
        """Its place in the order of all that was asked, searches included."""
        self.answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """The line that answers it."""
        self.errors: deque[EngineRefusal] = deque(maxlen=_MOST_ERRORS)
        """What the engine complained of before it answered."""
        self.listen = listen
        """Called with the lines before the answer, if anybody wants them."""

    def fail(self, error: EngineError) -> None:
        """Note that no answer will come; the caller may have gone long ago."""
        if not self.answer.done():
            self.answer.set_exception(error)
            self.answer.exception()  # so that nobody is told of an error that nobody fetched


class Conversation:
    """The state of the talk with an engine: open questions, running searches, complaints."""

    def __init__(self, wire: Transport) -> None:
        self.errors: deque[EngineRefusal] = deque(maxlen=_MOST_ERRORS)
        """The latest complaints of the engine, oldest first."""
        self.stray_answers = 0
        """`bestmove` lines that answered nothing and were dropped."""
        self.gives_ids = False
        """True once an answer had the id of its `go`."""
        self._wire = wire
        self._lock = asyncio.Lock()
        self.is_at_end = False
        """True once no further line will come."""
        # Open questions by the word of their answer, oldest first.
        self._questions: dict[str, deque[Question]] = {}
        # Searches whose `bestmove` has not been read yet, in the order of their `go`.
        self._owed: deque[Analysis] = deque()
        self._latest: Analysis | None = None
        self._num_asked = 0
        # The number of the latest question that was answered: an older one that is still open has
        # been passed over, and complaints are no longer about it.
        self._answered = 0
        self._num_unasked = 0
        # There while the reader waits for the next question.
        self._pause: asyncio.Future[None] | None = None
        self._reader = asyncio.ensure_future(self._read())

    async def ask(
        self,
        lines: Sequence[str],
        word: str,
        what: str,
        timeout_s: float,
        listen: Callable[[str], None] | None = None,
    ) -> tuple[str, list[EngineRefusal]]:
        """Send lines; return the line that answers them and the complaints before it.

        Args:
            lines: what to send.
            word: the first word of the answer.
            what: the answer's name in an error.
            timeout_s: seconds to wait at most.
            listen: called with the lines before the answer; an EngineError that it raises is
                raised here.
        """
        self.check_alive()
        self._num_asked += 1
        question = Question(self._num_asked, listen)
        self._wire.post(*lines)
        self._read_on()
        self._questions.setdefault(word, deque()).append(question)
        try:
            async with asyncio.timeout(timeout_s):
                await self._wire.drain()
                return await question.answer, list(question.errors)
        except TimeoutError:
            raise self._wire.late(what, timeout_s) from None

    @asynccontextmanager
    async def turn(self, what: str, timeout_s: float | None) -> AsyncIterator[None]:
        """Wait until no other command and no search is under way, and keep others waiting.

        Args:
            what: the name of the answer that the command waits for, in an error.
            timeout_s: seconds for all of it, what is done inside included; None for no limit.

        Raises:
            EngineBusy: a search runs that nobody has stopped.
            EngineTimeout: another command takes longer than `timeout_s`, or a search that was
                stopped does not answer, or what is done inside takes longer.
        """
        awaited = "end of another command"
        search = None
        try:
            async with asyncio.timeout(timeout_s), self._lock:
                search = self._latest
                if search is not None and search.is_running:
                    raise EngineBusy(f"{self._wire.name} is analysing; stop that first")
                if search is not None:
                    awaited = AFTER_STOP
                    await self._settle(search)
                search, awaited = None, what
                yield
        except TimeoutError:
            self._give_up(search)
            assert timeout_s is not None
            raise self._wire.late(awaited, timeout_s) from None

    async def _settle(self, search: Analysis) -> None:
        try:
            await search.settle(STOP_PATIENCE_S)
        except EngineError:
            self._give_up(search)
            raise

    def _give_up(self, search: Analysis | None) -> None:
        """Wait no longer for a search: its answer, should it come, is known by its id or place."""
        if search is not None and self._latest is search:
            self._latest = None

    @property
    def is_free(self) -> bool:
        """True if no command and no search is under way, so that nothing waits for its turn."""
        return not self._lock.locked() and (self._latest is None or self._latest.is_over)

    async def begin(self, search: Analysis, data: bytes) -> None:
        """Start a search by its lines, `go` last; only inside `turn` or while `is_free`."""
        self.check_alive()
        self._wire.post_bytes(data)
        self._read_on()
        self._num_asked += 1
        search.begun(self._num_asked)
        self._owed.append(search)
        self._latest = search
        try:
            await self._wire.drain()
        except BaseException:
            search.stop()
            raise

    def check_alive(self) -> None:
        """Raise EngineDied if the engine has ended."""
        if self.is_at_end:
            raise self._wire.death()

    async def close(self) -> None:
        """Stop reading, once the process has ended."""
        self._read_on()
        await asyncio.wait({self._reader}, timeout=_CLOSE_PATIENCE_S)
        self._reader.cancel()
        self._end()

    # ---- reading ----

    async def _read(self) -> None:
        while True:
            try:
                line = await self._wire.read_line()
                if not self._wire.is_torn:  # half a move may be another move
                    self._take(line)
                if not self._owed and not any(self._questions.values()):
                    await self._wait_idle()
            except EngineDied:
                self._end()
                return
            except EngineError as error:
                self._fail(error)

    async def _wait_idle(self) -> None:
        """Read no more of an engine that prints without end, until it is asked something."""
        self._num_unasked += 1
        if self._num_unasked <= _MOST_UNASKED:
            return
        self._pause = asyncio.get_running_loop().create_future()
        self._wire.pause_output(True)
        try:
            await self._pause
        finally:
            self._pause = None
            self._wire.pause_output(False)

    def _read_on(self) -> None:
        self._num_unasked = 0
        if self._pause is not None and not self._pause.done():
            self._pause.set_result(None)

    def _take(self, line: str) -> None:
        """Give a line to whom it concerns; what concerns nobody is dropped.

        Raises EngineProtocolError for a line, no report, that is longer than any answer.
        """
        if line.startswith("info ") and line[5:6] not in _NO_PLAIN_REPORT:
            # Reports can come by the hundred thousand.
            if self._owed:
                self._owed[0].feed_info(line)
            return
        if len(line) > _LONGEST_LINE:
            if not line.startswith("info "):
                name = self._wire.name
                raise EngineProtocolError(f"{name} printed an answer of {len(line)} characters")
            line = line[:_LONGEST_LINE]
        word, _ = take_word(line)
        if word in ("info", "error") and (parsed := parse_error(line)):
            self._complain(*parsed)
        elif word == "info":
            if self._owed:
                self._owed[0].feed_info(line)
        elif word.startswith("bestmove"):
            words = split_words(line)
            if search := self._asked_by(words):
                search.feed_answer(words)
            else:
                self.stray_answers += 1
        elif questions := self._questions.get(word):
            question = questions.popleft()
            self._answered = max(self._answered, question.number)
            if not question.answer.done():
                question.answer.set_result(line)
        else:
            for open_questions in self._questions.values():
                if open_questions and (listen := open_questions[0].listen):
                    listen(line)

    def _complain(self, refusal: EngineRefusal, go_id: str | None) -> None:
        """Note a complaint with the oldest open question, or with the search that it is about.

        Without an id a complaint that comes while a search runs can be about that as well, unless
        the question is older.
        """
        self.errors.append(refusal)
        search = self._owed[0] if self._owed else None
        if go_id is not None:
            if search is not None and go_id == search.go_id:
                search.feed_error(refusal, is_sure=True)
            return
        oldest = self._oldest_question()
        if oldest is not None:
            oldest.errors.append(refusal)
        if search is not None and (oldest is None or search.number < oldest.number):
            search.feed_error(refusal, is_sure=oldest is None)

    def _oldest_question(self) -> Question | None:
        asked = [questions[0] for questions in self._questions.values() if questions]
        asked = [question for question in asked if question.number > self._answered]
        return min(asked, key=lambda question: question.number, default=None)

    def _asked_by(self, words: list[str]) -> Analysis | None:
        """Return the search that a `bestmove` line answers, None if it is a stray one."""
        go_id = word_after(words, "id")
        if go_id is not None and not go_id.isprintable():
            # A byte that went astray behind the id makes the answer no stray one.
            go_id = "".join(filter(str.isprintable, go_id))
        if go_id is None:
            # An engine that gives ids gives them always: without one this is no answer.
            return self._owed.popleft() if self._owed and not self.gives_ids else None
        if not any(search.go_id == go_id for search in self._owed):
            return None
        self.gives_ids = True
        while (search := self._owed.popleft()).go_id != go_id:
            search.fail(EngineProtocolError(f"{self._wire.name} left out a bestmove"))
        return search

    def _fail(self, error: EngineError) -> None:
        """Let everybody who waits know of an error; their answers may still come, for nobody."""
        for questions in self._questions.values():
            for question in questions:
                question.fail(error)
        for search in self._owed:
            search.stop()
            search.fail(error)

    def _end(self) -> None:
        self.is_at_end = True
        self._fail(self._wire.death())
        self._questions.clear()
        self._owed.clear()


__all__ = ["Conversation"]
