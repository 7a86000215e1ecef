"""Playouts that are not uniform: by the game's prior, or by what paid in earlier simulations.

*prior*   moves drawn by `Game.prior`.
*mast*    the move with the best mean reward of all simulations in which its seat made it, anywhere;
          a share `epsilon` of the moves by lot. Y. Björnsson and H. Finnsson, "CadiaPlayer: a
          simulation-based general game player", IEEE TCIAIG 1(1), 2009; with epsilon-greedy choice:
          M. Tak, M. Winands and Y. Björnsson, "N-grams and the last-good-reply policy applied in
          general game playing", IEEE TCIAIG 4(2), 2012.
*ngram*   the same, the mean averaged with that of the pair of the move and the one before it where
          the pair was seen at least 7 times.

What was never seen counts as won. The tables have a fixed size: moves may share a slot.
"""

from libc.stdint cimport int32_t

from engine.game cimport Game
from engine.rng cimport Rng
from engine.types cimport int8_t, move_t, uint16_t, uint32_t
from search.control cimport Watch
from search.graph cimport Graph
from search.playout cimport PlayoutCount

cdef enum:
    HABIT_UNIFORM = 0       # no object of this module is needed
    HABIT_PRIOR = 1
    HABIT_MAST = 2
    HABIT_NGRAM = 3
    # Moves of one simulation that are booked at most.
    MOST_NOTED = 512

cdef struct Habit:
    float mean
    uint32_t visits


cdef class Habits:
    cdef int policy
    cdef double epsilon
    cdef Habit* single              # by seat and move; owned
    cdef Habit* pairs               # by seat, move and the move before it; owned
    cdef uint16_t[512] noted        # slots of the moves of this simulation
    cdef uint16_t[512] noted_pairs
    cdef int8_t[512] seats
    cdef int num_noted
    cdef move_t last                # the move before the next one

    # Begin a simulation, with the moves made in the graph from number `first` on.
    cdef void start(self, Graph graph, const int32_t* nodes, const int32_t* edges, int first,
                    int depth) noexcept nogil
    # Note a move that was made.
    cdef void note(self, int seat, move_t move) noexcept nogil
    # As search.playout.playout; notes its moves.
    cdef bint play(self, Game game, void* state, Rng* rng, int max_plies, const Watch* watch,
                   PlayoutCount* count) noexcept nogil
    # Book the reward of each seat on all moves noted.
    cdef void book(self, const float* reward) noexcept nogil

    cdef int choose(self, int seat, const move_t* moves, int n, Rng* rng) noexcept nogil
    cdef double value_of(self, int seat, move_t move) noexcept nogil
