"""Reads card files: TOML, taken apart key by key, with one clear error for the first fault.

What the keys of a game's file mean is told by the game's own `data` module.
"""

import os
import stat
from typing import Any

from engine.errors import BadCards, shorten

MOST_BYTES = 65_536
LONGEST_LINE = 500
"""In characters; keeps the time that a reader of TOML needs in proportion to the file."""
LONGEST_NAME = 40
LONGEST_PATH = 120
"""Of a longer path messages show the end."""

STATUSES = ("rulebook", "printed", "sourced", "inferred", "guess")
"""Where a figure comes from; the words are explained in the shipped card files."""

_NO_WAIT = getattr(os, "O_NONBLOCK", 0)


def read(path: str) -> "Table":
    """Return the table that a card file is; BadCards names the file and what is wrong with it."""
    import tomllib

    file = path if len(path) <= LONGEST_PATH else f"...{path[3 - LONGEST_PATH :]}"
    if not file.isprintable() or not file.strip():
        file = ascii(file)
    text = _decode(file, _bytes_of(file, path))
    try:
        return Table(file, "", tomllib.loads(text))
    except RecursionError:
        raise BadCards(f"{file}: no TOML: nested too deeply") from None
    except ValueError as error:
        raise BadCards(f"{file}: no TOML: {shorten(_one_line(str(error)))}") from None


def _bytes_of(file: str, path: str) -> bytes:
    """Return what a regular file holds; a pipe or device would keep the reader waiting."""
    try:
        is_regular = stat.S_ISREG(os.stat(path).st_mode)
        if is_regular:
            # It may have been exchanged meanwhile, so do not wait for a pipe either.
            with open(path, "rb", opener=lambda p, flags: os.open(p, flags | _NO_WAIT)) as stream:
                raw = stream.read(MOST_BYTES + 1) or b""
    except OSError as error:
        raise BadCards(f"{file}: {error.strerror or error}") from None
    except ValueError:  # a zero byte, or what no file name can hold
        raise BadCards(f"{file}: no name of a file") from None
    if not is_regular:
        raise BadCards(f"{file}: no regular file")
    if len(raw) > MOST_BYTES:
        raise BadCards(f"{file}: larger than {MOST_BYTES} bytes")
    return raw


def _decode(file: str, raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        byte = raw[error.start]
        raise BadCards(f"{file}: line {line}: byte 0x{byte:02x} is not UTF-8") from None
    for number, words in enumerate(text.split("\n"), 1):
        if len(words) > LONGEST_LINE:
            raise BadCards(f"{file}: line {number}: longer than {LONGEST_LINE} characters")
    return text


class Table:
    """A table of a card file.

    `where` names it in errors (`warehouse 11`; "" is the file as a whole); `statuses` holds the
    status of each figure once `expect` has been called.
    """

    __slots__ = ("file", "statuses", "values", "where")

    def __init__(self, file: str, where: str, values: dict[str, Any]) -> None:
        self.file, self.where, self.values = file, where, values
        self.statuses: dict[str, str] = {}

    def fault(self, key: str, text: str) -> BadCards:
        """Return the error that blames a key."""
        return BadCards(": ".join(part for part in (self.file, self.where, key, text) if part))

    def refuse(self, key: str, allowed: str) -> BadCards:
        """Return the error for a value that is not allowed, or is missing."""
        if key in self.values:
            return self.fault(key, f"{describe(self.values[key])} is not allowed; use {allowed}")
        close = _close(key, [k for k in self.values if k != "status" and not _is_status(k)])
        hint = f" ({close} stands there)" if close else ""
        return self.fault(key, f"is missing{hint}; give {allowed}")

    def expect(self, figures: tuple[str, ...], others: tuple[str, ...] = ()) -> None:
        """Refuse keys that do not belong here, and figures without a status.

        Figures have a status each, others have none.
        """
        known = (*figures, *others, "status", *(f"{figure}_status" for figure in figures))
        for key in self.values:
            if key not in known:
                close = _close(key, [*known])
                hint = f" (do you mean {close}?)" if close else ""
                names = ", ".join((*figures, *others, "status"))
                raise self.fault(shown_key(key), f"no such key{hint}; the keys here are: {names}")
        for figure in figures:
            key = f"{figure}_status" if f"{figure}_status" in self.values else "status"
            self.statuses[figure] = self.word(key, STATUSES)

    def word(self, key: str, words: tuple[str, ...]) -> str:
        """Return one of some words."""
        value = self.values.get(key)
        if type(value) is not str or value not in words:
            raise self.refuse(key, _any_of(words))
        return value

    def number(self, key: str, low: int, high: int) -> int:
        """Return a whole number of a range."""
        value = self.values.get(key)
        if type(value) is not int or not low <= value <= high:
            raise self.refuse(key, _range(low, high))
        return value

    def numbers(self, key: str, count: int, low: int, high: int) -> list[int]:
        """Return an array of so many whole numbers of a range."""
        value = self.values.get(key)
        if (
            not isinstance(value, list)
            or len(value) != count
            or any(type(number) is not int or not low <= number <= high for number in value)
        ):
            raise self.refuse(key, f"an array of {count} numbers, each {_range(low, high)}")
        return value

    def exactly(self, key: str, wanted: "int | list[int]") -> None:
        """Refuse a figure that is not the one of the rulebooks."""
        value = self.values.get(key)
        # Lists of bools and floats may equal lists of ints.
        if type(value) is not type(wanted) or repr(value) != repr(wanted):
            raise self.refuse(key, f"{wanted}, as the rulebooks say")

    def name(self, key: str) -> str:
        """Return a name for people, "" if there is none."""
        value = self.values.get(key, "")
        if type(value) is not str or len(value) > LONGEST_NAME or not value.isprintable():
            raise self.refuse(key, f"a text of at most {LONGEST_NAME} characters in one line")
        return value.strip()

    def table(self, key: str) -> "Table":
        """Return a table in this one."""
        value = self.values.get(key)
        if not isinstance(value, dict):
            raise self.refuse(key, "a table")
        return Table(self.file, f"{self.where} {key}".strip(), value)

    def tables(self, key: str, count: int) -> "list[Table]":
        """Return an array of so many tables, numbered from 1."""
        value = self.values.get(key)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.refuse(key, f"{count} tables [[{key}]]")
        if len(value) != count:
            raise self.fault(key, f"{len(value)} tables [[{key}]]; there must be {count}")
        return [Table(self.file, f"{key} {i}", item) for i, item in enumerate(value, 1)]


def describe(value: object) -> str:
    """Return a value of a file for use in a message, cut short."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**20 else f"a number of {value.bit_length()} bits"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return repr(shorten(value, 40))
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        if any(isinstance(item, (dict, list)) for item in value):
            return "an array of other arrays or tables"
        return f"[{shorten(', '.join(describe(item) for item in value), 60)}]"
    return "a date or time"


def shown_key(key: str) -> str:
    """Return a key for use in a message: as it is where it is a plain word."""
    return key if key.replace("_", "").isalnum() and len(key) <= 40 else repr(shorten(key, 40))


def _close(key: str, known: list[str]) -> str:
    """Return the key of some that is spelt most like another one, "" if none is."""
    import difflib

    close = difflib.get_close_matches(key[:LONGEST_NAME], known, 1, 0.7)
    return shown_key(close[0]) if close else ""


def _is_status(key: str) -> bool:
    return key.endswith("_status")


def _any_of(words: tuple[str, ...]) -> str:
    words = tuple(f'"{word}"' for word in words)
    return words[0] if len(words) == 1 else f"one of {', '.join(words)}"


def _range(low: int, high: int) -> str:
    return f"a whole number from {low} to {high}" if low < high else str(low)


def _one_line(text: str) -> str:
    """Return a message of the TOML reader as part of ours, with its own escapes kept."""
    return " ".join(text.split()).rstrip(".")
