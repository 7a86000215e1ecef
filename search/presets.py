"""The ready-made searches, as plain data: a handshake lists them without loading compiled code."""

TYPE_CHECKING = False  # true for type checkers; importing typing would be slow
if TYPE_CHECKING:
    from typing import TypedDict

    class Options(TypedDict):
        """What tells one preset from another."""

        algorithm: str
        """`ismcts`, `flat`, `greedy` or `random`."""
        exploration: float
        """Weight of the second UCB term; only of ismcts."""
        playout_plies: int | None
        """Decisions of a playout, or None: to the end of the game; of ismcts and flat."""


class Preset:
    """A search with a name."""

    __slots__ = ("help", "options")

    def __init__(
        self,
        help: str,
        algorithm: str,
        exploration: float = 0.0,
        playout_plies: int | None = None,
    ) -> None:
        self.help = help
        """One line for people."""
        self.options: Options = {
            "algorithm": algorithm,
            "exploration": exploration,
            "playout_plies": playout_plies,
        }


# The options of `vanilla` never change: later work is measured against it.
TABLE = {
    "drakkar": Preset("the best engine of this project", "ismcts", exploration=0.7),
    "vanilla": Preset("single-observer IS-MCTS as published in 2012", "ismcts", exploration=0.7),
    "random": Preset("a legal move by lot", "random"),
    "greedy": Preset("the move with the largest immediate gain", "greedy"),
    "flat": Preset("flat Monte Carlo: every move gets as many playouts", "flat"),
}

PRESETS: tuple[str, ...] = tuple(TABLE)
