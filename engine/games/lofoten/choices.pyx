"""Features of a choice of a card, and their weights."""

from libc.string cimport memset

from engine.games.lofoten.choice_weights import SETS
from engine.games.lofoten.sight cimport Gain, Sight, look, side_gain, use_gain
from engine.games.lofoten.state cimport (
    CARD_NONE, EFFECT_COIN, NUM_CARDS, PLACE_DOCK, SHIP_D, SHIP_UPGRADED, card_type, card_value)
from engine.games.lofoten.weights cimport row_of

cdef enum:
    MOST_USES = 4            # uses of a middle card that are told apart
    FEW_TILES = 8            # left in the piles: the game is late
    PRICE_REDRAW = 2
    PRICE_EXTRA = 3
    UNLOAD = 2               # features of a side card
    LOAD = 3

# Of the base game and of games with modules; the dock taken, free.
cdef double PLAY_WEIGHT[2][2][NUM_CHOICE]
cdef double PUT_WEIGHT[2][2][NUM_PUT]
# Share of decisions made by lot.
cdef double PLAY_LOT[2][2]
cdef double PUT_LOT[2][2]


cdef double exp_of(double x) noexcept nogil:
    """The exponential function within -30..30, the same bits on every machine."""
    cdef double whole = 1.0, factor, total = 1.0
    cdef int k, i
    x = min(max(x, -30.0), 30.0)
    k = <int>(x * 1.4426950408889634 + (0.5 if x > 0 else -0.5))
    x -= k * 0.6931471805599453
    for i in range(11, 0, -1):
        total = 1.0 + total * x / i
    factor = 2.0 if k > 0 else 0.5
    for _i in range(k if k > 0 else -k):
        whole *= factor
    return total * whole


cdef inline int uses_of(const LofotenState* s, const Rules* rules, int seat,
                        int kind) noexcept nogil:
    """How often a card could be used in the middle."""
    cdef int uses = max(<int>s.stored_tiles[seat][kind], 1)
    if s.ship_kind[seat][PLACE_DOCK] == SHIP_D + SHIP_UPGRADED:
        uses = max(uses, <int>rules.ship_d_uses)
    return uses + s.more_uses[seat]


cdef inline double order_worth(const Sight* sight, int seat, int kind) noexcept nogil:
    """Points that the card can gain as an order, if a tile is left for it."""
    if sight.come[kind] <= sight.orders[seat][kind]:
        return 0.0
    return sight.worth[seat][kind] * (1.0 + (sight.near[kind][1] != 0))


cdef inline void fill_side(const LofotenState* s, const Sight* sight, int seat, bint right,
                           int card, double* out) noexcept nogil:
    cdef int kind = card_type(card), value = card_value(card)
    cdef Gain gain = side_gain(sight, seat, right, value + s.more_moves[seat], s.coins[seat],
                               s.area[seat], 0)
    cdef Gain most = side_gain(sight, seat, right, 3 + s.more_moves[seat], s.coins[seat],
                               s.area[seat], 0)
    out[0] = value == 2
    out[1] = value == 3
    out[UNLOAD] = gain.unload
    out[LOAD] = gain.load
    out[4] = order_worth(sight, seat, kind)
    out[5] = kind == 1
    out[6] = kind == 2
    out[7] = kind == 3
    out[8] = min(<int>s.stored_tiles[seat][kind], MOST_USES)
    # What a card of the highest value would bring beyond this one.
    out[9] = most.unload - gain.unload
    out[10] = most.load - gain.load
    out[11] = value * (s.pile_size[0] + s.pile_size[1] < FEW_TILES)


cdef inline void fill_mid(const LofotenState* s, const Rules* rules, const Sight* sight, int seat,
                          int card, double* out) noexcept nogil:
    cdef int kind = card_type(card), value = card_value(card), effect = rules.effect_of[kind]
    cdef int uses = uses_of(s, rules, seat, kind), coins = 0
    cdef Gain gain = use_gain(sight, seat, effect, uses, s.area[seat], 0)
    if effect == EFFECT_COIN:
        coins = min(uses, s.coins[2] + s.coins[1 - seat])
    out[0] = 1
    out[1] = value == 2
    out[2] = value == 3
    out[3] = kind == 1
    out[4] = kind == 2
    out[5] = kind == 3
    out[6] = order_worth(sight, seat, kind)
    out[7] = gain.unload
    out[8] = gain.load
    out[9 + effect] = min(uses, MOST_USES)
    out[13] = coins
    out[14] = coins * (s.coins[seat] < PRICE_EXTRA)
    out[15] = sight.ships[seat]
    out[16] = s.pile_size[0] + s.pile_size[1] < FEW_TILES


cdef void fill_choice(const LofotenState* s, const Rules* rules, const Weights* numbers, int seat,
                      double[3][12][NUM_CHOICE] out, double* other) noexcept nogil:
    cdef Sight sight
    cdef int card, slot
    cdef double best = 0.0
    memset(&out[0][0][0], 0, 3 * 12 * NUM_CHOICE * sizeof(double))
    look(s, rules, numbers.rows[row_of(s.pile_size[0] + s.pile_size[1], s.triggered)], &sight)
    for card in range(NUM_CARDS):
        for slot in range(0, 3, 2):
            fill_side(s, &sight, seat, slot == 2, card, &out[slot][card][0])
            best = max(best, out[slot][card][UNLOAD] + out[slot][card][LOAD])
        fill_mid(s, rules, &sight, seat, card, &out[1][card][NUM_SIDE])
    memset(other, 0, NUM_CHOICE * sizeof(double))
    other[NUM_SIDE + NUM_MID] = 1
    other[NUM_SIDE + NUM_MID + 1] = s.coins[seat]
    other[NUM_SIDE + NUM_MID + 2] = best


cdef inline double weigh(const double* features, const double* weights) noexcept nogil:
    cdef double total = 0.0
    cdef int i
    for i in range(NUM_CHOICE):
        total += features[i] * weights[i]
    return total


cdef inline void fill_worths(const double[3][12][NUM_CHOICE] features, const double* other,
                             const double* weights, Worths* out) noexcept nogil:
    cdef int slot, card
    for slot in range(3):
        for card in range(NUM_CARDS):
            out.slot[slot][card] = exp_of(weigh(features[slot][card], weights))
    out.other = exp_of(weigh(other, weights))


cdef inline void fill_better(const double[3][12][NUM_CHOICE] features, const double* play,
                             const double* weights, Worths* out) noexcept nogil:
    cdef double gain[2][12]
    cdef double worth[2][12]
    cdef int side, card, left, right
    for side in range(2):
        for card in range(NUM_CARDS):
            gain[side][card] = features[2 * side][card][UNLOAD] + features[2 * side][card][LOAD]
            worth[side][card] = weigh(features[2 * side][card], play)
    for left in range(NUM_CARDS):
        for right in range(NUM_CARDS):
            out.better[left][right] = exp_of(
                weights[0] * max(gain[0][left], gain[1][right])
                + weights[1] * max(worth[0][left], worth[1][right]))


cdef void play_worths(const LofotenState* s, const Rules* rules, const Weights* numbers, int seat,
                      Worths* out) noexcept nogil:
    cdef double features[3][12][NUM_CHOICE]
    cdef double other[NUM_CHOICE]
    cdef int number = set_of(rules)
    cdef bint is_free = s.ship_card[seat][PLACE_DOCK] == CARD_NONE
    cdef bint is_rich = s.coins[seat] >= PRICE_REDRAW
    fill_choice(s, rules, numbers, seat, features, other)
    fill_worths(features, other, PLAY_WEIGHT[number][is_free], out)
    out.meant = 1.0 - PLAY_LOT[number][is_free]
    out.lot = PLAY_LOT[number][is_free] / (2 + is_free + is_rich)
    if not is_free:
        memset(out.slot[1], 0, sizeof(out.slot[1]))
    if not is_rich:
        out.other = 0.0


cdef void put_worths(const LofotenState* s, const Rules* rules, const Weights* numbers, int seat,
                     Worths* out) noexcept nogil:
    cdef double features[3][12][NUM_CHOICE]
    cdef double other[NUM_CHOICE]
    cdef int number = set_of(rules)
    cdef bint is_free = s.ship_card[seat][PLACE_DOCK] == CARD_NONE
    cdef const double* weights = PUT_WEIGHT[number][is_free]
    fill_choice(s, rules, numbers, seat, features, other)
    fill_worths(features, other, weights, out)
    fill_better(features, PLAY_WEIGHT[number][is_free], &weights[NUM_CHOICE], out)
    out.meant = 1.0 - PUT_LOT[number][is_free]
    out.lot = PUT_LOT[number][is_free] / 2


def set_weights(number, is_free, play, put, lots):
    """Take other numbers for games without modules (0) or with (1) and a dock taken or free.

    Args:
        play: NUM_CHOICE weights.
        put: NUM_PUT weights.
        lots: shares of plays and of puts that are made by lot.
    """
    cdef int i, n = number
    cdef bint free = is_free
    if not 0 <= n < 2 or len(play) != NUM_CHOICE or len(put) != NUM_PUT:
        raise ValueError(f"set 0 or 1, and {NUM_CHOICE} and {NUM_PUT} weights")
    for i in range(NUM_CHOICE):
        PLAY_WEIGHT[n][free][i] = play[i]
    for i in range(NUM_PUT):
        PUT_WEIGHT[n][free][i] = put[i]
    PLAY_LOT[n][free], PUT_LOT[n][free] = lots


for _number, _name in enumerate(("base", "modules")):
    for _free, _dock in enumerate(("taken", "free")):
        set_weights(_number, _free, *(SETS[_name][_dock][_key] for _key in ("play", "put", "lots")))
