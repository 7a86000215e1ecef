"""Count the paths of a game tree: the quickest way to see whether move generation changed."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from engine.game cimport Game, State
from engine.rng cimport STREAM_CHANCE, Rng, rng_seed
from engine.types cimport MAX_MOVES, SEAT_CHANCE, move_t, uint64_t

cdef enum:
    MAX_DEPTH = 64


cdef class _Walk:
    """One count: the game, the room for a state a step, and how luck is treated."""

    cdef Game game
    cdef char* states         # owned; state i of the present path is at i * game.state_size
    cdef bint sampled         # luck is sampled from `seed` and is no step of its own
    cdef uint64_t seed

    def __cinit__(self, State state, int depth, seed):
        if state.observer >= 0:
            raise ValueError("perft wants a full state: a view stands for many worlds")
        if not 0 <= depth <= MAX_DEPTH:
            raise ValueError(f"perft counts to depths from 0 to {MAX_DEPTH}, not {depth}")
        self.game = state.game
        self.sampled = seed is not None
        self.seed = 0 if seed is None else seed & 0xFFFFFFFFFFFFFFFF
        self.states = <char*>malloc(<size_t>(depth + 1) * self.game.state_size)
        if self.states == NULL:
            raise MemoryError()
        memcpy(self.states, state.data, self.game.state_size)

    def __dealloc__(self):
        free(self.states)

    cdef uint64_t settle(self, void* state, uint64_t events) noexcept nogil:
        """Carry out sampled luck until a seat decides or the game ends; return events so far.

        The stream depends on the number of events alone, so that a count is the same in whatever
        order the paths are walked.
        """
        cdef Rng rng
        while self.sampled and self.game.seat_to_move(state) == SEAT_CHANCE:
            rng_seed(&rng, self.seed, STREAM_CHANCE, events)
            self.game.apply(state, self.game.sample_chance(state, &rng))
            events += 1
        return events

    cdef int steps(self, const void* state, move_t* out) noexcept nogil:
        """Write the moves or possible outcomes that go on from here; return how many."""
        cdef int i, kept = 0
        cdef int n = self.game.legal_moves(state, out)
        if self.game.seat_to_move(state) != SEAT_CHANCE:
            return n
        for i in range(n):
            if self.game.chance_weight(state, out[i]):
                out[kept] = out[i]
                kept += 1
        return kept

    cdef uint64_t count(self, int at, int depth, uint64_t events) noexcept nogil:
        """Count the paths of `depth` steps from state number `at` of the present path."""
        cdef move_t moves[MAX_MOVES]
        cdef char* state = self.states + <size_t>at * self.game.state_size
        cdef char* child = state + self.game.state_size
        cdef uint64_t total = 0
        cdef int i, n
        if depth == 0:
            return 1
        events = self.settle(state, events)
        n = self.steps(state, moves)
        if depth == 1:
            return n
        for i in range(n):
            memcpy(child, state, self.game.state_size)
            self.game.apply(child, moves[i])
            total += self.count(at + 1, depth - 1, events + 1)
        return total


def perft(State state, int depth, seed=None):
    """Return the number of paths of `depth` steps from a full state.

    Without a seed every chance outcome that can happen is followed and counts one step, as a
    decision does. With a seed only decisions count; luck is sampled, event number i of a path from
    the stream (seed, STREAM_CHANCE, i), events of both kinds counted from 0. Depth 0..64.
    """
    cdef _Walk walk = _Walk(state, depth, seed)
    cdef uint64_t total
    with nogil:
        total = walk.count(0, depth, 0)
    return total


def divide(State state, int depth, seed=None):
    """Return the count of `perft` split by its first step, a dict from move or event word to paths.

    Depth 1..64; the words stand in the order of the moves.
    """
    if depth < 1:
        raise ValueError(f"divide splits depths from 1 to {MAX_DEPTH}, not {depth}")
    cdef _Walk walk = _Walk(state, depth, seed)
    cdef Game game = state.game
    cdef move_t moves[MAX_MOVES]
    cdef uint64_t events = walk.settle(walk.states, 0)
    cdef int seat = game.seat_to_move(walk.states)
    cdef int n = walk.steps(walk.states, moves)
    cdef int i
    cdef uint64_t total
    counts = {}
    for i in range(n):
        total = 1
        if depth > 1:
            memcpy(walk.states + game.state_size, walk.states, game.state_size)
            game.apply(walk.states + game.state_size, moves[i])
            with nogil:
                total = walk.count(1, depth - 1, events + 1)
        name = game.move_name(moves[i]) if seat >= 0 else game.event_name(moves[i], seat)
        counts[name] = total
    return counts
