"""The error types of the rules; each message says what, where and what to do."""


class EngineError(ValueError):
    """Base of all errors raised by `engine`."""


class UnknownGame(EngineError):
    """No game of that name; the message lists the games there are."""


class BadSetting(EngineError):
    """A game has no such setting, or the setting no such value."""


class IllegalMove(EngineError):
    """The move exists but the rules do not allow it now."""


class BadMoveText(EngineError):
    """The text is not a move or event of this game."""


class BadPositionText(EngineError):
    """The text does not describe a position of this game."""
