"""Write the record of a run while it is played: the games that count, in order, without times."""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import UnsupportedOperation
from pathlib import Path
from typing import IO, TYPE_CHECKING

from bench.outputs import open_output
from bench.records.head import record_head
from bench.records.lines import Fields, to_line
from bench.referee.block import Block
from bench.referee.game_result import GameResult, result_line

if TYPE_CHECKING:
    from bench.plan import ScheduleMaker

# Of a fault: what differs from run to run.
_PASSING = ("overrun_ms", "stderr")


@contextmanager
def open_record(path: Path) -> Iterator[IO[str]]:
    """Open a file for a Writer; what it holds stays until the Writer has something to write."""
    is_new = not path.exists()
    file = open(open_output(path, 0), "w", encoding="utf-8")
    try:
        yield file
    finally:
        if is_new and _is_regular(file) and os.fstat(file.fileno()).st_size == 0:
            path.unlink(missing_ok=True)
        with suppress(OSError):  # of a disk that is full the Writer has told
            file.close()


def _is_regular(file: IO[str]) -> bool:
    try:
        return stat.S_ISREG(os.fstat(file.fileno()).st_mode)
    except UnsupportedOperation:
        return False  # no file of the system


def canonical(line: Fields) -> Fields:
    """Return what a record keeps of the line of a game: all that is the same in every run."""
    kept = {key: value for key, value in line.items() if key != "times"}
    if "fault" in kept:
        kept["fault"] = _lasting(kept["fault"])
    if "replaced" in kept:
        kept["replaced"] = [_lasting(fault) for fault in kept["replaced"]]
    return kept


def _lasting(fault: Fields) -> Fields:
    return {key: value for key, value in fault.items() if key not in _PASSING}


def end_line(seed: int, games: int) -> Fields:
    """Return the last line of a record whose run has come to its end."""
    return {"end": {"seed": seed, "games": games}}


class Writer:
    """Writes the record of a run to a text file, block by block, as they are counted.

    Once the file takes no more, `error` says why and nothing is written any longer. `head` is that
    of the run's journal. With the schedule of the run, games are held back while others are to play
    the same deal, which they would tell: of one deal at most, since blocks of a deal follow each
    other in every schedule.
    """

    def __init__(
        self, file: IO[str], head: Fields, make_schedule: "ScheduleMaker | None" = None
    ) -> None:
        self.error: OSError | None = None
        self._file, self._head = file, to_line(record_head(head))
        self._make_schedule = make_schedule
        self._schedule = None if make_schedule is None else make_schedule()
        self._held: list[str] = []
        self._games = 0
        self._has_begun = False

    def take(self, block: Block, results: Sequence[GameResult]) -> None:
        """Write the games of the next block that counts, once its deal is no secret any more."""
        self._held += [to_line(canonical(result_line(result))) for result in results]
        self._games += len(results)
        if not self._is_to_come_again(block, results):
            self._release()

    def _is_to_come_again(self, block: Block, results: Sequence[GameResult]) -> bool:
        """True if the next block has the same deal; all before this one are over."""
        if self._schedule is None:
            return False
        self._schedule.take(block, list(results))
        try:
            following = self._schedule.block(block.number + 1)
        except IndexError:
            return False
        return following is not None and following.deal == block.deal

    def _release(self) -> None:
        text = "".join(self._held)
        self._held.clear()
        if text:
            self._write(text)

    def reset(self) -> None:
        """Begin anew: the blocks are counted once more, from the first on."""
        self._games = 0
        self._held.clear()
        self._schedule = None if self._make_schedule is None else self._make_schedule()
        if self._has_begun and self.error is None:
            self._has_begun = False
            try:
                if not self._file.seekable():
                    text = "games were taken back, what a pipe was told cannot be"
                    raise OSError(errno.ESPIPE, text)
                self._clear()
            except OSError as error:
                self.error = error

    def close(self, run_seed: int | None = None) -> None:
        """Write what was held back, and the end with the seed if no game of the run is to come."""
        self._release()
        if run_seed is not None and self._games:
            self._write(to_line(end_line(run_seed, self._games)))

    def _write(self, text: str) -> None:
        if self.error is not None:
            return
        try:
            if not self._has_begun:
                if _is_regular(self._file):
                    self._clear()
                text = self._head + text
            self._has_begun = True
            self._file.write(text)
            self._file.flush()
        except OSError as error:
            self.error = error

    def _clear(self) -> None:
        self._file.seek(0)
        self._file.truncate()


__all__ = ["Writer", "canonical", "end_line", "open_record"]
