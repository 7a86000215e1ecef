"""Playouts: random moves from a state to the end of the game, and the value of an end.

A playout may be cut off after a number of decisions. Such a state is not won or lost yet; its
return is taken from the game's own margin m (points ahead of the best other seat, if scored now):

    0.5 + 0.5 * m / (|m| + margin_scale)

0.5 when level, 0.75 when ahead by margin_scale (by which the game says a lead is clear), towards 1
far ahead. The same return is used should a game ever exceed the length that it declares.
"""

from engine.game cimport Game
from engine.rng cimport Rng, rng_next
from engine.types cimport MAX_MOVES, move_t, uint64_t
from search.control cimport Watch

cdef enum:
    # A playout looks at the stop flag and the clock once in so many decisions.
    PLIES_PER_LOOK = 128

cdef struct PlayoutCount:
    uint64_t plies              # decisions made
    uint64_t choice_plies       # those with at least two legal moves


cdef inline int by_prior(Game game, const void* state, const move_t* moves, int n,
                         Rng* rng) noexcept nogil:
    """The index of a move drawn by `Game.prior`."""
    cdef float priors[MAX_MOVES]
    cdef double left
    cdef int i = 0
    game.prior(state, moves, n, priors)
    left = (rng_next(rng) >> 11) / 9007199254740992.0 - priors[0]
    while left >= 0.0 and i < n - 1:
        i += 1
        left -= priors[i]
    return i


# Play at most `max_plies` decisions, uniformly at random; `state` is a full state and becomes the
# last one. Returns False if `watch` ended the playout early: its state then means nothing.
cdef bint playout(Game game, void* state, Rng* rng, int max_plies, const Watch* watch,
                  PlayoutCount* count) noexcept nogil

# The same with moves drawn by `Game.prior`, which the game must have.
cdef bint playout_by_prior(Game game, void* state, Rng* rng, int max_plies, const Watch* watch,
                           PlayoutCount* count) noexcept nogil

# Write the value of a full state for each seat: its returns if the game is over, else see above.
cdef void evaluate(Game game, const void* state, float* out) noexcept nogil
