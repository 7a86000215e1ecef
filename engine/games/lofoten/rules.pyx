"""The course of the game (RULES 2 to 9). Each `enter_*` brings the state to its next decision."""

from libc.string cimport memset

from engine.types cimport uint8_t
from engine.games.lofoten.cards cimport draw_card, place_drawn, renew_deck, take_from_hand
from engine.games.lofoten.counts cimport GROUP_DISCARD, change, change_unseen, discard_card
from engine.games.lofoten.fleet cimport load, put_in_house, take_step, unload
from engine.games.lofoten.moves cimport can_buy_extra, can_use
from engine.games.lofoten.state cimport (
    CARD_NONE, DIR_LEFT, DIR_NONE, DIR_RIGHT, EFFECT_COIN, HOUSE_NONE, KIND_DISCARD, KIND_DRAW,
    KIND_END, KIND_EXTRA, KIND_FLIP, KIND_KEEP, KIND_ORDER, KIND_PAY_STEP, KIND_PILE,
    KIND_PLACE, KIND_PLAY, KIND_PUT, KIND_REDRAW, KIND_SIDE, KIND_STEP, KIND_STOP, KIND_STORE,
    KIND_TAKE, KIND_TILE, KIND_TOP, KIND_UNLOAD, NUM_AREAS, NUM_CARDS, NUM_HOUSES, NUM_TILES,
    PHASE_DRAW, PHASE_END, PHASE_FLIP, PHASE_HAND, PHASE_HOUSE, PHASE_LAST, PHASE_ORDER, PHASE_OVER,
    PHASE_PILE, PHASE_PLACE, PHASE_PLAY, PHASE_PUT, PHASE_REDRAW, PHASE_SIDE, PHASE_STEP,
    PHASE_STORE, PHASE_TILE, PHASE_TOP, PHASE_UNLOAD, PHASE_USE, PLACE_DOCK, PLACE_LEFT,
    PLACE_RIGHT, SLOT_DRAWN, TILE_NONE, TYPE_NONE, card_type, card_value, move_a, move_b, move_kind,
    tile_type)
from engine.games.lofoten cimport counts


cdef void setup(LofotenState* s, const Rules* rules) noexcept nogil:
    """The empty table: nothing drawn yet."""
    cdef int kind, seat
    memset(s, 0, sizeof(LofotenState))
    s.phase = PHASE_TILE
    s.effect = TYPE_NONE
    s.tile = TILE_NONE
    s.empties = NUM_AREAS
    memset(s.ship_card, CARD_NONE, sizeof(s.ship_card))
    memset(s.ship_tile, TILE_NONE, sizeof(s.ship_tile))
    memset(s.market, TILE_NONE, sizeof(s.market))
    memset(s.pile_top, TYPE_NONE, sizeof(s.pile_top))
    memset(s.house_card, HOUSE_NONE, sizeof(s.house_card))
    memset(s.house_type, TYPE_NONE, sizeof(s.house_type))
    memset(s.house_of, HOUSE_NONE, sizeof(s.house_of))
    memset(s.hand, CARD_NONE, sizeof(s.hand))
    for kind in range(3):
        s.coins[kind] = rules.coins[kind]
    for seat in range(2):
        s.area[seat] = 2
        s.pile_size[seat] = 16
    for kind in range(NUM_TILES):
        s.unseen[kind] = rules.tile_count[kind]
        s.unseen_type[kind // 6] += rules.tile_count[kind]
    for kind in range(NUM_CARDS):
        s.deck[kind] = rules.order_count[kind]
        s.deck_size += rules.order_count[kind]
    s.counts_key = counts.counts_key(s)


# ---- set-up (RULES 2) ----

cdef int alike(const LofotenState* s) noexcept nogil:
    """The type that lies in the market four times or more, TYPE_NONE if there is none."""
    cdef int area
    cdef unsigned int sums = 0
    for area in range(NUM_AREAS):
        if s.market[area] != TILE_NONE:
            sums += 1 << (4 * tile_type(s.market[area]))
    for area in range(4):
        if (sums >> (4 * area)) & 15 >= 4:
            return area
    return TYPE_NONE


cdef void deal_tile(LofotenState* s, const Rules* rules, int tile) noexcept nogil:
    """Lay one of the first five tiles (R2); four alike are dealt anew (R3)."""
    cdef int area
    change_unseen(s, tile, -1)
    s.unseen_type[tile_type(tile)] -= 1
    s.pile_size[0 if rules.first_tiles_pile1 else s.step & 1] -= 1
    s.market[s.step] = tile
    s.empties -= 1
    s.step += 1
    if s.step < NUM_AREAS:
        return
    s.step = 0
    if alike(s) != TYPE_NONE and not rules.first_market_play:
        for area in range(NUM_AREAS):
            change_unseen(s, s.market[area], 1)
            s.unseen_type[tile_type(s.market[area])] += 1
            s.market[area] = TILE_NONE
        s.empties = NUM_AREAS
        s.pile_size[0] = 16
        s.pile_size[1] = 16
        s.redeals += s.redeals < 255
        return
    s.phase = PHASE_TOP
    s.pile = 0


cdef void lay_out_house(LofotenState* s, int card) noexcept nogil:
    """One of the four warehouse cards."""
    s.house_card[s.step] = card
    s.step += 1
    if s.step == NUM_HOUSES:
        s.step = 0
        s.phase = PHASE_ORDER


cdef void finish_orders(LofotenState* s) noexcept nogil:
    """Shuffle the set-aside orders back in (R4) and go on to the hands."""
    cdef int card
    for card in range(NUM_CARDS):
        s.deck[card] += s.discard[card]
        s.deck_size += s.discard[card]
        change(s, GROUP_DISCARD, card, &s.discard[card], -<int>s.discard[card])
    s.phase = PHASE_HAND
    s.step = 0


cdef void deal_order(LofotenState* s, const Rules* rules, int seat, int card) noexcept nogil:
    """A start order: first left, second right (R5); two of a type are set aside (R4)."""
    s.deck[card] -= 1
    s.deck_size -= 1
    if s.step & 1 == 0:
        s.ship_card[seat][PLACE_LEFT] = card
        s.step += 1
        return
    s.step += 1
    if card_type(card) == card_type(s.ship_card[seat][PLACE_LEFT]):
        discard_card(s, card)
        discard_card(s, s.ship_card[seat][PLACE_LEFT])
        s.ship_card[seat][PLACE_LEFT] = CARD_NONE
        s.step -= 2
        return
    s.ship_card[seat][PLACE_RIGHT] = card
    if rules.choose_side:
        s.seat = seat
        s.phase = PHASE_SIDE
    elif s.step == 4:
        finish_orders(s)


cdef void choose_side(LofotenState* s, int right) noexcept nogil:
    cdef uint8_t first = s.ship_card[s.seat][PLACE_LEFT]
    if right:
        s.ship_card[s.seat][PLACE_LEFT] = s.ship_card[s.seat][PLACE_RIGHT]
        s.ship_card[s.seat][PLACE_RIGHT] = first
    s.phase = PHASE_ORDER
    s.seat = 0
    if s.step == 4:
        finish_orders(s)


cdef void deal_hand(LofotenState* s, const Rules* rules, int seat, int card) noexcept nogil:
    draw_card(s, seat, s.step % 3, card)
    s.step += 1
    if s.step < 6:
        return
    s.step = 0
    s.seat = 0
    if rules.first_market_play and alike(s) != TYPE_NONE:
        s.filling = 1
        drop_four(s, rules)
        enter_maintenance(s)
    else:
        start_turn(s)


# ---- the turn (RULES 3 to 7) ----

cdef void start_turn(LofotenState* s) noexcept nogil:
    s.filling = 0
    s.moved = 0
    s.direction = DIR_NONE
    load(s, s.seat)
    s.phase = PHASE_PLAY


cdef void play_card(LofotenState* s, int slot) noexcept nogil:
    cdef int seat = s.seat
    cdef int card = take_from_hand(s, seat, slot)
    if slot == 1:
        s.ship_card[seat][PLACE_DOCK] = card
        s.effect = card_type(card)
        s.uses_done = 0
        s.uses_left = s.stored_tiles[seat][s.effect]
        if s.uses_left == 0:
            s.uses_left = 1
        s.phase = PHASE_USE
    else:
        discard_card(s, card)
        s.direction = DIR_LEFT if slot == 0 else DIR_RIGHT
        s.moves_left = card_value(card)
        s.phase = PHASE_STEP


cdef inline void finish_action(LofotenState* s, const Rules* rules) noexcept nogil:
    s.effect = TYPE_NONE
    s.uses_left = 0
    s.uses_done = 0
    s.moves_left = 0
    if not rules.late_moves:
        s.direction = DIR_NONE
    if s.triggered and s.seat == 1 and s.extra == 0:
        s.phase = PHASE_LAST
    else:
        enter_draw(s, PHASE_DRAW)


cdef inline void enter_step(LofotenState* s, const Rules* rules) noexcept nogil:
    """The next step of a side card, if there can be one."""
    if s.moves_left == 0 and s.coins[s.seat] == 0:
        finish_action(s, rules)


cdef inline void enter_use(LofotenState* s, const Rules* rules) noexcept nogil:
    """The next use of a middle card, if there can be one (R80)."""
    cdef int count
    if rules.count_live:
        count = s.stored_tiles[s.seat][s.effect]
        if count == 0:
            count = 1
        s.uses_left = count - s.uses_done if count > s.uses_done else 0
    if s.uses_left == 0:
        finish_action(s, rules)
    elif not can_use(s, rules):
        # A coffer whose owner has all coins: paying for an extra turn makes it useful again.
        if not (rules.effect_of[s.effect] == EFFECT_COIN and s.uses_done
                and can_buy_extra(s, rules)):
            finish_action(s, rules)


cdef inline void go_on(LofotenState* s, const Rules* rules) noexcept nogil:
    """After a step with its loading and unloading, or after a warehouse was chosen."""
    if s.phase == PHASE_STEP:
        enter_step(s, rules)
    elif s.phase == PHASE_USE:
        enter_use(s, rules)
    elif s.phase == PHASE_UNLOAD:
        next_unload(s)
    else:
        enter_maintenance(s)


cdef inline void make_step(LofotenState* s, const Rules* rules, int step) noexcept nogil:
    if take_step(s, s.seat, step):
        s.back = s.phase
        s.phase = PHASE_STORE
    else:
        go_on(s, rules)


cdef void choose_house(LofotenState* s, const Rules* rules, int house) noexcept nogil:
    cdef int kind = tile_type(s.tile)
    s.house_type[house] = kind
    s.house_of[kind] = house
    put_in_house(s, s.seat, s.tile)
    s.tile = TILE_NONE
    s.phase = s.back
    s.back = 0
    go_on(s, rules)


cdef inline void use_once(LofotenState* s) noexcept nogil:
    s.uses_done += 1
    s.uses_left -= 1


cdef void take_coin(LofotenState* s) noexcept nogil:
    """From the reserve, from the opponent only if it is empty (R22)."""
    if s.coins[2]:
        s.coins[2] -= 1
    else:
        s.coins[1 - s.seat] -= 1
    s.coins[s.seat] += 1


cdef inline void pay(LofotenState* s, int coins) noexcept nogil:
    s.coins[s.seat] -= coins
    s.coins[2] += coins


cdef inline void enter_draw(LofotenState* s, int phase) noexcept nogil:
    """Before a card is drawn: an empty deck is renewed from the discard pile (R35)."""
    if s.deck_size == 0:
        renew_deck(s)
    s.phase = phase


cdef void redraw(LofotenState* s) noexcept nogil:
    """Two coins: put the hand away, draw three new cards (R29)."""
    cdef int seat = s.seat, _i
    for _i in range(3):
        discard_card(s, take_from_hand(s, seat, 0))
    pay(s, 2)
    s.back = s.phase
    s.step = 0
    enter_draw(s, PHASE_REDRAW)


cdef void redraw_card(LofotenState* s, int card) noexcept nogil:
    draw_card(s, s.seat, s.step, card)
    s.step += 1
    if s.step < 3:
        enter_draw(s, PHASE_REDRAW)
    else:
        s.step = 0
        s.phase = s.back
        s.back = 0


# ---- maintenance (RULES 8) ----

cdef void enter_maintenance(LofotenState* s) noexcept nogil:
    """The next empty area, or the end of the turn."""
    if s.empties:
        if s.pile_size[0] or s.pile_size[1]:
            s.phase = PHASE_PILE
            return
        s.triggered = 1
    if s.filling:
        start_turn(s)
    else:
        s.phase = PHASE_END


cdef void flip(LofotenState* s, int tile) noexcept nogil:
    change_unseen(s, tile, -1)
    s.unseen_type[tile_type(tile)] -= 1
    s.pile_size[s.pile] -= 1
    s.pile_top[s.pile] = TYPE_NONE
    s.tile = tile
    s.phase = PHASE_PLACE


cdef void drop_four(LofotenState* s, const Rules* rules) noexcept nogil:
    """Four of a type: the second and third of them leave the game (R38, R39, R41)."""
    cdef int area, seen = 0, kind = alike(s)
    if kind == TYPE_NONE:
        return
    if rules.four_keep and s.pile_size[0] + s.pile_size[1] < 2:
        return
    s.fours += s.fours < 255
    for area in range(NUM_AREAS):
        if s.market[area] != TILE_NONE and tile_type(s.market[area]) == kind:
            seen += 1
            if seen == 2 or seen == 3:
                s.out[s.market[area]] += 1
                s.market[area] = TILE_NONE
                s.empties += 1


cdef void place_tile(LofotenState* s, const Rules* rules, int area) noexcept nogil:
    s.market[area] = s.tile
    s.tile = TILE_NONE
    s.empties -= 1
    drop_four(s, rules)
    if s.pile_size[s.pile]:
        s.phase = PHASE_TOP
    else:
        s.pile = 0
        enter_maintenance(s)


cdef void show_top(LofotenState* s, int kind) noexcept nogil:
    """A pile shows its next type; in the set-up pile 2 and the warehouses follow."""
    s.pile_top[s.pile] = kind
    if s.house_card[NUM_HOUSES - 1] != HOUSE_NONE:
        s.pile = 0
        enter_maintenance(s)
    elif s.pile == 0:
        s.pile = 1
    else:
        s.pile = 0
        s.phase = PHASE_HOUSE


# ---- the end (RULES 9) ----

cdef void end_turn(LofotenState* s, const Rules* rules) noexcept nogil:
    s.turns += 1
    s.stall = 0 if s.moved else min(s.stall + 1, rules.stall_limit)
    if s.stall >= rules.stall_limit:
        s.triggered = 1
    if s.extra:
        s.extra -= 1
        start_turn(s)
    elif s.triggered and s.seat == 1:
        s.phase = PHASE_UNLOAD
        s.seat = 0
        s.direction = DIR_NONE
        s.moved = 0
    else:
        s.seat ^= 1
        start_turn(s)


cdef void next_unload(LofotenState* s) noexcept nogil:
    """The final unloading: seat 1, then seat 2 (R49)."""
    if s.seat == 0:
        s.seat = 1
    else:
        s.phase = PHASE_OVER


cdef void unload_last(LofotenState* s, int kind, int place) noexcept nogil:
    """A seat's one ship of the final unloading, or none."""
    if kind == KIND_UNLOAD and unload(s, s.seat, place):
        s.back = PHASE_UNLOAD
        s.phase = PHASE_STORE
    else:
        next_unload(s)


cdef void buy_extra(LofotenState* s, const Rules* rules) noexcept nogil:
    pay(s, 3)
    s.extra += 1
    if s.phase == PHASE_LAST:
        enter_draw(s, PHASE_DRAW)
    elif s.phase == PHASE_STEP:
        enter_step(s, rules)
    elif s.phase == PHASE_USE:
        enter_use(s, rules)


cdef inline void apply_luck(LofotenState* s, const Rules* rules, int kind, int a,
                            int b) noexcept nogil:
    """Carry out a chance outcome."""
    if kind == KIND_DRAW:
        if s.phase == PHASE_DRAW:
            draw_card(s, s.seat, SLOT_DRAWN, b)
            s.phase = PHASE_PUT
        elif s.phase == PHASE_HAND:
            deal_hand(s, rules, a, b)
        else:
            redraw_card(s, b)
    elif kind == KIND_FLIP:
        flip(s, b)
    elif kind == KIND_TOP:
        show_top(s, b)
    elif kind == KIND_TILE:
        deal_tile(s, rules, b)
    elif kind == KIND_ORDER:
        deal_order(s, rules, a, b)
    else:
        lay_out_house(s, b)


cdef inline void use_card(LofotenState* s, const Rules* rules, int kind, int area) noexcept nogil:
    """A use of a middle card that is no step: a coin, or a market tile discarded."""
    if kind == KIND_TAKE:
        take_coin(s)
    else:
        s.out[s.market[area]] += 1
        s.market[area] = TILE_NONE
        s.empties += 1
        s.moved = 1
    use_once(s)
    enter_use(s, rules)


cdef void apply(LofotenState* s, const Rules* rules, move_t move) noexcept nogil:
    cdef int kind = move_kind(move)
    cdef int b = move_b(move)
    if kind >= KIND_TILE:
        apply_luck(s, rules, kind, move_a(move), b)
    elif kind == KIND_STEP:
        if s.phase == PHASE_STEP:
            s.moves_left -= 1
        else:
            use_once(s)
        make_step(s, rules, b)
    elif kind == KIND_PLAY:
        play_card(s, move_a(move))
        if s.phase == PHASE_USE:
            enter_use(s, rules)
    elif kind == KIND_PUT:
        place_drawn(s, s.seat, b)
        enter_maintenance(s)
    elif kind == KIND_END:
        end_turn(s, rules)
    elif kind == KIND_STOP:
        finish_action(s, rules)
    elif kind == KIND_PAY_STEP:
        pay(s, 1)
        make_step(s, rules, b)
    elif kind == KIND_TAKE or kind == KIND_DISCARD:
        use_card(s, rules, kind, b)
    elif kind == KIND_PILE:
        s.pile = b
        s.phase = PHASE_FLIP
    elif kind == KIND_PLACE:
        place_tile(s, rules, b)
    elif kind == KIND_REDRAW:
        redraw(s)
    elif kind == KIND_EXTRA:
        buy_extra(s, rules)
    elif kind == KIND_STORE:
        choose_house(s, rules, b)
    elif kind == KIND_UNLOAD or kind == KIND_KEEP:
        unload_last(s, kind, b)
    elif kind == KIND_SIDE:
        choose_side(s, b)
