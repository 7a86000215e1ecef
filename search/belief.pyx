"""The belief of one seat, kept up to date event by event."""

from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from engine.rng cimport STREAM_DETERMINIZE, rng_seed
from engine.types cimport move_t, uint64_t
from search.control cimport alloc_apart


cdef class Belief:
    """What a seat believes, from a view on: tell it each event in order, then draw worlds.

    Args:
        view: what the seat knows at the start. What happened before is left out of account.

    Raises:
        ValueError: `view` is a full state.
    """

    def __cinit__(self, State view):
        if view.observer < 0:
            raise ValueError("a belief needs the view of a seat")
        self.game = view.game
        self.seat = view.observer
        self._view = view.copy()
        self.data = NULL
        if self.game.belief_size:
            self.data = alloc_apart(self.game.belief_size)
            if self.data == NULL:
                raise MemoryError()
            memset(self.data, 0, self.game.belief_size)
            self.game.belief_start(self._view.data, self.seat, self.data)

    def __dealloc__(self):
        free(self.data)

    cdef void prepare(self) noexcept nogil:
        if not self.is_prepared:
            self.game.belief_prepare(self._view.data, self.seat, self.data)
            self.is_prepared = True

    # ---- for Python ----

    @property
    def view(self):
        """What the seat knows now, a copy."""
        return self._view.copy()

    def observe(self, move_t move):
        """Take in the next event as the seat sees it; IllegalMove if it is not possible here.

        Takes some microseconds; a decision of another seat up to 100.
        """
        cdef State before = self._view
        after = before.copy()
        after.apply(move)
        if self.data != NULL:
            self.game.belief_event(before.data, self.seat, move, self.data)
        self._view = after
        self.is_prepared = False

    def copy(self):
        """Return an independent copy, for a search that goes on while this one takes in events."""
        cdef Belief twin = Belief(self._view)
        if self.data != NULL:
            memcpy(twin.data, self.data, self.game.belief_size)
        twin.is_prepared = self.is_prepared
        return twin

    def rows(self):
        """What is unknown, for people: pairs (word, values).

        Each value is a triple: its word, its probability, and what the probability would be by the
        physical deals alone, had the other seats decided by lot.
        """
        self.prepare()
        return self.game.belief_rows(self._view.data, self.seat, self.data)

    def odds(self, State truth):
        """The probability that hidden things are as in a full state that fits the view.

        A pair: by the belief, and by the physical deals alone. ValueError if it does not fit.
        """
        if truth.game.identity != self.game.identity:
            raise ValueError(f"a state of {truth.game.identity}, not of {self.game.identity}")
        if truth.observer >= 0:
            raise ValueError("this needs a full state, not a view")
        if truth.view(self.seat) != self._view:
            raise ValueError(f"seat {self.seat} of this state knows other things than the belief")
        self.prepare()
        return self.game.belief_odds(self._view.data, self.data, truth.data)

    def sample(self, seed, number=1, index=0):
        """Return full states drawn from the belief, a list; equal seeds give equal worlds."""
        cdef Rng rng
        cdef State world
        self.prepare()
        rng_seed(&rng, seed & 0xFFFFFFFFFFFFFFFF, STREAM_DETERMINIZE, index)
        worlds = []
        for _ in range(number):
            world = self.game.new_state()
            memcpy(world.data, self._view.data, self.game.state_size)
            self.draw(world.data, &rng)
            worlds.append(world)
        return worlds

    def to_bytes(self):
        """All that the belief holds: equal bytes, equal beliefs. For tests."""
        self.prepare()
        own = b"" if self.data == NULL else (<char*>self.data)[:self.game.belief_size]
        return self._view.to_bytes() + own


def draw_worlds(State view, uint64_t number, uint64_t seed=0, Belief belief=None):
    """Draw so many worlds of a view and throw them away, without the GIL: to measure speed.

    With `belief` by the belief, else with `determinize`. ValueError if it is not of that view.
    """
    cdef Rng rng
    cdef Game game = view.game
    cdef uint64_t _i
    cdef void* world
    if belief is not None:
        if belief._view != view:
            raise ValueError("a belief of another view")
        belief.prepare()
    world = alloc_apart(game.state_size)
    if world == NULL:
        raise MemoryError()
    rng_seed(&rng, seed, STREAM_DETERMINIZE, 0)
    with nogil:
        for _i in range(number):
            memcpy(world, view.data, game.state_size)
            if belief is None:
                game.determinize(world, &rng)
            else:
                belief.draw(world, &rng)
    free(world)
