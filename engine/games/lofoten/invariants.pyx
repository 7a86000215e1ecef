"""What must hold in every state; everything redundant is recomputed."""

from libc.string cimport memset

from engine.games.lofoten cimport counts
from engine.games.lofoten.state cimport (
    CARD_NONE, CARD_UNKNOWN, DIR_NONE, EFFECT_ROTATE, HOUSE_NONE, NUM_AREAS, NUM_CARDS,
    NUM_HOUSES, NUM_HOUSE_CARDS, NUM_LABELS, NUM_TILES, NUM_TYPES, PHASE_DRAW, PHASE_END,
    PHASE_FLIP, PHASE_HAND, PHASE_HOUSE, PHASE_LAST, PHASE_ORDER, PHASE_OVER, PHASE_PILE,
    PHASE_PLACE, PHASE_PLAY, PHASE_PUT, PHASE_REDRAW, PHASE_SIDE, PHASE_STEP, PHASE_STORE,
    PHASE_TILE, PHASE_TOP, PHASE_UNLOAD, PHASE_USE, PLACE_DOCK, PLACE_LEFT,
    PLACE_RIGHT, SLOT_DRAWN, TILE_NONE, TYPE_NONE, card_type, tile_type, tile_value)

cdef enum:
    MOST_EXTRA = 100         # more extra turns than a game's coins can buy


cdef int check_tiles(const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef int left[NUM_TILES]
    cdef int by_type[NUM_TYPES]
    cdef int i, seat, place, tile, total = 0, empties = 0, broken = 0
    memset(by_type, 0, sizeof(by_type))
    for i in range(NUM_TILES):
        left[i] = (rules.tile_count[i] - s.unseen[i] - s.out[i] - s.stored[0][i] - s.stored[1][i])
        by_type[i // 6] += s.unseen[i]
        total += s.unseen[i]
    for i in range(NUM_AREAS):
        if s.market[i] == TILE_NONE:
            empties += 1
        elif s.market[i] < NUM_TILES:
            left[s.market[i]] -= 1
        else:
            return BROKEN_RANGE
    if s.tile != TILE_NONE:
        if s.tile >= NUM_TILES:
            return BROKEN_RANGE
        left[s.tile] -= 1
    for seat in range(2):
        for place in range(4):
            tile = s.ship_tile[seat][place]
            if tile == TILE_NONE:
                continue
            if tile >= NUM_TILES:
                return BROKEN_RANGE
            left[tile] -= 1
            if place == PLACE_DOCK or s.ship_card[seat][place] == CARD_NONE:
                broken |= BROKEN_DOCK
            elif tile_type(tile) != card_type(s.ship_card[seat][place]):
                broken |= BROKEN_DOCK
    for i in range(NUM_TILES):
        if left[i]:
            broken |= BROKEN_TILES
    for i in range(NUM_TYPES):
        if by_type[i] != s.unseen_type[i]:
            broken |= BROKEN_PILES
    if s.pile_size[0] + s.pile_size[1] != total:
        broken |= BROKEN_PILES
    if empties != s.empties:
        broken |= BROKEN_MARKET
    return broken


cdef int check_tops(const LofotenState* s) noexcept nogil:
    """A pile shows a type if it has a tile, save where that type is just being found out."""
    cdef int pile, kind, hidden = 0
    cdef int shown[8]
    memset(shown, 0, sizeof(shown))
    for pile in range(2):
        kind = s.pile_top[pile]
        if kind > TYPE_NONE or (kind != TYPE_NONE and kind >= NUM_TYPES):
            return BROKEN_RANGE
        if kind == TYPE_NONE:
            hidden += s.pile_size[pile] != 0
            continue
        shown[kind] += 1
        if s.pile_size[pile] == 0 or shown[kind] > s.unseen_type[kind]:
            return BROKEN_PILES
    if s.phase == PHASE_TILE or s.phase == PHASE_TOP:
        return 0 if hidden else BROKEN_PILES
    if s.phase == PHASE_PLACE:
        # The tile that was turned up came from this pile; the next type shows once it has its area.
        if s.pile_top[s.pile] != TYPE_NONE or hidden != (s.pile_size[s.pile] != 0):
            return BROKEN_PILES
        return 0
    return BROKEN_PILES if hidden else 0


cdef int check_cards(const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef int left[NUM_CARDS]
    cdef int hidden[NUM_LABELS]
    cdef int held[NUM_LABELS]
    cdef int i, j, seat, card, label, next_label, broken = 0
    memset(hidden, 0, sizeof(hidden))
    memset(held, 0, sizeof(held))
    for i in range(NUM_CARDS):
        left[i] = rules.order_count[i] - s.discard[i] - s.deck[i]
        held[0] += s.deck[i]
        for j in range(1, NUM_LABELS):
            left[i] -= s.held[j][i]
            held[j] += s.held[j][i]
    for seat in range(2):
        next_label = 1
        for i in range(4):
            label = s.label[seat][i]
            if label > next_label or label >= NUM_LABELS:
                broken |= BROKEN_LABELS
                label = 0
            next_label += label == next_label
            card = s.hand[seat][i]
            if card < NUM_CARDS:
                left[card] -= 1
            elif card == CARD_UNKNOWN:
                hidden[label] += 1
            elif card != CARD_NONE:
                return BROKEN_RANGE
            elif label:
                broken |= BROKEN_LABELS
            card = s.ship_card[seat][i]
            if card < NUM_CARDS:
                left[card] -= 1
            elif card != CARD_NONE:
                return BROKEN_RANGE
    for i in range(NUM_CARDS):
        if left[i]:
            broken |= BROKEN_CARDS
    for i in range(1, NUM_LABELS):
        if held[i] != hidden[i]:
            broken |= BROKEN_HELD
    if held[0] != s.deck_size + hidden[0]:
        broken |= BROKEN_DECK
    return broken


cdef int check_stored(const LofotenState* s) noexcept nogil:
    cdef int seat, tile, house, kind, broken = 0
    cdef int tiles[4]
    cdef int units[4]
    for seat in range(2):
        memset(tiles, 0, sizeof(tiles))
        memset(units, 0, sizeof(units))
        for tile in range(NUM_TILES):
            tiles[tile // 6] += s.stored[seat][tile]
            units[tile // 6] += s.stored[seat][tile] * tile_value(tile)
        for kind in range(NUM_TYPES):
            if tiles[kind] != s.stored_tiles[seat][kind]:
                broken |= BROKEN_STORED
            if units[kind] != s.stored_units[seat][kind]:
                broken |= BROKEN_STORED
            if tiles[kind] and s.house_of[kind] == HOUSE_NONE:
                broken |= BROKEN_STORED
    for kind in range(NUM_TYPES):
        house = s.house_of[kind]
        if house != HOUSE_NONE and (house >= NUM_HOUSES or s.house_type[house] != kind):
            broken |= BROKEN_STORED
        elif house != HOUSE_NONE and not (s.stored_tiles[0][kind] or s.stored_tiles[1][kind]):
            broken |= BROKEN_STORED
    for house in range(NUM_HOUSES):
        kind = s.house_type[house]
        if kind != TYPE_NONE and (kind >= NUM_TYPES or s.house_of[kind] != house):
            broken |= BROKEN_STORED
    return broken


cdef int check_houses(const LofotenState* s) noexcept nogil:
    """Four different cards once they are dealt."""
    cdef int house, other, dealt = NUM_HOUSES
    if s.phase == PHASE_TILE or (s.phase == PHASE_TOP and s.house_card[0] == HOUSE_NONE):
        dealt = 0
    elif s.phase == PHASE_HOUSE:
        dealt = s.step
    for house in range(NUM_HOUSES):
        if house >= dealt:
            if s.house_card[house] != HOUSE_NONE:
                return BROKEN_PHASE
            continue
        if s.house_card[house] >= NUM_HOUSE_CARDS:
            return BROKEN_RANGE
        for other in range(house):
            if s.house_card[other] == s.house_card[house]:
                return BROKEN_PHASE
    return 0


cdef int cards_in_hand(const LofotenState* s, int seat) noexcept nogil:
    """How many cards the phase asks for; -1 where this is not settled."""
    cdef int phase = s.phase
    if phase < PHASE_HAND and (phase != PHASE_TOP or s.house_card[3] == HOUSE_NONE):
        return 0
    if phase == PHASE_HAND:
        return min(s.step, 3) if seat == 0 else max(s.step - 3, 0)
    if phase == PHASE_STORE:
        phase = s.back
    if seat != s.seat and phase != PHASE_UNLOAD and phase != PHASE_OVER:
        return 3
    if phase == PHASE_STEP or phase == PHASE_USE or phase == PHASE_LAST or phase == PHASE_DRAW:
        return 2
    if phase == PHASE_PUT:
        return 2
    if phase == PHASE_REDRAW:
        return s.step
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


cdef bint store_fits(const LofotenState* s, const Rules* rules) noexcept nogil:
    """A tile whose type has no warehouse, and an empty warehouse for it."""
    cdef int house
    if s.tile >= NUM_TILES or s.house_of[tile_type(s.tile)] != HOUSE_NONE:
        return False
    if s.back not in (PHASE_STEP, PHASE_USE, PHASE_UNLOAD):
        if not (rules.late_moves and s.back in (PHASE_PILE, PHASE_END)):
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
    if s.phase == PHASE_LAST:
        return s.triggered and s.seat == 1 and s.extra == 0
    if s.phase == PHASE_UNLOAD or s.phase == PHASE_OVER:
        return s.extra == 0 and (s.seat == 1 or s.phase == PHASE_UNLOAD)
    return True


cdef bint card_in_use_fits(const LofotenState* s, const Rules* rules) noexcept nogil:
    """The middle card lies on the docked ship, unless it turned the fleet; N uses at most (R17)."""
    cdef int kind = s.effect, stored = s.stored_tiles[s.seat][kind]
    cdef int card = s.ship_card[s.seat][PLACE_DOCK]
    if rules.effect_of[kind] != EFFECT_ROTATE and (card == CARD_NONE or card_type(card) != kind):
        return False
    return s.uses_left + s.uses_done <= (stored if stored else 1)


cdef bint market_fits(const LofotenState* s, const Rules* rules) noexcept nogil:
    """In a turn no four are alike, for the second and third leave at once (R38)."""
    cdef int area, kind
    cdef int count[8]
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
    if (s.phase == PHASE_STORE or s.phase == PHASE_REDRAW) != (s.back != 0):
        return BROKEN_PHASE
    if s.effect != TYPE_NONE and s.effect >= NUM_TYPES:
        return BROKEN_RANGE
    if using != (s.effect != TYPE_NONE) or (s.moves_left and not stepping):
        return BROKEN_PHASE
    if (s.uses_left or s.uses_done) and not using:
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
    if s.step and not setup and s.phase != PHASE_REDRAW:
        return BROKEN_PHASE
    if not (setup_fits(s, rules) if setup else turn_fits(s, rules)):
        return BROKEN_PHASE
    if (using and not card_in_use_fits(s, rules)) or (not setup and not market_fits(s, rules)):
        return BROKEN_PHASE
    if s.stall > rules.stall_limit or (s.stall == rules.stall_limit and not s.triggered):
        return BROKEN_PHASE
    return check_hands(s)


cdef int check(const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef int broken
    if (s.phase > PHASE_OVER or s.seat > 1 or s.back > PHASE_OVER or s.area[0] >= NUM_AREAS
            or s.area[1] >= NUM_AREAS or s.pile > 1 or s.step > 6 or s.moves_left > 3
            or s.direction > 2 or s.uses_left > 8 or s.uses_done > 8 or s.triggered > 1
            or s.moved > 1 or s.filling > 1 or s.extra > MOST_EXTRA):
        return BROKEN_RANGE
    broken = (check_tiles(s, rules) | check_cards(s, rules) | check_tops(s) | check_stored(s)
              | check_houses(s) | check_phase(s, rules))
    if (s.coins[0] + s.coins[1] + s.coins[2]
            != rules.coins[0] + rules.coins[1] + rules.coins[2]):
        broken |= BROKEN_COINS
    if s.counts_key != counts.counts_key(s):
        broken |= BROKEN_KEY
    return broken
