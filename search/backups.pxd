"""Other backups than the plain mean, for games of two seats whose returns add up to 1.

*Implicit minimax* (M. Lanctot, M. Winands, T. Pepels and N. Sturtevant, "Monte Carlo tree search
with heuristic evaluations using implicit minimax backups", IEEE CIG 2014): beside its mean each
edge has the minimax value of the leaves below it, by which moves are chosen in part. A leaf counts
as it was valued; a node as its best edge so far; an edge as the node it leads to, or, where luck
decides in between, as the mean over its visits.

*Max share*: a node passes up, in place of the reward, a mixture of the reward and the mean of its
most visited move: what was learnt about the best reply counts more than the tries that taught it.
"""

from libc.stdint cimport int32_t

from search.graph cimport Edge, Graph


cdef class Backups:
    cdef double implicit_share      # of the minimax value in what moves are chosen by
    cdef double max_share
    cdef float* implicit            # of each edge, for the seat that decides there; owned
    cdef int32_t capacity           # edges beyond have no minimax value: their mean counts

    # Have room for all edges that the graph has memory for; before each batch.
    cdef void make_room(self, Graph graph) noexcept nogil
    # Book the reward on the nodes and edges of a way from number `first` on.
    cdef void book(self, Graph graph, const int32_t* nodes, const int32_t* edges, int first,
                   int depth, const float* reward) noexcept nogil

    # Mix a mean, or what stands in for it, with the minimax value of an edge that has visits.
    cdef inline double mix(self, double mean, const Edge* edge, int32_t index) noexcept nogil:
        if edge.visits == 0 or index >= self.capacity:
            return mean
        return mean + self.implicit_share * (self.implicit[index] - mean)
