"""Whether hands, cards in use and what is laid out fit the phase; a part of `check`."""

from libc.string cimport memset

from engine.games.lofoten.jarls cimport HARBOUR, STOREHOUSE, has_ability
from engine.games.lofoten.ships cimport has_plain_ship, may_load
from engine.games.lofoten.state cimport (
    CARD_NONE, DIR_NONE, EFFECT_ROTATE, HOUSE_NONE, NUM_AREAS, NUM_HOUSES, NUM_TILES, NUM_TYPES,
    PHASE_DRAW, PHASE_END, PHASE_FLIP, PHASE_HAND, PHASE_HARBOUR, PHASE_HOUSE, PHASE_JARL,
    PHASE_LAST, PHASE_LOAD, PHASE_ORDER, PHASE_OVER, PHASE_PILE, PHASE_PLACE, PHASE_PLAY, PHASE_PUT,
    PHASE_REDRAW, PHASE_SHIP, PHASE_SHIPS, PHASE_SIDE, PHASE_STEP, PHASE_STORE, PHASE_TILE,
    PHASE_TOP, PHASE_UNLOAD, PHASE_USE, PLACE_DOCK, PLACE_LEFT, PLACE_RIGHT, SLOT_DRAWN, TILE_NONE,
    TYPE_NONE, card_type, is_interrupting, tile_type)
from engine.games.lofoten.invariants cimport BROKEN_PHASE, BROKEN_RANGE


cdef int cards_in_hand(const LofotenState* s, int seat) noexcept nogil:
    """How many cards the phase asks for; -1 where this is not settled."""
    cdef int phase = s.phase
    if phase < PHASE_HAND and (phase != PHASE_TOP or s.house_card[3] == HOUSE_NONE):
        return 0
    if phase == PHASE_HAND:
        return min(s.step, 3) if seat == 0 else max(s.step - 3, 0)
    if phase == PHASE_REDRAW and seat == s.seat:
        return s.step
    if is_interrupting(phase):
        phase = s.back
    if seat != s.seat and phase != PHASE_UNLOAD and phase != PHASE_OVER:
        return 3
    if phase == PHASE_STEP or phase == PHASE_USE or phase == PHASE_LAST or phase == PHASE_DRAW:
        return 2
    if phase == PHASE_PUT:
        return 2
    if phase == PHASE_UNLOAD or phase == PHASE_OVER:
        return -1
    return 3


cdef int check_hands(const LofotenState* s) noexcept nogil:
    cdef int seat, slot, count, want
    cdef bint drawn
    for seat in range(2):
        count = 0
        for slot in range(3):
            if s.hand[seat][slot] != CARD_NONE:
                if count != slot:
                    return BROKEN_PHASE
                count += 1
        want = cards_in_hand(s, seat)
        if want >= 0 and count != want or want < 0 and count < 2:
            return BROKEN_PHASE
        drawn = s.hand[seat][SLOT_DRAWN] != CARD_NONE
        if drawn != (s.phase == PHASE_PUT and seat == s.seat):
            return BROKEN_PHASE
    return 0


cdef bint setup_fits(const LofotenState* s, const Rules* rules) noexcept nogil:
    """Whether what is laid out is what the set-up has dealt up to this step."""
    cdef int area, seat, dealt = s.step
    if s.phase == PHASE_TILE:
        for area in range(NUM_AREAS):
            if (s.market[area] != TILE_NONE) != (area < s.step):
                return False
        return s.step < NUM_AREAS and s.pile_top[0] == TYPE_NONE and s.pile_top[1] == TYPE_NONE
    if s.phase == PHASE_TOP:
        return s.step == 0 and (s.pile_top[0] != TYPE_NONE) == (s.pile == 1)
    if s.phase == PHASE_HOUSE:
        return s.step < NUM_HOUSES
    if s.phase == PHASE_HAND:
        return s.step < 6
    if s.phase == PHASE_JARL:
        return rules.jarls and s.step < 4
    if s.phase == PHASE_SHIPS:
        return rules.upgrades and s.step < 2
    if s.phase == PHASE_SIDE and (not rules.choose_side or s.step != 2 * s.seat + 2):
        return False
    if s.step > 4 or (s.phase == PHASE_ORDER and s.step == 4):
        return False
    for seat in range(2):
        if (s.ship_card[seat][PLACE_LEFT] != CARD_NONE) != (dealt > 2 * seat):
            return False
        if (s.ship_card[seat][PLACE_RIGHT] != CARD_NONE) != (dealt > 2 * seat + 1):
            return False
    return True


cdef inline bint can_step(const Rules* rules, int phase) noexcept nogil:
    """Whether a phase has steps of the fleet."""
    return (phase == PHASE_STEP or phase == PHASE_USE
            or (rules.late_moves and (phase == PHASE_PILE or phase == PHASE_END)))


cdef bint harbour_fits(const LofotenState* s) noexcept nogil:
    """A loaded ship to unload."""
    cdef int place
    for place in range(4):
        if s.ship_tile[s.seat][place] != TILE_NONE:
            return True
    return False


cdef bint module_fits(const LofotenState* s, const Rules* rules) noexcept nogil:
    """Whether a phase of a module has what it needs."""
    cdef bint turn_end = s.back == PHASE_END or s.back == PHASE_LAST
    if s.phase == PHASE_LOAD:
        return (rules.upgrades and not rules.ship_c_must and may_load(s, s.seat)
                and (s.back == PHASE_PLAY or can_step(rules, s.back)))
    if s.phase == PHASE_SHIP:
        return rules.upgrades and not s.upgraded and turn_end and has_plain_ship(s, s.seat)
    if s.phase == PHASE_HARBOUR:
        return turn_end and has_ability(s, rules, s.seat, HARBOUR) and harbour_fits(s)
    return (turn_end and has_ability(s, rules, s.seat, STOREHOUSE)
            and s.storehouse_at[s.seat] == HOUSE_NONE)


cdef bint store_fits(const LofotenState* s, const Rules* rules) noexcept nogil:
    """A tile whose type has no warehouse, and an empty warehouse for it."""
    cdef int house
    if s.tile >= NUM_TILES or s.house_of[tile_type(s.tile)] != HOUSE_NONE:
        return False
    if not can_step(rules, s.back) and s.back != PHASE_UNLOAD:
        # The Jarl `harbour` unloads at the end of the turn.
        if not rules.jarls or (s.back != PHASE_END and s.back != PHASE_LAST):
            return False
    for house in range(NUM_HOUSES):
        if s.house_type[house] == TYPE_NONE:
            return True
    return False


cdef bint turn_fits(const LofotenState* s, const Rules* rules) noexcept nogil:
    """Whether the phase of a turn has what it needs."""
    cdef bint tiles = s.pile_size[0] or s.pile_size[1]
    if s.phase == PHASE_STEP:
        return s.direction != DIR_NONE and (s.moves_left or s.coins[s.seat])
    if s.phase == PHASE_USE:
        return s.uses_left != 0
    if s.phase == PHASE_STORE:
        return store_fits(s, rules)
    if s.phase == PHASE_DRAW:
        return s.deck_size != 0
    if s.phase == PHASE_REDRAW:
        if s.back == PHASE_PILE and not (s.empties and tiles):
            return False
        return (s.deck_size != 0 and s.step < 3
                and s.back in (PHASE_PLAY, PHASE_PILE, PHASE_END))
    if s.phase == PHASE_PILE:
        return s.empties and tiles
    if s.phase == PHASE_FLIP:
        return s.empties and s.pile_size[s.pile]
    if s.phase == PHASE_PLACE:
        return s.empties != 0
    if s.phase == PHASE_TOP:
        return (s.pile_size[s.pile] != 0 and s.pile_top[s.pile] == TYPE_NONE
                and (s.pile_size[1 - s.pile] == 0 or s.pile_top[1 - s.pile] != TYPE_NONE))
    if s.phase >= PHASE_LOAD and s.phase <= PHASE_SHIP:
        return module_fits(s, rules)
    if s.phase == PHASE_LAST:
        return s.triggered and s.seat == 1 and s.extra == 0
    if s.phase == PHASE_UNLOAD or s.phase == PHASE_OVER:
        return s.extra == 0 and (s.seat == 1 or s.phase == PHASE_UNLOAD)
    return True


cdef int most_uses(const LofotenState* s, const Rules* rules, int kind) noexcept nogil:
    """How often the middle card in use could be used if nothing had been used yet."""
    cdef int count = max(<int>s.stored_tiles[s.seat][kind], 1)
    cdef int least = rules.ship_d_uses if s.on_d else 1
    if rules.traders_before:
        return max(count + s.more_uses[s.seat], least)
    return max(count, least) + s.more_uses[s.seat]


cdef bint card_in_use_fits(const LofotenState* s, const Rules* rules) noexcept nogil:
    """The middle card lies on the docked ship, unless it turned the fleet; N uses at most (R17)."""
    cdef int kind = s.effect
    cdef int card = s.ship_card[s.seat][PLACE_DOCK]
    if rules.effect_of[kind] != EFFECT_ROTATE and (card == CARD_NONE or card_type(card) != kind):
        return False
    if s.on_d and not rules.upgrades:
        return False
    return s.uses_left + s.uses_done <= most_uses(s, rules, kind)


cdef bint market_fits(const LofotenState* s, const Rules* rules) noexcept nogil:
    """No four are alike: dealt anew (R3), or the second and third leave at once (R38)."""
    cdef int area, kind
    cdef int count[8]
    if s.phase == PHASE_TILE or (s.phase < PHASE_PLAY and rules.first_market_play):
        return True
    memset(count, 0, sizeof(count))
    for area in range(NUM_AREAS):
        kind = tile_type(s.market[area])
        count[kind] += 1
        if kind < NUM_TYPES and count[kind] == 4 and not rules.four_keep:
            return s.filling != 0
    return True


cdef int check_phase(const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef bint stepping = s.phase == PHASE_STEP or s.back == PHASE_STEP
    cdef bint using = s.phase == PHASE_USE or s.back == PHASE_USE
    cdef bint setup = s.phase < PHASE_PLAY and (s.phase != PHASE_TOP
                                                or s.house_card[0] == HOUSE_NONE)
    if (s.phase == PHASE_PLACE or s.phase == PHASE_STORE) != (s.tile != TILE_NONE):
        return BROKEN_PHASE
    if is_interrupting(s.phase) != (s.back != 0):
        return BROKEN_PHASE
    if s.effect != TYPE_NONE and s.effect >= NUM_TYPES:
        return BROKEN_RANGE
    if using != (s.effect != TYPE_NONE) or (s.moves_left and not stepping):
        return BROKEN_PHASE
    if (s.uses_left or s.uses_done or s.on_d) and not using:
        return BROKEN_PHASE
    if s.direction != DIR_NONE and not (stepping or rules.late_moves):
        return BROKEN_PHASE
    if stepping and s.direction == DIR_NONE:
        return BROKEN_PHASE
    if s.pile and s.phase not in (PHASE_TOP, PHASE_FLIP, PHASE_PLACE):
        return BROKEN_PHASE
    if s.filling and (not rules.first_market_play
                      or s.phase not in (PHASE_PILE, PHASE_TOP, PHASE_FLIP, PHASE_PLACE)):
        return BROKEN_PHASE
    if s.upgraded and (not rules.upgrades or setup or s.phase >= PHASE_UNLOAD):
        return BROKEN_PHASE
    if s.step and not setup and s.phase != PHASE_REDRAW:
        return BROKEN_PHASE
    if not (setup_fits(s, rules) if setup else turn_fits(s, rules)):
        return BROKEN_PHASE
    if (using and not card_in_use_fits(s, rules)) or not market_fits(s, rules):
        return BROKEN_PHASE
    if s.stall > rules.stall_limit or (s.stall == rules.stall_limit and not s.triggered):
        return BROKEN_PHASE
    return check_hands(s)
