"""Belief as rows of words and probabilities."""

from engine.types cimport uint16_t
from engine.games.lofoten.belief cimport NUM_HANDS, fill_ways
from engine.games.lofoten.notation import CARDS, TILES
from engine.games.lofoten.state cimport CARD_UNKNOWN, NUM_CARDS, NUM_TILES, TYPE_NONE, tile_type

SLOTS = ("left", "middle", "right", "drawn")


cdef list rows(const LofotenState* view, const Belief* belief):
    cdef int place
    found = []
    for place in range(3):
        if belief.fixed[place] == CARD_UNKNOWN:
            word = f"p{belief.seat + 1} {SLOTS[belief.slot[place]]}"
            found.append((word, card_values(view, belief, place)))
    return found + [(f"pile{pile + 1}", tile_values(view, pile)) for pile in range(2)
                    if view.pile_top[pile] != TYPE_NONE]


cdef list card_values(const LofotenState* view, const Belief* belief, int place):
    """The cards that can lie in a place of the hand."""
    cdef uint16_t ways[NUM_HANDS]
    cdef double believed[12]
    cdef double dealt[12]
    cdef int hand, card, divisor = (144, 12, 1)[place]
    fill_ways(view, belief, ways)
    for card in range(NUM_CARDS):
        believed[card] = dealt[card] = 0.0
    for hand in range(NUM_HANDS):
        card = hand // divisor % 12
        dealt[card] += ways[hand]
        believed[card] += ways[hand] * belief.likelihood[hand]
    return [(CARDS[card], believed[card] / belief.weight, dealt[card] / belief.ways)
            for card in range(NUM_CARDS) if dealt[card] > 0]


cdef list tile_values(const LofotenState* view, int pile):
    """The tiles that can lie on top of a pile: as many ways as there are unseen ones."""
    cdef int tile, kind = view.pile_top[pile]
    cdef double all_tiles = view.unseen_type[kind]
    return [(TILES[tile], view.unseen[tile] / all_tiles, view.unseen[tile] / all_tiles)
            for tile in range(NUM_TILES) if tile_type(tile) == kind and view.unseen[tile]]


cdef tuple odds(const LofotenState* view, const Belief* belief, const LofotenState* world):
    cdef uint16_t ways[NUM_HANDS]
    cdef int place, hand = 0, card
    for place in range(3):
        card = world.hand[belief.seat][belief.slot[place]]
        hand = 12 * hand + (card if belief.fixed[place] == CARD_UNKNOWN else belief.fixed[place])
    fill_ways(view, belief, ways)
    return ways[hand] * belief.likelihood[hand] / belief.weight, ways[hand] / belief.ways
