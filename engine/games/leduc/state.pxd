"""The state of Leduc poker and the bit table of its moves.

    31        24 23        16 15         8 7          0
    +-----------+------------+------------+-----------+
    |   kind    |     0      |    seat    |   card    |     seat: only of KIND_DEAL; card: only of
    +-----------+------------+------------+-----------+     KIND_DEAL and KIND_PUBLIC

A card is 2 * rank + suit: ranks jack (0), queen, king (2), suits spades (0) and hearts (1).
"""

from engine.types cimport int8_t, move_t, uint8_t

cdef enum:
    KIND_FOLD = 1
    KIND_CALL = 2         # also a check, where there is nothing to call
    KIND_RAISE = 3        # also a bet, where it is the first of a round
    KIND_DEAL = 4
    KIND_PUBLIC = 5

    NUM_CARDS = 6
    CARD_UNKNOWN = 6      # dealt, but not known to the observer of this view
    CARD_NONE = 8         # not dealt yet; as a rank (card >> 1) it is not CARD_UNKNOWN either

    # All that can happen in a round of betting, by its letters (call, raise, fold): first the
    # lines under way, then those a call ends, then those a fold ends.
    LINE_OPEN = 0
    LINE_C = 1
    LINE_R = 2
    LINE_CR = 3
    LINE_RR = 4
    LINE_CRR = 5
    LINE_CC = 6
    LINE_RC = 7
    LINE_CRC = 8
    LINE_RRC = 9
    LINE_CRRC = 10
    LINE_RF = 11
    LINE_CRF = 12
    LINE_RRF = 13
    LINE_CRRF = 14
    NUM_LINES = 15

cdef struct LeducState:
    uint8_t card[2]       # CARD_*; private to its seat
    uint8_t public_card   # CARD_*, never CARD_UNKNOWN; public
    int8_t turn           # what seat_to_move answers; redundant, public
    uint8_t line[2]       # LINE_*, all the betting of each round in its order; public


cdef inline move_t make_move(int kind, int seat, int card) noexcept nogil:
    return (<move_t>kind << 24) | (<move_t>seat << 8) | <move_t>card


cdef inline int move_kind(move_t move) noexcept nogil:
    return move >> 24


cdef inline int move_seat(move_t move) noexcept nogil:
    return (move >> 8) & 0xFF


cdef inline int move_card(move_t move) noexcept nogil:
    return move & 0xFF
