"""The contract of a game, and the checked Python state on top of it.

A state is a plain C struct of `state_size` bytes without pointers: it is copied by memcpy and
compared byte by byte. It holds either one exact situation (a *full* state) or what one seat knows
(a *view*: secrets of others are marked unknown). The same functions work on both, save that
`sample_chance`, `legal_moves` of another seat, `returns` and `margins` want a full state.

Luck is explicit: where luck decides, `seat_to_move` is SEAT_CHANCE, `sample_chance` picks an
outcome and `apply` carries it out. Decks are drawn lazily, one card per chance event, so a full
state holds no order of a deck and `determinize` has only real secrets to fill in.
"""

from libc.stdint cimport int64_t

from engine.types cimport key_t, move_t, uint32_t
from engine.rng cimport Rng

# Answers of `late`.
cdef enum:
    # It cannot, or it would take too long.
    LATE_NO = 0
    # From here on `chance_weight` in the view gives the odds as its seat knows them. What others
    # hold may matter to the moves of others and to the result.
    LATE_NEAR = 1
    # What is hidden matters no more but through those odds, and other seats that still decide do
    # so alike whatever they know. All functions, `returns` and `margins` too, work on the view.
    LATE_OPEN = 2


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
    cdef readonly int belief_size   # bytes of a belief; 0: the game supplies none
    cdef readonly dict settings     # every setting with its value, defaults included
    cdef readonly object notation   # the game's module of words; see engine/notation.py
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
    # Key of what everybody knows.
    cdef key_t public_key(self, const void* state) noexcept nogil
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

    # ---- optional, for endings that can be worked out (search/solver.pxd) ----

    # Whether the rest of the game can be worked out from the view of `seat` (LATE_*). Writes a key
    # of all in the view that still matters, and may take luck and decisions that cannot matter any
    # more out of the view, which is good for nothing but working on afterwards. Base class: no.
    cdef int late(self, void* view, int seat, key_t* key) noexcept nogil
    # Fill in what other seats hold in the view of `seat`, in the way number `index` = 0, 1, ...
    # Returns in how many physical ways it can come about, 0 if in none (the view is then spoilt),
    # -1 if no way has this number or a higher one. Base class: no way has a number.
    cdef int64_t fill_secrets(self, void* view, int seat, uint32_t index) noexcept nogil

    # A belief: what `seat` takes the others to hold, from how they decided so far. A plain struct
    # of `belief_size` bytes without pointers, kept up to date with the seat's view. Base class: no
    # belief, all worlds as likely as the physical deals make them.

    # Begin a belief with nothing but the view.
    cdef void belief_start(self, const void* view, int seat, void* belief) noexcept nogil
    # Take in an event as the seat sees it; `view` is the seat's view before it.
    cdef void belief_event(self, const void* view, int seat, move_t move,
                           void* belief) noexcept nogil
    # Get ready to draw worlds of the view; good until the next event.
    cdef void belief_prepare(self, const void* view, int seat, void* belief) noexcept nogil
    # As `determinize`, of the view prepared for: physical deals times how likely the decisions are.
    cdef void belief_draw(self, const void* belief, void* state, Rng* rng) noexcept nogil
    # What a prepared belief says, for people: pairs of what is unknown, a word, and its values as
    # triples (word, probability, probability by the physical deals alone).
    cdef list belief_rows(self, const void* view, int seat, const void* belief)
    # How likely a prepared belief takes the hidden cards of a full state, to which the view fits,
    # to be: the probability, and that by the physical deals alone. For measurements.
    cdef tuple belief_odds(self, const void* view, const void* belief, const void* world)


cdef class State:
    cdef readonly Game game
    cdef readonly int observer      # -1: full state; else the seat whose view this is
    cdef readonly int ply           # decisions applied since the game began
    cdef void* data                 # owned; game.state_size bytes
    cdef bint _decision_is_legal(self, move_t move) noexcept
    cdef State _twin(self)
