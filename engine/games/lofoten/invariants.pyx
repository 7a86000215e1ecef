"""What must hold in every state; everything redundant is recomputed."""

from libc.string cimport memset

from engine.games.lofoten cimport counts
from engine.games.lofoten.jarls cimport STOREHOUSE, grant_permanent, has_ability
from engine.games.lofoten.phases cimport check_phase
from engine.games.lofoten.ships cimport b_is_loaded
from engine.games.lofoten.state cimport (
    CARD_NONE, CARD_UNKNOWN, HOUSE_NONE, JARL_NONE, MOST_EXTRA, NUM_AREAS, NUM_CARDS, NUM_HOUSES,
    NUM_HOUSE_CARDS, NUM_JARL_CARDS, NUM_LABELS, NUM_SIDES, NUM_TILES, NUM_TYPES, PHASE_HOUSE,
    PHASE_JARL, PHASE_LOAD, PHASE_OVER, PHASE_PLACE, PHASE_SHIPS, PHASE_STORE, PHASE_TILE,
    PHASE_TOP, PLACE_DOCK, SHIP_B, SHIP_C, SHIP_UPGRADED, TILE_NONE, TYPE_NONE, card_type,
    tile_clan, tile_type, tile_value)

cdef int check_tiles(const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef int left[NUM_TILES]
    cdef int by_type[NUM_TYPES]
    cdef int i, seat, place, tile, total = 0, empties = 0, broken = 0
    memset(by_type, 0, sizeof(by_type))
    for i in range(NUM_TILES):
        left[i] = (rules.tile_count[i] - s.unseen[i] - s.out[i] - s.stored[0][i] - s.stored[1][i]
                   - s.down[0][i] - s.down[1][i])
        by_type[i // 6] += s.unseen[i]
        total += s.unseen[i]
    for i in range(NUM_AREAS):
        if s.market[i] == TILE_NONE:
            empties += 1
        elif s.market[i] < NUM_TILES:
            left[s.market[i]] -= 1
        else:
            return BROKEN_RANGE
    if s.tile != TILE_NONE:
        if s.tile >= NUM_TILES:
            return BROKEN_RANGE
        left[s.tile] -= 1
    for seat in range(2):
        for place in range(4):
            tile = s.ship_tile[seat][place]
            if tile == TILE_NONE:
                continue
            if tile >= NUM_TILES:
                return BROKEN_RANGE
            left[tile] -= 1
            if s.ship_card[seat][place] == CARD_NONE:
                broken |= BROKEN_DOCK
            elif place == PLACE_DOCK and (s.phase != PHASE_LOAD or seat != s.seat):
                # It unloads once the owner of ship C has answered (R84).
                broken |= BROKEN_DOCK
            elif (tile_type(tile) != card_type(s.ship_card[seat][place])
                  and s.ship_kind[seat][place] != SHIP_C + SHIP_UPGRADED):
                broken |= BROKEN_DOCK
        for place in range(2):
            tile = s.more[seat][place]
            if tile < NUM_TILES:
                left[tile] -= 1
            elif tile != TILE_NONE:
                return BROKEN_RANGE
    for i in range(NUM_TILES):
        if left[i]:
            broken |= BROKEN_TILES
    for i in range(NUM_TYPES):
        if by_type[i] != s.unseen_type[i]:
            broken |= BROKEN_PILES
    if s.pile_size[0] + s.pile_size[1] != total:
        broken |= BROKEN_PILES
    if empties != s.empties:
        broken |= BROKEN_MARKET
    return broken


cdef int check_tops(const LofotenState* s) noexcept nogil:
    """A pile shows a type if it has a tile, save where that type is just being found out."""
    cdef int pile, kind, hidden = 0
    cdef int shown[8]
    memset(shown, 0, sizeof(shown))
    for pile in range(2):
        kind = s.pile_top[pile]
        if kind > TYPE_NONE or (kind != TYPE_NONE and kind >= NUM_TYPES):
            return BROKEN_RANGE
        if kind == TYPE_NONE:
            hidden += s.pile_size[pile] != 0
            continue
        shown[kind] += 1
        if s.pile_size[pile] == 0 or shown[kind] > s.unseen_type[kind]:
            return BROKEN_PILES
    if s.phase == PHASE_TILE or s.phase == PHASE_TOP:
        return 0 if hidden else BROKEN_PILES
    if s.phase == PHASE_PLACE:
        # The tile that was turned up came from this pile; the next type shows once it has its area.
        if s.pile_top[s.pile] != TYPE_NONE or hidden != (s.pile_size[s.pile] != 0):
            return BROKEN_PILES
        return 0
    return BROKEN_PILES if hidden else 0


cdef int check_cards(const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef int left[NUM_CARDS]
    cdef int hidden[NUM_LABELS]
    cdef int held[NUM_LABELS]
    cdef int i, j, seat, card, label, next_label, broken = 0
    memset(hidden, 0, sizeof(hidden))
    memset(held, 0, sizeof(held))
    for i in range(NUM_CARDS):
        left[i] = rules.order_count[i] - s.discard[i] - s.deck[i]
        held[0] += s.deck[i]
        for j in range(1, NUM_LABELS):
            left[i] -= s.held[j][i]
            held[j] += s.held[j][i]
    for seat in range(2):
        next_label = 1
        for i in range(4):
            label = s.label[seat][i]
            if label > next_label or label >= NUM_LABELS:
                broken |= BROKEN_LABELS
                label = 0
            next_label += label == next_label
            card = s.hand[seat][i]
            if card < NUM_CARDS:
                left[card] -= 1
            elif card == CARD_UNKNOWN:
                hidden[label] += 1
            elif card != CARD_NONE:
                return BROKEN_RANGE
            elif label:
                broken |= BROKEN_LABELS
            card = s.ship_card[seat][i]
            if card < NUM_CARDS:
                left[card] -= 1
            elif card != CARD_NONE:
                return BROKEN_RANGE
    for i in range(NUM_CARDS):
        if left[i]:
            broken |= BROKEN_CARDS
    for i in range(1, NUM_LABELS):
        if held[i] != hidden[i]:
            broken |= BROKEN_HELD
    if held[0] != s.deck_size + hidden[0]:
        broken |= BROKEN_DECK
    return broken


cdef int check_stored(const LofotenState* s) noexcept nogil:
    cdef int seat, tile, house, kind, broken = 0
    cdef int tiles[4]
    cdef int units[4]
    cdef int bucklers[2]
    for seat in range(2):
        memset(bucklers, 0, sizeof(bucklers))
        memset(tiles, 0, sizeof(tiles))
        memset(units, 0, sizeof(units))
        for tile in range(NUM_TILES):
            tiles[tile // 6] += s.stored[seat][tile] + s.down[seat][tile]
            units[tile // 6] += s.stored[seat][tile] * tile_value(tile) + s.down[seat][tile]
            bucklers[tile_clan(tile)] += s.stored[seat][tile]
        if bucklers[0] != s.bucklers[seat][0] or bucklers[1] != s.bucklers[seat][1]:
            broken |= BROKEN_STORED
        for kind in range(NUM_TYPES):
            if tiles[kind] != s.stored_tiles[seat][kind]:
                broken |= BROKEN_STORED
            if units[kind] != s.stored_units[seat][kind]:
                broken |= BROKEN_STORED
            if tiles[kind] and s.house_of[kind] == HOUSE_NONE:
                broken |= BROKEN_STORED
    for kind in range(NUM_TYPES):
        house = s.house_of[kind]
        if house != HOUSE_NONE and (house >= NUM_HOUSES or s.house_type[house] != kind):
            broken |= BROKEN_STORED
        elif house != HOUSE_NONE and not (s.stored_tiles[0][kind] or s.stored_tiles[1][kind]):
            broken |= BROKEN_STORED
    for house in range(NUM_HOUSES):
        kind = s.house_type[house]
        if kind != TYPE_NONE and (kind >= NUM_TYPES or s.house_of[kind] != house):
            broken |= BROKEN_STORED
    return broken


cdef int check_houses(const LofotenState* s, const Rules* rules) noexcept nogil:
    """Four different cards once they are dealt, first those of level 1 (R55)."""
    cdef int house, other, dealt = NUM_HOUSES
    if s.phase == PHASE_TILE or (s.phase == PHASE_TOP and s.house_card[0] == HOUSE_NONE):
        dealt = 0
    elif s.phase == PHASE_HOUSE:
        dealt = s.step
    for house in range(NUM_HOUSES):
        if house >= dealt:
            if s.house_card[house] != HOUSE_NONE:
                return BROKEN_PHASE
            continue
        if s.house_card[house] >= NUM_HOUSE_CARDS:
            return BROKEN_RANGE
        if (s.house_card[house] >= 8) != (house >= NUM_HOUSES - rules.level2):
            return BROKEN_HOUSES
        for other in range(house):
            if s.house_card[other] == s.house_card[house]:
                return BROKEN_HOUSES
    return 0


cdef int jarls_dealt(const LofotenState* s, const Rules* rules) noexcept nogil:
    """How many Jarls and requirements lie there."""
    if not rules.jarls or s.house_card[NUM_HOUSES - 1] == HOUSE_NONE:
        return 0
    return s.step if s.phase == PHASE_JARL else 4


cdef int check_jarls(const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef LofotenState fresh
    cdef int i, seat, dealt = jarls_dealt(s, rules)
    for i in range(2):
        if s.jarl_card[i] >= NUM_JARL_CARDS if dealt > 2 * i else s.jarl_card[i] != JARL_NONE:
            return BROKEN_JARLS
        if (s.requirement[i] >= NUM_SIDES if dealt > 2 * i + 1
                else s.requirement[i] != JARL_NONE):
            return BROKEN_JARLS
        if s.jarl_owner[i] > 2 or (s.jarl_owner[i] and dealt < 4):
            return BROKEN_JARLS
    if dealt > 2 and s.jarl_card[0] == s.jarl_card[1]:
        return BROKEN_JARLS
    if dealt > 3 and s.requirement[0] >> 1 == s.requirement[1] >> 1:
        return BROKEN_JARLS
    if s.jarl_owner[0] and s.jarl_owner[0] == s.jarl_owner[1]:
        return BROKEN_JARLS
    fresh = s[0]
    for seat in range(2):
        if s.storehouse_at[seat] != HOUSE_NONE:
            if s.storehouse_at[seat] >= NUM_HOUSES or not has_ability(s, rules, seat, STOREHOUSE):
                return BROKEN_JARLS
        grant_permanent(&fresh, rules, seat)
        if (fresh.extra_price[seat] != s.extra_price[seat]
                or fresh.more_moves[seat] != s.more_moves[seat]
                or fresh.more_uses[seat] != s.more_uses[seat]):
            return BROKEN_JARLS
    return 0


cdef int wheels_dealt(const LofotenState* s, const Rules* rules) noexcept nogil:
    """How many wheels have their longships."""
    if not rules.upgrades or s.house_card[NUM_HOUSES - 1] == HOUSE_NONE or s.phase == PHASE_JARL:
        return 0
    return s.step if s.phase == PHASE_SHIPS else 2


cdef int check_ships(const LofotenState* s, const Rules* rules) noexcept nogil:
    """Four different longships on a wheel; several tiles only on ship B, within its total."""
    cdef int seat, place, kinds, units, tile
    cdef int dealt = wheels_dealt(s, rules)
    for seat in range(2):
        kinds = 0
        for place in range(4):
            if s.ship_kind[seat][place] > 3 + SHIP_UPGRADED or (dealt <= seat
                                                                and s.ship_kind[seat][place]):
                return BROKEN_SHIPS
            kinds |= 1 << (s.ship_kind[seat][place] & 3)
        if dealt > seat and kinds != 15:
            return BROKEN_SHIPS
        for tile in range(NUM_TILES):
            if s.down[seat][tile] and not rules.upgrades:
                return BROKEN_SHIPS
        if s.more[seat][0] == TILE_NONE:
            if s.more[seat][1] != TILE_NONE:
                return BROKEN_SHIPS
            continue
        units = b_units(s, seat)
        if units < 0 or units > rules.ship_b_total:
            return BROKEN_SHIPS
    return 0


cdef int b_units(const LofotenState* s, int seat) noexcept nogil:
    """Merchandise on ship B, or just unloaded from it; -1 if its tiles do not belong together."""
    cdef int place, i, tile = TILE_NONE, units
    if b_is_loaded(s, seat):
        for place in range(4):
            if s.ship_kind[seat][place] == SHIP_B + SHIP_UPGRADED:
                tile = s.ship_tile[seat][place]
    elif s.phase == PHASE_STORE and seat == s.seat and has_upgraded_b(s, seat):
        tile = s.tile
    if tile >= NUM_TILES:
        return -1
    units = tile_value(tile)
    for i in range(2):
        if s.more[seat][i] != TILE_NONE:
            if tile_type(s.more[seat][i]) != tile_type(tile):
                return -1
            units += tile_value(s.more[seat][i])
    return units


cdef bint has_upgraded_b(const LofotenState* s, int seat) noexcept nogil:
    cdef int place
    for place in range(4):
        if s.ship_kind[seat][place] == SHIP_B + SHIP_UPGRADED:
            return True
    return False


cdef int check(const LofotenState* s, const Rules* rules) noexcept nogil:
    cdef int broken
    if (s.phase > PHASE_OVER or s.seat > 1 or s.back > PHASE_OVER or s.area[0] >= NUM_AREAS
            or s.area[1] >= NUM_AREAS or s.pile > 1 or s.step > 6 or s.moves_left > 12
            or s.direction > 2 or s.uses_left > 15 or s.uses_done > 15 or s.triggered > 1
            or s.moved > 1 or s.filling > 1 or s.upgraded > 1 or s.on_d > 1
            or s.extra > MOST_EXTRA):
        return BROKEN_RANGE
    broken = (check_tiles(s, rules) | check_cards(s, rules) | check_tops(s) | check_stored(s)
              | check_houses(s, rules) | check_jarls(s, rules) | check_ships(s, rules))
    if broken & BROKEN_RANGE == 0:
        broken |= check_phase(s, rules)
    if (s.coins[0] + s.coins[1] + s.coins[2]
            != rules.coins[0] + rules.coins[1] + rules.coins[2]):
        broken |= BROKEN_COINS
    if s.counts_key != counts.counts_key(s):
        broken |= BROKEN_KEY
    return broken
