"""Lists every world that a view allows, with its physical weight. For tests and small endings.

Slow and plain on purpose: it shares nothing with `hidden.determinize`, which it checks.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engine.game import State
from engine.games.lofoten.notation import CARD_UNKNOWN

if TYPE_CHECKING:
    from engine.games.lofoten.game import LofotenGame


def worlds(game: "LofotenGame", view: State, most: int = 20_000) -> list[tuple[State, int]] | None:
    """Return all full states that fit a view, each with the number of physical deals that give it.

    Cards of a kind are different pieces: a world in which a hidden hand holds two of three like
    cards comes about in 3 x 2 ways. None if there are more than `most` worlds.
    """
    fields = game.fields(view)
    slots = [
        (seat, slot)
        for seat in range(2)
        for slot in range(4)
        if fields["hand"][seat][slot] == CARD_UNKNOWN
    ]
    found: list[tuple[State, int]] = []
    for filled, weight in _fill(fields, slots):
        if len(found) == most:
            return None
        found.append((game.build(filled, -1), weight))
    return found


def _fill(fields: dict[str, Any], slots: list[tuple[int, int]]) -> Iterator[tuple[Any, int]]:
    """Fill the slots in every way; a pool is counted in pieces, taken without putting back."""
    if not slots:
        yield fields, 1
        return
    (seat, slot), rest = slots[0], slots[1:]
    label = fields["label"][seat][slot]
    pool = fields["held"][label] if label else fields["deck"]
    for card in range(12):
        pieces = pool[card]
        if pieces == 0:
            continue
        pool[card] -= 1
        fields["hand"][seat][slot] = card
        for filled, weight in _fill(fields, rest):
            yield filled, weight * pieces
        pool[card] += 1
    fields["hand"][seat][slot] = CARD_UNKNOWN
