"""Steps of a fleet and the two automatic actions, loading and unloading (RULES 4 and 6)."""

from engine.types cimport uint32_t, uint8_t
from engine.games.lofoten.counts cimport discard_card, store_tile
from engine.games.lofoten.state cimport (CARD_NONE, HOUSE_NONE, PHASE_STORE, PLACE_DOCK, STEP_CCW,
                                         STEP_CW, STEP_LEFT, STEP_RIGHT, TILE_NONE, LofotenState,
                                         card_type, tile_type, tile_value)


cdef inline int step_area(const LofotenState* s, int seat, int step) noexcept nogil:
    """The area a horizontal step leads to; -1 or 5 beyond the ends. The seats sit opposite."""
    return s.area[seat] + (1 if (step == STEP_RIGHT) == (seat == 0) else -1)


cdef inline bint can_move(const LofotenState* s, int seat, int step) noexcept nogil:
    """Whether a horizontal step stays on the market (R12)."""
    if (step == STEP_RIGHT) == (seat == 0):
        return s.area[seat] < 4
    return s.area[seat] > 0


cdef inline void load(LofotenState* s, int seat) noexcept nogil:
    """Load the ship that faces the market if it must (R33e)."""
    cdef int area = s.area[seat]
    cdef int tile = s.market[area]
    if s.ship_card[seat][0] == CARD_NONE or s.ship_tile[seat][0] != TILE_NONE:
        return
    if tile_type(tile) != card_type(s.ship_card[seat][0]):
        return
    s.ship_tile[seat][0] = tile
    s.market[area] = TILE_NONE
    s.empties += 1
    s.moved = 1


cdef inline void put_in_house(LofotenState* s, int seat, int tile) noexcept nogil:
    """Store a tile in the warehouse of its type."""
    cdef int kind = tile_type(tile)
    store_tile(s, seat, tile)
    s.stored_tiles[seat][kind] += 1
    s.stored_units[seat][kind] += tile_value(tile)


cdef inline bint unload(LofotenState* s, int seat, int place) noexcept nogil:
    """Unload a ship. True if its owner must choose a warehouse first: the tile is in `s.tile`."""
    cdef int tile = s.ship_tile[seat][place]
    if tile == TILE_NONE:
        return False
    discard_card(s, s.ship_card[seat][place])
    s.ship_card[seat][place] = CARD_NONE
    s.ship_tile[seat][place] = TILE_NONE
    if s.house_of[tile_type(tile)] == HOUSE_NONE:
        s.tile = tile
        return True
    put_in_house(s, seat, tile)
    return False


cdef inline void rotate(uint8_t* ships, bint clockwise) noexcept nogil:
    """Turn four places by a quarter: clockwise the ship at the market goes right."""
    cdef uint8_t last
    if clockwise:
        last = ships[3]
        ships[3] = ships[2]
        ships[2] = ships[1]
        ships[1] = ships[0]
        ships[0] = last
    else:
        last = ships[0]
        ships[0] = ships[1]
        ships[1] = ships[2]
        ships[2] = ships[3]
        ships[3] = last


cdef inline bint take_step(LofotenState* s, int seat, int step) noexcept nogil:
    """Carry out a step with its loading and unloading; True if a warehouse must be chosen."""
    if step <= STEP_RIGHT:
        s.area[seat] = step_area(s, seat, step)
        load(s, seat)
        return False
    rotate(s.ship_card[seat], step == STEP_CW)
    rotate(s.ship_tile[seat], step == STEP_CW)
    load(s, seat)
    return unload(s, seat, PLACE_DOCK)
