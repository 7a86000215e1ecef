"""Which edge a simulation takes at a node: an untried move first, else the best by UCB1.

For every edge that is legal in the present determinization

    reward / visits + exploration * sqrt(ln(availability) / visits)

with the reward of the seat that decides there. Availability stands where UCB1 has the visits of
the parent, because a move that is rarely legal must not look neglected. Availability is counted
for all edges legal in this determinization, the new one included, after the choice.
"""

from libc.stdint cimport int32_t

from engine.rng cimport Rng
from engine.types cimport move_t
from search.tree cimport Tree

cdef struct Choice:
    int32_t edge        # the edge to take; NO_EDGE: the best move is untried, but the tree is full
    int index           # of its move among the legal moves
    bint grown          # the edge is new


# Choose among the `n` legal `moves` (ascending) of a node. Equal UCB values: the lower move.
cdef Choice choose(Tree tree, int32_t node, const move_t* moves, int n, double exploration,
                   Rng* rng) noexcept nogil
