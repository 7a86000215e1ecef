"""Playouts by lot, by the prior and by the estimate."""

from libc.stdint cimport INT64_MAX
from libc.stdlib cimport free
from libc.string cimport memcpy

from engine.game cimport State
from engine.rng cimport STREAM_DETERMINIZE, STREAM_PLAYOUT, rng_below, rng_seed
from engine.types cimport MAX_MOVES, MAX_SEATS, SEAT_CHANCE, SEAT_NONE, move_t
from search.control cimport alloc_apart, expired

# POLICY_ESTIMATE: moves of a smaller part of the largest prior are not looked at; expected returns
# closer to 0 or 1 count as this.
cdef double LEAST_PART = 0.05
cdef double LEAST_RETURN = 0.001


cdef inline double liking(double prior, double value) noexcept nogil:
    """The weight of a move by its prior and the return expected behind it: (p o^4)^2, o the odds.

    The product says more than each of both, and its square plays better still.
    """
    cdef double odds
    value = min(max(value, LEAST_RETURN), 1.0 - LEAST_RETURN)
    odds = value / (1.0 - value)
    odds *= odds
    odds *= odds
    return prior * prior * odds * odds


cdef int by_estimate(Game game, const void* state, const move_t* moves, int n, Rng* rng,
                     void* after) noexcept nogil:
    """The index of a move drawn by `liking`."""
    cdef float priors[MAX_MOVES]
    cdef double weights[MAX_MOVES]
    cdef float values[MAX_SEATS]
    cdef float margins[MAX_SEATS]
    cdef double least = 0.0, total = 0.0, left
    cdef int i, last = 0, number = 0, seat = game.seat_to_move(state)
    game.prior(state, moves, n, priors)
    for i in range(n):
        least = max(least, priors[i])
    least *= LEAST_PART
    for i in range(n):
        weights[i] = 0.0
        if priors[i] >= least:
            last = i
            number += 1
    if number == 1:
        return last
    for i in range(n):
        if priors[i] < least:
            continue
        memcpy(after, state, game.state_size)
        game.apply(after, moves[i])
        if game.seat_to_move(after) == SEAT_NONE:
            game.returns(after, values)
        else:
            game.estimate(after, values, margins)
        weights[i] = liking(priors[i], values[seat])
        total += weights[i]
    left = total * ((rng_next(rng) >> 11) / 9007199254740992.0)
    for i in range(last):
        left -= weights[i]
        if left < 0.0:
            return i
    return last


cdef inline int chosen(int policy, Game game, const void* state, const move_t* moves, int n,
                       Rng* rng, void* room) noexcept nogil:
    if policy == POLICY_ESTIMATE:
        return by_estimate(game, state, moves, n, rng, room)
    if policy == POLICY_PRIOR:
        return by_prior(game, state, moves, n, rng)
    return rng_below(rng, n)


cdef inline bint play(int policy, Game game, void* state, Rng* rng, int max_plies,
                      const Watch* watch, PlayoutCount* count, void* room) noexcept nogil:
    """All kinds of playouts; uniform ones have their own copy of this."""
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
            i = chosen(policy, game, state, moves, n, rng, room)
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
    return play(POLICY_UNIFORM, game, state, rng, max_plies, watch, count, NULL)


cdef bint playout_by(int policy, Game game, void* state, Rng* rng, int max_plies,
                     const Watch* watch, PlayoutCount* count, void* room) noexcept nogil:
    return play(policy, game, state, rng, max_plies, watch, count, room)


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
