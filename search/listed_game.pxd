"""A short game listed once, every situation of it, and solved by passes over the list.

Listed are all situations from the first chance event on, each behind the one before it. No rules
are asked after that, so a pass costs some nanoseconds a situation. A pass is for one seat in turn:
forward how likely each situation is, backward what it is worth, and then the regrets of all
information sets of that seat, by regret matching+ and with averages that weigh later passes more.
Two seats, one of which wins in margin what the other loses.

Passes go on from what walks have found (see regret.pyx): their average strategies and regrets, in
the measure of the passes, count as WARM_PASSES passes of each seat.

O. Tammelin et al., "Solving Heads-up Limit Texas Hold'em", IJCAI 2015, for the passes; N. Brown and
T. Sandholm, "Strategy-Based Warm Starting for Regret Minimization in Games", AAAI 2016, and
"Solving Imperfect-Information Games via Discounted Regret Minimization", AAAI 2019, for start and
weights.

The work comes in steps of one end of the game each, so that a clock or a number of simulations can
end it at any of them: a step enters situations up to the next end, or goes back over one end.

Memory: 48 bytes a situation with a decision or luck, 24 a move or outcome.
"""

from libc.stdint cimport int32_t, int64_t

from engine.game cimport Game
from engine.types cimport int8_t, move_t, uint32_t
from search.regret_table cimport RegretTable

cdef enum:
    # A game with more events in a row than this is not listed.
    MOST_EVENTS = 64
    WARM_PASSES = 3

cdef struct Situation:
    double own              # how likely the moves of the seat of this pass are to lead here
    double other            # how likely luck and the other seat are
    int32_t way             # that leads here, or -1
    int32_t first           # way that leads on
    int32_t row             # of the information set of who decides here
    int32_t cell            # the first of this row
    int32_t n               # ways that lead on
    int32_t ends            # of which lead to an end of the game
    int8_t seat             # who decides, or SEAT_CHANCE

cdef struct Way:
    double value            # expected margin of seat 0 behind it in this pass; of an end: for good
    double chance           # the probability of an outcome
    int32_t situation       # behind it, or -1: an end

cdef struct Frame:
    uint32_t weight         # of all outcomes together, if luck decides
    int32_t situation
    int next                # way to follow next


cdef class ListedGame:
    cdef Game game
    cdef RegretTable table
    cdef Situation* situations
    cdef Way* ways
    cdef int32_t num_situations
    cdef int32_t num_ways
    cdef int32_t situation_limit
    cdef int32_t way_limit
    cdef bint failed        # the game does not fit: nothing can be done here
    cdef bint complete      # all situations are listed
    cdef double walks       # that regrets and averages in the table come from; the user counts
    cdef int passes         # finished
    # Of the listing: what lies between the start and the situation entered last.
    cdef Frame* frames
    cdef char* states
    cdef move_t* moves
    cdef int depth
    # Of the pass.
    cdef int32_t at         # the situation to go back from next; below 0: a new pass begins
    cdef int32_t ahead      # ends gone over for which no step was counted yet
    cdef int seat           # whose regrets this pass is for

    # Do one step; False if there is none to do because the game does not fit.
    cdef bint step(self) noexcept nogil

    cdef bint _enter(self, int32_t way) noexcept nogil
    cdef void _list(self) noexcept nogil
    cdef void _start_passes(self) noexcept nogil
    cdef void _forward(self) noexcept nogil
    cdef void _backward(self) noexcept nogil
    cdef void _update(self) noexcept nogil
    cdef double _weight(self) noexcept nogil
