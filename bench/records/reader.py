"""Read records and journals, however large: one line at a time, found again by its offset."""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bench.records.decided import blocks_until_decision
from bench.records.fields import NUMBER_MAX, check_block, check_deal, check_game, lineup_of
from bench.records.head import EXTRACT, JOURNAL, RECORD, Head
from bench.records.lines import BadRecord, Fields, JsonSource, Torn
from bench.records.packed import PackedSource
from bench.records.replay import opening_of, replay
from bench.referee.block import Block, Job
from bench.referee.game_result import GameResult, result_from_line
from bench.referee.verdicts import VOID, Termination
from engine.game import Game, State

FINISHED = ("finished", "decided")
"""Reasons of an end after which no game of the run is to come."""
REASONS = (*FINISHED, "interrupted", "failed", "internal")


class RecordedGame:
    """A game of a record, as its line tells it; `where` names file and line for errors."""

    __slots__ = ("fields", "where")

    def __init__(self, fields: Fields, where: str) -> None:
        self.fields, self.where = fields, where

    @property
    def number(self) -> int:
        """The number of the game in its run, from 1."""
        number: int = self.fields["number"]
        return number

    @property
    def block(self) -> int:
        """The number of its block, from 1."""
        block: int = self.fields["block"]
        return block

    @property
    def seats(self) -> list[int]:
        """The place of the engine on each seat in the list of the head."""
        seats: list[int] = self.fields["seats"]
        return seats

    @property
    def termination(self) -> Termination:
        """Why it ended."""
        return Termination(self.fields["termination"])

    @property
    def fault(self) -> Fields | None:
        """What ended it, where that was not the rules."""
        fault: Fields | None = self.fields.get("fault")
        return fault

    @property
    def events(self) -> list[str]:
        """All event tokens."""
        text: str = self.fields["events"]
        return text.split()

    def replaced_at(self, ply: int) -> str | None:
        """Return the illegal answer in whose place the decision after `ply` others was played."""
        faults: list[Fields] = self.fields.get("replaced", [])
        return next((fault.get("answer", "") for fault in faults if fault["ply"] == ply), None)


class Record:
    """A record, extract or journal that has been read once, from its first line to its last.

    Only where each game stands is kept in memory, so a file may be larger than that.

    Attributes:
        path: the file.
        head: its first line.
        seed: of the run, if the file tells it.
        reason: why the run ended, one of REASONS; None if the file does not say.
        torn: what was said of a last line that is not whole; all before it can be used.
        void: how many games without a result a journal holds, by termination.
        purged: how many of its lines were taken back.
        repeats: how many lines told a game once more.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seed: int | None = None
        self.reason: str | None = None
        self.torn: Torn | None = None
        self.void: Counter[Termination] = Counter()
        self.purged = self.repeats = 0
        self._source = _source(path)
        self._counted: int | None = None
        # Of each line of a game: its game, line and offset, first in the order of the file.
        self._numbers, self._lines, self._offsets = array("q"), array("q"), array("q")
        self._read()
        self._sort()

    def _read(self) -> None:
        lines = iter(self._source)
        first = next(lines, None)
        if first is None:
            raise BadRecord(f"{self.path}: the file is empty")
        self.head = Head(first.fields, self._source.where(1))
        self.seed = self.head.seed
        is_over = False
        try:
            for line in lines:
                where = self._source.where(line.number)
                if is_over and self.head.form != JOURNAL:
                    raise BadRecord(f"{where}: nothing stands behind the end")
                if "number" not in line.fields and len(line.fields) == 1:
                    is_over = self._take_remark(line.fields, where) or is_over
                    continue
                check_game(line.fields, self.head, where)
                self._take_game(line.fields, line.number, line.offset, where)
        except Torn as torn:
            self.torn = torn

    def _take_game(self, fields: Fields, place: int, offset: int, where: str) -> None:
        number, termination = fields["number"], Termination(fields["termination"])
        last = self._numbers[-1] if self._numbers else 0
        if self.head.form == RECORD and number != last + 1:
            raise BadRecord(f"{where}: number: {number} behind {last}")
        if self.head.form != JOURNAL:
            if number <= last:
                raise BadRecord(f"{where}: number: {number} behind {last}")
            if "times" in fields and self.head.form == RECORD:
                raise BadRecord(f"{where}: times: a record has none")
            if termination in VOID:
                raise BadRecord(f"{where}: termination: {termination} gives no result to record")
        if self.seed is not None:
            check_deal(fields, self.head, self.seed, where)
        if termination in VOID:
            self.void[termination] += 1
            return
        self._numbers.append(number)
        self._lines.append(place)
        self._offsets.append(offset)

    def _take_remark(self, fields: Fields, where: str) -> bool:
        """Take a line that tells of no game; return True for the end. Unknown ones say nothing."""
        ((name, value),) = fields.items()
        if name in ("purge", "resumed") and self.head.form != JOURNAL:
            raise BadRecord(f"{where}: {name}: only a journal has such a line")
        if name == "purge":
            self._purge(value, where)
        elif name == "resumed":
            self.reason = self._counted = None
        elif name == "end":
            if not isinstance(value, dict):
                raise BadRecord(f"{where}: end: an object is expected")
            if self.head.form == JOURNAL:
                self._end_journal(value, where)
            else:
                self._end_record(value, where)
            return True
        return False

    def _purge(self, value: Any, where: str) -> None:
        games = value.get("games") if isinstance(value, dict) else None
        if type(games) is not list or any(type(number) is not int for number in games):
            raise BadRecord(f"{where}: purge: games: a list of numbers is expected")
        gone = set(games)
        kept = [index for index, number in enumerate(self._numbers) if number not in gone]
        self.purged += len(self._numbers) - len(kept)
        self._choose(kept)

    def _end_journal(self, end: Fields, where: str) -> None:
        reason, blocks = end.get("reason"), end.get("blocks")
        if not isinstance(reason, str) or reason not in REASONS:
            raise BadRecord(f"{where}: end: reason: one of {', '.join(REASONS)} is expected")
        if type(blocks) is not int or blocks < 0:
            raise BadRecord(f"{where}: end: blocks: a whole number from 0 is expected")
        if end.get("games") != blocks * self.head.games_per_block:
            raise BadRecord(
                f"{where}: end: games: {end.get('games')}, not those of {blocks} blocks"
            )
        self.reason, self._counted = reason, blocks

    def _end_record(self, end: Fields, where: str) -> None:
        seed, games = end.get("seed"), len(self._numbers)
        if type(seed) is not int or seed < 0:
            raise BadRecord(f"{where}: end: seed: a whole number from 0 is expected")
        if end.get("games") != games:
            raise BadRecord(f"{where}: end: games: {end.get('games')}, the file holds {games}")
        if self.head.form == RECORD and games % self.head.games_per_block:
            raise BadRecord(f"{where}: end: the last block is not complete")
        self.reason, self.seed = FINISHED[0], seed

    def _sort(self) -> None:
        """Keep the first line of each game, in the order of their numbers."""
        numbers = self._numbers
        if all(numbers[i] < numbers[i + 1] for i in range(len(numbers) - 1)):
            return
        kept: list[int] = []
        for index in sorted(range(len(numbers)), key=numbers.__getitem__):
            if not kept or numbers[kept[-1]] != numbers[index]:
                kept.append(index)
        self.repeats = len(numbers) - len(kept)
        self._choose(kept)

    def _choose(self, kept: list[int]) -> None:
        self._numbers = array("q", (self._numbers[index] for index in kept))
        self._lines = array("q", (self._lines[index] for index in kept))
        self._offsets = array("q", (self._offsets[index] for index in kept))

    @property
    def form(self) -> str:
        """What kind of file it is: `journal`, `record` or `extract`."""
        return self.head.form

    @property
    def game(self) -> Game:
        """The game that was played, with its settings."""
        return self.head.game

    @property
    def labels(self) -> list[str]:
        """The engines, in the order of the head, fit to be shown."""
        return self.head.labels

    def __len__(self) -> int:
        """How many games have a result, those of blocks that do not count included."""
        return len(self._numbers)

    @property
    def counted_blocks(self) -> int:
        """How many blocks count: all whole ones from the first on, or as the journal's end says.

        Behind the block that decided a sequential test none counts.
        """
        size, whole = self.head.games_per_block, 0
        while (whole + 1) * size <= len(self) and self._numbers[(whole + 1) * size - 1] == (
            whole + 1
        ) * size:
            whole += 1
        if self._counted is None:
            # The manager was killed, or the run goes on: the test may have decided already.
            self._counted = blocks_until_decision(self, whole)
        if self._counted > whole:
            raise BadRecord(
                f"{self.path}: its end counts {self._counted} blocks, it holds {whole} whole ones"
            )
        return self._counted

    @property
    def counted_games(self) -> int:
        """How many games are in blocks that count; of an extract all games count."""
        if self.form == EXTRACT:
            return len(self)
        return self.counted_blocks * self.head.games_per_block

    def games(self) -> Iterator[RecordedGame]:
        """Yield all games that have a result, in the order of their numbers."""
        return self._games(range(len(self)))

    def counted(self) -> Iterator[RecordedGame]:
        """Yield the games of the blocks that count, in the order of the schedule."""
        return self._games(range(self.counted_games))

    def _games(self, indices: Iterable[int]) -> Iterator[RecordedGame]:
        before: RecordedGame | None = None
        for index in indices:
            game = self._at(index)
            if before is not None and before.block == game.block:
                check_block(before.fields, game.fields, self.head, game.where)
            before = game
            yield game

    def _at(self, index: int) -> RecordedGame:
        place = self._lines[index]
        where = self._source.where(place)
        fields = self._source.read(place, self._offsets[index])
        check_game(fields, self.head, where)  # it may have changed since
        if self.seed is not None:
            check_deal(fields, self.head, self.seed, where)
        return RecordedGame(fields, where)

    def find(self, number: int) -> RecordedGame:
        """Return the game of that number, from 1."""
        index = bisect_left(self._numbers, min(max(number, 0), NUMBER_MAX))
        if index < len(self) and self._numbers[index] == number:
            return self._at(index)
        if self.torn is not None:
            raise self.torn
        raise BadRecord(f"{self.path}: no game {number}; it holds {len(self)} games")

    def result(self, game: RecordedGame) -> GameResult:
        """Return the result that the line of a game tells; the game is not replayed."""
        fields = game.fields
        lineup = lineup_of(fields, self.head)
        block = Block(fields["block"] - 1, lineup, fields["deal_number"] - 1, fields["round"] - 1)
        opening = opening_of(fields, self.head, game.where)
        numbers = (fields["game"] - 1, tuple(fields["seats"]), fields["number"] - 1)
        return result_from_line(
            fields, Job(block, *numbers, fields["deal"], opening, fields.get("opening"))
        )

    def replay(self, game: RecordedGame) -> Iterator[tuple[State, int]]:
        """Yield (state before it, move) for each event, then (last state, NO_MOVE).

        Raises BadRecord at an event that is not possible, and where the luck is not that of the
        deal, or the result not that of the game.
        """
        return replay(game.fields, self.head, self.seed, game.where)

    def check(self, game: RecordedGame) -> None:
        """Replay a game to its end; BadRecord says what is wrong with it."""
        for _ in self.replay(game):
            pass


def _source(path: Path) -> JsonSource | PackedSource:
    """Return how a file is read: MessagePack begins with a map, which no text does."""
    try:
        if path.exists() and not path.is_file():
            raise BadRecord(f"{path}: not a file that can be read twice")
        with path.open("rb") as file:
            first = file.read(1)
    except OSError as error:
        raise BadRecord(f"{path}: {error.strerror}") from None
    is_packed = bool(first) and (0x80 <= first[0] <= 0x8F or first[0] in (0xDE, 0xDF))
    return PackedSource(path) if is_packed else JsonSource(path)


__all__ = ["FINISHED", "REASONS", "Record", "RecordedGame"]
