"""The durable truth of a run: a file with one line for each finished game.

A game counts once its line is on the disk. The lines are written by a thread, so that the disk
costs no engine its time; games that finish while it is busy share the next sync. Whatever happens
to the manager, the lines that were written stay: a run goes on from them, and plays what is
missing. `bench/RECORDS.md` describes the lines.
"""

import asyncio
import fcntl
import os
import queue
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from bench.records.head import difference
from bench.records.lines import BadRecord, parse_line, to_line

_GAME_LINE = re.compile(rb'\{"number":(\d+),"block":(\d+),"game":(\d+),')
_HEAD = b'{"drakkar-record":'
_PURGE = b'{"purge":'
_START = b',"termination":"start",'
_CHUNK = 1 << 20


class BadJournal(ValueError):
    """A journal that cannot be used; the text names the file and says why."""


class GameLine:
    """Where the line of a game stands: block and rotation from 0, number from 1, byte offset."""

    __slots__ = ("block", "number", "offset", "rotation")

    def __init__(self, number: int, block: int, rotation: int, offset: int) -> None:
        self.number, self.block, self.rotation, self.offset = number, block, rotation, offset


class Journal:
    """A journal that is open for writing; nobody else can open it meanwhile.

    Attributes:
        path: the file.
        error: why nothing can be written any longer, or None.
        resumed_games: lines of games that it held when it was opened.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path, self._descriptor = path, descriptor
        self.error: OSError | None = None
        self.resumed_games = 0
        self._size = 0
        self._head_size = 0
        self._purges: dict[int, int] = {}
        self._queue: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    @classmethod
    def create(cls, path: Path, head: dict[str, Any]) -> Self:
        """Return a new journal with that head. Raises BadJournal if the file holds anything."""
        journal = cls._open(path, os.O_CREAT)
        try:
            if os.fstat(journal._descriptor).st_size:
                raise BadJournal(
                    f"{path}: it exists already; resume it, or choose another name for a new run"
                )
            journal._begin(head)
        except BaseException:
            journal.close()
            raise
        return journal

    @classmethod
    def resume(cls, path: Path, head: dict[str, Any]) -> Self:
        """Return a journal to go on with; a torn last line is cut off.

        Raises BadJournal if its run is not the one of `head`, naming what differs.
        """
        journal = cls._open(path, 0)
        try:
            journal._resume(head)
        except BaseException:
            journal.close()
            raise
        return journal

    @classmethod
    def _open(cls, path: Path, flags: int) -> Self:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | flags, 0o600)
        except OSError as error:
            raise BadJournal(f"{path}: {error.strerror}") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            if isinstance(error, BlockingIOError):
                raise BadJournal(f"{path}: another run is writing it") from None
            raise BadJournal(f"{path}: it cannot be locked: {error.strerror}") from None
        return cls(path, descriptor)

    def _begin(self, head: dict[str, Any]) -> None:
        """Write the first line, and see to it that the file is found after a loss of power."""
        try:
            # It tells the seed of the run and the deals of games under way.
            os.fchmod(self._descriptor, 0o600)
            self._write(to_line(head).encode())
            self._head_size = self._size
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise BadJournal(f"{self.path}: {error.strerror}") from None

    def _resume(self, head: dict[str, Any]) -> None:
        """Check head and lines, and cut what a sudden end has left of the last ones."""
        try:
            self._size = os.fstat(self._descriptor).st_size
            lines = self._lines(0)
            first = next(lines, None)
            if first is None or not _is_whole(first[1]):
                if first is not None and not _is_begun(first[1], self._size):
                    raise BadJournal(f"{self.path}, line 1: no first line of a journal")
                # The end came before the first line was there, so nothing had been played.
                os.ftruncate(self._descriptor, 0)
                self._size = 0
                self._begin(head)
                return
            if not _is_whole(first[1]):
                raise BadJournal(f"{self.path}, line 1: no line of a journal")
            differs = difference(_parse(first[1], f"{self.path}, line 1"), head)
            if differs:
                raise BadJournal(f"{self.path}: this is another run: {differs}")
            os.fchmod(self._descriptor, 0o600)  # a copy may have been made readable
            self._head_size = len(first[1])
            end = self._check_lines(lines)
            if end != self._size:
                os.ftruncate(self._descriptor, end)
                os.fsync(self._descriptor)
                self._size = end
        except OSError as error:
            raise BadJournal(f"{self.path}: {error.strerror}") from None

    def _check_lines(self, lines: Iterator[tuple[int, bytes]]) -> int:
        """Take note of games and purges; return the offset behind the last whole line."""
        end = self._head_size
        torn = 0
        for number, (offset, line) in enumerate(lines, 2):
            if not _is_whole(line):
                torn = torn or number
                continue
            if torn:
                raise BadJournal(f"{self.path}, line {torn}: no line of a journal")
            end = offset + len(line)
            if line.startswith(_PURGE):
                where = f"{self.path}, line {number}"
                purge = _parse(line, where)
                games = purge["purge"].get("games") if isinstance(purge["purge"], dict) else None
                if type(games) is not list or any(type(game) is not int for game in games):
                    raise BadJournal(f"{where}: purge: games: a list of numbers is expected")
                self._note_purge(purge, offset)
            self.resumed_games += _GAME_LINE.match(line) is not None
        return end

    def _note_purge(self, fields: dict[str, Any], offset: int) -> None:
        for number in fields["purge"]["games"]:
            self._purges[number] = offset

    def append(self, fields: dict[str, Any]) -> asyncio.Future[None]:
        """Write a line; the future is done when it is on the disk, or has the OSError."""
        loop = asyncio.get_running_loop()
        entry = _Entry(to_line(fields).encode(), loop.create_future(), loop)
        if "purge" in fields:
            entry.purge = fields
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
            self._thread.start()
        self._queue.put(entry)
        return entry.future

    def games(self) -> Iterator[GameLine]:
        """Yield all lines of games that are not purged, in the order of the file.

        A game may come several times, then the first one counts; lines appended meanwhile are left
        out. Raises BadJournal if the file cannot be read.
        """
        try:
            for offset, line in self._lines(self._head_size):
                match = _GAME_LINE.match(line)
                if match is None:
                    continue
                number, block, game = map(int, match.groups())
                if self._purges.get(number, -1) < offset:
                    yield GameLine(number, block - 1, game - 1, offset)
        except OSError as error:
            raise BadJournal(f"{self.path}: {error.strerror}") from None

    def read(self, offset: int) -> dict[str, Any]:
        """Return the line that begins at an offset."""
        parts = []
        place = offset
        while True:
            part = os.pread(self._descriptor, 1 << 14, place)
            head, newline, _ = part.partition(b"\n")
            parts.append(head)
            if newline or not part:
                break
            place += len(part)
        return _parse(b"".join(parts), f"{self.path}, byte {offset}")

    def discard(self) -> None:
        """Remove the file if nothing has been played."""
        if self._size == self._head_size:
            self.path.unlink(missing_ok=True)

    def discard_starts(self) -> bool:
        """Remove the file, if no engine has made a move in it; return True if so.

        It may be closed already. A run that never came to a move has nothing worth keeping, and
        the corrected command would be refused beside it.
        """
        with suppress(OSError), self.path.open("rb") as file:
            if any(_GAME_LINE.match(line) and _START not in line for line in file):
                return False
            self.path.unlink()
            return True
        return False

    def close(self) -> None:
        """Write what waits, and let go of the file; once more does nothing."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _lines(self, start: int) -> Iterator[tuple[int, bytes]]:
        """Yield (offset, line with its end) up to the present end of the file."""
        end, place, rest = self._size, start, b""
        offset = start
        while place < end:
            chunk = os.pread(self._descriptor, min(_CHUNK, end - place), place)
            if not chunk:
                break
            place += len(chunk)
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield offset, line + b"\n"
                offset += len(line) + 1
        if rest:
            yield offset, rest

    # ---- the thread that writes ----

    def _work(self) -> None:
        while True:
            entries = [self._queue.get()]
            with suppress(queue.Empty):
                while True:
                    entries.append(self._queue.get_nowait())
            batch = [entry for entry in entries if entry is not None]
            if batch:
                self._write_batch(batch)
            if len(batch) < len(entries):
                return

    def _write_batch(self, batch: "list[_Entry]") -> None:
        offset = self._size
        if self.error is None:
            try:
                self._write(b"".join(entry.line for entry in batch))
            except OSError as error:
                self.error = error
                # A line that is there by half is of no use to anybody.
                with suppress(OSError):
                    os.ftruncate(self._descriptor, self._size)
        for entry in batch:
            if entry.purge is not None and self.error is None:
                self._note_purge(entry.purge, offset)
            offset += len(entry.line)
            entry.settle(self.error)

    def _write(self, data: bytes) -> None:
        """Write some lines and wait until the disk has them."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        os.fsync(self._descriptor)
        self._size += len(data)


class _Entry:
    """A line to be written, and who waits for it."""

    __slots__ = ("future", "line", "loop", "purge")

    def __init__(
        self, line: bytes, future: asyncio.Future[None], loop: asyncio.AbstractEventLoop
    ) -> None:
        self.line, self.future, self.loop = line, future, loop
        self.purge: dict[str, Any] | None = None

    def settle(self, error: OSError | None) -> None:
        """Tell the one who waits, in the thread of its loop."""
        with suppress(RuntimeError):  # the loop is closed
            self.loop.call_soon_threadsafe(self._tell, error)

    def _tell(self, error: OSError | None) -> None:
        if self.future.done():
            return
        if error is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(error)


def _is_whole(line: bytes) -> bool:
    """Return True for a line that was written to its end, as far as its ends tell."""
    return line.startswith(b"{") and line.endswith(b"}\n")


def _is_begun(first: bytes, size: int) -> bool:
    """Return True for a first line of which a sudden end has left a part, and nothing behind it."""
    written = first.rstrip(b"\0")
    return len(first) == size and (written.startswith(_HEAD) or _HEAD.startswith(written))


def _parse(line: bytes, where: str) -> dict[str, Any]:
    try:
        return parse_line(line, where)
    except BadRecord as error:
        raise BadJournal(str(error)) from None
