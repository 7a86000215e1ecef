"""The tree: two arrays that grow by doubling, and an index that finds nodes by key.

A node is a decision point as the searching seat sees it; statistics live on the edges, one for
each move that was ever tried there. A node is found by its path key: the key of the parent, then
every move and chance outcome on the way as the searching seat sees them. Chance events make no
node of their own. Different secrets of others therefore share one node, and the moves that are
legal in one determinization are a part of its edges.

The edges of a node form a list in ascending order of the move, so that matching them with the
legal moves (also ascending) is one walk over both.

Memory: 16 bytes a node, 32 an edge, 6 to 12 for the index per node. A simulation adds at most one
node and one edge. At the limit the tree stays as it is: simulations descend as far as it reaches
and play out from there.
"""

from libc.stdint cimport int32_t, int64_t

from engine.rng cimport mix64
from engine.types cimport int8_t, key_t, move_t, uint8_t, uint32_t, uint64_t
from search.control cimport CACHE_LINE
from search.key_index cimport KeyIndex

cdef enum:
    ROOT = 0                # index of the root node
    NO_NODE = -1
    NO_EDGE = -1
    # Any tree holds that many nodes, whatever its limit: at least the root with all its moves.
    MIN_CAPACITY = 2048

cdef struct Node:
    key_t key               # path key
    int32_t first_edge      # edge with the lowest move, or NO_EDGE
    int8_t seat             # who decides here
    uint8_t after_luck      # chance events lie between the edge that leads here and this node

cdef struct Edge:
    double reward           # sum of returns (0..1) of the seat that decides at the node
    move_t move
    uint32_t visits         # simulations that took this edge
    uint32_t availability   # simulations that came by and could have taken it
    int32_t next            # edge of the same node with the next higher move, or NO_EDGE
    int32_t child           # node last reached over this edge, or NO_NODE


cdef inline key_t extend(key_t key, move_t event) noexcept nogil:
    """Return the path key one event further; different events give different keys."""
    return mix64(key ^ (event * <uint64_t>0x9E3779B97F4A7C15))


cdef class Tree:
    cdef Node* nodes
    cdef Edge* edges
    cdef KeyIndex index
    cdef int32_t num_nodes
    cdef int32_t num_edges
    cdef int32_t capacity       # nodes, and edges, that have memory
    cdef int32_t limit          # capacity may not become larger
    cdef char apart[CACHE_LINE]     # trees of two threads share no line

    # Make room for `extra` more nodes and edges as far as the limit allows.
    cdef void reserve(self, int32_t extra) noexcept nogil
    # Insert an edge for a move that has none; NO_EDGE when the tree is full.
    cdef int32_t add_edge(self, int32_t node, move_t move) noexcept nogil
    # The node of a path key behind an edge, made if it is new; NO_NODE when the tree is full.
    cdef int32_t child(self, int32_t edge, key_t key, int seat, bint after_luck) noexcept nogil

    cdef bint _grow(self, int32_t capacity) noexcept nogil
    cdef int _check(self, int32_t node) except -1
