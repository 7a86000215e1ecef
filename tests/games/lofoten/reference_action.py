"""Play the action phase in the slow reference rules of Lofoten (RULES.md 3 to 6, 12.6 to 12.9)."""

from __future__ import annotations

from reference_setup import SetUp
from reference_table import DOCK, PLACE_NAMES, TOP, Ship

MOST_EXTRA = 100
"""So many additional turns may wait; the program's bound, out of reach in play (5.4)."""


class Action(SetUp):
    """Play a card, step, use, load and unload; `reference_setup` explains the methods."""

    # The start of a turn.

    def _enter_start(self) -> None:
        """Check the load before everything else of a turn (R72)."""
        self.moved = self.upgraded = False
        self._check_load("play")

    # Loading and unloading.

    def _check_load(self, back: str) -> None:
        """Load what must be loaded, ask where ship C may, then unload; `back` follows (R33c)."""
        ship, tile = self._facing()
        if tile and self._must_load(ship, tile):
            self.load(self.seat)
        elif tile and self._may_load(ship, tile):
            self.back = back
            self._go("load")
            return
        self._check_dock(back)

    def _facing(self) -> tuple[Ship, str | None]:
        """Return the ship that faces the market, and the tile there."""
        return self.wheels[self.seat][TOP], self.market[self.areas[self.seat] - 1]

    def _must_load(self, ship: Ship, tile: str) -> bool:
        """Tell whether a ship that faces a tile has to load it (R33e, R64, R65, R85)."""
        if not ship.card:
            return False
        if ship.tiles:
            total = sum(int(each[1]) for each in [*ship.tiles, tile])
            fits = total <= self.set.longships["b_total"]
            return ship.able("B") and ship.card[0] == tile[0] and fits
        if ship.able("C") and self.settings["ship-c"] == "must":
            return True
        return ship.card[0] == tile[0]

    def _may_load(self, ship: Ship, tile: str) -> bool:
        """Tell whether a ship may load a tile of another type (R65)."""
        other = ship.card is not None and not ship.tiles and ship.card[0] != tile[0]
        return other and ship.able("C") and self.settings["ship-c"] == "may"

    def _words_load(self) -> list[str]:
        return ["load", "leave"]

    def _do_load(self, word: str) -> None:
        self.happened[f"ship C {word}"] += 1
        if word == "load":
            self.load(self.seat)
        back, self.back = self.back, ""
        self._check_dock(back)

    def _check_dock(self, back: str) -> None:
        """Unload the docked ship if it is loaded."""
        if self.wheels[self.seat][DOCK].tiles:
            self._unload(DOCK, back)
        else:
            self._go(back)

    def _unload(self, place: int, back: str) -> None:
        """Store all tiles of a ship and discard its order (R33d, R66, R78)."""
        ship = self.wheels[self.seat][place]
        assert ship.card
        self.discards[ship.card] += 1
        self.tiles, ship.card, ship.tiles = ship.tiles, None, []
        self.happened["ship B with several tiles unloaded"] += len(self.tiles) > 1
        self._store(back)

    def _store(self, back: str) -> None:
        """Put the tiles in hand into the warehouse of their type, or ask for an empty one."""
        kind = self.tiles[0][0]
        house = next((house for house in self.warehouses if house.kind == kind), None)
        if house is None:
            self.back = back
            self._go("store")
            return
        for tile in self.tiles:
            house.add(self.seat, tile)
        self.tiles = []
        # At the end of the game a seat unloads once.
        self._go("unloaded" if back == "unload" else back)

    def _words_store(self) -> list[str]:
        return [f"store:{n}" for n, house in enumerate(self.warehouses, 1) if not house.kind]

    def _do_store(self, word: str) -> None:
        self.warehouses[int(word.removeprefix("store:")) - 1].kind = self.tiles[0][0]
        back, self.back = self.back, ""
        self._store(back)

    # Coins (RULES 5).

    def extra_price(self) -> int:
        """Return what an additional turn costs the seat to move."""
        swift = self.ability(self.seat, "swift")
        return int(swift["coins"]) if swift else 3

    def _extra_words(self) -> list[str]:
        """Return the word for an additional turn, if it may be bought here (R31, R48, R71, R74)."""
        late = self.triggered and self.settings["late-extra"] == "off"
        last = self.last_turn() and self.settings["last-extra"] == "off"
        full = self.extra >= MOST_EXTRA
        if self.coins[self.seat] < self.extra_price() or late or last or full:
            return []
        barred_later = "off" in (self.settings["late-extra"], self.settings["last-extra"])
        between_coins = self.effects.get(self.effect) == "coin" and self.used > 0
        here = (
            self.phase in ("play", "end", "last")
            or (self.phase == "use" and between_coins)
            or (self.phase in ("put", "pile") and barred_later)
            or self.settings["coin-offers"] == "any"
        )
        return ["extra"] if here else []

    def _buy_extra(self) -> None:
        """Pay for one additional turn after this one (R30)."""
        self.pay(self.seat, self.extra_price())
        self.extra += 1
        self.happened["extra"] += 1
        self.happened["extra for fewer coins"] += self.extra_price() < 3

    def _redraw_words(self) -> list[str]:
        """Return the word for a new hand, if it can be paid (R29)."""
        hand = self.hands[self.seat]
        can = self.coins[self.seat] >= 2 and len(hand) == 3
        return ["redraw:" + ".".join(hand)] if can else []

    def _paid_steps(self) -> list[str]:
        """Return the bought steps of the side card that was played this turn (R26 to R28, R71)."""
        if not self.direction or not self.coins[self.seat]:
            return []
        if self.phase == "step":
            here = not self.moves or self.settings["coin-offers"] == "any"
        else:
            here = self.settings["late-moves"] == "turn"
        return [f"pay:{step}" for step in self._side_steps()] if here else []

    def _spend(self, word: str) -> None:
        """Carry out `extra`, `redraw:...` or `pay:...`; the same phase goes on."""
        if word == "extra":
            self._buy_extra()
            self._go(self.phase)
        elif word.startswith("redraw:"):
            self.pay(self.seat, 2)
            self.happened["redraw"] += 1
            self.discard_hand(self.seat)
            self.back = self.phase
            self._go("redraw")
        else:
            self.pay(self.seat, 1)
            self.step_fleet(self.seat, word.removeprefix("pay:"))
            self._check_load(self.phase)

    def _is_spending(self, word: str) -> bool:
        """Tell whether a word pays for one of the three things that coins buy."""
        return word == "extra" or word.startswith(("redraw:", "pay:"))

    # Playing a card.

    def _words_play(self) -> list[str]:
        hand = self.hands[self.seat]
        words = [f"left:{hand[0]}", f"right:{hand[2]}"]
        if not self.wheels[self.seat][DOCK].card:  # R15
            words.append(f"mid:{hand[1]}")
        return words + self._redraw_words() + self._extra_words()

    def _do_play(self, word: str) -> None:
        if self._is_spending(word):
            self._spend(word)
            return
        where = word.partition(":")[0]
        at = ("left", "mid", "right").index(where)
        card = self.hands[self.seat].pop(at)
        self.classes[self.seat].pop(at)
        self.sort_classes(self.seat)
        if where == "mid":
            dock = self.wheels[self.seat][DOCK]
            dock.card = card
            self.effect, self.on_d = card[0], dock.able("D")
            self.used, self.uses = 0, self._allowed_uses()
            self._go("use")
        else:
            self.discards[card] += 1
            self.direction, self.moves = where, self._allowed_moves(int(card[1]))
            self._go("step")

    # Side card (RULES 4).

    def _allowed_moves(self, value: int) -> int:
        """Return the moves of a side card: its value, more with `rowers` (RULES 11.11)."""
        rowers = self.ability(self.seat, "rowers")
        if rowers and (value < 3 or self.settings["rowers"] == "all"):
            self.happened["rowers"] += 1
            return value + int(rowers["moves"])
        return value

    def _side_steps(self) -> list[str]:
        """Return the steps of the direction in hand: a quarter turn, a move if there is room."""
        steps = ["turn:cw" if self.direction == "right" else "turn:ccw"]
        if self.can_move(self.seat, self.direction):
            steps.append(f"move:{self.direction}")
        return steps

    def _enter_step(self) -> None:
        if not self.moves and not self._paid_steps():
            self._finish_action()

    def _words_step(self) -> list[str]:
        steps = self._side_steps() if self.moves else []
        return [*steps, *self._paid_steps(), *self._extra_words(), "stop"]

    def _do_step(self, word: str) -> None:
        if word == "stop":
            self._finish_action()
        elif self._is_spending(word):
            self._spend(word)
        else:
            self.moves -= 1
            self.step_fleet(self.seat, word)
            self._check_load("step")

    # Middle card (RULES 6.2 to 6.6).

    def _allowed_uses(self) -> int:
        """Return how often the middle card may be used (R17, R21, R67, R90)."""
        uses = max(1, self.own_tiles(self.seat, self.effect))
        traders = self.ability(self.seat, "traders")
        more = int(traders["uses"]) if traders else 0
        if self.settings["traders"] == "before":
            uses, more = uses + more, 0
        if self.on_d:
            uses = max(uses, self.set.longships["d_uses"])
        return uses + more

    def _use_words(self) -> list[str]:
        """Return the uses of the effect that would change something (R80)."""
        effect = self.effects[self.effect]
        if effect == "coin":
            return ["take"] if self.reserve or self.coins[1 - self.seat] else []
        if effect == "discard":
            return [f"discard:{area}" for area, tile in enumerate(self.market, 1) if tile]
        if effect == "rotate":
            return ["turn:cw", "turn:ccw"]
        return [f"move:{way}" for way in ("left", "right") if self.can_move(self.seat, way)]

    def _enter_use(self) -> None:
        if self.settings["count"] == "live":
            self.uses = self._allowed_uses() - self.used
        # A coffer that was used can become useful again: paying fills the reserve (R80).
        waits = self.effects[self.effect] == "coin" and self.used > 0 and self._extra_words()
        if self.uses <= 0 or not (self._use_words() or waits):
            self._finish_action()

    def _words_use(self) -> list[str]:
        return [*self._use_words(), *self._extra_words(), "stop"]

    def _do_use(self, word: str) -> None:
        if word == "stop":
            self._finish_action()
            return
        if self._is_spending(word):
            self._spend(word)
            return
        self.used += 1
        self.uses -= 1
        self.happened["use on D"] += self.on_d
        if word == "take":
            self.take_coin(self.seat)
        elif word.startswith("discard:"):
            self.put_out(int(word.removeprefix("discard:")) - 1)
            self.moved = True
        else:
            self.step_fleet(self.seat, word)
            self._check_load("use")
            return
        ship, tile = self._facing()
        if tile and self.settings["ship-c-asks"] == "uses" and self._may_load(ship, tile):
            self.back = "use"
            self._go("load")
        else:
            self._go("use")

    def _finish_action(self) -> None:
        """Go on to the draw; the last turn of the game has none (R47)."""
        self.moves = self.uses = self.used = 0
        self.effect, self.on_d = "", False
        if self.settings["late-moves"] == "action":
            self.direction = ""
        self._go("last" if self.last_turn() else "draw")


PLACES = dict(zip(PLACE_NAMES, range(4), strict=True))
