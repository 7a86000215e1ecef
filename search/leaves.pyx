"""The value of leaves."""

cimport cython
from libc.stdlib cimport free

from engine.types cimport MAX_SEATS, SEAT_NONE
from search.control cimport alloc_apart
from search.playout cimport evaluate, playout, playout_by_prior


@cython.final
cdef class Leaves:
    """Values leaves for one search; `options` are those of search.options."""

    def __init__(self, Game game, int seat, int playout_plies, options):
        self.game = game
        self.seat = seat
        self.playout_plies = playout_plies
        self.points = options["valued_points"]
        self.margin_share = options["margin_share"]
        self.by_margin = options["leaf"] == "margin"
        self.by_prior = options["playout_policy"] == "prior" and game.has_prior
        self.reward = <float*>alloc_apart(2 * MAX_SEATS * sizeof(float))
        if self.reward == NULL:
            raise MemoryError()
        self.margin = self.reward + MAX_SEATS

    def __dealloc__(self):
        free(self.reward)

    cdef bint value(self, void* world, int seat, Rng* rng, const Watch* watch,
                    PlayoutCount* count) noexcept nogil:
        cdef float scale = self.game.margin_scale, m
        cdef float share = self.margin_share
        cdef int i, left = self.points
        for i in range(self.game.num_seats):
            self.reward[i] = self.margin[i] = 0.0
        self.won = self.drawn = 0.0
        while left:
            if seat != SEAT_NONE and self.playout_plies:
                if not self.play(world, rng, watch, count):
                    return False
                seat = self.game.seat_to_move(world)
            # What is over, or not played on, stays as it is at all points that are left.
            i = left if seat == SEAT_NONE or not self.playout_plies else 1
            self.look(world, seat, <float>i / self.points)
            left -= i
        if share:
            for i in range(self.game.num_seats):
                m = self.margin[i]
                self.reward[i] = ((1 - share) * self.reward[i]
                                  + share * (0.5 + 0.5 * m / ((m if m > 0 else -m) + scale)))
        return True

    cdef inline bint play(self, void* world, Rng* rng, const Watch* watch,
                          PlayoutCount* count) noexcept nogil:
        """Play one stretch of a playout."""
        if self.by_prior:
            return playout_by_prior(self.game, world, rng, self.playout_plies, watch, count)
        return playout(self.game, world, rng, self.playout_plies, watch, count)

    cdef inline void look(self, const void* world, int seat, float share) noexcept nogil:
        """Add a share of what a world is worth."""
        cdef float reward[MAX_SEATS]
        cdef float margin[MAX_SEATS]
        cdef int i
        if seat == SEAT_NONE:
            self.game.returns(world, reward)
            self.game.margins(world, margin)
            self.class_end(reward[self.seat], margin[self.seat], share)
        else:
            if self.by_margin:
                evaluate(self.game, world, reward)
                self.game.margins(world, margin)
            else:
                self.game.estimate(world, reward, margin)
            self.won += share * reward[self.seat]
        for i in range(self.game.num_seats):
            self.reward[i] += share * reward[i]
            self.margin[i] += share * margin[i]

    cdef inline void class_end(self, float got, float ahead, float share) noexcept nogil:
        """Whether the searching seat has won or drawn a finished game; see Worker.book."""
        cdef bint drawn = got == 0.5 and self.game.num_seats == 2
        if got > 0.0 and got < 1.0 and not drawn:
            drawn = ahead == 0
            got = 1.0 if ahead > 0 else 0.0
        self.won += 0.0 if drawn else share * got
        self.drawn += share * drawn
