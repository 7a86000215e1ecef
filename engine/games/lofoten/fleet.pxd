"""Steps of a fleet and unloading (RULES 4 and 6)."""

from libc.string cimport memcpy

from engine.types cimport uint32_t, uint8_t
from engine.games.lofoten.counts cimport discard_card, store_tile
from engine.games.lofoten.state cimport (CARD_NONE, HOUSE_NONE, SHIP_B, SHIP_UPGRADED, STEP_CW,
                                         STEP_RIGHT, TILE_NONE, LofotenState, card_type, tile_clan,
                                         tile_type, tile_value)


cdef inline bint can_move(const LofotenState* s, int seat, int step) noexcept nogil:
    """Whether a horizontal step stays on the market (R12). The seats sit opposite (R11)."""
    if (step == STEP_RIGHT) == (seat == 0):
        return s.area[seat] < 4
    return s.area[seat] > 0


cdef inline void take_tile(LofotenState* s, int area) noexcept nogil:
    """Remove the tile of an area from the market."""
    s.market[area] = TILE_NONE
    s.empties += 1
    s.moved = 1


cdef inline void load(LofotenState* s, int seat) noexcept nogil:
    """Load the ship that faces the market if it must (R33e); for a game without module 3."""
    cdef int area = s.area[seat]
    cdef int tile = s.market[area]
    if s.ship_card[seat][0] == CARD_NONE or s.ship_tile[seat][0] != TILE_NONE:
        return
    if tile_type(tile) != card_type(s.ship_card[seat][0]):
        return
    s.ship_tile[seat][0] = tile
    take_tile(s, area)


cdef inline void put_tile(LofotenState* s, int seat, int tile) noexcept nogil:
    """Store one tile in the warehouse of its type."""
    cdef int kind = tile_type(tile)
    store_tile(s, seat, tile)
    s.stored_tiles[seat][kind] += 1
    s.stored_units[seat][kind] += tile_value(tile)
    s.bucklers[seat][tile_clan(tile)] += 1


cdef inline void put_more(LofotenState* s, int seat) noexcept nogil:
    """Store the further tiles of ship B."""
    cdef int i
    for i in range(2):
        if s.more[seat][i] != TILE_NONE:
            put_tile(s, seat, s.more[seat][i])
            s.more[seat][i] = TILE_NONE


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
    put_tile(s, seat, tile)
    if s.ship_kind[seat][place] == SHIP_B + SHIP_UPGRADED:
        put_more(s, seat)
    return False


cdef inline void rotate(uint8_t* places, bint clockwise) noexcept nogil:
    """Turn four places by a quarter: clockwise what faces the market goes right."""
    cdef uint32_t word
    memcpy(&word, places, 4)
    # Place 0 is the lowest byte on every machine the engine runs on; a test turns a wheel.
    word = (word << 8 | word >> 24) if clockwise else (word >> 8 | word << 24)
    memcpy(places, &word, 4)


cdef inline void move_fleet(LofotenState* s, int seat, int step) noexcept nogil:
    """Carry out a step, without its loading and unloading."""
    if step <= STEP_RIGHT:
        s.area[seat] += 1 if (step == STEP_RIGHT) == (seat == 0) else -1
        return
    rotate(s.ship_card[seat], step == STEP_CW)
    rotate(s.ship_tile[seat], step == STEP_CW)
    rotate(s.ship_kind[seat], step == STEP_CW)
