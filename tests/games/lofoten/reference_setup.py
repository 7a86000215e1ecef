"""Set up the game in the slow reference rules of Lofoten (RULES.md 2, 10.1, 11.1, 12.1).

For each phase there are up to three methods: `_enter_PHASE` does what follows by itself when the
phase is reached, `_words_PHASE` (or `_luck_PHASE`, with weights) lists what may come, and
`_do_PHASE` carries it out. Chance weighs outcomes by the number of pieces that could come up.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from reference_cards import TYPES
from reference_table import LEFT, RIGHT, Jarl, Table, Warehouse


def named(token: str) -> str:
    """Return the name that an event token ends with.

    >>> named("~draw@p1=F2")
    'F2'
    """
    return token.partition("=")[2]


class SetUp(Table):
    """Ask for everything up to the first turn."""

    def _go(self, phase: str) -> None:
        """Come to a phase, and do what follows there without a question."""
        self.phase = phase
        enter = getattr(self, f"_enter_{phase}", None)
        if enter:
            enter()

    # The market: five tiles, then the types that show on the piles (R2, R3).

    def _luck_tile(self) -> dict[str, int]:
        return {f"~tile={tile}": n for tile, n in self.unseen.items()}

    def _do_tile(self, word: str) -> None:
        tile = named(word)
        alternate = self.settings["first-tiles"] == "alternate"
        self.piles[self.step % 2 if alternate else 0] -= 1
        self.unseen[tile] -= 1
        self.market[self.step] = tile
        self.step += 1
        if self.step < 5:
            return
        self.step = 0
        kinds = Counter(tile[0] for tile in self.market if tile)
        if max(kinds.values()) >= 4 and self.settings["first-market"] == "redeal":
            self.redeals += 1
            self.unseen, self.piles, self.market = Counter(self.set.tiles), [16, 16], [None] * 5
        else:
            self.pile = 0
            self._go("top")

    def _luck_top(self) -> dict[str, int]:
        """Weigh the types of all unseen tiles but the one that the other pile shows."""
        weights: Counter[str] = Counter()
        for tile, n in self.unseen.items():
            weights[tile[0]] += n
        other = self.tops[1 - self.pile]
        if other:
            weights[other] -= 1
        return {f"~top{self.pile + 1}={kind}": weights[kind] for kind in TYPES}

    def _do_top(self, word: str) -> None:
        self.tops[self.pile] = named(word)
        if self.warehouses:
            self.pile = 0
            self._go("pile")
        elif self.pile == 0:
            self.pile = 1
        else:
            self.pile = 0
            self._go("warehouse")

    # Warehouses, Jarls, longships.

    def _luck_warehouse(self) -> dict[str, int]:
        dealt = {house.card for house in self.warehouses}
        level = 1 if self.step < 4 - int(self.settings["level2"]) else 2
        cards = self.set.warehouses.items()
        return {
            f"~warehouse={name}": 1
            for name, card in cards
            if card["level"] == level and name not in dealt
        }

    def _do_warehouse(self, word: str) -> None:
        self.warehouses.append(Warehouse(named(word)))
        self.step += 1
        if self.step == 4:
            self.step = 0
            self._go("jarl")

    def _enter_jarl(self) -> None:
        if self.settings["jarls"] == "off":
            self._go("ships")

    def _luck_jarl(self) -> dict[str, int]:
        """Deal Jarl, requirement, Jarl, requirement; both sides of a used card are gone (R81)."""
        if self.step % 2 == 0:
            dealt = {jarl.card for jarl in self.jarls}
            return {f"~jarl={name}": 1 for name in self.set.jarls if name not in dealt}
        used = {jarl.requirement[:-1] for jarl in self.jarls if jarl.requirement}
        names = self.set.requirements
        return {f"~requirement={name}": 1 for name in names if name[:-1] not in used}

    def _do_jarl(self, word: str) -> None:
        if self.step % 2 == 0:
            self.jarls.append(Jarl(named(word)))
        else:
            self.jarls[-1].requirement = named(word)
        self.step += 1
        if self.step == 4:
            self.step = 0
            self._go("ships")

    def _enter_ships(self) -> None:
        if self.settings["upgrades"] == "off":
            self._go("order")

    def _luck_ships(self) -> dict[str, int]:
        return {f"~ships@p{self.step + 1}={''.join(row)}": 1 for row in permutations("ABCD")}

    def _do_ships(self, word: str) -> None:
        for ship, letter in zip(self.wheels[self.step], named(word), strict=True):
            ship.letter = letter
        self.step += 1
        if self.step == 2:
            self.step = 0
            self._go("order")

    # Start orders and hands (R4 to R6): `step` counts, the first half is for seat 1.

    def _enter_order(self) -> None:
        """Shuffle back in early what was set aside, should the deck run out."""
        if not self.deck.total():
            self.happened["set-aside orders needed"] += 1
            self.deck, self.discards = self.discards, self.deck

    def _luck_order(self) -> dict[str, int]:
        return self._drawing("order", self.step // 2)

    def _do_order(self, word: str) -> None:
        """Lay the first order left and the second right; two of a type are set aside."""
        card, seat = named(word), self.step // 2
        left, right = self.wheels[seat][LEFT], self.wheels[seat][RIGHT]
        self.deck[card] -= 1
        self.step += 1
        if not left.card:
            left.card = card
            self._go("order")
            return
        right.card = card
        if left.card[0] == card[0]:
            self.discards.update((left.card, card))
            left.card = right.card = None
            self.step -= 2
            self.happened["orders again"] += 1
            self._go("order")
        elif self.settings["start-orders"] == "choose":
            self.seat = seat
            self._go("side")
        else:
            self._orders_done()

    def _words_side(self) -> list[str]:
        """Say where the first of the two orders goes."""
        return ["order:left", "order:right"]

    def _do_side(self, word: str) -> None:
        left, right = self.wheels[self.seat][LEFT], self.wheels[self.seat][RIGHT]
        if word == "order:right":
            left.card, right.card = right.card, left.card
        self.seat = 0
        self._orders_done()

    def _orders_done(self) -> None:
        """Go on to the other seat, then to the hands with what was set aside shuffled back in."""
        if self.step < 4:
            self._go("order")
            return
        self.step = 0
        self.deck.update(self.discards)
        self.discards.clear()
        self._go("hand")

    def _luck_hand(self) -> dict[str, int]:
        return self._drawing("draw", self.step // 3)

    def _do_hand(self, word: str) -> None:
        self.add_card(self.step // 3, named(word))
        self.step += 1
        if self.step == 6:
            self.step = 0
            self.filling = self.discard_four()  # only where the first market is not dealt again
            self._go("pile" if self.filling else "start")

    def _drawing(self, event: str, seat: int) -> dict[str, int]:
        """Weigh the cards of the deck for a draw."""
        return {f"~{event}@p{seat + 1}={card}": n for card, n in self.deck.items()}

    def add_card(self, seat: int, card: str) -> None:
        """Lay a drawn card right of the others in a hand."""
        self.deck[card] -= 1
        self.hands[seat].append(card)
        self.classes[seat].append(0)
