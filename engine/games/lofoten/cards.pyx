"""Renewing the order deck and the classes of cards that it leaves in the hands."""

from libc.string cimport memcpy, memset

from engine.games.lofoten.counts cimport GROUP_DISCARD, change


cdef void renumber_labels(LofotenState* s, int seat) noexcept nogil:
    cdef uint8_t new_of[5]
    cdef uint8_t held[5][12]
    cdef int slot, old, used = 0
    cdef bint hidden = False, changed = False
    memset(new_of, 0, sizeof(new_of))
    for slot in range(4):
        old = s.label[seat][slot]
        hidden |= s.hand[seat][slot] == CARD_UNKNOWN
        if old and not new_of[old]:
            used += 1
            new_of[old] = used
            changed |= used != old
        s.label[seat][slot] = new_of[old]
    if not (changed and hidden):
        return
    memcpy(held, s.held, sizeof(held))
    memset(s.held, 0, sizeof(held))
    for old in range(1, 5):
        if new_of[old]:
            memcpy(s.held[new_of[old]], held[old], 12)


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
            renumber_labels(s, seat)
    s.deck_size = 0
    for card in range(12):
        s.deck[card] = s.discard[card]
        s.deck_size += s.discard[card]
        change(s, GROUP_DISCARD, card, &s.discard[card], -<int>s.discard[card])
    s.shuffles += 1
