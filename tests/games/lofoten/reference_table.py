"""Hold the table of the slow reference rules of Lofoten: pieces, counts and scores.

What needs no answer from anyone is here; the course of the game is in `reference.py`, whose
text explains the names.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

TYPES = "MFSC"
"""Mead, dried fish, sheep and coffer."""

CARDS = {f"{kind}{value}": 3 for kind in TYPES for value in (1, 2, 3)}
"""The 36 order cards: name and number of copies."""

TILES = {
    f"{kind}{value}{clan}": copies
    for kind in TYPES
    for value, copies in ((1, 1), (2, 2), (3, 1))
    for clan in "xo"
}
"""The 32 merchandise tiles: name and number of copies."""

WAREHOUSE_POINTS = {"w1": 4, "w2": 5, "w3": 5, "w4": 6, "w5": 6, "w6": 7, "w7": 7, "w8": 8}
"""The level-1 warehouse cards and the power points of a majority."""

TOP, RIGHT, DOCK, LEFT = range(4)
"""Places of a wheel, clockwise from the one facing the market, seen by the wheel's owner."""

PLACE_NAMES = ("top", "right", "dock", "left")

CHOICES = {
    "effects": ("fish-rotates", "sheep-rotates"),
    "count": ("fixed", "live"),
    "tie": ("none", "both"),
    "late_extra": ("on", "off"),
    "four_short": ("discard", "keep"),
    "first_market": ("redeal", "play"),
}
"""Settings other than `stall`, the default first."""


class Ship:
    """Hold what one longship carries: an order card, and on it perhaps a tile."""

    def __init__(self) -> None:
        self.card: str | None = None
        self.tile: str | None = None


class Warehouse:
    """Hold one warehouse: its card, its type once settled, and the tiles of each seat."""

    def __init__(self, card: str) -> None:
        self.card = card
        self.kind: str | None = None
        self.tiles: tuple[list[str], list[str]] = ([], [])

    def total(self, seat: int) -> int:
        """Return the sum of the numbers on a seat's tiles."""
        return sum(int(tile[1]) for tile in self.tiles[seat])


class Table:
    """Hold all pieces of one game; raise ValueError for a setting that is not allowed."""

    def __init__(self, settings: dict[str, str] | None = None) -> None:
        self.settings = {name: values[0] for name, values in CHOICES.items()} | {"stall": "60"}
        for name, value in (settings or {}).items():
            if name not in self.settings:
                raise ValueError(f"no setting {name!r}")
            if name != "stall" and value not in CHOICES[name]:
                raise ValueError(f"{name} cannot be {value!r}")
            self.settings[name] = value
        stall = self.settings["stall"]
        if stall != "off" and not (stall.isdecimal() and int(stall) > 0):
            raise ValueError(f"stall cannot be {stall!r}")
        self.stall_limit = None if stall == "off" else int(stall)
        rotating, moving = ("F", "S") if self.settings["effects"] == "fish-rotates" else ("S", "F")
        self.effects = {"C": "coin", "M": "discard", rotating: "rotate", moving: "move"}

        self.unseen = Counter(TILES)
        self.piles = [16, 16]
        self.tops: list[str | None] = [None, None]
        self.flipped: str | None = None
        self.market: list[str | None] = [None] * 5
        self.tiles_out: list[str] = []
        self.warehouses: list[Warehouse] = []
        self.deck = Counter(CARDS)
        self.discards: Counter[str] = Counter()
        self.set_aside: Counter[str] = Counter()
        self.hands: list[list[str]] = [[], []]
        self.drawn: str | None = None
        self.wheels = [[Ship() for _ in range(4)] for _ in range(2)]
        self.areas = [3, 3]
        self.coins = [2, 3]
        self.reserve = 3
        self.pending = 0
        self.triggered = False
        self.quiet_turns = 0
        self.tile_left_market = False
        self.turns = 0
        self.happened: Counter[str] = Counter()

    def scores(self) -> list[int]:
        """Return the points of both seats as if the warehouses were scored now."""
        points = [0, 0]
        for house in self.warehouses:
            totals = house.total(0), house.total(1)
            worth = WAREHOUSE_POINTS[house.card]
            tie = totals[0] == totals[1] > 0 and self.settings["tie"] == "both"
            for seat in (0, 1):
                if totals[seat] > totals[1 - seat] or tie:
                    points[seat] += worth
        return points

    def result(self) -> float:
        """Return 1, 0.5 or 0: win, draw or loss of seat 1 at these scores (R53)."""
        first, second = self.scores()
        return 0.5 if first == second else float(first > second)

    def facts(self) -> dict[str, Any]:
        """Return everything on the table, as plain values that share nothing with the game."""
        return {
            "hands": [list(hand) for hand in self.hands],
            "drawn": self.drawn,
            "deck": {card: n for card, n in sorted(self.deck.items()) if n},
            "discards": {card: n for card, n in sorted(self.discards.items()) if n},
            "set_aside": {card: n for card, n in sorted(self.set_aside.items()) if n},
            "ships": [[(ship.card, ship.tile) for ship in wheel] for wheel in self.wheels],
            "area": list(self.areas),
            "coins": [*self.coins, self.reserve],
            "market": list(self.market),
            "piles": list(self.piles),
            "tops": list(self.tops),
            "flipped": self.flipped,
            "unseen": {tile: n for tile, n in sorted(self.unseen.items()) if n},
            "tiles_out": sorted(self.tiles_out),
            "warehouses": [
                (house.card, house.kind, sorted(house.tiles[0]), sorted(house.tiles[1]))
                for house in self.warehouses
            ],
            "stall": self.quiet_turns,
            "triggered": self.triggered,
            "pending": self.pending,
            "turns": self.turns,
            "reshuffles": self.happened["reshuffle"],
        }

    def _can_move(self, seat: int, word: str) -> bool:
        """Tell whether a horizontal move stays at the market (R12)."""
        return 1 <= self.areas[seat] + self._shift(seat, word) <= 5

    def _shift(self, seat: int, word: str) -> int:
        """Return the change of area: the right of seat 1 is the left of seat 2 (R11)."""
        rightwards = 1 if seat == 0 else -1
        return rightwards if word == "move:right" else -rightwards

    def _effect_count(self, seat: int, kind: str) -> int:
        """Return N: the seat's own stored tiles of the type, at least 1 (R17)."""
        own = (len(house.tiles[seat]) for house in self.warehouses if house.kind == kind)
        return max(1, sum(own))

    def _effect_words(self, seat: int, kind: str) -> list[str]:
        """Return the uses of a type's effect that would change something (R80)."""
        effect = self.effects[kind]
        if effect == "coin":
            return ["take"] if self.reserve or self.coins[1 - seat] else []
        if effect == "discard":
            return [f"discard:{area}" for area, tile in enumerate(self.market, 1) if tile]
        if effect == "rotate":
            return ["turn:cw", "turn:ccw"]
        return [word for word in ("move:left", "move:right") if self._can_move(seat, word)]

    def _load(self, seat: int) -> None:
        """Load the ship facing the market if the tile there matches its order (R33e)."""
        ship = self.wheels[seat][TOP]
        area = self.areas[seat] - 1
        tile = self.market[area]
        if tile and ship.card and not ship.tile and ship.card[0] == tile[0]:
            ship.tile = tile
            self.market[area] = None
            self.tile_left_market = True

    def _discard_four(self) -> bool:
        """Discard the 2nd and 3rd of four tiles of a type, if there are four (R38 to R41).

        Of five alike, possible in a first market only, the four leftmost count.
        """
        for kind in TYPES:
            areas = [area for area, tile in enumerate(self.market) if tile and tile[0] == kind]
            if len(areas) < 4:
                continue
            if self.settings["four_short"] == "keep" and sum(self.piles) < 2:
                continue
            for area in areas[1:3]:
                self._remove_from_market(area)
            self.happened["four"] += 1
            return True
        return False

    def _remove_from_market(self, area: int) -> None:
        """Put the tile of an area (0 to 4) out of the game (R23, R42)."""
        tile = self.market[area]
        assert tile
        self.tiles_out.append(tile)
        self.market[area] = None

    def _pay(self, seat: int, amount: int) -> None:
        """Move coins of a seat to the reserve (R25)."""
        self.coins[seat] -= amount
        self.reserve += amount

    def _redraw_words(self, seat: int) -> list[str]:
        """Return the word for a new hand, if it can be paid (R29)."""
        hand = self.hands[seat]
        return ["redraw:" + ".".join(hand)] if self.coins[seat] >= 2 and len(hand) == 3 else []

    def _extra_words(self, seat: int) -> list[str]:
        """Return the word for an additional turn, if it may be bought (R31, R48)."""
        barred = self.triggered and self.settings["late_extra"] == "off"
        return ["extra"] if self.coins[seat] >= 3 and not barred else []

    def _early_extra_words(self, seat: int) -> list[str]:
        """Return the same ahead of a maintenance that may bar the purchase (R71, R48)."""
        return self._extra_words(seat) if self.settings["late_extra"] == "off" else []

    def _buy_extra(self, seat: int) -> None:
        """Pay for one additional turn after this one (R30)."""
        self._pay(seat, 3)
        self.pending += 1
        self.happened["extra"] += 1
