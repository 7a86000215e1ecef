"""The two simple players: greedy and random. Opponents to measure others by."""

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from engine.game cimport State
from engine.rng cimport rng_below, rng_next
from engine.types cimport MAX_SEATS
from search.playout cimport evaluate
from search.worker cimport Worker, settle_luck

cdef enum:
    # Determinizations over which greedy averages the gain of each move.
    GREEDY_WORLDS = 32


cdef class OnePlyWorker(Worker):
    """Looks at the margin right after a move and the luck that directly follows it."""

    cdef void look(self, int index) noexcept nogil:
        """Apply a root move to the world and book the value of the outcome."""
        cdef float result[MAX_SEATS]
        self.game.apply(self.world, self.root_moves[index])
        settle_luck(self.game, self.world, &self.world_rng)
        evaluate(self.game, self.world, result)
        self.book(index, result)
        self.depth_sum += 1
        self.seldepth = 1


@cython.final
cdef class GreedyWorker(OnePlyWorker):
    """See Worker. Takes the move with the largest own margin right after it, on average.

    Each of a fixed number of determinizations is tried with every root move.
    """

    cdef void* drawn                # the determinization of this round; owned
    cdef dict lots                  # by move: which of equal ones is better

    def __init__(self, State view, *args):
        cdef int i
        self.lots = {self.root_moves[i]: rng_next(&self.select_rng)
                     for i in range(self.num_root_moves)}
        self.drawn = malloc(self.game.state_size)
        if self.drawn == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.drawn)

    cdef bint simulate(self) noexcept nogil:
        cdef int index = self.simulations % self.num_root_moves
        if index == 0:
            self.draw_world()
            memcpy(self.drawn, self.world, self.game.state_size)
        else:
            memcpy(self.world, self.drawn, self.game.state_size)
        self.look(index)
        return True

    # ---- for Python ----

    def set_limits(self, goal, deadline_ns, depth, endless=False, by_clock=False):
        """See Worker; there is a fixed amount of work, which limits can only cut short."""
        work = GREEDY_WORLDS * self.num_root_moves
        super().set_limits(work if goal is None else min(goal, work), deadline_ns, None)

    @property
    def counts(self):
        """See Worker."""
        rounds = (self.simulations + self.num_root_moves - 1) // self.num_root_moves
        return self.simulations, rounds

    def best_order(self, rows):
        """Return rows, best move first: highest mean margin, ties by lot; unvisited moves last."""
        lots = self.lots
        return sorted(rows, key=lambda r: (r[1] == 0, -r[4] / max(r[1], 1), lots[r[0]]))


@cython.final
cdef class RandomWorker(OnePlyWorker):
    """See Worker. Picks a move by lot, whatever the limits; looks at it once for the report."""

    cdef int pick                   # index of the root move

    def __init__(self, State view, *args):
        self.pick = rng_below(&self.select_rng, self.num_root_moves)

    cdef bint simulate(self) noexcept nogil:
        self.draw_world()
        self.look(self.pick)
        return True

    # ---- for Python ----

    def set_limits(self, goal, deadline_ns, depth, endless=False, by_clock=False):
        """See Worker; there is one simulation to do."""
        super().set_limits(1 if goal is None else min(goal, 1), deadline_ns, None)

    def best_order(self, rows):
        """Return rows, the move picked first."""
        picked = self.root_moves[self.pick]
        return sorted(rows, key=lambda r: (r[0] != picked, r[0]))
