"""Position text of Lofoten: one line that holds everything in a state or a view.

    lofoten/1 stall=40 me=p1 phase=play turn=p1 hand.p1=F2.S1.C3 hand.p2=?.?a.?a held=a:M1.M2 ...

Fields that have their usual value are left out; RULES.md lists them all. This module writes the
text and names the fields; position_reader.py reads it.
"""

from typing import Any

from engine.games.lofoten import notation
from engine.games.lofoten.notation import (
    CARD_NONE,
    HOUSE_NONE,
    JARL_NONE,
    SHIP_UPGRADED,
    SHIPS,
    TILE_NONE,
    TYPE_NONE,
    TYPES,
)

PHASES = (
    "tile",
    "top",
    "warehouse",
    "jarl",
    "ships",
    "order",
    "side",
    "hand",
    "play",
    "step",
    "use",
    "store",
    "draw",
    "put",
    "pile",
    "flip",
    "place",
    "end",
    "last",
    "redraw",
    "load",
    "harbour",
    "attach",
    "ship",
    "unload",
    "over",
)
DIRECTIONS = ("-", "left", "right")
LABELS = ("", "a", "b", "c", "d")
SHIP_B = SHIPS.index("B")
# The setting `jarls` has the shorter name.
JARLS_FIELD = "jarl-cards"

# name in the text, name in the struct, usual value, largest value
NUMBERS = (
    ("step", "step", 0, 6),
    ("extra", "extra", 0, 100),
    ("triggered", "triggered", 0, 1),
    ("moved", "moved", 0, 1),
    ("upgraded", "upgraded", 0, 1),
    ("filling", "filling", 0, 1),
    ("moves", "moves_left", 0, 12),
    ("uses", "uses_left", 0, 15),
    ("used", "uses_done", 0, 15),
    ("on-d", "on_d", 0, 1),
    ("quiet", "stall", 0, 5000),
    ("turns", "turns", 0, 2_000_000_000),
    ("shuffles", "shuffles", 0, 65535),
    ("redeals", "redeals", 0, 255),
    ("fours", "fours", 0, 255),
)


def ship_letter(ship: int) -> str:
    """Return a longship's letter, a capital when it is upgraded."""
    return SHIPS[ship % SHIP_UPGRADED] if ship >= SHIP_UPGRADED else SHIPS[ship].lower()


def place_of_b(f: dict[str, Any], seat: int) -> int:
    """Return where on its wheel a seat's upgraded ship B is, -1 if there is none."""
    kinds: list[int] = f["ship_kind"][seat]
    upgraded = SHIP_B + SHIP_UPGRADED
    return kinds.index(upgraded) if upgraded in kinds else -1


def tiles_on_ship(f: dict[str, Any], seat: int, place: int) -> list[int]:
    """Return the tiles on a ship in the order of loading."""
    first = f["ship_tile"][seat][place]
    if first == TILE_NONE:
        return []
    more = f["more"][seat] if place == place_of_b(f, seat) else []
    return [first, *(tile for tile in more if tile != TILE_NONE)]


def tiles_in_hand(f: dict[str, Any]) -> list[int]:
    """Return the tile turned up or unloaded, and those that were unloaded from ship B with it."""
    if f["tile"] == TILE_NONE:
        return []
    place = place_of_b(f, f["seat"])
    on_b = place >= 0 and f["ship_tile"][f["seat"]][place] != TILE_NONE
    more = [] if on_b or PHASES[f["phase"]] != "store" else f["more"][f["seat"]]
    return [f["tile"], *(tile for tile in more if tile != TILE_NONE)]


def stored_tiles(f: dict[str, Any], seat: int, kind: int) -> list[str]:
    """Return the tiles of a type that a seat has stored; `_` behind those turned face down."""
    tiles = range(6 * kind, 6 * kind + 6)
    return [
        notation.TILES[tile] + mark
        for counts, mark in ((f["stored"][seat], ""), (f["down"][seat], "_"))
        for tile in tiles
        for _ in range(counts[tile])
    ]


def _cards_text(cards: list[int], labels: list[int]) -> str:
    names = [notation.CARD_NAMES[c] + LABELS[k] for c, k in zip(cards, labels, strict=True)]
    return ".".join(names) or "-"


def _counts_text(counts: list[int], names: list[str]) -> str:
    return ".".join(name for name, n in zip(names, counts, strict=True) for _ in range(n)) or "-"


def _tiles_text(tiles: list[int]) -> str:
    return "+".join(notation.TILES[tile] for tile in tiles)


def _ship_text(f: dict[str, Any], seat: int, place: int) -> str:
    card = f["ship_card"][seat][place]
    tiles = tiles_on_ship(f, seat, place)
    text = "-" if card == CARD_NONE else notation.CARDS[card]
    text += "+" + _tiles_text(tiles) if tiles else ""
    # Four different longships, so a wheel that is dealt has some number that is not 0.
    return (
        f"{ship_letter(f['ship_kind'][seat][place])}:{text}" if any(f["ship_kind"][seat]) else text
    )


def _house_text(f: dict[str, Any], i: int) -> str:
    if f["house_card"][i] == HOUSE_NONE:
        return "-"
    name: str = notation.HOUSES[f["house_card"][i]]
    kind = f["house_type"][i]
    if kind == TYPE_NONE:
        return name
    sides = [".".join(stored_tiles(f, s, kind)) or "-" for s in range(2)]
    return f"{name}:{TYPES[kind]}:{sides[0]}/{sides[1]}"


def _jarl_text(f: dict[str, Any], i: int) -> str:
    if f["jarl_card"][i] == JARL_NONE:
        return "-"
    text: str = notation.JARLS[f["jarl_card"][i]]
    if f["requirement"][i] != JARL_NONE:
        text += ":" + notation.REQUIREMENTS[f["requirement"][i]]
    owner = f["jarl_owner"][i]
    if owner:
        text += f":p{owner}"
        if f["storehouse_at"][owner - 1] != HOUSE_NONE:
            text += f"@{f['storehouse_at'][owner - 1] + 1}"
    return text


def to_text(f: dict[str, Any], settings: dict[str, str], identity: str, observer: int) -> str:
    """Write the fields of a state; `settings` are those of its game."""
    out = [identity]
    if observer >= 0:
        out.append(f"me=p{observer + 1}")
    out += [*_turn_fields(f), *_hand_fields(f)]
    for s in range(2):
        out.append(f"ships.p{s + 1}=" + ".".join(_ship_text(f, s, place) for place in range(4)))
        out.append(f"area.p{s + 1}={f['area'][s] + 1}")
    out.append("coins=" + ".".join(str(n) for n in f["coins"]))
    market = ["-" if t == TILE_NONE else notation.TILES[t] for t in f["market"]]
    out.append("market=" + ".".join(market))
    tops = ["?" if t == TYPE_NONE else TYPES[t] for t in f["pile_top"]]
    piles = zip(tops, f["pile_size"], strict=True)
    out.append("piles=" + ".".join(f"{t}{n}" if n else "-" for t, n in piles))
    out.append("warehouses=" + "|".join(_house_text(f, i) for i in range(4)))
    if settings["jarls"] == "on":
        out.append(f"{JARLS_FIELD}=" + "|".join(_jarl_text(f, i) for i in range(2)))
    out.append("discard=" + _counts_text(f["discard"], notation.CARDS))
    out.append("out=" + _counts_text(f["out"], notation.TILES))
    return " ".join(out)


def _turn_fields(f: dict[str, Any]) -> list[str]:
    out = [f"phase={PHASES[f['phase']]}", f"turn=p{f['seat'] + 1}"]
    if f["back"]:
        out.append(f"back={PHASES[f['back']]}")
    out += [f"{name}={f[key]}" for name, key, usual, _ in NUMBERS if f[key] != usual]
    if f["direction"]:
        out.append(f"direction={DIRECTIONS[f['direction']]}")
    if f["effect"] != TYPE_NONE:
        out.append(f"effect={TYPES[f['effect']]}")
    if f["pile"]:
        out.append("pile=2")
    if f["tile"] != TILE_NONE:
        out.append("tile=" + _tiles_text(tiles_in_hand(f)))
    return out


def _hand_fields(f: dict[str, Any]) -> list[str]:
    out = []
    for s in range(2):
        cards = [c for c in f["hand"][s][:3] if c != CARD_NONE]
        out.append(f"hand.p{s + 1}={_cards_text(cards, f['label'][s][: len(cards)])}")
        if f["hand"][s][3] != CARD_NONE:
            out.append(f"drawn.p{s + 1}={_cards_text(f['hand'][s][3:], f['label'][s][3:])}")
    held = [
        f"{LABELS[k]}:{_counts_text(f['held'][k], notation.CARDS)}"
        for k in range(1, 5)
        if any(f["held"][k])
    ]
    if held:
        out.append("held=" + "/".join(held))
    return out
