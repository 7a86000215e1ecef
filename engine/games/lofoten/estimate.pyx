"""The evaluation of full states."""

from libc.math cimport sqrt

from engine.types cimport uint8_t
from engine.games.lofoten.jarls cimport FINAL_POINTS, can_claim, claimed_jarl
from engine.games.lofoten.scoring cimport margin_now
from engine.games.lofoten.sight cimport Gain, Sight, look, side_gain, use_gain
from engine.games.lofoten.state cimport (
    CARD_NONE, Card, DIR_RIGHT, NUM_CARDS, PHASE_PLAY, PHASE_STEP, PHASE_UNLOAD, PHASE_USE,
    PLACE_DOCK, SHIP_B, SHIP_C, SHIP_D, SHIP_UPGRADED, SLOT_DRAWN, card_type, card_value,
    is_interrupting)
from engine.games.lofoten.weights cimport (
    W_BEST, W_CAN_CLAIM, W_CLEAR, W_COIN, W_COIN_THREE, W_DOCK, W_EXTRA, W_HAND, W_JARL, W_MOVES,
    W_NEXT_LOAD, W_NEXT_UNLOAD, W_NOW_LOAD, W_NOW_UNLOAD, W_ORDERS, W_OWNED, W_PLAIN, W_SHIP_B,
    W_SHIP_C, W_SHIP_D, W_SHIPS, W_TEMPO, W_USES, row_of)

# Of a gain of loading against one of unloading, where the best card is chosen.
cdef double LOAD_SHARE = 0.7

# Whose turn it is or will be next, and in what phase of it.
cdef struct Turn:
    int seat                 # -1: no turn follows
    int phase                # PHASE_PLAY, PHASE_STEP or PHASE_USE
    bint last                # the other seat has no turn after it


cdef inline Turn turn_of(const LofotenState* s) noexcept nogil:
    cdef Turn turn
    cdef int phase = s.back if is_interrupting(s.phase) else s.phase
    turn.seat = s.seat
    turn.phase = PHASE_PLAY
    if PHASE_PLAY <= phase <= PHASE_USE:
        turn.phase = phase
    elif phase > PHASE_USE and not s.extra:
        turn.seat = 1 - s.seat
        if s.triggered and s.seat == 1:
            turn.seat = -1
    elif phase < PHASE_PLAY:
        turn.seat = 0
    turn.last = s.triggered and turn.seat == 1 and not s.extra
    return turn


cdef inline bint is_better(const Gain* gain, const Gain* than) noexcept nogil:
    return (gain.unload - than.unload) + LOAD_SHARE * (gain.load - than.load) > 0.0


cdef inline Gain full_gain(const LofotenState* s, const Rules* rules, const Sight* sight,
                           int seat) noexcept nogil:
    """The best that one of the cards in hand can unload and load."""
    cdef Gain best, gain
    cdef const uint8_t* hand = s.hand[seat]
    cdef int slot, card, kind, uses
    best.unload = 0.0
    best.load = 0.0
    for slot in range(4):
        card = hand[slot]
        if card >= NUM_CARDS:
            continue
        # A drawn card can go to either end, which makes an outer one of those beside it.
        if slot == 0 or slot == SLOT_DRAWN:
            gain = side_gain(sight, seat, False, card_value(card) + s.more_moves[seat],
                             s.coins[seat], s.area[seat], 0)
            if is_better(&gain, &best):
                best = gain
        if slot >= 2 or (slot == 1 and hand[2] >= NUM_CARDS):
            gain = side_gain(sight, seat, True, card_value(card) + s.more_moves[seat],
                             s.coins[seat], s.area[seat], 0)
            if is_better(&gain, &best):
                best = gain
        if slot == 1 and s.ship_card[seat][PLACE_DOCK] == CARD_NONE:
            kind = card_type(card)
            uses = s.stored_tiles[seat][kind]
            gain = use_gain(sight, seat, rules.effect_of[kind],
                            (uses if uses else 1) + s.more_uses[seat], s.area[seat], 0)
            if is_better(&gain, &best):
                best = gain
    return best


cdef inline double turns_value(const LofotenState* s, const Rules* rules, const double* w,
                               const Sight* sight) noexcept nogil:
    """What the two next turns gain, seat 1's less seat 2's."""
    cdef Turn turn = turn_of(s)
    cdef Gain gain
    cdef double total
    cdef int seat = turn.seat
    if seat < 0:
        return 0.0
    if turn.phase == PHASE_PLAY:
        gain = full_gain(s, rules, sight, seat)
    elif turn.phase == PHASE_STEP:
        gain = side_gain(sight, seat, s.direction == DIR_RIGHT, s.moves_left, s.coins[seat],
                         s.area[seat], 0)
    else:
        gain = use_gain(sight, seat, rules.effect_of[s.effect], s.uses_left, s.area[seat], 0)
    total = (w[W_TEMPO] + w[W_NOW_UNLOAD] * gain.unload + w[W_NOW_LOAD] * gain.load
             + w[W_EXTRA] * s.extra)
    if not turn.last:
        gain = full_gain(s, rules, sight, 1 - seat)
        total -= w[W_NEXT_UNLOAD] * gain.unload + w[W_NEXT_LOAD] * gain.load
    return -total if seat else total


cdef inline double hand_value(const LofotenState* s, const Rules* rules, const double* w,
                              const Sight* sight, int seat) noexcept nogil:
    cdef int slot, card, kind, uses, moves = 0
    cdef double total = 0.0
    for slot in range(4):
        card = s.hand[seat][slot]
        if card >= NUM_CARDS:
            continue
        kind = card_type(card)
        uses = s.stored_tiles[seat][kind]
        total += w[W_USES + rules.effect_of[kind]] * (uses if uses else 1)
        if slot != 1:
            moves += card_value(card)
        if sight.come[kind] > sight.orders[0][kind] + sight.orders[1][kind]:
            total += w[W_HAND] * sight.worth[seat][kind]
    return total + w[W_MOVES] * moves


cdef inline double seat_value(const LofotenState* s, const Rules* rules, const double* w,
                              const Sight* sight, int seat) noexcept nogil:
    """What a seat has beside the warehouses."""
    cdef int place
    cdef double best = 0.0
    for place in range(4):
        if sight.loads[seat][place] > best:
            best = sight.loads[seat][place]
    return (w[W_COIN] * s.coins[seat] + w[W_COIN_THREE] * (s.coins[seat] >= s.extra_price[seat])
            + w[W_ORDERS] * sight.ships[seat]
            + w[W_DOCK] * (s.ship_card[seat][PLACE_DOCK] == CARD_NONE)
            + w[W_BEST] * best + hand_value(s, rules, w, sight, seat))


cdef double ships_value(const LofotenState* s, const Rules* rules, const double* w,
                        int seat) noexcept nogil:
    """Upgraded longships, and those that can still be upgraded."""
    cdef int place, kind, upgraded = 0, points = 0, payable
    cdef double total = 0.0
    for place in range(4):
        kind = s.ship_kind[seat][place]
        if not kind & SHIP_UPGRADED:
            continue
        upgraded += 1
        if kind == SHIP_UPGRADED:
            points += rules.ship_a_points
        elif kind == SHIP_B + SHIP_UPGRADED:
            total += w[W_SHIP_B]
        elif kind == SHIP_C + SHIP_UPGRADED:
            total += w[W_SHIP_C]
        elif kind == SHIP_D + SHIP_UPGRADED:
            total += w[W_SHIP_D]
    payable = min(4 - upgraded, s.bucklers[seat][0] + s.bucklers[seat][1])
    return total + w[W_SHIPS] * (points + rules.upgrade_points[upgraded]) + w[W_PLAIN] * payable


cdef double jarl_value(const LofotenState* s, const Rules* rules, const double* w,
                       int seat) noexcept nogil:
    cdef const Card* jarl = claimed_jarl(s, rules, seat)
    cdef int which
    if jarl != NULL:
        if FINAL_POINTS[jarl.kind] == NULL:
            return w[W_OWNED + jarl.kind]
        return (w[W_OWNED + jarl.kind]
                + w[W_JARL] * FINAL_POINTS[jarl.kind](jarl, s.bucklers[seat][rules.clan[seat]]))
    for which in range(2):
        if s.requirement[which] < 14 and can_claim(s, rules, seat, which):
            return w[W_CAN_CLAIM]
    return 0.0


cdef double predict(const LofotenState* s, const Rules* rules, const double* w) noexcept nogil:
    """Seat 1's expected margin."""
    cdef Sight sight
    cdef double total
    look(s, rules, w, &sight)
    total = sight.contest[0] + sight.contest[1] + sight.contest[2] + sight.contest[3]
    total += turns_value(s, rules, w, &sight)
    total += seat_value(s, rules, w, &sight, 0) - seat_value(s, rules, w, &sight, 1)
    if rules.upgrades:
        total += ships_value(s, rules, w, 0) - ships_value(s, rules, w, 1)
    if rules.jarls:
        total += jarl_value(s, rules, w, 0) - jarl_value(s, rules, w, 1)
    return total


cdef void estimate(const LofotenState* s, const Rules* rules, const Weights* weights,
                   float* value, float* margin) noexcept nogil:
    cdef const double* w = weights.rows[row_of(s.pile_size[0] + s.pile_size[1], s.triggered)]
    cdef double lead
    if s.phase == PHASE_UNLOAD:
        lead = margin_now(s, rules)
        value[0] = 1.0 if lead > 0.0 else (0.5 if lead == 0.0 else 0.0)
    else:
        lead = predict(s, rules, w)
        value[0] = 0.5 + 0.5 * lead / sqrt(lead * lead + w[W_CLEAR] * w[W_CLEAR])
    value[1] = 1.0 - value[0]
    margin[0] = lead
    margin[1] = -lead
