"""Belief: what a seat takes the others to hold, from the game so far; draws worlds by it.

A game that keeps beliefs weighs the worlds of a view by how likely the decisions of the other
seats are in them (`belief_*` in engine/game.pxd). Of a game without beliefs a Belief is a view that
follows the game and draws worlds as `determinize` does. Nothing but what the seat has seen enters.
"""

from engine.game cimport Game, State
from engine.rng cimport Rng


cdef class Belief:
    cdef readonly int seat          # whose belief it is
    cdef Game game
    cdef State _view                # what the seat knows now
    cdef void* data                 # owned; game.belief_size bytes, NULL if the game has none
    cdef bint is_prepared           # `draw` may be called

    # Get ready for `draw`; does nothing if it is. Needed after each event.
    cdef void prepare(self) noexcept nogil
    # Fill in a copy of the view; any number of threads may draw at once, with an Rng each.
    cdef inline void draw(self, void* world, Rng* rng) noexcept nogil:
        self.game.belief_draw(self.data, world, rng)
