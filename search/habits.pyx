"""Tables of moves, and playouts by them."""

cimport cython
from libc.stdlib cimport calloc, free

from engine.rng cimport mix64, rng_below, rng_next
from engine.types cimport MAX_MOVES, SEAT_CHANCE, SEAT_NONE, key_t
from search.control cimport expired
from search.playout cimport PLIES_PER_LOOK

cdef enum:
    SINGLE_SLOTS = 1 << 12
    PAIR_SLOTS = 1 << 16
    # A pair counts once it was seen so often.
    ENOUGH = 7

POLICIES = ("uniform", "prior", "mast", "ngram")


cdef inline uint32_t slot_of(int seat, move_t move) noexcept nogil:
    return mix64(<key_t>move * 4 + seat) & (SINGLE_SLOTS - 1)


cdef inline uint32_t pair_slot_of(int seat, move_t move, move_t before) noexcept nogil:
    return mix64(mix64(<key_t>move * 4 + seat) ^ before) & (PAIR_SLOTS - 1)


cdef inline double fraction(Rng* rng) noexcept nogil:
    """A number from 0 up to 1."""
    return (rng_next(rng) >> 11) / 9007199254740992.0


@cython.final
cdef class Habits:
    """A policy of POLICIES with empty tables."""

    def __init__(self, str policy, double epsilon):
        self.policy = POLICIES.index(policy)
        self.epsilon = epsilon
        if self.policy >= HABIT_MAST:
            self.single = <Habit*>calloc(SINGLE_SLOTS, sizeof(Habit))
            if self.single == NULL:
                raise MemoryError()
        if self.policy == HABIT_NGRAM:
            self.pairs = <Habit*>calloc(PAIR_SLOTS, sizeof(Habit))
            if self.pairs == NULL:
                raise MemoryError()

    def __dealloc__(self):
        free(self.single)
        free(self.pairs)

    cdef void start(self, Graph graph, const int32_t* nodes, const int32_t* edges, int first,
                    int depth) noexcept nogil:
        cdef int i
        self.num_noted = 0
        self.last = 0
        for i in range(first, depth):
            self.note(graph.nodes[nodes[i]].seat, graph.edges[edges[i]].move)

    cdef void note(self, int seat, move_t move) noexcept nogil:
        cdef int i = self.num_noted
        if self.policy < HABIT_MAST or i == MOST_NOTED:
            return
        self.seats[i] = seat
        self.noted[i] = slot_of(seat, move)
        if self.policy == HABIT_NGRAM:
            self.noted_pairs[i] = pair_slot_of(seat, move, self.last)
        self.last = move
        self.num_noted = i + 1

    cdef bint play(self, Game game, void* state, Rng* rng, int max_plies, const Watch* watch,
                   PlayoutCount* count) noexcept nogil:
        cdef move_t moves[MAX_MOVES]
        cdef float priors[MAX_MOVES]
        cdef int seat, n, i, plies = 0
        cdef double left
        while True:
            seat = game.seat_to_move(state)
            if seat == SEAT_CHANCE:
                game.apply(state, game.sample_chance(state, rng))
                continue
            if seat == SEAT_NONE or plies == max_plies:
                return True
            n = game.legal_moves(state, moves)
            i = 0
            if n > 1:
                count.choice_plies += 1
                if self.policy == HABIT_PRIOR:
                    game.prior(state, moves, n, priors)
                    left = fraction(rng) - priors[0]
                    while left >= 0.0 and i < n - 1:
                        i += 1
                        left -= priors[i]
                else:
                    i = self.choose(seat, moves, n, rng)
                self.note(seat, moves[i])
            game.apply(state, moves[i])
            plies += 1
            count.plies += 1
            if plies % PLIES_PER_LOOK == 0 and expired(watch):
                return False

    cdef int choose(self, int seat, const move_t* moves, int n, Rng* rng) noexcept nogil:
        cdef int i, first = rng_below(rng, n), best = first
        cdef double value, best_value = -1.0
        if self.epsilon and fraction(rng) < self.epsilon:
            return first
        # From a move by lot on, so that among equals the lot decides.
        for i in range(n):
            value = self.value_of(seat, moves[(first + i) % n])
            if value > best_value:
                best_value = value
                best = (first + i) % n
        return best

    cdef double value_of(self, int seat, move_t move) noexcept nogil:
        cdef const Habit* alone = &self.single[slot_of(seat, move)]
        cdef const Habit* pair
        if alone.visits == 0:
            return 1.0
        if self.policy == HABIT_NGRAM:
            pair = &self.pairs[pair_slot_of(seat, move, self.last)]
            if pair.visits >= ENOUGH:
                return 0.5 * (alone.mean + pair.mean)
        return alone.mean

    cdef void book(self, const float* reward) noexcept nogil:
        cdef int i
        for i in range(self.num_noted):
            add(&self.single[self.noted[i]], reward[self.seats[i]])
            if self.policy == HABIT_NGRAM:
                add(&self.pairs[self.noted_pairs[i]], reward[self.seats[i]])


cdef inline void add(Habit* habit, float reward) noexcept nogil:
    habit.visits += 1
    habit.mean += (reward - habit.mean) / habit.visits
