"""Weights over the other seat's hand, and worlds drawn by them."""

from libc.string cimport memcpy, memset

from engine.rng cimport rng_next
from engine.types cimport uint32_t, uint64_t
from engine.games.lofoten.choices cimport Worths, play_worths, put_worths
from engine.games.lofoten.hidden cimport reveal
from engine.games.lofoten.rules cimport apply
from engine.games.lofoten.state cimport (
    CARD_NONE, CARD_UNKNOWN, KIND_PLAY, KIND_PUT, KIND_REDRAW, NUM_CARDS, SLOT_DRAWN, move_a,
    move_b, move_kind)

cdef enum:
    LEFT = 144               # weights of the places in the index of a hand
    MIDDLE = 12

cdef uint32_t MOST = 0xFFFFFFFF     # largest threshold

# Relative likelihoods beyond which none is told apart; the likeliest possible hand has 1.
cdef float LEAST = 1e-9
cdef float MOST_LIKELY = 1e9


cdef void start(Belief* belief) noexcept nogil:
    cdef int i
    for i in range(NUM_HANDS):
        belief.likelihood[i] = 1.0


# ---- which hands are possible ----

cdef void find_places(const LofotenState* view, int seat, Belief* belief) noexcept nogil:
    """Say which slots of the hand the places of the table are, and which are hidden."""
    cdef int place, card
    belief.seat = 1 - seat
    belief.hidden = 0
    for place in range(3):
        belief.slot[place] = place
    if view.hand[belief.seat][SLOT_DRAWN] != CARD_NONE:
        belief.slot[2] = SLOT_DRAWN
    for place in range(3):
        card = view.hand[belief.seat][belief.slot[place]]
        if card == CARD_UNKNOWN:
            belief.fixed[place] = CARD_UNKNOWN
            belief.hidden += 1
        else:
            belief.fixed[place] = card if card < NUM_CARDS else 0


cdef inline const uint8_t* pool(const LofotenState* view, int label) noexcept nogil:
    """Where the hidden cards of a label are counted."""
    return &view.held[label][0] if label else &view.deck[0]


cdef inline int first_of(const LofotenState* view, const Belief* belief, int place,
                         const uint8_t* counts, int card) noexcept nogil:
    """In how many ways a card can lie in a place, if no place before it has one."""
    if belief.fixed[place] != CARD_UNKNOWN:
        return card == belief.fixed[place]
    return counts[card]


cdef void fill_ways(const LofotenState* view, const Belief* belief, uint16_t* ways) noexcept nogil:
    cdef const uint8_t* counts[3]
    cdef int label[3]
    cdef int place, a, b, c, one, two, three
    cdef bint same_ab, same_ac, same_bc
    for place in range(3):
        label[place] = view.label[belief.seat][belief.slot[place]]
        counts[place] = pool(view, label[place])
        if belief.fixed[place] != CARD_UNKNOWN:
            label[place] = -1 - place
    same_ab, same_ac, same_bc = (label[0] == label[1], label[0] == label[2], label[1] == label[2])
    memset(ways, 0, NUM_HANDS * sizeof(uint16_t))
    for a in range(NUM_CARDS):
        one = first_of(view, belief, 0, counts[0], a)
        if one <= 0:
            continue
        for b in range(NUM_CARDS):
            two = first_of(view, belief, 1, counts[1], b) - (same_ab and a == b)
            if two <= 0:
                continue
            for c in range(NUM_CARDS):
                three = (first_of(view, belief, 2, counts[2], c) - (same_ac and a == c)
                         - (same_bc and b == c))
                if three > 0:
                    ways[a * LEFT + b * MIDDLE + c] = one * two * three


# ---- what decisions tell ----

cdef void weigh(const LofotenState* view, int seat, const float* chance,
                Belief* belief) noexcept nogil:
    """Multiply by the likelihood of a decision, `chance` by hand."""
    cdef uint16_t ways[NUM_HANDS]
    cdef float* likelihood = belief.likelihood
    cdef float largest = 0.0
    cdef int hand
    find_places(view, seat, belief)
    fill_ways(view, belief, ways)
    for hand in range(NUM_HANDS):
        likelihood[hand] *= chance[hand]
        if ways[hand] and likelihood[hand] > largest:
            largest = likelihood[hand]
    for hand in range(NUM_HANDS):
        likelihood[hand] = min(max(likelihood[hand] / largest, LEAST), MOST_LIKELY)


cdef void see_play(const LofotenState* view, const Rules* rules, const Weights* numbers, int seat,
                   move_t move, Belief* belief) noexcept nogil:
    """A card was played rather than the other two, which close up; the third place is empty."""
    cdef LofotenState after = view[0]
    cdef float chance[NUM_HANDS]
    cdef float old[NUM_HANDS]
    cdef Worths worths
    cdef const double* first
    cdef const double* second
    cdef double own, others
    cdef int slot = move_a(move), card = move_b(move), a, b, c, hand, whole
    play_worths(view, rules, numbers, view.seat, &worths)
    memcpy(old, belief.likelihood, sizeof(old))
    first = worths.slot[1 if slot == 0 else 0]
    second = worths.slot[1 if slot == 2 else 2]
    own = worths.slot[slot][card]
    for a in range(NUM_CARDS):
        for b in range(NUM_CARDS):
            if slot == 0:
                whole = card * LEFT + a * MIDDLE + b
            elif slot == 1:
                whole = a * LEFT + card * MIDDLE + b
            else:
                whole = a * LEFT + b * MIDDLE + card
            others = first[a] + second[b] + worths.other
            hand = a * LEFT + b * MIDDLE
            for c in range(NUM_CARDS):
                belief.likelihood[hand + c] = old[whole]
                chance[hand + c] = worths.lot + worths.meant * own / (own + others)
    reveal(&after, move)
    apply(&after, rules, move)
    weigh(&after, seat, chance, belief)


cdef void see_put(const LofotenState* view, const Rules* rules, const Weights* numbers, int seat,
                  bint right, Belief* belief) noexcept nogil:
    """The drawn card was put at one end rather than the other."""
    cdef float chance[NUM_HANDS]
    cdef float old[NUM_HANDS]
    cdef Worths worths
    cdef double at_left, at_right
    cdef int a, b, drawn, hand = 0
    put_worths(view, rules, numbers, view.seat, &worths)
    for a in range(NUM_CARDS):
        for b in range(NUM_CARDS):
            for drawn in range(NUM_CARDS):
                at_left = (worths.slot[0][drawn] * worths.slot[1][a] * worths.slot[2][b]
                           * worths.better[drawn][b])
                at_right = (worths.slot[0][a] * worths.slot[1][b] * worths.slot[2][drawn]
                            * worths.better[a][drawn])
                chance[hand] = worths.lot + worths.meant * (
                    at_right if right else at_left) / (at_left + at_right)
                hand += 1
    weigh(view, seat, chance, belief)
    if right:
        return
    memcpy(old, belief.likelihood, sizeof(old))
    for a in range(NUM_CARDS):
        for b in range(NUM_CARDS):
            for drawn in range(NUM_CARDS):
                belief.likelihood[drawn * LEFT + a * MIDDLE + b] = (
                    old[a * LEFT + b * MIDDLE + drawn])


cdef void observe(const LofotenState* view, const Rules* rules, const Weights* numbers, int seat,
                  move_t move, Belief* belief) noexcept nogil:
    cdef int kind = move_kind(move)
    if view.seat == seat:
        return
    if kind == KIND_PLAY:
        see_play(view, rules, numbers, seat, move, belief)
    elif kind == KIND_PUT:
        see_put(view, rules, numbers, seat, move_b(move), belief)
    elif kind == KIND_REDRAW:
        start(belief)


# ---- worlds ----

cdef void prepare(const LofotenState* view, int seat, Belief* belief) noexcept nogil:
    cdef double weight[NUM_HANDS]
    cdef uint16_t ways[NUM_HANDS]
    cdef int hand, n = 0
    find_places(view, seat, belief)
    fill_ways(view, belief, ways)
    belief.ways = belief.weight = 0.0
    for hand in range(NUM_HANDS):
        if ways[hand] == 0:
            continue
        weight[n] = ways[hand] * belief.likelihood[hand]
        belief.column[n].hand = hand
        belief.ways += ways[hand]
        belief.weight += weight[n]
        n += 1
    belief.columns = n
    memset(&belief.column[n], 0, (NUM_HANDS - n) * sizeof(Column))
    fill_columns(belief, weight)


cdef void fill_columns(Belief* belief, double* weight) noexcept nogil:
    """The alias method: M. D. Vose, "A linear algorithm for generating random numbers with a given
    distribution", IEEE Transactions on Software Engineering 17(9), 1991."""
    cdef uint16_t small[NUM_HANDS]
    cdef uint16_t large[NUM_HANDS]
    cdef int n = belief.columns, i, j, num_small = 0, num_large = 0
    cdef double scale = n / belief.weight if belief.weight > 0 else 1.0
    for i in range(n):
        weight[i] *= scale
        belief.column[i].threshold = MOST
        belief.column[i].other = belief.column[i].hand
        if weight[i] < 1.0:
            small[num_small] = i
            num_small += 1
        else:
            large[num_large] = i
            num_large += 1
    while num_small and num_large:
        num_small -= 1
        i, j = small[num_small], large[num_large - 1]
        belief.column[i].threshold = <uint32_t>min(weight[i] * 4294967296.0, 4294967295.0)
        belief.column[i].other = belief.column[j].hand
        weight[j] -= 1.0 - weight[i]
        if weight[j] < 1.0:
            num_large -= 1
            small[num_small] = j
            num_small += 1


cdef void draw(const Belief* belief, LofotenState* s, Rng* rng) noexcept nogil:
    cdef uint64_t lot
    cdef const Column* column
    cdef int place, hand, card, slot, label
    cdef uint8_t* hidden = s.hand[belief.seat]
    if belief.hidden == 0:
        return
    lot = rng_next(rng)
    column = &belief.column[((lot >> 32) * belief.columns) >> 32]
    hand = column.hand if <uint32_t>lot < column.threshold else column.other
    for place in range(2, -1, -1):
        card = hand % 12
        hand //= 12
        if belief.fixed[place] != CARD_UNKNOWN:
            continue
        slot = belief.slot[place]
        label = s.label[belief.seat][slot]
        hidden[slot] = card
        if label:
            s.held[label][card] -= 1
        else:
            s.deck[card] -= 1
