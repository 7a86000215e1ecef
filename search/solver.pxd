"""Solver: exact values of the moves of a late position, or none at all.

It works on views: a node is what the searching seat knows, and the game says (`Game.late`) whether
the rest can be worked out from there.

- A decision of the searching seat: the best move.
- Luck: the mean of the outcomes, with their odds as the seat knows them.
- A decision of another seat while nothing hidden matters any more (LATE_OPEN): its best move.
- A decision of another seat that depends on what it holds (LATE_NEAR): all that it may hold is
  listed with its number of physical ways (`Game.fill_secrets`); in each case the seat makes its
  best move, and the values are averaged. A move shows what it needs of the hidden (`Game.reveal`),
  so each different move is worked out once. Nothing hidden may matter after it, else the solver
  gives up: what the other seat does would depend on what it believes.
- The end: the result, averaged over all that others may hold if it depends on that.

So the searching seat decides alike in worlds that it cannot tell apart, and another seat's decision
is asked only where what it believes does not matter. Odds are those of the physical deals; what
earlier decisions may have told is left out. Views with the same key of what still matters have one
value, which is remembered.

What is maximised is the expected goal: the return of the searching seat, its final margin, or a
mix. Among moves equal in that the higher margin, then the higher return, then the lower number.
Where another seat decides there have to be two seats; it wants the opposite.
"""

from libc.stdint cimport int64_t, uint64_t

from engine.game cimport Game, State
from engine.types cimport key_t, move_t, uint32_t
from search.control cimport StopFlag, Watch

cdef enum:
    # Positions worked out between two looks at the clock; some 20 microseconds.
    NODES_PER_LOOK = 64
    # Decisions and luck in a row; more give up.
    MOST_DEPTH = 400
    # Different moves that another seat may have at a decision, over all that it may hold.
    MOST_REPLIES = 256
    # Ways to fill in what another seat holds; more give up.
    MOST_FILLS = 100000

# Expected values for the searching seat, under the best play.
cdef struct Value:
    double goal             # what is maximised
    double win              # return, 0 to 1
    double margin           # points
    double won              # probabilities; classed as search.info.Line.wdl
    double drawn

cdef struct Entry:
    key_t key               # 0: free
    Value value


cdef class Solver:
    cdef Game game
    cdef State view
    cdef int seat
    cdef Watch watch
    cdef StopFlag stop
    cdef bint by_margin             # the goal is the margin
    cdef double margin_share        # share of the margin in the goal
    cdef uint64_t max_nodes
    cdef size_t max_bytes
    cdef readonly uint64_t nodes    # positions worked out
    cdef Entry* table               # owned; open addressing, at most half full
    cdef uint64_t capacity          # a power of two, or 0
    cdef uint64_t count
    cdef char* frames               # owned; for each depth two states and the legal moves
    cdef size_t frame_size
    cdef size_t state_room
    cdef object kept                # root moves to consider, None for all

    # What the game says of the view; also writes the key.
    cdef int ask(self, key_t* key) noexcept nogil
    # Work out the view in the frame of `depth`, of which the game says `verdict`. As all of these:
    # False if given up, and then `out` means nothing.
    cdef bint solve(self, int depth, int verdict, Value* out) noexcept nogil
    # The view behind the one at `depth`, which lies in the next frame.
    cdef bint solve_next(self, int depth, bint must_be_open, Value* out) noexcept nogil
    cdef bint solve_after(self, int depth, move_t move, Value* out) noexcept nogil
    cdef bint solve_luck(self, int depth, Value* out) noexcept nogil
    cdef bint solve_choice(self, int depth, bint own, Value* out) noexcept nogil
    cdef bint solve_reply(self, int depth, Value* out) noexcept nogil
    cdef bint solve_end(self, int depth, bint is_open, Value* out) noexcept nogil
    cdef void value_of(self, const void* state, Value* out) noexcept nogil
    cdef bint has_room(self) noexcept nogil
    cdef Entry* place_of(self, key_t key) noexcept nogil
    cdef bint remember(self, key_t key, const Value* value) noexcept nogil
    cdef move_t best_move(self, int depth, bint own) noexcept nogil
    cdef list ranked(self, const Value* values, int n)
