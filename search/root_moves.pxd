"""The root moves of a search over a graph: what is known of them, and which one is tried next.

By default that is chosen as at any other node. A search is not paid for the moves it tries, only
for the one it ends with; rules made for that spend more on the runners-up:

*Halving* (Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in multi-armed bandits",
ICML 2013): all moves get equally much, then the better half of them, and so on; the last one gets
what is left. It has to know how long the search is: by nodes or by time. Without such a limit all
moves get equally much.

*Top two* (D. Russo, "Simple Bayesian algorithms for best arm identification", COLT 2016; challenger
by the evidence against it: X. Shang et al., "Fixed-confidence guarantees for Bayesian best-arm
identification", AISTATS 2020): one simulation for the move with the best mean, one for the move
that is hardest to tell from it.
"""

from libc.stdint cimport int32_t

from engine.types cimport move_t, uint32_t
from search.backups cimport Backups
from search.graph cimport Graph
from search.score cimport Numbers

cdef enum:
    RULE_AS_NODES = 0
    RULE_HALVING = 1
    RULE_TOP_TWO = 2

# What is known of a root move: from this search alone, sums over its visits; and what its edge
# holds. That lies here once more because the edges move when the graph grows, and other threads
# read of root moves while the search runs.
cdef struct RootSum:
    double reward
    double square           # of the reward
    double margin
    double wins
    double draws
    double edge_mean
    uint32_t edge_visits
    uint32_t visits


cdef class RootMoves:
    cdef Graph graph
    cdef int32_t node               # the root
    cdef uint32_t node_visits       # its visits; see RootSum
    cdef int number                 # of root moves
    cdef int32_t* edges             # of each root move; owned
    cdef RootSum* sums              # the same; owned
    cdef int rule                   # RULE_*
    cdef int* left                  # halving: moves still in the running, best first; owned
    cdef int num_left
    cdef int halvings               # done
    cdef int most_halvings          # after so many one move is left
    cdef uint32_t turn              # of top two

    # Find the edge of each move, and what it holds. False if one has none.
    cdef bint find_edges(self, int32_t node, const move_t* moves) noexcept nogil
    # Tell which part of the search is over, 0 to 1; before each batch.
    cdef void advance(self, double progress) noexcept nogil
    # The index of the move to try next.
    cdef int choose(self, const Numbers* numbers, Backups backups) noexcept nogil
    # Book reward, margin, and share won and drawn of the searching seat; the edge has its own.
    cdef void book(self, int index, double reward, double margin, double won,
                   double drawn) noexcept nogil
    # By how many visits the most visited move is ahead.
    cdef uint32_t lead(self) noexcept nogil
    # See Worker.rows; any thread may ask.
    cdef tuple row(self, int index, move_t move)

    cdef void copy_edge(self, int index) noexcept nogil
    cdef int top_two(self) noexcept nogil
    cdef bint is_better(self, int a, int b) noexcept nogil
    cdef void sort(self) noexcept nogil
