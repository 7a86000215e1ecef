"""Hidden information of Leduc poker: keys of knowledge, views, determinization.

A seat knows its own card, the public card and all the betting. Every key is one word of all that,
hashed once.
"""

from engine.types cimport key_t, move_t
from engine.rng cimport Rng
from engine.zobrist cimport hash_word
from engine.games.leduc.rules cimport draw
from engine.games.leduc.state cimport (
    CARD_NONE, CARD_UNKNOWN, KIND_DEAL, LeducState, make_move, move_kind, move_seat)

cdef enum:
    SALT_FULL = 1
    SALT_KNOWN = 2        # plus the seat
    SALT_RANKS = 4        # plus the seat
    SALT_PUBLIC = 6


cdef inline int public_word(const LeducState* s) noexcept nogil:
    """Betting, turn and whether the first card is dealt, in 11 bits."""
    return (s.line[0] | (s.line[1] << 4) | ((s.turn + 2) << 8)
            | ((s.card[0] != CARD_NONE) << 10))


cdef inline key_t full_key(const LeducState* s) noexcept nogil:
    cdef int cards = s.card[0] | (s.card[1] << 4) | (s.public_card << 8)
    return hash_word(cards | (public_word(s) << 12), SALT_FULL)


cdef inline key_t public_key(const LeducState* s) noexcept nogil:
    """The key of what everybody knows: the public card and all the betting."""
    return hash_word(s.public_card | (public_word(s) << 4), SALT_PUBLIC)


cdef inline key_t infoset_key(const LeducState* s, int seat) noexcept nogil:
    cdef int cards = s.card[seat] | (s.public_card << 4)
    return hash_word(cards | (public_word(s) << 8), SALT_KNOWN + seat)


cdef inline key_t abstract_key(const LeducState* s, int seat) noexcept nogil:
    """The key of what a seat knows, by ranks.

    Nothing is lost: no move, chance or payment depends on a suit, and which cards are left follows
    from the two ranks. The 936 information sets become 288.
    """
    cdef int ranks = (s.card[seat] >> 1) | ((s.public_card >> 1) << 4)
    return hash_word(ranks | (public_word(s) << 8), SALT_RANKS + seat)


cdef inline move_t redact(move_t move, int seat) noexcept nogil:
    if move_kind(move) == KIND_DEAL and move_seat(move) != seat:
        return make_move(KIND_DEAL, move_seat(move), CARD_UNKNOWN)
    return move


cdef inline void blind(LeducState* s, int seat) noexcept nogil:
    if s.card[1 - seat] != CARD_NONE:
        s.card[1 - seat] = CARD_UNKNOWN


cdef inline void determinize(LeducState* s, Rng* rng) noexcept nogil:
    """Every card that a seat cannot see is equally likely; betting is not read as a hint."""
    cdef int seat
    for seat in range(2):
        if s.card[seat] == CARD_UNKNOWN:
            s.card[seat] = draw(s.card[1 - seat], s.public_card, rng)
