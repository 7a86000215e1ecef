"""Rules and states of the games. Knows nothing of search, text protocol or user interfaces.

    >>> import engine
    >>> game = engine.load("kuhn")
    >>> state = game.new_state()
    >>> state.is_chance
    True

Importing this package is cheap: the compiled modules load on first use.
"""

from engine.errors import (
    BadCards,
    BadMoveText,
    BadPositionText,
    BadSetting,
    EngineError,
    IllegalMove,
    UnknownGame,
    shorten,
)

TYPE_CHECKING = False  # typing costs more to import than all the rest; checkers read this as True
if TYPE_CHECKING:
    from typing import Any

    from engine.game import Game, State
    from engine.settings import Setting
    from engine.stream import RandomStream

__all__ = [
    "BadCards",
    "BadMoveText",
    "BadPositionText",
    "BadSetting",
    "EngineError",
    "Game",
    "IllegalMove",
    "RandomStream",
    "State",
    "UnknownGame",
    "available",
    "find_cards",
    "game_settings",
    "game_variants",
    "has_cards",
    "list_cards",
    "load",
    "read_cards",
]


def __getattr__(name: str) -> "Any":
    if name == "RandomStream":
        import engine.stream

        return engine.stream.RandomStream
    if name in ("Game", "State"):
        import engine.game

        return getattr(engine.game, name)
    raise AttributeError(f"module 'engine' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def available() -> list[str]:
    """Return the names of all games, sorted."""
    from engine.games import names

    return names()


def game_settings(name: str) -> "tuple[Setting, ...]":
    """Return the settings of a game without loading its compiled rules."""
    from importlib import import_module

    _known(name)
    settings: tuple[Setting, ...] = import_module(f"engine.games.{name}.settings").SETTINGS
    return settings


def game_variants(name: str) -> "tuple[dict[str, str], ...]":
    """Return sets of settings that tests and benchmarks take besides the defaults: modules."""
    from importlib import import_module

    _known(name)
    return getattr(import_module(f"engine.games.{name}.settings"), "VARIANTS", ())


def load(name: str, **settings: object) -> "Game":
    """Return a game by name; settings not given have their defaults.

    Raises:
        UnknownGame: there is no such game; the message lists those there are.
        BadSetting: no such setting, or a value that it does not allow.
    """
    from importlib import import_module

    _known(name)
    game: Game = import_module(f"engine.games.{name}.game").load(**settings)
    return game


def read_cards(path: str) -> tuple[str, str]:
    """Read a card file; return its game and the value for the setting `cards` of that game.

    From then on this process can load the game with these cards. Raises BadCards at the first
    fault of the file.
    """
    from importlib import import_module

    from engine.card_file import read

    table = read(path)
    name = table.word("game", tuple(name for name in available() if has_cards(name)))
    digits: str = import_module(f"engine.games.{name}.data").register(table).hash
    return name, digits


def has_cards(name: str) -> bool:
    """Return True if a game can be played with card files."""
    return any(setting.digits for setting in game_settings(name))


def find_cards(name: str, digits: str) -> "Any":
    """Return the card set of a hash; BadSetting if no file with it has been read."""
    from importlib import import_module

    return import_module(f"engine.games.{name}.data").find(digits)


def list_cards(name: str, digits: str) -> "list[str]":
    """Return the lines that tell in words what is in a card set."""
    from importlib import import_module

    package = f"engine.games.{name}"
    return list(import_module(f"{package}.card_list").list_cards(find_cards(name, digits)))


def _known(name: str) -> None:
    names = available()
    if name not in names:
        raise UnknownGame(f"no game {shorten(name)!r}; there are: {', '.join(names)}")
