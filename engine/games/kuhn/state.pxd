"""The state of Kuhn poker and the bit table of its moves.

    31        24 23        16 15         8 7          0
    +-----------+------------+------------+-----------+
    |   kind    |     0      |    seat    |   card    |     seat and card: only of KIND_DEAL
    +-----------+------------+------------+-----------+
"""

from engine.types cimport move_t, uint8_t

cdef enum:
    KIND_PASS = 1
    KIND_BET = 2
    KIND_DEAL = 3

    CARD_JACK = 0
    CARD_QUEEN = 1
    CARD_KING = 2
    CARD_UNKNOWN = 3      # dealt, but not known to the observer of this view
    CARD_NONE = 4         # not dealt yet

    MAX_BETS = 3

cdef struct KuhnState:
    uint8_t card[2]       # CARD_*; private to its seat
    uint8_t num_actions   # 0..3, public
    uint8_t bets          # bit i set: action i was a bet; public


cdef inline move_t make_move(int kind, int seat, int card) noexcept nogil:
    return (<move_t>kind << 24) | (<move_t>seat << 8) | <move_t>card


cdef inline int move_kind(move_t move) noexcept nogil:
    return move >> 24


cdef inline int move_seat(move_t move) noexcept nogil:
    return (move >> 8) & 0xFF


cdef inline int move_card(move_t move) noexcept nogil:
    return move & 0xFF
