"""Write and read position texts of the slow reference rules of Lofoten (RULES.md 13 and 14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_cards import CARD_NAMES, CARD_RANK, CHOICES
from reference_table import Jarl, Ship, Table, Warehouse

if TYPE_CHECKING:
    from reference import Reference

NAME = "lofoten/1"
NUMBERS = ("quiet", "turns", "shuffles", "redeals", "fours")


def head(table: Table) -> str:
    """Return the name of the game with its card set and the settings that are not the usual."""
    parts = [NAME, f"cards={table.identity}"] if table.identity else [NAME]
    for name, values in CHOICES.items():
        if table.settings[name] != values[0]:
            parts.append(f"{name}={table.settings[name]}")
    return " ".join(parts)


def to_text(table: Table, observer: int | None = None) -> str:
    """Return the text of the whole position, or of what a seat sees of it."""
    return texts(table, (observer,))[0]


def texts(table: Table, observers: tuple[int | None, ...] = (None, 0, 1)) -> list[str]:
    """Return the texts for some observers; None sees all."""
    start = head(table)
    begun = table.phase != "tile" or table.step or table.redeals
    inside, board = (inside_turn(table), board_text(table)) if begun else ("", "")
    found = []
    for observer in observers:
        parts = [start]
        if observer is not None:
            parts.append(f"me=p{observer + 1}")
        if begun:
            parts += [inside, hands_text(table, observer), board]
        found.append(" ".join(parts))
    return found


def inside_turn(table: Table) -> str:
    """Return the fields that say where the turn is; those at 0 are left out."""
    fields: dict[str, object] = {
        "phase": table.phase,
        "turn": f"p{table.seat + 1}",
        "back": table.back,
        "step": table.step,
        "extra": table.extra,
        "triggered": int(table.triggered),
        "moved": int(table.moved),
        "upgraded": int(table.upgraded),
        "moves": table.moves,
        "uses": table.uses,
        "used": table.used,
        "on-d": int(table.on_d),
        "quiet": table.quiet,
        "turns": table.turns,
        "shuffles": table.shuffles,
        "filling": int(table.filling),
        "redeals": table.redeals,
        "fours": table.fours,
        "effect": table.effect,
        "direction": table.direction,
        "pile": 2 if table.pile else 0,  # left out for the first pile
        "tile": "+".join(table.tiles),
    }
    return " ".join(f"{name}={value}" for name, value in fields.items() if value)


def hands_text(table: Table, observer: int | None) -> str:
    """Return the fields of hands and drawn card, and what is known of a hidden hand."""
    parts = []
    for seat in (0, 1):
        seen = observer in (None, seat)
        shown = [
            (card if seen else "?") + ("" if not label else chr(96 + label))
            for card, label in zip(table.hands[seat], table.classes[seat], strict=True)
        ]
        parts.append(f"hand.p{seat + 1}={'.'.join(shown) or '-'}")
        if table.drawn and table.seat == seat:
            parts.append(f"drawn.p{seat + 1}={table.drawn if seen else '?'}")
    if observer is not None:
        held = held_text(table.hands[1 - observer], table.classes[1 - observer])
        if held:
            parts.append(f"held={held}")
    return " ".join(parts)


def held_text(hand: list[str], labels: list[int]) -> str:
    """Return the cards of each class of a hand."""
    groups: dict[int, list[str]] = {}
    for card, label in zip(hand, labels, strict=True):
        if label:
            groups.setdefault(label, []).append(card)
    return "/".join(
        f"{chr(96 + label)}:{'.'.join(sorted(cards, key=CARD_RANK.__getitem__))}"
        for label, cards in sorted(groups.items())
    )


def board_text(table: Table) -> str:
    """Return the fields of what lies open on the table."""
    parts = []
    for seat in (0, 1):
        ships = ".".join(ship_text(ship) for ship in table.wheels[seat])
        parts.append(f"ships.p{seat + 1}={ships} area.p{seat + 1}={table.areas[seat]}")
    parts.append(f"coins={table.coins[0]}.{table.coins[1]}.{table.reserve}")
    parts.append(f"market={'.'.join(tile or '-' for tile in table.market)}")
    piles = zip(table.tops, table.piles, strict=True)
    parts.append("piles=" + ".".join(f"{top or '?'}{size}" if size else "-" for top, size in piles))
    houses = [house_text(house) for house in table.warehouses]
    parts.append("warehouses=" + "|".join(houses + ["-"] * (4 - len(houses))))
    if table.settings["jarls"] == "on":
        jarls = [jarl_text(jarl) for jarl in table.jarls]
        parts.append("jarl-cards=" + "|".join(jarls + ["-"] * (2 - len(jarls))))
    discards = table.discards
    cards = [card for card in CARD_NAMES for _ in range(discards.get(card, 0))]
    parts.append(f"discard={'.'.join(cards) or '-'} out={'.'.join(table.out) or '-'}")
    return " ".join(parts)


def ship_text(ship: Ship) -> str:
    """Return order and tiles of one ship, with its letter under module 3."""
    load = "+".join([ship.card, *ship.tiles]) if ship.card else "-"
    if not ship.letter:
        return load
    return f"{ship.letter if ship.upgraded else ship.letter.lower()}:{load}"


def house_text(house: Warehouse) -> str:
    """Return one warehouse: its card, its type, and the tiles of seat 1 and seat 2."""
    if not house.kind:
        return house.card
    sides = [
        ".".join([*house.up[seat], *(f"{tile}_" for tile in house.down[seat])]) or "-"
        for seat in (0, 1)
    ]
    return f"{house.card}:{house.kind}:{sides[0]}/{sides[1]}"


def jarl_text(jarl: Jarl) -> str:
    """Return one Jarl: card, requirement, who has claimed it, where it is attached."""
    text = jarl.card
    if jarl.requirement:
        text += f":{jarl.requirement}"
    if jarl.owner is not None:
        text += f":p{jarl.owner + 1}"
    if jarl.attached is not None:
        text += f"@{jarl.attached + 1}"
    return text


# Reading.


def read_position(text: str) -> tuple[dict[str, str], str, dict[str, str]]:
    """Return settings, name of the card set and fields of a text of a whole position."""
    name, *parts = text.split()
    if name != NAME:
        raise ValueError(f"not {NAME}: {name}")
    pairs = [part.split("=", 1) for part in parts]
    # Settings come first, up to the phase.
    start = next((at for at, pair in enumerate(pairs) if pair[0] == "phase"), len(pairs))
    settings, fields = dict(pairs[:start]), dict(pairs[start:])
    return settings, settings.pop("cards", ""), fields


def set_up(table: Reference, fields: dict[str, str]) -> None:
    """Lay out the pieces that the fields name; the rest is in the deck or in the piles."""
    fields = dict(fields)
    read_turn(table, fields)
    read_board(table, fields)
    read_hands(table, fields)
    if fields:
        raise ValueError(f"unknown fields: {' '.join(fields)}")


def listed(text: str) -> list[str]:
    """Return the names of a list with dots, none for a dash."""
    return [] if text == "-" else text.split(".")


def read_turn(table: Reference, fields: dict[str, str]) -> None:
    """Read where the turn is."""
    table.phase = fields.pop("phase")
    table.seat = int(fields.pop("turn", "p1")[1:]) - 1
    table.back = fields.pop("back", "")
    for name in ("step", "moves", "uses", "used", "extra", *NUMBERS):
        setattr(table, name, int(fields.pop(name, "0")))
    for name in ("triggered", "moved", "upgraded", "filling"):
        setattr(table, name, fields.pop(name, "0") == "1")
    table.on_d = fields.pop("on-d", "0") == "1"
    table.effect = fields.pop("effect", "")
    table.direction = fields.pop("direction", "")
    table.pile = int(fields.pop("pile", "1")) - 1
    table.tiles = fields.pop("tile").split("+") if "tile" in fields else []


def read_board(table: Reference, fields: dict[str, str]) -> None:
    """Read what lies open; take it from the unseen tiles and from the deck."""
    for seat in (0, 1):
        for ship, text in zip(
            table.wheels[seat], fields.pop(f"ships.p{seat + 1}").split("."), strict=True
        ):
            letter, colon, load = text.rpartition(":")
            ship.letter, ship.upgraded = letter.upper(), letter.isupper()
            if load != "-":
                ship.card, *ship.tiles = load.split("+")
        table.areas[seat] = int(fields.pop(f"area.p{seat + 1}"))
    *table.coins, table.reserve = map(int, fields.pop("coins").split("."))
    table.market = [None if tile == "-" else tile for tile in fields.pop("market").split(".")]
    for pile, text in enumerate(fields.pop("piles").split(".")):
        table.piles[pile] = int(text[1:] or 0)
        table.tops[pile] = text[0] if text[0] in "MFSC" else None
    for text in fields.pop("warehouses").split("|"):
        if text != "-":
            table.warehouses.append(read_house(text))
    for text in fields.pop("jarl-cards", "-").split("|"):
        if text != "-":
            table.jarls.append(read_jarl(text))
    table.out = listed(fields.pop("out"))
    table.discards.update(listed(fields.pop("discard")))
    seen = [*table.out, *table.tiles, *(tile for tile in table.market if tile)]
    seen += [tile for seat in (0, 1) for tile, _ in table.stored(seat)]
    seen += [tile for wheel in table.wheels for ship in wheel for tile in ship.tiles]
    table.unseen.subtract(seen)
    table.deck.subtract(table.discards)
    table.deck.subtract(ship.card for wheel in table.wheels for ship in wheel if ship.card)


def read_house(text: str) -> Warehouse:
    """Return the warehouse of a text such as `w3:F:F2x.F1o_/-`."""
    card, *rest = text.split(":")
    house = Warehouse(card)
    if rest:
        house.kind = rest[0]
        for seat, side in enumerate(rest[1].split("/")):
            for tile in listed(side):
                (house.down if tile.endswith("_") else house.up)[seat].append(tile.rstrip("_"))
    return house


def read_jarl(text: str) -> Jarl:
    """Return the Jarl of a text such as `j8:q2a:p2@4`."""
    text, _, place = text.partition("@")
    card, *rest = text.split(":")
    jarl = Jarl(card)
    jarl.requirement = rest[0] if rest else None
    jarl.owner = int(rest[1][1:]) - 1 if len(rest) > 1 else None
    jarl.attached = int(place) - 1 if place else None
    return jarl


def read_hands(table: Reference, fields: dict[str, str]) -> None:
    """Read hands and drawn card; take them from the deck."""
    for seat in (0, 1):
        cards = listed(fields.pop(f"hand.p{seat + 1}"))
        table.hands[seat] = [card[:2] for card in cards]
        table.classes[seat] = [ord(card[2]) - 96 if card[2:] else 0 for card in cards]
        table.drawn = fields.pop(f"drawn.p{seat + 1}", table.drawn)
        table.deck.subtract(table.hands[seat])
    if table.drawn:
        table.deck[table.drawn] -= 1
