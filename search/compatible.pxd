"""Information-set MCTS as the general game frameworks have it, for comparisons with them.

One node for each information state of the seat that decides there (`Game.infoset_key`). A
simulation descends until it comes to an information state that has no node, makes one, and plays
out from there uniformly at random; the first simulation plays out from the root. At a node an
untried move is taken first, uniformly at random, then the best by UCB1 with the visits of the node

    reward / visits + exploration * sqrt(ln(visits of the node) / visits)

where moves closer to the best than TIE decide by lot. Rewards are raw: the points of a PointsGame,
else the final margin. Nodes and moves are counted on the way down, rewards on the way back. Luck
makes no node. The tree is fresh for each search.

The moves that an information state allows depend on nothing else, so the edges of a node lie side
by side: made when the node is passed for the first time, those tried before those untried. A node
where simulations only began a playout has none yet.

Memory: 24 bytes a node, 16 an edge, 4 a slot of the table, which is at most two thirds full. Arrays
grow by doubling. At the limit the tree stays as it is and simulations play out from where it ends.
"""

from libc.stdint cimport int32_t

from engine.points cimport PointsGame
from engine.types cimport key_t, move_t, uint8_t, uint16_t, uint32_t, uint64_t
from search.worker cimport Worker

cdef enum:
    # Simulations between two looks at the clock: those of small games take some 50 ns each.
    SIMULATIONS_PER_LOOK = 256

# Moves whose UCB1 is less than this below the best count as equal.
cdef double TIE

cdef struct Node:
    key_t key
    uint32_t visits         # simulations that chose a move here
    int32_t first           # index of the first edge
    uint16_t moves          # number of edges; 0: not made yet
    uint16_t tried          # edges with visits; they come first

cdef struct Edge:
    double reward           # sum of what the seat that decides at the node got
    move_t move
    uint32_t visits


cdef class CompatibleWorker(Worker):
    cdef PointsGame pointed         # the game, if it counts points; else None
    cdef bint by_points
    cdef double exploration
    cdef size_t limit               # bytes of the arrays together
    cdef Node* nodes                # nodes[0] is the root
    cdef Edge* edges
    cdef int32_t* table             # open addressing; index of a node, 0: empty slot
    cdef int32_t num_nodes
    cdef int32_t num_edges
    cdef int32_t node_capacity
    cdef int32_t edge_capacity
    cdef uint32_t table_size        # a power of two
    cdef int32_t* path_node         # nodes of this simulation; owned
    cdef int32_t* path_edge         # edges taken there; owned
    cdef uint8_t* path_seat         # and by whom; owned

    # The node of a key, or NO_NODE: then it is made, if there is room.
    cdef int32_t _find(self, key_t key) noexcept nogil
    # Give a node its edges, from the state that led there; False if there is no room.
    cdef bint _unfold(self, int32_t index, const move_t* moves, int n) noexcept nogil
    # The edge that a simulation takes at a node that has its edges.
    cdef int32_t _choose(self, Node* node) noexcept nogil
    cdef int32_t _choose_among_equals(self, const Node* node, double least) noexcept nogil
    cdef void _back_up(self, int depth) noexcept nogil
    cdef void _take_back(self, int depth) noexcept nogil
    cdef bint _grow_nodes(self) noexcept nogil
    cdef bint _grow_edges(self, int extra) noexcept nogil
    cdef size_t _bytes(self, size_t nodes, size_t slots, size_t edges) noexcept nogil
