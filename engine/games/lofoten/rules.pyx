"""The course of the game after the set-up (RULES 3 to 12).

Each `enter_*` brings the state to its next decision.
"""

from engine.games.lofoten.cards cimport draw_card, place_drawn, renew_deck, take_from_hand
from engine.games.lofoten.counts cimport change_unseen, discard_card
from engine.games.lofoten.fleet cimport load, move_fleet, put_more, put_tile, take_tile, unload
from engine.games.lofoten.jarls cimport attach, claim
from engine.games.lofoten.market cimport alike
from engine.games.lofoten.moves cimport can_buy_extra, can_use
from engine.games.lofoten.setup cimport (
    choose_side, deal_order, deal_tile, lay_out_house, lay_out_jarl, lay_out_ships)
from engine.games.lofoten.ships cimport (
    b_is_loaded, load_ship, load_tile, may_load, take_one, turn_down, upgrade)
from engine.games.lofoten.state cimport (
    DIR_LEFT, DIR_NONE, DIR_RIGHT, EFFECT_COIN, KIND_ATTACH, KIND_CLAIM, KIND_DISCARD,
    KIND_DRAW, KIND_END, KIND_EXTRA, KIND_FACEDOWN, KIND_FLIP, KIND_HOUSE, KIND_KEEP,
    KIND_LOAD, KIND_ORDER, KIND_PAY_STEP, KIND_PILE, KIND_PLACE, KIND_PLAY, KIND_PUT, KIND_REDRAW,
    KIND_SHIPS, KIND_SIDE, KIND_STEP, KIND_STOP, KIND_STORE, KIND_TAKE, KIND_TILE,
    KIND_TOP, KIND_UNLOAD, NUM_AREAS, NUM_HOUSES, HOUSE_NONE, PHASE_DRAW, PHASE_END,
    PHASE_FLIP, PHASE_HAND, PHASE_HARBOUR, PHASE_HOUSE, PHASE_LAST, PHASE_LOAD, PHASE_OVER,
    PHASE_PILE, PHASE_PLACE, PHASE_PLAY, PHASE_PUT, PHASE_REDRAW, PHASE_SHIP, PHASE_STEP,
    PHASE_STORE, PHASE_TOP, PHASE_UNLOAD, PHASE_USE, PLACE_DOCK, SHIP_D, SHIP_UPGRADED, SLOT_DRAWN,
    TILE_NONE, TYPE_NONE, card_type, card_value, move_a, move_b, move_kind, tile_type)


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
        enter_maintenance(s, rules)
    else:
        start_turn(s, rules)


# ---- the turn (RULES 3 to 7) ----

cdef inline void interrupt(LofotenState* s, int phase) noexcept nogil:
    """Ask something else first, then go on with the present phase."""
    s.back = s.phase
    s.phase = phase


cdef inline void resume(LofotenState* s) noexcept nogil:
    s.phase = s.back
    s.back = 0


cdef void start_turn(LofotenState* s, const Rules* rules) noexcept nogil:
    s.filling = 0
    s.moved = 0
    s.upgraded = 0
    s.direction = DIR_NONE
    s.phase = PHASE_PLAY
    if not rules.upgrades:
        load(s, s.seat)
    elif load_ship(s, rules, s.seat):
        interrupt(s, PHASE_LOAD)


cdef inline int uses_of(const LofotenState* s, const Rules* rules, int seat,
                        int kind) noexcept nogil:
    """How often a middle card can be used in all (R17, R67, R90)."""
    cdef int count = s.stored_tiles[seat][kind]
    cdef int least = rules.ship_d_uses if s.on_d else 1
    if count == 0:
        count = 1
    if rules.traders_before:
        count += s.more_uses[seat]
        return count if count > least else least
    return (count if count > least else least) + s.more_uses[seat]


cdef void play_card(LofotenState* s, const Rules* rules, int slot) noexcept nogil:
    cdef int seat = s.seat
    cdef int card = take_from_hand(s, seat, slot)
    if slot == 1:
        s.ship_card[seat][PLACE_DOCK] = card
        s.effect = card_type(card)
        s.on_d = s.ship_kind[seat][PLACE_DOCK] == SHIP_D + SHIP_UPGRADED
        s.uses_done = 0
        s.uses_left = uses_of(s, rules, seat, s.effect)
        s.phase = PHASE_USE
    else:
        discard_card(s, card)
        s.direction = DIR_LEFT if slot == 0 else DIR_RIGHT
        s.moves_left = card_value(card)
        if not (rules.rowers_low and s.moves_left == 3):
            s.moves_left += s.more_moves[seat]
        s.phase = PHASE_STEP


cdef inline void finish_action(LofotenState* s, const Rules* rules) noexcept nogil:
    s.effect = TYPE_NONE
    s.uses_left = 0
    s.uses_done = 0
    s.on_d = 0
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
        count = uses_of(s, rules, s.seat, s.effect)
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
    elif s.phase != PHASE_LAST:
        enter_maintenance(s, rules)


cdef inline void dock(LofotenState* s, const Rules* rules) noexcept nogil:
    """The unloading of a step, then what follows it."""
    if unload(s, s.seat, PLACE_DOCK):
        interrupt(s, PHASE_STORE)
    else:
        go_on(s, rules)


cdef inline void make_step(LofotenState* s, const Rules* rules, int step) noexcept nogil:
    move_fleet(s, s.seat, step)
    if not rules.upgrades:
        load(s, s.seat)
    elif load_ship(s, rules, s.seat):
        interrupt(s, PHASE_LOAD)
        return
    dock(s, rules)


cdef void answer_load(LofotenState* s, const Rules* rules, bint loads) noexcept nogil:
    """Ship C loads a tile of another type, or not (R65, R84)."""
    if loads:
        load_tile(s, s.seat)
    resume(s)
    if s.phase != PHASE_PLAY:
        dock(s, rules)


cdef void choose_house(LofotenState* s, const Rules* rules, int house) noexcept nogil:
    cdef int kind = tile_type(s.tile)
    s.house_type[house] = kind
    s.house_of[kind] = house
    put_tile(s, s.seat, s.tile)
    s.tile = TILE_NONE
    if rules.upgrades and not b_is_loaded(s, s.seat):
        put_more(s, s.seat)
    resume(s)
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
        resume(s)


# ---- maintenance (RULES 8) ----

cdef void enter_maintenance(LofotenState* s, const Rules* rules) noexcept nogil:
    """The next empty area, or the end of the turn."""
    if s.empties:
        if s.pile_size[0] or s.pile_size[1]:
            s.phase = PHASE_PILE
            return
        s.triggered = 1
    if s.filling:
        start_turn(s, rules)
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
        enter_maintenance(s, rules)


cdef void show_top(LofotenState* s, const Rules* rules, int kind) noexcept nogil:
    """A pile shows its next type; in the set-up pile 2 and the warehouses follow."""
    s.pile_top[s.pile] = kind
    if s.house_card[NUM_HOUSES - 1] != HOUSE_NONE:
        s.pile = 0
        enter_maintenance(s, rules)
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
        start_turn(s, rules)
    elif s.triggered and s.seat == 1:
        s.phase = PHASE_UNLOAD
        s.seat = 0
        s.direction = DIR_NONE
        s.moved = 0
        s.upgraded = 0
    else:
        s.seat ^= 1
        start_turn(s, rules)


cdef void next_unload(LofotenState* s) noexcept nogil:
    """The final unloading: seat 1, then seat 2 (R49)."""
    if s.seat == 0:
        s.seat = 1
    else:
        s.phase = PHASE_OVER


cdef void unload_last(LofotenState* s, int kind, int tile, int place) noexcept nogil:
    """A seat's one ship of the final unloading, one of its tiles (R51 `one`), or none."""
    cdef bint ask = False
    if kind == KIND_UNLOAD:
        ask = take_one(s, s.seat, place, tile - 1) if tile else unload(s, s.seat, place)
    if ask:
        interrupt(s, PHASE_STORE)
    else:
        next_unload(s)


cdef void unload_harbour(LofotenState* s, const Rules* rules, int kind, int place) noexcept nogil:
    """The ship that the Jarl `harbour` unloads (R89)."""
    resume(s)
    if kind == KIND_UNLOAD and unload(s, s.seat, place):
        interrupt(s, PHASE_STORE)


cdef void finish_upgrade(LofotenState* s, int ship) noexcept nogil:
    upgrade(s, s.seat, ship)
    resume(s)


cdef void buy_extra(LofotenState* s, const Rules* rules) noexcept nogil:
    pay(s, s.extra_price[s.seat])
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
        show_top(s, rules, b)
    elif kind == KIND_TILE:
        deal_tile(s, rules, b)
    elif kind == KIND_ORDER:
        deal_order(s, rules, a, b)
    elif kind == KIND_HOUSE:
        lay_out_house(s, rules, b)
    elif kind == KIND_SHIPS:
        lay_out_ships(s, rules, a, b)
    else:
        lay_out_jarl(s, rules, b)


cdef inline void use_card(LofotenState* s, const Rules* rules, int kind, int area) noexcept nogil:
    """A use of a middle card that is no step: a coin, or a market tile discarded."""
    if kind == KIND_TAKE:
        take_coin(s)
    else:
        s.out[s.market[area]] += 1
        take_tile(s, area)
    use_once(s)
    if rules.ask_after_uses and may_load(s, s.seat):
        interrupt(s, PHASE_LOAD)
    else:
        enter_use(s, rules)


cdef void apply_module(LofotenState* s, const Rules* rules, int kind, int b) noexcept nogil:
    """Carry out a decision that only the modules know."""
    if kind == KIND_LOAD:
        answer_load(s, rules, b)
    elif kind == KIND_CLAIM:
        claim(s, rules, b)
    elif kind == KIND_ATTACH:
        attach(s, b)
    elif kind == KIND_FACEDOWN:
        turn_down(s, s.seat, b)
        interrupt(s, PHASE_SHIP)
    else:
        finish_upgrade(s, b)


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
        play_card(s, rules, move_a(move))
        if s.phase == PHASE_USE:
            enter_use(s, rules)
    elif kind == KIND_PUT:
        place_drawn(s, s.seat, b)
        enter_maintenance(s, rules)
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
    elif kind == KIND_SIDE:
        choose_side(s, b)
    elif kind > KIND_KEEP:
        apply_module(s, rules, kind, b)
    elif s.phase == PHASE_HARBOUR:
        unload_harbour(s, rules, kind, b)
    else:
        unload_last(s, kind, move_a(move), b)
