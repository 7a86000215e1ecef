"""Numbers of a full state that tell how well a seat stands against the others.

A linear function of them is fitted to final margins; they are plain and quick, not clever. Each is
the seat's own number minus the mean of the other seats. In a deal under way they tell of the cards
dealt so far:

- trumps: trumps in hand;
- short suits: other suits of which it has no card, so that it can trump;
- strength: tricks still to be expected;
- risk: how unsure that number is, the sum of p (1 - p) over cards that take a trick with chance p;
- won: tricks taken;
- distance: tricks by which the bid will be missed if the strength is as expected; 0 before the bid;
- met: 1 if the bid is met by now, -1 if it cannot be met any more, else 0.
"""

from bisect import bisect
from typing import Any

NAMES = ("trumps", "short suits", "strength", "risk", "won", "distance", "met")

Fields = dict[str, Any]


def features(f: Fields, seat: int) -> list[float]:
    """Return the numbers of NAMES from the side of `seat`."""
    own, *others = (_numbers(f, other) for other in _from(seat, len(f["hand"])))
    means = (sum(column) / len(others) for column in zip(*others, strict=True))
    return [number - mean for number, mean in zip(own, means, strict=True)]


def _from(seat: int, seats: int) -> list[int]:
    return [seat, *(other for other in range(seats) if other != seat)]


def _numbers(f: Fields, seat: int) -> list[float]:
    hand: list[int] = f["hand"][seat]
    trump = -1 if f["trump"] is None else f["trump"] % 4
    held = {card % 4 for card in hand}
    short = {card % 4 for card in f["cards"]} - {trump} - held if hand else set()
    chances = _chances(f, seat, trump)
    strength = sum(chances)
    bid, won = f["bid"][seat], f["won"][seat]
    return [
        float(sum(card % 4 == trump for card in hand)),
        float(len(short)),
        strength,
        sum(p * (1 - p) for p in chances),
        float(won),
        0.0 if bid is None else abs(won + strength - bid),
        _met(bid, won, f["held"][seat]),
    ]


def _chances(f: Fields, seat: int, trump: int) -> list[float]:
    """Return for each card of a hand the chance that no other seat beats it.

    Of the cards in other hands some would beat it; each other seat is taken to have two of them,
    drawn by lot, to choose from.
    """
    rivals: list[list[int]] = [[] for _ in range(4)]
    for other, hand in enumerate(f["hand"]):
        if other != seat:
            for card in hand:
                rivals[card % 4].append(card)
    total = sum(map(len, rivals))
    if not total:
        return [1.0] * len(f["hand"][seat])
    for cards in rivals:
        cards.sort()
    draws = 2 * (len(f["hand"]) - 1)
    chances = []
    for card in f["hand"][seat]:
        suit = rivals[card % 4]
        better = len(suit) - bisect(suit, card)
        if trump >= 0 and card % 4 != trump:
            better += len(rivals[trump])
        chances.append(float((1 - better / total) ** draws))
    return chances


def _met(bid: int | None, won: int, held: int) -> float:
    if bid is None:
        return 0.0
    if won > bid or won + held < bid:
        return -1.0
    return float(won == bid)
