"""The rules of Leduc poker: what is not in rules.pxd because it need not be fast."""

from engine.games.leduc.state cimport LINE_CC, LINE_OPEN, NUM_LINES


cdef int luck(const LeducState* s, move_t* out) noexcept nogil:
    cdef int card, n = 0, kind = KIND_PUBLIC, seat = 0
    if s.card[1] == CARD_NONE:
        kind = KIND_DEAL
        seat = s.card[0] != CARD_NONE
    for card in range(NUM_CARDS):
        if card != s.card[0] and card != s.card[1]:
            out[n] = make_move(kind, seat, card)
            n += 1
    return n


cdef bint is_possible(const LeducState* s) noexcept nogil:
    """True if the cards that are dealt fit the betting."""
    cdef bint is_called = LINE_CC <= s.line[0] < LINE_RF
    if s.card[0] == CARD_NONE and s.card[1] != CARD_NONE:
        return False
    if s.card[1] == CARD_NONE and s.line[0] != LINE_OPEN:
        return False
    if s.public_card == CARD_NONE:
        return s.line[1] == LINE_OPEN
    return is_called


cdef int check(const LeducState* s) noexcept nogil:
    cdef int cards[3]
    cdef int i, broken = 0
    cards[0], cards[1], cards[2] = s.card[0], s.card[1], s.public_card
    for i in range(3):
        if cards[i] < NUM_CARDS and cards[i] == cards[(i + 1) % 3]:
            broken |= 1
        if cards[i] > CARD_UNKNOWN and cards[i] != CARD_NONE:
            broken |= 2
    if s.public_card == CARD_UNKNOWN or s.line[0] >= NUM_LINES or s.line[1] >= NUM_LINES:
        return broken | 2
    if not is_possible(s):
        broken |= 4
    if s.turn != turn_of(s):
        broken |= 8
    return broken
