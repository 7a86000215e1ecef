"""The error types of the rules; each message says what, where and what to do."""


def shorten(text: str, length: int = 80) -> str:
    """Cut a client's text for use in a message."""
    return text if len(text) <= length else text[: length - 3] + "..."


class EngineError(ValueError):
    """Base of all errors raised by `engine`."""


class UnknownGame(EngineError):
    """No game of that name; the message lists the games there are."""


class BadSetting(EngineError):
    """A game has no such setting, or the setting no such value."""


class BadCards(EngineError):
    """A card file cannot be used; the message names file, key, value and what is allowed."""


class IllegalMove(EngineError):
    """The move exists but the rules do not allow it now."""


class BadMoveText(EngineError):
    """The text is not a move or event of this game."""


class BadPositionText(EngineError):
    """The text does not describe a position of this game.

    Attributes:
        key: the field at fault (`hand.p1`), or None where it is none of them alone.
    """

    def __init__(self, message: str, key: str | None = None) -> None:
        super().__init__(message)
        self.key = key
