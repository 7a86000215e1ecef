"""Known outcomes of chance events."""

cimport cython
from libc.math cimport sqrt
from libc.stdlib cimport calloc, free, malloc

from engine.rng cimport mix64, rng_next
from engine.types cimport MAX_MOVES, SEAT_CHANCE

cdef enum:
    # Room of one search, events and outcomes; what does not find room is decided freely.
    EVENTS = 1 << 16
    MOST_EVENTS = 3 * (EVENTS // 4)
    MOST_KNOWN = 1 << 18
    # Different outcomes of an event that are remembered at most: walking the list costs time.
    WIDEST = 64


cdef inline bint is_among(move_t move, const move_t* moves, int n) noexcept nogil:
    """Whether a move is one of `n` ascending moves."""
    cdef int low = 0, high = n, middle
    while low < high:
        middle = (low + high) // 2
        if moves[middle] < move:
            low = middle + 1
        else:
            high = middle
    return low < n and moves[low] == move


@cython.final
cdef class Widening:
    """The outcomes known to one search; at least one an event, else `rate` sqrt(visits)."""

    def __init__(self, double rate):
        self.rate = rate
        self.events = <Event*>calloc(EVENTS, sizeof(Event))
        self.known = <Known*>malloc(MOST_KNOWN * sizeof(Known))
        if self.events == NULL or self.known == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.events)
        free(self.known)

    cdef int let_luck(self, Game game, void* world, int32_t edge, Rng* rng) noexcept nogil:
        # An event is known by the edge and the outcomes since.
        cdef key_t key = edge
        cdef move_t outcome
        while game.seat_to_move(world) == SEAT_CHANCE:
            key = mix64(key + 1) | 1
            outcome = self.outcome(game, world, key, rng)
            game.apply(world, outcome)
            key ^= outcome
        return game.seat_to_move(world)

    cdef move_t outcome(self, Game game, const void* world, key_t key, Rng* rng) noexcept nogil:
        cdef Event* event = self.find(key)
        cdef move_t outcome
        if event == NULL:
            return game.sample_chance(world, rng)
        event.visits += 1
        if event.number and (event.number + 1 > self.rate * sqrt(event.visits)
                             or event.number >= WIDEST):
            outcome = self.again(game, world, event, rng)
            if outcome:
                return outcome
        outcome = game.sample_chance(world, rng)
        self.remember(event, outcome)
        return outcome

    cdef Event* find(self, key_t key) noexcept nogil:
        """The event of a key, a new one if there was none; NULL: no room."""
        cdef uint32_t slot = <uint32_t>(key >> 32) & (EVENTS - 1)
        while self.events[slot].key and self.events[slot].key != key:
            slot = (slot + 1) & (EVENTS - 1)
        if self.events[slot].key == 0:
            if self.num_events == MOST_EVENTS:
                return NULL
            self.num_events += 1
            self.events[slot].key = key
            self.events[slot].first = -1
        return &self.events[slot]

    cdef move_t again(self, Game game, const void* world, const Event* event,
                      Rng* rng) noexcept nogil:
        """Draw one of the known outcomes by its weight in the world; 0 if none is possible."""
        cdef double total = 0.0, left
        cdef double weights[WIDEST]
        cdef move_t outcomes[WIDEST]
        cdef move_t possible[MAX_MOVES]
        cdef int num_possible = game.legal_moves(world, possible)
        cdef int32_t k = event.first
        cdef int n = 0, i = 0
        while k >= 0:
            outcomes[n] = self.known[k].outcome
            # Worlds may differ in what luck decides here; weights are only those of this event.
            weights[n] = 0.0
            if is_among(outcomes[n], possible, num_possible):
                weights[n] = game.chance_weight(world, outcomes[n])
            total += weights[n]
            n += 1
            k = self.known[k].next
        if total == 0.0:
            return 0
        left = (rng_next(rng) >> 11) / 9007199254740992.0 * total
        while i < n - 1 and left >= weights[i]:
            left -= weights[i]
            i += 1
        # Rounding must not end at an outcome that is impossible.
        while weights[i] == 0.0:
            i -= 1
        return outcomes[i]

    cdef void remember(self, Event* event, move_t outcome) noexcept nogil:
        cdef int32_t k = event.first
        while k >= 0:
            if self.known[k].outcome == outcome:
                return
            k = self.known[k].next
        if self.num_known == MOST_KNOWN or event.number >= WIDEST:
            return
        self.known[self.num_known].outcome = outcome
        self.known[self.num_known].next = event.first
        event.first = self.num_known
        event.number += 1
        self.num_known += 1
