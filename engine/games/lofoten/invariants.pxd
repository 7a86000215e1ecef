"""What must hold in every state (RULES 13)."""

from engine.games.lofoten.state cimport LofotenState, Rules

cdef enum:
    BROKEN_COINS = 1         # not eight coins
    BROKEN_TILES = 2         # some kind of tile not conserved
    BROKEN_PILES = 4         # pile sizes or tops do not fit the unseen tiles
    BROKEN_CARDS = 8         # some kind of order card not conserved
    BROKEN_DECK = 16         # deck size does not fit the pool
    BROKEN_HELD = 32         # hidden cards of a class do not fit its slots
    BROKEN_STORED = 64       # sums of stored tiles or warehouse types
    BROKEN_MARKET = 128      # number of empty areas
    BROKEN_KEY = 256         # key of the counts
    BROKEN_DOCK = 512        # a docked ship is loaded, or a tile lies on no matching order
    BROKEN_LABELS = 1024     # classes not numbered by first appearance
    BROKEN_RANGE = 2048      # a field out of its range
    BROKEN_PHASE = 4096      # hands, tile or card do not fit the phase
    BROKEN_HOUSES = 8192     # not four different warehouse cards of the right levels
    BROKEN_JARLS = 16384     # Jarls, requirements, their owners or what they grant
    BROKEN_SHIPS = 32768     # longships, or tiles on ship B

# 0 or BROKEN_* bits.
cdef int check(const LofotenState* s, const Rules* rules) noexcept nogil
