"""Storage of the graph."""

cimport cython
from libc.stdlib cimport free, realloc

from search.control cimport MOST_SIMULATIONS
from search.key_index cimport (
    ENTRIES_AT_ONCE, clear_index, enter_key, find_key, free_index, grow_index, move_entries,
    slots_for)


cdef enum:
    # Any graph holds so many nodes and edges, whatever its limit.
    MIN_NODES = 1024
    MIN_EDGES = 4096
    # What can be counted.
    MOST_NODES = 1 << 28
    MOST_EDGES = 1 << 30


cdef int64_t bytes_for(int64_t nodes, int64_t edges) noexcept nogil:
    return (nodes * <int64_t>sizeof(Node) + edges * <int64_t>sizeof(Edge)
            + slots_for(nodes) * <int64_t>sizeof(int32_t))


@cython.final
cdef class Graph:
    """An empty graph; `limit_bytes` bounds its memory (a small graph has its least size)."""

    def __cinit__(self, int64_t limit_bytes):
        self.limit_bytes = limit_bytes
        self.index.stride = sizeof(Node)
        if not self._resize(MIN_NODES, MIN_EDGES):
            raise MemoryError()

    def __dealloc__(self):
        with nogil:
            free(self.nodes)
            free(self.edges)
            free_index(&self.index)

    cdef bint _resize(self, int64_t nodes, int64_t edges) noexcept nogil:
        """Allow so many nodes and edges, none fewer than are in use; False: no memory.

        Then those that are there stay. What earlier searches have left is not given back unless
        both together would be too much.
        """
        cdef int64_t all_nodes = max(nodes, self.allocated_nodes)
        cdef int64_t all_edges = max(edges, self.allocated_edges)
        cdef void* p
        if bytes_for(all_nodes, all_edges) > self.limit_bytes:
            all_nodes, all_edges = nodes, edges
        # Should there be no memory half way, nothing may be entered beyond what there is.
        self.edge_capacity = min(all_edges, self.edge_capacity)
        self.node_capacity = min(all_nodes, self.node_capacity)
        if all_edges != self.allocated_edges:
            p = realloc(self.edges, all_edges * sizeof(Edge))
            if p == NULL:
                return False
            self.edges = <Edge*>p
            self.allocated_edges = all_edges
        self.edge_capacity = edges
        if all_nodes != self.allocated_nodes:
            p = realloc(self.nodes, all_nodes * sizeof(Node))
            if p == NULL:
                return False
            self.nodes = <Node*>p
            self.index.nodes = <char*>p
            self.allocated_nodes = all_nodes
        if not grow_index(&self.index, all_nodes, self.num_nodes):
            return False
        self.node_capacity = nodes
        return True

    cdef int64_t _edges_beside(self, int64_t nodes) noexcept nogil:
        """How many edges so many nodes have if later ones have as many as those of now."""
        cdef int64_t edges = self.num_edges * nodes // max(self.num_nodes, 1)
        return min(max(edges, MIN_EDGES), MOST_EDGES)

    cdef int64_t _most_nodes(self) noexcept nogil:
        """How many nodes, with their edges, the limit allows: what is in use, at least."""
        cdef int64_t low = max(MIN_NODES, self.num_nodes), high = MOST_NODES, middle
        while low < high:
            middle = (low + high + 1) // 2
            if bytes_for(middle, self._edges_beside(middle)) <= self.limit_bytes:
                low = middle
            else:
                high = middle - 1
        return low

    cdef void _grow(self, int32_t extra, int32_t extra_edges) noexcept nogil:
        """Double what is full; what is left at the end is shared out as nodes and edges need it."""
        cdef int64_t nodes = self.node_capacity, edges = self.edge_capacity
        if self.num_nodes + extra > nodes:
            nodes = 2 * nodes
        if self.num_edges + extra_edges > edges:
            edges = max(2 * edges, edges + extra_edges)
        if nodes > MOST_NODES or edges > MOST_EDGES or bytes_for(nodes, edges) > self.limit_bytes:
            nodes = self._most_nodes()
            edges = self._edges_beside(nodes)
            # Once that changes little it is the end.
            self.is_grown = (nodes <= self.node_capacity + self.node_capacity // 32
                             and edges <= self.edge_capacity + self.edge_capacity // 32)
            if bytes_for(nodes, edges) > self.limit_bytes:
                self.is_grown = True
                return
        if not self._resize(nodes, edges):
            self.is_grown = True

    cdef void reserve(self, int32_t extra, int32_t extra_edges) noexcept nogil:
        move_entries(&self.index, ENTRIES_AT_ONCE)
        if not self.is_grown and (self.num_nodes + extra > self.node_capacity
                                  or self.num_edges + extra_edges > self.edge_capacity):
            self._grow(extra, extra_edges)

    cdef int32_t find(self, key_t key) noexcept nogil:
        return find_key(&self.index, sizeof(Node), key)

    cdef int32_t add_node(self, key_t key, int seat, bint is_open) noexcept nogil:
        cdef int32_t index = self.num_nodes
        cdef Node* node
        if index == self.node_capacity:
            return NO_NODE
        node = &self.nodes[index]
        node.key = key
        node.mean = 0.0
        node.first_edge = NO_EDGE
        node.visits = 0
        node.num_edges = 0
        node.seat = seat
        node.is_open = is_open
        enter_key(&self.index, sizeof(Node), key, index)
        self.num_nodes = index + 1
        return index

    cdef bint add_edges(self, int32_t node, const move_t* moves, const float* priors,
                        int n) noexcept nogil:
        cdef int32_t first = self.num_edges
        cdef Edge* edge
        cdef int i
        if n < 1 or first + n > self.edge_capacity:
            return False
        for i in range(n):
            edge = &self.edges[first + i]
            edge.mean = 0.0
            edge.move = moves[i]
            edge.visits = 0
            edge.prior = priors[i]
            edge.child = NO_NODE
            edge.next = first + i + 1
            edge.outcomes = 0
            edge.after_luck = False
        self.edges[first + n - 1].next = NO_EDGE
        self.nodes[node].first_edge = first
        self.nodes[node].num_edges = n
        self.num_edges = first + n
        return True

    cdef int32_t add_edge(self, int32_t node, move_t move, float prior) noexcept nogil:
        cdef int32_t* link = &self.nodes[node].first_edge
        cdef Edge* edge
        cdef int32_t index = self.num_edges
        if index == self.edge_capacity or self.nodes[node].num_edges == 0xFFFF:
            return NO_EDGE
        while link[0] != NO_EDGE and self.edges[link[0]].move < move:
            link = &self.edges[link[0]].next
        edge = &self.edges[index]
        edge.mean = 0.0
        edge.move = move
        edge.visits = 0
        edge.prior = prior
        edge.child = NO_NODE
        edge.next = link[0]
        edge.outcomes = 0
        edge.after_luck = False
        link[0] = index
        self.nodes[node].num_edges += 1
        self.num_edges += 1
        return index

    cdef void clear(self) noexcept nogil:
        clear_index(&self.index, self.num_nodes)
        self.num_nodes = self.num_edges = 0
        # How it grows depends on what is in it, not on what earlier searches have left.
        self.node_capacity, self.edge_capacity = MIN_NODES, MIN_EDGES
        self.is_grown = False
        self.booked = 0

    # ---- for Python: reports, tests ----

    def start_search(self, keep):
        """Begin the next search: with what earlier ones found if `keep` and there is room for more.

        That is, unless half of the memory is in use, or of what its counters can hold.
        """
        if not keep or self.permille >= 500 or self.booked > MOST_SIMULATIONS:
            self.clear()
        self.search += 1

    @property
    def permille(self):
        """How full the graph is, per thousand of what its limit allows."""
        cdef int64_t nodes = self.num_nodes, edges = self.num_edges
        if self.is_grown:
            return max(1000 * nodes // self.node_capacity, 1000 * edges // self.edge_capacity)
        return 1000 * nodes // self._most_nodes()

    @property
    def memory(self):
        """Bytes in use by the arrays."""
        return (self.allocated_nodes * <int64_t>sizeof(Node)
                + self.allocated_edges * <int64_t>sizeof(Edge)
                + self.index.size * <int64_t>sizeof(int32_t))

    def find_node(self, key_t key):
        """The index of the node of a key, or None."""
        cdef int32_t node = self.find(key)
        return None if node == NO_NODE else node

    def node(self, int32_t node):
        """What a node is: (key, seat, visits, mean reward of its seat, whether it is open)."""
        self._check(node)
        n = self.nodes[node]
        return (n.key, n.seat, n.visits, n.mean, bool(n.is_open))

    def edges_of(self, int32_t node):
        """The edges of a node as tuples (move, visits, prior, mean reward, child), ascending.

        `child` is the node last reached over the edge, or -1.
        """
        self._check(node)
        out = []
        cdef int32_t e = self.nodes[node].first_edge
        while e != NO_EDGE:
            edge = self.edges[e]
            out.append((edge.move, edge.visits, edge.prior, edge.mean, edge.child))
            e = self.edges[e].next
        return out

    def look(self, int32_t node, uint32_t search):
        """A node with its edges, for search.outline: (seat, visits, mean, is open, edges).

        RuntimeError if another search than that of this number has begun: it may be running.
        An edge is (move, visits, prior, mean reward, child, after luck, outcomes), ascending.
        """
        if search != self.search:
            raise RuntimeError("a later search has begun: what this one had found is gone")
        self._check(node)
        edges = []
        cdef int32_t e = self.nodes[node].first_edge
        while e != NO_EDGE:
            edge = self.edges[e]
            edges.append((edge.move, edge.visits, edge.prior, edge.mean, edge.child,
                          bool(edge.after_luck), edge.outcomes))
            e = edge.next
        n = self.nodes[node]
        return (n.seat, n.visits, n.mean, bool(n.is_open), edges)

    cdef int _check(self, int32_t node) except -1:
        if not 0 <= node < self.num_nodes:
            raise IndexError(f"no node {node}, the graph has {self.num_nodes}")
        return 0
