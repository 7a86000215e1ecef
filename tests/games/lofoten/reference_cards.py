"""Know the cards and settings of the slow reference rules of Lofoten.

A card set is a plain table of the form of a card file (RULES.md part 15); the stand-in set is
written out here, so that the reference needs no file. Cards are named type and value ("F2"),
tiles also the clan ("F2x"), warehouse cards w1 to w16, Jarls j1 to j8, requirements q1a to q7b.
"""

from __future__ import annotations

from typing import Any

TYPES = "MFSC"
"""Mead, dried fish, sheep and coffer."""

CARD_NAMES = [f"{kind}{value}" for kind in TYPES for value in "123"]
TILE_NAMES = [f"{kind}{value}{clan}" for kind in TYPES for value in "123" for clan in "xo"]
CARD_RANK = {name: rank for rank, name in enumerate(CARD_NAMES)}
TILE_RANK = {name: rank for rank, name in enumerate(TILE_NAMES)}

PER_VALUE = (1, 2, 1)

STAND_IN: dict[str, Any] = {
    "type": [
        {"id": "M", "effect": "discard"},
        {"id": "F", "effect": "rotate"},
        {"id": "S", "effect": "move"},
        {"id": "C", "effect": "coin"},
    ],
    "orders": {kind: [3, 3, 3] for kind in TYPES},
    "tiles": {kind + clan: [1, 2, 1] for kind in TYPES for clan in "xo"},
    "coins": {"total": 8, "first": 2, "second": 3},
    "longships": {"a_points": 3, "b_total": 4, "d_uses": 4, "points": [1, 3, 6, 10]},
    "warehouse": [
        *({"level": 1, "scoring": "majority", "points": n} for n in (4, 5, 5, 6, 6, 7, 7, 8)),
        {"level": 2, "scoring": "most_tiles", "points": 6},
        {"level": 2, "scoring": "own_bucklers", "points": 2, "at_most": 8},
        {"level": 2, "scoring": "rival_bucklers", "points": 6},
        {"level": 2, "scoring": "difference", "at_most": 8},
        {"level": 2, "scoring": "runner_up", "points": 6, "second": 3},
        {"level": 2, "scoring": "threshold", "merchandise": 5, "points": 4},
        {"level": 2, "scoring": "fewest", "points": 6},
        {"level": 2, "scoring": "buckler_pairs", "points": 3, "at_most": 6},
    ],
    "jarl": [
        {"ability": "tribute", "coins": 3},
        {"ability": "harbour"},
        {"ability": "rowers", "moves": 1},
        {"ability": "traders", "uses": 1},
        {"ability": "swift", "coins": 2},
        {"ability": "renown", "points": 4},
        {"ability": "banners", "points": 1, "at_most": 6},
        {"ability": "storehouse", "merchandise": 2},
    ],
    "requirement": [
        *(
            {
                "a": {"kind": "tiles_of_type", "type": kind, "tiles": 3},
                "b": {"kind": "merchandise_of_type", "type": kind, "merchandise": 6},
            }
            for kind in TYPES
        ),
        {
            "a": {"kind": "each_type", "tiles": 1},
            "b": {"kind": "merchandise", "merchandise": 10},
        },
        {
            "a": {"kind": "bucklers_each", "bucklers": 2},
            "b": {"kind": "bucklers_alike", "bucklers": 5},
        },
        {"a": {"kind": "give_coins", "coins": 3}, "b": {"kind": "own_coins", "coins": 5}},
    ],
}
"""The stand-in set, in the form in which a card file is read."""


class CardSet:
    """Hold what is printed: how many cards and tiles of each name, and what each card says."""

    def __init__(self, raw: dict[str, Any] | None = None) -> None:
        raw = raw or STAND_IN
        self.effects: dict[str, str] = {kind["id"]: kind["effect"] for kind in raw["type"]}
        self.orders: dict[str, int] = {
            f"{kind}{value}": raw["orders"][kind][value - 1]
            for kind in TYPES
            for value in (1, 2, 3)
        }
        self.tiles: dict[str, int] = {
            f"{kind}{value}{clan}": raw["tiles"][kind + clan][value - 1]
            for kind in TYPES
            for value in (1, 2, 3)
            for clan in "xo"
        }
        self.coins: dict[str, int] = raw["coins"]
        self.longships: dict[str, Any] = raw["longships"]
        self.warehouses: dict[str, dict[str, Any]] = {
            f"w{n}": card for n, card in enumerate(raw["warehouse"], 1)
        }
        self.jarls: dict[str, dict[str, Any]] = {
            f"j{n}": card for n, card in enumerate(raw["jarl"], 1)
        }
        self.requirements: dict[str, dict[str, Any]] = {
            f"q{n}{side}": card[side]
            for n, card in enumerate(raw["requirement"], 1)
            for side in "ab"
        }


CHOICES: dict[str, tuple[str, ...]] = {
    "level2": ("0", "1", "2", "3", "4"),
    "jarls": ("off", "on"),
    "upgrades": ("off", "on"),
    "effects": ("cards", "swapped"),
    "first-tiles": ("alternate", "pile1"),
    "first-market": ("redeal", "play"),
    "start-orders": ("drawn", "choose"),
    "count": ("fixed", "live"),
    "late-moves": ("action", "turn"),
    "four-short": ("discard", "keep"),
    "late-extra": ("on", "off"),
    "final-b": ("all", "one"),
    "tie": ("none", "both"),
    "stall": ("60", *(str(n) for n in range(1, 251) if n != 60), "off"),
    "coin-offers": ("fewest", "any"),
    "last-extra": ("on", "off"),
    "first-clan": ("1", "2"),
    "turned": ("everywhere", "scoring"),
    "turn-end": ("free", "jarl-first"),
    "ship-c": ("may", "must"),
    "ship-c-asks": ("steps", "uses"),
    "storehouse": ("always", "with-tile"),
    "level2-tie": ("none", "both"),
    "bucklers": ("own", "all"),
    "harbour": ("must", "may"),
    "rowers": ("all", "low"),
    "traders": ("after", "before"),
    "tribute": ("reserve", "coffer"),
}
"""The settings in the order of RULES.md part 1, each with its values, the default first."""


def complete(given: dict[str, str]) -> dict[str, str]:
    """Return all settings, the default where none is given; ValueError for what is not allowed."""
    for name, value in given.items():
        if name not in CHOICES:
            raise ValueError(f"no setting {name!r}")
        if value not in CHOICES[name]:
            raise ValueError(f"{name} cannot be {value!r}")
    return {name: given.get(name, values[0]) for name, values in CHOICES.items()}
