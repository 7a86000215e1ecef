"""Luck of Kuhn poker fixed in advance."""

from typing import TYPE_CHECKING

from engine.game import RandomStream, State

if TYPE_CHECKING:
    from engine.game import Game


class Deal:
    """The order of the three cards, from a seed."""

    def __init__(self, game: "Game", seed: int) -> None:
        self.order = RandomStream(seed).shuffled(range(3))

    def outcome(self, state: State) -> int:
        """Return the outcome of the present chance event."""
        first = state.legal_moves()[0]
        return first & ~0xFF | self.order[first >> 8 & 0xFF]

    def copy(self) -> "Deal":
        """Return an independent copy."""
        return self
