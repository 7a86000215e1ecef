"""Progressive widening where luck decides inside a search.

After a move that luck follows, at most `rate` times the square root of the visits different
outcomes are looked at; then one of the known ones is taken again, so that the search can go deeper
behind it. A. Couëtoux et al., "Continuous upper confidence trees", LION 5, 2011.

A known outcome is drawn by its weight among those known that are possible in the present world; if
none is, luck decides freely. So no outcome is ever impossible, but what came first comes too often:
the value of the move leans towards the first outcomes, the more the fewer are allowed. As the
visits grow so do the outcomes, and the lean fades.
"""

from libc.stdint cimport int32_t

from engine.game cimport Game
from engine.rng cimport Rng
from engine.types cimport key_t, move_t, uint32_t

cdef struct Known:
    move_t outcome
    int32_t next            # another outcome of the same event, or -1

cdef struct Event:
    key_t key               # 0: free
    uint32_t visits
    int32_t first           # known outcome, or -1
    int32_t number          # of known outcomes


cdef class Widening:
    cdef double rate
    cdef Event* events      # open addressing; owned
    cdef Known* known       # owned
    cdef int32_t num_events
    cdef int32_t num_known

    # Let luck decide behind an edge until a seat is to move or the game is over: which of them.
    cdef int let_luck(self, Game game, void* world, int32_t edge, Rng* rng) noexcept nogil
    # The outcome of the chance event `key` in a world: a known one or a new one.
    cdef move_t outcome(self, Game game, const void* world, key_t key, Rng* rng) noexcept nogil
    cdef Event* find(self, key_t key) noexcept nogil
    cdef move_t again(self, Game game, const void* world, const Event* event,
                      Rng* rng) noexcept nogil
    cdef void remember(self, Event* event, move_t outcome) noexcept nogil
