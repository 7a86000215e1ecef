"""Module 3: what upgraded longships load, and upgrading."""

from engine.games.lofoten.counts cimport turn_tile_down
from engine.games.lofoten.fleet cimport put_tile, take_tile
from engine.games.lofoten.state cimport (
    CARD_NONE, HOUSE_NONE, SHIP_B, SHIP_C, SHIP_UPGRADED, TILE_NONE, card_type,
    tile_clan, tile_type, tile_value)


cdef inline bint fits_on_b(const LofotenState* s, const Rules* rules, int seat,
                           int tile) noexcept nogil:
    """Whether ship B, which faces the market loaded, can take a tile of its type (R64, R85)."""
    cdef int total = tile_value(s.ship_tile[seat][0]) + tile_value(tile)
    if s.ship_kind[seat][0] != SHIP_B + SHIP_UPGRADED or s.more[seat][1] != TILE_NONE:
        return False
    if s.more[seat][0] != TILE_NONE:
        total += tile_value(s.more[seat][0])
    return total <= rules.ship_b_total


cdef void load_tile(LofotenState* s, int seat) noexcept nogil:
    cdef int tile = s.market[s.area[seat]]
    if s.ship_tile[seat][0] == TILE_NONE:
        s.ship_tile[seat][0] = tile
    else:
        s.more[seat][s.more[seat][0] != TILE_NONE] = tile
    take_tile(s, s.area[seat])


cdef bint may_load(const LofotenState* s, int seat) noexcept nogil:
    cdef int tile = s.market[s.area[seat]]
    return (s.ship_kind[seat][0] == SHIP_C + SHIP_UPGRADED and tile != TILE_NONE
            and s.ship_card[seat][0] != CARD_NONE and s.ship_tile[seat][0] == TILE_NONE
            and tile_type(tile) != card_type(s.ship_card[seat][0]))


cdef bint load_ship(LofotenState* s, const Rules* rules, int seat) noexcept nogil:
    cdef int tile = s.market[s.area[seat]]
    cdef int card = s.ship_card[seat][0]
    if tile == TILE_NONE or card == CARD_NONE:
        return False
    if tile_type(tile) == card_type(card):
        if s.ship_tile[seat][0] == TILE_NONE or fits_on_b(s, rules, seat, tile):
            load_tile(s, seat)
    elif may_load(s, seat):
        if not rules.ship_c_must:
            return True
        load_tile(s, seat)
    return False


cdef void turn_down(LofotenState* s, int seat, int tile) noexcept nogil:
    turn_tile_down(s, seat, tile)
    s.stored_units[seat][tile_type(tile)] -= tile_value(tile) - 1
    s.bucklers[seat][tile_clan(tile)] -= 1


cdef void upgrade(LofotenState* s, int seat, int ship) noexcept nogil:
    cdef int place
    for place in range(4):
        if s.ship_kind[seat][place] == ship:
            s.ship_kind[seat][place] += SHIP_UPGRADED
            break
    s.upgraded = 1


cdef bint b_is_loaded(const LofotenState* s, int seat) noexcept nogil:
    cdef int place
    for place in range(4):
        if s.ship_kind[seat][place] == SHIP_B + SHIP_UPGRADED:
            return s.ship_tile[seat][place] != TILE_NONE
    return False


cdef bint take_one(LofotenState* s, int seat, int place, int tile) noexcept nogil:
    # The first tile is among the three; what is left moves up.
    if s.ship_tile[seat][place] == tile:
        s.ship_tile[seat][place] = s.more[seat][0]
        s.more[seat][0] = s.more[seat][1]
    elif s.more[seat][0] == tile:
        s.more[seat][0] = s.more[seat][1]
    s.more[seat][1] = TILE_NONE
    if s.house_of[tile_type(tile)] == HOUSE_NONE:
        s.tile = tile
        return True
    put_tile(s, seat, tile)
    return False
