"""Storage of the tree."""

cimport cython
from libc.stdlib cimport free, realloc

from search.key_index cimport (
    ENTRIES_AT_ONCE, enter_key, find_key, free_index, grow_index, move_entries, slots_for)


cdef int64_t bytes_for(int64_t capacity) noexcept nogil:
    return (capacity * (<int64_t>sizeof(Node) + <int64_t>sizeof(Edge))
            + slots_for(capacity) * <int64_t>sizeof(int32_t))


@cython.final
cdef class Tree:
    """A tree with only its root; `limit_bytes` bounds its memory (see MIN_CAPACITY)."""

    def __cinit__(self, key_t root_key, int root_seat, int64_t limit_bytes):
        cdef int64_t low = MIN_CAPACITY, high = 1 << 29, middle
        while low < high:
            middle = (low + high + 1) // 2
            if bytes_for(middle) <= limit_bytes:
                low = middle
            else:
                high = middle - 1
        self.limit = low
        self.index.stride = sizeof(Node)
        if not self._grow(MIN_CAPACITY):
            raise MemoryError()
        self.nodes[ROOT].key = root_key
        enter_key(&self.index, sizeof(Node), root_key, ROOT)
        self.nodes[ROOT].first_edge = NO_EDGE
        self.nodes[ROOT].seat = root_seat
        self.nodes[ROOT].after_luck = False
        self.num_nodes = 1

    def __dealloc__(self):
        # To give gigabytes back takes long enough for other threads to notice.
        with nogil:
            free(self.nodes)
            free(self.edges)
            free_index(&self.index)

    cdef bint _grow(self, int32_t capacity) noexcept nogil:
        """Take memory for `capacity` nodes and edges; False if there is none."""
        cdef void* p
        p = realloc(self.nodes, capacity * sizeof(Node))
        if p == NULL:
            return False
        self.nodes = <Node*>p
        self.index.nodes = <char*>p
        p = realloc(self.edges, capacity * sizeof(Edge))
        if p == NULL:
            return False
        self.edges = <Edge*>p
        if not grow_index(&self.index, capacity, self.num_nodes):
            return False
        self.capacity = capacity
        return True

    cdef void reserve(self, int32_t extra) noexcept nogil:
        cdef int32_t larger
        move_entries(&self.index, ENTRIES_AT_ONCE)
        if self.num_edges + extra <= self.capacity and self.num_nodes + extra <= self.capacity:
            return
        if self.capacity == self.limit:
            return
        larger = 2 * self.capacity if self.capacity <= self.limit // 2 else self.limit
        if not self._grow(larger):
            # The machine has no more memory: go on as if this were the limit.
            self.limit = self.capacity

    cdef int32_t add_edge(self, int32_t node, move_t move) noexcept nogil:
        cdef int32_t* link = &self.nodes[node].first_edge
        cdef Edge* edge
        cdef int32_t index = self.num_edges
        if index == self.capacity:
            return NO_EDGE
        while link[0] != NO_EDGE and self.edges[link[0]].move < move:
            link = &self.edges[link[0]].next
        edge = &self.edges[index]
        edge.reward = 0.0
        edge.move = move
        edge.visits = 0
        edge.availability = 0
        edge.next = link[0]
        edge.child = NO_NODE
        link[0] = index
        self.num_edges += 1
        return index

    cdef int32_t child(self, int32_t edge, key_t key, int seat, bint after_luck) noexcept nogil:
        cdef int32_t index = self.edges[edge].child
        cdef Node* node
        if index != NO_NODE and self.nodes[index].key == key:
            return index
        index = find_key(&self.index, sizeof(Node), key)
        if index == NO_NODE:
            if self.num_nodes == self.capacity:
                return NO_NODE
            index = self.num_nodes
            node = &self.nodes[index]
            node.key = key
            node.first_edge = NO_EDGE
            node.seat = seat
            node.after_luck = after_luck
            enter_key(&self.index, sizeof(Node), key, index)
            self.num_nodes += 1
        self.edges[edge].child = index
        return index

    # ---- for Python: reports, tests ----

    @property
    def size(self):
        """The number of nodes."""
        return self.num_nodes

    @property
    def permille(self):
        """How full the tree is, per thousand of what its limit allows."""
        return 1000 * <int64_t>max(self.num_nodes, self.num_edges) // self.limit

    @property
    def memory(self):
        """Bytes in use by the arrays."""
        return bytes_for(self.capacity)

    def seat(self, int32_t node):
        """The seat that decides at a node."""
        self._check(node)
        return self.nodes[node].seat

    def edges_of(self, int32_t node):
        """The edges of a node as tuples (move, visits, availability, reward, child), ascending.

        `child` is the node last reached over the edge, or -1.
        """
        self._check(node)
        out = []
        cdef int32_t e = self.nodes[node].first_edge
        while e != NO_EDGE:
            edge = self.edges[e]
            out.append((edge.move, edge.visits, edge.availability, edge.reward, edge.child))
            e = self.edges[e].next
        return out

    def look(self, int32_t node, uint32_t _search):
        """A node with its edges, for search.outline; see Graph.look. No later search changes them.

        There are no priors, nor counts of outcomes. Whether luck lies behind an edge is known of
        the child last reached.
        """
        edges = []
        visits, reward = 0, 0.0
        for move, count, _, total, child in self.edges_of(node):
            luck = child != NO_NODE and bool(self.nodes[<int32_t>child].after_luck)
            mean = total / count if count else 0.0
            edges.append((move, count, None, mean, child, luck, None))
            visits += count
            reward += total
        is_open = self.nodes[node].seat != self.nodes[ROOT].seat
        return (self.seat(node), visits, reward / visits if visits else 0.0, is_open, edges)

    def line_from(self, move_t move, int length=64):
        """The moves most visited from the root on, beginning with `move`.

        The line ends where luck decides next, where nothing was tried, or at `length` moves.
        """
        line = [move]
        edge = next((e for e in self.edges_of(ROOT) if e[0] == move), None)
        while edge is not None and len(line) < length:
            if edge[4] == NO_NODE or self.nodes[<int32_t>edge[4]].after_luck:
                break
            tried = [e for e in self.edges_of(edge[4]) if e[1]]
            edge = max(tried, key=lambda e: (e[1], e[3] / e[1], -e[0]), default=None)
            if edge is not None:
                line.append(edge[0])
        return line

    cdef int _check(self, int32_t node) except -1:
        if not 0 <= node < self.num_nodes:
            raise IndexError(f"no node {node}, the tree has {self.num_nodes}")
        return 0
