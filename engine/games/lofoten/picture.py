"""Lofoten as people see it at the table: market, wheels, hands, warehouses, in text."""

from typing import Any

from engine.games.lofoten import notation
from engine.games.lofoten.notation import CARD_NONE, TILE_NONE, TYPE_NONE
from engine.games.lofoten.position import HOUSE_NONE, LABELS, PHASES

_PHASE_WORDS = {
    "play": "plays a card",
    "step": "moves the fleet",
    "use": "uses the middle card",
    "store": "chooses a warehouse",
    "put": "places the drawn card",
    "pile": "refills the market",
    "place": "places the tile",
    "end": "may end the turn",
    "last": "may end the last turn",
    "unload": "may unload one last ship",
    "side": "places the start orders",
}


# Columns left of the market, for a wheel that stands at its end.
_INDENT = 8


def _ship(f: dict[str, Any], seat: int, place: int) -> str:
    card, tile = f["ship_card"][seat][place], f["ship_tile"][seat][place]
    if card == CARD_NONE:
        return "empty"
    if tile == TILE_NONE:
        return f"{notation.CARDS[card][0]}"
    return f"{notation.CARDS[card][0]}[{notation.TILES[tile]}]"


def _wheel(f: dict[str, Any], seat: int) -> list[str]:
    """The wheel as seen from above: seat 2 sits at the top, so its dock is up there."""
    top, right, dock, left = (f"({_ship(f, seat, place)})" for place in range(4))
    if seat == 1:
        top, right, dock, left = dock, left, top, right
    column = _INDENT + 4 + 8 * f["area"][seat]
    return [
        top.center(2 * column + 1).rstrip(),
        f"{left:>{column - 1}}   {right}",
        dock.center(2 * column + 1).rstrip(),
    ]


def _hand(f: dict[str, Any], seat: int) -> str:
    cards = [
        notation.CARD_NAMES[c] + (LABELS[k] and LABELS[k])
        for c, k in zip(f["hand"][seat][:3], f["label"][seat][:3], strict=True)
        if c != CARD_NONE
    ]
    text = " ".join(f"[{c}]" for c in cards) or "none"
    if f["hand"][seat][3] != CARD_NONE:
        text += f"   drawn [{notation.CARD_NAMES[f['hand'][seat][3]]}]"
    return text


def _house(f: dict[str, Any], i: int, points: list[int]) -> str:
    card, kind = f["house_card"][i], f["house_type"][i]
    if card == HOUSE_NONE:
        return f"warehouse {i + 1}: not dealt yet"
    text = f"warehouse {i + 1} ({points[card]} points): "
    if kind == TYPE_NONE:
        return text + "empty"
    sides = []
    for s in range(2):
        counts = enumerate(f["stored"][s])
        tiles = " ".join(notation.TILES[t] for t, n in counts for _ in range(n) if t // 6 == kind)
        units = f["stored_units"][s][kind]
        sides.append(f"seat {s + 1}: {units}" + (f" ({tiles})" if tiles else ""))
    return text + f"{notation.TYPE_WORDS[kind]}, " + ", ".join(sides)


def _left(f: dict[str, Any], phase: str) -> str:
    """How much of a card is left to use."""
    if phase == "step":
        return f", {f['moves_left']} moves left" if f["moves_left"] != 1 else ", 1 move left"
    if phase == "use":
        kind = notation.TYPE_WORDS[f["effect"]]
        return (
            f" ({kind}), {f['uses_left']} uses left"
            if f["uses_left"] != 1
            else f" ({kind}), 1 left"
        )
    return ""


def draw(f: dict[str, Any], points: list[int], scores: list[int]) -> str:
    """Return the drawing, seat 1 at the bottom. A ship shows the type of its order and [its tile].

    A letter behind a card names the class of cards that were kept from an older deck.
    """
    market = ["  --   " if t == TILE_NONE else f" {notation.TILES[t]:^5} " for t in f["market"]]
    tops = [" " if t == TYPE_NONE else f" showing {notation.TYPES[t]}" for t in f["pile_top"]]
    piles = [f"pile {i + 1}: {f['pile_size'][i]}{top}".rstrip() for i, top in enumerate(tops)]
    phase = PHASES[f["phase"]]
    doing = _PHASE_WORDS.get(phase, phase)
    if phase == "over":
        status = "the game is over"
    elif phase in ("tile", "top", "warehouse", "order", "hand", "draw", "flip", "redraw"):
        status = f"luck decides ({phase})"
    else:
        status = f"seat {f['seat'] + 1} {doing}{_left(f, phase)}"
    hands = [f"seat {s + 1}: hand {_hand(f, s)}   coins {f['coins'][s]}" for s in range(2)]
    return "\n".join(
        [
            hands[1],
            *_wheel(f, 1),
            " " * _INDENT + "|".join(["", *market, ""]) + "   " + "   ".join(piles),
            *_wheel(f, 0),
            hands[0],
            f"reserve {f['coins'][2]} coins, deck {f['deck_size']}, turn {f['turns'] + 1}"
            + (", the end is triggered" if f["triggered"] else ""),
            *(_house(f, i, points) for i in range(4)),
            f"points now: seat 1 {scores[0]}, seat 2 {scores[1]}",
            status,
        ]
    )
