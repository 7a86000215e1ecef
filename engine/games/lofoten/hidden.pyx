"""Hidden information of Lofoten."""

from libc.string cimport memcpy

from engine.types cimport uint32_t, uint8_t
from engine.rng cimport rng_below
from engine.zobrist cimport fill_table, hash_word, hash_words
from engine.games.lofoten.cards cimport has_labels
from engine.games.lofoten.state cimport (
    CARD_UNKNOWN, KEY_WORDS, KIND_DRAW, KIND_PLAY, KIND_REDRAW, MODULE_WORDS, NUM_CARDS,
    NUM_LABELS, make_move, move_a, move_b, move_kind)

cdef enum:
    SALT_WORDS = 0x100
    SALT_MODULES = 0x110
    SALT_HAND = 0x120        # plus the seat
    SALT_CARDS = 0x130       # plus the class, or less the seat
    SALT_CLASSES = 0x140     # plus the seat


# ---- keys ----

# By class and card: cards of a class are added up. Zero for class 0 and what is no card.
cdef key_t CLASS_TABLE[NUM_LABELS][16]


cdef void fill() noexcept nogil:
    cdef int label
    for label in range(1, NUM_LABELS):
        fill_table(CLASS_TABLE[label], NUM_CARDS, SALT_CARDS + label)


fill()


cdef inline key_t hand_key(const LofotenState* s, int seat) noexcept nogil:
    cdef uint32_t word
    memcpy(&word, s.hand[seat], 4)
    return hash_word(word, SALT_HAND + seat)


cdef key_t classes_key(const LofotenState* s, int seat) noexcept nogil:
    """What everybody can know of a hand from renewed decks: the classes, and the cards of each."""
    cdef uint32_t labels
    cdef key_t cards = 0
    cdef int slot, label, card, hidden = 0
    memcpy(&labels, s.label[seat], 4)
    for slot in range(4):
        label = s.label[seat][slot]
        cards += CLASS_TABLE[label][s.hand[seat][slot]]
        hidden |= (s.hand[seat][slot] == CARD_UNKNOWN) << label
    for label in range(1, NUM_LABELS):
        if hidden >> label == 0:
            break
        if hidden >> label & 1:
            for card in range(NUM_CARDS):
                cards += s.held[label][card] * CLASS_TABLE[label][card]
    return hash_word(cards, SALT_CARDS - seat) ^ hash_word(labels, SALT_CLASSES + seat)


cdef key_t public_key(const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef key_t key = s.counts_key ^ hash_words(&s.phase, KEY_WORDS, SALT_WORDS)
    if rules.modules:
        key ^= hash_words(&s.ship_kind, MODULE_WORDS, SALT_MODULES)
    if has_labels(s, 0):
        key ^= classes_key(s, 0)
    if has_labels(s, 1):
        key ^= classes_key(s, 1)
    return key


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
