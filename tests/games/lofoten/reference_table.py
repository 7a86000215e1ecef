"""Hold the table of the slow reference rules of Lofoten: pieces, counts and what they add up to.

What needs no answer from anyone is here; the course of the game is in `reference.py` and the
files that it names, points and requirements are in `reference_scoring.py`.
"""

from __future__ import annotations

import copy
from bisect import insort
from collections import Counter
from collections.abc import Iterable
from typing import Any, Self

from reference_cards import TILE_RANK, TYPES, CardSet, complete

TOP, RIGHT, DOCK, LEFT = range(4)
"""Places of a wheel, clockwise from the one facing the market, seen by the wheel's owner."""

PLACE_NAMES = ("top", "right", "dock", "left")

NO_STALL = 5000
"""With `stall=off` the program, not the rules, ends a game after so many turns in a row (9)."""


class Ship:
    """Hold what one longship carries, and under module 3 which one it is."""

    def __init__(self) -> None:
        self.card: str | None = None
        self.tiles: list[str] = []
        self.letter = ""
        self.upgraded = False

    def able(self, letter: str) -> bool:
        """Tell whether this is the upgraded longship of a letter."""
        return self.upgraded and self.letter == letter

    def copy(self) -> Ship:
        """Return a ship of its own with the same load."""
        other = copy.copy(self)
        other.tiles = list(self.tiles)
        return other


class Warehouse:
    """Hold one warehouse: its card, its type once settled, and each seat's tiles, ascending."""

    def __init__(self, card: str) -> None:
        self.card = card
        self.kind: str | None = None
        self.up: tuple[list[str], list[str]] = ([], [])
        self.down: tuple[list[str], list[str]] = ([], [])

    def add(self, seat: int, tile: str) -> None:
        """Put a tile on a seat's side, face up."""
        insort(self.up[seat], tile, key=TILE_RANK.__getitem__)

    def turn_down(self, seat: int, tile: str) -> None:
        """Turn one of a seat's tiles face down."""
        self.up[seat].remove(tile)
        insort(self.down[seat], tile, key=TILE_RANK.__getitem__)

    def tile_count(self, seat: int) -> int:
        """Return the number of a seat's tiles, those face down too."""
        return len(self.up[seat]) + len(self.down[seat])

    def copy(self) -> Warehouse:
        """Return a warehouse of its own with the same tiles."""
        other = Warehouse(self.card)
        other.kind = self.kind
        other.up = (list(self.up[0]), list(self.up[1]))
        other.down = (list(self.down[0]), list(self.down[1]))
        return other


class Jarl:
    """Hold one Jarl: card, requirement, who has claimed it, where a storehouse is attached."""

    def __init__(self, card: str) -> None:
        self.card = card
        self.requirement: str | None = None
        self.owner: int | None = None
        self.attached: int | None = None


class Table:
    """Hold all pieces of one game and where in the turn it is.

    Raises ValueError for a setting that is not allowed. `happened` counts rare things for
    reports; no rule reads it.
    """

    def __init__(
        self,
        settings: dict[str, str] | None = None,
        cards: dict[str, Any] | None = None,
        identity: str = "",
    ) -> None:
        self.settings = complete(settings or {})
        self.set = CardSet(cards)
        self.identity = identity
        stall = self.settings["stall"]
        self.stall_limit = NO_STALL if stall == "off" else int(stall)
        self.effects = dict(self.set.effects)
        if self.settings["effects"] == "swapped":
            self.effects["F"], self.effects["S"] = self.effects["S"], self.effects["F"]
        self.clans = "xo" if self.settings["first-clan"] == "1" else "ox"

        # The pieces.
        self.unseen = Counter(self.set.tiles)
        self.piles = [16, 16]
        self.tops: list[str | None] = [None, None]
        self.market: list[str | None] = [None] * 5
        self.out: list[str] = []
        self.warehouses: list[Warehouse] = []
        self.jarls: list[Jarl] = []
        self.deck = Counter(self.set.orders)
        self.discards: Counter[str] = Counter()
        self.hands: list[list[str]] = [[], []]
        # For each card in hand: 0, or the class of cards kept from an older deck (RULES 13).
        self.classes: list[list[int]] = [[], []]
        self.drawn: str | None = None
        self.wheels = [[Ship() for _ in range(4)] for _ in range(2)]
        self.areas = [3, 3]
        coins = self.set.coins
        self.coins = [coins["first"], coins["second"]]
        self.reserve = coins["total"] - sum(self.coins)

        # Where the turn is; named as in the position text.
        self.phase = "tile"
        self.seat = 0
        self.back = ""
        self.step = self.moves = self.uses = self.used = 0
        self.on_d = False
        self.effect = ""
        self.direction = ""
        self.pile = 0
        self.tiles: list[str] = []
        self.extra = 0
        self.triggered = self.moved = self.upgraded = self.filling = False
        self.quiet = self.turns = self.shuffles = self.redeals = self.fours = 0
        self.happened: Counter[str] = Counter()

    def copy(self) -> Self:
        """Return an independent table in the same position."""
        other = copy.copy(self)
        for name in ("unseen", "deck", "discards", "happened"):
            setattr(other, name, Counter(getattr(self, name)))
        for name in ("piles", "tops", "market", "out", "areas", "coins", "tiles"):
            setattr(other, name, list(getattr(self, name)))
        other.hands = [list(hand) for hand in self.hands]
        other.classes = [list(labels) for labels in self.classes]
        other.wheels = [[ship.copy() for ship in wheel] for wheel in self.wheels]
        other.warehouses = [house.copy() for house in self.warehouses]
        other.jarls = [copy.copy(jarl) for jarl in self.jarls]
        return other

    # What the pieces add up to.

    def faults(self) -> list[str]:
        """Return what is lost, doubled or where it cannot be (RULES 13)."""
        found = []
        if self.coins[0] + self.coins[1] + self.reserve != self.set.coins["total"]:
            found.append("coins")
        if min(*self.coins, self.reserve, *self.deck.values(), *self.unseen.values()) < 0:
            found.append("less than nothing")
        ships = [ship for wheel in self.wheels for ship in wheel]
        cards = self.deck + self.discards + Counter(card for hand in self.hands for card in hand)
        cards.update(card for card in [self.drawn, *(ship.card for ship in ships)] if card)
        if cards != +Counter(self.set.orders):
            found.append("order cards")
        tiles = self.unseen + Counter(tile for tile in self.market if tile)
        tiles.update([*self.out, *self.tiles, *(tile for ship in ships for tile in ship.tiles)])
        tiles.update(tile for seat in (0, 1) for tile, _ in self.stored(seat))
        if tiles != +Counter(self.set.tiles) or self.unseen.total() != sum(self.piles):
            found.append("tiles")
        if any(wheel[DOCK].tiles for wheel in self.wheels) and self.phase != "load":
            found.append("a docked ship is loaded")
        return found

    def stored(self, seat: int) -> Iterable[tuple[str, bool]]:
        """Yield each tile that a seat has stored, and whether it lies face up."""
        for house in self.warehouses:
            for tile in house.up[seat]:
                yield tile, True
            for tile in house.down[seat]:
                yield tile, False

    def own_tiles(self, seat: int, kind: str) -> int:
        """Return how many tiles of a type a seat has stored, those face down too."""
        return sum(house.tile_count(seat) for house in self.warehouses if house.kind == kind)

    def ability(self, seat: int, name: str) -> dict[str, Any] | None:
        """Return the card of a seat's Jarl if it has this ability."""
        for jarl in self.jarls:
            if jarl.owner == seat and self.set.jarls[jarl.card]["ability"] == name:
                return self.set.jarls[jarl.card]
        return None

    def last_turn(self) -> bool:
        """Tell whether the game ends after this turn (R45, R46, R76)."""
        return self.triggered and self.seat == 1 and not self.extra

    # What happens to pieces.

    def pay(self, seat: int, amount: int) -> None:
        """Move coins of a seat to the reserve (R25)."""
        self.coins[seat] -= amount
        self.reserve += amount

    def take_coin(self, seat: int) -> None:
        """Take a coin from the reserve, from the opponent only if that is empty (R22)."""
        if self.reserve:
            self.reserve -= 1
        elif self.coins[1 - seat]:
            self.coins[1 - seat] -= 1
            self.happened["coin from the opponent"] += 1
        else:
            return
        self.coins[seat] += 1

    def shift(self, seat: int, direction: str) -> int:
        """Return the change of area: the right of seat 1 is the left of seat 2 (R11)."""
        rightwards = 1 if seat == 0 else -1
        return rightwards if direction == "right" else -rightwards

    def can_move(self, seat: int, direction: str) -> bool:
        """Tell whether a horizontal move stays at the market (R12)."""
        return 1 <= self.areas[seat] + self.shift(seat, direction) <= 5

    def step_fleet(self, seat: int, word: str) -> None:
        """Carry out `move:left`, `move:right`, `turn:cw` or `turn:ccw`."""
        wheel = self.wheels[seat]
        if word == "turn:cw":
            self.wheels[seat] = [wheel[LEFT], wheel[TOP], wheel[RIGHT], wheel[DOCK]]
        elif word == "turn:ccw":
            self.wheels[seat] = [wheel[RIGHT], wheel[DOCK], wheel[LEFT], wheel[TOP]]
        else:
            self.areas[seat] += self.shift(seat, word.removeprefix("move:"))

    def load(self, seat: int) -> None:
        """Put the tile that a fleet faces on the ship that faces it."""
        area = self.areas[seat] - 1
        tile = self.market[area]
        assert tile
        ship = self.wheels[seat][TOP]
        ship.tiles.append(tile)
        self.happened["second tile on B"] += len(ship.tiles) == 2
        self.happened["third tile on B"] += len(ship.tiles) == 3
        self.market[area] = None
        self.moved = True

    def put_out(self, area: int) -> None:
        """Put the market tile of an area (0 to 4) out of the game (R23, R42)."""
        tile = self.market[area]
        assert tile
        insort(self.out, tile, key=TILE_RANK.__getitem__)
        self.market[area] = None

    def discard_four(self) -> bool:
        """Discard the 2nd and 3rd of four tiles of a type, if there are four (R38 to R41).

        Of five alike, possible in a first market only, the four leftmost count.
        """
        for kind in TYPES:
            areas = [area for area, tile in enumerate(self.market) if tile and tile[0] == kind]
            if len(areas) < 4:
                continue
            if self.settings["four-short"] == "keep" and sum(self.piles) < 2:
                self.happened["four kept"] += 1
                continue
            self.happened["four with too few tiles"] += sum(self.piles) < 2
            for area in areas[1:3]:
                self.put_out(area)
            self.fours += 1
            return True
        return False

    def discard_hand(self, seat: int) -> None:
        """Put a whole hand on the discards."""
        self.discards.update(self.hands[seat])
        self.hands[seat].clear()
        self.classes[seat].clear()

    def renew_deck(self) -> None:
        """Make the discards the new deck; the hands' cards form classes now (R35, RULES 13)."""
        self.deck, self.discards = self.discards, Counter()
        self.shuffles += 1
        for seat in (0, 1):
            new = 1 + max(self.classes[seat], default=0)
            self.classes[seat] = [old or new for old in self.classes[seat]]
            self.sort_classes(seat)

    def sort_classes(self, seat: int) -> None:
        """Number the classes from the left; one of cards all alike has no secret, so split it."""
        hand, old = self.hands[seat], self.classes[seat]
        if not any(old):
            return
        kinds: dict[int, set[str]] = {}
        for card, label in zip(hand, old, strict=True):
            kinds.setdefault(label, set()).add(card)
        number: dict[Any, int] = {}
        labels = []
        for at, label in enumerate(old):
            if not label:
                labels.append(0)
                continue
            name = label if len(kinds[label]) > 1 else f"alone {at}"
            labels.append(number.setdefault(name, len(number) + 1))
        self.classes[seat] = labels
