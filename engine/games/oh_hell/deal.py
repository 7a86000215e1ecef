"""Luck of Oh Hell fixed in advance: the number of tricks, the dealer, the order of the deck."""

from typing import TYPE_CHECKING

from engine.game import State
from engine.games.oh_hell import notation as n
from engine.stream import RandomStream

if TYPE_CHECKING:
    from engine.games.oh_hell.game import OhHellGame

# Purposes of the streams, apart from all those in rng.pxd.
_TRICKS, _DEALER, _DECK = 101, 102, 103


class Deal:
    """One deal; it does not change while a game goes on."""

    def __init__(self, game: "OhHellGame", seed: int, start: State | None = None) -> None:
        self.game, self.seed = game, seed
        fields = game.fields(game.new_state() if start is None else start)
        order = RandomStream(seed, _DECK).shuffled(fields["cards"])
        dealt = [card for hand in fields["hand"] for card in hand]
        self.deck: list[int] = dealt + [card for card in order if card not in dealt]

    def outcome(self, state: State) -> int:
        """Return the outcome of the present chance event."""
        outcomes = state.legal_moves()
        kind = outcomes[0] >> 24
        if kind in (n.DEAL, n.TRUMP):
            dealt: int = self.game.fields(state)["dealt"]
            return outcomes[0] & ~0xFF | self.deck[dealt]
        purpose = _TRICKS if kind == n.TRICKS else _DEALER
        return outcomes[RandomStream(self.seed, purpose).below(len(outcomes))]

    def copy(self) -> "Deal":
        """Return an independent copy."""
        return self
