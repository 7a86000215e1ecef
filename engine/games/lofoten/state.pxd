"""The state of Lofoten and the bit table of its moves.

A move, 32 bits:

    31        24 23        16 15         8 7          0
    +-----------+------------+------------+-----------+
    |   KIND_*  |     0      |     a      |     b     |
    +-----------+------------+------------+-----------+

    KIND_PLAY       a = slot 0..2 (left, middle, right), b = card
    KIND_REDRAW     bits 11..0: the three cards put away, left to right, 4 bits each
    KIND_STEP       b = STEP_*                KIND_PAY_STEP  the same, for a coin
    KIND_DISCARD    b = market area 0..4      KIND_PLACE     the same
    KIND_STORE      b = warehouse 0..3        KIND_ATTACH    the same
    KIND_UNLOAD     b = wheel place 0..3, a = 0 for the whole ship or tile + 1
    KIND_PUT        b = 0 left, 1 right       KIND_SIDE      the same
    KIND_PILE       b = pile 0..1
    KIND_LOAD       b = 1 load, 0 leave       KIND_CLAIM     b = 0..1, which Jarl
    KIND_FACEDOWN   b = tile                  KIND_UPGRADE   b = longship 0..3 (A..D)
    KIND_TILE       b = tile                  KIND_HOUSE     b = warehouse card 0..15
    KIND_TOP        a = pile, b = type        KIND_FLIP      a = pile, b = tile
    KIND_ORDER      a = seat, b = card        KIND_DRAW      a = seat, b = card or CARD_UNKNOWN
    KIND_JARL       b = Jarl card 0..7        KIND_REQUIREMENT   b = side 0..13
    KIND_SHIPS      a = seat, b = 0..23, which arrangement

Numbers of things:
    type    0 mead, 1 fish, 2 sheep, 3 coffer
    card    type * 3 + value - 1, 0..11
    tile    type * 6 + (value - 1) * 2 + clan, 0..23
    area    0..4 from the left of the first player, for both fleets
    place   0 facing the market, 1 right, 2 docked (facing its owner), 3 left, as the owner sees it
    ship    0..3 longship A..D, + SHIP_UPGRADED; 0 at every place without module 3
    side    requirement card * 2 + side, 0..13
"""

from engine.types cimport key_t, move_t, uint16_t, uint32_t, uint8_t

cdef enum:
    NUM_TYPES = 4
    NUM_CARDS = 12
    NUM_TILES = 24
    NUM_AREAS = 5
    NUM_HOUSES = 4
    NUM_HOUSE_CARDS = 16     # the first eight are level 1
    NUM_JARL_CARDS = 8
    NUM_SIDES = 14           # of requirement cards
    NUM_ARRANGEMENTS = 24    # of four longships
    NUM_LABELS = 5           # 0 and the classes 1..4
    KEY_WORDS = 8            # of the state, which every key hashes
    MODULE_WORDS = 2         # and those behind them, with modules

    CARD_UNKNOWN = 14        # in a view: a card that the observer does not know
    CARD_NONE = 15
    TILE_NONE = 31
    TYPE_NONE = 7
    HOUSE_NONE = 31          # no warehouse card, or no warehouse
    JARL_NONE = 15           # no Jarl card, or no requirement
    SHIP_B = 1
    SHIP_C = 2
    SHIP_D = 3
    SHIP_UPGRADED = 4

    PLACE_MARKET = 0
    PLACE_RIGHT = 1
    PLACE_DOCK = 2
    PLACE_LEFT = 3
    MOST_EXTRA = 100         # additional turns that can be waiting (the texts have no limit)
    SLOT_DRAWN = 3           # the slot of a drawn card that has no place in the hand yet

    STEP_LEFT = 0
    STEP_RIGHT = 1
    STEP_CCW = 2
    STEP_CW = 3

    DIR_NONE = 0             # no side card was played this turn
    DIR_LEFT = 1
    DIR_RIGHT = 2

    EFFECT_DISCARD = 0
    EFFECT_ROTATE = 1
    EFFECT_MOVE = 2
    EFFECT_COIN = 3

cdef enum:
    KIND_PLAY = 1
    KIND_REDRAW = 2
    KIND_EXTRA = 3
    KIND_STEP = 4
    KIND_PAY_STEP = 5
    KIND_TAKE = 6
    KIND_DISCARD = 7
    KIND_STOP = 8
    KIND_STORE = 9
    KIND_PUT = 10
    KIND_PILE = 11
    KIND_PLACE = 12
    KIND_END = 13
    KIND_SIDE = 14
    KIND_UNLOAD = 15
    KIND_KEEP = 16
    KIND_LOAD = 17
    KIND_CLAIM = 18
    KIND_ATTACH = 19
    KIND_FACEDOWN = 20
    KIND_UPGRADE = 21
    # luck
    KIND_TILE = 24
    KIND_TOP = 25
    KIND_HOUSE = 26
    KIND_ORDER = 27
    KIND_FLIP = 28
    KIND_DRAW = 29
    KIND_JARL = 30
    KIND_REQUIREMENT = 31
    KIND_SHIPS = 32

cdef enum:
    # Set-up, in this order; all luck but PHASE_SIDE.
    PHASE_TILE = 0           # the next of five market tiles
    PHASE_TOP = 1            # the type that shows on a pile (also in play)
    PHASE_HOUSE = 2
    PHASE_JARL = 3           # Jarl, requirement, Jarl, requirement
    PHASE_SHIPS = 4          # the places of a seat's longships
    PHASE_ORDER = 5
    PHASE_SIDE = 6           # a seat chooses the side of its first start order
    PHASE_HAND = 7
    # A turn.
    PHASE_PLAY = 8           # which card
    PHASE_STEP = 9           # steps of a side card
    PHASE_USE = 10           # uses of a middle card
    PHASE_STORE = 11         # an empty warehouse for an unloaded tile; then `back`
    PHASE_DRAW = 12          # luck
    PHASE_PUT = 13
    PHASE_PILE = 14
    PHASE_FLIP = 15          # luck
    PHASE_PLACE = 16
    PHASE_END = 17
    PHASE_LAST = 18          # end of the action phase of the turn after which the game ends
    PHASE_REDRAW = 19        # luck: three new cards; then `back`
    # Modules; each goes on with `back`.
    PHASE_LOAD = 20          # whether ship C loads a tile of another type
    PHASE_HARBOUR = 21       # which ship `harbour` unloads
    PHASE_ATTACH = 22        # where `storehouse` is attached
    PHASE_SHIP = 23          # which longship is upgraded
    # The end.
    PHASE_UNLOAD = 24
    PHASE_OVER = 25

cdef struct LofotenState:
    # Counted things by table: see hidden.pyx. Always up to date.
    key_t counts_key

    # ---- KEY_WORDS words of eight bytes, which every key hashes as they lie ----

    uint8_t phase            # PHASE_*
    uint8_t seat             # whose turn it is; in PHASE_SIDE and PHASE_UNLOAD who decides
    uint8_t back             # phase that follows one that interrupts
    uint8_t step             # set-up and redraw: how many of the series are done
    uint8_t extra            # extra turns paid for and not yet begun
    uint8_t triggered        # 1: the end is triggered
    uint8_t moved            # 1: a tile left the market this turn
    uint8_t filling          # 1: the first market is refilled before the first turn (R3 `play`)
    uint8_t direction        # DIR_*: side card of this turn
    uint8_t moves_left       # own moves of the side card, 0..12
    uint8_t effect           # type of the middle card, TYPE_NONE outside PHASE_USE
    uint8_t uses_left        # of the middle card, 0..15
    uint8_t uses_done        # 0..15
    uint8_t pile             # the pile that was chosen, 0..1
    uint8_t tile             # tile in hand: flipped or unloaded (then with `more`); TILE_NONE
    uint8_t empties          # empty market areas (redundant)
    uint8_t upgraded         # 1: a longship was upgraded this turn
    uint8_t on_d             # 1: the middle card in use lies on the upgraded ship D
    uint16_t stall           # turns in a row without a tile leaving the market

    uint8_t coins[3]         # seat 1, seat 2, reserve
    uint8_t area[2]          # of each fleet
    uint8_t ship_card[2][4]  # order on each ship by place
    uint8_t ship_tile[2][4]  # tile on each ship by place
    uint8_t market[5]        # tile in each area
    uint8_t pile_size[2]
    uint8_t pile_top[2]      # type that shows, TYPE_NONE while it is not known or the pile is empty
    uint8_t house_card[4]    # warehouse card of each warehouse
    uint8_t house_type[4]    # type stored there
    uint8_t more[2][2]       # further tiles of ship B, in the order of loading
    uint8_t jarl_owner[2]    # 0, or who has claimed it: seat + 1

    # ---- MODULE_WORDS more, hashed with modules only ----

    uint8_t ship_kind[2][4]  # longship at each place
    uint8_t jarl_card[2]     # the two Jarls, JARL_NONE without module 2
    uint8_t requirement[2]   # side that lies above each
    uint8_t storehouse_at[2]    # by seat: the warehouse of its storehouse, HOUSE_NONE
    uint8_t extra_price[2]   # by seat: coins for an additional turn (redundant)

    # ---- what no key hashes as it lies ----

    # Told by nothing else and not part of any key.
    uint32_t turns           # turns ended
    uint16_t shuffles        # times the order deck was renewed
    uint8_t redeals          # times the first market was dealt anew
    uint8_t fours            # four of a kind discarded

    uint8_t unseen[24]       # tiles of each kind in the piles; secret to all
    uint8_t unseen_type[4]   # the same by type (redundant)
    uint8_t out[24]          # tiles out of the game

    uint8_t house_of[4]      # warehouse of each type (redundant)
    uint8_t stored[2][24]    # face-up tiles of each kind stored by each seat
    uint8_t down[2][24]      # the same of tiles turned face down
    uint8_t stored_tiles[2][4]    # by type: pieces (redundant)
    uint8_t stored_units[2][4]    # by type: merchandise (redundant)
    uint8_t bucklers[2][2]   # by seat and clan: on face-up stored tiles (redundant)

    uint8_t more_moves[2]    # by seat: additional moves of side cards (redundant)
    uint8_t more_uses[2]     # by seat: additional uses of middle cards (redundant)

    # Order cards. A card is labelled 0 while the deck it came from is in use. When that deck is
    # renewed everybody can count what was left, so the 0-cards in a hand become a class of their
    # own (1..4, numbered by first appearance in the hand) whose cards all seats know, though not
    # who holds which where.
    uint8_t hand[2][4]       # private: left, middle, right, drawn
    uint8_t label[2][4]      # public
    uint8_t deck[12]         # cards that the next draw can give; in a view also hidden 0-cards
    uint8_t deck_size        # true size, also in a view
    uint8_t discard[12]      # during set-up: start orders set aside
    uint8_t held[5][12]      # in a view: hidden cards of each class; else zero

# A card as its line of data says it: see vocabulary.py.
cdef struct Card:
    uint8_t kind             # number of its scoring, ability or requirement
    uint8_t a                # first figure
    uint8_t b                # second figure
    uint8_t type             # of goods, TYPE_NONE

cdef struct Rules:
    # Modules.
    uint8_t level2           # warehouse cards of level 2, 0..4
    uint8_t jarls
    uint8_t upgrades
    uint8_t modules          # 1: jarls or upgrades
    # Settings.
    uint8_t effect_of[4]     # EFFECT_* of each type
    uint8_t first_tiles_pile1
    uint8_t first_market_play
    uint8_t choose_side
    uint8_t count_live
    uint8_t late_moves
    uint8_t four_keep
    uint8_t late_extra
    uint8_t final_b_one
    uint8_t tie_both
    uint8_t coins_any
    uint8_t early_extra      # extra turns can be barred later in the turn: offer them before that
    uint8_t last_extra
    uint8_t clan[2]          # of each seat
    uint8_t turned_scoring
    uint8_t jarl_first
    uint8_t ship_c_must
    uint8_t ask_after_uses
    uint8_t storehouse_with_tile
    uint8_t level2_tie_both
    uint8_t bucklers_all
    uint8_t harbour_may
    uint8_t rowers_low
    uint8_t traders_before
    uint8_t tribute_coffer
    uint16_t stall_limit
    # Cards and tiles.
    uint8_t order_count[12]
    uint8_t tile_count[24]
    uint8_t coins[3]         # at the start: first seat, second seat, reserve
    uint8_t arrangements[24][4]  # longship at each place
    uint8_t ship_a_points
    uint8_t ship_b_total
    uint8_t ship_d_uses
    uint8_t upgrade_points[5]    # by number of upgraded longships
    Card houses[16]
    Card jarl_cards[8]
    Card sides[14]


cdef inline move_t make_move(int kind, int a, int b) noexcept nogil:
    return (<move_t>kind << 24) | (<move_t>a << 8) | <move_t>b


cdef inline int move_kind(move_t move) noexcept nogil:
    return move >> 24


cdef inline int move_a(move_t move) noexcept nogil:
    return (move >> 8) & 0xFF


cdef inline int move_b(move_t move) noexcept nogil:
    return move & 0xFF


cdef inline int card_type(int card) noexcept nogil:
    return (card * 11) >> 5          # card // 3 for 0..11


cdef inline int card_value(int card) noexcept nogil:
    return card - 3 * card_type(card) + 1


cdef inline int tile_type(int tile) noexcept nogil:
    return (tile * 11) >> 6          # tile // 6 for 0..24; TILE_NONE gives 5, which is no type


cdef inline int tile_value(int tile) noexcept nogil:
    return ((tile - 6 * tile_type(tile)) >> 1) + 1


cdef inline int tile_clan(int tile) noexcept nogil:
    return tile & 1


cdef inline bint is_interrupting(int phase) noexcept nogil:
    """Whether `back` says which phase follows."""
    return (1 << PHASE_STORE | 1 << PHASE_REDRAW | 1 << PHASE_LOAD | 1 << PHASE_HARBOUR
            | 1 << PHASE_ATTACH | 1 << PHASE_SHIP) >> phase & 1
