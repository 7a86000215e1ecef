"""Statistics of root moves, and the choice among them."""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memset

from search.control cimport alloc_apart
from search.graph cimport NO_EDGE, Edge, Node
from search.score cimport scale_of, score_of

# What the move that is left at the end of halving gets, in rounds.
cdef double LAST_ROUND = 0.25

RULES = ("puct", "halving", "top_two")


cdef inline double squared_error(const RootSum* total) noexcept nogil:
    """The squared standard error of a mean; never 0, so that two sure moves can be compared."""
    cdef double n = total.visits
    cdef double mean = total.reward / n
    return (max(total.square / n - mean * mean, 0.0) + 0.01 / n) / n


@cython.final
cdef class RootMoves:
    """Room for so many root moves, none of them visited; `rule` is a word of RULES."""

    def __init__(self, Graph graph, str rule, int number):
        cdef int i
        self.graph = graph
        self.rule = RULES.index(rule)
        self.number = self.num_left = number
        self.edges = <int32_t*>alloc_apart(max(number, 1) * sizeof(int32_t))
        self.sums = <RootSum*>alloc_apart(max(number, 1) * sizeof(RootSum))
        self.left = <int*>alloc_apart(max(number, 1) * sizeof(int))
        if self.edges == NULL or self.sums == NULL or self.left == NULL:
            raise MemoryError()
        memset(self.sums, 0, number * sizeof(RootSum))
        for i in range(number):
            self.left[i] = i
        while (1 << self.most_halvings) < number:
            self.most_halvings += 1

    def __dealloc__(self):
        free(self.edges)
        free(self.sums)
        free(self.left)

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

    cdef void advance(self, double progress) noexcept nogil:
        cdef int due = min(<int>(progress * (self.most_halvings + LAST_ROUND)), self.most_halvings)
        if self.rule != RULE_HALVING:
            return
        while self.halvings < due:
            self.sort()
            self.num_left = (self.num_left + 1) // 2
            self.halvings += 1

    cdef int choose(self, const Numbers* numbers, Backups backups) noexcept nogil:
        cdef const Node* node = &self.graph.nodes[self.node]
        cdef const Edge* edge
        cdef double scale, untried, value, score, best_score = -1e30
        cdef int i, best = self.left[0]
        if self.rule == RULE_TOP_TWO:
            return self.top_two()
        if self.rule == RULE_HALVING:
            for i in range(1, self.num_left):
                if self.sums[self.left[i]].visits < self.sums[best].visits:
                    best = self.left[i]
            return best
        scale = scale_of(numbers, node.visits)
        untried = node.mean - numbers.first_play
        for i in range(self.number):
            edge = &self.graph.edges[self.edges[i]]
            value = edge.mean if edge.visits else untried
            if backups is not None:
                value = backups.mix(value, edge, self.edges[i])
            score = score_of(numbers, scale, value, edge.prior, edge.visits)
            if score > best_score:
                best_score = score
                best = i
        return best

    cdef int top_two(self) noexcept nogil:
        cdef const RootSum* total
        cdef double mean, best_mean, error, evidence, least = 1e30
        cdef int i, leader = 0, challenger
        for i in range(self.number):
            if self.sums[i].visits == 0:
                return i
            if self.is_better(i, leader):
                leader = i
        challenger = leader
        self.turn += 1
        if self.turn & 1:
            return leader
        best_mean = self.sums[leader].reward / self.sums[leader].visits
        for i in range(self.number):
            total = &self.sums[i]
            mean = total.reward / total.visits
            error = squared_error(total) + squared_error(&self.sums[leader])
            evidence = (best_mean - mean) * (best_mean - mean) / error
            if i != leader and evidence < least:
                least = evidence
                challenger = i
        return challenger

    cdef bint is_better(self, int a, int b) noexcept nogil:
        """By mean; what was never tried comes last, by prior; equal ones by the lower move."""
        cdef const Edge* x = &self.graph.edges[self.edges[a]]
        cdef const Edge* y = &self.graph.edges[self.edges[b]]
        if (x.visits > 0) != (y.visits > 0):
            return x.visits > 0
        if x.visits:
            return x.mean > y.mean or (x.mean == y.mean and a < b)
        return x.prior > y.prior or (x.prior == y.prior and a < b)

    cdef void sort(self) noexcept nogil:
        cdef int i, j, moved
        for i in range(1, self.num_left):
            moved = self.left[i]
            j = i
            while j > 0 and self.is_better(moved, self.left[j - 1]):
                self.left[j] = self.left[j - 1]
                j -= 1
            self.left[j] = moved

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

    cdef uint32_t lead(self) noexcept nogil:
        cdef uint32_t visits, most = 0, second = 0
        cdef int i
        for i in range(self.number):
            visits = self.sums[i].edge_visits
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
