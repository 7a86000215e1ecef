"""Regret minimization: a search that gets less exploitable with time; regret.pyx says how."""

from libc.stdint cimport int32_t

from engine.rng cimport Rng
from engine.types cimport key_t, move_t, uint64_t
from search.listed_game cimport ListedGame
from search.regret_table cimport RegretTable
from search.worker cimport Worker

cdef enum:
    # Games of more decisions are not played from the start, nor are games with more ends. How many
    # ends there are is estimated from so many random games.
    LONGEST_WHOLE = 48
    MOST_ENDS = 1 << 20
    PROBES = 64
    # A path from the present position has at most so many decisions inside the table.
    LONGEST_PATH = 256
    # In a short game one simulation in so many looks at the root moves from the present position.
    SIMULATIONS_PER_LOOK = 32

cdef struct Step:
    int32_t row
    int seat
    int index               # of the move taken
    double likely           # how likely it was to be taken


cdef class RegretWorker(Worker):
    cdef readonly bint whole        # simulations begin at the start of the game
    cdef RegretTable table
    cdef ListedGame listed          # None unless `whole`
    cdef uint64_t list_after        # simulations before a whole game is listed
    cdef double exploration
    cdef str final
    cdef double lot                 # from 0 to 1: what the played move is drawn with
    cdef Rng walk_rng               # everything in walks
    cdef uint64_t walks             # done
    cdef uint64_t looks             # done
    cdef int last_depth             # decisions of the last look
    cdef key_t root_key
    cdef int num_legal              # moves of its information set
    cdef int* root_index            # of the root moves among all legal moves; owned
    cdef double* root_policy        # see policy(); owned
    cdef char* states               # of walks, one for each decision; owned
    cdef move_t* moves              # the same
    cdef double* shares             # the same
    cdef double* worths             # the same
    cdef Step* path                 # owned

    # How many ends the game has, estimated; MOST_ENDS or more if it is long.
    cdef double ends(self) noexcept nogil
    # Play from `state` on; return what it is worth to `seat`, whose moves are all followed.
    cdef double walk(self, char* state, int depth, int seat) noexcept nogil
    # Play one game from the present position by the average strategy and book it.
    cdef void look(self) noexcept nogil
    # One path from the present position.
    cdef bint descend(self) noexcept nogil
    cdef void learn(self, int depth, double* worth) noexcept nogil
    # The key of what a seat knows, and of its moves: hands that share a key may differ in those.
    cdef key_t key_here(self, const void* state, int seat, const move_t* moves,
                        int n) noexcept nogil
    cdef int32_t enter(self, key_t key, int seat, int n) noexcept nogil
    cdef int sample(self, int32_t index, int n, double* shares) noexcept nogil
    cdef int behind_its_share(self) noexcept nogil
    # Write the average strategy of an information set with `n` moves.
    cdef void strategy(self, key_t key, int n, double* out) noexcept nogil
    # Write the probabilities of the root moves.
    cdef void root_shares(self, double* out) noexcept nogil
