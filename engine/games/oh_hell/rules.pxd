"""The rules of Oh Hell on the typed struct; C only."""

from engine.types cimport SEAT_CHANCE, SEAT_NONE, move_t, uint64_t
from engine.games.oh_hell.state cimport (BID_NONE, CARD_NONE, OhHellState, Rules, SEAT_UNSET)

cdef extern from *:
    int count_cards "__builtin_popcountll" (unsigned long long cards) noexcept nogil
    int lowest_card "__builtin_ctzll" (unsigned long long cards) noexcept nogil


cdef inline int seat_to_move(const OhHellState* s, const Rules* rules) noexcept nogil:
    if s.trump == CARD_NONE:
        return SEAT_CHANCE
    if s.count == s.tricks * rules.seats:
        return SEAT_NONE
    return s.seat


cdef inline bint is_bidding(const OhHellState* s) noexcept nogil:
    """True if the seat to move bids; only where a seat is to move."""
    return s.bid[s.seat] == BID_NONE


cdef inline int cards_held(const OhHellState* s, const Rules* rules, int seat) noexcept nogil:
    """How many cards a seat holds, known or not."""
    cdef int in_trick = s.count % rules.seats
    cdef int leader = s.seat + rules.seats - in_trick
    cdef int after_leader = (seat + 2 * rules.seats - leader) % rules.seats
    cdef int got = s.dealt // rules.seats + (seat < s.dealt % rules.seats)
    return got - s.count // rules.seats - (after_leader < in_trick)


cdef inline uint64_t unseen_cards(const OhHellState* s, const Rules* rules) noexcept nogil:
    """The cards whose place is not known: in hidden hands or left over."""
    cdef uint64_t seen = s.out | s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3]
    if s.trump != CARD_NONE:
        seen |= <uint64_t>1 << s.trump
    return rules.deck & ~seen


cdef void setup(OhHellState* s, const Rules* rules) noexcept nogil
cdef int legal_moves(const OhHellState* s, const Rules* rules, move_t* out) noexcept nogil
cdef void apply(OhHellState* s, const Rules* rules, move_t move) noexcept nogil
# Which card of a trick wins, counted from the card led; `cards` has `number` of them.
cdef int winning_card(const unsigned char* cards, int number, int trump) noexcept nogil
# Points of a seat if scored now; it has bonus and penalty only once it has bid.
cdef int points(const OhHellState* s, const Rules* rules, int seat) noexcept nogil
cdef void returns(const OhHellState* s, const Rules* rules, float* out) noexcept nogil
cdef void margins(const OhHellState* s, const Rules* rules, float* out) noexcept nogil
