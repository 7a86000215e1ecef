"""Splits of unseen cards among hidden hands."""

from engine.debug cimport c_assert
from engine.rng cimport rng_below, rng_next
from engine.games.oh_hell.rules cimport cards_held, count_cards, lowest_card, unseen_cards
from engine.games.oh_hell.state cimport card_bit, suit_cards

cdef struct Ways:
    # F of the classes between the first and the last as far as it was asked for; -1: not yet.
    double of[MOST_CLASSES - 2][TABLE]

cdef double INVERSE_FACTORIAL[53]


cdef void fill_factorials() noexcept nogil:
    cdef int i
    INVERSE_FACTORIAL[0] = 1.0
    for i in range(1, 53):
        INVERSE_FACTORIAL[i] = INVERSE_FACTORIAL[i - 1] / i


fill_factorials()


cdef void add_cards(Split* split, uint64_t cards, int open_to) noexcept nogil:
    """Add cards to the class that is open to these hands."""
    cdef int k
    for k in range(split.classes):
        if split.open[k] == open_to:
            split.cards[k] |= cards
            split.number[k] += count_cards(cards)
            return
    split.cards[split.classes] = cards
    split.number[split.classes] = count_cards(cards)
    split.open[split.classes] = open_to
    split.classes += 1


cdef void read_split(const OhHellState* s, const Rules* rules, Split* split) noexcept nogil:
    cdef uint64_t unseen = unseen_cards(s, rules), free_cards = 0
    cdef int seat, suit, bin, hidden, open_to
    split.bins = split.classes = 0
    for bin in range(MOST_BINS):
        split.size[bin] = 0
    for seat in range(rules.seats):
        hidden = cards_held(s, rules, seat) - count_cards(s.hand[seat])
        if hidden > 0 and split.bins < MOST_BINS:
            split.seat[split.bins] = seat
            split.size[split.bins] = hidden
            split.bins += 1
    for suit in range(rules.suits):
        open_to = 0
        for bin in range(split.bins):
            if not s.lacks[split.seat[bin]] >> suit & 1:
                open_to |= 1 << bin
        if open_to == (1 << split.bins) - 1:
            free_cards |= unseen & suit_cards(suit)
        elif unseen & suit_cards(suit):
            add_cards(split, unseen & suit_cards(suit), open_to)
    add_cards(split, free_cards, (1 << split.bins) - 1)


cdef inline int most(const Split* split, int k, int bin, int size, int left) noexcept nogil:
    """How many of `left` cards of a class a hand with room for `size` may get."""
    if not split.open[k] >> bin & 1:
        return 0
    return size if size < left else left


cdef inline double term(int a, int b, int c, int rest) noexcept nogil:
    return (INVERSE_FACTORIAL[a] * INVERSE_FACTORIAL[b] * INVERSE_FACTORIAL[c]
            * INVERSE_FACTORIAL[rest])


cdef double number_of_ways(const Split* split, Ways* ways, int k, int x, int y,
                           int z) noexcept nogil:
    """F(k, (x, y, z)); see split.pxd."""
    cdef int a, b, c, at = 0, rest, number = split.number[k]
    cdef double found
    if k == split.classes - 1:
        rest = number - x - y - z
        return term(x, y, z, rest) if rest >= 0 else 0.0
    if k > 0:
        at = (x * (split.size[1] + 1) + y) * (split.size[2] + 1) + z
        if ways.of[k - 1][at] >= 0:
            return ways.of[k - 1][at]
    found = 0.0
    for a in range(most(split, k, 0, x, number) + 1):
        for b in range(most(split, k, 1, y, number - a) + 1):
            for c in range(most(split, k, 2, z, number - a - b) + 1):
                found += (term(a, b, c, number - a - b - c)
                          * number_of_ways(split, ways, k + 1, x - a, y - b, z - c))
    if k > 0:
        ways.of[k - 1][at] = found
    return found


cdef void forget(const Split* split, Ways* ways) noexcept nogil:
    """Empty the tables that this split needs."""
    cdef int k, i
    cdef int used = (split.size[0] + 1) * (split.size[1] + 1) * (split.size[2] + 1)
    for k in range(split.classes - 2):
        for i in range(used):
            ways.of[k][i] = -1.0


cdef bint can_be_dealt(const Split* split) noexcept nogil:
    cdef Ways ways
    forget(split, &ways)
    return number_of_ways(split, &ways, 0, split.size[0], split.size[1], split.size[2]) > 0


cdef void draw_numbers(const Split* split, Ways* ways, int k, const int* size, int* given,
                       Rng* rng) noexcept nogil:
    """Draw how many cards of a class, not the last, each hand gets."""
    cdef int a, b, c, number = split.number[k]
    cdef double part
    cdef double left = number_of_ways(split, ways, k, size[0], size[1], size[2])
    left *= <double>(rng_next(rng) >> 11) * (1.0 / 9007199254740992.0)
    for a in range(most(split, k, 0, size[0], number) + 1):
        for b in range(most(split, k, 1, size[1], number - a) + 1):
            for c in range(most(split, k, 2, size[2], number - a - b) + 1):
                part = (term(a, b, c, number - a - b - c)
                        * number_of_ways(split, ways, k + 1, size[0] - a, size[1] - b, size[2] - c))
                if part == 0:
                    continue
                # Kept also where rounding leaves a rest behind the last term.
                given[0], given[1], given[2] = a, b, c
                if left < part:
                    return
                left -= part


cdef void hand_out(const Split* split, uint64_t cards, int number, const int* given,
                   OhHellState* s, Rng* rng) noexcept nogil:
    """Give so many cards of a class to each hand, by lot."""
    cdef int card[52]
    cdef int i, j, _k, bin, n = 0
    for i in range(number):
        card[i] = lowest_card(cards)
        cards &= cards - 1
    for bin in range(split.bins):
        for _k in range(given[bin]):
            c_assert(n < number)
            j = n + rng_below(rng, number - n)
            s.hand[split.seat[bin]] |= card_bit(card[j])
            card[j] = card[n]
            n += 1


cdef void deal_cards(const Split* split, OhHellState* s, Rng* rng) noexcept nogil:
    cdef Ways ways
    cdef int size[MOST_BINS]
    cdef int given[MOST_BINS]
    cdef int k, bin
    forget(split, &ways)
    for bin in range(MOST_BINS):
        size[bin] = split.size[bin]
    for k in range(split.classes - 1):
        given[0] = given[1] = given[2] = 0
        draw_numbers(split, &ways, k, size, given, rng)
        for bin in range(MOST_BINS):
            size[bin] -= given[bin]
        hand_out(split, split.cards[k], split.number[k], given, s, rng)
    k = split.classes - 1
    hand_out(split, split.cards[k], split.number[k], size, s, rng)
