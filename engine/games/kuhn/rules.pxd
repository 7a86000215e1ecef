"""The rules of Kuhn poker on the typed struct; C only."""

from engine.types cimport SEAT_CHANCE, SEAT_NONE, key_t, move_t
from engine.games.kuhn.state cimport (CARD_NONE, CARD_UNKNOWN, KIND_BET, KIND_DEAL, KIND_PASS,
                                      KuhnState, make_move, move_card, move_kind, move_seat)


cdef inline bint is_over(const KuhnState* s) noexcept nogil:
    """pass pass, bet any, or pass bet any."""
    if s.num_actions < 2:
        return False
    return s.num_actions == 3 or not (s.bets == 2)


cdef inline int seat_to_move(const KuhnState* s) noexcept nogil:
    if s.card[1] == CARD_NONE:
        return SEAT_CHANCE
    if is_over(s):
        return SEAT_NONE
    return s.num_actions & 1


cdef int legal_moves(const KuhnState* s, move_t* out) noexcept nogil
cdef void apply(KuhnState* s, move_t move) noexcept nogil
cdef int margin(const KuhnState* s) noexcept nogil
cdef int check(const KuhnState* s) noexcept nogil
