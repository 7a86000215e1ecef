"""What a simulation is worth where it ends: rewards and margins of a world.

A finished game has its returns, any other world the game's estimate, or its margin as in
search/playout.pxd; after a playout where playouts are made. A playout may go on from there and be
valued at several points: the mean of all is steadier than the last alone, and sees further than the
first. The reward is that return, or a mixture
of it with the margin m, as 0.5 + 0.5 m / (|m| + margin_scale).
"""

from engine.game cimport Game
from engine.rng cimport Rng
from search.control cimport Watch
from search.playout cimport PlayoutCount


cdef class Leaves:
    cdef Game game
    cdef int seat                   # the searching seat
    cdef int playout_plies          # decisions of a playout up to the first point, and on
    cdef int points                 # at which it is valued
    cdef double margin_share        # share of the margin in the reward
    cdef bint by_margin             # no estimate is asked for
    cdef bint by_prior              # playouts are drawn by the prior, not uniformly
    cdef float* reward              # of each seat, mean of the points of the last playout; owned
    cdef float* margin              # the same
    cdef float won, drawn           # the same, of the searching seat

    # Value a full state, which is played on; False if the watch ended the playout. `seat` is to
    # move, or SEAT_NONE.
    cdef bint value(self, void* world, int seat, Rng* rng, const Watch* watch,
                    PlayoutCount* count) noexcept nogil

    cdef bint play(self, void* world, Rng* rng, const Watch* watch,
                   PlayoutCount* count) noexcept nogil
    cdef void look(self, const void* world, int seat, float share) noexcept nogil
    cdef void class_end(self, float got, float ahead, float share) noexcept nogil
