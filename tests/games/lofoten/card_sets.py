"""Card sets made up for tests: everything that a card file may say, drawn at random."""

from __future__ import annotations

import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from reference_cards import STAND_IN, TYPES

import engine

FIGURES: dict[str, dict[str, int]] = {
    "majority": {"points": 9},
    "most_tiles": {"points": 9},
    "own_bucklers": {"points": 3, "at_most": 9},
    "rival_bucklers": {"points": 9},
    "difference": {"at_most": 9},
    "runner_up": {"points": 9, "second": 9},
    "threshold": {"merchandise": 9, "points": 9},
    "fewest": {"points": 9},
    "buckler_pairs": {"points": 3, "at_most": 9},
    "tribute": {"coins": 8},
    "harbour": {},
    "rowers": {"moves": 3},
    "traders": {"uses": 3},
    "swift": {"coins": 2},
    "renown": {"points": 9},
    "banners": {"points": 3, "at_most": 9},
    "storehouse": {"merchandise": 9},
    "each_type": {"tiles": 2},
    "tiles_of_type": {"tiles": 4},
    "bucklers_each": {"bucklers": 4},
    "give_coins": {"coins": 4},
    "merchandise": {"merchandise": 16},
    "merchandise_of_type": {"merchandise": 9},
    "bucklers_alike": {"bucklers": 7},
    "own_coins": {"coins": 6},
}
"""The figures of each kind of card, with the most that a made-up card has."""

KINDS = list(FIGURES)
SCORINGS, ABILITIES, REQUIREMENTS = KINDS[:9], KINDS[9:17], KINDS[17:]


def drawn(rng: random.Random, kind: str) -> dict[str, Any]:
    """Return the figures of a card of a kind."""
    figures: dict[str, Any] = {name: rng.randint(1, most) for name, most in FIGURES[kind].items()}
    if kind.endswith("_of_type"):
        figures["type"] = rng.choice(TYPES)
    return figures


def split(rng: random.Random, total: int, parts: int, least: int) -> list[int]:
    """Return numbers of at least so much that add up to a total."""
    numbers = [least] * parts
    for _ in range(total - least * parts):
        numbers[rng.randrange(parts)] += 1
    return numbers


def made_up(rng: random.Random) -> dict[str, Any]:
    """Return a card set in the form of a card file: right counts, anything on the cards."""
    effects = rng.sample(["coin", "discard", "rotate", "move"], 4)
    orders = zip(TYPES, split(rng, 36, 4, 2), strict=True)
    first = {kind: [rng.randint(0, n) for n in (2, 4, 2)] for kind in TYPES}
    scorings = ["majority"] * 8 + [rng.choice(SCORINGS) for _ in range(8)]
    return {
        "type": [
            {"id": kind, "effect": effect} for kind, effect in zip(TYPES, effects, strict=True)
        ],
        "orders": {kind: split(rng, n, 3, 0) for kind, n in orders},
        "tiles": {f"{kind}x": numbers for kind, numbers in first.items()}
        | {
            f"{kind}o": [all_of - n for all_of, n in zip((2, 4, 2), numbers, strict=True)]
            for kind, numbers in first.items()
        },
        "coins": STAND_IN["coins"],
        "longships": STAND_IN["longships"],
        "warehouse": [
            {"level": 1 + (n > 7), "scoring": kind} | drawn(rng, kind)
            for n, kind in enumerate(scorings)
        ],
        "jarl": [{"ability": kind} | drawn(rng, kind) for kind in rng.choices(ABILITIES, k=8)],
        "requirement": [
            {side: {"kind": kind} | drawn(rng, kind) for side, kind in zip("ab", pair, strict=True)}
            for pair in (rng.sample(REQUIREMENTS, 2) for _ in range(7))
        ],
    }


def toml_value(value: Any) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {toml_value(v)}" for name, v in value.items()) + "}"
    return f'"{value}"' if isinstance(value, str) else str(value)


def to_toml(cards: dict[str, Any]) -> str:
    """Return the card file of a set; every figure is a guess."""
    names = {"M": "mead", "F": "fish", "S": "sheep", "C": "coffer"}
    totals = {"orders": {"total": 36}, "tiles": {"total": 32, "of_each_type": [2, 4, 2]}}
    lines = ['game = "lofoten"', 'status = "stand-in"']
    for key, table in cards.items():
        for each in table if isinstance(table, list) else [table]:
            lines.append(f"[[{key}]]" if isinstance(table, list) else f"[{key}]")
            values = each | totals.get(key, {}) | {"status": "guess"}
            if key == "type":
                values["name"] = names[each["id"]]
            if key == "requirement":
                for side in "ab":
                    values[side] = each[side] | {"status": "guess"}
            lines += [f"{name} = {toml_value(value)}" for name, value in values.items()]
    return "\n".join(lines) + "\n"


@cache
def card_set(number: int) -> tuple[str, dict[str, Any] | None]:
    """Return the name by which the engine knows a made-up set, and the set; 0 is the stand-in."""
    if number == 0:
        return engine.load("lofoten").settings["cards"], None
    cards = made_up(random.Random(f"card set {number}"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cards.toml")
        path.write_text(to_toml(cards), encoding="utf-8")
        return engine.read_cards(str(path))[1], cards
