"""The set-up up to the hands."""

from libc.string cimport memset

from engine.types cimport uint8_t
from engine.games.lofoten cimport counts
from engine.games.lofoten.counts cimport GROUP_DISCARD, change, change_unseen, discard_card
from engine.games.lofoten.market cimport alike
from engine.games.lofoten.state cimport (
    CARD_NONE, HOUSE_NONE, JARL_NONE, NUM_AREAS, NUM_CARDS, NUM_HOUSES, NUM_TILES, PHASE_HAND,
    PHASE_JARL, PHASE_ORDER, PHASE_SHIPS, PHASE_SIDE, PHASE_TILE, PHASE_TOP,
    PLACE_LEFT, PLACE_RIGHT, TILE_NONE, TYPE_NONE, card_type, tile_type)

cdef enum:
    PRICE_EXTRA = 3


cdef void setup(LofotenState* s, const Rules* rules) noexcept nogil:
    cdef int kind, seat
    memset(s, 0, sizeof(LofotenState))
    s.phase = PHASE_TILE
    s.effect = TYPE_NONE
    s.tile = TILE_NONE
    s.empties = NUM_AREAS
    memset(s.ship_card, CARD_NONE, sizeof(s.ship_card))
    memset(s.ship_tile, TILE_NONE, sizeof(s.ship_tile))
    memset(s.more, TILE_NONE, sizeof(s.more))
    memset(s.market, TILE_NONE, sizeof(s.market))
    memset(s.pile_top, TYPE_NONE, sizeof(s.pile_top))
    memset(s.house_card, HOUSE_NONE, sizeof(s.house_card))
    memset(s.house_type, TYPE_NONE, sizeof(s.house_type))
    memset(s.house_of, HOUSE_NONE, sizeof(s.house_of))
    memset(s.hand, CARD_NONE, sizeof(s.hand))
    memset(s.jarl_card, JARL_NONE, sizeof(s.jarl_card))
    memset(s.requirement, JARL_NONE, sizeof(s.requirement))
    memset(s.storehouse_at, HOUSE_NONE, sizeof(s.storehouse_at))
    for kind in range(3):
        s.coins[kind] = rules.coins[kind]
    for seat in range(2):
        s.area[seat] = 2
        s.pile_size[seat] = 16
        s.extra_price[seat] = PRICE_EXTRA
    for kind in range(NUM_TILES):
        s.unseen[kind] = rules.tile_count[kind]
        s.unseen_type[kind // 6] += rules.tile_count[kind]
    for kind in range(NUM_CARDS):
        s.deck[kind] = rules.order_count[kind]
        s.deck_size += rules.order_count[kind]
    s.counts_key = counts.counts_key(s)


cdef void deal_tile(LofotenState* s, const Rules* rules, int tile) noexcept nogil:
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
        # Four alike are dealt anew (R3).
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


cdef void lay_out_house(LofotenState* s, const Rules* rules, int card) noexcept nogil:
    s.house_card[s.step] = card
    s.step += 1
    if s.step == NUM_HOUSES:
        s.step = 0
        s.phase = PHASE_JARL if rules.jarls else PHASE_SHIPS if rules.upgrades else PHASE_ORDER


cdef void lay_out_jarl(LofotenState* s, const Rules* rules, int card) noexcept nogil:
    if s.step & 1 == 0:
        s.jarl_card[s.step >> 1] = card
    else:
        s.requirement[s.step >> 1] = card
    s.step += 1
    if s.step == 4:
        s.step = 0
        s.phase = PHASE_SHIPS if rules.upgrades else PHASE_ORDER


cdef void lay_out_ships(LofotenState* s, const Rules* rules, int seat, int which) noexcept nogil:
    cdef int place
    for place in range(4):
        s.ship_kind[seat][place] = rules.arrangements[which][place]
    s.step += 1
    if s.step == 2:
        s.step = 0
        s.phase = PHASE_ORDER


cdef void return_set_aside(LofotenState* s) noexcept nogil:
    """Shuffle the set-aside orders back in (R4)."""
    cdef int card
    for card in range(NUM_CARDS):
        s.deck[card] += s.discard[card]
        s.deck_size += s.discard[card]
        change(s, GROUP_DISCARD, card, &s.discard[card], -<int>s.discard[card])


cdef void finish_orders(LofotenState* s) noexcept nogil:
    return_set_aside(s)
    s.phase = PHASE_HAND
    s.step = 0


cdef void deal_order(LofotenState* s, const Rules* rules, int seat, int card) noexcept nogil:
    """First left, second right (R5); two of a type are set aside (R4)."""
    s.deck[card] -= 1
    s.deck_size -= 1
    s.step += 1
    if s.step & 1:
        s.ship_card[seat][PLACE_LEFT] = card
    elif card_type(card) == card_type(s.ship_card[seat][PLACE_LEFT]):
        discard_card(s, card)
        discard_card(s, s.ship_card[seat][PLACE_LEFT])
        s.ship_card[seat][PLACE_LEFT] = CARD_NONE
        s.step -= 2
    else:
        s.ship_card[seat][PLACE_RIGHT] = card
        if rules.choose_side:
            s.seat = seat
            s.phase = PHASE_SIDE
        elif s.step == 4:
            finish_orders(s)
    if s.deck_size == 0:
        # Only a card file with very uneven types can come here.
        return_set_aside(s)


cdef void choose_side(LofotenState* s, int right) noexcept nogil:
    cdef uint8_t first = s.ship_card[s.seat][PLACE_LEFT]
    if right:
        s.ship_card[s.seat][PLACE_LEFT] = s.ship_card[s.seat][PLACE_RIGHT]
        s.ship_card[s.seat][PLACE_RIGHT] = first
    s.phase = PHASE_ORDER
    s.seat = 0
    if s.step == 4:
        finish_orders(s)
