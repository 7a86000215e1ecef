"""The market: four of a type (RULES 8)."""

from engine.games.lofoten.state cimport NUM_AREAS, TILE_NONE, TYPE_NONE, LofotenState, tile_type


cdef inline int alike(const LofotenState* s) noexcept nogil:
    """The type that lies in the market four times or more, TYPE_NONE if there is none."""
    cdef int area
    cdef unsigned int sums = 0
    for area in range(NUM_AREAS):
        if s.market[area] != TILE_NONE:
            sums += 1 << (4 * tile_type(s.market[area]))
    for area in range(4):
        if (sums >> (4 * area)) & 15 >= 4:
            return area
    return TYPE_NONE
