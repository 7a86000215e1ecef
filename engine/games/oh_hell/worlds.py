"""Lists every world that a view allows. For tests and small endings.

Slow and plain on purpose: it shares nothing with `hidden.determinize`, which it checks.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

from engine.game import State

if TYPE_CHECKING:
    from engine.games.oh_hell.game import OhHellGame


def worlds(game: "OhHellGame", view: State, most: int = 20_000) -> list[tuple[State, int]] | None:
    """Return all full states that fit a view, each with the weight 1: all are equally likely.

    Each comes about by equally many orders of dealing. None if there are more than `most`.
    """
    fields = game.fields(view)
    seen = {*fields["played"], *(card for hand in fields["hand"] for card in hand)}
    unseen = [card for card in fields["cards"] if card not in seen | {fields["trump"]}]
    missing = [
        (seat, held, lacking)
        for seat, (hand, held, lacking) in enumerate(
            zip(fields["hand"], fields["held"], suits_lacking(fields), strict=True)
        )
        if held > len(hand)
    ]
    found: list[tuple[State, int]] = []
    for hands in _fill(unseen, missing):
        if len(found) == most:
            return None
        found.append((game.with_hands(view, hands), 1))
    return found


def suits_lacking(fields: dict[str, Any]) -> list[set[int]]:
    """Return the suits of which each seat has shown that it has no card."""
    seats = len(fields["hand"])
    lacking: list[set[int]] = [set() for _ in range(seats)]
    plays = fields["played"]
    leader = (fields["dealer"] or 0) + 1
    for first in range(0, len(plays), seats):
        trick = plays[first : first + seats]
        for i, card in enumerate(trick):
            if card % 4 != trick[0] % 4:
                lacking[(leader + i) % seats].add(trick[0] % 4)
        trumps = [card for card in trick if card % 4 == fields["trump"] % 4]
        best = max(trumps or [card for card in trick if card % 4 == trick[0] % 4])
        leader += trick.index(best)
    return lacking


def _fill(
    unseen: list[int], missing: list[tuple[int, int, set[int]]]
) -> Iterator[dict[int, tuple[int, ...]]]:
    """Yield the cards of each hidden hand, in every way; what is not dealt is left over."""
    if not missing:
        yield {}
        return
    (seat, held, lacking), *rest = missing
    for cards in combinations([card for card in unseen if card % 4 not in lacking], held):
        for others in _fill([card for card in unseen if card not in cards], rest):
            yield {seat: cards, **others}
