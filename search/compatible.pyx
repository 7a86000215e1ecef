"""IS-MCTS with a node for every information state; see compatible.pxd."""

cimport cython
from libc.math cimport sqrt
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from engine.game cimport State
from engine.rng cimport rng_below
from engine.types cimport MAX_MOVES, MAX_SEATS, SEAT_CHANCE
from search.control cimport alloc_apart
from search.maths cimport ln
from search.playout cimport playout

cdef enum:
    ROOT = 0
    NO_NODE = -1
    NO_EDGE = -1
    # Any tree has room for so many nodes and edges, whatever its limit.
    LEAST_NODES = 256
    LEAST_EDGES = 2048

cdef int32_t MOST = 1 << 30

TIE = 1e-5


@cython.final
cdef class CompatibleWorker(Worker):
    """See Worker; further options are `exploration`, and `hash_bytes`, the limit of the tree."""

    def __init__(self, State view, stop, seed, index, searchmoves, playout_plies, *,
                 exploration, hash_bytes):
        cdef int plies = self.game.max_plies
        self.exploration = exploration
        self.limit = hash_bytes
        self.batch = SIMULATIONS_PER_LOOK
        self.by_points = isinstance(self.game, PointsGame)
        self.pointed = self.game if self.by_points else None
        self.path_node = <int32_t*>alloc_apart(plies * sizeof(int32_t))
        self.path_edge = <int32_t*>alloc_apart(plies * sizeof(int32_t))
        self.path_seat = <uint8_t*>alloc_apart(plies)
        if self.path_node == NULL or self.path_edge == NULL or self.path_seat == NULL:
            raise MemoryError()
        if not self._grow_nodes() or not self._grow_edges(self.num_root_moves):
            raise MemoryError()
        self.num_nodes = 1
        self.nodes[ROOT].key = self.game.infoset_key(view.data, self.seat)
        self._unfold(ROOT, self.root_moves, self.num_root_moves)
        # The first simulation tries none of the root moves.
        if self.look_goal:
            self.look_goal += 1

    def __dealloc__(self):
        with nogil:
            free(self.nodes)
            free(self.edges)
            free(self.table)
            free(self.path_node)
            free(self.path_edge)
            free(self.path_seat)

    # ---- one simulation ----

    cdef bint simulate(self) noexcept nogil:
        cdef move_t moves[MAX_MOVES]
        cdef void* world = self.world
        cdef int32_t index = ROOT if self.simulations else NO_NODE
        cdef int32_t edge
        cdef int seat = self.seat, depth = 0, n
        cdef Node* node
        self.draw_world()
        while index != NO_NODE:
            node = &self.nodes[index]
            if node.moves == 0:
                n = self.game.legal_moves(world, moves)
                if not self._unfold(index, moves, n):
                    break
                node = &self.nodes[index]
            edge = self._choose(node)
            node.visits += 1
            self.edges[edge].visits += 1
            self.path_node[depth] = index
            self.path_edge[depth] = edge
            self.path_seat[depth] = seat
            depth += 1
            self.game.apply(world, self.edges[edge].move)
            seat = self.game.seat_to_move(world)
            while seat == SEAT_CHANCE:
                self.game.apply(world, self.game.sample_chance(world, &self.world_rng))
                seat = self.game.seat_to_move(world)
            if seat < 0 or depth == self.game.max_plies:
                break
            index = self._find(self.game.infoset_key(world, seat))
        if seat >= 0 and self.playout_plies:
            if not playout(self.game, world, &self.playout_rng, self.playout_plies, &self.watch,
                           &self.count):
                self._take_back(depth)
                return False
        self._back_up(depth)
        return True

    cdef inline void _back_up(self, int depth) noexcept nogil:
        cdef float got[MAX_SEATS]
        cdef int i
        if self.by_points:
            self.pointed.points(self.world, got)
        else:
            self.game.margins(self.world, got)
        for i in range(depth):
            self.edges[self.path_edge[i]].reward += got[self.path_seat[i]]
        self.depth_sum += depth
        if depth > self.seldepth:
            self.seldepth = depth

    cdef void _take_back(self, int depth) noexcept nogil:
        """Uncount a simulation that was cut short."""
        cdef int i
        cdef Node* node
        for i in range(depth - 1, -1, -1):
            node = &self.nodes[self.path_node[i]]
            node.visits -= 1
            self.edges[self.path_edge[i]].visits -= 1
            if self.edges[self.path_edge[i]].visits == 0:
                # It was the last one to be tried, so it goes back behind those that were.
                node.tried -= 1

    cdef inline int32_t _choose(self, Node* node) noexcept nogil:
        cdef Edge* edges = &self.edges[node.first]
        cdef Edge other
        cdef double log, share, score, best = -1e300, second = -1e300
        cdef int i, n = node.moves, chosen = node.tried
        if chosen < n:
            i = chosen + <int>(rng_below(&self.select_rng, n - chosen) if n - chosen > 1 else 0)
            other = edges[chosen]
            edges[chosen] = edges[i]
            edges[i] = other
            node.tried += 1
            return node.first + chosen
        if n == 1:
            return node.first
        log = ln(node.visits)
        for i in range(n):
            share = 1.0 / edges[i].visits
            score = edges[i].reward * share + self.exploration * sqrt(log * share)
            if score > best:
                second = best
                best = score
                chosen = i
            elif score > second:
                second = score
        if second > best - TIE:
            return self._choose_among_equals(node, best - TIE)
        return node.first + chosen

    cdef int32_t _choose_among_equals(self, const Node* node, double least) noexcept nogil:
        """Draw one of the edges with a UCB1 above `least`."""
        cdef const Edge* edges = &self.edges[node.first]
        cdef int32_t equal[MAX_MOVES]
        cdef double share, log = ln(node.visits)
        cdef int i, n = 0
        for i in range(node.moves):
            share = 1.0 / edges[i].visits
            if edges[i].reward * share + self.exploration * sqrt(log * share) > least:
                equal[n] = i
                n += 1
        return node.first + equal[rng_below(&self.select_rng, n)]

    # ---- storage ----

    cdef inline int32_t _find(self, key_t key) noexcept nogil:
        cdef uint32_t slot = <uint32_t>key & (self.table_size - 1)
        cdef int32_t index = self.table[slot]
        while index:
            if self.nodes[index].key == key:
                return index
            slot = (slot + 1) & (self.table_size - 1)
            index = self.table[slot]
        if self.num_nodes < self.node_capacity:
            self.nodes[self.num_nodes].key = key
            self.table[slot] = self.num_nodes
            self.num_nodes += 1
            self.last_growth = self.simulations
        elif self._grow_nodes():
            self._find(key)
        return NO_NODE

    cdef bint _unfold(self, int32_t index, const move_t* moves, int n) noexcept nogil:
        cdef Node* node = &self.nodes[index]
        cdef Edge* edge
        cdef int i
        if self.num_edges + n > self.edge_capacity and not self._grow_edges(n):
            return False
        node.first = self.num_edges
        node.moves = n
        for i in range(n):
            edge = &self.edges[self.num_edges + i]
            edge.reward = 0.0
            edge.move = moves[i]
            edge.visits = 0
        self.num_edges += n
        return True

    cdef size_t _bytes(self, size_t nodes, size_t slots, size_t edges) noexcept nogil:
        return nodes * sizeof(Node) + slots * sizeof(int32_t) + edges * sizeof(Edge)

    cdef bint _grow_nodes(self) noexcept nogil:
        """Double the nodes and the table; False where the limit or the machine does not allow."""
        cdef int32_t capacity = 2 * self.node_capacity if self.node_capacity else LEAST_NODES
        cdef uint32_t size = 2 * capacity, slot
        cdef int32_t i
        cdef void* nodes
        cdef void* table
        if capacity > MOST or (self.node_capacity and
                               self._bytes(capacity, size, self.edge_capacity) > self.limit):
            return False
        table = calloc(size, sizeof(int32_t))
        nodes = realloc(self.nodes, capacity * sizeof(Node))
        if nodes != NULL:
            self.nodes = <Node*>nodes
        if nodes == NULL or table == NULL:
            free(table)
            return False
        memset(&self.nodes[self.node_capacity], 0,
               (capacity - self.node_capacity) * sizeof(Node))
        free(self.table)
        self.table = <int32_t*>table
        self.table_size = size
        for i in range(ROOT + 1, self.num_nodes):
            slot = <uint32_t>self.nodes[i].key & (size - 1)
            while self.table[slot]:
                slot = (slot + 1) & (size - 1)
            self.table[slot] = i
        self.node_capacity = capacity
        return True

    cdef bint _grow_edges(self, int extra) noexcept nogil:
        cdef int64_t capacity = self.edge_capacity if self.edge_capacity else LEAST_EDGES
        cdef void* edges
        while capacity < self.num_edges + extra:
            capacity *= 2
        if capacity > MOST or (self.edge_capacity and
                               self._bytes(self.node_capacity, self.table_size, capacity)
                               > self.limit):
            return False
        edges = realloc(self.edges, capacity * sizeof(Edge))
        if edges == NULL:
            return False
        self.edges = <Edge*>edges
        self.edge_capacity = capacity
        return True

    # ---- when it ends ----

    cdef bint has_settled(self) noexcept nogil:
        return self.simulations > 1000 and self.simulations > 2 * self.last_growth

    # ---- for Python ----

    def rows(self):
        """The root moves; see Worker. Only while the worker does not run.

        `margin` is the sum of what is maximised, points or margins. The returns are guessed from
        its mean m, as m / (|m| + margin_scale) brought to 0..1, as if each were a win or a loss.
        """
        cdef Node* root = &self.nodes[ROOT]
        cdef Edge* edge
        cdef int i
        rows = []
        for i in range(root.moves):
            edge = &self.edges[root.first + i]
            mean = edge.reward / edge.visits if edge.visits else 0.0
            win = 0.5 + 0.5 * mean / (abs(mean) + self.game.margin_scale)
            reward = win * edge.visits
            rows.append((edge.move, edge.visits, root.visits, reward, edge.reward, round(reward), 0,
                         reward, edge.visits))
        return sorted(rows)

    def node(self, key_t key):
        """The pair (visits, [(move, visits, reward), ...]) of a node, by move; None if it is new.

        Only while the worker does not run.
        """
        cdef int32_t i
        cdef int k
        for i in range(self.num_nodes):
            if self.nodes[i].key == key:
                edges = [self.edges[self.nodes[i].first + k] for k in range(self.nodes[i].moves)]
                return self.nodes[i].visits, sorted((e["move"], e["visits"], e["reward"])
                                                    for e in edges)
        return None

    @property
    def size(self):
        """The number of nodes."""
        return self.num_nodes

    @property
    def bytes_per_node(self):
        """Bytes of nodes, edges and used slots of the table, for each node."""
        cdef size_t used = self._bytes(self.num_nodes, self.num_nodes - 1, self.num_edges)
        return <double>used / self.num_nodes

    @property
    def memory(self):
        """Bytes of the arrays, in use or not."""
        return self._bytes(self.node_capacity, self.table_size, self.edge_capacity)

    @property
    def permille(self):
        """How full the memory for the tree is."""
        used = self._bytes(self.num_nodes, self.num_nodes, self.num_edges)
        return min(1000 * used // max(self.limit, 1), 1000)
