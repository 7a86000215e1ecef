"""The board measured in points."""

from libc.math cimport sqrt
from libc.string cimport memset

from engine.games.lofoten import vocabulary
from engine.games.lofoten.jarls cimport STOREHOUSE, claimed_jarl, has_ability
from engine.games.lofoten.state cimport (
    CARD_NONE, EFFECT_MOVE, EFFECT_ROTATE, HOUSE_NONE, NUM_AREAS, NUM_HOUSES, NUM_TYPES,
    PHASE_PLACE, PHASE_STORE, SHIP_B, SHIP_UPGRADED, TILE_NONE, TYPE_NONE, Card, card_type,
    tile_type, tile_value)
from engine.games.lofoten.weights cimport (
    W_CONTEST, W_LEVEL2, W_LOADED_MARKET, W_LOADED_SIDE, W_NEAR, W_SPREAD, W_SPREAD_COME,
    W_SPREAD_SHIPS, W_WAIT, W_WAIT_MORE)

# Shares of a gain that takes one or two coins.
cdef double PAID_ONCE = 0.6
cdef double PAID_TWICE = 0.35

# Points of a warehouse whose card is not laid out yet, and the least square of a spread.
cdef double USUAL_POINTS = 6.0
cdef double LEAST_SPREAD = 0.05

# Quarter turns until a place faces the market.
cdef uint8_t* TURNS = [0, 1, 2, 1]

# Scorings that are no plain contest in merchandise, by number.
cdef int MOST_TILES = vocabulary.index_of(vocabulary.SCORINGS, "most_tiles")
cdef int OWN_BUCKLERS = vocabulary.index_of(vocabulary.SCORINGS, "own_bucklers")
cdef int RIVAL_BUCKLERS = vocabulary.index_of(vocabulary.SCORINGS, "rival_bucklers")
cdef int DIFFERENCE = vocabulary.index_of(vocabulary.SCORINGS, "difference")
cdef int RUNNER_UP = vocabulary.index_of(vocabulary.SCORINGS, "runner_up")
cdef int THRESHOLD = vocabulary.index_of(vocabulary.SCORINGS, "threshold")
cdef int FEWEST = vocabulary.index_of(vocabulary.SCORINGS, "fewest")
cdef int BUCKLER_PAIRS = vocabulary.index_of(vocabulary.SCORINGS, "buckler_pairs")


cdef void fill() noexcept nogil:
    cdef int way, area, areas, other, steps, coins, missing
    for way in range(3):
        for area in range(5):
            for areas in range(32):
                STEPS[way][area][areas] = FAR
                for other in range(5):
                    steps = other - area if other > area else area - other
                    if way < 2 and other != area and (other > area) != way:
                        continue
                    if areas >> other & 1 and steps < STEPS[way][area][areas]:
                        STEPS[way][area][areas] = steps
    for coins in range(3):
        for missing in range(-FAR, 32 - FAR):
            PAID[coins][FAR + missing] = (1.0 if missing <= 0 else 0.0 if missing > coins
                                          else PAID_ONCE if missing == 1 else PAID_TWICE)


fill()


cdef inline void look_at_market(const LofotenState* s, Sight* sight) noexcept nogil:
    cdef int area, tile, kind, bit
    for kind in range(NUM_TYPES):
        sight.come[kind] = s.unseen_type[kind]
    for area in range(NUM_AREAS):
        tile = s.market[area]
        if tile == TILE_NONE:
            continue
        kind = tile_type(tile)
        bit = 1 << area
        sight.come[kind] += 1
        sight.near[kind][1] |= bit
        if tile_value(tile) > 1:
            sight.near[kind][2] |= bit
            if tile_value(tile) > 2:
                sight.near[kind][3] |= bit
    if s.phase == PHASE_PLACE:
        sight.come[tile_type(s.tile)] += 1


cdef inline int loaded_units(const LofotenState* s, int seat, int place) noexcept nogil:
    cdef int i, units = tile_value(s.ship_tile[seat][place])
    if s.ship_kind[seat][place] == SHIP_B + SHIP_UPGRADED:
        for i in range(2):
            if s.more[seat][i] != TILE_NONE:
                units += tile_value(s.more[seat][i])
    return units


cdef inline void look_at_ships(const LofotenState* s, const double* w, int seat,
                               Sight* sight) noexcept nogil:
    """Merchandise of a seat; `loads` gets units, of which `look` makes points."""
    cdef int place, kind, units, turns, value, steps
    cdef const uint8_t* nearest = STEPS[2][s.area[seat]]
    for kind in range(NUM_TYPES):
        sight.units[seat][kind] = s.stored_units[seat][kind]
    for place in range(4):
        sight.waits[seat][place] = NO_TYPE
        if s.ship_card[seat][place] == CARD_NONE:
            continue
        sight.ships[seat] += 1
        if s.ship_tile[seat][place] != TILE_NONE:
            kind = tile_type(s.ship_tile[seat][place])
            units = loaded_units(s, seat, place)
            sight.loads[seat][place] = units
            sight.units[seat][kind] += units * w[W_LOADED_SIDE if place else W_LOADED_MARKET]
            sight.orders[seat][kind] += 1
            continue
        kind = card_type(s.ship_card[seat][place])
        sight.waits[seat][place] = kind
        sight.orders[seat][kind] += 1
        if sight.come[kind]:
            sight.units[seat][kind] += w[W_WAIT if sight.orders[seat][kind] == 1 else W_WAIT_MORE]
            turns = TURNS[place]
            for value in range(1, 4):
                steps = turns + nearest[sight.near[kind][value]]
                if steps < FAR:
                    sight.units[seat][kind] += w[W_NEAR + (steps if steps < 5 else 5)]


cdef inline void add_special(const LofotenState* s, const Rules* rules,
                             Sight* sight) noexcept nogil:
    """A tile about to be stored, and storehouses."""
    cdef int seat, kind
    if s.phase == PHASE_STORE:
        sight.units[s.seat][tile_type(s.tile)] += tile_value(s.tile)
    if rules.jarls:
        for seat in range(2):
            if s.storehouse_at[seat] != HOUSE_NONE and has_ability(s, rules, seat, STOREHOUSE):
                kind = s.house_type[s.storehouse_at[seat]]
                if kind != TYPE_NONE:
                    sight.units[seat][kind] += claimed_jarl(s, rules, seat).a


cdef inline int bucklers_of(const LofotenState* s, int seat, int kind, int clan) noexcept nogil:
    cdef const uint8_t* stored = &s.stored[seat][6 * kind + clan]
    return stored[0] + stored[2] + stored[4]


cdef inline double coming(const LofotenState* s, const Sight* sight, int seat,
                          int kind) noexcept nogil:
    """Merchandise on the way, at a discount."""
    return sight.units[seat][kind] - s.stored_units[seat][kind]


cdef inline double limited(double value, double low, double high) noexcept nogil:
    return low if value < low else (high if value > high else value)


cdef inline double score_contest(double points, double lead, double square,
                                 double* slope) noexcept nogil:
    """Value of a warehouse that the leader gets, and what one more of the lead is worth."""
    cdef double root = 1.0 / sqrt(lead * lead + square)
    slope[0] = points * square * root * root * root
    return points * lead * root


cdef inline double score_bucklers(const LofotenState* s, const Rules* rules, Sight* sight,
                                  int kind, const Card* card) noexcept nogil:
    """Value of a warehouse that pays each seat for bucklers."""
    cdef int seat, clan
    cdef double total = 0.0, have, most = <double>card.b / card.a
    cdef double share = 4.0 if card.kind == OWN_BUCKLERS else 6.0
    for seat in range(2):
        clan = rules.clan[seat]
        have = bucklers_of(s, seat, kind, clan)
        if card.kind == BUCKLER_PAIRS:
            have = min(have, <double>bucklers_of(s, seat, kind, 1 - clan))
        sight.worth[seat][kind] = card.a / share if have < most else 0.0
        have = min(have + coming(s, sight, seat, kind) / share, most)
        total += (-card.a if seat else card.a) * have
    return total


cdef double score_level2(const LofotenState* s, const Rules* rules, const double* w, int kind,
                         const Card* card, double square, Sight* sight) noexcept nogil:
    """Value of a warehouse of level 2; fills `worth`."""
    cdef double lead = sight.units[0][kind] - sight.units[1][kind]
    cdef double total, slope, sign = 1.0, other
    cdef int one = s.stored_tiles[0][kind], two = s.stored_tiles[1][kind]
    if card.kind == OWN_BUCKLERS or card.kind == BUCKLER_PAIRS:
        total = score_bucklers(s, rules, sight, kind, card)
    elif card.kind == THRESHOLD:
        total = score_contest(0.5 * card.b, sight.units[0][kind] - card.a + 0.5, square, &slope)
        sight.worth[0][kind] = slope
        total -= score_contest(0.5 * card.b, sight.units[1][kind] - card.a + 0.5, square, &slope)
        sight.worth[1][kind] = slope
    elif card.kind == DIFFERENCE:
        total = limited(lead, -<double>card.a, card.a)
        sight.worth[0][kind] = sight.worth[1][kind] = 1.0 if -card.a < lead < card.a else 0.0
    else:
        other = 0.0
        if card.kind == MOST_TILES:
            lead += 2.0 * (one - two) - (<int>s.stored_units[0][kind]
                                         - <int>s.stored_units[1][kind])
        elif card.kind == RIVAL_BUCKLERS:
            lead = (2.0 * bucklers_of(s, 0, kind, 1 - rules.clan[0])
                    - 2.0 * bucklers_of(s, 1, kind, 1 - rules.clan[1])
                    + 0.5 * (coming(s, sight, 0, kind) - coming(s, sight, 1, kind)))
        elif card.kind == FEWEST:
            sign = -1.0 if one and two else -0.6
        elif card.kind == RUNNER_UP:
            other = card.b
        total = sign * score_contest(card.a - other if one and two else card.a, lead, square,
                                     &slope)
        sight.worth[0][kind] = sight.worth[1][kind] = sign * slope
    return w[W_LEVEL2 + card.kind] * total


cdef inline double free_points(const LofotenState* s, const Rules* rules) noexcept nogil:
    """Mean points of the warehouses that have no type yet."""
    cdef int house, count = 0
    cdef double total = 0.0
    for house in range(NUM_HOUSES):
        if s.house_type[house] == TYPE_NONE:
            count += 1
            if s.house_card[house] == HOUSE_NONE:
                total += USUAL_POINTS
            else:
                total += rules.houses[s.house_card[house]].a
    return total / count if count else 0.0


cdef inline void weigh(const LofotenState* s, const Rules* rules, const double* w,
                       Sight* sight) noexcept nogil:
    cdef int kind, house, ships
    cdef double points, square, slope
    cdef double usual = -1.0
    for kind in range(NUM_TYPES):
        house = s.house_of[kind]
        ships = sight.orders[0][kind] + sight.orders[1][kind]
        square = w[W_SPREAD] + w[W_SPREAD_COME] * sight.come[kind] + w[W_SPREAD_SHIPS] * ships
        square = square if square > LEAST_SPREAD else LEAST_SPREAD
        if house != HOUSE_NONE and s.house_card[house] >= 8:
            sight.contest[kind] = score_level2(s, rules, w, kind,
                                               &rules.houses[s.house_card[house]], square, sight)
            continue
        if house != HOUSE_NONE:
            points = rules.houses[s.house_card[house]].a
        else:
            if usual < 0.0:
                usual = free_points(s, rules)
            points = usual
        sight.contest[kind] = score_contest(points * w[W_CONTEST],
                                            sight.units[0][kind] - sight.units[1][kind], square,
                                            &slope)
        sight.worth[0][kind] = sight.worth[1][kind] = slope


cdef void look(const LofotenState* s, const Rules* rules, const double* w,
               Sight* sight) noexcept nogil:
    cdef int seat, place
    memset(sight, 0, sizeof(Sight))
    look_at_market(s, sight)
    look_at_ships(s, w, 0, sight)
    look_at_ships(s, w, 1, sight)
    if s.phase == PHASE_STORE or rules.jarls:
        add_special(s, rules, sight)
    weigh(s, rules, w, sight)
    for seat in range(2):
        for place in range(4):
            if sight.loads[seat][place] != 0.0:
                sight.loads[seat][place] *= sight.worth[seat][tile_type(s.ship_tile[seat][place])]


cdef Gain use_gain(const Sight* sight, int seat, int effect, int uses, int area,
                   int turned) noexcept nogil:
    cdef Gain gain
    cdef int i, place, turns, kind
    cdef double points
    gain.unload = 0.0
    gain.load = 0.0
    if effect == EFFECT_ROTATE:
        for i in range(4):
            place = (i + turned) & 3
            turns = TURNS[place ^ 2] if sight.loads[seat][i] != 0.0 else TURNS[place]
            if not 0 < turns <= uses:
                continue
            if sight.loads[seat][i] != 0.0:
                gain.unload = max(gain.unload, sight.loads[seat][i])
            elif sight.waits[seat][i] != NO_TYPE:
                points = best_of(sight, seat, sight.waits[seat][i], 1 << area)
                gain.load = max(gain.load, points)
    elif effect == EFFECT_MOVE:
        i = -turned & 3
        kind = sight.waits[seat][i]
        if kind != NO_TYPE:
            for i in range(1, 4):
                if STEPS[2][area][sight.near[kind][i]] <= uses:
                    gain.load += sight.worth[seat][kind]
    return gain
