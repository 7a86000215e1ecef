"""Lines of records and journals: one JSON object each, written and read one at a time."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

Fields = dict[str, Any]

LINE_MAX = 1 << 24
"""Bytes of a line at most; the longest games have a hundredth of it."""


class BadRecord(ValueError):
    """A record that cannot be read or replayed; the text says where."""


class Torn(BadRecord):
    """A last line that was not written to its end; `offset` is where it begins, in bytes."""

    def __init__(self, text: str, offset: int) -> None:
        super().__init__(text)
        self.offset = offset


class Line:
    """An object of a file.

    Attributes:
        fields: the object.
        number: its place in the file, from 1.
        offset, end: the bytes that it takes up.
    """

    __slots__ = ("end", "fields", "number", "offset")

    def __init__(self, fields: Fields, number: int, offset: int, end: int) -> None:
        self.fields, self.number, self.offset, self.end = fields, number, offset, end


def to_line(value: Fields) -> str:
    """Return the line of an object, its end included: compact JSON in ASCII.

    Raises ValueError or TypeError for what JSON cannot hold, such as numbers that are not finite.
    """
    return json.dumps(value, separators=(",", ":"), allow_nan=False) + "\n"


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the objects of a file of lines; it is read as far as they are asked for.

    Raises BadRecord at the first line that is no JSON object, Torn if that is a last line without
    its end.
    """
    yield from JsonSource(path)


class Source:
    """A file of objects; `unit` is what people call the place of one."""

    unit = ""

    def __init__(self, path: Path) -> None:
        self.path = path

    def where(self, number: int) -> str:
        """Return the words for the place of an object."""
        return f"{self.path}, {self.unit} {number}"


class JsonSource(Source):
    """The objects of a file of JSON lines, in order or by their offset."""

    unit = "line"

    def __iter__(self) -> Iterator[Line]:
        offset = 0
        try:
            with self.path.open("rb") as file:
                number = 0
                while raw := file.readline(LINE_MAX):
                    number += 1
                    yield self._line(raw, number, offset)
                    offset += len(raw)
        except OSError as error:
            raise BadRecord(f"{self.path}: {error.strerror}") from None

    def read(self, number: int, offset: int) -> Fields:
        """Return the object that begins at an offset."""
        try:
            with self.path.open("rb") as file:
                file.seek(offset)
                return self._line(file.readline(LINE_MAX), number, offset).fields
        except OSError as error:
            raise BadRecord(f"{self.path}: {error.strerror}") from None

    def _line(self, raw: bytes, number: int, offset: int) -> Line:
        where = self.where(number)
        if not raw.endswith(b"\n"):
            if len(raw) >= LINE_MAX:
                raise BadRecord(f"{where}: longer than {LINE_MAX} bytes")
            raise Torn(f"{where}: the line has no end", offset)
        return Line(parse_line(raw, where), number, offset, offset + len(raw))


def parse_line(raw: bytes, where: str) -> Fields:
    """Return the object of a line. Raises BadRecord, naming the place, if there is none."""
    try:
        fields = json.loads(raw.decode("utf-8"), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise BadRecord(f"{where}: no UTF-8 at byte {error.start + 1}") from None
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"{where}: no JSON: {error}") from None
    if not isinstance(fields, dict):
        raise BadRecord(f"{where}: a JSON object is expected")
    return fields


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


__all__ = [
    "LINE_MAX",
    "BadRecord",
    "Fields",
    "JsonSource",
    "Line",
    "Source",
    "Torn",
    "parse_line",
    "read_lines",
    "to_line",
]
