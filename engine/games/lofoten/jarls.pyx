"""Module 2: requirements and abilities, each one function and a row in vocabulary.py."""

from engine.games.lofoten.state cimport (
    NUM_TILES, PHASE_ATTACH, PHASE_HARBOUR, TILE_NONE, tile_value)

from engine.games.lofoten import vocabulary

cdef enum:
    PRICE_EXTRA = 3

ctypedef bint (*met_t)(const LofotenState* s, const Rules* rules, const Card* side,
                       int seat) noexcept nogil
ctypedef void (*ability_t)(LofotenState* s, const Rules* rules, const Card* card,
                           int seat) noexcept nogil

cdef met_t MET[16]
cdef ability_t AT_CLAIM[16]      # what happens once
cdef ability_t PERMANENT[16]     # what holds from the claim on
cdef int GIVE_COINS = vocabulary.index_of(vocabulary.REQUIREMENTS, "give_coins")
ROWERS = vocabulary.index_of(vocabulary.ABILITIES, "rowers")
TRADERS = vocabulary.index_of(vocabulary.ABILITIES, "traders")
SWIFT = vocabulary.index_of(vocabulary.ABILITIES, "swift")
HARBOUR = vocabulary.index_of(vocabulary.ABILITIES, "harbour")
STOREHOUSE = vocabulary.index_of(vocabulary.ABILITIES, "storehouse")


# ---- requirements ----

cdef void requirement(name, met_t met):
    MET[vocabulary.index_of(vocabulary.REQUIREMENTS, name)] = met


cdef inline int units_of(const LofotenState* s, const Rules* rules, int seat,
                         int kind) noexcept nogil:
    """Merchandise of a type."""
    cdef int tile, units = s.stored_units[seat][kind]
    if rules.turned_scoring:
        # Tiles turned face down keep their value until the final scoring (R60).
        for tile in range(6 * kind, 6 * kind + 6):
            units += s.down[seat][tile] * (tile_value(tile) - 1)
    return units


cdef inline int bucklers_of(const LofotenState* s, const Rules* rules, int seat,
                            int clan) noexcept nogil:
    cdef int tile, bucklers = s.bucklers[seat][clan]
    if rules.turned_scoring:
        for tile in range(clan, NUM_TILES, 2):
            bucklers += s.down[seat][tile]
    return bucklers


cdef bint each_type(const LofotenState* s, const Rules* rules, const Card* side,
                    int seat) noexcept nogil:
    cdef int kind
    for kind in range(4):
        if s.stored_tiles[seat][kind] < side.a:
            return False
    return True

requirement("each_type", each_type)


cdef bint tiles_of_type(const LofotenState* s, const Rules* rules, const Card* side,
                        int seat) noexcept nogil:
    return s.stored_tiles[seat][side.type] >= side.a

requirement("tiles_of_type", tiles_of_type)


cdef bint bucklers_each(const LofotenState* s, const Rules* rules, const Card* side,
                        int seat) noexcept nogil:
    return (bucklers_of(s, rules, seat, 0) >= side.a
            and bucklers_of(s, rules, seat, 1) >= side.a)

requirement("bucklers_each", bucklers_each)


cdef bint coins(const LofotenState* s, const Rules* rules, const Card* side,
                int seat) noexcept nogil:
    return s.coins[seat] >= side.a

requirement("give_coins", coins)
requirement("own_coins", coins)


cdef bint merchandise(const LofotenState* s, const Rules* rules, const Card* side,
                      int seat) noexcept nogil:
    cdef int kind, units = 0
    for kind in range(4):
        units += units_of(s, rules, seat, kind)
    return units >= side.a

requirement("merchandise", merchandise)


cdef bint merchandise_of_type(const LofotenState* s, const Rules* rules, const Card* side,
                              int seat) noexcept nogil:
    return units_of(s, rules, seat, side.type) >= side.a

requirement("merchandise_of_type", merchandise_of_type)


cdef bint bucklers_alike(const LofotenState* s, const Rules* rules, const Card* side,
                         int seat) noexcept nogil:
    return (bucklers_of(s, rules, seat, 0) >= side.a
            or bucklers_of(s, rules, seat, 1) >= side.a)

requirement("bucklers_alike", bucklers_alike)


# ---- abilities ----

cdef void ability(name, ability_t at_claim, ability_t permanent, final_points_t final_points):
    cdef int kind = vocabulary.index_of(vocabulary.ABILITIES, name)
    AT_CLAIM[kind] = at_claim
    PERMANENT[kind] = permanent
    FINAL_POINTS[kind] = final_points


cdef void tribute(LofotenState* s, const Rules* rules, const Card* card, int seat) noexcept nogil:
    cdef int _i
    for _i in range(card.a):
        if s.coins[2]:
            s.coins[2] -= 1
            s.coins[seat] += 1
        elif rules.tribute_coffer and s.coins[1 - seat]:
            s.coins[1 - seat] -= 1
            s.coins[seat] += 1

ability("tribute", tribute, NULL, NULL)


cdef void harbour(LofotenState* s, const Rules* rules, const Card* card, int seat) noexcept nogil:
    cdef int place
    for place in range(4):
        if s.ship_tile[seat][place] != TILE_NONE:
            s.back = s.phase
            s.phase = PHASE_HARBOUR
            return

ability("harbour", harbour, NULL, NULL)


cdef void rowers(LofotenState* s, const Rules* rules, const Card* card, int seat) noexcept nogil:
    s.more_moves[seat] = card.a

ability("rowers", NULL, rowers, NULL)


cdef void traders(LofotenState* s, const Rules* rules, const Card* card, int seat) noexcept nogil:
    s.more_uses[seat] = card.a

ability("traders", NULL, traders, NULL)


cdef void swift(LofotenState* s, const Rules* rules, const Card* card, int seat) noexcept nogil:
    s.extra_price[seat] = card.a

ability("swift", NULL, swift, NULL)


cdef int renown(const Card* card, int banners) noexcept nogil:
    return card.a

ability("renown", NULL, NULL, renown)


cdef int banners(const Card* card, int banners) noexcept nogil:
    return min(card.a * banners, card.b)

ability("banners", NULL, NULL, banners)


cdef void storehouse(LofotenState* s, const Rules* rules, const Card* card,
                     int seat) noexcept nogil:
    s.back = s.phase
    s.phase = PHASE_ATTACH

ability("storehouse", storehouse, NULL, NULL)

for row in vocabulary.REQUIREMENTS:
    assert MET[vocabulary.index_of(vocabulary.REQUIREMENTS, row.name)] != NULL, row.name


# ---- claiming ----

cdef const Card* claimed_jarl(const LofotenState* s, const Rules* rules, int seat) noexcept nogil:
    cdef int which
    for which in range(2):
        if s.jarl_owner[which] == seat + 1:
            return &rules.jarl_cards[s.jarl_card[which]]
    return NULL


cdef bint has_ability(const LofotenState* s, const Rules* rules, int seat,
                      int ability) noexcept nogil:
    cdef const Card* card = claimed_jarl(s, rules, seat)
    return card != NULL and card.kind == ability


cdef void grant_permanent(LofotenState* s, const Rules* rules, int seat) noexcept nogil:
    cdef const Card* card = claimed_jarl(s, rules, seat)
    s.extra_price[seat] = PRICE_EXTRA
    s.more_moves[seat] = 0
    s.more_uses[seat] = 0
    if card != NULL and PERMANENT[card.kind] != NULL:
        PERMANENT[card.kind](s, rules, card, seat)


cdef bint can_claim(const LofotenState* s, const Rules* rules, int seat, int which) noexcept nogil:
    cdef const Card* side
    if s.jarl_owner[which] or s.jarl_owner[1 - which] == seat + 1:
        return False
    if rules.jarl_first and s.upgraded:
        return False
    side = &rules.sides[s.requirement[which]]
    return MET[side.kind](s, rules, side, seat)


cdef void claim(LofotenState* s, const Rules* rules, int which) noexcept nogil:
    cdef int seat = s.seat
    cdef const Card* side = &rules.sides[s.requirement[which]]
    cdef const Card* card = &rules.jarl_cards[s.jarl_card[which]]
    s.jarl_owner[which] = seat + 1
    if side.kind == GIVE_COINS:
        s.coins[seat] -= side.a
        s.coins[1 - seat] += side.a
    grant_permanent(s, rules, seat)
    if AT_CLAIM[card.kind] != NULL:
        AT_CLAIM[card.kind](s, rules, card, seat)


cdef void attach(LofotenState* s, int house) noexcept nogil:
    s.storehouse_at[s.seat] = house
    s.phase = s.back
    s.back = 0
