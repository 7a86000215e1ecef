"""The games that OpenSpiel has too: states and moves of ours put into its numbers, and back.

Its actions are numbers of a game: a chance outcome or a move. Its states keep the whole list of
actions, so a state of ours is put over by playing the events that lead to it. Where ours forgets
an order, such as that of the cards dealt, one of the possible orders is taken; OpenSpiel's state
is then equal in all that players can see, but not in its list of actions.
"""

from abc import ABC, abstractmethod
from functools import cache
from importlib import import_module
from typing import Any

from bench.games import parse_game
from bench.registry import LeftOut
from engine.errors import EngineError
from engine.game import Game, State

MISSING = "OpenSpiel is not installed; get it with: pip install 'drakkar[peers]'"


class PeerMissing(EngineError, LeftOut):
    """Raised if OpenSpiel is needed and is not installed."""


@cache
def openspiel() -> Any:
    """Return the module `pyspiel`; PeerMissing where it is not installed."""
    try:
        return import_module("pyspiel")
    except ImportError as error:
        raise PeerMissing(MISSING) from error


class Translator(ABC):
    """One game in both programs."""

    peer_text: str
    """What OpenSpiel loads: name and parameters."""
    rewards: str = "margins"
    """The method of a state of ours that gives, at the end, what OpenSpiel calls returns."""
    opening: tuple[int, ...] = ()
    """Actions of OpenSpiel before the first event of ours."""

    def __init__(self, identity: str) -> None:
        self.ours: Game = parse_game(identity)

    @property
    def peer(self) -> Any:
        """OpenSpiel's game; the same object at every call."""
        return _load_peer(self.peer_text)

    def peer_start(self) -> Any:
        """Return OpenSpiel's state of the empty table."""
        state = self.peer.new_initial_state()
        for action in self.opening:
            state.apply_action(action)
        return state

    def peer_state(self, state: State) -> Any:
        """Return OpenSpiel's state that equals a full state of ours.

        Raises ValueError for the view of a seat: there a card is not known.
        """
        if state.observer >= 0:
            raise ValueError("OpenSpiel has no views; determinize the state first")
        twin = self.peer_start()
        for move in self.events(state):
            twin.apply_action(self.action(move))
        return twin

    def move(self, state: State, action: int) -> int:
        """Return the legal move or outcome of ours that is OpenSpiel's action in this state."""
        for move in state.legal_moves():
            if self.action(move) == action:
                return move
        raise ValueError(f"action {action} of {self.peer_text} is not legal in {state.to_text()}")

    def payoffs(self, state: State) -> list[float]:
        """Return what OpenSpiel calls returns, one per seat, of a finished game."""
        found: list[float] = getattr(state, self.rewards)()
        return found

    def knowledge(self, peer: Any, seat: int) -> str:
        """Return OpenSpiel's text of all that a seat knows."""
        text: str = peer.information_state_string(seat)
        return f"{seat} {text}"

    @abstractmethod
    def action(self, move: int) -> int:
        """Return OpenSpiel's action that is a move or chance outcome of ours."""

    @abstractmethod
    def events(self, state: State) -> list[int]:
        """Return moves and outcomes of ours that lead from the empty table to a state."""


class Kuhn(Translator):
    """Kuhn poker: cards from jack to king are 0, 1, 2; pass and bet are 0, 1."""

    peer_text = "kuhn_poker"
    PASS, BET, DEAL = 1 << 24, 2 << 24, 3 << 24

    def __init__(self, identity: str = "kuhn") -> None:
        super().__init__(identity)

    def action(self, move: int) -> int:
        """Return a card, 0 for pass or 1 for bet."""
        return move & 0xFF if move >= self.DEAL else int(move == self.BET)

    def events(self, state: State) -> list[int]:
        """Deal both cards, then pass and bet as they came."""
        (one, two, count, bets), _ = self.ours.notation.from_text(state.to_text())
        cards = [self.DEAL | seat << 8 | card for seat, card in enumerate((one, two)) if card < 3]
        return cards + [self.BET if bets >> i & 1 else self.PASS for i in range(count)]


class Leduc(Translator):
    """Leduc poker: cards are 2 rank + suit in both; fold, call, raise are 0, 1, 2."""

    peer_text = "leduc_poker"
    FOLD, DEAL = 1 << 24, 4 << 24

    def __init__(self, identity: str = "leduc") -> None:
        super().__init__(identity)

    def action(self, move: int) -> int:
        """Return a card, or 0 to 2 for fold, call, raise."""
        return move & 0xFF if move >= self.DEAL else (move - self.FOLD) >> 24

    def events(self, state: State) -> list[int]:
        """Deal both cards, first round, public card, second round."""
        fields, _ = self.ours.notation.from_text(state.to_text())
        found: list[int] = self.ours.notation.events(fields)
        return found


class OhHell(Translator):
    """Oh Hell: cards rank by rank, suits from clubs to hearts; bids are numbered after them."""

    rewards = "scores"
    TRICKS, DEALER, BID = 1, 2, 5

    def __init__(self, identity: str = "oh_hell") -> None:
        super().__init__(identity)
        values = self.ours.settings
        self.suits = int(values["suits"])
        self.cards = self.suits * int(values["cards-per-suit"])
        tricks = -1 if values["tricks"] == "random" else int(values["tricks"])
        # A fixed number of tricks is a chance event with one outcome there, and none here.
        self.opening = () if tricks < 0 else (tricks,)
        penalty = "true" if values["off-bid-penalty"] == "on" else "false"
        self.peer_text = (
            f"oh_hell(players={values['seats']},num_suits={values['suits']},"
            f"num_cards_per_suit={values['cards-per-suit']},num_tricks_fixed={tricks},"
            f"off_bid_penalty={penalty},points_per_trick={values['points-per-trick']})"
        )

    def action(self, move: int) -> int:
        """Return a number of tricks, a seat, a card, or a bid behind the cards."""
        kind, value = move >> 24, move & 0xFF
        if kind in (self.TRICKS, self.DEALER):
            return value
        if kind == self.BID:
            return self.cards + value
        return value // 4 * self.suits + value % 4

    def events(self, state: State) -> list[int]:
        """Deal each seat its cards in ascending order, those played included."""
        from engine.games.oh_hell.position import read

        _, _, events = read(state.to_text(), lambda **_: self.ours)
        return [move for _, move in events]


TRANSLATORS: dict[str, type[Translator]] = {"kuhn": Kuhn, "leduc": Leduc, "oh_hell": OhHell}
"""By the name of our game."""


def translator(identity: str) -> Translator:
    """Return the translator of a game of ours, given with its settings: `oh_hell seats=4`."""
    name = identity.split()[0].partition("/")[0]
    if name not in TRANSLATORS:
        raise ValueError(f"OpenSpiel has no {name}; choose from {', '.join(TRANSLATORS)}")
    return TRANSLATORS[name](identity)


@cache
def _load_peer(text: str) -> Any:
    return openspiel().load_game(text)
