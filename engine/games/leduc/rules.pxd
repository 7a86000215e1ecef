"""The rules of Leduc poker on the typed struct; C only.

What may follow in a round of betting stands in small tables, one row a line (`LINE_*`), so that
the inner functions look up and do not branch.
"""

from engine.types cimport SEAT_CHANCE, SEAT_NONE, int8_t, move_t, uint8_t
from engine.rng cimport Rng, rng_below
from engine.games.leduc.state cimport (
    CARD_NONE, CARD_UNKNOWN, KIND_DEAL, KIND_FOLD, KIND_PUBLIC, LINE_RF, LeducState, NUM_CARDS,
    make_move, move_card, move_kind, move_seat)

cdef extern from *:
    """
    /* The line that fold, call, raise lead to; 0 where the move is not allowed. */
    static const unsigned char leduc_next[6][4] = {
        {0, 1, 2, 0}, {0, 6, 3, 0}, {11, 7, 4, 0}, {12, 8, 5, 0}, {13, 9, 0, 0}, {14, 10, 0, 0}};
    /* The first legal move of a line under way, and how many there are. */
    static const unsigned char leduc_first[6] = {2, 2, 1, 1, 1, 1};
    static const unsigned char leduc_count[6] = {2, 2, 3, 3, 2, 2};
    /* Who decides: -1 luck (the public card), -2 nobody any more. */
    static const signed char leduc_turn[2][15] = {
        {0, 1, 1, 0, 0, 1, -1, -1, -1, -1, -1, -2, -2, -2, -2},
        {0, 1, 1, 0, 0, 1, -2, -2, -2, -2, -2, -2, -2, -2, -2}};
    /* Raises that both seats have paid. */
    static const unsigned char leduc_paid[15] = {0, 0, 0, 0, 1, 1, 0, 1, 1, 2, 2, 0, 0, 1, 1};
    /* What the first seat wins by a fold: 1 the pot, -1 nothing; 0 nobody has folded. */
    static const signed char leduc_fold[15] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, -1, -1, 1};
    """
    const unsigned char leduc_next[6][4]
    const unsigned char leduc_first[6]
    const unsigned char leduc_count[6]
    const signed char leduc_turn[2][15]
    const unsigned char leduc_paid[15]
    const signed char leduc_fold[15]


cdef inline int round_of(const LeducState* s) noexcept nogil:
    """0 before the public card is dealt, 1 after it."""
    return s.public_card != CARD_NONE


cdef inline int turn_of(const LeducState* s) noexcept nogil:
    """Who decides, from all that is on the table."""
    if s.card[1] == CARD_NONE:
        return SEAT_CHANCE
    return leduc_turn[round_of(s)][s.line[round_of(s)]]


cdef inline int legal_moves(const LeducState* s, move_t* out) noexcept nogil:
    """All legal moves; at a chance event every card that is not known to lie elsewhere."""
    cdef int line, first
    if s.turn < 0:
        return 0 if s.turn == SEAT_NONE else luck(s, out)
    line = s.line[round_of(s)]
    first = leduc_first[line]
    out[0] = make_move(first, 0, 0)
    out[1] = make_move(first + 1, 0, 0)
    out[2] = make_move(first + 2, 0, 0)
    return leduc_count[line]


cdef inline void apply(LeducState* s, move_t move) noexcept nogil:
    cdef int kind = move_kind(move), current
    if kind < KIND_DEAL:
        current = round_of(s)
        s.line[current] = leduc_next[s.line[current]][kind - KIND_FOLD]
        s.turn = leduc_turn[current][s.line[current]]
    elif kind == KIND_PUBLIC:
        s.public_card = move_card(move)
        s.turn = 0
    else:
        s.card[move_seat(move)] = move_card(move)
        s.turn = SEAT_CHANCE if move_seat(move) == 0 else 0


cdef inline int chips_paid(const LeducState* s) noexcept nogil:
    """What each seat has put in at least: ante, raises of 2, and of 4 in the second round."""
    return 1 + 2 * leduc_paid[s.line[0]] + 4 * leduc_paid[s.line[1]]


cdef inline int strength(int card, int public_card) noexcept nogil:
    """A pair beats every single card; else the rank counts."""
    return 3 if card >> 1 == public_card >> 1 else card >> 1


cdef inline int margin(const LeducState* s) noexcept nogil:
    """Chips that seat 1 (index 0) has won, -13..13; 0 while the game goes on."""
    cdef int won, one, two
    if s.turn != SEAT_NONE:
        return 0
    won = leduc_fold[s.line[0]] + leduc_fold[s.line[1]]
    if won == 0:
        one = strength(s.card[0], s.public_card)
        two = strength(s.card[1], s.public_card)
        won = (one > two) - (one < two)
    return won * chips_paid(s)


cdef inline int draw(int one, int two, Rng* rng) noexcept nogil:
    """A card by lot that is neither of two others, which need not be known."""
    cdef int least = one if one < two else two
    cdef int most = two if one < two else one
    cdef int card = rng_below(rng, NUM_CARDS - (one < NUM_CARDS) - (two < NUM_CARDS))
    card += card >= least
    card += card >= most
    return card


cdef inline move_t sample_chance(const LeducState* s, Rng* rng) noexcept nogil:
    cdef int card = draw(s.card[0], s.card[1], rng)
    if s.card[1] == CARD_NONE:
        return make_move(KIND_DEAL, s.card[0] != CARD_NONE, card)
    return make_move(KIND_PUBLIC, 0, card)


# The outcomes of the present chance event.
cdef int luck(const LeducState* s, move_t* out) noexcept nogil
# Bits: 1 two cards alike, 2 a value out of range, 4 what no game leads to, 8 the wrong turn.
cdef int check(const LeducState* s) noexcept nogil
