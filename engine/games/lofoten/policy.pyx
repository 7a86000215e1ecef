"""Priors of moves."""

from engine.types cimport uint8_t
from engine.games.lofoten.sight cimport (
    NO_TYPE, Gain, Sight, best_of, look, side_gain, use_gain)
from engine.games.lofoten.state cimport (
    DIR_RIGHT, KIND_ATTACH, KIND_CLAIM, KIND_DISCARD, KIND_END, KIND_EXTRA, KIND_FACEDOWN,
    KIND_KEEP, KIND_LOAD, KIND_PAY_STEP, KIND_PILE, KIND_PLACE, KIND_PLAY, KIND_PUT, KIND_REDRAW,
    KIND_STEP, KIND_STOP, KIND_STORE, KIND_TAKE, KIND_UNLOAD, KIND_UPGRADE, HOUSE_NONE, NUM_CARDS,
    PHASE_END, PHASE_STEP, PHASE_USE, PLACE_DOCK, SHIP_D, SHIP_UPGRADED, SLOT_DRAWN, STEP_CW,
    STEP_RIGHT, TYPE_NONE, card_type, card_value, move_a, move_b, move_kind, tile_type, tile_value)
from engine.games.lofoten.weights cimport (
    P_ATTACH, P_CLAIM, P_DISCARD, P_DISCARD_MINE, P_DISCARD_OTHERS, P_END, P_EXTRA, P_EXTRA_END,
    P_EXTRA_GAIN, P_FACEDOWN, P_FACEDOWN_LOSS, P_KEEP, P_LOAD, P_MID, P_MID_LOAD, P_MID_ORDER,
    P_MID_UNLOAD, P_MID_USES, P_MOVE, P_PAY, P_PILE, P_PILE_MINE, P_PILE_OTHERS, P_PLACE_MINE,
    P_PLACE_OTHERS, P_PUT, P_PUT_MID, P_PUT_MOVES, P_REDRAW, P_REDRAW_GAIN, P_SIDE, P_SIDE_LOAD,
    P_SIDE_MOVES, P_SIDE_ORDER, P_SIDE_UNLOAD, P_STEP_LATER, P_STEP_LOAD, P_STEP_NEXT,
    P_STEP_STAY, P_STEP_UNLOAD, P_STOP, P_STOP_LATER, P_STOP_NEXT, P_STORE, P_TAKE, P_TURN,
    P_UNLOAD, P_UPGRADE, row_of)

# exp(i / 8) for i from -64 to 64, and how far below the best a move counts.
cdef double EXP_TABLE[129]
cdef double LOWEST = -8.0


cdef inline double small_exp(double x) noexcept nogil:
    """exp x for |x| up to 1/8: five terms of the series, relative error below 5e-8."""
    return 1.0 + x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0))))


cdef void fill() noexcept nogil:
    cdef int i
    cdef double eighth = small_exp(0.0625) * small_exp(0.0625)
    EXP_TABLE[64] = 1.0
    for i in range(1, 65):
        EXP_TABLE[64 + i] = EXP_TABLE[63 + i] * eighth
        EXP_TABLE[64 - i] = 1.0 / EXP_TABLE[64 + i]


fill()


cdef inline double exp_below(double x) noexcept nogil:
    """exp x for x from LOWEST to 0."""
    cdef int eighths = <int>(x * 8.0)
    return EXP_TABLE[64 + eighths] * small_exp(x - eighths * 0.125)


cdef inline double total_of(Gain gain) noexcept nogil:
    return gain.unload + 0.7 * gain.load


cdef inline double order_worth(const Sight* sight, int seat, int kind) noexcept nogil:
    """Points of one merchandise of a type, if there is a tile for one more order."""
    cdef int free = sight.come[kind] - sight.orders[seat][kind]
    if free <= 0:
        return 0.0
    return sight.worth[seat][kind] * (1.0 + (sight.near[kind][1] != 0))


cdef inline double outer_gain(const LofotenState* s, const Sight* sight, int seat, int left,
                              int right, int area, int turned) noexcept nogil:
    """The best of two outer cards; CARD_NONE where there is none."""
    cdef double best = 0.0, gain
    if left < NUM_CARDS:
        best = total_of(side_gain(sight, seat, False, card_value(left) + s.more_moves[seat],
                                  0, area, turned))
    if right < NUM_CARDS:
        gain = total_of(side_gain(sight, seat, True, card_value(right) + s.more_moves[seat],
                                  0, area, turned))
        best = max(best, gain)
    return best


cdef inline double play_score(const LofotenState* s, const Rules* rules, const double* p,
                              const Sight* sight, int slot) noexcept nogil:
    cdef int seat = s.seat, card = s.hand[seat][slot], kind = card_type(card)
    cdef int uses = s.stored_tiles[seat][kind], moves
    cdef Gain gain
    if slot != 1:
        moves = card_value(card) + s.more_moves[seat]
        gain = side_gain(sight, seat, slot == 2, moves, s.coins[seat], s.area[seat], 0)
        return (p[P_SIDE] + p[P_SIDE_UNLOAD] * gain.unload + p[P_SIDE_LOAD] * gain.load
                + p[P_SIDE_MOVES] * moves + p[P_SIDE_ORDER] * order_worth(sight, seat, kind))
    if uses == 0:
        uses = 1
    if s.ship_kind[seat][PLACE_DOCK] == SHIP_D + SHIP_UPGRADED and uses < rules.ship_d_uses:
        uses = rules.ship_d_uses
    uses += s.more_uses[seat]
    gain = use_gain(sight, seat, rules.effect_of[kind], uses, s.area[seat], 0)
    return (p[P_MID] + p[P_MID_ORDER] * order_worth(sight, seat, kind)
            + p[P_MID_UNLOAD] * gain.unload + p[P_MID_LOAD] * gain.load
            + p[P_MID_USES + rules.effect_of[kind]] * uses)


cdef inline double hand_gain(const LofotenState* s, const Sight* sight, int area,
                             int turned) noexcept nogil:
    """The best that the outer cards can gain; after a card was played, of the two left."""
    cdef const uint8_t* hand = s.hand[s.seat]
    cdef int right = hand[2] if hand[2] < NUM_CARDS else hand[1]
    return outer_gain(s, sight, s.seat, hand[0], right, area, turned)


cdef inline double later_gain(const LofotenState* s, const Rules* rules, const Sight* sight,
                              int used, int coins, int area, int turned) noexcept nogil:
    """What can follow in this turn after `used` moves or uses more."""
    if s.phase == PHASE_STEP:
        return total_of(side_gain(sight, s.seat, s.direction == DIR_RIGHT,
                                  max(s.moves_left - used, 0), coins, area, turned))
    return total_of(use_gain(sight, s.seat, rules.effect_of[s.effect], s.uses_left - used, area,
                             turned))


cdef inline double step_score(const LofotenState* s, const Rules* rules, const double* p,
                              const Sight* sight, int step, bint pays) noexcept nogil:
    cdef int seat = s.seat, area = s.area[seat], turned = 0, facing, docked
    cdef double score
    if step <= STEP_RIGHT:
        area += 1 if (step == STEP_RIGHT) == (seat == 0) else -1
        score = p[P_MOVE]
    else:
        turned = 1 if step == STEP_CW else 3
        score = p[P_TURN]
        docked = (2 - turned) & 3
        score += p[P_STEP_UNLOAD] * sight.loads[seat][docked]
    facing = -turned & 3
    if sight.waits[seat][facing] != NO_TYPE:
        score += p[P_STEP_LOAD] * best_of(sight, seat, sight.waits[seat][facing], 1 << area)
    if pays:
        score += p[P_PAY]
    if s.phase == PHASE_USE:
        score += p[P_STEP_STAY]
    return (score + p[P_STEP_LATER] * later_gain(s, rules, sight, not pays, s.coins[seat] - pays,
                                                 area, turned)
            + p[P_STEP_NEXT] * hand_gain(s, sight, area, turned))


cdef inline double tile_worth(const LofotenState* s, const Sight* sight, int seat, int kind,
                              int area) noexcept nogil:
    """What a tile of value 1 in an area is worth to a seat with a ship that waits for it."""
    cdef int place, steps, least = 9
    for place in range(4):
        if sight.waits[seat][place] == kind:
            steps = 2 if place == 2 else place & 1
            least = min(least, steps)
    if least == 9:
        return 0.0
    least += area - s.area[seat] if area > s.area[seat] else s.area[seat] - area
    return sight.worth[seat][kind] / (1 + least)


cdef inline double put_score(const LofotenState* s, const double* p, const Sight* sight,
                             bint right) noexcept nogil:
    cdef int seat = s.seat
    cdef const uint8_t* hand = s.hand[seat]
    cdef int drawn = hand[SLOT_DRAWN]
    cdef int first = hand[0] if right else drawn
    cdef int middle = hand[1] if right else hand[0]
    cdef int last = drawn if right else hand[1]
    return (p[P_PUT] * outer_gain(s, sight, seat, first, last, s.area[seat], 0)
            + p[P_PUT_MID] * order_worth(sight, seat, card_type(middle))
            + p[P_PUT_MOVES] * (card_value(first) + card_value(last)))


cdef inline double pile_score(const LofotenState* s, const double* p, const Sight* sight,
                              int pile) noexcept nogil:
    cdef int kind = s.pile_top[pile]
    if kind == TYPE_NONE:
        return p[P_PILE]
    return (p[P_PILE] + p[P_PILE_MINE] * sight.worth[s.seat][kind] * sight.orders[s.seat][kind]
            + p[P_PILE_OTHERS] * sight.worth[1 - s.seat][kind] * sight.orders[1 - s.seat][kind])


cdef inline double store_score(const LofotenState* s, const Rules* rules, const double* p,
                               int house) noexcept nogil:
    if s.house_card[house] == HOUSE_NONE:
        return 0.0
    return p[P_STORE] * rules.houses[s.house_card[house]].a


cdef double module_score(const LofotenState* s, const double* p, const Sight* sight, int kind,
                         int b) noexcept nogil:
    """Decisions that only the modules know, and the final unloading."""
    cdef int seat = s.seat
    if kind == KIND_UNLOAD:
        return p[P_UNLOAD] * sight.loads[seat][b]
    if kind == KIND_KEEP:
        return p[P_KEEP]
    if kind == KIND_LOAD:
        return p[P_LOAD] if b else 0.0
    if kind == KIND_CLAIM:
        return p[P_CLAIM]
    if kind == KIND_ATTACH:
        return (p[P_ATTACH] * sight.worth[seat][s.house_type[b]]
                if s.house_type[b] != TYPE_NONE else 0.0)
    if kind == KIND_FACEDOWN:
        return (p[P_FACEDOWN] + p[P_FACEDOWN_LOSS] * (tile_value(b) - 0.5)
                * sight.worth[seat][tile_type(b)])
    return p[P_UPGRADE + b] if kind == KIND_UPGRADE else 0.0


cdef inline double coin_score(const LofotenState* s, const double* p, const Sight* sight,
                              int kind) noexcept nogil:
    cdef double gain = hand_gain(s, sight, s.area[s.seat], 0)
    if kind == KIND_REDRAW:
        return p[P_REDRAW] + p[P_REDRAW_GAIN] * gain
    return p[P_EXTRA] + p[P_EXTRA_GAIN] * gain + (p[P_EXTRA_END] if s.phase == PHASE_END else 0.0)


cdef inline double stop_score(const LofotenState* s, const Rules* rules, const double* p,
                              const Sight* sight) noexcept nogil:
    cdef int seat = s.seat
    return (p[P_STOP] + p[P_STOP_LATER] * later_gain(s, rules, sight, 0, s.coins[seat],
                                                     s.area[seat], 0)
            + p[P_STOP_NEXT] * hand_gain(s, sight, s.area[seat], 0))


cdef inline double discard_score(const LofotenState* s, const double* p, const Sight* sight,
                                 int area) noexcept nogil:
    cdef int tile = s.market[area], kind = tile_type(tile)
    return (p[P_DISCARD]
            + p[P_DISCARD_MINE] * tile_value(tile) * tile_worth(s, sight, s.seat, kind, area)
            + p[P_DISCARD_OTHERS] * tile_value(tile) * tile_worth(s, sight, 1 - s.seat, kind, area))


cdef inline double place_score(const LofotenState* s, const double* p, const Sight* sight,
                               int area) noexcept nogil:
    cdef int kind = tile_type(s.tile), value = tile_value(s.tile)
    return (p[P_PLACE_MINE] * value * tile_worth(s, sight, s.seat, kind, area)
            + p[P_PLACE_OTHERS] * value * tile_worth(s, sight, 1 - s.seat, kind, area))


cdef inline double score(const LofotenState* s, const Rules* rules, const double* p,
                         const Sight* sight, move_t move) noexcept nogil:
    cdef int kind = move_kind(move), b = move_b(move)
    if kind == KIND_STEP or kind == KIND_PAY_STEP:
        return step_score(s, rules, p, sight, b, kind == KIND_PAY_STEP)
    if kind == KIND_STOP:
        return stop_score(s, rules, p, sight)
    if kind == KIND_PLAY:
        return play_score(s, rules, p, sight, move_a(move))
    if kind == KIND_PUT:
        return put_score(s, p, sight, b)
    if kind == KIND_PILE:
        return pile_score(s, p, sight, b)
    if kind == KIND_PLACE:
        return place_score(s, p, sight, b)
    if kind == KIND_REDRAW or kind == KIND_EXTRA:
        return coin_score(s, p, sight, kind)
    if kind == KIND_END:
        return p[P_END]
    if kind == KIND_TAKE:
        return p[P_TAKE]
    if kind == KIND_DISCARD:
        return discard_score(s, p, sight, b)
    if kind == KIND_STORE:
        return store_score(s, rules, p, b)
    return module_score(s, p, sight, kind, b)


cdef void prior(const LofotenState* s, const Rules* rules, const Weights* weights,
                const move_t* moves, int n, float* out) noexcept nogil:
    cdef Sight sight
    cdef double x[32]
    cdef double best = -1e30, total = 0.0
    cdef int i
    if n == 1:
        out[0] = 1.0
        return
    look(s, rules, weights.rows[row_of(s.pile_size[0] + s.pile_size[1], s.triggered)], &sight)
    for i in range(n):
        x[i] = score(s, rules, weights.priors, &sight, moves[i])
        best = max(best, x[i])
    for i in range(n):
        x[i] = exp_below(max(x[i] - best, LOWEST))
        total += x[i]
    for i in range(n):
        out[i] = x[i] / total
