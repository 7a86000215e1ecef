"""The graph of a search: what is known at a decision, found by a 64-bit key.

A node is a decision as somebody sees it: its key says what that seat knows, not how it came to
know it, so that movement sequences which lead to the same knowledge share a node. Which seat's
knowledge counts is the caller's choice. Statistics live on the edges, one for each move.

The legal moves of a *closed* node are the same in every world that leads to it (the key holds all
that the deciding seat knows): its edges are made at once and lie side by side. At an *open* node
another seat decides with secrets that the key leaves out: its edges form a list in ascending order
of the move, to which worlds add those that they allow.

Nodes and edges are arrays that grow by doubling. What is left before the limit is shared out in the
proportion in which they are used; full, the graph stays as it is. An index finds nodes by key, see
key_index.pxd.

Memory: 32 bytes a node, 32 an edge, 6 to 12 for the index per node.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

from engine.types cimport int8_t, key_t, move_t, uint16_t, uint32_t, uint8_t
from search.control cimport CACHE_LINE
from search.key_index cimport KeyIndex

cdef enum:
    NO_NODE = -1
    NO_EDGE = -1

cdef struct Node:
    key_t key
    double mean             # mean reward of the seat that decides here; before: its estimate
    int32_t first_edge      # lowest move, or NO_EDGE
    uint32_t visits         # simulations that chose a move here
    uint16_t num_edges
    int8_t seat             # who decides here
    uint8_t is_open         # edges are a list, not all of them need to be there

cdef struct Edge:
    double mean             # mean reward of the seat that decides at the node
    move_t move
    uint32_t visits         # simulations that took this edge
    float prior             # how likely the seat is to choose it, by itself
    int32_t child           # node last reached over this edge, or NO_NODE
    int32_t next            # edge of the same node with the next higher move, or NO_EDGE
    uint16_t outcomes       # nodes first reached over this edge; no more than 65535 are counted
    uint8_t after_luck      # luck has decided something between this edge and a child


cdef class Graph:
    cdef Node* nodes
    cdef Edge* edges
    cdef KeyIndex index
    cdef readonly int32_t num_nodes
    cdef readonly int32_t num_edges
    cdef int32_t node_capacity      # what this search may use
    cdef int32_t edge_capacity
    cdef int64_t allocated_nodes    # what there is memory for
    cdef int64_t allocated_edges
    cdef int64_t limit_bytes
    cdef bint is_grown              # it becomes no larger
    cdef readonly uint32_t search   # number of the search under way
    cdef public uint64_t booked     # simulations since it was empty
    cdef char apart[CACHE_LINE]     # graphs of two threads share no line

    # Make room for `extra` more nodes and `extra_edges` more edges as far as the limit allows.
    cdef void reserve(self, int32_t extra, int32_t extra_edges) noexcept nogil
    # The node of a key, or NO_NODE.
    cdef int32_t find(self, key_t key) noexcept nogil
    # Make the node of a key that has none, without edges; NO_NODE when there is no room.
    cdef int32_t add_node(self, key_t key, int seat, bint is_open) noexcept nogil
    # Give a new closed node an edge for each of `n` moves; False when there is no room.
    cdef bint add_edges(self, int32_t node, const move_t* moves, const float* priors,
                        int n) noexcept nogil
    # Insert an edge of an open node for a move that has none; NO_EDGE when there is no room.
    cdef int32_t add_edge(self, int32_t node, move_t move, float prior) noexcept nogil
    # Forget everything; the memory is kept.
    cdef void clear(self) noexcept nogil

    cdef bint _resize(self, int64_t nodes, int64_t edges) noexcept nogil
    cdef int64_t _edges_beside(self, int64_t nodes) noexcept nogil
    cdef int64_t _most_nodes(self) noexcept nogil
    cdef void _grow(self, int32_t extra, int32_t extra_edges) noexcept nogil
    cdef int _check(self, int32_t node) except -1
