"""The state of Oh Hell and the bit table of its moves.

    31        24 23        16 15         8 7          0
    +-----------+------------+------------+-----------+
    |   kind    |     0      |    seat    |   value   |     seat: only of KIND_DEAL
    +-----------+------------+------------+-----------+

The value is a card, a number of tricks or a seat. A card is 4 * rank + suit whatever the deck:
ranks from the two (0) to the ace (12), suits clubs, diamonds, spades, hearts. A set of cards is a
word with bit `card` set.
"""

from engine.types cimport key_t, move_t, uint8_t, uint64_t

cdef enum:
    KIND_TRICKS = 1       # luck: how many tricks the game has
    KIND_DEALER = 2       # luck: who deals
    KIND_DEAL = 3         # luck: a card for a seat
    KIND_TRUMP = 4        # luck: the card turned up
    KIND_BID = 5
    KIND_PLAY = 6

    MOST_SEATS = 4
    MOST_TRICKS = 17
    NUM_SUITS = 4
    NUM_CARDS = 52
    CARD_UNKNOWN = 62     # dealt to another seat than the observer of this view
    CARD_NONE = 63
    BID_NONE = 31
    SEAT_UNSET = 7

cdef struct Rules:
    # What the settings say; the same for all states of a game.
    uint64_t deck         # the cards there are
    int seats             # 3..4
    int suits             # 1..4
    int ranks             # 2..13
    int fixed_tricks      # 0: by lot
    int most_tricks       # what the deck allows
    int points            # for a trick
    bint penalty          # a missed bid costs points

cdef struct OhHellState:
    uint64_t hand[4]      # cards in hand, private to its seat; a view has none of other seats
    uint64_t out          # cards played, public; redundant
    key_t trail           # hash of the cards played in their order, public; redundant
    uint8_t played[52]    # cards in the order of play, then CARD_NONE; public
    uint8_t bid[4]        # 0..17 or BID_NONE, public
    uint8_t won[4]        # tricks won, 0..17, public; redundant
    uint8_t lacks[4]      # bit u: the seat has shown it has no card of suit u; public; redundant
    uint8_t tricks        # of the game, 1..17; 0: not chosen yet; public
    uint8_t dealer        # 0..3 or SEAT_UNSET, public
    uint8_t dealt         # cards dealt to the seats, 0..51, public
    uint8_t trump         # the card turned up, or CARD_NONE; public
    uint8_t count         # cards played, 0..51, public
    uint8_t seat          # who decides, 0..3; 0 before that is known; public


cdef inline move_t make_move(int kind, int seat, int value) noexcept nogil:
    return (<move_t>kind << 24) | (<move_t>seat << 8) | <move_t>value


cdef inline int move_kind(move_t move) noexcept nogil:
    return move >> 24


cdef inline int move_seat(move_t move) noexcept nogil:
    return (move >> 8) & 0xFF


cdef inline int move_value(move_t move) noexcept nogil:
    return move & 0xFF


cdef inline uint64_t card_bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline uint64_t suit_cards(int suit) noexcept nogil:
    """All thirteen cards of a suit."""
    return <uint64_t>0x1111111111111 << suit


cdef inline int suit_of(int card) noexcept nogil:
    return card & 3
