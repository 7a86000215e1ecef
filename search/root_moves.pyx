"""Statistics of root moves, and the choice among them."""

cimport cython
from libc.stdint cimport int64_t
from libc.stdlib cimport free
from libc.string cimport memset

from search.control cimport alloc_apart
from search.exchange cimport Exchange, Told
from search.graph cimport NO_EDGE, Edge, Node
from search.score cimport scale_of, score, score_of


@cython.final
cdef class RootMoves:
    """Room for so many root moves, none of them visited; those of a `thread` of an exchange."""

    def __init__(self, Graph graph, int number, Exchange exchange=None, int thread=0):
        self.graph = graph
        self.number = number
        self.edges = <int32_t*>alloc_apart(max(number, 1) * sizeof(int32_t))
        self.sums = <RootSum*>alloc_apart(max(number, 1) * sizeof(RootSum))
        if self.edges == NULL or self.sums == NULL:
            raise MemoryError()
        memset(self.sums, 0, number * sizeof(RootSum))
        if exchange is None:
            return
        if exchange.moves != number:
            raise ValueError(f"{number} root moves in an exchange of {exchange.moves}")
        self.exchange, self.thread = exchange, thread
        self.heard = <Told*>alloc_apart(number * sizeof(Told))
        if self.heard == NULL:
            raise MemoryError()
        memset(self.heard, 0, number * sizeof(Told))

    def __dealloc__(self):
        free(self.heard)
        free(self.edges)
        free(self.sums)

    cdef bint find_edges(self, int32_t node, const move_t* moves) noexcept nogil:
        cdef int32_t edge = self.graph.nodes[node].first_edge
        cdef int i
        self.node = node
        for i in range(self.number):
            while edge != NO_EDGE and self.graph.edges[edge].move != moves[i]:
                edge = self.graph.edges[edge].next
            if edge == NO_EDGE:
                return False
            self.edges[i] = edge
            self.copy_edge(i)
        return True

    cdef void copy_edge(self, int index) noexcept nogil:
        cdef const Edge* edge = &self.graph.edges[self.edges[index]]
        self.sums[index].edge_visits = edge.visits
        self.sums[index].edge_mean = edge.mean
        self.node_visits = self.graph.nodes[self.node].visits

    cdef int choose(self, const Numbers* numbers) noexcept nogil:
        cdef const Node* node = &self.graph.nodes[self.node]
        cdef const Edge* edge
        cdef double worth, best_worth = -1e30
        cdef double scale = scale_of(numbers, node.visits + self.heard_visits)
        cdef double untried = node.mean - numbers.first_play
        cdef int i, best = 0
        for i in range(self.number):
            edge = &self.graph.edges[self.edges[i]]
            if self.heard == NULL:
                worth = score_of(scale, edge, untried)
            else:
                worth = self.joint_score(scale, edge, &self.heard[i], untried)
            if worth > best_worth:
                best_worth = worth
                best = i
        return best

    cdef inline double joint_score(self, double scale, const Edge* edge, const Told* heard,
                                   double untried) noexcept nogil:
        """The score of a move by what all threads have found."""
        cdef double visits = edge.visits + heard.visits
        cdef double mean = 0.0
        if visits > 0.0:
            mean = (edge.mean * edge.visits + heard.reward) / visits
        return score(scale, mean, visits, edge.prior, untried)

    cdef void tell(self, int64_t round, bint has_ended) noexcept nogil:
        cdef Told* page
        cdef int i
        if self.exchange is None:
            return
        page = self.exchange.page(self.thread, round)
        for i in range(self.number):
            page[i].reward = self.sums[i].edge_mean * self.sums[i].edge_visits
            page[i].visits = self.sums[i].edge_visits
        self.exchange.tell(self.thread, round, has_ended)

    cdef bint hear(self, int64_t round) noexcept nogil:
        cdef int i
        if not self.exchange.hear(self.thread, round, self.heard):
            return False
        self.heard_visits = 0.0
        for i in range(self.number):
            self.heard_visits += self.heard[i].visits
        return True

    cdef void book(self, int index, double reward, double margin, double won,
                   double drawn) noexcept nogil:
        cdef RootSum* total = &self.sums[index]
        total.visits += 1
        total.square += reward * reward
        total.reward += reward
        total.margin += margin
        total.wins += won
        total.draws += drawn
        self.copy_edge(index)

    cdef double lead(self) noexcept nogil:
        cdef double visits, most = 0.0, second = 0.0
        cdef int i
        for i in range(self.number):
            visits = self.sums[i].edge_visits
            if self.heard != NULL:
                visits += self.heard[i].visits
            if visits > most:
                second = most
                most = visits
            elif visits > second:
                second = visits
        return most - second

    cdef tuple row(self, int index, move_t move):
        # A copy: while it is read the worker may write.
        cdef RootSum total = self.sums[index]
        cdef double visits = total.edge_visits, mean, spread = 0.0
        if total.visits:
            mean = total.reward / total.visits
            spread = max(total.square / total.visits - mean * mean, 0.0)
        return (move, total.edge_visits, self.node_visits, total.edge_mean * visits,
                total.margin, total.wins, total.draws,
                (spread + total.edge_mean * total.edge_mean) * visits, total.visits)
