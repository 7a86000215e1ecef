"""Estimates and priors of many states at once, and games played by them, for fitting weights."""

from libc.string cimport memcpy

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


# How a seat moves in games for fitting, see `policy_games`.
cdef struct Policy:
    int power
    double sharpness
    int playouts
    int plies
    int points
    char* after              # room for a state
    char* end                # and for another


cdef inline double exponential(double x) noexcept nogil:
    """e to the x, for |x| up to 250, the same bits on every machine; relative error below 1e-12."""
    cdef double y = x / 1024.0, total = 1.0
    cdef int i, _k
    for i in range(11, 0, -1):
        total = 1.0 + total * y / i
    for _k in range(10):
        total *= total
    return total


cdef inline int drawn(const double* shares, int n, Rng* rng) noexcept nogil:
    """Draw one of n moves."""
    cdef double total = 0.0, left
    cdef int i
    for i in range(n):
        total += shares[i]
    left = (rng_next(rng) >> 11) / 9007199254740992.0 * total
    for i in range(n - 1):
        left -= shares[i]
        if left < 0.0:
            return i
    return n - 1


cdef inline void likely(Game game, const void* state, const move_t* moves, int n, int power,
                        double* shares) noexcept nogil:
    """Set the shares of moves by their priors."""
    cdef float priors[MAX_MOVES]
    cdef int i, _k
    game.prior(state, moves, n, priors)
    for i in range(n):
        shares[i] = priors[i]
        for _k in range(1, power):
            shares[i] *= priors[i]


cdef void play_on(Game game, void* state, int plies, Rng* rng) noexcept nogil:
    """Make so many decisions by the priors, fewer where the game ends."""
    cdef move_t moves[MAX_MOVES]
    cdef double shares[MAX_MOVES]
    cdef int seat, n, i
    while plies > 0:
        seat = game.seat_to_move(state)
        if seat == SEAT_NONE:
            return
        if seat == SEAT_CHANCE:
            game.apply(state, game.sample_chance(state, rng))
            continue
        n = game.legal_moves(state, moves)
        i = 0
        if n > 1:
            likely(game, state, moves, n, 1, shares)
            i = drawn(shares, n, rng)
        game.apply(state, moves[i])
        plies -= 1


cdef double worth(Game game, const void* state, int seat, move_t move, const Policy* policy,
                  Rng* rng) noexcept nogil:
    """The return that a seat expects after a move."""
    cdef float values[MAX_SEATS]
    cdef float margins[MAX_SEATS]
    cdef double total = 0.0
    cdef int _i, _k
    memcpy(policy.after, state, game.state_size)
    game.apply(policy.after, move)
    for _k in range(policy.playouts):
        memcpy(policy.end, policy.after, game.state_size)
        for _i in range(policy.points):
            play_on(game, policy.end, policy.plies, rng)
            if game.seat_to_move(policy.end) == SEAT_NONE:
                game.returns(policy.end, values)
            else:
                game.estimate(policy.end, values, margins)
            total += values[seat]
    return total / (policy.playouts * policy.points)


cdef int chosen(Game game, const void* state, int seat, const move_t* moves, int n,
                const Policy* policy, Rng* rng) noexcept nogil:
    """Draw the number of a move."""
    cdef double shares[MAX_MOVES]
    cdef int i
    likely(game, state, moves, n, policy.power, shares)
    if policy.sharpness != 0.0:
        for i in range(n):
            shares[i] *= exponential(
                policy.sharpness * (worth(game, state, seat, moves[i], policy, rng) - 0.5))
    return drawn(shares, n, rng)


cdef void play_game(Game one, Game two, int seat_of_one, void* state, const Policy* policy,
                    Rng* rng) noexcept nogil:
    """Play a game to its end."""
    cdef move_t moves[MAX_MOVES]
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
                i = chosen(one, state, seat, moves, n, policy, rng)
            else:
                i = chosen(two, state, seat, moves, n, policy, rng)
        one.apply(state, moves[i])


def policy_games(Game one, Game two, uint64_t seed, uint64_t start, uint64_t number, int power=1,
                 double sharpness=0.0, int playouts=1, int plies=0, int points=1):
    """Play games at a table of two in which both seats move by priors and short looks ahead.

    A move's share is its prior to a power, times exp(sharpness * return) where `return` (0 to 1) is
    the mean estimate at some points of some playouts by the priors, as in a search. Both look ahead
    from the full state, so both know what is hidden from them: such games compare weights, and no
    engine plays them.

    Args:
        one, two: the same game, with other weights.
        seed, start, number: numbers `start` to `start + number - 1` of the games of a seed are
            played, each once in both seatings with the same stream of luck.
        power: 1 to 16.
        sharpness: 0 to 500; with 0 nobody looks ahead.
        playouts: of each move, 1 to 1000.
        plies: decisions of a playout up to its first point, and from each to the next; 0 to 1000.
        points: of a playout, 1 to 100.

    Returns:
        The points of `one` (0 to 1 a game) and its margins, each added up over all the games.

    Raises:
        ValueError: no table of two, different games, no games, or a number out of range.
    """
    cdef Rng rng
    cdef float out[MAX_SEATS]
    cdef double score = 0.0, margin = 0.0
    cdef uint64_t i
    cdef int seat
    if one.num_seats != 2 or one.identity != two.identity:
        raise ValueError(f"{one.identity} against {two.identity}: one game for two seats, please")
    for name, value, low, high in (
        ("number", number, 1, 10**9), ("power", power, 1, 16), ("sharpness", sharpness, 0, 500),
        ("playouts", playouts, 1, 1000), ("plies", plies, 0, 1000), ("points", points, 1, 100),
    ):
        if not low <= value <= high:
            raise ValueError(f"{name}={value}: use {low} to {high}")
    cdef State state = State(one)
    cdef State after = State(one)
    cdef State end = State(one)
    cdef Policy policy
    policy.power, policy.sharpness = power, sharpness
    policy.playouts, policy.plies, policy.points = playouts, plies, points
    policy.after, policy.end = <char*>after.data, <char*>end.data
    with nogil:
        for i in range(start, start + number):
            for seat in range(2):
                rng_seed(&rng, seed, STREAM_PLAYOUT, i)
                play_game(one, two, seat, state.data, &policy, &rng)
                one.returns(state.data, out)
                score += out[seat]
                one.margins(state.data, out)
                margin += out[seat]
    return score, margin
