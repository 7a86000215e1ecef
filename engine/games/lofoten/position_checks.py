"""What is wrong with a position, in words."""

from typing import Any

from engine.errors import BadPositionText
from engine.games.lofoten.notation import CARD_UNKNOWN


def describe_broken(broken: int) -> str:
    """Say in words which invariants are broken; see invariants.pxd."""
    words = [
        "the coins are not eight",
        "tiles are missing or too many",
        "piles and unseen tiles do not fit",
        "order cards are missing or too many",
        "the deck has not the right size",
        "held cards do not fit the hidden cards",
        "stored tiles and warehouses do not fit",
        "the market's empty areas do not fit",
        "a key is wrong",
        "a docked ship is loaded or a tile lies on another type's order",
        "classes of cards must be lettered a, b, ... from the left",
        "a value is out of range",
        "hands, tile or warehouses do not fit the phase",
        "the warehouse cards are not four different ones of the levels of this game",
        "Jarls, requirements and their owners do not fit",
        "longships do not fit, or tiles on ship B",
    ]
    return "; ".join(word for i, word in enumerate(words) if broken >> i & 1)


def check_observer(fields: dict[str, Any], observer: int) -> None:
    """Raise BadPositionText unless a full position shows all cards, and a view those of its seat.

    A view hides the cards of the other seat and only those.
    """
    for seat in range(2):
        key = f"hand.p{seat + 1}"
        for card in fields["hand"][seat]:
            if observer < 0 and card == CARD_UNKNOWN:
                raise BadPositionText(
                    f"field {key}: a card is ?; say whose view this is (me=p1 or me=p2)", key
                )
            if observer == seat and card == CARD_UNKNOWN:
                raise BadPositionText(f"field {key}: seat {seat + 1} knows its own hand", key)
            if 0 <= observer != seat and card < CARD_UNKNOWN:
                raise BadPositionText(
                    f"field {key}: the view of seat {observer + 1} cannot show this card; use ?",
                    key,
                )
