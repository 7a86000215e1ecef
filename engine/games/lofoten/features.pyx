"""Numbers of a position from which its final margin can be guessed.

A linear function of them values outcomes of luck, so most of them look at what luck changes: tiles
that come to the market and cards that come to hands. Each is a sum over seat 1 less the same sum
over seat 2, so the other seat's numbers are these with the opposite sign.
"""

from libc.math cimport sqrt
from libc.string cimport memset

from engine.games.lofoten.scoring cimport margin_now
from engine.games.lofoten.state cimport (
    HOUSE_NONE, NUM_AREAS, NUM_CARDS, NUM_HOUSES, NUM_TILES, NUM_TYPES, PHASE_PLACE, PHASE_PUT,
    PLACE_DOCK, SLOT_DRAWN, TILE_NONE, TYPE_NONE, card_type, card_value, tile_type, tile_value)

cdef enum:
    MARGIN = 0               # points if the game ended now
    CONTEST = 1              # points of the warehouses by how surely each is won
    ORDERS = 2               # ships with an order and no tile, by what one merchandise matters
    TILES = 3                # market tiles that such ships wait for
    NEAR = 4                 # the same, each by how few steps away its nearest ship is
    TOPS = 5                 # types on top of the piles that such ships wait for
    MOVES = 6                # moves of the cards in hand
    USES = 7                 # four: uses of the cards in hand, by effect
    LOADS = 11               # the best tile that each card in hand can load as a side card
    WANTED = 12              # market tiles of the types of the cards in hand
    FRESH = 13               # what is to come of the types in hand that no such ship has yet

NAMES = ("margin", "contest", "orders", "tiles", "near", "tops", "moves", "discards", "turns",
         "steps", "coins", "loads", "wanted", "fresh")

# Points of a warehouse whose card is not laid out yet.
cdef double USUAL_POINTS = 6.0

# What both seats see and share.
cdef struct Sight:
    int market[5]            # tile of each area, with the one about to be placed in an empty one
    double shown[4]          # merchandise in it, by type
    double unseen[4]         # merchandise in the piles, by type
    double lead[4]           # merchandise of seat 1 beyond seat 2's, loaded ships included
    double matters[4]        # points that one merchandise more is worth
    bint waits[2][4]         # whether a ship with an order of this type has no tile
    int orders[2][4]         # how many


cdef double house_points(const LofotenState* s, const Rules* rules, int kind) noexcept nogil:
    """Points of the warehouse of a type; where it has none, the mean of the empty ones.

    For cards of level 2 their first figure stands.
    """
    cdef int house = s.house_of[kind], count = 0
    cdef double total = 0.0
    if house != HOUSE_NONE:
        return rules.houses[s.house_card[house]].a
    for house in range(NUM_HOUSES):
        if s.house_card[house] == HOUSE_NONE:
            total += USUAL_POINTS
            count += 1
        elif s.house_type[house] == TYPE_NONE:
            total += rules.houses[s.house_card[house]].a
            count += 1
    return total / count if count else 0.0


cdef void look_at_ships(const LofotenState* s, Sight* sight) noexcept nogil:
    cdef int seat, place, tile, kind
    for seat in range(2):
        for place in range(4):
            tile = s.ship_tile[seat][place]
            if tile != TILE_NONE:
                kind = tile_type(tile)
                sight.lead[kind] += -tile_value(tile) if seat else tile_value(tile)
            elif s.ship_card[seat][place] < NUM_CARDS:
                kind = card_type(s.ship_card[seat][place])
                sight.waits[seat][kind] = True
                sight.orders[seat][kind] += 1


cdef void look_at_tiles(const LofotenState* s, Sight* sight) noexcept nogil:
    cdef int area, tile
    cdef bint to_place = s.phase == PHASE_PLACE
    for area in range(NUM_AREAS):
        sight.market[area] = s.market[area]
        if to_place and s.market[area] == TILE_NONE:
            sight.market[area] = s.tile
            to_place = False
        tile = sight.market[area]
        if tile != TILE_NONE:
            sight.shown[tile_type(tile)] += tile_value(tile)
    for tile in range(NUM_TILES):
        sight.unseen[tile_type(tile)] += s.unseen[tile] * tile_value(tile)


cdef void weigh_types(const LofotenState* s, const Rules* rules, Sight* sight,
                      double* out) noexcept nogil:
    """How surely each type is won: its lead against the merchandise still to come."""
    cdef int kind
    cdef double points, to_come, root
    for kind in range(NUM_TYPES):
        points = house_points(s, rules, kind)
        to_come = 1.0 + sight.unseen[kind] + sight.shown[kind]
        sight.lead[kind] += <int>s.stored_units[0][kind] - <int>s.stored_units[1][kind]
        root = sqrt(sight.lead[kind] * sight.lead[kind] + to_come)
        out[CONTEST] += points * sight.lead[kind] / root
        # The slope of the line above.
        sight.matters[kind] = points * to_come / (root * root * root)


cdef inline int steps_to(const LofotenState* s, int seat, int area, int kind) noexcept nogil:
    """Steps until the nearest waiting ship of a type faces an area; there must be one."""
    cdef int place, turns, nearest = 2
    for place in range(4):
        if s.ship_tile[seat][place] == TILE_NONE and s.ship_card[seat][place] < NUM_CARDS:
            if card_type(s.ship_card[seat][place]) == kind:
                turns = 2 if place == PLACE_DOCK else place & 1
                nearest = min(nearest, turns)
    return nearest + (area - s.area[seat] if area > s.area[seat] else s.area[seat] - area)


cdef void add_market(const LofotenState* s, const Sight* sight, int seat, double sign,
                     double* out) noexcept nogil:
    cdef int area, pile, kind, tile
    cdef double gain
    for kind in range(NUM_TYPES):
        out[ORDERS] += sign * sight.matters[kind] * sight.orders[seat][kind]
    for area in range(NUM_AREAS):
        tile = sight.market[area]
        if tile == TILE_NONE or not sight.waits[seat][tile_type(tile)]:
            continue
        gain = sign * sight.matters[tile_type(tile)] * tile_value(tile)
        out[TILES] += gain
        out[NEAR] += gain / (1 + steps_to(s, seat, area, tile_type(tile)))
    for pile in range(2):
        kind = s.pile_top[pile]
        if kind != TYPE_NONE and sight.waits[seat][kind] and s.unseen_type[kind]:
            out[TOPS] += (sign * sight.matters[kind] * sight.unseen[kind]
                          / s.unseen_type[kind])


cdef double best_load(const LofotenState* s, const Sight* sight, int seat, int moves,
                      bint right) noexcept nogil:
    """The most that the tile is worth which so many moves to one side can load."""
    cdef int place, area, tile, turns, away
    cdef double best = 0.0
    for place in range(4):
        if s.ship_card[seat][place] >= NUM_CARDS or s.ship_tile[seat][place] != TILE_NONE:
            continue
        turns = -place & 3 if right else place
        for area in range(NUM_AREAS):
            tile = sight.market[area]
            if tile_type(tile) != card_type(s.ship_card[seat][place]):
                continue
            # The seats sit opposite.
            away = area - <int>s.area[seat] if right == (seat == 0) else <int>s.area[seat] - area
            if away >= 0 and away + turns <= moves:
                best = max(best, sight.matters[tile_type(tile)] * tile_value(tile))
    return best


cdef void add_hand(const LofotenState* s, const Rules* rules, const Sight* sight, int seat,
                   double sign, double* out) noexcept nogil:
    cdef int slot, card, kind, uses
    cdef double load
    for slot in range(4):
        card = s.hand[seat][slot]
        if card >= NUM_CARDS:
            continue
        kind = card_type(card)
        uses = s.stored_tiles[seat][kind]
        out[MOVES] += sign * card_value(card)
        out[USES + rules.effect_of[kind]] += sign * (uses if uses else 1)
        out[WANTED] += sign * sight.matters[kind] * sight.shown[kind]
        if not sight.waits[seat][kind]:
            out[FRESH] += sign * sight.matters[kind] * (sight.shown[kind] + sight.unseen[kind])
        # A drawn card can go to either end, and so can, in effect, one of two that are left.
        load = 0.0
        if slot == 0 or slot == SLOT_DRAWN:
            load = best_load(s, sight, seat, card_value(card), False)
        if slot >= 2 or slot == 1 and (s.phase == PHASE_PUT or s.hand[seat][2] >= NUM_CARDS):
            load = max(load, best_load(s, sight, seat, card_value(card), True))
        out[LOADS] += sign * load


cdef void fill_features(const LofotenState* s, const Rules* rules, double* out) noexcept nogil:
    cdef Sight sight
    cdef int seat
    memset(&sight, 0, sizeof(Sight))
    memset(out, 0, NUM_FEATURES * sizeof(double))
    out[MARGIN] = margin_now(s, rules)
    look_at_ships(s, &sight)
    look_at_tiles(s, &sight)
    weigh_types(s, rules, &sight, out)
    for seat in range(2):
        add_market(s, &sight, seat, 1.0 - 2.0 * seat, out)
        add_hand(s, rules, &sight, seat, 1.0 - 2.0 * seat, out)
