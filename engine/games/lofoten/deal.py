"""Luck of Lofoten fixed in advance: tile piles, order decks, the cards and ships laid out.

Each generation of the order deck gives each of the 36 cards a fixed priority; the next card drawn
is the one of highest priority among those in the deck. So different play shifts later draws no more
than the rules force it to.
"""

from typing import TYPE_CHECKING, Any

from engine.errors import BadPositionText
from engine.game import State
from engine.games.lofoten import notation as n
from engine.games.lofoten.notation import HOUSE_NONE, JARL_NONE, TYPE_NONE
from engine.games.lofoten.position import PHASES
from engine.stream import RandomStream

if TYPE_CHECKING:
    from engine.games.lofoten.game import LofotenGame

# Purposes of the streams, apart from all those in rng.pxd.
_TILES, _HOUSES, _CARDS, _LEVEL_2, _JARLS, _REQUIREMENTS, _SHIPS = range(101, 108)
_LEVEL_1_CARDS = len(n.HOUSES) // 2
# Indices of the streams of a deck, above all those of tile piles and decks.
_RENEWED = 1 << 20


class Deal:
    """One deal. It follows a game through `outcome`; copy it together with the state."""

    def __init__(self, game: "LofotenGame", seed: int, start: State | None = None) -> None:
        self.game = game
        self.seed = seed
        self.one_pile = game.settings["first-tiles"] == "pile1"
        # What the set-up lays out, in the order of dealing.
        self.houses = self._houses([])
        self.jarls = RandomStream(seed, _JARLS).shuffled(range(len(n.JARLS)))
        self.requirements = self._requirements()
        self.piles: dict[int, list[list[int]]] = {}
        self.draws: dict[int, list[int]] = {}
        self.renewed = 0
        if start is not None and start != game.new_state():
            self._start_from(game.fields(start))

    def _houses(self, dealt: list[int]) -> list[int]:
        """Those dealt already, and then first the cards of level 1."""
        level_2 = int(self.game.settings["level2"])
        one = RandomStream(self.seed, _HOUSES).shuffled(range(_LEVEL_1_CARDS))
        two = RandomStream(self.seed, _LEVEL_2).shuffled(range(_LEVEL_1_CARDS, len(n.HOUSES)))
        low = [card for card in dealt if card < _LEVEL_1_CARDS]
        return (
            _go_on(low, one)[: 4 - level_2]
            + _go_on([card for card in dealt if card not in low], two)[:level_2]
        )

    def _requirements(self) -> list[int]:
        """One side of each requirement card, in the order of dealing."""
        stream = RandomStream(self.seed, _REQUIREMENTS)
        cards = stream.shuffled(range(len(n.REQUIREMENTS) // 2))
        return [2 * card + stream.below(2) for card in cards]

    def copy(self) -> "Deal":
        """Return an independent copy."""
        twin = object.__new__(Deal)
        twin.__dict__.update(self.__dict__)
        twin.piles, twin.draws = dict(self.piles), dict(self.draws)
        return twin

    def outcome(self, state: State) -> int:
        """Return the outcome of the present chance event."""
        kind, a, step, pile_left, redeals, generation, deck = self.game.luck(state)
        if kind == n.TILE:
            pile, index = (0, step) if self.one_pile else (step % 2, step // 2)
            return kind << 24 | self._piles(redeals)[pile][index]
        if kind in (n.TOP, n.FLIP):
            pile_tiles = self._piles(redeals)[a]
            tile = pile_tiles[len(pile_tiles) - pile_left]
            return kind << 24 | a << 8 | (tile // 6 if kind == n.TOP else tile)
        if kind == n.HOUSE:
            return kind << 24 | self.houses[step]
        if kind == n.JARL:
            return kind << 24 | self.jarls[step // 2]
        if kind == n.REQUIREMENT:
            return kind << 24 | self.requirements[step // 2]
        if kind == n.ARRANGE:
            which = RandomStream(self.seed, _SHIPS, a).below(len(n.ARRANGEMENTS))
            return kind << 24 | a << 8 | which
        return kind << 24 | a << 8 | self._card(generation, deck)

    def _start_from(self, fields: dict[str, Any]) -> None:
        """Put the tiles that are left into the piles, under the types that show."""
        if fields["phase"] == PHASES.index("tile"):
            raise BadPositionText("field phase: luck can go on only when the market is dealt")
        left = [kind for kind, count in enumerate(fields["unseen"]) for _ in range(count)]
        order = RandomStream(self.seed, _TILES, fields["redeals"]).shuffled(left)
        tops: list[list[int]] = [[], []]
        for pile, kind in enumerate(fields["pile_top"]):
            if kind != TYPE_NONE:
                tops[pile] = [next(tile for tile in order if tile // 6 == kind)]
                order.remove(tops[pile][0])
        piles: list[list[int]] = []
        for pile, size in enumerate(fields["pile_size"]):
            below = size - len(tops[pile])
            under, order = order[:below], order[below:]
            piles.append(tops[pile] + under)
        self.piles[fields["redeals"]] = piles
        self._lay_out(fields)

    def _lay_out(self, fields: dict[str, Any]) -> None:
        """Go on with the cards that a set-up under way has not laid out yet."""
        self.houses = self._houses([card for card in fields["house_card"] if card != HOUSE_NONE])
        self.jarls = _go_on([card for card in fields["jarl_card"] if card != JARL_NONE], self.jarls)
        sides = [side for side in fields["requirement"] if side != JARL_NONE]
        left = [side for side in self.requirements if side // 2 not in {s // 2 for s in sides}]
        self.requirements = sides + left

    def _piles(self, redeals: int) -> list[list[int]]:
        """Both piles from the top."""
        if redeals not in self.piles:
            counts = enumerate(self.game.cards.tiles)
            tiles = [kind for kind, count in counts for _ in range(count)]
            tiles = RandomStream(self.seed, _TILES, redeals).shuffled(tiles)
            self.piles[redeals] = [tiles[:16], tiles[16:]]
        return self.piles[redeals]

    def _card(self, generation: int, deck: list[int]) -> int:
        """The next card; copies of a kind are numbered and a deck holds the lowest numbers."""
        if generation not in self.draws:
            self.draws[generation] = self._shuffled(generation, deck)
        draws, size = self.draws[generation], sum(deck)
        left = draws[len(draws) - size :]
        if any(left.count(card) != count for card, count in enumerate(deck)):
            # The set-up ran out of orders and shuffled those set aside back in.
            self.renewed += 1
            draws = self.draws[generation] = self._shuffled(_RENEWED + self.renewed, deck)
        return draws[len(draws) - size]

    def _shuffled(self, index: int, deck: list[int]) -> list[int]:
        orders = enumerate(self.game.cards.orders)
        copies = [(card, i) for card, count in orders for i in range(count)]
        order = RandomStream(self.seed, _CARDS, index).shuffled(copies)
        return [card for card, i in order if i < deck[card]]


def _go_on(dealt: list[int], shuffled: list[int]) -> list[int]:
    return dealt + [card for card in shuffled if card not in dealt]
