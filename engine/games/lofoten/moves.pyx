"""Legal moves (RULES 3 to 8, 10 to 12) and chance outcomes."""

from engine.types cimport uint8_t
from engine.rng cimport rng_below
from engine.games.lofoten.fleet cimport can_move
from engine.games.lofoten.jarls cimport can_claim
from engine.games.lofoten.ships cimport has_plain_ship
from engine.games.lofoten.state cimport (
    CARD_NONE, DIR_LEFT, DIR_NONE, EFFECT_COIN, EFFECT_DISCARD, EFFECT_MOVE, EFFECT_ROTATE,
    KIND_ATTACH, KIND_CLAIM, KIND_DISCARD, KIND_DRAW, KIND_END, KIND_EXTRA, KIND_FACEDOWN,
    KIND_FLIP, KIND_HOUSE, KIND_JARL, KIND_KEEP, KIND_LOAD, KIND_ORDER, KIND_PAY_STEP, KIND_PILE,
    KIND_PLACE, KIND_PLAY, KIND_PUT, KIND_REDRAW, KIND_REQUIREMENT, KIND_SHIPS, KIND_SIDE,
    KIND_STEP, KIND_STOP, KIND_STORE, KIND_TAKE, KIND_TILE, KIND_TOP, KIND_UNLOAD, KIND_UPGRADE,
    MOST_EXTRA, NUM_AREAS, NUM_ARRANGEMENTS, NUM_CARDS, NUM_HOUSES, NUM_HOUSE_CARDS,
    NUM_JARL_CARDS, NUM_SIDES, NUM_TILES, NUM_TYPES, PHASE_ATTACH, PHASE_END, PHASE_HARBOUR,
    PHASE_LAST, PHASE_LOAD, PHASE_PILE, PHASE_PLACE, PHASE_PLAY, PHASE_PUT, PHASE_SHIP, PHASE_SIDE,
    PHASE_STEP, PHASE_STORE, PHASE_UNLOAD, PHASE_USE, PLACE_DOCK, SHIP_B, SHIP_UPGRADED, STEP_CCW,
    STEP_CW, STEP_LEFT, STEP_RIGHT, TILE_NONE, TYPE_NONE, make_move, move_a, move_b, move_kind)

cdef enum:
    PRICE_REDRAW = 2


cdef int setup_seat(const LofotenState* s) noexcept nogil:
    if s.phase == PHASE_SHIPS:
        return s.step
    return s.step >= 2 if s.phase == PHASE_ORDER else s.step >= 3


cdef bint can_buy_extra(const LofotenState* s, const Rules* rules) noexcept nogil:
    if s.coins[s.seat] < s.extra_price[s.seat] or s.extra == MOST_EXTRA:
        return False
    if s.triggered:
        if not rules.late_extra or (not rules.last_extra and s.seat == 1 and s.extra == 0):
            return False
    return True


cdef inline bint can_redraw(const LofotenState* s) noexcept nogil:
    return s.coins[s.seat] >= PRICE_REDRAW and not s.filling


cdef inline move_t redraw_move(const LofotenState* s) noexcept nogil:
    cdef const uint8_t* hand = s.hand[s.seat]
    return (<move_t>KIND_REDRAW << 24) | (<move_t>hand[0] << 8) | (<move_t>hand[1] << 4) | hand[2]


cdef bint can_use(const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef int effect = rules.effect_of[s.effect]
    if effect == EFFECT_COIN:
        return s.coins[2] != 0 or s.coins[1 - s.seat] != 0
    if effect == EFFECT_DISCARD:
        return s.empties < NUM_AREAS
    return True


cdef inline int add_side_steps(const LofotenState* s, int kind, move_t* out, int n) noexcept nogil:
    """The moves of a side card, in its direction only."""
    cdef bint left = s.direction == DIR_LEFT
    cdef int step = STEP_LEFT if left else STEP_RIGHT
    if can_move(s, s.seat, step):
        out[n] = make_move(kind, 0, step)
        n += 1
    out[n] = make_move(kind, 0, STEP_CCW if left else STEP_CW)
    return n + 1


cdef inline int add_late_steps(const LofotenState* s, const Rules* rules, move_t* out,
                               int n) noexcept nogil:
    """Moves bought after the action phase, only under R27 `turn`."""
    if rules.late_moves and s.direction != DIR_NONE and s.coins[s.seat]:
        return add_side_steps(s, KIND_PAY_STEP, out, n)
    return n


cdef int play_moves(const LofotenState* s, const Rules* rules, move_t* out) noexcept nogil:
    cdef const uint8_t* hand = s.hand[s.seat]
    cdef int n = 1
    out[0] = make_move(KIND_PLAY, 0, hand[0])
    if s.ship_card[s.seat][PLACE_DOCK] == CARD_NONE:
        out[1] = make_move(KIND_PLAY, 1, hand[1])
        n = 2
    out[n] = make_move(KIND_PLAY, 2, hand[2])
    n += 1
    if s.coins[s.seat] >= PRICE_REDRAW:
        out[n] = redraw_move(s)
        n += 1
    if can_buy_extra(s, rules):
        out[n] = make_move(KIND_EXTRA, 0, 0)
        n += 1
    return n


cdef int step_moves(const LofotenState* s, const Rules* rules, move_t* out) noexcept nogil:
    cdef int n = 0
    if rules.coins_any and can_buy_extra(s, rules):
        out[0] = make_move(KIND_EXTRA, 0, 0)
        n = 1
    if s.moves_left:
        n = add_side_steps(s, KIND_STEP, out, n)
    if s.coins[s.seat] and (s.moves_left == 0 or rules.coins_any):
        n = add_side_steps(s, KIND_PAY_STEP, out, n)
    out[n] = make_move(KIND_STOP, 0, 0)
    return n + 1


cdef int use_moves(const LofotenState* s, const Rules* rules, move_t* out) noexcept nogil:
    cdef int step, area, n = 0, effect = rules.effect_of[s.effect]
    if (rules.coins_any or (effect == EFFECT_COIN and s.uses_done)) and can_buy_extra(s, rules):
        out[0] = make_move(KIND_EXTRA, 0, 0)
        n = 1
    if effect == EFFECT_MOVE:
        for step in range(STEP_LEFT, STEP_RIGHT + 1):
            if can_move(s, s.seat, step):
                out[n] = make_move(KIND_STEP, 0, step)
                n += 1
    elif effect == EFFECT_ROTATE:
        out[n] = make_move(KIND_STEP, 0, STEP_CCW)
        out[n + 1] = make_move(KIND_STEP, 0, STEP_CW)
        n += 2
    elif effect == EFFECT_COIN:
        if can_use(s, rules):
            out[n] = make_move(KIND_TAKE, 0, 0)
            n += 1
    else:
        for area in range(NUM_AREAS):
            if s.market[area] != TILE_NONE:
                out[n] = make_move(KIND_DISCARD, 0, area)
                n += 1
    out[n] = make_move(KIND_STOP, 0, 0)
    return n + 1


cdef int turn_end_moves(const LofotenState* s, const Rules* rules, move_t* out,
                        int n) noexcept nogil:
    """Claims (R56) and the tiles that can pay for an upgrade (R63)."""
    cdef int i
    if rules.jarls:
        for i in range(2):
            if can_claim(s, rules, s.seat, i):
                out[n] = make_move(KIND_CLAIM, 0, i)
                n += 1
    if not rules.upgrades or s.upgraded or not has_plain_ship(s, s.seat):
        return n
    for i in range(NUM_TILES):
        if s.stored[s.seat][i]:
            out[n] = make_move(KIND_FACEDOWN, 0, i)
            n += 1
    return n


cdef int ship_moves(const LofotenState* s, move_t* out) noexcept nogil:
    """The longships that can be upgraded."""
    cdef int ship, place, n = 0
    for ship in range(4):
        for place in range(4):
            if s.ship_kind[s.seat][place] == ship:
                out[n] = make_move(KIND_UPGRADE, 0, ship)
                n += 1
    return n


cdef int late_moves(const LofotenState* s, const Rules* rules, move_t* out) noexcept nogil:
    """The choice of a pile, and the end of the turn."""
    cdef int pile, n = 0
    if can_redraw(s):
        out[0] = redraw_move(s)
        n = 1
    if ((s.phase == PHASE_END or (rules.early_extra and not s.filling))
            and can_buy_extra(s, rules)):
        out[n] = make_move(KIND_EXTRA, 0, 0)
        n += 1
    n = add_late_steps(s, rules, out, n)
    if s.phase == PHASE_END:
        out[n] = make_move(KIND_END, 0, 0)
        return turn_end_moves(s, rules, out, n + 1) if rules.modules else n + 1
    for pile in range(2):
        if s.pile_size[pile]:
            out[n] = make_move(KIND_PILE, 0, pile)
            n += 1
    return n


cdef int put_moves(const LofotenState* s, const Rules* rules, move_t* out) noexcept nogil:
    cdef int n = 0
    if rules.early_extra and can_buy_extra(s, rules):
        out[0] = make_move(KIND_EXTRA, 0, 0)
        n = 1
    out[n] = make_move(KIND_PUT, 0, 0)
    out[n + 1] = make_move(KIND_PUT, 0, 1)
    return n + 2


cdef int last_moves(const LofotenState* s, const Rules* rules, move_t* out) noexcept nogil:
    cdef int n = 0
    if can_buy_extra(s, rules):
        out[0] = make_move(KIND_EXTRA, 0, 0)
        n = 1
    out[n] = make_move(KIND_END, 0, 0)
    return turn_end_moves(s, rules, out, n + 1) if rules.modules else n + 1


cdef int tile_moves(const LofotenState* s, int place, move_t* out, int n) noexcept nogil:
    """The tiles of ship B one by one, ascending, each kind once (R51 `one`)."""
    cdef int tile
    for tile in range(NUM_TILES):
        if (tile == s.ship_tile[s.seat][place] or tile == s.more[s.seat][0]
                or tile == s.more[s.seat][1]):
            out[n] = make_move(KIND_UNLOAD, tile + 1, place)
            n += 1
    return n


cdef int unload_moves(const LofotenState* s, const Rules* rules, move_t* out) noexcept nogil:
    """The ships that can be unloaded out of turn: at the end (R49), and by `harbour` (R89)."""
    cdef int place, n = 0, several = -1
    for place in range(4):
        if s.ship_tile[s.seat][place] == TILE_NONE:
            continue
        if (rules.final_b_one and s.phase == PHASE_UNLOAD and s.more[s.seat][0] != TILE_NONE
                and s.ship_kind[s.seat][place] == SHIP_B + SHIP_UPGRADED):
            several = place
            continue
        out[n] = make_move(KIND_UNLOAD, 0, place)
        n += 1
    if several >= 0:
        n = tile_moves(s, several, out, n)
    if s.phase == PHASE_UNLOAD or rules.harbour_may:
        out[n] = make_move(KIND_KEEP, 0, 0)
        n += 1
    return n


cdef int outcomes(const LofotenState* s, const Rules* rules, move_t* out) noexcept nogil:
    """All outcomes of a chance event that have a weight."""
    cdef int i, n = 0, kind, a = 0, count
    cdef move_t move
    if s.phase == PHASE_TILE:
        kind = KIND_TILE
        count = NUM_TILES
    elif s.phase == PHASE_TOP:
        kind = KIND_TOP
        a = s.pile
        count = NUM_TYPES
    elif s.phase == PHASE_HOUSE:
        kind = KIND_HOUSE
        count = NUM_HOUSE_CARDS
    elif s.phase == PHASE_JARL:
        kind = KIND_REQUIREMENT if s.step & 1 else KIND_JARL
        count = NUM_SIDES if s.step & 1 else NUM_JARL_CARDS
    elif s.phase == PHASE_SHIPS:
        kind = KIND_SHIPS
        a = s.step
        count = NUM_ARRANGEMENTS
    elif s.phase == PHASE_FLIP:
        kind = KIND_FLIP
        a = s.pile
        count = NUM_TILES
    else:
        kind = KIND_ORDER if s.phase == PHASE_ORDER else KIND_DRAW
        a = setup_seat(s) if s.phase == PHASE_ORDER or s.phase == PHASE_HAND else s.seat
        count = NUM_CARDS
    for i in range(count):
        move = make_move(kind, a, i)
        if chance_weight(s, rules, move):
            out[n] = move
            n += 1
    return n


cdef int module_moves(const LofotenState* s, move_t* out) noexcept nogil:
    """Decisions that only the modules know."""
    cdef int i
    if s.phase == PHASE_LOAD:
        for i in range(2):
            out[i] = make_move(KIND_LOAD, 0, i)
        return 2
    elif s.phase == PHASE_ATTACH:
        for i in range(NUM_HOUSES):
            out[i] = make_move(KIND_ATTACH, 0, i)
        return NUM_HOUSES
    elif s.phase == PHASE_SHIP:
        return ship_moves(s, out)
    return 0


cdef int legal_moves(const LofotenState* s, const Rules* rules, move_t* out) noexcept nogil:
    cdef int i, n = 0
    cdef int phase = s.phase
    if phase == PHASE_PLAY:
        return play_moves(s, rules, out)
    elif phase == PHASE_STEP:
        return step_moves(s, rules, out)
    elif phase == PHASE_USE:
        return use_moves(s, rules, out)
    elif phase == PHASE_PUT:
        return put_moves(s, rules, out)
    elif phase == PHASE_END or phase == PHASE_PILE:
        return late_moves(s, rules, out)
    elif phase == PHASE_PLACE:
        for i in range(NUM_AREAS):
            if s.market[i] == TILE_NONE:
                out[n] = make_move(KIND_PLACE, 0, i)
                n += 1
        return n
    elif phase == PHASE_STORE:
        for i in range(NUM_HOUSES):
            if s.house_type[i] == TYPE_NONE:
                out[n] = make_move(KIND_STORE, 0, i)
                n += 1
        return n
    elif phase == PHASE_LAST:
        return last_moves(s, rules, out)
    elif phase == PHASE_UNLOAD or phase == PHASE_HARBOUR:
        return unload_moves(s, rules, out)
    elif phase == PHASE_SIDE:
        out[0] = make_move(KIND_SIDE, 0, 0)
        out[1] = make_move(KIND_SIDE, 0, 1)
        return 2
    elif LUCK_PHASES >> phase & 1:
        return outcomes(s, rules, out)
    return module_moves(s, out)


cdef inline int top_weight(const LofotenState* s, int pile, int kind) noexcept nogil:
    """Tiles of a type that may lie on top: one of them lies on the other pile if it shows there."""
    return s.unseen_type[kind] - (s.pile_top[1 - pile] == kind)


cdef inline bint house_is_left(const LofotenState* s, const Rules* rules, int card) noexcept nogil:
    """First the cards of level 1, then those of level 2 (R55)."""
    cdef int house
    if (card >= 8) != (s.step >= NUM_HOUSES - rules.level2):
        return False
    for house in range(s.step):
        if s.house_card[house] == card:
            return False
    return True


cdef uint32_t chance_weight(const LofotenState* s, const Rules* rules,
                            move_t outcome) noexcept nogil:
    cdef int kind = move_kind(outcome), a = move_a(outcome), b = move_b(outcome)
    if kind == KIND_TILE and b < NUM_TILES:
        return s.unseen[b]
    if kind == KIND_TOP and b < NUM_TYPES and a < 2:
        return top_weight(s, a, b)
    if kind == KIND_FLIP and b < NUM_TILES and a < 2:
        return s.unseen[b] if s.pile_top[a] == b // 6 else 0
    if (kind == KIND_ORDER or kind == KIND_DRAW) and b < NUM_CARDS:
        return s.deck[b]
    if kind == KIND_HOUSE and b < NUM_HOUSE_CARDS:
        return house_is_left(s, rules, b)
    if kind == KIND_JARL:
        return b < NUM_JARL_CARDS and b != s.jarl_card[0]
    if kind == KIND_REQUIREMENT:
        return b < NUM_SIDES and b >> 1 != s.requirement[0] >> 1
    return kind == KIND_SHIPS and b < NUM_ARRANGEMENTS


cdef inline int pick(const uint8_t* counts, int total, Rng* rng) noexcept nogil:
    """Pick an index with probability count / total."""
    cdef int i = 0
    cdef int left = rng_below(rng, total)
    while left >= counts[i]:
        left -= counts[i]
        i += 1
    return i


cdef move_t sample_chance(const LofotenState* s, const Rules* rules, Rng* rng) noexcept nogil:
    cdef int phase = s.phase, kind, left
    cdef move_t out[NUM_TILES]
    if phase == PHASE_DRAW or phase == PHASE_REDRAW:
        return make_move(KIND_DRAW, s.seat, pick(s.deck, s.deck_size, rng))
    elif phase == PHASE_FLIP:
        kind = s.pile_top[s.pile]
        return make_move(KIND_FLIP, s.pile,
                         6 * kind + pick(&s.unseen[6 * kind], s.unseen_type[kind], rng))
    elif phase == PHASE_TOP:
        left = s.pile_size[0] + s.pile_size[1] - (s.pile_top[1 - s.pile] != TYPE_NONE)
        left = rng_below(rng, left)
        kind = 0
        while left >= top_weight(s, s.pile, kind):
            left -= top_weight(s, s.pile, kind)
            kind += 1
        return make_move(KIND_TOP, s.pile, kind)
    elif phase == PHASE_TILE:
        left = s.unseen_type[0] + s.unseen_type[1] + s.unseen_type[2] + s.unseen_type[3]
        return make_move(KIND_TILE, 0, pick(s.unseen, left, rng))
    elif phase == PHASE_HOUSE or phase == PHASE_JARL or phase == PHASE_SHIPS:
        return out[rng_below(rng, outcomes(s, rules, out))]
    elif phase == PHASE_ORDER:
        return make_move(KIND_ORDER, setup_seat(s), pick(s.deck, s.deck_size, rng))
    return make_move(KIND_DRAW, setup_seat(s), pick(s.deck, s.deck_size, rng))
