"""Talking to one engine process: what is sent and answered, with a transcript of it."""

import asyncio
import contextlib
import time
from collections import deque

from bench.check.grammar import (
    Answer,
    errors_among,
    is_remark,
    parse_response,
    read_raw_line,
    shown,
    without_remarks,
)
from bench.check.steps import PATIENCE_S, Failure, expect, fail
from bench.text import visible
from protocol.messages import split_words
from protocol.transport import EngineDied, EngineError, Transport

MOST_LINES = 300
"""Lines of a transcript that are kept, the latest ones."""

_FLOOD = 20000


class Transcript:
    """Lines sent (`>`) and answered (`<`) in a step, with seconds since its beginning."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=MOST_LINES)
        self._num_lines = 0
        self._start = time.perf_counter()

    def restart(self) -> None:
        """Forget all lines; the time counts from now."""
        self._lines.clear()
        self._num_lines = 0
        self._start = time.perf_counter()

    def add(self, mark: str, text: str) -> None:
        """Add a line; `mark` is `>`, `<` or `!`, with a number where several processes talk."""
        seconds = time.perf_counter() - self._start
        self._lines.append(f"{seconds:8.3f} {mark} {text}")
        self._num_lines += 1

    def fold(self, since: int, text: str) -> None:
        """Put one line in the place of all from number `since` on."""
        for _ in range(min(len(self._lines), self._num_lines - since)):
            self._lines.pop()
        self._num_lines = since
        self.add("!", text)

    @property
    def num_lines(self) -> int:
        """Lines added since the start."""
        return self._num_lines

    def lines(self) -> list[str]:
        """Return the lines, and first how many are left out."""
        left_out = self._num_lines - len(self._lines)
        start = [f"         ({left_out} lines before)"] if left_out else []
        return start + list(self._lines)


class Talk:
    """One engine process under check. Whatever goes wrong in an exchange raises Failure."""

    def __init__(
        self,
        wire: Transport,
        dialect: str,
        transcript: Transcript,
        number: int = 1,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.wire, self.dialect, self.patience_s = wire, dialect, patience_s
        self.greeting: list[str] = []
        """The lines of the handshake, its last one included."""
        self.num_lines = 0
        """Lines that have come."""
        self.first_words: set[str] = set()
        """The words that lines have begun with."""
        self._early = ""
        self._transcript = transcript
        self._label = str(number) if number > 1 else ""

    # ---- out ----

    async def send(self, *lines: str) -> None:
        """Send lines in one write."""
        await self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    async def send_bytes(self, data: bytes, told: str = "") -> None:
        """Send bytes as they are; the transcript tells of them, or of what is `told`."""
        if told:
            self.note(f"({told})")
        else:
            for line in data.decode("utf-8", "replace").removesuffix("\n").split("\n"):
                self._transcript.add(f"{self._label}>", shown(line))
        if b"go" in data.split():
            self._early = ""
        try:
            await self.wire.send_bytes(data)
        except EngineError as error:
            words = await self._last_words()
            fail("an engine that goes on reading", f"{error}{words}")

    def note(self, text: str) -> None:
        """Write something that happens beside the lines into the transcript."""
        self._transcript.add(f"{self._label}!", text)

    # ---- in ----

    async def _next(self, within_s: float) -> str | None:
        """Return the next line; None if none comes in time."""
        try:
            async with asyncio.timeout(within_s):
                raw = await self.wire.read_raw()
        except TimeoutError:
            return None
        except EngineError as error:
            fail("lines of output", str(error))
        if not raw:
            await self.wire.wait_ended(1.0)
            death = self.wire.death()
            self.note(str(death))
            fail("an engine that goes on", f"{death}{await self._last_words()}")
        self._add(raw)
        return read_raw_line(raw, self.dialect)

    def _add(self, raw: bytes) -> None:
        text = raw.decode("utf-8", "replace").removesuffix("\n")
        self._transcript.add(f"{self._label}<", shown(text))
        self.num_lines += 1
        self.first_words.update(text.split()[:1])

    async def _drain(self, seconds: float) -> None:
        """Take all further output into the transcript, whatever it is."""
        with contextlib.suppress(TimeoutError, EngineError):
            async with asyncio.timeout(seconds):
                for _ in range(MOST_LINES // 2):
                    raw = await self.wire.read_raw()
                    if not raw:
                        return
                    self._add(raw)

    async def still_ready(self) -> bool:
        """Send `isready`; return whether `readyok` comes, whatever else is printed."""
        with contextlib.suppress(TimeoutError, EngineError, Failure):
            await self.send("isready")
            async with asyncio.timeout(self.patience_s):
                while "readyok" not in self.first_words:
                    raw = await self.wire.read_raw()
                    if not raw:
                        return False
                    self._add(raw)
            return True
        return False

    async def close_and_drain(self, seconds: float) -> None:
        """Close the input, and take what still comes into the transcript."""
        self.wire.close_input()
        self.note("(end of input)")
        await self._drain(seconds)

    async def _last_words(self) -> str:
        """Return what an engine that has ended wrote to standard error, if it did."""
        if self.wire.exit_code is not None:
            await self._drain(0.2)
            # Its last words may still be in the pipe; this waits for them.
            await self.wire.kill()
        words = visible(self.wire.stderr_tail.strip()[-500:])
        return f"; its standard error ends with: {words}" if words else ""

    async def until(self, word: str) -> list[str]:
        """Return the lines up to the first one that begins with a word."""
        deadline = time.perf_counter() + self.patience_s
        lines: list[str] = []
        while not lines or split_words(lines[-1])[0] != word:
            left = deadline - time.perf_counter()
            line = await self._next(max(0.0, left))
            if line is None:
                fail(f"`{word}` within {self.patience_s:g} s", f"{len(lines)} other lines")
            lines.append(line)
            if word != "bestmove" and split_words(line)[0] == "bestmove":
                self._early = line
            expect(len(lines) < _FLOOD, f"`{word}`", f"{_FLOOD} other lines")
        return lines

    async def sync(self) -> list[str]:
        """Send `isready`; return what comes before `readyok`."""
        await self.send("isready")
        return (await self.until("readyok"))[:-1]

    async def only_ready(self, expected: str = "`readyok` and nothing else") -> None:
        """Fail if anything but a remark comes before the next `readyok`."""
        lines = without_remarks(await self.until("readyok"), self.dialect)
        expect(lines == ["readyok"], expected, str(lines[:3]))

    async def quiet(self, seconds: float, but: str = "info") -> None:
        """Wait; fail if anything comes that does not begin with the word `but`."""
        deadline = time.perf_counter() + seconds
        while (left := deadline - time.perf_counter()) > 0:
            line = await self._next(left)
            if line is None or is_remark(line, self.dialect):
                continue
            if split_words(line)[0] != but:
                fail(f"nothing but `{but}` lines for {seconds:g} s", shown(line))

    # ---- exchanges ----

    async def silent(self, *lines: str) -> None:
        """Send lines that nothing may answer, except an `info string`."""
        await self.send(*lines)
        for line in await self.sync():
            if not is_remark(line, self.dialect):
                fail(f"no answer to `{shown(lines[-1], 100) if lines else ''}`", shown(line))

    async def refused(self, line: str, *codes: str) -> str:
        """Send a line that must be answered by one error of these codes; return its text."""
        await self.send(line)
        return self.one_error(await self.sync(), line, *codes)

    def one_error(self, lines: list[str], cause: str, *codes: str) -> str:
        """Return the text of the one error among some lines, which must be of these codes."""
        errors = errors_among(lines, self.dialect)
        form = "error CODE TEXT" if self.dialect == "uhi" else "info string error CODE TEXT"
        allowed = " or ".join(codes) or "any"
        expected = f"one line `{form}`, code {allowed}, in answer to `{shown(cause, 100)}`"
        expect(len(errors) == 1, expected, f"{len(errors)} errors")
        expect(not codes or errors[0].code in codes, expected, f"code {errors[0].code}")
        for line in lines:
            if split_words(line)[0] not in ("info", "error"):
                fail(expected, shown(line))
        return errors[0].text

    async def place(self, line: str) -> None:
        """Send a position that must be accepted."""
        await self.silent(line)

    async def ask(self, word: str) -> str:
        """Return the answer to `query WORD`."""
        await self.send(f"query {word}")
        return parse_response((await self.until("response"))[-1])

    async def go(self, limits: str) -> Answer:
        """Send `go` and return its answer, timed."""
        start = time.perf_counter()
        await self.send(f"go {limits}".rstrip())
        return await self.answer(start)

    async def answer(self, start: float = 0.0) -> Answer:
        """Return the answer to the running search; it is timed from `start`."""
        if self._early:
            fail("a bestmove that is held back", f"it came too early: {shown(self._early)}")
        lines = await self.until("bestmove")
        return Answer(lines, self.dialect, time.perf_counter() - start)

    async def stop(self) -> Answer:
        """Send `stop` and return the answer, timed from then."""
        start = time.perf_counter()
        await self.send("stop")
        return await self.answer(start)

    # ---- the end ----

    async def ended(self) -> float:
        """Return the seconds until the process has ended; fail if it does not."""
        start = time.perf_counter()
        if not await self.wire.wait_ended(self.patience_s):
            fail("a process that ends", f"it still runs after {self.patience_s:g} s")
        self.note(f"ended, {describe_end(self.wire.exit_code)}")
        return time.perf_counter() - start

    async def rest(self) -> list[str]:
        """Return the lines that an ended process has left; fail if its output is held open."""
        lines: list[str] = []
        while True:
            try:
                async with asyncio.timeout(1.0):
                    raw = await self.wire.read_raw()
            except TimeoutError:
                fail("an output that ends with the process", "a child holds it open")
            except EngineError as error:
                fail("lines of output", str(error))
            if not raw:
                return lines
            text = raw.decode("utf-8", "replace").removesuffix("\n")
            self._transcript.add(f"{self._label}<", shown(text))
            lines.append(read_raw_line(raw, self.dialect))
            expect(len(lines) < _FLOOD, "the end of the output", f"{_FLOOD} lines")


def describe_end(code: int | None) -> str:
    """Return how a process ended, in words."""
    if code is None:
        return "still running"
    return f"signal {-code}" if code < 0 else f"exit code {code}"


__all__ = ["EngineDied", "Talk", "Transcript", "Transport", "describe_end"]
