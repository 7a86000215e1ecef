"""Oh Hell as people see it at the table: hands, trumps, the trick under way, bids and tricks."""

from typing import Any

from engine.games.oh_hell import notation
from engine.games.oh_hell.notation import SUIT_WORDS, SUITS, counted


def _hand(cards: list[int], held: int) -> str:
    """Return a hand by suits, such as `D 4 J  S 7`."""
    if held > len(cards):
        return counted(held, "hidden card")
    suits = [
        " ".join([letter, *(notation.RANKS[card // 4] for card in cards if card % 4 == suit)])
        for suit, letter in enumerate(SUITS)
        if any(card % 4 == suit for card in cards)
    ]
    return "  ".join(suits) or "no cards"


def _promise(bid: int | None, won: int) -> str:
    if bid is None:
        return "no bid yet"
    return f"bid {bid}, won {won}"


def _trick(f: dict[str, Any]) -> list[tuple[int, int]]:
    """Return the trick under way, or the last one at the end, as pairs of seat and card."""
    seats = len(f["hand"])
    number = len(f["played"]) % seats
    if not number:
        return []
    first = f["turn"] - number
    cards = f["played"][-number:]
    return [((first + i) % seats, card) for i, card in enumerate(cards)]


def _status(f: dict[str, Any]) -> str:
    if f["turn"] == -2:
        scores = ", ".join(f"seat {seat + 1} {score}" for seat, score in enumerate(f["points"]))
        return f"the game is over: {scores}"
    if f["turn"] == -1:
        return "luck decides"
    return f"seat {f['turn'] + 1} {'bids' if f['bid'][f['turn']] is None else 'plays'}"


def draw(f: dict[str, Any], observer: int) -> str:
    """Return the drawing; `observer` is marked if the fields are those of a view."""
    lines = []
    tricks = counted(f["tricks"], "trick") if f["tricks"] else "tricks not chosen yet"
    dealer = "no dealer yet" if f["dealer"] is None else f"seat {f['dealer'] + 1} deals"
    up = f["trump"]
    trumps = "nothing turned up yet" if up is None else f"{SUIT_WORDS[up % 4]} are trumps"
    turned = "" if up is None else f" ({notation.CARDS[up]} turned up)"
    lines.append(f"{tricks}, {dealer}, {trumps}{turned}")
    for seat, (cards, held) in enumerate(zip(f["hand"], f["held"], strict=True)):
        mark = "*" if seat == observer else " "
        promise = _promise(f["bid"][seat], f["won"][seat])
        lines.append(f"{mark}seat {seat + 1}: {promise:<15} {_hand(cards, held)}")
    trick = [f"seat {seat + 1} {notation.CARDS[card]}" for seat, card in _trick(f)]
    if trick:
        lines.append("on the table: " + ", ".join(trick))
    lines.append(_status(f))
    return "\n".join(lines)


def consequences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Say who takes a trick that an event has completed."""
    return [
        f"seat {seat + 1} takes the trick, its {counted_word(won)}"
        for seat, (won, old) in enumerate(zip(after["won"], before["won"], strict=True))
        if won > old
    ]


def counted_word(number: int) -> str:
    """Return `1st`, `2nd`, `3rd`, `4th` up to `17th`."""
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"
