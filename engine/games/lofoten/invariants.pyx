"""What must hold in every state; everything redundant is recomputed."""

from libc.string cimport memset

from engine.games.lofoten cimport counts
from engine.games.lofoten.state cimport (
    CARD_NONE, CARD_UNKNOWN, HOUSE_NONE, NUM_AREAS, NUM_CARDS, NUM_HOUSES, NUM_HOUSE_CARDS,
    NUM_LABELS, NUM_TILES, NUM_TYPES, PHASE_DRAW, PHASE_FLIP, PHASE_HAND, PHASE_HOUSE, PHASE_LAST,
    PHASE_OVER, PHASE_PLACE, PHASE_PUT, PHASE_REDRAW, PHASE_STEP,
    PHASE_STORE, PHASE_TILE, PHASE_TOP, PHASE_UNLOAD, PHASE_USE, PLACE_DOCK, SLOT_DRAWN, TILE_NONE,
    TYPE_NONE, card_type, tile_type, tile_value)


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
        return 0 if s.pile_top[s.pile] == TYPE_NONE else BROKEN_PILES
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


cdef int check_phase(const LofotenState* s) noexcept nogil:
    cdef int seat, slot, count, want
    cdef bint drawn
    if (s.phase == PHASE_PLACE or s.phase == PHASE_STORE) != (s.tile != TILE_NONE):
        return BROKEN_PHASE
    if (s.phase == PHASE_STORE or s.phase == PHASE_REDRAW) != (s.back != 0):
        return BROKEN_PHASE
    if s.effect != TYPE_NONE and s.effect >= NUM_TYPES:
        return BROKEN_RANGE
    if (s.phase == PHASE_USE or s.back == PHASE_USE) and s.effect == TYPE_NONE:
        return BROKEN_PHASE
    if s.phase == PHASE_FLIP and s.pile_size[s.pile] == 0:
        return BROKEN_PHASE
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


cdef int check(const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef int broken
    if (s.phase > PHASE_OVER or s.seat > 1 or s.back > PHASE_OVER or s.area[0] >= NUM_AREAS
            or s.area[1] >= NUM_AREAS or s.pile > 1 or s.step > 6 or s.moves_left > 3
            or s.direction > 2 or s.uses_left > 15 or s.uses_done > 15 or s.triggered > 1
            or s.moved > 1 or s.filling > 1 or s.stall > 8191):
        return BROKEN_RANGE
    broken = (check_tiles(s, rules) | check_cards(s, rules) | check_tops(s) | check_stored(s)
              | check_houses(s) | check_phase(s))
    if s.coins[0] + s.coins[1] + s.coins[2] != 8:
        broken |= BROKEN_COINS
    if s.counts_key != counts.counts_key(s):
        broken |= BROKEN_KEY
    return broken
