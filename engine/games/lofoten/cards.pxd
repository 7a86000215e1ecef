"""Hands and the order deck (RULES 7): playing, drawing, renewing the deck, classes of cards."""

from engine.types cimport uint32_t, uint8_t
from engine.games.lofoten.state cimport (CARD_NONE, CARD_UNKNOWN, SLOT_DRAWN, LofotenState)

# Number the classes of a hand by first appearance; `held` follows where the hand is hidden.
cdef void renumber_labels(LofotenState* s, int seat) noexcept nogil
# A class whose cards are all alike is known card by card: make it classes of one card each.
cdef void split_class(LofotenState* s, int seat, int label) noexcept nogil
# Make the discard pile the new deck; what is left of the old one in hands becomes a class.
cdef void renew_deck(LofotenState* s) noexcept nogil


cdef inline bint has_labels(const LofotenState* s, int seat) noexcept nogil:
    return (s.label[seat][0] | s.label[seat][1] | s.label[seat][2] | s.label[seat][3]) != 0


cdef inline int take_from_hand(LofotenState* s, int seat, int slot) noexcept nogil:
    """Remove and return the card of a slot; the cards to its right move up."""
    cdef uint8_t* hand = s.hand[seat]
    cdef uint8_t* label = s.label[seat]
    cdef int card = hand[slot], old = label[slot]
    if slot == 0:
        hand[0] = hand[1]
        label[0] = label[1]
    if slot <= 1:
        hand[1] = hand[2]
        label[1] = label[2]
    hand[2] = CARD_NONE
    label[2] = 0
    if has_labels(s, seat):
        if old:
            split_class(s, seat, old)
        renumber_labels(s, seat)
    return card


cdef inline void place_drawn(LofotenState* s, int seat, bint right) noexcept nogil:
    """Put the drawn card at an end of the other two."""
    cdef uint8_t* hand = s.hand[seat]
    cdef uint8_t* label = s.label[seat]
    if right:
        hand[2] = hand[SLOT_DRAWN]
        label[2] = label[SLOT_DRAWN]
    else:
        hand[2] = hand[1]
        label[2] = label[1]
        hand[1] = hand[0]
        label[1] = label[0]
        hand[0] = hand[SLOT_DRAWN]
        label[0] = label[SLOT_DRAWN]
    hand[SLOT_DRAWN] = CARD_NONE
    label[SLOT_DRAWN] = 0
    if has_labels(s, seat):
        renumber_labels(s, seat)


cdef inline void draw_card(LofotenState* s, int seat, int slot, int card) noexcept nogil:
    """Draw a card of the present deck into a slot; CARD_UNKNOWN in the view of another seat."""
    s.hand[seat][slot] = card
    s.label[seat][slot] = 0
    s.deck_size -= 1
    if card < CARD_UNKNOWN:
        s.deck[card] -= 1
