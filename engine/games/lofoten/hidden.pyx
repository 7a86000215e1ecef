"""Hidden information of Lofoten."""

from engine.types cimport uint64_t, uint8_t
from engine.rng cimport rng_below
from engine.zobrist cimport hash_word
from engine.games.lofoten.cards cimport class_cards, has_labels
from engine.games.lofoten.state cimport (
    CARD_UNKNOWN, KIND_DRAW, KIND_PLAY, KIND_REDRAW, NUM_AREAS, NUM_CARDS, NUM_HOUSES,
    make_move, move_a, move_b, move_kind)

cdef enum:
    SALT_CONTROL = 0x100
    SALT_FLEET = 0x110       # plus the seat
    SALT_BOARD = 0x120
    SALT_HAND = 0x130        # plus the seat
    SALT_CLASSES = 0x140     # plus the seat
    SALT_CARD = 0x150
    SALT_MODULES = 0x160
    SALT_MORE = 0x170


# ---- keys ----

cdef inline key_t control_key(const LofotenState* s) noexcept nogil:
    """Phase, seat and every counter that the rest of the game depends on."""
    cdef uint64_t w = s.phase
    w |= <uint64_t>s.seat << 5
    w |= <uint64_t>s.back << 6
    w |= <uint64_t>s.step << 11
    w |= <uint64_t>s.triggered << 14
    w |= <uint64_t>s.moved << 15
    w |= <uint64_t>s.direction << 16
    w |= <uint64_t>s.effect << 18
    w |= <uint64_t>s.pile << 21
    w |= <uint64_t>s.filling << 22
    w |= <uint64_t>s.upgraded << 23
    w |= <uint64_t>s.extra << 24
    w |= <uint64_t>s.moves_left << 32
    w |= <uint64_t>s.uses_left << 36
    w |= <uint64_t>s.uses_done << 40
    w |= <uint64_t>s.tile << 44
    w |= <uint64_t>s.on_d << 49
    w |= <uint64_t>s.stall << 50
    return hash_word(w, SALT_CONTROL)


cdef inline key_t fleet_key(const LofotenState* s, int seat) noexcept nogil:
    cdef uint64_t w = s.area[seat] | <uint64_t>s.coins[seat] << 3 | <uint64_t>s.pile_size[seat] << 7
    cdef int place
    for place in range(4):
        w |= <uint64_t>s.ship_card[seat][place] << (16 + 4 * place)
        w |= <uint64_t>s.ship_tile[seat][place] << (32 + 5 * place)
    return hash_word(w, SALT_FLEET + seat)


cdef inline key_t board_key(const LofotenState* s) noexcept nogil:
    cdef uint64_t w = s.pile_top[0] | <uint64_t>s.pile_top[1] << 3
    cdef int i
    for i in range(NUM_AREAS):
        w |= <uint64_t>s.market[i] << (6 + 5 * i)
    for i in range(NUM_HOUSES):
        w |= <uint64_t>(s.house_card[i] | s.house_type[i] << 5) << (31 + 8 * i)
    return hash_word(w, SALT_BOARD)


cdef key_t module_key(const LofotenState* s) noexcept nogil:
    """Jarls and longships."""
    cdef uint64_t w = 0, more = 0
    cdef int i, place
    for i in range(2):
        w |= <uint64_t>(s.jarl_card[i] | s.requirement[i] << 4 | s.jarl_owner[i] << 8
                        | s.storehouse_at[i] << 10) << (16 * i)
        more |= <uint64_t>(s.more[i][0] | s.more[i][1] << 5) << (10 * i)
        for place in range(4):
            w |= <uint64_t>s.ship_kind[i][place] << (32 + 12 * i + 3 * place)
    return hash_word(w, SALT_MODULES) ^ hash_word(more, SALT_MORE)


cdef inline key_t hand_key(const LofotenState* s, int seat) noexcept nogil:
    cdef uint64_t w = 0
    cdef int slot
    for slot in range(4):
        w |= <uint64_t>s.hand[seat][slot] << (4 * slot)
    return hash_word(w, SALT_HAND + seat)


cdef key_t classes_key(const LofotenState* s, int seat) noexcept nogil:
    """What everybody can know of a hand from renewed decks: the classes, and the cards of each."""
    cdef uint8_t count[12]
    cdef uint64_t word = 0
    cdef key_t key = 0
    cdef int slot, label, card, last = 0
    for slot in range(4):
        word |= <uint64_t>s.label[seat][slot] << (3 * slot)
        if s.label[seat][slot] > last:
            last = s.label[seat][slot]
    for label in range(1, last + 1):
        class_cards(s, seat, label, count)
        for card in range(NUM_CARDS):
            if count[card]:
                key ^= hash_word(card | count[card] << 4 | label << 8, SALT_CARD + seat)
    return key ^ hash_word(word, SALT_CLASSES + seat)


cdef key_t public_key(const LofotenState* s, const Rules* rules) noexcept nogil:
    return (s.counts_key ^ control_key(s) ^ fleet_key(s, 0) ^ fleet_key(s, 1) ^ board_key(s)
            ^ (module_key(s) if rules.modules else 0)
            ^ (classes_key(s, 0) if has_labels(s, 0) else 0)
            ^ (classes_key(s, 1) if has_labels(s, 1) else 0))


cdef key_t full_key(const LofotenState* s, const Rules* rules) noexcept nogil:
    return public_key(s, rules) ^ hand_key(s, 0) ^ hand_key(s, 1)


cdef key_t infoset_key(const LofotenState* s, const Rules* rules, int seat) noexcept nogil:
    return public_key(s, rules) ^ hand_key(s, seat)


# ---- views ----

cdef move_t redact(move_t move, int seat) noexcept nogil:
    if move_kind(move) == KIND_DRAW and move_a(move) != seat:
        return make_move(KIND_DRAW, move_a(move), CARD_UNKNOWN)
    return move


cdef inline uint8_t* pool(LofotenState* s, int label) noexcept nogil:
    """Where the hidden cards of a label are counted."""
    if label:
        return &s.held[label][0]
    return &s.deck[0]


cdef void blind(LofotenState* s, int seat) noexcept nogil:
    cdef int other = 1 - seat, slot, card
    for slot in range(4):
        card = s.hand[other][slot]
        if card < NUM_CARDS:
            pool(s, s.label[other][slot])[card] += 1
            s.hand[other][slot] = CARD_UNKNOWN


cdef inline bint show(LofotenState* s, int seat, int slot, int card) noexcept nogil:
    """Enter a card into a hidden slot; False if the view rules it out."""
    cdef uint8_t* counts = pool(s, s.label[seat][slot])
    if s.hand[seat][slot] != CARD_UNKNOWN:
        return True
    if card >= NUM_CARDS or counts[card] == 0:
        return False
    counts[card] -= 1
    s.hand[seat][slot] = card
    return True


cdef int reveal(LofotenState* s, move_t move) noexcept nogil:
    cdef LofotenState before
    cdef int slot
    if move_kind(move) == KIND_PLAY:
        if move_a(move) > 2:
            return -1
        return 0 if show(s, s.seat, move_a(move), move_b(move)) else -1
    if move_kind(move) == KIND_REDRAW:
        before = s[0]
        for slot in range(3):
            if not show(s, s.seat, slot, (move >> (8 - 4 * slot)) & 15):
                s[0] = before
                return -1
    return 0


cdef void determinize(LofotenState* s, Rng* rng) noexcept nogil:
    """Deal the hidden cards of each label evenly to the slots of that label."""
    cdef int seat, slot, card, left, i
    cdef uint8_t* counts
    for seat in range(2):
        for slot in range(4):
            if s.hand[seat][slot] != CARD_UNKNOWN:
                continue
            counts = pool(s, s.label[seat][slot])
            left = 0
            for i in range(NUM_CARDS):
                left += counts[i]
            left = rng_below(rng, left)
            card = 0
            while left >= counts[card]:
                left -= counts[card]
                card += 1
            counts[card] -= 1
            s.hand[seat][slot] = card
