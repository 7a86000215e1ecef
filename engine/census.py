"""The census of a game that counts nothing."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engine.game import State


class NoCensus:
    """Counts nothing."""

    def before(self, state: "State", move: int) -> None:
        """Take note of a move about to be applied."""

    def finish(self, state: "State") -> dict[str, int]:
        """Return the counts of the finished game."""
        return {}
