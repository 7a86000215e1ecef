"""The vocabulary: scalar types, ids and limits. Imports nothing of the project."""

from libc.stdint cimport int32_t, int8_t, uint8_t, uint16_t, uint32_t, uint64_t

# A move is one atomic decision or one chance outcome, 32 bits. Each game draws its own bit table
# in its state.pxd; two values are the same everywhere:
#   NO_MOVE       0, never a move of any game.
ctypedef uint32_t move_t

# A 64-bit Zobrist number of a state or of an information set.
ctypedef uint64_t key_t

cdef enum:
    NO_MOVE = 0
    # Answers of seat_to_move that are no seat; negative, so they cannot collide with seats 0..3.
    SEAT_CHANCE = -1
    SEAT_NONE = -2
    # Limits of the interface; conformance checks every game against them.
    MAX_SEATS = 4
    MAX_MOVES = 1024
    MAX_STATE_SIZE = 8192
