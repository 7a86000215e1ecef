"""Single-observer information-set Monte Carlo tree search.

P. I. Cowling, E. J. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE
Transactions on Computational Intelligence and AI in Games 4(2), 2012: the algorithm SO-ISMCTS.
README.md in this folder says it in full.
"""

cimport cython
from libc.stdint cimport int32_t
from libc.stdlib cimport free

from engine.game cimport State
from engine.types cimport MAX_MOVES, MAX_SEATS, SEAT_CHANCE, int8_t, key_t, move_t
from search.control cimport alloc_apart
from search.playout cimport evaluate, playout
from search.selection cimport Choice, choose
from search.tree cimport NO_EDGE, NO_NODE, ROOT, Edge, Tree, extend
from search.worker cimport BATCH, Worker


cdef enum:
    # Simulations at least before a tree that no longer grows counts as searched out.
    SEARCHED_OUT = 100000


@cython.final
cdef class IsmctsWorker(Worker):
    """See Worker; further options are `exploration` and `hash_bytes`, the limit of the tree."""

    cdef readonly Tree tree
    cdef double exploration
    cdef int32_t* path_edge         # edges of this simulation; owned
    cdef int8_t* path_seat          # and who took them; owned

    def __init__(self, State view, stop, seed, index, searchmoves, playout_plies, *,
                 exploration, hash_bytes):
        self.exploration = exploration
        self.tree = Tree(self.game.infoset_key(view.data, self.seat), self.seat, hash_bytes)
        self.path_edge = <int32_t*>alloc_apart(self.game.max_plies * sizeof(int32_t))
        self.path_seat = <int8_t*>alloc_apart(self.game.max_plies)
        if self.path_edge == NULL or self.path_seat == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.path_edge)
        free(self.path_seat)

    cdef void prepare(self) noexcept nogil:
        self.tree.reserve(BATCH)

    cdef bint has_settled(self) noexcept nogil:
        """The tree, whole or full, has not grown during the later half of the simulations."""
        return self.simulations > 1000 and self.simulations > 2 * self.last_growth

    cdef bint is_exhausted(self) noexcept nogil:
        """The tree is whole, though there is room for more, and was searched many times over."""
        if Worker.is_exhausted(self):
            return True
        return (self.simulations >= SEARCHED_OUT and self.simulations > 10 * self.last_growth
                and max(self.tree.num_nodes, self.tree.num_edges) < self.tree.limit)

    cdef bint simulate(self) noexcept nogil:
        cdef move_t moves[MAX_MOVES]
        cdef float result[MAX_SEATS]
        cdef int32_t node = ROOT
        cdef key_t key = self.tree.nodes[ROOT].key
        cdef int seat = self.seat, depth = 0, root_index = 0, n = self.num_root_moves
        cdef const move_t* legal = self.root_moves
        cdef Choice choice
        cdef move_t move
        cdef bint luck
        self.draw_world()
        # Select, and expand at most once.
        while True:
            choice = choose(self.tree, node, legal, n, self.exploration, &self.select_rng)
            if choice.edge == NO_EDGE:
                break
            if depth == 0:
                root_index = choice.index
            self.path_edge[depth] = choice.edge
            self.path_seat[depth] = seat
            depth += 1
            key = self.follow(key, legal[choice.index])
            # Luck that follows belongs to the path.
            luck = False
            seat = self.game.seat_to_move(self.world)
            while seat == SEAT_CHANCE:
                luck = True
                move = self.game.sample_chance(self.world, &self.world_rng)
                key = self.follow(key, move)
                seat = self.game.seat_to_move(self.world)
            if seat < 0 or choice.grown or depth == self.game.max_plies:
                break
            node = self.tree.child(choice.edge, key, seat, luck)
            if node == NO_NODE:
                break
            n = self.game.legal_moves(self.world, moves)
            legal = moves
        if seat >= 0 and self.playout_plies:
            if not playout(self.game, self.world, &self.playout_rng, self.playout_plies,
                           &self.watch, &self.count):
                return False
        evaluate(self.game, self.world, result)
        self.book_path(depth, choice.grown, result)
        self.book(root_index, result)
        return True

    cdef inline key_t follow(self, key_t key, move_t event) noexcept nogil:
        """Apply a move or outcome to the world; return the path key one event further."""
        cdef move_t seen = self.game.redact(self.world, event, self.seat)
        self.game.apply(self.world, event)
        return extend(key, seen)

    cdef inline void book_path(self, int depth, bint grown, const float* result) noexcept nogil:
        """Back up the result: every edge of the path gets the return of the seat that took it."""
        cdef int i
        cdef Edge* edge
        for i in range(depth):
            edge = &self.tree.edges[self.path_edge[i]]
            edge.visits += 1
            edge.reward += result[self.path_seat[i]]
        self.depth_sum += depth
        if depth > self.seldepth:
            self.seldepth = depth
        if grown:
            self.last_growth = self.simulations

    # ---- for Python ----

    @property
    def permille(self):
        """How full the memory for the tree is."""
        return self.tree.permille

    def line_from(self, move):
        """The best line that begins with a root move; only while the worker does not run."""
        return self.tree.line_from(move)
