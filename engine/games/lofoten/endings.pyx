"""Endings that can be worked out."""

from libc.string cimport memcpy, memset

from engine.types cimport uint64_t, uint8_t
from engine.game cimport LATE_NEAR, LATE_NO, LATE_OPEN
from engine.zobrist cimport hash_word
from engine.games.lofoten import vocabulary
from engine.games.lofoten.cards cimport has_labels
from engine.games.lofoten.hidden cimport infoset_key
from engine.games.lofoten.jarls cimport SWIFT, claimed_jarl
from engine.games.lofoten.rules cimport apply
from engine.games.lofoten.state cimport (
    CARD_NONE, CARD_UNKNOWN, Card, EFFECT_COIN, KIND_DRAW, KIND_END, KIND_PUT, NUM_CARDS,
    NUM_HOUSES, PHASE_DRAW, PHASE_END, PHASE_PLACE, PHASE_PLAY, PHASE_PUT, PHASE_REDRAW,
    PHASE_UNLOAD, TYPE_NONE, card_type, is_interrupting, make_move)

cdef int TRIBUTE = vocabulary.index_of(vocabulary.ABILITIES, "tribute")

cdef enum:
    PRICE_REDRAW = 2
    # Under `count=live` the uses of a coffer are counted anew; it has no more than these.
    MOST_USES = 15
    # Salts of the parts of keys; the number of the word is added where there are several.
    SALT_CONTROL = 0x500
    SALT_COINS = 0x501
    SALT_BOARD = 0x502
    SALT_FLEET = 0x510
    SALT_STORED = 0x520
    SALT_DOWN = 0x530
    SALT_MODULES = 0x540
    SALT_PILES = 0x550
    SALT_POOL = 0x560


# ---- what still matters ----

cdef inline int turn_phase(const LofotenState* s) noexcept nogil:
    """The phase of the turn, also where another question interrupts it."""
    return s.back if is_interrupting(s.phase) else s.phase


cdef inline bint end_is_sure(const LofotenState* s) noexcept nogil:
    """Whether nothing but the turns of this round is left, however the seats decide."""
    # The tile that is being placed belongs to an area and no longer to a pile.
    return s.triggered or s.pile_size[0] + s.pile_size[1] < s.empties - (s.phase == PHASE_PLACE)


cdef bint can_buy_later(const LofotenState* s, const Rules* rules) noexcept nogil:
    """Whether the seat whose turn it is may still be able to buy an additional turn in it."""
    cdef int seat = s.seat, which, coins = s.coins[seat], price = s.extra_price[seat]
    cdef const Card* jarl
    if s.triggered and (not rules.late_extra or (not rules.last_extra and seat == 1)):
        return False
    if s.effect != TYPE_NONE and rules.effect_of[s.effect] == EFFECT_COIN:
        coins += MOST_USES if rules.count_live else s.uses_left
    if rules.jarls and claimed_jarl(s, rules, seat) == NULL:
        for which in range(2):
            if s.jarl_owner[which] == 0:
                jarl = &rules.jarl_cards[s.jarl_card[which]]
                if jarl.kind == TRIBUTE:
                    coins += jarl.a
                elif jarl.kind == SWIFT and jarl.a < price:
                    price = jarl.a
    return coins >= price


cdef inline bint hand_is_done(const LofotenState* s, const Rules* rules) noexcept nogil:
    """Whether the seat whose turn it is plays no card any more."""
    return (s.extra == 0 and turn_phase(s) != PHASE_PLAY and not can_buy_later(s, rules))


cdef inline bint can_forget(const LofotenState* s, const Rules* rules) noexcept nogil:
    """Whether no redraw will be offered that would put away cards passed over by `pass_over`."""
    if s.coins[s.seat] < PRICE_REDRAW:
        return True
    return s.pile_size[0] + s.pile_size[1] == 0 and not rules.modules and not rules.late_moves


cdef void pass_over(LofotenState* s, const Rules* rules) noexcept nogil:
    """Go on to the next luck or decision that can matter; the hand of the turn's seat cannot."""
    while s.phase != PHASE_PLAY:
        if s.phase == PHASE_PUT:
            apply(s, rules, make_move(KIND_PUT, 0, 0))
        elif s.phase == PHASE_DRAW and can_forget(s, rules):
            apply(s, rules, make_move(KIND_DRAW, s.seat, CARD_UNKNOWN))
        elif (s.phase == PHASE_REDRAW and can_forget(s, rules)
                and s.deck_size >= 3 - s.step):
            # The deck is not renewed meanwhile, so the pool stays what it is.
            apply(s, rules, make_move(KIND_DRAW, s.seat, CARD_UNKNOWN))
        elif s.phase == PHASE_END and not rules.modules and not rules.late_moves:
            apply(s, rules, make_move(KIND_END, 0, 0))
        else:
            break


# ---- keys ----

cdef key_t table_key(const LofotenState* s, const Rules* rules) noexcept nogil:
    """Key of all but cards: two situations with the same key differ in hands, deck, discards."""
    cdef uint64_t w
    cdef uint64_t word[6]
    cdef key_t key
    cdef int i, seat, place
    w = (s.phase | <uint64_t>s.seat << 5 | <uint64_t>s.back << 6 | <uint64_t>s.step << 11
         | <uint64_t>s.triggered << 14 | <uint64_t>s.moved << 15 | <uint64_t>s.direction << 16
         | <uint64_t>s.effect << 18 | <uint64_t>s.pile << 21 | <uint64_t>s.upgraded << 22
         | <uint64_t>s.on_d << 23 | <uint64_t>s.extra << 24 | <uint64_t>s.moves_left << 32
         | <uint64_t>s.uses_left << 36 | <uint64_t>s.uses_done << 40 | <uint64_t>s.tile << 44)
    key = hash_word(w, SALT_CONTROL)
    w = s.coins[0] | <uint64_t>s.coins[1] << 4
    for i in range(2):
        w |= <uint64_t>s.pile_size[i] << (8 + 8 * i) | <uint64_t>s.pile_top[i] << (24 + 3 * i)
    key ^= hash_word(w, SALT_COINS)
    w = 0
    for i in range(5):
        w |= <uint64_t>s.market[i] << (5 * i)
    for i in range(NUM_HOUSES):
        w |= <uint64_t>(s.house_card[i] | s.house_type[i] << 5) << (25 + 8 * i)
    key ^= hash_word(w, SALT_BOARD)
    for seat in range(2):
        w = s.area[seat]
        for place in range(4):
            # The value of an order is of no use on a ship; its type decides what loads.
            w |= <uint64_t>(4 if s.ship_card[seat][place] == CARD_NONE
                            else card_type(s.ship_card[seat][place])) << (3 + 3 * place)
            w |= <uint64_t>s.ship_tile[seat][place] << (15 + 5 * place)
        key ^= hash_word(w, SALT_FLEET + seat)
    memcpy(word, s.stored, 48)
    for i in range(6):
        key ^= hash_word(word[i], SALT_STORED + i)
    if rules.modules:
        key ^= modules_key(s)
    if s.pile_size[0] or s.pile_size[1]:
        memcpy(word, s.unseen, 24)
        for i in range(3):
            key ^= hash_word(word[i], SALT_PILES + i)
    return key


cdef key_t modules_key(const LofotenState* s) noexcept nogil:
    cdef uint64_t w = 0, more = 0
    cdef uint64_t word[6]
    cdef key_t key = 0
    cdef int i, place
    for i in range(2):
        w |= <uint64_t>(s.jarl_card[i] | s.requirement[i] << 4 | s.jarl_owner[i] << 8
                        | s.storehouse_at[i] << 10) << (16 * i)
        more |= <uint64_t>(s.more[i][0] | s.more[i][1] << 5) << (10 * i)
        for place in range(4):
            w |= <uint64_t>s.ship_kind[i][place] << (32 + 12 * i + 3 * place)
    memcpy(word, s.down, 48)
    for i in range(6):
        key ^= hash_word(word[i], SALT_DOWN + i)
    return key ^ hash_word(w, SALT_MODULES) ^ hash_word(more, SALT_MODULES + 1)


cdef key_t pool_key(const LofotenState* s, int other) noexcept nogil:
    """Key of what is known of a hidden hand."""
    cdef uint64_t word[8]
    cdef key_t key
    cdef int i
    memcpy(&word[0], s.hand[other], 4)
    memcpy(<uint8_t*>&word[0] + 4, s.label[other], 4)
    key = hash_word(word[0], SALT_POOL)
    memset(word, 0, 16)
    memcpy(word, s.deck, NUM_CARDS)
    key ^= hash_word(word[0], SALT_POOL + 1) ^ hash_word(word[1], SALT_POOL + 2)
    if has_labels(s, other):
        memset(word, 0, 64)
        memcpy(word, s.held, 5 * NUM_CARDS)
        for i in range(8):
            key ^= hash_word(word[i], SALT_POOL + 3 + i)
    return key


# ---- for the game ----

cdef int late(LofotenState* s, const Rules* rules, int seat, key_t* key) noexcept nogil:
    cdef bint done
    if turn_phase(s) < PHASE_UNLOAD:
        if turn_phase(s) < PHASE_PLAY or s.filling or not end_is_sure(s):
            return LATE_NO
        if s.seat == seat and hand_is_done(s, rules):
            pass_over(s, rules)
    if turn_phase(s) >= PHASE_UNLOAD:
        key[0] = table_key(s, rules)
        return LATE_OPEN
    done = hand_is_done(s, rules)
    if seat == 1:
        # Its own last turn; before that lies one of seat 1, who would have to guess this hand.
        key[0] = table_key(s, rules) if done else infoset_key(s, rules, seat)
        return LATE_OPEN if s.seat == 1 else LATE_NO
    if s.seat == 0:
        key[0] = table_key(s, rules) ^ pool_key(s, 1) if done else infoset_key(s, rules, seat)
        return LATE_NEAR
    key[0] = table_key(s, rules)
    if done:
        return LATE_OPEN
    key[0] ^= pool_key(s, 1)
    return LATE_NEAR if s.phase == PHASE_PLAY and s.triggered and s.extra == 0 else LATE_NO


cdef int64_t fill_secrets(LofotenState* s, int seat, uint32_t index) noexcept nogil:
    """The digits of `index` to the base 12 are the hidden cards, from the left."""
    cdef int other = 1 - seat, slot, card
    cdef int64_t ways = 1
    cdef uint8_t* pool
    for slot in range(4):
        if s.hand[other][slot] != CARD_UNKNOWN:
            continue
        card = index % NUM_CARDS
        index //= NUM_CARDS
        pool = &s.held[s.label[other][slot]][0] if s.label[other][slot] else &s.deck[0]
        ways *= pool[card]
        pool[card] -= pool[card] != 0
        s.hand[other][slot] = card
    return -1 if index else ways
