"""Points (RULES 9 to 12)."""

from libc.string cimport memcpy, memset

from engine.types cimport uint8_t
from engine.games.lofoten.jarls cimport FINAL_POINTS, STOREHOUSE, claimed_jarl
from engine.games.lofoten.scorings cimport SCORINGS, Side
from engine.games.lofoten.state cimport (
    Card, HOUSE_NONE, NUM_HOUSES, NUM_TILES, PHASE_OVER, PHASE_UNLOAD, SHIP_B, SHIP_UPGRADED,
    TILE_NONE, TYPE_NONE, tile_clan, tile_type, tile_value)

cdef enum:
    NUM_PARTS = 6            # four warehouses, longships, Jarl

# What is stored, so that unloading can be tried out.
cdef struct Table:
    uint8_t units[2][4]      # by seat and type
    uint8_t tiles[2][4]
    uint8_t bucklers[2][4][2]    # by seat, type and clan; filled only where cards look at them
    uint8_t storehouse[2]    # merchandise that a seat's storehouse adds
    uint8_t house_of[4]      # by type
    uint8_t type_of[4]       # by warehouse


cdef void fill_table(Table* t, const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef int seat, tile
    cdef const Card* jarl
    memcpy(t.units, s.stored_units, sizeof(t.units))
    memcpy(t.tiles, s.stored_tiles, sizeof(t.tiles))
    memcpy(t.house_of, s.house_of, sizeof(t.house_of))
    memcpy(t.type_of, s.house_type, sizeof(t.type_of))
    memset(t.storehouse, 0, sizeof(t.storehouse))
    if rules.jarls:
        for seat in range(2):
            jarl = claimed_jarl(s, rules, seat)
            if jarl != NULL and jarl.kind == STOREHOUSE:
                t.storehouse[seat] = jarl.a
    memset(t.bucklers, 0, sizeof(t.bucklers))
    if rules.jarls or rules.level2:
        for seat in range(2):
            for tile in range(NUM_TILES):
                t.bucklers[seat][tile_type(tile)][tile_clan(tile)] += s.stored[seat][tile]


cdef inline void fill_side(const Table* t, const LofotenState* s, const Rules* rules, int house,
                           int seat, Side* side) noexcept nogil:
    """What a seat has in a warehouse."""
    cdef int kind = t.type_of[house], clan = rules.clan[seat]
    memset(side, 0, sizeof(Side))
    if kind != TYPE_NONE:
        side.units = t.units[seat][kind]
        side.tiles = t.tiles[seat][kind]
        if rules.level2:
            side.own = t.bucklers[seat][kind][clan]
            side.other = t.bucklers[seat][kind][1 - clan]
            if rules.bucklers_all:
                side.own += t.bucklers[1 - seat][kind][clan]
                side.other += t.bucklers[1 - seat][kind][1 - clan]
    if rules.jarls and s.storehouse_at[seat] == house:
        if side.tiles or not rules.storehouse_with_tile:
            side.units += t.storehouse[seat]


cdef void house_points(const Table* t, const LofotenState* s, const Rules* rules, int house,
                       int* out) noexcept nogil:
    """Points of both seats for a warehouse."""
    cdef Side one, two
    cdef int number = s.house_card[house]
    cdef const Card* card
    out[0] = 0
    out[1] = 0
    if number == HOUSE_NONE:
        return
    card = &rules.houses[number]
    fill_side(t, s, rules, house, 0, &one)
    fill_side(t, s, rules, house, 1, &two)
    cdef bint tie_pays = rules.tie_both if number < 8 else rules.level2_tie_both
    out[0] = SCORINGS[card.kind](card, tie_pays, &one, &two)
    out[1] = SCORINGS[card.kind](card, tie_pays, &two, &one)


cdef int ship_points(const LofotenState* s, const Rules* rules, int seat) noexcept nogil:
    """Points of upgraded longships (R68)."""
    cdef int place, upgraded = 0, total = 0
    for place in range(4):
        if s.ship_kind[seat][place] & SHIP_UPGRADED:
            upgraded += 1
            if s.ship_kind[seat][place] == SHIP_UPGRADED:
                total += rules.ship_a_points
    return total + rules.upgrade_points[upgraded]


cdef int jarl_points(const Table* t, const LofotenState* s, const Rules* rules,
                     int seat) noexcept nogil:
    """Points of the Jarl that a seat has claimed."""
    cdef const Card* jarl = claimed_jarl(s, rules, seat)
    cdef int kind, banners = 0
    if jarl == NULL or FINAL_POINTS[jarl.kind] == NULL:
        return 0
    for kind in range(4):
        banners += t.bucklers[seat][kind][rules.clan[seat]]
    return FINAL_POINTS[jarl.kind](jarl, banners)


cdef void table_parts(const Table* t, const LofotenState* s, const Rules* rules,
                      int* out) noexcept nogil:
    cdef int house, seat
    for house in range(NUM_HOUSES):
        house_points(t, s, rules, house, &out[2 * house])
    for seat in range(2):
        out[8 + seat] = ship_points(s, rules, seat) if rules.upgrades else 0
        out[10 + seat] = jarl_points(t, s, rules, seat) if rules.jarls else 0


cdef void table_points(const Table* t, const LofotenState* s, const Rules* rules,
                       int* out) noexcept nogil:
    cdef int parts[2 * NUM_PARTS]
    cdef int i
    table_parts(t, s, rules, parts)
    out[0] = 0
    out[1] = 0
    for i in range(NUM_PARTS):
        out[0] += parts[2 * i]
        out[1] += parts[2 * i + 1]


cdef void points(const LofotenState* s, const Rules* rules, int* out) noexcept nogil:
    cdef Table t
    fill_table(&t, s, rules)
    table_points(&t, s, rules, out)


cdef void point_parts(const LofotenState* s, const Rules* rules, int* out) noexcept nogil:
    cdef Table t
    fill_table(&t, s, rules)
    table_parts(&t, s, rules, out)


# ---- the best final unloading ----

cdef inline int lead_of(const Table* t, const LofotenState* s, const Rules* rules, int house,
                        int seat) noexcept nogil:
    """Points of a seat beyond the other's, as far as storing in this warehouse can change them."""
    cdef int here[2]
    house_points(t, s, rules, house, here)
    cdef int lead = here[seat] - here[1 - seat]
    return lead + jarl_points(t, s, rules, seat) if rules.jarls else lead


cdef inline void add_tile(Table* t, int seat, int tile) noexcept nogil:
    cdef int kind = tile_type(tile)
    t.units[seat][kind] += tile_value(tile)
    t.tiles[seat][kind] += 1
    t.bucklers[seat][kind][tile_clan(tile)] += 1


cdef void store_in(const Table* t, const LofotenState* s, const Rules* rules, int seat, int place,
                   int house, Table* best, int* most) noexcept nogil:
    """Try the unloading of a ship into a warehouse; keep it if it gains more than the best one."""
    cdef Table trial = t[0]
    cdef int i, gain, kind = tile_type(s.ship_tile[seat][place])
    trial.house_of[kind] = house
    trial.type_of[house] = kind
    add_tile(&trial, seat, s.ship_tile[seat][place])
    if s.ship_kind[seat][place] == SHIP_B + SHIP_UPGRADED and not rules.final_b_one:
        for i in range(2):
            if s.more[seat][i] != TILE_NONE:
                add_tile(&trial, seat, s.more[seat][i])
    gain = lead_of(&trial, s, rules, house, seat) - lead_of(t, s, rules, house, seat)
    if gain > most[0]:
        most[0] = gain
        best[0] = trial


cdef void unload_best(Table* t, const LofotenState* s, const Rules* rules, int seat) noexcept nogil:
    """Add the ship whose final unloading gains `seat` most; nothing if none gains."""
    cdef Table best = t[0]
    cdef int place, kind, house, most = 0
    for place in range(4):
        kind = tile_type(s.ship_tile[seat][place])
        if s.ship_tile[seat][place] == TILE_NONE:
            continue
        if t.house_of[kind] != HOUSE_NONE:
            store_in(t, s, rules, seat, place, t.house_of[kind], &best, &most)
            continue
        for house in range(NUM_HOUSES):
            if s.house_card[house] != HOUSE_NONE and t.type_of[house] == TYPE_NONE:
                store_in(t, s, rules, seat, place, house, &best, &most)
    t[0] = best


cdef int margin_now(const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef Table t
    cdef int out[2]
    fill_table(&t, s, rules)
    if s.phase != PHASE_OVER:
        # In the final unloading itself seat 1 has had its turn once seat 2 decides.
        if s.phase != PHASE_UNLOAD or s.seat == 0:
            unload_best(&t, s, rules, 0)
        unload_best(&t, s, rules, 1)
    table_points(&t, s, rules, out)
    return out[0] - out[1]
