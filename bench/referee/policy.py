"""What the referee does when an engine fails, and how long it waits for what."""

LOSE, SUBSTITUTE, STOP, RECOVER = "lose", "substitute", "stop", "recover"
ILLEGAL = (LOSE, SUBSTITUTE, STOP)
FAILURES = (RECOVER, STOP)
NEVER, GAME = "never", "game"
RESTARTS = (NEVER, GAME)

AFTERMATH_S = 1.0
"""Seconds that a late engine has to answer `stop` and a ping, before it is ended."""

DISTURBED_S = 1.0
"""A referee later than this, in seconds, has disturbed the decision: its block is played again."""


class Policy:
    """The rules of a run for engines that do wrong.

    Attributes:
        illegal: an illegal answer has its game lost (LOSE), is replaced by a legal move by lot
            (SUBSTITUTE), or ends the run (STOP).
        failures: any other fault has its game lost and the engine started again (RECOVER), or ends
            the run (STOP).
        strikes: how many overruns beyond the margin, of at most a second each, are forgiven to a
            seat in one game.
        restart: processes live for the run (NEVER) or for one game (GAME).
        start_s, newgame_s, ping_s, quit_s: seconds that an engine has to introduce itself, to be
            ready for a new game, to answer a ping, and to leave after `quit` and again after
            SIGTERM.
        ponder: engines with the option Ponder think while others decide.
    """

    __slots__ = (
        "failures",
        "illegal",
        "newgame_s",
        "ping_s",
        "ponder",
        "quit_s",
        "restart",
        "start_s",
        "strikes",
    )

    def __init__(
        self,
        illegal: str = LOSE,
        failures: str = RECOVER,
        strikes: int = 0,
        restart: str = NEVER,
        start_s: float = 60.0,
        newgame_s: float = 30.0,
        ping_s: float = 10.0,
        quit_s: float = 0.5,
        ponder: bool = False,
    ) -> None:
        self.illegal, self.failures, self.strikes, self.restart = (
            illegal,
            failures,
            strikes,
            restart,
        )
        self.start_s, self.newgame_s, self.ping_s, self.quit_s = start_s, newgame_s, ping_s, quit_s
        self.ponder = ponder

    def to_json(self) -> dict[str, object]:
        """Return the object that the head of a journal holds; `ponder` only where it is on."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        if not self.ponder:
            del fields["ponder"]
        return fields


__all__ = [
    "AFTERMATH_S",
    "DISTURBED_S",
    "FAILURES",
    "GAME",
    "ILLEGAL",
    "LOSE",
    "NEVER",
    "RECOVER",
    "RESTARTS",
    "STOP",
    "SUBSTITUTE",
    "Policy",
]
