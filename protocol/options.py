"""Options: kinds, values, declarations. The values are read by server, session and search job."""

import os

from engine.errors import EngineError, shorten
from engine.settings import Setting
from protocol.messages import BAD_OPTION, BAD_VALUE, BLANKS, ProtocolError, parse_int

CHECK, SPIN, COMBO, BUTTON, STRING = "check", "spin", "combo", "button", "string"
EMPTY = "<empty>"

MOST_HASH_MB = 65536

SEARCH = "Search"
"""The option that changes options of the preset: `name=value name=value`."""

SEARCH_OPTIONS = ("preset", "hash", "threads", "move overhead", "playout plies", "search")
"""Names (lower case) of the options a searcher is made with."""

CARD_FILE = "CardFile"
"""The option that reads a card file and chooses its set for the game that it is for."""

LOG_FILE = "Debug Log File"
"""The option that names a file for every line in and out."""


class Option:
    """One option: how it is declared and what it is set to.

    `value` is a bool (check), an int (spin) or a str; a button has none. `game` and `setting` tell
    what an option for a game's setting stands for.
    """

    __slots__ = ("choices", "default", "game", "high", "kind", "low", "name", "setting", "value")

    def __init__(
        self,
        kind: str,
        name: str,
        default: "bool | int | str" = "",
        low: int = 0,
        high: int = 0,
        choices: tuple[str, ...] = (),
        setting: Setting | None = None,
        game: str = "",
    ) -> None:
        self.kind, self.name, self.default, self.value = kind, name, default, default
        self.low, self.high, self.choices = low, high, choices
        self.setting, self.game = setting, game

    def declaration(self) -> str:
        """Return the line that tells a client of this option."""
        line = f"option name {self.name} type {self.kind}"
        if self.kind == BUTTON:
            return line
        line += f" default {show(self.default)}"
        if self.kind == SPIN:
            line += f" min {self.low} max {self.high}"
        return line + "".join(f" var {choice}" for choice in self.choices)

    def parse(self, text: str | None) -> "bool | int | str":
        """Return the value that a client's text stands for; ProtocolError if it is not allowed."""
        if self.kind == BUTTON:
            return ""
        if text is None:
            raise ProtocolError(BAD_VALUE, f"option {self.name} needs a value")
        word = text.strip(BLANKS)
        if self.kind == SPIN:
            number = parse_int(word)
            if number is None or not self.low <= number <= self.high:
                raise ProtocolError(
                    BAD_VALUE,
                    f"option {self.name} takes a number from {self.low} to {self.high}",
                )
            return number
        if self.kind == CHECK:
            if word.lower() not in ("true", "false"):
                raise ProtocolError(BAD_VALUE, f"option {self.name} takes true or false")
            return word.lower() == "true"
        if self.kind == COMBO:
            for choice in self.choices:
                if choice.lower() == word.lower():
                    return choice
            raise ProtocolError(
                BAD_VALUE, f"option {self.name} takes one of: {', '.join(self.choices)}"
            )
        return self._parse_string(text)

    def _parse_string(self, text: str) -> str:
        if text.strip(BLANKS).lower() in ("", EMPTY):
            text = ""
        if self.name == SEARCH:
            from search.options import parse_options

            try:
                parse_options(text)
            except ValueError as error:
                raise ProtocolError(BAD_VALUE, f"option {SEARCH}: {error}") from None
        if self.setting is None:
            return text
        try:
            value = self.setting.parse(text)
            if self.setting.digits:
                from engine import find_cards

                find_cards(self.game, value)
        except EngineError as error:
            raise ProtocolError(BAD_VALUE, f"option {self.name}: {error}") from None
        return value


def show(value: "bool | int | str") -> str:
    """Return a value as an option line writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) or EMPTY


class Options:
    """All options of the engine, found by name whatever its case."""

    def __init__(self) -> None:
        from engine import available, game_settings
        from search import PRESETS

        games = tuple(available())
        presets = tuple(PRESETS)
        options = [
            Option(COMBO, "Game", _default_game(games), choices=games),
            Option(COMBO, "Preset", presets[0], choices=presets),
            Option(SPIN, "Hash", 64, 1, most_hash()),
            Option(SPIN, "Threads", 1, 1, most_threads()),
            Option(SPIN, "MultiPV", 1, 1, 256),
            Option(CHECK, "UCI_ShowWDL", True),
            Option(CHECK, "Ponder", False),
            Option(SPIN, "Move Overhead", 10, 0, 10000),
            Option(SPIN, "Seed", 0, 0, 2147483647),
            Option(CHECK, "Strict Views", False),
            Option(SPIN, "Playout Plies", -1, -1, 100000),
            Option(STRING, SEARCH),
            Option(STRING, CARD_FILE),
            Option(STRING, LOG_FILE),
            Option(BUTTON, "Clear Hash"),
        ]
        for game in games:
            options += [_setting_option(game, setting) for setting in game_settings(game)]
        self._options = {option.name.lower(): option for option in options}

    def declarations(self) -> list[str]:
        """Return the `option` lines."""
        return [option.declaration() for option in self._options.values()]

    def find(self, name: str) -> Option:
        """Return the option of a name; ProtocolError if there is none."""
        option = self._options.get(name.lower())
        if option is None:
            raise ProtocolError(BAD_OPTION, f"there is no option {shorten(name)!r}")
        return option

    def set(self, option: Option, text: str | None) -> None:
        """Set an option to a client's text; ProtocolError, and no change, if it is not allowed."""
        value = option.parse(text)
        if option.name == CARD_FILE:
            self._use_cards(str(value))
        option.value = value

    def _use_cards(self, path: str) -> None:
        """Choose the set of a card file for its game; without a file, the default of each game."""
        from engine import read_cards

        try:
            game, digits = read_cards(path) if path else ("", "")
        except EngineError as error:
            raise ProtocolError(BAD_VALUE, f"option {CARD_FILE}: {error}") from None
        for option in self._options.values():
            if option.setting is not None and option.setting.digits and game in ("", option.game):
                option.value = digits or option.default

    def flag(self, name: str) -> bool:
        """Return the value of a check option."""
        return bool(self.find(name).value)

    def number(self, name: str) -> int:
        """Return the value of a spin option."""
        return int(self.find(name).value)

    def text(self, name: str) -> str:
        """Return the value of a combo or string option."""
        return str(self.find(name).value)

    def game_settings(self, game: str) -> dict[str, str]:
        """Return the settings chosen for a game, as words."""
        return {
            option.setting.name: str(option.value)
            for option in self._options.values()
            if option.setting is not None and option.game == game
        }

    def game_cards(self, game: str) -> dict[str, str]:
        """Return those of the settings chosen for a game that name loaded cards."""
        return {
            option.setting.name: str(option.value)
            for option in self._options.values()
            if option.setting is not None and option.setting.digits and option.game == game
        }


def most_threads() -> int:
    """Return the most threads that may search: with more the reader would have to wait its turn."""
    return max(8, 4 * (os.cpu_count() or 1))


def most_hash() -> int:
    """Return the most MiB for a tree: with more than the machine has the system would kill us."""
    limits = [MOST_HASH_MB << 20]
    # What a container may use, in the second and the first version of control groups.
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(path, "rb") as file:
                limits.append(int(file.read(32)) * 3 // 4)
        except (OSError, ValueError):
            pass  # no such file, or no limit
    try:
        limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4)
    except (OSError, ValueError, AttributeError):
        pass  # not a system that tells
    return max(min(limits) >> 20, 64)


def _default_game(games: tuple[str, ...]) -> str:
    """Return the first game that is more than a fixture for tests."""
    from importlib import import_module

    for game in games:
        if not getattr(import_module(f"engine.games.{game}"), "FIXTURE", False):
            return game
    return games[0]


def _setting_option(game: str, setting: Setting) -> Option:
    """Return the option of a game's setting: a combo of its words, a spin, or a checked text."""
    name = f"{game.capitalize()} {setting.name}"
    default, low, high = setting.default, setting.low, setting.high
    if setting.digits or (setting.values and low is not None):
        return Option(STRING, name, default, setting=setting, game=game)
    if low is None or high is None:
        return Option(COMBO, name, default, choices=setting.values, setting=setting, game=game)
    return Option(SPIN, name, int(default), low, high, setting=setting, game=game)
