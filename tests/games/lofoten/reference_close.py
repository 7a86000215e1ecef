"""Close the turn and the game in the slow reference rules of Lofoten (RULES.md 7 to 9, 11, 12)."""

from __future__ import annotations

from reference_action import PLACES, Action
from reference_scoring import meets
from reference_setup import named
from reference_table import PLACE_NAMES, Ship


class Close(Action):
    """Draw, refill, claim, upgrade and end; `reference_setup` explains the methods."""

    # Draw phase (RULES 7).

    def _enter_draw(self) -> None:
        if not self.deck.total():
            self.renew_deck()

    def _luck_draw(self) -> dict[str, int]:
        return self._drawing("draw", self.seat)

    def _do_draw(self, word: str) -> None:
        self.drawn = named(word)
        self.deck[self.drawn] -= 1
        self._go("put")

    def _words_put(self) -> list[str]:
        return ["put:left", "put:right", *self._extra_words()]

    def _do_put(self, word: str) -> None:
        if self._is_spending(word):
            self._spend(word)
            return
        assert self.drawn
        at = 0 if word == "put:left" else 2
        self.hands[self.seat].insert(at, self.drawn)
        self.classes[self.seat].insert(at, 0)
        self.sort_classes(self.seat)
        self.drawn = None
        self._go("pile")

    def _enter_redraw(self) -> None:
        if not self.deck.total():
            self.renew_deck()

    def _luck_redraw(self) -> dict[str, int]:
        return self._drawing("draw", self.seat)

    def _do_redraw(self, word: str) -> None:
        self.add_card(self.seat, named(word))
        self.step += 1
        if self.step == 3:
            self.step, back, self.back = 0, self.back, ""
            self._go(back)
        else:
            self._go("redraw")

    # Maintenance (RULES 8).

    def _enter_pile(self) -> None:
        """Ask for a pile while an area is empty; the piles' end triggers the end (R43)."""
        if None in self.market and any(self.piles):
            return
        if self.filling:
            self.filling = False
            self._go("start")
            return
        if None in self.market and not self.triggered:
            self.triggered = True
            self.happened["piles empty"] += 1
        self._go("end")

    def _words_pile(self) -> list[str]:
        words = [f"pile:{n}" for n, size in enumerate(self.piles, 1) if size]
        if self.filling:  # before the first turn
            return words
        return [*words, *self._redraw_words(), *self._extra_words(), *self._paid_steps()]

    def _do_pile(self, word: str) -> None:
        if self._is_spending(word):
            self._spend(word)
            return
        self.pile = int(word.removeprefix("pile:")) - 1
        self._go("flip")

    def _luck_flip(self) -> dict[str, int]:
        top = self.tops[self.pile]
        tiles = self.unseen.items()
        return {f"~flip{self.pile + 1}={tile}": n for tile, n in tiles if tile[0] == top}

    def _do_flip(self, word: str) -> None:
        self.tiles = [named(word)]
        self.unseen[self.tiles[0]] -= 1
        self.piles[self.pile] -= 1
        self.tops[self.pile] = None
        self._go("place")

    def _words_place(self) -> list[str]:
        return [f"place:{area}" for area, tile in enumerate(self.market, 1) if not tile]

    def _do_place(self, word: str) -> None:
        self.market[int(word.removeprefix("place:")) - 1] = self.tiles.pop()
        if self.discard_four():
            self.happened["four"] += 1
        if self.piles[self.pile]:
            self._go("top")
        else:
            self.pile = 0
            self._go("pile")

    # The end of the turn (RULES 5, 11, 12).

    def _enter_end(self) -> None:
        """Refill again what a bought step has emptied (R27)."""
        if self.direction and None in self.market and (any(self.piles) or not self.triggered):
            self._go("pile")

    def _words_end(self) -> list[str]:
        return [
            "end",
            *self._redraw_words(),
            *self._extra_words(),
            *self._paid_steps(),
            *self._claim_words(),
            *self._turn_down_words(),
        ]

    def _do_end(self, word: str) -> None:
        if self._is_spending(word):
            self._spend(word)
        elif word.startswith("claim:"):
            self._claim(int(word.removeprefix("claim:")) - 1)
        elif word.startswith("facedown:"):
            tile = word.removeprefix("facedown:")
            house = next(house for house in self.warehouses if house.kind == tile[0])
            house.turn_down(self.seat, tile)
            self.back = self.phase
            self._go("ship")
        else:
            self._finish_turn()

    def _words_last(self) -> list[str]:
        """Offer what the end of the last turn offers: it has no draw and no maintenance (R47)."""
        return ["end", *self._extra_words(), *self._claim_words(), *self._turn_down_words()]

    def _do_last(self, word: str) -> None:
        if word == "extra":
            # Not the last turn after all: draw and maintenance follow (R74).
            self._buy_extra()
            self._go("draw")
        else:
            self._do_end(word)

    # Jarls (RULES 11).

    def _claim_words(self) -> list[str]:
        """Return the Jarls that the seat may claim now (R56, R57, R62)."""
        if any(jarl.owner == self.seat for jarl in self.jarls):
            return []
        if self.upgraded and self.settings["turn-end"] == "jarl-first":
            return []
        return [
            f"claim:{n}"
            for n, jarl in enumerate(self.jarls, 1)
            if jarl.owner is None and jarl.requirement and meets(self, self.seat, jarl.requirement)
        ]

    def _claim(self, at: int) -> None:
        """Pay what the requirement asks for, take the Jarl, and do what it does at once."""
        jarl = self.jarls[at]
        assert jarl.requirement
        requirement = self.set.requirements[jarl.requirement]
        if requirement["kind"] == "give_coins":  # R58
            self.coins[self.seat] -= requirement["coins"]
            self.coins[1 - self.seat] += requirement["coins"]
        jarl.owner = self.seat
        card = self.set.jarls[jarl.card]
        self.happened[f"claim {card['ability']}"] += 1
        self.happened[f"requirement {requirement['kind']}"] += 1
        if card["ability"] == "tribute":
            for _ in range(card["coins"]):
                if self.reserve or self.settings["tribute"] == "coffer":
                    self.take_coin(self.seat)
        elif card["ability"] == "harbour" and self._loaded():
            self.back = self.phase
            self._go("harbour")
        elif card["ability"] == "storehouse":
            self.back = self.phase
            self._go("attach")

    def _loaded(self) -> list[str]:
        """Return the words for unloading each loaded ship, whatever its place."""
        wheel = self.wheels[self.seat]
        return [f"unload:{PLACE_NAMES[at]}" for at, ship in enumerate(wheel) if ship.tiles]

    def _words_harbour(self) -> list[str]:
        return self._loaded() + ["keep"] * (self.settings["harbour"] == "may")

    def _do_harbour(self, word: str) -> None:
        back, self.back = self.back, ""
        if word == "keep":
            self._go(back)
        else:
            self._unload(PLACES[word.removeprefix("unload:")], back)

    def _words_attach(self) -> list[str]:
        return [f"attach:{n}" for n in range(1, 5)]

    def _do_attach(self, word: str) -> None:
        jarl = next(jarl for jarl in self.jarls if jarl.owner == self.seat)
        jarl.attached = int(word.removeprefix("attach:")) - 1
        back, self.back = self.back, ""
        self._go(back)

    # Longships (RULES 12.2).

    def _plain_ships(self) -> list[Ship]:
        """Return the seat's longships that are not upgraded yet."""
        return [ship for ship in self.wheels[self.seat] if ship.letter and not ship.upgraded]

    def _turn_down_words(self) -> list[str]:
        """Return the tiles that the seat may turn face down, each kind once (R63)."""
        if self.upgraded or not self._plain_ships():
            return []
        tiles = {tile for house in self.warehouses for tile in house.up[self.seat]}
        return [f"facedown:{tile}" for tile in tiles]

    def _words_ship(self) -> list[str]:
        return [f"upgrade:{ship.letter}" for ship in self._plain_ships()]

    def _do_ship(self, word: str) -> None:
        letter = word.removeprefix("upgrade:")
        next(ship for ship in self._plain_ships() if ship.letter == letter).upgraded = True
        self.upgraded = True
        self.happened[word] += 1
        back, self.back = self.back, ""
        self._go(back)

    # The end of turn and game (RULES 9).

    def _finish_turn(self) -> None:
        """Count the turn, then go on to an additional one, the other seat, or the end."""
        self.direction = ""
        self.turns += 1
        self.quiet = 0 if self.moved else min(self.quiet + 1, self.stall_limit)
        if self.quiet >= self.stall_limit and not self.triggered:  # R70
            self.triggered = True
            self.happened["stall"] += 1
        if self.extra:
            self.extra -= 1
            self.happened["extra turn after the trigger"] += self.triggered
            self._go("start")
        elif self.triggered and self.seat == 1:
            self.seat = 0
            self.moved = self.upgraded = False
            self._go("unload")
        else:
            self.seat = 1 - self.seat
            self._go("start")

    def _words_unload(self) -> list[str]:
        """Offer one ship, or under `final-b=one` one tile of a ship (R49 to R51)."""
        words = ["keep"]
        for place, ship in zip(PLACE_NAMES, self.wheels[self.seat], strict=True):
            if len(ship.tiles) > 1 and self.settings["final-b"] == "one":
                words += {f"unload:{place}:{tile}" for tile in ship.tiles}
            elif ship.tiles:
                words.append(f"unload:{place}")
        return words

    def _do_unload(self, word: str) -> None:
        if word == "keep":
            self._go("unloaded")
            return
        self.happened["final unload"] += 1
        _, place, *tile = word.split(":")
        if tile:
            # The other tiles stay on ship B with its order, and are not stored.
            self.happened["final unload of one tile of B"] += 1
            self.wheels[self.seat][PLACES[place]].tiles.remove(tile[0])
            self.tiles = tile
            self._store("unload")
        else:
            self._unload(PLACES[place], "unload")

    def _enter_unloaded(self) -> None:
        """Let the other seat unload, after seat 1, or end the game."""
        if self.seat == 0:
            self.seat = 1
            self._go("unload")
        else:
            self._go("over")
