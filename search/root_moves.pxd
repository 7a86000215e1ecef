"""The root moves of a search over a graph: what is known of them, and which one is tried next."""

from libc.stdint cimport int32_t, int64_t

from engine.types cimport move_t, uint32_t
from search.exchange cimport Exchange, Told
from search.graph cimport Edge, Graph
from search.score cimport Numbers

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
    cdef Exchange exchange          # with other threads; None: there are none
    cdef int thread                 # there
    cdef Told* heard                # of each root move, what the others told last; owned
    cdef double heard_visits        # all of them

    # Find the edge of each move, and what it holds. False if one has none.
    cdef bint find_edges(self, int32_t node, const move_t* moves) noexcept nogil
    # The index of the move to try next.
    cdef int choose(self, const Numbers* numbers) noexcept nogil
    # Book reward, margin, and share won and drawn of the searching seat; the edge has its own.
    cdef void book(self, int index, double reward, double margin, double won,
                   double drawn) noexcept nogil
    # Tell the other threads what is known, in a round or at the end.
    cdef void tell(self, int64_t round, bint has_ended) noexcept nogil
    # Take what they told in a round; False if one of them has not told yet.
    cdef bint hear(self, int64_t round) noexcept nogil
    # By how many visits the most visited move is ahead, those of the other threads included.
    cdef double lead(self) noexcept nogil
    # See Worker.rows; any thread may ask.
    cdef tuple row(self, int index, move_t move)

    cdef double joint_score(self, double scale, const Edge* edge, const Told* heard,
                            double untried) noexcept nogil
    cdef void copy_edge(self, int index) noexcept nogil
