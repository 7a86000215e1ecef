"""Simulations over the graph of knowledge."""

cimport cython
from libc.math cimport sqrt
from libc.stdlib cimport free
from libc.string cimport memcpy

from engine.game cimport State
from engine.types cimport MAX_MOVES, SEAT_CHANCE, SEAT_NONE
from search.control cimport alloc_apart, clock_ns, expired, give_way
from search.exchange cimport EVERY, Exchange
from search.graph cimport NO_EDGE, NO_NODE
from search.score cimport scale_of, score_of
from search.worker cimport BATCH

from search.lines import line_of

cdef enum:
    # Moves that the list of an open node grows to; walking along it costs time.
    WIDEST = 64
    # Looks at what other threads have told between two at the clock.
    TRIES = 1000

# The standard deviation of rewards before it is known, and the least square of it.
cdef double FIRST_SPREAD = 0.25
cdef double LEAST_SPREAD = 1e-6

KEYINGS = ("observer", "public", "actor", "abstract")


@cython.final
cdef class PuctWorker(Worker):
    """See Worker. `graph` is kept from search to search; `options` are those of search.options.

    With `ahead` it fills the graph from a view in which another seat or luck decides, for a later
    search to find; there are no root moves to choose from.
    """

    def __init__(self, State view, stop, seed, index, searchmoves, playout_plies, *, graph,
                 options, Belief belief=None, ahead=False, Exchange exchange=None):
        self.graph = graph
        self.search = graph.search
        # The belief may go on with the game while this search runs.
        self.belief = None
        if belief is not None and options["belief"]:
            self.belief = belief.copy()
            self.belief.prepare()
        self.decided_share = options["decided_share"]
        self.numbers.exploration = options["exploration"]
        self.numbers.first_play = options["first_play"]
        self.numbers.prior_mix = options["prior_mix"]
        self.keying = KEYINGS.index(options["keying"])
        self.leaves = Leaves(self.game, self.seat, self.playout_plies, options)
        self.root_choice = RootMoves(graph, self.num_root_moves, exchange, index)
        self.is_alone = self.root_choice.exchange is None
        if options["widening"]:
            self.widening = Widening(options["widening"])
        self.path_node = <int32_t*>alloc_apart(MAX_DEPTH * sizeof(int32_t))
        self.path_edge = <int32_t*>alloc_apart(MAX_DEPTH * sizeof(int32_t))
        if self.path_node == NULL or self.path_edge == NULL:
            raise MemoryError()
        self.root_node = NO_NODE
        if not ahead:
            self._make_root(view)

    def __dealloc__(self):
        free(self.path_node)
        free(self.path_edge)

    def _make_root(self, State view):
        """Find or make the node of the root, and the edge of each root move."""
        cdef key_t key
        self.draw_world()
        key = self.key_of(self.seat)
        self.graph.reserve(1, self.game.max_moves)
        self.root_node = self.graph.find(key)
        if self.root_node == NO_NODE:
            self.root_node = self.graph.add_node(key, self.seat, False)
        if self.root_node != NO_NODE and self.graph.nodes[self.root_node].num_edges == 0:
            if not self.open_up(self.root_node):
                self.root_node = NO_NODE
        if self.root_node == NO_NODE:
            raise MemoryError()
        if not self.root_choice.find_edges(self.root_node, self.root_moves):
            # Another position has the same key, by a chance of 2^-64.
            self.graph.clear()
            self._make_root(view)

    cdef void draw_world(self) noexcept nogil:
        memcpy(self.world, self.view.data, self.game.state_size)
        if self.belief is None:
            self.game.determinize(self.world, &self.world_rng)
        else:
            self.belief.draw(self.world, &self.world_rng)

    cdef void prepare(self) noexcept nogil:
        cdef double mean, spread = FIRST_SPREAD
        if self.num_rewards >= BATCH:
            mean = self.reward_sum / self.num_rewards
            spread = self.reward_squares / self.num_rewards - mean * mean
            spread = sqrt(spread if spread > LEAST_SPREAD else LEAST_SPREAD)
        self.numbers.scale = self.numbers.exploration * spread
        self.graph.reserve(BATCH, BATCH * (self.game.max_moves + 8))
        if self.simulations % EVERY == 0:
            self.root_choice.tell(self.simulations // EVERY, False)

    cdef bint meet(self, int64_t pause) noexcept nogil:
        """Hear what the other threads found, and wait for it if they all wait for each other."""
        cdef int tries = 0
        if self.is_alone or self.simulations % EVERY:
            return True
        while not self.root_choice.hear(self.simulations // EVERY):
            tries += 1
            if tries % TRIES == 0:
                if expired(&self.watch) or clock_ns() >= pause:
                    return False
                give_way()
        return True

    cdef void part(self) noexcept nogil:
        # What it has found is told of in the first round that it does not live to see.
        self.root_choice.tell((self.simulations + EVERY - 1) // EVERY, True)

    cdef bint has_settled(self) noexcept nogil:
        return self.simulations > 1000 and self.simulations > 2 * self.last_growth

    cdef bint is_decided(self, double left) noexcept nogil:
        """So many more simulations cannot make another root move the most visited one."""
        if not self.is_alone:
            left *= self.root_choice.exchange.threads
        return self.root_choice.lead() > left * self.decided_share

    cdef inline void pass_to(self, int seat) noexcept nogil:
        """Note who decides next on the way of this simulation."""
        if seat == self.seat:
            self.had_turn = True
        elif self.had_turn:
            self.turn_ended = True

    cdef inline bint is_shared(self, int seat) noexcept nogil:
        """Worlds of different secrets come to one node of this seat, whose moves may differ."""
        if self.keying == KEYING_PUBLIC:
            return self.turn_ended or seat != self.seat
        return self.keying == KEYING_OBSERVER and seat != self.seat

    cdef inline key_t key_of(self, int seat) noexcept nogil:
        if self.keying == KEYING_PUBLIC and self.turn_ended:
            return self.game.public_key(self.world)
        if seat == self.seat or self.keying == KEYING_OBSERVER:
            return self.game.infoset_key(self.world, self.seat)
        if self.keying == KEYING_PUBLIC:
            return self.game.public_key(self.world)
        if self.keying == KEYING_ACTOR:
            return self.game.infoset_key(self.world, seat)
        return self.game.abstract_key(self.world, seat)

    cdef bint simulate(self) noexcept nogil:
        cdef int32_t node = self.root_node, child
        cdef int32_t edge
        cdef Edge* taken
        cdef int seat = self.seat, depth = 0
        cdef key_t key
        child = NO_NODE
        self.had_turn = self.turn_ended = False
        self.draw_world()
        if node == NO_NODE:
            node = self.enter(&seat)
            if node == NO_NODE:
                return True
        self.pass_to(seat)
        while True:
            if depth == 0 and self.num_root_moves:
                edge = self.choose_root()
            elif self.graph.nodes[node].is_open:
                edge = self.choose_open(node)
            else:
                edge = self.choose_closed(node)
            if edge == NO_EDGE:
                break
            self.path_node[depth] = node
            self.path_edge[depth] = edge
            depth += 1
            self.game.apply(self.world, self.graph.edges[edge].move)
            seat = self.game.seat_to_move(self.world)
            if seat == SEAT_CHANCE:
                self.graph.edges[edge].after_luck = True
                if self.widening is not None:
                    seat = self.widening.let_luck(self.game, self.world, edge, &self.world_rng)
            while seat == SEAT_CHANCE:
                self.game.apply(self.world, self.game.sample_chance(self.world, &self.world_rng))
                seat = self.game.seat_to_move(self.world)
            if seat == SEAT_NONE or depth == MAX_DEPTH:
                break
            self.pass_to(seat)
            key = self.key_of(seat)
            child = self.graph.edges[edge].child
            if child == NO_NODE or self.graph.nodes[child].key != key:
                child = self.graph.find(key)
                if child == NO_NODE:
                    child = self.graph.add_node(key, seat, self.is_shared(seat))
                    if child != NO_NODE:
                        taken = &self.graph.edges[edge]
                        taken.child = child
                        taken.outcomes += taken.outcomes < 0xFFFF
                        self.last_growth = self.simulations
                    break
                self.graph.edges[edge].child = child
            node = child
        if not self.leaves.value(self.world, seat, &self.playout_rng, &self.watch, &self.count):
            return False
        if child != NO_NODE and self.graph.nodes[child].visits == 0:
            self.graph.nodes[child].mean = self.leaves.reward[self.graph.nodes[child].seat]
        self.back_up(depth)
        return True

    cdef int32_t enter(self, int* seat) noexcept nogil:
        """The node at which somebody decides next in the world, NO_NODE: none, or no room."""
        cdef int32_t node
        cdef key_t key
        seat[0] = self.game.seat_to_move(self.world)
        while seat[0] == SEAT_CHANCE:
            self.game.apply(self.world, self.game.sample_chance(self.world, &self.world_rng))
            seat[0] = self.game.seat_to_move(self.world)
        if seat[0] == SEAT_NONE:
            return NO_NODE
        key = self.key_of(seat[0])
        node = self.graph.find(key)
        if node == NO_NODE:
            node = self.graph.add_node(key, seat[0], self.is_shared(seat[0]))
        return node

    cdef int32_t choose_root(self) noexcept nogil:
        if self.simulations < self.look_goal:
            self.picked = self.simulations
        else:
            self.picked = self.root_choice.choose(&self.numbers)
        return self.root_choice.edges[self.picked]

    cdef int32_t choose_closed(self, int32_t index) noexcept nogil:
        cdef const Node* node = &self.graph.nodes[index]
        cdef const Edge* edges
        cdef double scale, untried, score, best_score = -1e30
        cdef int i, best = 0
        if node.num_edges == 0 and not self.open_up(index):
            return NO_EDGE
        if node.num_edges == 1:
            return node.first_edge
        edges = &self.graph.edges[node.first_edge]
        scale = scale_of(&self.numbers, node.visits)
        untried = node.mean - self.numbers.first_play
        for i in range(node.num_edges):
            score = score_of(scale, &edges[i], untried)
            if score > best_score:
                best_score = score
                best = i
        return node.first_edge + best

    cdef int32_t choose_open(self, int32_t index) noexcept nogil:
        """Choose among the moves of this world; a chosen move without an edge gets one."""
        cdef move_t moves[MAX_MOVES]
        cdef float priors[MAX_MOVES]
        cdef int32_t matched[MAX_MOVES]
        cdef const Node* node = &self.graph.nodes[index]
        cdef const Edge* edges = self.graph.edges
        cdef int32_t e
        cdef int n, i, best = 0
        cdef double untried, scale, score, best_score = -1e30
        cdef bint missing = False, listed = False, is_wide
        cdef double visits = 0.0
        if node.num_edges == 0 and not self.open_up(index):
            return NO_EDGE
        n = self.game.legal_moves(self.world, moves)
        e = node.first_edge
        for i in range(n):
            while e != NO_EDGE and edges[e].move < moves[i]:
                e = edges[e].next
            if e != NO_EDGE and edges[e].move == moves[i]:
                matched[i] = e
                visits += edges[e].visits
                listed = True
            else:
                matched[i] = NO_EDGE
                missing = True
        if missing:
            self.fill_priors(moves, n, priors)
        is_wide = listed and node.num_edges >= WIDEST
        if n > 1:
            scale = scale_of(&self.numbers, visits)
            untried = node.mean - self.numbers.first_play
            for i in range(n):
                if matched[i] == NO_EDGE:
                    if is_wide:
                        continue
                    score = untried + scale * priors[i]
                else:
                    score = score_of(scale, &edges[matched[i]], untried)
                if score > best_score:
                    best_score = score
                    best = i
        if matched[best] == NO_EDGE:
            return self.graph.add_edge(index, moves[best], priors[best])
        return matched[best]

    cdef bint open_up(self, int32_t node) noexcept nogil:
        """Give a node edges for all moves that are legal in the world; False: no room.

        Not before it is come by a second time: most nodes never are.
        """
        cdef move_t moves[MAX_MOVES]
        cdef float priors[MAX_MOVES]
        cdef int n = self.game.legal_moves(self.world, moves)
        if self.graph.num_edges + n > self.graph.edge_capacity:
            return False
        self.fill_priors(moves, n, priors)
        return self.graph.add_edges(node, moves, priors, n)

    cdef inline void fill_priors(self, const move_t* moves, int n, float* priors) noexcept nogil:
        cdef float even = self.numbers.prior_mix / n
        cdef float rest = 1.0 - self.numbers.prior_mix
        cdef int i
        if n == 1:
            priors[0] = 1.0
            return
        self.game.prior(self.world, moves, n, priors)
        for i in range(n):
            priors[i] = even + rest * priors[i]

    cdef void back_up(self, int depth) noexcept nogil:
        cdef const float* reward = self.leaves.reward
        cdef double got = reward[self.seat]
        self.graph.booked += 1
        self.depth_sum += depth
        if depth > self.seldepth:
            self.seldepth = depth
        self.num_rewards += 1
        self.reward_sum += got
        self.reward_squares += got * got
        self.book_path(depth)
        if self.num_root_moves:
            self.root_choice.book(self.picked, reward[self.seat], self.leaves.margin[self.seat],
                                  self.leaves.won, self.leaves.drawn)

    cdef inline void book_path(self, int depth) noexcept nogil:
        cdef Node* node
        cdef Edge* edge
        cdef double got
        cdef int i
        for i in range(depth):
            node = &self.graph.nodes[self.path_node[i]]
            edge = &self.graph.edges[self.path_edge[i]]
            got = self.leaves.reward[node.seat]
            node.visits += 1
            node.mean += (got - node.mean) / node.visits
            edge.visits += 1
            edge.mean += (got - edge.mean) / edge.visits

    # ---- for Python ----

    def set_limits(self, goal, deadline_ns, depth, endless=False, by_clock=False):
        """See Worker; the mean depth grows so fast at first that each simulation is looked at."""
        super().set_limits(goal, deadline_ns, depth, endless, by_clock)
        self.batch = 1 if depth else BATCH if self.is_alone else EVERY

    def rows(self):
        """See Worker; visits and rewards count earlier searches too where the graph was kept."""
        return [self.root_choice.row(i, self.root_moves[i]) for i in range(self.num_root_moves)]

    def line_from(self, move):
        """The moves most visited from the root on, beginning with `move`, also through luck.

        Only while the worker does not run.
        """
        return line_of(self.graph, self.root_node, move)

    @property
    def permille(self):
        """How full the memory for the graph is."""
        return self.graph.permille
