"""Invariants of Oh Hell, recomputed from the cards in the order of play."""

from engine.types cimport uint64_t
from engine.rng cimport mix64
from engine.games.oh_hell.rules cimport cards_held, count_cards, winning_card
from engine.games.oh_hell.split cimport Split, can_be_dealt, read_split
from engine.games.oh_hell.state cimport (
    BID_NONE, CARD_NONE, MOST_SEATS, NUM_CARDS, SEAT_UNSET, card_bit, suit_of)


cdef bint has_range(const OhHellState* s, const Rules* rules) noexcept nogil:
    cdef int i
    cdef bint turned_up = s.trump != CARD_NONE
    if s.tricks > rules.most_tricks or (rules.fixed_tricks and s.tricks != rules.fixed_tricks):
        return False
    if s.dealer != SEAT_UNSET and (s.dealer >= rules.seats or s.tricks == 0):
        return False
    if s.dealt > s.tricks * rules.seats or (s.dealt and s.dealer == SEAT_UNSET):
        return False
    if turned_up and (s.dealt != s.tricks * rules.seats or s.dealer == SEAT_UNSET
                      or s.trump >= NUM_CARDS):
        return False
    if s.count > s.dealt or (s.count and not turned_up) or s.seat >= rules.seats:
        return False
    for i in range(NUM_CARDS):
        if (i >= s.count) != (s.played[i] == CARD_NONE) or s.played[i] > CARD_NONE:
            return False
    for i in range(rules.seats, MOST_SEATS):
        if s.hand[i] or s.won[i] or s.lacks[i] or s.bid[i] != BID_NONE:
            return False
    return turned_up or s.seat == 0


cdef bint has_cards(const OhHellState* s, const Rules* rules) noexcept nogil:
    cdef uint64_t seen = 0
    cdef int i, total = 0
    for i in range(s.count):
        if s.played[i] >= NUM_CARDS:
            return False
        seen |= card_bit(s.played[i])
    if seen != s.out:
        return False
    total = s.count
    if s.trump != CARD_NONE:
        seen |= card_bit(s.trump)
        total += 1
    for i in range(rules.seats):
        seen |= s.hand[i]
        total += count_cards(s.hand[i])
    return count_cards(seen) == total and not seen & ~rules.deck


cdef bint has_hands(const OhHellState* s, const Rules* rules) noexcept nogil:
    cdef int seat, known
    for seat in range(rules.seats):
        known = count_cards(s.hand[seat])
        if known and known != cards_held(s, rules, seat):
            return False
    return True


cdef bint has_bids(const OhHellState* s, const Rules* rules) noexcept nogil:
    cdef int i, seat, total = 0, number = 0
    for i in range(rules.seats):
        seat = (s.dealer + 1 + i) % rules.seats
        if s.bid[seat] == BID_NONE:
            continue
        if number < i or s.bid[seat] > s.tricks or s.trump == CARD_NONE:
            return False
        number += 1
        total += s.bid[seat]
    if number < rules.seats:
        return s.count == 0 and (s.trump == CARD_NONE
                                 or s.seat == (s.dealer + 1 + number) % rules.seats)
    return total != s.tricks


cdef bint has_play(const OhHellState* s, const Rules* rules) noexcept nogil:
    """Play the cards again from the first lead on."""
    cdef int won[4]
    cdef int lacks[4]
    cdef int i, in_trick, led = 0, seat = (s.dealer + 1) % rules.seats
    cdef uint64_t trail = 0
    for i in range(4):
        won[i] = lacks[i] = 0
    for i in range(s.count):
        in_trick = i % rules.seats
        if in_trick == 0:
            led = suit_of(s.played[i])
        if lacks[seat] >> suit_of(s.played[i]) & 1:
            return False
        if suit_of(s.played[i]) != led:
            lacks[seat] |= 1 << led
        trail = mix64(trail ^ <uint64_t>(s.played[i] + 1))
        seat = (seat + 1) % rules.seats
        if in_trick == rules.seats - 1:
            seat = (seat + winning_card(&s.played[i - in_trick], rules.seats, s.trump)
                    ) % rules.seats
            won[seat] += 1
    for i in range(rules.seats):
        if won[i] != s.won[i] or lacks[i] != s.lacks[i]:
            return False
        if lacks[i] & suits_in(s.hand[i]):
            return False
    return trail == s.trail and (s.count == 0 or seat == s.seat)


cdef int suits_in(uint64_t cards) noexcept nogil:
    cdef int suits = 0, i
    for i in range(NUM_CARDS):
        if cards >> i & 1:
            suits |= 1 << suit_of(i)
    return suits


cdef int check(const OhHellState* s, const Rules* rules) noexcept nogil:
    cdef Split split
    if not has_range(s, rules):
        return BROKEN_RANGE
    if not has_cards(s, rules):
        return BROKEN_CARDS
    if not has_hands(s, rules):
        return BROKEN_HANDS
    if not has_bids(s, rules):
        return BROKEN_BIDS
    if not has_play(s, rules):
        return BROKEN_PLAY
    read_split(s, rules, &split)
    return 0 if can_be_dealt(&split) else BROKEN_SECRETS
