"""Rules and states of the games. Knows nothing of search, text protocol or user interfaces.

    >>> import engine
    >>> game = engine.load("kuhn")
    >>> state = game.new_state()
    >>> state.is_chance
    True

Importing this package is cheap: the compiled modules load on first use.
"""

from engine.errors import (
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

    from engine.game import Game, RandomStream, State
    from engine.settings import Setting

__all__ = [
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
    "game_settings",
    "load",
]


def __getattr__(name: str) -> "Any":
    if name in ("Game", "State", "RandomStream"):
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


def _known(name: str) -> None:
    names = available()
    if name not in names:
        raise UnknownGame(f"no game {shorten(name)!r}; there are: {', '.join(names)}")
