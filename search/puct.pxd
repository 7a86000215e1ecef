"""The search of `drakkar`: one graph of knowledge, PUCT with priors, leaves valued by estimate.

One simulation draws a world, descends from node to node, makes one node where it leaves the graph,
values it, and books the value on every edge of the way. See README.md in this folder.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

from engine.types cimport int8_t, key_t, move_t, uint32_t
from search.belief cimport Belief
from search.graph cimport Edge, Graph, Node
from search.leaves cimport Leaves
from search.root_moves cimport RootMoves
from search.score cimport Numbers
from search.widening cimport Widening
from search.worker cimport Worker

cdef enum:
    # Decisions of a simulation inside the graph at most; a longer one is valued there.
    MAX_DEPTH = 256

# What makes the key of a node where another seat than the searching one decides. The searching
# seat's own nodes have all that it knows in their key.
cdef enum:
    KEYING_OBSERVER = 0     # what the searching seat knows
    KEYING_PUBLIC = 1       # what everybody knows; so it is also for later turns of the own seat
    KEYING_ACTOR = 2        # what the seat knows that decides
    KEYING_ABSTRACT = 3     # the same, with the game's abstraction of hands

cdef class PuctWorker(Worker):
    cdef readonly Graph graph
    cdef readonly uint32_t search   # its number on that graph
    cdef Belief belief              # draws the worlds; None: `determinize` does
    cdef double decided_share       # see is_decided
    cdef Numbers numbers
    cdef int64_t num_rewards        # of the searching seat in this search: how many,
    cdef double reward_sum          # their sum and that of their squares
    cdef double reward_squares
    cdef int keying
    cdef readonly int32_t root_node
    cdef RootMoves root_choice
    cdef int32_t* path_node         # nodes of this simulation; owned
    cdef int32_t* path_edge         # and the edges taken; owned
    cdef bint is_alone              # there are no other threads to meet
    cdef int picked                 # index of the root move of this simulation
    cdef Leaves leaves              # values the world at the end of this simulation
    cdef Widening widening          # decides luck inside the graph; None: luck is free
    cdef bint had_turn              # the searching seat has decided on this path,
    cdef bint turn_ended            # and then another seat

    cdef void pass_to(self, int seat) noexcept nogil
    cdef bint is_shared(self, int seat) noexcept nogil
    cdef key_t key_of(self, int seat) noexcept nogil
    cdef int32_t enter(self, int* seat) noexcept nogil
    cdef int32_t choose_root(self) noexcept nogil
    cdef int32_t choose_closed(self, int32_t node) noexcept nogil
    cdef int32_t choose_open(self, int32_t node) noexcept nogil
    cdef bint open_up(self, int32_t node) noexcept nogil
    cdef void fill_priors(self, const move_t* moves, int n, float* priors) noexcept nogil
    cdef void back_up(self, int depth) noexcept nogil
    cdef void book_path(self, int depth) noexcept nogil
