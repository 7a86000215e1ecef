"""Position text of Oh Hell: one line that holds everything in a state or a view.

    oh_hell/1 seats=4 me=p3 hand-size=2 dealer=p1 hand.p1=? hand.p2=? hand.p3=C9 ... plays=S7.SA

A position is read by playing it: `read` turns the text into the settings of the game and a list of
events that lead there, and `replay` carries them out, so that no rule has to be written twice.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.errors import BadPositionText, BadSetting, IllegalMove, shorten
from engine.games.oh_hell import VERSION, notation
from engine.games.oh_hell.notation import (
    BID,
    CARD_OF,
    CARD_UNKNOWN,
    DEAL,
    DEALER,
    PLAY,
    TRICKS,
    TRUMP,
)
from engine.games.oh_hell.settings import SETTINGS
from engine.notation import split_text, take_settings

if TYPE_CHECKING:
    from engine.game import Game, State

HEAD = f"oh_hell/{VERSION}"

# The field that an event comes from, and its move.
Event = tuple[str, int]


def to_text(f: dict[str, Any], identity: str, settings: dict[str, str], observer: int) -> str:
    """Write the fields of a state; `settings` are those of its game."""
    out = [identity]
    if observer >= 0:
        out.append(f"me=p{observer + 1}")
    if f["tricks"] and settings["tricks"] == "random":
        out.append(f"hand-size={f['tricks']}")
    if f["dealer"] is not None:
        out.append(f"dealer=p{f['dealer'] + 1}")
    if f["dealt"]:
        for seat, (cards, held) in enumerate(zip(f["hand"], f["held"], strict=True)):
            names = [notation.CARDS[card] for card in sorted(cards, key=_by_suit)]
            names = names or ["?"] * held or ["-"]
            out.append(f"hand.p{seat + 1}={'.'.join(names)}")
    if f["trump"] is not None:
        out.append(f"trump={notation.CARDS[f['trump']]}")
    if any(bid is not None for bid in f["bid"]):
        bids = ["-" if bid is None else str(bid) for bid in f["bid"]]
        out.append("bids=" + ".".join(bids))
    if f["played"]:
        out.append("plays=" + ".".join(notation.CARDS[card] for card in f["played"]))
    return " ".join(out)


def read(text: str, load: "Callable[..., Game]") -> "tuple[Game, int, list[Event]]":
    """Return the game of a text, its observer and the events that lead to it; see BadPositionText.

    `load` makes a game of settings.
    """
    pairs = split_text(text, HEAD)
    settings = take_settings(pairs, SETTINGS)
    try:
        game = load(**settings)
    except BadSetting as error:
        raise BadPositionText(str(error), next(iter(settings))) from None
    seats = [f"p{seat + 1}" for seat in range(game.num_seats)]
    known = {"me", "hand-size", "dealer", "trump", "bids", "plays", *(f"hand.{s}" for s in seats)}
    for key in pairs:
        if key not in known or not pairs[key]:
            names = ", ".join([*(s.name for s in SETTINGS), *sorted(known)])
            raise BadPositionText(f"field {shorten(key)!r}: the fields are {names}", key)
    observer = _seat(pairs, "me", seats)
    return game, -1 if observer is None else observer, _Reader(game, pairs, observer).events()


def replay(state: "State", events: list[Event]) -> None:
    """Carry out the events of a text; BadPositionText names the field that the rules forbid."""
    for key, move in events:
        try:
            state.apply(move)
        except IllegalMove:
            name = notation.NAMES.get(move, "that")
            raise BadPositionText(f"field {key}: {name} cannot happen here", key) from None


def _seat(pairs: dict[str, str], key: str, seats: list[str]) -> int | None:
    if key not in pairs:
        return None
    if pairs[key] not in seats:
        raise BadPositionText(
            f"field {key}: {shorten(pairs[key])!r}; use one of {', '.join(seats)}", key
        )
    return seats.index(pairs[key])


def _number(key: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= most):
        raise BadPositionText(f"field {key}: {shorten(text)!r}; use a number from 0 to {most}", key)
    return int(text)


def _card(key: str, text: str) -> int:
    if text not in CARD_OF:
        raise BadPositionText(f"field {key}: {shorten(text)!r} is no card, such as S7", key)
    return CARD_OF[text]


class _Reader:
    """Turns the fields of one text into events."""

    def __init__(self, game: "Game", pairs: dict[str, str], observer: int | None) -> None:
        self.pairs, self.observer = pairs, observer
        self.seats = game.num_seats
        fixed = game.settings["tricks"]
        self.is_fixed = fixed != "random"
        size = pairs.get("hand-size", fixed if self.is_fixed else "0")
        self.size = _number("hand-size", size, notation.MOST_TRICKS)
        if self.is_fixed and self.size != int(fixed):
            raise BadPositionText(f"field hand-size: the setting tricks says {fixed}", "hand-size")
        self.dealer = _seat(pairs, "dealer", [f"p{seat + 1}" for seat in range(self.seats)])
        self.trump = _card("trump", pairs["trump"]) if "trump" in pairs else None
        self.plays = self._cards("plays")
        self.hands = [self._cards(f"hand.p{seat + 1}") for seat in range(self.seats)]
        self._check_secrets()

    def _cards(self, key: str) -> list[int]:
        text = self.pairs.get(key, "-")
        names = [] if text == "-" else text.split(".")
        if len(names) > 52:
            raise BadPositionText(f"field {key}: there are no {len(names)} cards", key)
        may_hide = key.startswith("hand.")
        cards = [CARD_UNKNOWN if may_hide and x == "?" else _card(key, x) for x in names]
        if may_hide and cards != sorted(cards, key=_by_suit):
            raise BadPositionText(f"field {key}: sort the cards by suit, C D S H, then rank", key)
        return cards

    def _check_secrets(self) -> None:
        for seat, hand in enumerate(self.hands):
            key, hidden = f"hand.p{seat + 1}", CARD_UNKNOWN in hand
            if hidden and self.observer is None:
                raise BadPositionText(f"field {key}: a card is ?: say whose view this is", key)
            if hidden and seat == self.observer:
                raise BadPositionText(f"field {key}: seat {seat + 1} knows the own cards", key)
            if self.observer not in (None, seat) and set(hand) - {CARD_UNKNOWN}:
                raise BadPositionText(
                    f"field {key}: the view of another seat cannot show these cards; use ?", key
                )

    def events(self) -> list[Event]:
        """Return all events from the empty table on."""
        events: list[Event] = []
        if self.size and not self.is_fixed:
            events.append(("hand-size", TRICKS << 24 | self.size))
        if self.dealer is not None:
            events.append(("dealer", DEALER << 24 | self.dealer))
        elif self.trump is not None or self.plays or any(self.hands):
            raise BadPositionText("field dealer: say who deals", "dealer")
        events += self._deal()
        if self.trump is not None:
            events.append(("trump", TRUMP << 24 | self.trump))
        events += self._bids()
        return events + [("plays", PLAY << 24 | card) for card in self.plays]

    def _deal(self) -> list[Event]:
        """Deal each seat what it holds and has played, in turns, and check how many that is."""
        hands = [list(hand) for hand in self.hands]
        for seat, card in zip(self._players(), self.plays, strict=True):
            # What another seat has played was hidden when it was dealt.
            hands[seat].append(card if self.observer in (None, seat) else CARD_UNKNOWN)
        total = sum(map(len, hands))
        if self.trump is not None and total != self.size * self.seats:
            total = self.size * self.seats
        events = []
        for number in range(total):
            seat, turn = number % self.seats, number // self.seats
            key = f"hand.p{seat + 1}"
            if turn >= len(hands[seat]):
                raise BadPositionText(f"field {key}: a card is missing here", key)
            events.append((key, DEAL << 24 | seat << 8 | hands[seat][turn]))
        for seat, hand in enumerate(hands):
            if len(hand) > (total - seat + self.seats - 1) // self.seats:
                key = f"hand.p{seat + 1}"
                raise BadPositionText(f"field {key}: these are too many cards", key)
        return events

    def _players(self) -> list[int]:
        """Who played each card: the winner of a trick leads to the next."""
        if not self.plays:
            return []
        if self.trump is None or self.dealer is None:
            raise BadPositionText("field plays: nothing is played before there are trumps", "plays")
        players: list[int] = []
        leader = (self.dealer + 1) % self.seats
        for first in range(0, len(self.plays), self.seats):
            trick = self.plays[first : first + self.seats]
            turn = [(leader + i) % self.seats for i in range(len(trick))]
            players += turn
            strength = [_strength(card, trick[0], self.trump) for card in trick]
            leader = turn[strength.index(max(strength))]
        return players

    def _bids(self) -> list[Event]:
        text = self.pairs.get("bids", "-")
        if text == "-":
            if self.plays:
                raise BadPositionText("field bids: all seats bid before the first card", "bids")
            return []
        words = text.split(".")
        if len(words) != self.seats or self.dealer is None:
            raise BadPositionText(f"field bids: write {self.seats} numbers such as 1.0.-", "bids")
        order = [(self.dealer + 1 + i) % self.seats for i in range(self.seats)]
        given = [seat for seat in order if words[seat] != "-"]
        if given != order[: len(given)] or (self.plays and len(given) < self.seats):
            raise BadPositionText("field bids: all seats bid in turn after the dealer", "bids")
        return [("bids", BID << 24 | _number("bids", words[seat], self.size)) for seat in given]


def _by_suit(card: int) -> tuple[int, int]:
    return card % 4, card


def _strength(card: int, led: int, trump: int) -> tuple[bool, bool, int]:
    """What decides a trick: trumps before the suit led before others, then the rank."""
    return card % 4 == trump % 4, card % 4 == led % 4, card
