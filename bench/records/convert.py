"""Select games of a record and write them in another form."""

from collections.abc import Iterable, Iterator
from typing import Any

from bench.records.head import EXTRACT, record_head
from bench.records.lines import BadRecord, Fields, to_line
from bench.records.packed import pack
from bench.records.reader import FINISHED, Record, RecordedGame
from bench.records.writer import canonical, end_line
from bench.referee.game_result import seat_points

JSONL, MSGPACK, CANONICAL = "jsonl", "msgpack", "canonical"
TARGETS = (JSONL, MSGPACK, CANONICAL)


class Filter:
    """Which games are wanted; what is None or empty does not matter.

    Attributes:
        engine: an engine that played, by its place in the list of the head.
        winner: the engine that did better than all others.
        seat: the seat, from 0, of that engine or winner.
        terminations: words for why a game ended, one of which it must be.
        blocks: the first and the last block, from 1.
        faults: True for games in which an engine did something wrong.
    """

    __slots__ = ("blocks", "engine", "faults", "seat", "terminations", "winner")

    def __init__(
        self,
        engine: int | None = None,
        winner: int | None = None,
        seat: int | None = None,
        terminations: Iterable[str] = (),
        blocks: tuple[int, int] | None = None,
        faults: bool = False,
    ) -> None:
        self.engine, self.winner, self.seat = engine, winner, seat
        self.terminations, self.blocks, self.faults = frozenset(terminations), blocks, faults

    @property
    def is_empty(self) -> bool:
        """True if all games are wanted."""
        wanted = (self.engine, self.winner, self.seat, self.blocks)
        return wanted == (None,) * 4 and not self.terminations and not self.faults

    def takes(self, game: RecordedGame) -> bool:
        """Return True if a game is wanted."""
        fields, seats = game.fields, game.seats
        if self.blocks is not None and not self.blocks[0] <= game.block <= self.blocks[1]:
            return False
        if self.terminations and fields["termination"] not in self.terminations:
            return False
        if self.faults and not ("fault" in fields or fields.get("replaced")):
            return False
        for engine in (self.engine, self.winner):
            if engine is None:
                continue
            if engine not in seats:
                return False
            if self.seat is not None and seats[self.seat] != engine:
                return False
        if self.winner is not None:
            return seat_points(fields["returns"], seats.index(self.winner)) == 1.0
        return True


def extract(
    record: Record, games: Iterable[RecordedGame], is_filtered: bool = False
) -> Iterator[Fields]:
    """Yield the objects of a file with some games of a record, all their fields kept.

    `is_filtered` says that they are not just those that count. The seed of the run is told at the
    end, if no game of it is to come.
    """
    head = record_head(record.head.fields, EXTRACT)
    yield {**head, "filtered": is_filtered or head.get("filtered", False)}
    count = 0
    for game in games:
        count += 1
        yield game.fields
    if record.reason in FINISHED and record.seed is not None:
        yield end_line(record.seed, count)


def canonical_record(record: Record, games: Iterable[RecordedGame]) -> Iterator[Fields]:
    """Yield the objects of the record of a run from its games that count.

    They are those that the run itself writes with `--record`; without any game it is nothing.
    Raises BadRecord for an extract from which games were left out.
    """
    head, count = record.head.fields, 0
    if record.form == EXTRACT:
        if head.get("filtered", True) is not False:
            raise BadRecord(f"{record.path}: it holds not just the games that count")
        head = {key: value for key, value in head.items() if key != "filtered"}
    for game in games:
        if not count:
            yield record_head(head)
        count += 1
        yield canonical(game.fields)
    if count and record.reason in FINISHED and record.seed is not None:
        yield end_line(record.seed, count)


def encode(record: Record, objects: Iterable[Fields], target: str) -> Iterator[bytes]:
    """Yield the bytes of each object in the target form; BadRecord for what it cannot hold."""
    for value in objects:
        try:
            yield pack(value) if target == MSGPACK else to_line(value).encode()
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            number: Any = value.get("number", "head or end")
            where = f"{record.path}, game {number}"
            raise BadRecord(f"{where}: cannot be written as {target}: {error}") from None


__all__ = [
    "CANONICAL",
    "JSONL",
    "MSGPACK",
    "TARGETS",
    "Filter",
    "canonical_record",
    "encode",
    "extract",
]
