"""Booking with implicit minimax and max share."""

cimport cython
from libc.stdlib cimport free, realloc

from engine.types cimport uint32_t
from search.graph cimport NO_EDGE, Node


@cython.final
cdef class Backups:
    """Backups for the searches of one graph; both shares from 0 to 1.

    Edges that earlier searches have left behind begin with their mean as minimax value.
    """

    def __init__(self, Graph graph, double implicit_share, double max_share):
        self.implicit_share = implicit_share
        self.max_share = max_share
        self.make_room(graph)

    def __dealloc__(self):
        free(self.implicit)

    cdef void make_room(self, Graph graph) noexcept nogil:
        cdef int32_t i
        cdef void* p
        if self.implicit_share == 0.0 or graph.edge_capacity <= self.capacity:
            return
        p = realloc(self.implicit, graph.edge_capacity * sizeof(float))
        if p != NULL:
            self.implicit = <float*>p
            for i in range(self.capacity, min(graph.num_edges, graph.edge_capacity)):
                self.implicit[i] = graph.edges[i].mean
            self.capacity = graph.edge_capacity

    cdef void book(self, Graph graph, const int32_t* nodes, const int32_t* edges, int first,
                   int depth, const float* reward) noexcept nogil:
        cdef Node* node
        cdef Edge* edge
        cdef int32_t e
        cdef uint32_t most
        cdef int i
        # Both are of seat 0; of seat 1 they are 1 less that.
        cdef double passed = reward[0], minimax = reward[0], got, best
        for i in range(depth - 1, first - 1, -1):
            node = &graph.nodes[nodes[i]]
            edge = &graph.edges[edges[i]]
            got = passed if node.seat == 0 else 1.0 - passed
            node.visits += 1
            node.mean += (got - node.mean) / node.visits
            edge.visits += 1
            edge.mean += (got - edge.mean) / edge.visits
            if self.implicit_share and edges[i] < self.capacity:
                best = minimax if node.seat == 0 else 1.0 - minimax
                if edge.after_luck and edge.visits > 1:
                    best = self.implicit[edges[i]] + (best - self.implicit[edges[i]]) / edge.visits
                self.implicit[edges[i]] = best
                e = node.first_edge
                while e != NO_EDGE:
                    if graph.edges[e].visits and e < self.capacity and self.implicit[e] > best:
                        best = self.implicit[e]
                    e = graph.edges[e].next
                minimax = best if node.seat == 0 else 1.0 - best
            if self.max_share:
                most = 0
                best = got
                e = node.first_edge
                while e != NO_EDGE:
                    if graph.edges[e].visits > most:
                        most = graph.edges[e].visits
                        best = graph.edges[e].mean
                    e = graph.edges[e].next
                got += self.max_share * (best - got)
                passed = got if node.seat == 0 else 1.0 - got
