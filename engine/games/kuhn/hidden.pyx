"""Hidden information of Kuhn poker."""

from engine.rng cimport rng_below
from engine.zobrist cimport hash_word
from engine.games.kuhn.state cimport (CARD_KING, CARD_NONE, CARD_UNKNOWN, KIND_DEAL, make_move,
                                      move_kind, move_seat)

cdef enum:
    SALT_PUBLIC = 1
    SALT_CARD = 2          # plus the seat


cdef key_t public_key(const KuhnState* s) noexcept nogil:
    cdef int dealt = (s.card[0] != CARD_NONE) + (s.card[1] != CARD_NONE)
    return hash_word(dealt | (s.num_actions << 4) | (s.bets << 8), SALT_PUBLIC)


cdef key_t full_key(const KuhnState* s) noexcept nogil:
    return (public_key(s) ^ hash_word(s.card[0], SALT_CARD) ^ hash_word(s.card[1], SALT_CARD + 1))


cdef key_t infoset_key(const KuhnState* s, int seat) noexcept nogil:
    return public_key(s) ^ hash_word(s.card[seat], SALT_CARD + seat)


cdef move_t redact(move_t move, int seat) noexcept nogil:
    if move_kind(move) == KIND_DEAL and move_seat(move) != seat:
        return make_move(KIND_DEAL, move_seat(move), CARD_UNKNOWN)
    return move


cdef void blind(KuhnState* s, int seat) noexcept nogil:
    if s.card[1 - seat] != CARD_NONE:
        s.card[1 - seat] = CARD_UNKNOWN


cdef void determinize(KuhnState* s, Rng* rng) noexcept nogil:
    cdef int seat, other, card
    for seat in range(2):
        if s.card[seat] != CARD_UNKNOWN:
            continue
        other = s.card[1 - seat]
        if other < CARD_UNKNOWN:
            card = rng_below(rng, 2)
            card += card >= other
        else:
            card = rng_below(rng, 3)
        s.card[seat] = card


cdef int64_t fill_secrets(KuhnState* s, int seat, uint32_t index) noexcept nogil:
    if s.card[1 - seat] != CARD_UNKNOWN:
        return 1 if index == 0 else -1
    if index > CARD_KING:
        return -1
    s.card[1 - seat] = index
    return <int>index != s.card[seat]
