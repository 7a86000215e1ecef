"""Luck of Leduc poker fixed in advance: the order of the six cards."""

from engine.game import State
from engine.games.leduc.notation import CARDS, NONE, from_text
from engine.stream import RandomStream


class Deal:
    """The first three cards, from a seed; those that lie in `start` already come as they are."""

    def __init__(self, seed: int, start: State | None = None) -> None:
        order = RandomStream(seed).shuffled(range(len(CARDS)))
        dealt: list[int] = []
        if start is not None:
            fields, _ = from_text(start.to_text())
            dealt = [card for card in fields[:3] if card != NONE]
        self.order = [*dealt, *(card for card in order if card not in dealt)]

    def outcome(self, state: State) -> int:
        """Return the outcome of the present chance event."""
        first = state.legal_moves()[0]
        fields, _ = from_text(state.to_text())
        return first & ~0xFF | self.order[sum(card != NONE for card in fields[:3])]

    def copy(self) -> "Deal":
        """Return an independent copy."""
        return self
