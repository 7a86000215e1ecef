"""The file of a tournament: TOML whose keys are the flags of the command, and its engines.

A key is a long option of `drakkar tournament` without its dashes. Each contestant is a table
`[[engine]]`. Relative paths are relative to the folder of the file: the values of all options that
are paths, and in the command of an engine its first word, where it has a slash, and every word that
begins with `./` or `../`. Nothing is started before all of the file is known to be right.
"""

import re
import shlex
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from bench.contestant import BadContestant, Contestant, Limit, make_contestant, parse_side
from bench.reading import TOML_MAX, BadText, parse_toml, read_text
from bench.text import visible
from search.presets import PRESETS

ENGINE = "engine"
TEXT, WHOLE, NUMBER, SWITCH = "text", "a whole number", "a number", "true or false"
_TYPES: dict[str, tuple[type, ...]] = {
    TEXT: (str,),
    WHOLE: (int,),
    NUMBER: (int, float),
    SWITCH: (bool,),
}
ENGINE_KEYS = {
    "name": TEXT,
    "preset": TEXT,
    "command": TEXT,
    "nodes": WHOLE,
    "movetime": WHOLE,
    "depth": WHOLE,
    "tc": TEXT,
    "options": "a table",
}
"""Keys of `[[engine]]` and what their values are."""
LIMIT_KEYS = ("nodes", "movetime", "depth", "tc")


class BadConfig(ValueError):
    """A file that cannot be used; the text names file, line where it is known, and key."""


class EngineEntry:
    """A contestant as it was written down.

    Attributes:
        text: a preset or a command line.
        name: the label it is to have, or None.
        side: its limits and options, as `bench.contestant.make_contestant` takes them.
        where: the place in a file or on the command line, for messages.
    """

    __slots__ = ("name", "side", "text", "where")

    def __init__(self, text: str, name: str | None, side: dict[str, str], where: str) -> None:
        self.text, self.name, self.side, self.where = text, name, side, where

    def contestant(self, shared: Limit) -> Contestant:
        """Return the contestant, with the shared limit if it has none. Raises BadConfig."""
        try:
            made = make_contestant(self.text, shared, self.side)
        except BadContestant as error:
            raise BadConfig(f"{self.where}: {error}") from None
        if self.name is not None:
            made.label = visible(self.name)
        return made


class Config:
    """A file that has been read.

    Attributes:
        path: the file.
        values: the value of each key but the engines.
        engines: the contestants, in the order of the file.
    """

    def __init__(self, path: Path, text: str, data: dict[str, Any]) -> None:
        self.path, self.values, self._text = path, data, text
        self.engines: list[EngineEntry] = []

    def place(self, key: str, table: int | None = None) -> str:
        """Return file and line of a key, of the given engine or of the whole file."""
        line = line_of(self._text, key, table)
        return f"{self.path}, line {line}" if line else str(self.path)

    def inside(self, path: str) -> str:
        """Return a path of the file as it is for this process."""
        return str(self.path.parent / path)


def read_config(path: Path, kinds: Mapping[str, str]) -> Config:
    """Return the file's content; `kinds` says what the value of each key is.

    Raises BadConfig at the first key that is unknown or has a value of the wrong kind.
    """
    try:
        text = read_text(path, TOML_MAX)
        data = parse_toml(text)
    except BadText as error:
        raise BadConfig(f"{path}: {error}") from None
    config = Config(path, text, data)
    engines = data.pop(ENGINE, [])
    for key, value in data.items():
        where = config.place(key)
        _check_key(where, key, [*kinds, ENGINE])
        _check_kind(where, key, value, kinds[key])
    if not isinstance(engines, list):
        raise BadConfig(f"{config.place(ENGINE)}: engines are tables [[engine]]")
    config.engines = [_entry(config, number, table) for number, table in enumerate(engines)]
    return config


def parse_engine(text: str, where: str) -> EngineEntry:
    """Return the contestant of `name=...,command=...,nodes=100,Threads=2`.

    A text without an equals sign is a preset or a command. Raises BadConfig.
    """
    if "=" not in text:
        return EngineEntry(text, None, {}, where)
    try:
        side = parse_side(text)
    except BadContestant as error:
        raise BadConfig(f"{where}: {error}") from None
    given: dict[str, Any] = {
        key: side.pop(key) for key in ("name", "preset", "command") if key in side
    }
    return EngineEntry(_engine_text(where, given), given.get("name"), side, where)


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that is most like a word that is not known."""
    return get_close_matches(word.replace("_", "-"), list(known), 1, 0.0)[0]


def line_of(text: str, key: str, table: int | None = None) -> int | None:
    """Return the number of the line that gives a key, or None where it is written unusually.

    `table` is the number of an `[[engine]]`, from 0; None is for keys before any table.
    """
    at = -1
    wanted = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]|\s*\[+\s*{re.escape(key)}\s*\]")
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*\[\[\s*engine\s*\]\]", line):
            at += 1
        if wanted.match(line) and (table is None or at == table):
            return number
    return None


def _entry(config: Config, number: int, table: Any) -> EngineEntry:
    """Return the contestant of a table of the file, or of a text as the flag has it."""
    where = f"{config.place(ENGINE, number)}, engine {number + 1}"
    if isinstance(table, str):
        entry = parse_engine(table, where)
        written, entry.text = entry.text, _from_folder(entry.text, config)
        if entry.name is None and entry.text != written:
            entry.name = written
        return entry
    if not isinstance(table, dict):
        raise BadConfig(f"{where}: an engine is a table")
    side: dict[str, str] = {}
    for key, value in table.items():
        place = f"{config.place(key, number)}, engine {number + 1}"
        _check_key(place, key, ENGINE_KEYS)
        if key == "options":
            side.update(_options(place, value))
            continue
        _check_kind(place, key, value, ENGINE_KEYS[key])
        if key in LIMIT_KEYS:
            side[key] = str(value)
    written = _engine_text(where, table)
    text = _from_folder(written, config)
    # The folder is no part of the name: the engine is called as it was written down.
    name = table.get("name", None if text == written else written)
    return EngineEntry(text, name, side, where)


def _options(where: str, table: Any) -> dict[str, str]:
    """Return engine options as texts."""
    if not isinstance(table, dict):
        raise BadConfig(f"{where}: options are a table, such as {{ Threads = 2 }}")
    options = {}
    for name, value in table.items():
        if not isinstance(value, str | int | float):
            raise BadConfig(f"{where}: the value of option {name} is text, a number or a switch")
        options[name] = str(value).lower() if isinstance(value, bool) else str(value)
        if not (name + options[name]).isprintable() or name in LIMIT_KEYS:
            raise BadConfig(f"{where}: {ascii(name)} cannot be told to an engine as an option")
    return options


def _engine_text(where: str, given: Mapping[str, Any]) -> str:
    """Return the preset or command line of an engine."""
    texts = [given[key] for key in ("preset", "command") if key in given]
    if len(texts) != 1:
        raise BadConfig(f"{where}: give either a preset or a command")
    if "preset" in given and texts[0] not in PRESETS:
        raise BadConfig(
            f"{where}: no preset {visible(texts[0])!r}; do you mean {nearest(texts[0], PRESETS)}?"
        )
    if given.get("name") == "":
        raise BadConfig(f"{where}: the name is empty")
    return str(texts[0])


def _from_folder(command: str, config: Config) -> str:
    """Return a command line whose relative paths no longer depend on the folder we are in."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command  # refused later, with the reason
    moved = [
        str(config.path.parent.absolute() / word)
        if word.startswith(("./", "../")) or (place == 0 and "/" in word)
        else word
        for place, word in enumerate(words)
    ]
    return command if moved == words else shlex.join(moved)


def _check_key(where: str, key: str, known: Iterable[str]) -> None:
    if key not in known:
        raise BadConfig(
            f"{where}: no key {visible(key)!r} here; do you mean {nearest(key, known)}?"
        )


def _check_kind(where: str, key: str, value: Any, kind: str) -> None:
    if isinstance(value, bool) != (kind == SWITCH) or not isinstance(value, _TYPES[kind]):
        raise BadConfig(f"{where}: {key} is {kind}, not {_told(value)}")
    if isinstance(value, str) and "\0" in value:
        raise BadConfig(f"{where}: {key}: no text of a file name or command holds a null character")


def _told(value: Any) -> str:
    """Return the kind of a value in words, and the value if it is short."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return f"the text {ascii(value[:40])}"
    if isinstance(value, list):
        return "a list"
    return "a table" if isinstance(value, dict) else "a date"


__all__ = [
    "ENGINE",
    "ENGINE_KEYS",
    "NUMBER",
    "SWITCH",
    "TEXT",
    "WHOLE",
    "BadConfig",
    "Config",
    "EngineEntry",
    "line_of",
    "nearest",
    "parse_engine",
    "read_config",
]
