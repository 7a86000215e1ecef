"""Luck of Kuhn poker fixed in advance."""

from engine.game import State
from engine.stream import RandomStream


class Deal:
    """The order of the three cards, from a seed; `first` is the first where it is dealt already."""

    def __init__(self, seed: int, first: int | None = None) -> None:
        self.order = RandomStream(seed).shuffled(range(3))
        if first is not None:
            self.order = [first, *(card for card in self.order if card != first)]

    def outcome(self, state: State) -> int:
        """Return the outcome of the present chance event."""
        first = state.legal_moves()[0]
        return first & ~0xFF | self.order[first >> 8 & 0xFF]

    def copy(self) -> "Deal":
        """Return an independent copy."""
        return self
