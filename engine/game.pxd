"""The contract of a game, and the checked Python state on top of it.

A state is a plain C struct of `state_size` bytes without pointers: it is copied by memcpy and
compared byte by byte. It holds either one exact situation (a *full* state) or what one seat knows
(a *view*: secrets of others are marked unknown). The same functions work on both, save that
`sample_chance`, `legal_moves` of another seat, `returns` and `margins` want a full state.

Luck is explicit: where luck decides, `seat_to_move` is SEAT_CHANCE, `sample_chance` picks an
outcome and `apply` carries it out. Decks are drawn lazily, one card per chance event, so a full
state holds no order of a deck and `determinize` has only real secrets to fill in.
"""

from engine.types cimport key_t, move_t, uint32_t
from engine.rng cimport Rng


cdef class Game:
    cdef readonly str name          # folder name, also the word used in texts
    cdef readonly int version       # of the notation and rules: "lofoten/1"
    cdef readonly int num_seats     # 1..MAX_SEATS
    cdef readonly int max_moves     # no state has more legal moves or chance outcomes
    cdef readonly int max_plies     # no game has more decisions
    cdef readonly int state_size    # bytes
    cdef readonly double margin_scale    # points by which a lead is clear; see search/playout.pxd
    cdef readonly bint has_estimate      # whether the game supplies `estimate`
    cdef readonly bint has_prior         # whether the game supplies `prior`
    cdef readonly dict settings     # every setting with its value, defaults included
    cdef readonly object notation   # the game's module of move words and event tokens, both ways
    cdef str _identity

    # ---- the C table: all noexcept nogil, all required ----

    # Make `state` the empty table before the first chance event or decision.
    cdef void setup(self, void* state) noexcept nogil
    # Who decides: a seat, SEAT_CHANCE, or SEAT_NONE when the game is over.
    cdef int seat_to_move(self, const void* state) noexcept nogil
    # Write all legal moves (at a chance event: all outcomes) in ascending order; return how many.
    cdef int legal_moves(self, const void* state, move_t* out) noexcept nogil
    # Pick an outcome of the present chance event with its physical probability.
    cdef move_t sample_chance(self, const void* state, Rng* rng) noexcept nogil
    # In how many equally likely physical ways the outcome can come about (relative weight, >= 0).
    cdef uint32_t chance_weight(self, const void* state, move_t outcome) noexcept nogil
    # Carry out a legal move or possible outcome. Unchecked.
    cdef void apply(self, void* state, move_t move) noexcept nogil
    # What search maximises, one per seat, 0 (lost) to 1 (won); only of a finished game.
    cdef void returns(self, const void* state, float* out) noexcept nogil
    # Points ahead of the best other seat, one per seat, if the game were scored now.
    cdef void margins(self, const void* state, float* out) noexcept nogil
    # Key of the whole state.
    cdef key_t key(self, const void* state) noexcept nogil
    # Key of what `seat` knows; the same for a full state and for the seat's view of it.
    cdef key_t infoset_key(self, const void* state, int seat) noexcept nogil
    # The move as `seat` sees it happen: secrets become unknown.
    cdef move_t redact(self, const void* state, move_t move, int seat) noexcept nogil
    # Enter into a view what `move` shows (a card played from a hidden hand). 0, or -1 if the view
    # rules it out; then the state is unchanged.
    cdef int reveal(self, void* state, move_t move) noexcept nogil
    # Turn a state into the view of `seat`: forget what it does not know.
    cdef void blind(self, void* state, int seat) noexcept nogil
    # Turn a view into a full state: fill in what is unknown, in proportion to the physical deals.
    cdef void determinize(self, void* state, Rng* rng) noexcept nogil
    # 0, or bits naming broken invariants: everything redundant is recomputed and compared. A debug
    # build asserts it after every move, also inside searches.
    cdef int check(self, const void* state) noexcept nogil

    # ---- optional C methods: the base class has a plain answer for each ----

    # Guess how a full state will end that is not over: for each seat its expected return (0 to 1)
    # and its expected final margin in points. Base class: the margin if scored now.
    cdef void estimate(self, const void* state, float* value, float* margin) noexcept nogil
    # How likely the seat to move is to choose each of the `n` legal `moves` (ascending), from what
    # that seat knows and nothing else; above 0, with sum 1. Base class: all alike.
    cdef void prior(self, const void* state, const move_t* moves, int n,
                    float* out) noexcept nogil
    # The key of what `seat` knows, the same for hands between which a search need not tell apart.
    # Base class: `infoset_key`.
    cdef key_t abstract_key(self, const void* state, int seat) noexcept nogil


cdef class State:
    cdef readonly Game game
    cdef readonly int observer      # -1: full state; else the seat whose view this is
    cdef readonly int ply           # decisions applied since the game began
    cdef void* data                 # owned; game.state_size bytes
    cdef bint _decision_is_legal(self, move_t move) noexcept
    cdef State _twin(self)
