"""Playing on by the priors of the game, to see how long it goes on."""

from libc.stdlib cimport free
from libc.string cimport memcpy

from engine.game cimport Game, State
from engine.rng cimport STREAM_DETERMINIZE, STREAM_PLAYOUT, Rng, rng_seed
from engine.types cimport MAX_MOVES, SEAT_CHANCE, SEAT_NONE, move_t, uint64_t
from search.control cimport alloc_apart
from search.playout cimport by_prior


def decisions_to_come(State view, int number, uint64_t seed=0):
    """Return how many decisions the view's seat has to make until the end: (choices, all), means.

    `choices` are those with more than one legal move. All seats play by `Game.prior`; where the
    game has none, uniformly.

    Args:
        view: what the seat knows; it is determinized anew for each game played on.
        number: games played on, 1 or more.
        seed: of worlds, moves and luck.
    """
    cdef move_t moves[MAX_MOVES]
    cdef Rng world_rng, rng
    cdef Game game = view.game
    cdef int me = view.observer, seat, n, plies, _i
    cdef long choices = 0, decisions = 0
    cdef void* world
    if me < 0 or number < 1:
        raise ValueError("decisions_to_come needs the view of a seat, and number at least 1")
    world = alloc_apart(game.state_size)
    if world == NULL:
        raise MemoryError()
    rng_seed(&world_rng, seed, STREAM_DETERMINIZE, 0)
    rng_seed(&rng, seed, STREAM_PLAYOUT, 0)
    with nogil:
        for _i in range(number):
            memcpy(world, view.data, game.state_size)
            game.determinize(world, &world_rng)
            plies = 0
            while plies < game.max_plies:
                seat = game.seat_to_move(world)
                if seat == SEAT_NONE:
                    break
                if seat == SEAT_CHANCE:
                    game.apply(world, game.sample_chance(world, &rng))
                    continue
                n = game.legal_moves(world, moves)
                if seat == me:
                    decisions += 1
                    choices += n > 1
                game.apply(world, moves[by_prior(game, world, moves, n, &rng) if n > 1 else 0])
                plies += 1
    free(world)
    return choices / <double>number, decisions / <double>number
