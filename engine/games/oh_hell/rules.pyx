"""The rules of Oh Hell."""

from libc.string cimport memset

from engine.rng cimport mix64
from engine.games.oh_hell.state cimport (
    CARD_UNKNOWN, KIND_BID, KIND_DEAL, KIND_DEALER, KIND_PLAY, KIND_TRICKS, KIND_TRUMP, NUM_CARDS,
    card_bit, make_move, move_kind, move_seat, move_value, suit_cards, suit_of)

cdef enum:
    BONUS = 10


cdef void setup(OhHellState* s, const Rules* rules) noexcept nogil:
    memset(s, 0, sizeof(OhHellState))
    memset(s.played, CARD_NONE, NUM_CARDS)
    memset(s.bid, BID_NONE, 4)
    s.tricks = rules.fixed_tricks
    s.dealer = SEAT_UNSET
    s.trump = CARD_NONE


cdef inline int list_cards(int kind, int seat, uint64_t cards, move_t* out) noexcept nogil:
    cdef int n = 0
    while cards:
        out[n] = make_move(kind, seat, lowest_card(cards))
        cards &= cards - 1
        n += 1
    return n


cdef int luck(const OhHellState* s, const Rules* rules, move_t* out) noexcept nogil:
    cdef int i
    if s.tricks == 0:
        for i in range(rules.most_tricks):
            out[i] = make_move(KIND_TRICKS, 0, i + 1)
        return rules.most_tricks
    if s.dealer == SEAT_UNSET:
        for i in range(rules.seats):
            out[i] = make_move(KIND_DEALER, 0, i)
        return rules.seats
    if s.dealt < s.tricks * rules.seats:
        return list_cards(KIND_DEAL, s.dealt % rules.seats, unseen_cards(s, rules), out)
    return list_cards(KIND_TRUMP, 0, unseen_cards(s, rules), out)


cdef int bids(const OhHellState* s, const Rules* rules, move_t* out) noexcept nogil:
    """The dealer bids last, and all bids together must not equal the number of tricks."""
    cdef int seat, bid, n = 0, forbidden = -1
    if s.seat == s.dealer:
        forbidden = s.tricks
        for seat in range(rules.seats):
            if seat != s.seat:
                forbidden -= s.bid[seat]
    for bid in range(s.tricks + 1):
        if bid != forbidden:
            out[n] = make_move(KIND_BID, 0, bid)
            n += 1
    return n


cdef uint64_t possible_cards(const OhHellState* s, const Rules* rules) noexcept nogil:
    """What the seat to move may play; of a hidden hand, whatever it may hold."""
    cdef uint64_t cards = s.hand[s.seat], following
    cdef int suit, in_trick = s.count % rules.seats
    if not cards:
        cards = unseen_cards(s, rules)
        for suit in range(rules.suits):
            if s.lacks[s.seat] >> suit & 1:
                cards &= ~suit_cards(suit)
        return cards
    if in_trick:
        following = cards & suit_cards(suit_of(s.played[s.count - in_trick]))
        if following:
            return following
    return cards


cdef int legal_moves(const OhHellState* s, const Rules* rules, move_t* out) noexcept nogil:
    cdef int seat = seat_to_move(s, rules)
    if seat == SEAT_NONE:
        return 0
    if seat == SEAT_CHANCE:
        return luck(s, rules, out)
    if is_bidding(s):
        return bids(s, rules, out)
    return list_cards(KIND_PLAY, 0, possible_cards(s, rules), out)


cdef int winning_card(const unsigned char* cards, int number, int trump) noexcept nogil:
    cdef int i, best = 0
    for i in range(1, number):
        if suit_of(cards[i]) == suit_of(cards[best]):
            if cards[i] > cards[best]:
                best = i
        elif suit_of(cards[i]) == suit_of(trump):
            best = i
    return best


cdef void play(OhHellState* s, const Rules* rules, int card) noexcept nogil:
    cdef int in_trick = s.count % rules.seats, led, leader
    s.hand[s.seat] &= ~card_bit(card)
    s.out |= card_bit(card)
    if in_trick:
        led = suit_of(s.played[s.count - in_trick])
        if suit_of(card) != led:
            s.lacks[s.seat] |= 1 << led
    s.played[s.count] = card
    s.trail = mix64(s.trail ^ <uint64_t>(card + 1))
    s.count += 1
    if in_trick == rules.seats - 1:
        leader = s.seat + 1
        s.seat = (leader + winning_card(&s.played[s.count - rules.seats], rules.seats, s.trump)
                  ) % rules.seats
        s.won[s.seat] += 1
    else:
        s.seat = (s.seat + 1) % rules.seats


cdef void apply(OhHellState* s, const Rules* rules, move_t move) noexcept nogil:
    cdef int kind = move_kind(move), value = move_value(move)
    if kind == KIND_PLAY:
        play(s, rules, value)
    elif kind == KIND_BID:
        s.bid[s.seat] = value
        s.seat = (s.seat + 1) % rules.seats
    elif kind == KIND_DEAL:
        if value != CARD_UNKNOWN:
            s.hand[move_seat(move)] |= card_bit(value)
        s.dealt += 1
    elif kind == KIND_TRUMP:
        s.trump = value
        s.seat = (s.dealer + 1) % rules.seats
    elif kind == KIND_DEALER:
        s.dealer = value
    elif kind == KIND_TRICKS:
        s.tricks = value


cdef int points(const OhHellState* s, const Rules* rules, int seat) noexcept nogil:
    cdef int off = s.won[seat] - s.bid[seat]
    cdef int for_tricks = rules.points * s.won[seat]
    if s.bid[seat] == BID_NONE:
        return 0
    if off == 0:
        return for_tricks + BONUS
    if rules.penalty:
        return -rules.points * (off if off > 0 else -off)
    return for_tricks


cdef void returns(const OhHellState* s, const Rules* rules, float* out) noexcept nogil:
    """The share of the other seats that a seat has beaten; a tie is half."""
    cdef int seat, other, mine, theirs, halves
    for seat in range(rules.seats):
        mine = points(s, rules, seat)
        halves = 0
        for other in range(rules.seats):
            if other != seat:
                theirs = points(s, rules, other)
                halves += 2 if mine > theirs else (1 if mine == theirs else 0)
        out[seat] = halves / (2.0 * (rules.seats - 1))


cdef void margins(const OhHellState* s, const Rules* rules, float* out) noexcept nogil:
    cdef int seat, other, lead, least
    for seat in range(rules.seats):
        least = 1 << 20
        for other in range(rules.seats):
            if other != seat:
                lead = points(s, rules, seat) - points(s, rules, other)
                least = lead if lead < least else least
        out[seat] = least
