"""Playouts by lot and by the prior."""

from libc.stdint cimport INT64_MAX
from libc.stdlib cimport free
from libc.string cimport memcpy

from engine.game cimport State
from engine.rng cimport STREAM_DETERMINIZE, STREAM_PLAYOUT, rng_below, rng_seed
from engine.types cimport MAX_MOVES, MAX_SEATS, SEAT_CHANCE, SEAT_NONE, move_t
from search.control cimport alloc_apart, expired


cdef inline bint play(Game game, void* state, Rng* rng, int max_plies, const Watch* watch,
                      PlayoutCount* count, bint uniform) noexcept nogil:
    """Both kinds of playouts; each has its own copy of this."""
    cdef move_t moves[MAX_MOVES]
    cdef int seat, n, i, plies = 0, choice_plies = 0
    cdef bint done = True
    while True:
        seat = game.seat_to_move(state)
        if seat == SEAT_CHANCE:
            game.apply(state, game.sample_chance(state, rng))
            continue
        if seat == SEAT_NONE or plies == max_plies:
            break
        n = game.legal_moves(state, moves)
        i = 0
        if n > 1:
            choice_plies += 1
            i = rng_below(rng, n) if uniform else by_prior(game, state, moves, n, rng)
        game.apply(state, moves[i])
        plies += 1
        if plies % PLIES_PER_LOOK == 0 and expired(watch):
            done = False
            break
    count.plies += plies
    count.choice_plies += choice_plies
    return done


cdef bint playout(Game game, void* state, Rng* rng, int max_plies, const Watch* watch,
                  PlayoutCount* count) noexcept nogil:
    return play(game, state, rng, max_plies, watch, count, True)


cdef bint playout_by_prior(Game game, void* state, Rng* rng, int max_plies, const Watch* watch,
                           PlayoutCount* count) noexcept nogil:
    return play(game, state, rng, max_plies, watch, count, False)


cdef void evaluate(Game game, const void* state, float* out) noexcept nogil:
    cdef float margins[MAX_SEATS]
    cdef double m
    cdef int seat
    if game.seat_to_move(state) == SEAT_NONE:
        game.returns(state, out)
        return
    game.margins(state, margins)
    for seat in range(game.num_seats):
        m = margins[seat]
        out[seat] = 0.5 + 0.5 * m / ((m if m > 0 else -m) + game.margin_scale)


def run_playouts(State state, uint64_t number, uint64_t seed=0, uint64_t index=0, plies=None):
    """Run playouts from a state without the GIL; return (playouts, plies, choice plies).

    Args:
        state: a full state, also one before its first chance event; or a view, which is
            determinized anew for every playout.
        number: how many playouts.
        seed, index: name the random streams; equal names give equal playouts.
        plies: decisions after which a playout is cut off; None: to the end of the game.
    """
    cdef Rng world_rng, rng
    cdef PlayoutCount count
    cdef Watch watch
    cdef int never = 0
    cdef Game game = state.game
    cdef int max_plies = game.max_plies if plies is None else plies
    cdef uint64_t _i
    cdef void* world = alloc_apart(game.state_size)
    if world == NULL:
        raise MemoryError()
    count.plies = count.choice_plies = 0
    watch.stop = &never
    watch.deadline = INT64_MAX
    watch.not_before = 0
    rng_seed(&world_rng, seed, STREAM_DETERMINIZE, index)
    rng_seed(&rng, seed, STREAM_PLAYOUT, index)
    with nogil:
        for _i in range(number):
            memcpy(world, state.data, game.state_size)
            if state.observer >= 0:
                game.determinize(world, &world_rng)
            playout(game, world, &rng, max_plies, &watch, &count)
    free(world)
    return number, count.plies, count.choice_plies


cdef class Playouts:
    """Makes playouts one at a time, for searches that are not compiled.

    `seed` and `index` name the random stream; equal names give equal playouts.
    """

    cdef Rng rng

    def __init__(self, uint64_t seed, uint64_t index=0):
        rng_seed(&self.rng, seed, STREAM_PLAYOUT, index)

    def returns(self, State state):
        """Play uniformly at random to the end; the returns, one per seat. The state stays as it is.

        Args:
            state: a full state.
        """
        cdef float out[MAX_SEATS]
        cdef PlayoutCount count
        cdef Watch watch
        cdef int never = 0, max_plies = state.game.max_plies
        cdef State end = state.copy()
        if state.observer >= 0:
            raise ValueError("a playout needs a full state; determinize the view first")
        count.plies = count.choice_plies = 0
        watch.stop = &never
        watch.deadline = INT64_MAX
        watch.not_before = 0
        with nogil:
            playout(end.game, end.data, &self.rng, max_plies, &watch, &count)
            evaluate(end.game, end.data, out)
        return [out[seat] for seat in range(end.game.num_seats)]
