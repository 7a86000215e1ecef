"""Hidden information of Oh Hell."""

from engine.types cimport uint64_t
from engine.zobrist cimport hash_word
from engine.games.oh_hell.rules cimport apply, cards_held, count_cards, unseen_cards
from engine.games.oh_hell.state cimport (
    CARD_UNKNOWN, KIND_DEAL, KIND_PLAY, card_bit, make_move, move_kind, move_seat, move_value,
    suit_of)
from engine.games.oh_hell.split cimport Split, can_be_dealt, deal_cards, read_split

cdef enum:
    SALT_TABLE = 1
    SALT_TRAIL = 2
    SALT_HAND = 3          # plus the seat


cdef key_t public_key(const OhHellState* s) noexcept nogil:
    cdef uint64_t w = s.tricks
    cdef int seat
    w |= <uint64_t>s.dealer << 5
    w |= <uint64_t>s.dealt << 8
    w |= <uint64_t>s.trump << 14
    w |= <uint64_t>s.count << 20
    w |= <uint64_t>s.seat << 26
    for seat in range(4):
        w |= <uint64_t>s.bid[seat] << (28 + 5 * seat)
    return hash_word(w, SALT_TABLE) ^ hash_word(s.trail, SALT_TRAIL)


cdef inline key_t hand_key(const OhHellState* s, int seat) noexcept nogil:
    return hash_word(s.hand[seat], SALT_HAND + seat)


cdef key_t full_key(const OhHellState* s, const Rules* rules) noexcept nogil:
    cdef key_t key = public_key(s)
    cdef int seat
    for seat in range(rules.seats):
        key ^= hand_key(s, seat)
    return key


cdef key_t infoset_key(const OhHellState* s, int seat) noexcept nogil:
    return public_key(s) ^ hand_key(s, seat)


cdef move_t redact(move_t move, int seat) noexcept nogil:
    if move_kind(move) == KIND_DEAL and move_seat(move) != seat:
        return make_move(KIND_DEAL, move_seat(move), CARD_UNKNOWN)
    return move


cdef void blind(OhHellState* s, const Rules* rules, int seat) noexcept nogil:
    cdef int other
    for other in range(rules.seats):
        if other != seat:
            s.hand[other] = 0


cdef int reveal(OhHellState* s, const Rules* rules, move_t move) noexcept nogil:
    """Enter a card played from a hidden hand, if in some world it is played there."""
    cdef OhHellState after
    cdef Split split
    cdef int card = move_value(move)
    if move_kind(move) != KIND_PLAY or count_cards(s.hand[s.seat]) == cards_held(s, rules, s.seat):
        return 0
    if card >= 52 or not unseen_cards(s, rules) & card_bit(card):
        return -1
    if s.lacks[s.seat] >> suit_of(card) & 1:
        return -1
    # A card of another suit than the one led says that the seat has none of that suit, and some
    # hand must be left that can hold them.
    after = s[0]
    apply(&after, rules, move)
    read_split(&after, rules, &split)
    if not can_be_dealt(&split):
        return -1
    s.hand[s.seat] |= card_bit(card)
    return 0


cdef void determinize(OhHellState* s, const Rules* rules, Rng* rng) noexcept nogil:
    """Fill hidden hands; every deal that fits what is known is equally likely."""
    cdef Split split
    read_split(s, rules, &split)
    if split.bins:
        deal_cards(&split, s, rng)
