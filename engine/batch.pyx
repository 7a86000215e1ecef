"""Estimates and priors of many states at once, and games by priors, for fitting weights."""

from engine.game cimport Game, State
from engine.rng cimport STREAM_PLAYOUT, Rng, rng_next, rng_seed
from engine.types cimport MAX_MOVES, MAX_SEATS, SEAT_CHANCE, SEAT_NONE, move_t, uint64_t


def estimates(Game game, bytes states):
    """Estimate full states of which none is over.

    Args:
        states: the bytes of the states, one after another.

    Returns:
        A bytearray of 32-bit floats: for each state the return of each seat, then the margin of
        each.
    """
    cdef Py_ssize_t i, number = len(states) // game.state_size
    cdef int seats = game.num_seats
    cdef bytearray out = bytearray(number * 2 * seats * sizeof(float))
    cdef char* data = out
    cdef float* values = <float*>data
    cdef const char* raw = states
    with nogil:
        for i in range(number):
            game.estimate(raw + i * game.state_size, &values[2 * seats * i],
                          &values[2 * seats * i + seats])
    return out


def priors(Game game, bytes states):
    """Return the priors of states in each of which a seat decides.

    Returns:
        A bytearray of 32-bit floats: for each state the priors of its legal moves, ascending, then
        zeros up to `game.max_moves`.
    """
    cdef Py_ssize_t i, number = len(states) // game.state_size
    cdef move_t moves[MAX_MOVES]
    cdef bytearray out = bytearray(number * game.max_moves * sizeof(float))
    cdef char* data = out
    cdef float* values = <float*>data
    cdef const char* raw = states
    cdef int n
    with nogil:
        for i in range(number):
            n = game.legal_moves(raw + i * game.state_size, moves)
            game.prior(raw + i * game.state_size, moves, n, &values[i * game.max_moves])
    return out


cdef inline int drawn(const float* priors, int n, int power, Rng* rng) noexcept nogil:
    """Draw one of n moves by their priors, each to a power."""
    cdef double shares[MAX_MOVES]
    cdef double total = 0.0, left
    cdef int i, _k
    for i in range(n):
        shares[i] = priors[i]
        for _k in range(1, power):
            shares[i] *= priors[i]
        total += shares[i]
    left = (rng_next(rng) >> 11) / 9007199254740992.0 * total
    for i in range(n - 1):
        left -= shares[i]
        if left < 0.0:
            return i
    return n - 1


cdef void play_by_priors(Game one, Game two, int seat_of_one, void* state, int power,
                         Rng* rng) noexcept nogil:
    """Play a game to its end."""
    cdef move_t moves[MAX_MOVES]
    cdef float priors[MAX_MOVES]
    cdef int seat, n, i
    one.setup(state)
    while True:
        seat = one.seat_to_move(state)
        if seat == SEAT_NONE:
            return
        if seat == SEAT_CHANCE:
            one.apply(state, one.sample_chance(state, rng))
            continue
        n = one.legal_moves(state, moves)
        i = 0
        if n > 1:
            if seat == seat_of_one:
                one.prior(state, moves, n, priors)
            else:
                two.prior(state, moves, n, priors)
            i = drawn(priors, n, power, rng)
        one.apply(state, moves[i])


def prior_games(Game one, Game two, uint64_t seed, uint64_t start, uint64_t number, int power=1):
    """Play games at a table of two in which both seats move by their priors alone.

    Args:
        one, two: the same game, with other weights.
        seed, start, number: numbers `start` to `start + number - 1` of the games of a seed are
            played, each once in both seatings with the same stream of luck.
        power: priors are raised to it, 1 to 16; the larger it is, the surer the likeliest move.

    Returns:
        The points of `one` (0 to 1 a game) and its margins, each added up over all the games.

    Raises:
        ValueError: no table of two, different games, no games, or a bad power.
    """
    cdef Rng rng
    cdef float out[MAX_SEATS]
    cdef double points = 0.0, margin = 0.0
    cdef uint64_t i
    cdef int seat
    if one.num_seats != 2 or one.identity != two.identity:
        raise ValueError(f"{one.identity} against {two.identity}: one game for two seats, please")
    if not number or not 1 <= power <= 16:
        raise ValueError(f"{number} games with power {power}: at least one, and 1 to 16")
    cdef State state = State(one)
    with nogil:
        for i in range(start, start + number):
            for seat in range(2):
                rng_seed(&rng, seed, STREAM_PLAYOUT, i)
                play_by_priors(one, two, seat, state.data, power, &rng)
                one.returns(state.data, out)
                points += out[seat]
                one.margins(state.data, out)
                margin += out[seat]
    return points, margin
