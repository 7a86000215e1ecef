"""Points (RULES 9)."""

from libc.string cimport memcpy

from engine.types cimport uint8_t
from engine.games.lofoten.state cimport (HOUSE_NONE, NUM_HOUSES, PHASE_OVER, PHASE_UNLOAD,
                                         TILE_NONE, TYPE_NONE, tile_type, tile_value)

cdef struct Table:
    uint8_t units[2][4]
    uint8_t house_of[4]
    uint8_t free_house       # bit per empty warehouse


cdef inline int lead(const Table* t, const LofotenState* s, const Rules* rules) noexcept nogil:
    """Points by which seat 1 leads."""
    cdef int kind, one, two, total = 0
    for kind in range(4):
        if t.house_of[kind] == HOUSE_NONE:
            continue
        one = t.units[0][kind]
        two = t.units[1][kind]
        if one > two:
            total += rules.points[s.house_card[t.house_of[kind]]]
        elif two > one:
            total -= rules.points[s.house_card[t.house_of[kind]]]
    return total


cdef void points(const LofotenState* s, const Rules* rules, int* out) noexcept nogil:
    cdef int house, kind, one, two, worth
    out[0] = 0
    out[1] = 0
    for house in range(NUM_HOUSES):
        kind = s.house_type[house]
        if kind == TYPE_NONE:
            continue
        one = s.stored_units[0][kind]
        two = s.stored_units[1][kind]
        worth = rules.points[s.house_card[house]]
        if one > two or (one == two and one and rules.tie_both):
            out[0] += worth
        if two > one or (one == two and one and rules.tie_both):
            out[1] += worth


cdef int best_house(const Table* t, const LofotenState* s, const Rules* rules) noexcept nogil:
    """The empty warehouse worth most, -1 if there is none."""
    cdef int house, best = -1
    for house in range(NUM_HOUSES):
        if t.free_house >> house & 1:
            if best < 0 or rules.points[s.house_card[house]] > rules.points[s.house_card[best]]:
                best = house
    return best


cdef void unload_best(Table* t, const LofotenState* s, const Rules* rules, int seat) noexcept nogil:
    """Add the tile whose final unloading gains `seat` most; nothing if none gains."""
    cdef Table trial, best = t[0]
    cdef int place, tile, kind, house, gain, sign = 1 - 2 * seat
    cdef int most = sign * lead(t, s, rules)
    for place in range(4):
        tile = s.ship_tile[seat][place]
        if tile == TILE_NONE:
            continue
        kind = tile_type(tile)
        trial = t[0]
        if trial.house_of[kind] == HOUSE_NONE:
            house = best_house(&trial, s, rules)
            if house < 0:
                continue
            trial.house_of[kind] = house
            trial.free_house &= ~(1 << house)
        trial.units[seat][kind] += tile_value(tile)
        gain = sign * lead(&trial, s, rules)
        if gain > most:
            most = gain
            best = trial
    t[0] = best


cdef int margin_now(const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef Table t
    cdef int house
    memcpy(t.units, s.stored_units, sizeof(t.units))
    memcpy(t.house_of, s.house_of, sizeof(t.house_of))
    t.free_house = 0
    for house in range(NUM_HOUSES):
        if s.house_card[house] != HOUSE_NONE and s.house_type[house] == TYPE_NONE:
            t.free_house |= 1 << house
    if s.phase != PHASE_OVER:
        # In the final unloading itself seat 1 has had its turn once seat 2 decides.
        if s.phase != PHASE_UNLOAD or s.seat == 0:
            unload_best(&t, s, rules, 0)
        unload_best(&t, s, rules, 1)
    return lead(&t, s, rules)
