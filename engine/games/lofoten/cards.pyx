"""Renewing the order deck and the classes of cards that it leaves in the hands."""

from libc.string cimport memcpy, memset

from engine.games.lofoten.counts cimport GROUP_DISCARD, change
from engine.games.lofoten.state cimport NUM_CARDS, NUM_LABELS


cdef void class_cards(const LofotenState* s, int seat, int label, uint8_t* count) noexcept nogil:
    """Count the cards of a class: those that show in the hand, and the hidden ones of a view."""
    cdef int slot, card
    cdef bint hidden = False
    memset(count, 0, NUM_CARDS)
    for slot in range(4):
        if s.label[seat][slot] != label:
            continue
        if s.hand[seat][slot] < NUM_CARDS:
            count[s.hand[seat][slot]] += 1
        elif s.hand[seat][slot] == CARD_UNKNOWN:
            hidden = True
    if hidden:
        for card in range(NUM_CARDS):
            count[card] += s.held[label][card]


cdef inline int only_kind(const uint8_t* count) noexcept nogil:
    """The one kind of card that is counted, CARD_NONE if there are several."""
    cdef int card, kind = CARD_NONE
    for card in range(NUM_CARDS):
        if count[card]:
            if kind != CARD_NONE:
                return CARD_NONE
            kind = card
    return kind


cdef void split_class(LofotenState* s, int seat, int label) noexcept nogil:
    cdef uint8_t count[12]
    cdef int slot, kind, free = 1
    cdef bint first = True
    class_cards(s, seat, label, count)
    kind = only_kind(count)
    if kind == CARD_NONE or count[kind] == 1:
        return
    for slot in range(4):
        if s.label[seat][slot] >= free:
            free = s.label[seat][slot] + 1
    for slot in range(4):
        if s.label[seat][slot] != label:
            continue
        if not first:
            s.label[seat][slot] = free
            if s.hand[seat][slot] == CARD_UNKNOWN:
                s.held[label][kind] -= 1
                s.held[free][kind] += 1
            free += 1
        first = False


cdef void renumber_labels(LofotenState* s, int seat) noexcept nogil:
    cdef uint8_t new_of[NUM_LABELS]
    cdef uint8_t held[NUM_LABELS][12]
    cdef int slot, old, used = 0
    cdef bint hidden = False, changed = False
    memset(new_of, 0, sizeof(new_of))
    for slot in range(4):
        old = s.label[seat][slot]
        if old == 0:
            continue
        hidden |= s.hand[seat][slot] == CARD_UNKNOWN
        if new_of[old] == 0:
            used += 1
            new_of[old] = used
            changed |= used != old
        s.label[seat][slot] = new_of[old]
    if not (changed and hidden):
        return
    memcpy(held, s.held, sizeof(held))
    memset(s.held, 0, sizeof(held))
    for old in range(1, NUM_LABELS):
        if new_of[old]:
            memcpy(s.held[new_of[old]], held[old], NUM_CARDS)


cdef void renew_deck(LofotenState* s) noexcept nogil:
    cdef int seat, slot, card, fresh
    cdef bint found, hidden
    for seat in range(2):
        # A number that no class of this hand has; a hand has four slots and one is empty here.
        fresh = 1
        for slot in range(4):
            if s.label[seat][slot] >= fresh:
                fresh = s.label[seat][slot] + 1
        found = False
        hidden = False
        for slot in range(4):
            if s.hand[seat][slot] != CARD_NONE and s.label[seat][slot] == 0:
                s.label[seat][slot] = fresh
                found = True
                hidden |= s.hand[seat][slot] == CARD_UNKNOWN
        if hidden:
            # The pool of a view now holds exactly the hidden cards of this hand.
            memcpy(s.held[fresh], s.deck, 12)
            memset(s.deck, 0, 12)
        if found:
            split_class(s, seat, fresh)
            renumber_labels(s, seat)
    s.deck_size = 0
    for card in range(12):
        s.deck[card] = s.discard[card]
        s.deck_size += s.discard[card]
        change(s, GROUP_DISCARD, card, &s.discard[card], -<int>s.discard[card])
    s.shuffles += s.shuffles < 65535
