"""What must hold in every state of Oh Hell: all that is redundant follows from the rest."""

from engine.games.oh_hell.state cimport OhHellState, Rules

cdef enum:
    BROKEN_RANGE = 1         # a field out of its range, or set before its time
    BROKEN_CARDS = 2         # a card in two places, or one that is not in the deck
    BROKEN_HANDS = 4         # a hand with too many cards, or one in part unknown
    BROKEN_BIDS = 8          # bids out of turn, too high, or together the number of tricks
    BROKEN_PLAY = 16         # tricks, voids, played cards or the seat to move do not fit the play
    BROKEN_SECRETS = 32      # no deal gives the hidden hands

# 0 or BROKEN_* bits.
cdef int check(const OhHellState* s, const Rules* rules) noexcept nogil
