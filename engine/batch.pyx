"""Estimates and priors of many states at once, for fitting weights."""

from engine.game cimport Game
from engine.types cimport MAX_MOVES, move_t


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
