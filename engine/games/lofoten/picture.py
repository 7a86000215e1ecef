"""Lofoten as people see it at the table: market, wheels, hands, warehouses, Jarls, in text."""

from typing import Any

from engine.games.lofoten import notation
from engine.games.lofoten.data import Card, Data
from engine.games.lofoten.notation import CARD_NONE, HOUSE_NONE, JARL_NONE, TILE_NONE, TYPE_NONE
from engine.games.lofoten.position import (
    LABELS,
    PHASES,
    ship_letter,
    stored_tiles,
    tiles_in_hand,
    tiles_on_ship,
)

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
    "load": "may load longship C",
    "harbour": "unloads a ship in the harbour",
    "attach": "attaches the storehouse",
    "ship": "upgrades a longship",
    "unload": "may unload one last ship",
    "side": "places the start orders",
}
_LUCK = ("tile", "top", "warehouse", "jarl", "ships", "order", "hand", "draw", "flip", "redraw")

# Columns left of the market, for a wheel that stands at its end; longships have letters and ship B
# holds several tiles.
_INDENT, _INDENT_OF_LETTERS = 8, 14


def _ship(f: dict[str, Any], seat: int, place: int) -> str:
    card = f["ship_card"][seat][place]
    text = "empty" if card == CARD_NONE else notation.CARDS[card][0]
    tiles = [notation.TILES[tile] for tile in tiles_on_ship(f, seat, place)]
    text += f"[{' '.join(tiles)}]" if tiles else ""
    letter = ship_letter(f["ship_kind"][seat][place]) + ":" if any(f["ship_kind"][seat]) else ""
    return f"({letter}{text})"


def _indent(f: dict[str, Any]) -> int:
    return _INDENT_OF_LETTERS if any(map(any, f["ship_kind"])) else _INDENT


def _wheel(f: dict[str, Any], seat: int) -> list[str]:
    """The wheel as seen from above: seat 2 sits at the top, so its dock is up there."""
    top, right, dock, left = (_ship(f, seat, place) for place in range(4))
    if seat == 1:
        top, right, dock, left = dock, left, top, right
    column = _indent(f) + 4 + 8 * f["area"][seat]
    return [
        top.center(2 * column + 1).rstrip(),
        f"{left:>{column - 1}}   {right}",
        dock.center(2 * column + 1).rstrip(),
    ]


def _hand(f: dict[str, Any], seat: int) -> str:
    cards = [
        notation.CARD_NAMES[c] + LABELS[k]
        for c, k in zip(f["hand"][seat][:3], f["label"][seat][:3], strict=True)
        if c != CARD_NONE
    ]
    text = " ".join(f"[{c}]" for c in cards) or "none"
    if f["hand"][seat][3] != CARD_NONE:
        text += f"   drawn [{notation.CARD_NAMES[f['hand'][seat][3]]}]"
    return text


def _storehouse(f: dict[str, Any], cards: Data, seat: int, house: int) -> int:
    """The merchandise that a seat's storehouse adds at a warehouse."""
    if f["storehouse_at"][seat] != house:
        return 0
    card: int = f["jarl_card"][f["jarl_owner"].index(seat + 1)]
    return cards.jarls[card].a


def _goods(f: dict[str, Any], cards: Data, house: int) -> str:
    """The merchandise and the tiles of each seat in a warehouse."""
    kind = f["house_type"][house]
    stored = kind != TYPE_NONE
    parts = [notation.TYPE_WORDS[kind] if stored else "empty"]
    for s in range(2):
        tiles = " ".join(stored_tiles(f, s, kind)) if stored else ""
        added = _storehouse(f, cards, s, house)
        if stored or added:
            units = f["stored_units"][s][kind] if stored else 0
            text = f"seat {s + 1}: {units}" + (f"+{added}" if added else "")
            parts.append(text + (f" ({tiles})" if tiles else ""))
    return ", ".join(parts)


def _named(number: str, card: Card) -> str:
    """A card by its number, its name if it has one, and what it does."""
    return f"{number}{' ' if card.name else ''}{card.name}, {card.words()}"


def _houses(f: dict[str, Any], cards: Data) -> list[str]:
    """Each warehouse with its goods, and behind them how its card scores."""
    goods = [f"warehouse {i + 1}: {_goods(f, cards, i)}" for i in range(4)]
    width = max(map(len, goods))
    return [
        f"{text:<{width}} - {_named(notation.HOUSES[card], cards.houses[card])}"
        if card != HOUSE_NONE
        else f"warehouse {i + 1}: not dealt yet"
        for i, (text, card) in enumerate(zip(goods, f["house_card"], strict=True))
    ]


def _jarls(f: dict[str, Any], cards: Data) -> list[str]:
    """Each Jarl with its ability and its requirement, and who has claimed it."""
    lines = []
    for i, card in enumerate(f["jarl_card"]):
        if card == JARL_NONE:
            continue
        text = f"Jarl {i + 1}: {_named(notation.JARLS[card], cards.jarls[card])}"
        owner, side = f["jarl_owner"][i], f["requirement"][i]
        if owner:
            house = f["storehouse_at"][owner - 1]
            text += f" - claimed by seat {owner}"
            text += f", at warehouse {house + 1}" if house != HOUSE_NONE else ""
        elif side != JARL_NONE:
            text += f" - {notation.REQUIREMENTS[side]}, {cards.requirements[side].words()}"
        lines.append(text)
    return lines


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
    if phase in ("store", "place"):
        return " for " + notation.join_words([notation.TILES[tile] for tile in tiles_in_hand(f)])
    return ""


def _points(seat: int, parts: list[int]) -> str:
    """The points of a seat and, in brackets, where they come from."""
    text = f"seat {seat + 1} {sum(parts)}"
    *houses, ships, jarl = parts
    sources = [f"warehouses {' '.join(map(str, houses))}"] if any(houses) else []
    sources += [f"longships {ships}"] if ships else []
    sources += [f"Jarl {jarl}"] if jarl else []
    return f"{text} ({', '.join(sources)})" if sources else text


def _status(f: dict[str, Any]) -> str:
    phase = PHASES[f["phase"]]
    if phase == "over":
        return "the game is over"
    if phase in _LUCK:
        return f"luck decides ({phase})"
    return f"seat {f['seat'] + 1} {_PHASE_WORDS[phase]}{_left(f, phase)}"


def draw(f: dict[str, Any], cards: Data, parts: list[list[int]]) -> str:
    """Return the drawing, seat 1 at the bottom. A ship shows the type of its order and [its tile].

    A letter behind a card names the class of cards that were kept from an older deck; a letter
    before a ship is the longship's, a capital when it is upgraded; `_` marks tiles turned face
    down. `parts` are the points of each seat from each warehouse, the longships and the Jarl.
    """
    market = ["  --   " if t == TILE_NONE else f" {notation.TILES[t]:^5} " for t in f["market"]]
    tops = [" " if t == TYPE_NONE else f" showing {notation.TYPES[t]}" for t in f["pile_top"]]
    piles = [f"pile {i + 1}: {f['pile_size'][i]}{top}".rstrip() for i, top in enumerate(tops)]
    hands = [f"seat {s + 1}: hand {_hand(f, s)}   coins {f['coins'][s]}" for s in range(2)]
    return "\n".join(
        [
            hands[1],
            *_wheel(f, 1),
            " " * _indent(f) + "|".join(["", *market, ""]) + "   " + "   ".join(piles),
            *_wheel(f, 0),
            hands[0],
            f"reserve {notation.counted(f['coins'][2], 'coin')}, deck {f['deck_size']}, "
            f"turn {f['turns'] + 1}" + (", the end is triggered" if f["triggered"] else ""),
            *_houses(f, cards),
            *_jarls(f, cards),
            "points now: " + ", ".join(_points(s, parts[s]) for s in range(2)),
            _status(f),
        ]
    )
