"""Play the base game of Lofoten by the rulebook, slowly and readably.

An oracle for differential tests: it shares no code with the engine and favours reading over
speed. The whole game is one generator that yields every question (a decision of a seat or a
chance event) and is sent the answer, so the rules stand here in the order of play.

Cards are named type and value ("F2"), tiles also the clan ("F2x", x for the clan of seat 1).
Hidden piles are kept as multisets: what is unseen is equally likely to lie anywhere, so each
chance event weighs its outcomes by the number of physical pieces that could come up. Rulings
are cited by their numbers (R1 to R80). The three modules and R27 are not here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from typing import Any

from reference_table import (
    DOCK,
    LEFT,
    PLACE_NAMES,
    RIGHT,
    TILES,
    TOP,
    TYPES,
    WAREHOUSE_POINTS,
    Ship,
    Table,
    Warehouse,
)

CHANCE = "chance"

Question = tuple[int | str, list[Any]]
Flow = Generator[Question, str, None]
Ask = Generator[Question, str, str]


class Reference(Table):
    """Play one game; see the module text for the names.

    Raises ValueError for a setting or a word that is not allowed.

    >>> game = Reference({"stall": "off"})
    >>> game.to_move()
    'chance'
    >>> game.apply("~tile=F2x")
    >>> game.facts()["market"]
    ['F2x', None, None, None, None]
    """

    def __init__(self, settings: dict[str, str] | None = None) -> None:
        super().__init__(settings)
        self.history: list[str] = []

        self._flow = self._game()
        self._question: Question | None = next(self._flow)

    # What a caller sees.

    def to_move(self) -> int | str | None:
        """Return the seat that decides (0 or 1), "chance", or None when the game is over."""
        return self._question[0] if self._question else None

    def legal(self) -> list[Any]:
        """Return the sorted words of a decision, or the (token, weight) pairs of an event."""
        return list(self._question[1]) if self._question else []

    def apply(self, word: str) -> None:
        """Play one of the legal words or event tokens; raise ValueError for any other."""
        known = self.legal()
        if self.to_move() == CHANCE:
            known = [token for token, _ in known]
        if word not in known:
            raise ValueError(f"{word!r} is not among {known}")
        self.history.append(word)
        try:
            self._question = self._flow.send(word)
        except StopIteration:
            self._question = None

    def copy(self) -> Reference:
        """Return an independent game in the same position, by playing it again."""
        other = Reference(self.settings)
        for word in self.history:
            other.apply(word)
        return other

    # The course of the game.

    def _game(self) -> Flow:
        """Ask everything from the first tile to the last unloading."""
        yield from self._set_up()
        seat = 0
        while True:
            yield from self._turn(seat)
            self.turns += 1
            self._watch_for_stall()
            if self.pending:
                self.pending -= 1
            elif self.triggered and seat == 1:
                break
            else:
                seat = 1 - seat
        for seat in (0, 1):
            yield from self._final_unloading(seat)

    def _watch_for_stall(self) -> None:
        """Count the turns in which no tile left the market, and trigger the end (R70)."""
        self.quiet_turns = 0 if self.tile_left_market else self.quiet_turns + 1
        stalled = self.stall_limit is not None and self.quiet_turns >= self.stall_limit
        if stalled and not self.triggered:
            self.triggered = True
            self.happened["stall"] += 1

    def _set_up(self) -> Flow:
        """Lay out market, warehouses, first orders and hands, in the order of R2 to R6."""
        yield from self._first_market()
        for pile in (0, 1):
            yield from self._show_top(pile)
        for _ in range(4):
            used = {house.card for house in self.warehouses}
            cards = {f"~warehouse={card}": 1 for card in WAREHOUSE_POINTS if card not in used}
            self.warehouses.append(Warehouse(named((yield from self._chance(cards)))))
        yield from self._first_orders()
        for seat in (0, 1):
            yield from self._deal_hand(seat)
        if self._discard_four():  # only where the first market is not dealt again
            yield from self._refill(0, coins=False)

    def _first_market(self) -> Flow:
        """Deal five tiles from pile 1 and 2 in turn, again if four are alike (R2, R3)."""
        while True:
            for area in range(5):
                tile = yield from self._reveal("~tile", TYPES)
                self.piles[area % 2] -= 1
                self.market[area] = tile
            kinds = Counter(tile[0] for tile in self.market if tile)
            if max(kinds.values()) < 4 or self.settings["first_market"] == "play":
                return
            self.happened["redeal"] += 1
            self.unseen, self.piles, self.market = Counter(TILES), [16, 16], [None] * 5

    def _first_orders(self) -> Flow:
        """Give each seat two orders of different types, the first on the left (R4, R5)."""
        for seat in (0, 1):
            left, right = self.wheels[seat][LEFT], self.wheels[seat][RIGHT]
            while True:
                left.card = yield from self._take_card(f"~order@p{seat + 1}")
                right.card = yield from self._take_card(f"~order@p{seat + 1}")
                if left.card[0] != right.card[0]:
                    break
                self.set_aside.update((left.card, right.card))
                left.card = right.card = None
                self.happened["orders again"] += 1
        self.deck.update(self.set_aside)
        self.set_aside.clear()

    def _deal_hand(self, seat: int) -> Flow:
        """Draw three cards, laid from left to right in the order of drawing."""
        for _ in range(3):
            self.hands[seat].append((yield from self._draw(seat)))

    def _turn(self, seat: int) -> Flow:
        """Play one turn, regular or additional."""
        self.tile_left_market = False
        self._load(seat)
        yield from self._action_phase(seat)
        if self.triggered and seat == 1 and not self.pending:
            # The turn after which the game ends has no draw and no maintenance (R47, R74).
            word = yield from self._decide(seat, ["end", *self._extra_words(seat)])
            if word == "end":
                return
            self._buy_extra(seat)
        self.drawn = yield from self._draw(seat)
        word = "extra"
        while word == "extra":
            words = ["put:left", "put:right", *self._early_extra_words(seat)]
            word = yield from self._decide(seat, words)
            if word == "extra":
                self._buy_extra(seat)
        self.hands[seat].insert(0 if word == "put:left" else 2, self.drawn)
        self.drawn = None
        yield from self._refill(seat, coins=True)
        if None in self.market:
            self.triggered = True
        while True:
            words = ["end", *self._redraw_words(seat), *self._extra_words(seat)]
            word = yield from self._decide(seat, words)
            if word == "end":
                return
            yield from self._spend(seat, word)

    # Action phase.

    def _action_phase(self, seat: int) -> Flow:
        """Play one of the three cards, after coins as wanted (R9, R15, R71)."""
        hand = self.hands[seat]
        dock = self.wheels[seat][DOCK]
        while True:
            words = [f"left:{hand[0]}", f"right:{hand[2]}"]
            if dock.card is None:
                words.append(f"mid:{hand[1]}")
            words += self._redraw_words(seat) + self._extra_words(seat)
            word = yield from self._decide(seat, words)
            if word != "extra" and not word.startswith("redraw:"):
                break
            yield from self._spend(seat, word)
        where = word.partition(":")[0]
        card = hand.pop(("left", "mid", "right").index(where))
        if where == "mid":
            dock.card = card
            yield from self._middle_card(seat, card[0])
        else:
            self.discards[card] += 1
            yield from self._side_card(seat, int(card[1]), where)

    def _side_card(self, seat: int, moves: int, where: str) -> Flow:
        """Make the card's moves in its one direction, then more for a coin each (R10 to R14)."""
        turn = "turn:cw" if where == "right" else "turn:ccw"
        move = f"move:{where}"
        while moves or self.coins[seat]:
            steps = [turn]
            if self._can_move(seat, move):
                steps.append(move)
            if not moves:
                steps = [f"pay:{step}" for step in steps]
            word = yield from self._decide(seat, [*steps, "stop"])
            if word == "stop":
                return
            if moves:
                moves -= 1
            else:
                self._pay(seat, 1)
                word = word.removeprefix("pay:")
            yield from self._step(seat, word)

    def _middle_card(self, seat: int, kind: str) -> Flow:
        """Use the card's effect up to N times (R16 to R24, R80)."""
        allowed = self._effect_count(seat, kind)
        used = 0
        while used < allowed:
            words = self._effect_words(seat, kind)
            if self.effects[kind] == "coin" and used:
                words += self._extra_words(seat)
            if not words:
                return
            word = yield from self._decide(seat, [*words, "stop"])
            if word == "stop":
                return
            if word == "extra":
                self._buy_extra(seat)
                continue
            used += 1
            yield from self._use_effect(seat, word)
            if self.settings["count"] == "live":
                allowed = self._effect_count(seat, kind)

    def _use_effect(self, seat: int, word: str) -> Flow:
        """Carry out one use of a middle effect."""
        if word == "take":
            if self.reserve:
                self.reserve -= 1
            else:
                self.coins[1 - seat] -= 1
            self.coins[seat] += 1
        elif word.startswith("discard:"):
            self._remove_from_market(int(word.partition(":")[2]) - 1)
            self.tile_left_market = True
        else:
            yield from self._step(seat, word)

    def _step(self, seat: int, word: str) -> Flow:
        """Move or turn the fleet one step, then load and unload (R14, R20, R33c)."""
        wheel = self.wheels[seat]
        if word == "turn:cw":
            self.wheels[seat] = [wheel[LEFT], wheel[TOP], wheel[RIGHT], wheel[DOCK]]
        elif word == "turn:ccw":
            self.wheels[seat] = [wheel[RIGHT], wheel[DOCK], wheel[LEFT], wheel[TOP]]
        else:
            self.areas[seat] += self._shift(seat, word)
        self._load(seat)
        if self.wheels[seat][DOCK].tile:
            yield from self._unload(seat, self.wheels[seat][DOCK])

    # Automatic actions.

    def _unload(self, seat: int, ship: Ship) -> Flow:
        """Store a ship's tile and discard its order (R33d, R78)."""
        assert ship.card and ship.tile
        tile, card = ship.tile, ship.card
        house = next((house for house in self.warehouses if house.kind == tile[0]), None)
        if house is None:
            empty = [f"store:{n}" for n, each in enumerate(self.warehouses, 1) if not each.kind]
            word = yield from self._decide(seat, empty)
            house = self.warehouses[int(word.partition(":")[2]) - 1]
            house.kind = tile[0]
        house.tiles[seat].append(tile)
        self.discards[card] += 1
        ship.card = ship.tile = None

    # Maintenance and the end.

    def _refill(self, seat: int, coins: bool) -> Flow:
        """Fill the market tile by tile while a pile lasts (R36 to R44)."""
        while None in self.market and any(self.piles):
            words = [f"pile:{pile + 1}" for pile in (0, 1) if self.piles[pile]]
            if coins:
                words += self._redraw_words(seat) + self._early_extra_words(seat)
            word = yield from self._decide(seat, words)
            if word.startswith(("redraw:", "extra")):
                yield from self._spend(seat, word)
                continue
            pile = int(word.partition(":")[2]) - 1
            top = self.tops[pile]
            assert top
            self.flipped = yield from self._reveal(f"~flip{pile + 1}", top)
            self.piles[pile] -= 1
            self.tops[pile] = None
            spaces = [f"place:{area}" for area, tile in enumerate(self.market, 1) if not tile]
            word = yield from self._decide(seat, spaces)
            self.market[int(word.partition(":")[2]) - 1] = self.flipped
            self.flipped = None
            self._discard_four()
            if self.piles[pile]:
                yield from self._show_top(pile)

    def _final_unloading(self, seat: int) -> Flow:
        """Let a seat unload one ship, whatever its place (R49, R50)."""
        wheel = self.wheels[seat]
        loaded = [f"unload:{PLACE_NAMES[at]}" for at, ship in enumerate(wheel) if ship.tile]
        word = yield from self._decide(seat, ["keep", *loaded])
        if word != "keep":
            yield from self._unload(seat, wheel[PLACE_NAMES.index(word.partition(":")[2])])

    # Coins.

    def _spend(self, seat: int, word: str) -> Flow:
        """Carry out `extra` or `redraw:...`."""
        if word == "extra":
            self._buy_extra(seat)
            return
        self._pay(seat, 2)
        self.happened["redraw"] += 1
        self.discards.update(self.hands[seat])
        self.hands[seat].clear()
        yield from self._deal_hand(seat)

    # Questions.

    def _decide(self, seat: int, words: Iterable[str]) -> Ask:
        """Ask a seat for one of some words."""
        return (yield seat, sorted(words))

    def _chance(self, weights: dict[str, int]) -> Ask:
        """Ask for one outcome of an event; outcomes of weight 0 are left out."""
        return (yield CHANCE, sorted((token, n) for token, n in weights.items() if n > 0))

    def _draw(self, seat: int) -> Ask:
        """Draw a card for a seat; an empty deck is first made anew from the discards (R35)."""
        if not self.deck.total():
            self.deck, self.discards = self.discards, Counter()
            self.happened["reshuffle"] += 1
        return (yield from self._take_card(f"~draw@p{seat + 1}"))

    def _take_card(self, event: str) -> Ask:
        """Ask which card of the deck comes up, and take it."""
        weights = {f"{event}={card}": copies for card, copies in self.deck.items()}
        card = named((yield from self._chance(weights)))
        self.deck[card] -= 1
        return card

    def _reveal(self, event: str, kinds: str) -> Ask:
        """Ask which unseen tile of some types is turned over, and count it as seen."""
        weights = {f"{event}={t}": copies for t, copies in self.unseen.items() if t[0] in kinds}
        tile = named((yield from self._chance(weights)))
        self.unseen[tile] -= 1
        return tile

    def _show_top(self, pile: int) -> Flow:
        """Ask which type lies on a pile; the other pile's top is one tile already spoken for."""
        weights: Counter[str] = Counter()
        for tile, copies in self.unseen.items():
            weights[f"~top{pile + 1}={tile[0]}"] += copies
        other = self.tops[1 - pile]
        if other:
            weights[f"~top{pile + 1}={other}"] -= 1
        self.tops[pile] = named((yield from self._chance(weights)))


def named(token: str) -> str:
    """Return the name that an event token ends with.

    >>> named("~draw@p1=F2")
    'F2'
    """
    return token.partition("=")[2]
