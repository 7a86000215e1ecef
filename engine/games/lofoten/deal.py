"""Luck of Lofoten fixed in advance: the order of each tile pile and of each deck.

Each generation of the order deck gives each of the 36 cards a fixed priority; the next card drawn
is the one of highest priority among those in the deck. So different play shifts later draws no more
than the rules force it to.
"""

from typing import TYPE_CHECKING, Any

from engine.errors import BadPositionText
from engine.game import RandomStream, State
from engine.games.lofoten.notation import TILE_NONE, TYPE_NONE
from engine.games.lofoten.position import HOUSE_NONE, PHASES

if TYPE_CHECKING:
    from engine.games.lofoten.game import LofotenGame

# Purposes of the streams, apart from all those in rng.pxd.
_TILES, _HOUSES, _CARDS = 101, 102, 103
_TILE, _TOP, _HOUSE, _ORDER, _FLIP = range(20, 25)


class Deal:
    """One deal. It follows a game through `outcome`; copy it together with the state."""

    def __init__(self, game: "LofotenGame", seed: int, start: State | None = None) -> None:
        self.game = game
        self.seed = seed
        facts = game.facts()
        self.tiles: list[int] = [
            kind for kind, n in enumerate(facts["tile_count"]) for _ in range(n)
        ]
        self.orders: list[int] = facts["order_count"]
        self.one_pile = game.settings["first-tiles"] == "pile1"
        self.houses = RandomStream(seed, _HOUSES).shuffled(range(8))
        self.piles: dict[int, list[int]] = {}
        self.draws: dict[int, list[int]] = {}
        if start is not None and start != game.new_state():
            self._start_from(game.fields(start))

    def copy(self) -> "Deal":
        """Return an independent copy."""
        twin = object.__new__(Deal)
        twin.__dict__.update(self.__dict__)
        twin.piles, twin.draws = dict(self.piles), dict(self.draws)
        return twin

    def outcome(self, state: State) -> int:
        """Return the outcome of the present chance event."""
        kind, a, step, pile_left, redeals, generation, deck = self.game.luck(state)
        if kind == _TILE:
            index = step if self.one_pile else step % 2 * 16 + step // 2
            return kind << 24 | self._pile(redeals)[index]
        if kind in (_TOP, _FLIP):
            tile = self._pile(redeals)[a * 16 + 16 - pile_left]
            return kind << 24 | a << 8 | (tile // 6 if kind == _TOP else tile)
        if kind == _HOUSE:
            return kind << 24 | self.houses[step]
        return kind << 24 | a << 8 | self._card(generation, deck)

    def _start_from(self, fields: dict[str, Any]) -> None:
        """Put the tiles that are left into the piles, under the types that show."""
        if fields["phase"] < PHASES.index("play") and HOUSE_NONE in fields["house_card"]:
            raise BadPositionText("field phase: luck can go on only from the start orders on")
        left = [kind for kind, n in enumerate(fields["unseen"]) for _ in range(n)]
        order = RandomStream(self.seed, _TILES, fields["redeals"]).shuffled(left)
        tops: list[list[int]] = [[], []]
        for pile, kind in enumerate(fields["pile_top"]):
            if kind != TYPE_NONE:
                tops[pile] = [next(tile for tile in order if tile // 6 == kind)]
                order.remove(tops[pile][0])
        piles: list[int] = []
        for pile, size in enumerate(fields["pile_size"]):
            below = size - len(tops[pile])
            under, order = order[:below], order[below:]
            piles += [TILE_NONE] * (16 - size) + tops[pile] + under
        self.piles[fields["redeals"]] = piles

    def _pile(self, redeals: int) -> list[int]:
        """Pile 1 from the top, then pile 2."""
        if redeals not in self.piles:
            self.piles[redeals] = RandomStream(self.seed, _TILES, redeals).shuffled(self.tiles)
        return self.piles[redeals]

    def _card(self, generation: int, deck: list[int]) -> int:
        """The next card; copies of a kind are numbered and a deck holds the lowest numbers."""
        if generation not in self.draws:
            copies = [(card, i) for card, n in enumerate(self.orders) for i in range(n)]
            order = RandomStream(self.seed, _CARDS, generation).shuffled(copies)
            self.draws[generation] = [card for card, i in order if i < deck[card]]
        draws = self.draws[generation]
        return draws[len(draws) - sum(deck)]
