"""Loads and checks data.toml: cards, tiles and coins. No rules here."""

import os
import tomllib
from typing import Any

TYPES = ("M", "F", "S", "C")
EFFECTS = ("discard", "rotate", "move", "coin")
DATA_FILE = os.path.join(os.path.dirname(__file__), "data.toml")


class Data:
    """The cards and tiles of one box.

    Attributes:
        names: the type names, in the order mead, fish, sheep, coffer.
        effects: the middle effect of each type, indices into EFFECTS.
        orders: order cards of each kind, twelve numbers (type * 3 + value - 1).
        tiles: tiles of each kind, 24 numbers (type * 6 + (value - 1) * 2 + clan).
        points: power points of the eight level-1 warehouse cards.
        coins: of the first player, of the second and in the reserve.
        raw: the file as read, with the status of each figure.
    """

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw
        types = raw["type"]
        if tuple(t["id"] for t in types) != TYPES:
            raise ValueError(f"data.toml: the types must be {', '.join(TYPES)} in this order")
        self.names = [str(t["name"]) for t in types]
        for t in types:
            if t["effect"] not in EFFECTS:
                raise ValueError(
                    f"data.toml: type {t['id']}: effect {t['effect']!r}; use {', '.join(EFFECTS)}"
                )
        self.effects = [EFFECTS.index(t["effect"]) for t in types]
        per_value = raw["orders"]["per_type_and_value"]
        per_clan = raw["tiles"]["per_clan"]
        self.orders = [int(n) for _ in TYPES for n in per_value]
        self.tiles = [int(n) for _ in TYPES for n in per_clan for _clan in range(2)]
        self.points = [int(n) for n in raw["warehouses"]["points"]]
        coins = raw["coins"]
        self.coins = [int(coins["first"]), int(coins["second"])]
        self.coins.append(int(coins["total"]) - sum(self.coins))
        for name, numbers, total in (
            ("orders", self.orders, raw["orders"]["total"]),
            ("tiles", self.tiles, raw["tiles"]["total"]),
        ):
            if sum(numbers) != total:
                raise ValueError(f"data.toml: {name} sum to {sum(numbers)}, not to {total}")
        if len(self.points) != 8:
            raise ValueError(f"data.toml: {len(self.points)} warehouse points, there are 8 cards")


def load_data(path: str = DATA_FILE) -> Data:
    """Read a card file."""
    with open(path, "rb") as file:
        return Data(tomllib.load(file))
