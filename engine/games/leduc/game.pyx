"""Binds rules, hidden information and notation of Leduc poker into a Game."""

cimport cython
from libc.string cimport memset

from engine.debug cimport c_assert
from engine.game cimport Game, State
from engine.rng cimport Rng
from engine.types cimport SEAT_CHANCE, key_t, move_t, uint32_t
from engine.games.leduc cimport hidden, rules
from engine.games.leduc.state cimport CARD_NONE, CARD_UNKNOWN, LINE_OPEN, LeducState, NUM_CARDS

from engine.errors import BadPositionText, shorten
from engine.games.leduc import VERSION, notation, picture
from engine.games.leduc.settings import SETTINGS
from engine.settings import resolve

cdef enum:
    MOST_CHIPS = 13       # that a seat can win or lose: ante, two raises of 2, two of 4


def load(**settings):
    """Return the game."""
    return LeducGame(settings)


@cython.final
cdef class LeducGame(Game):
    """Leduc poker."""

    def __init__(self, settings):
        self.name = "leduc"
        self.version = VERSION
        self.num_seats = 2
        self.max_moves = NUM_CARDS
        self.max_plies = 8
        self.state_size = sizeof(LeducState)
        self.margin_scale = MOST_CHIPS
        self.settings = resolve(SETTINGS, settings)
        self.notation = notation

    # ---- the C table ----

    cdef void setup(self, void* state) noexcept nogil:
        cdef LeducState* s = <LeducState*>state
        memset(s, 0, sizeof(LeducState))
        s.card[0] = s.card[1] = s.public_card = CARD_NONE
        s.line[0] = s.line[1] = LINE_OPEN
        s.turn = SEAT_CHANCE

    cdef int seat_to_move(self, const void* state) noexcept nogil:
        return (<const LeducState*>state).turn

    cdef int legal_moves(self, const void* state, move_t* out) noexcept nogil:
        return rules.legal_moves(<const LeducState*>state, out)

    cdef move_t sample_chance(self, const void* state, Rng* rng) noexcept nogil:
        return rules.sample_chance(<const LeducState*>state, rng)

    cdef uint32_t chance_weight(self, const void* state, move_t outcome) noexcept nogil:
        return 1

    cdef void apply(self, void* state, move_t move) noexcept nogil:
        rules.apply(<LeducState*>state, move)
        c_assert(rules.check(<const LeducState*>state) == 0)

    cdef void returns(self, const void* state, float* out) noexcept nogil:
        cdef int ahead = rules.margin(<const LeducState*>state)
        cdef int winner = ahead < 0
        cdef float more = 0.5 + <float>(-ahead if winner else ahead) / (2 * MOST_CHIPS)
        out[winner] = more
        out[1 - winner] = 1.0 - more     # exact, as it is at most a half

    cdef void margins(self, const void* state, float* out) noexcept nogil:
        cdef int ahead = rules.margin(<const LeducState*>state)
        out[0] = ahead
        out[1] = -ahead

    cdef key_t key(self, const void* state) noexcept nogil:
        return hidden.full_key(<const LeducState*>state)

    cdef key_t infoset_key(self, const void* state, int seat) noexcept nogil:
        return hidden.infoset_key(<const LeducState*>state, seat)

    cdef key_t abstract_key(self, const void* state, int seat) noexcept nogil:
        return hidden.abstract_key(<const LeducState*>state, seat)

    cdef key_t public_key(self, const void* state) noexcept nogil:
        return hidden.public_key(<const LeducState*>state)

    cdef move_t redact(self, const void* state, move_t move, int seat) noexcept nogil:
        return hidden.redact(move, seat)

    cdef void blind(self, void* state, int seat) noexcept nogil:
        hidden.blind(<LeducState*>state, seat)

    cdef void determinize(self, void* state, Rng* rng) noexcept nogil:
        hidden.determinize(<LeducState*>state, rng)

    cdef int check(self, const void* state) noexcept nogil:
        return rules.check(<const LeducState*>state)

    # ---- for Python ----

    def to_text(self, State state):
        return notation.to_text(_fields(state), state.observer)

    def from_text(self, text):
        fields, observer = notation.from_text(text)
        cdef State state = self.new_state(observer)
        cdef LeducState* s = <LeducState*>state.data
        s.card[0], s.card[1], s.public_card, s.line[0], s.line[1] = fields
        s.turn = rules.turn_of(s)
        hidden_seats = [seat for seat in range(2) if fields[seat] == CARD_UNKNOWN]
        if fields[0] == CARD_NONE and fields[1] != CARD_NONE:
            raise BadPositionText("field hand.p1: seat 1 is dealt before seat 2", "hand.p1")
        if rules.check(s):
            raise BadPositionText(f"{shorten(text)!r}: no game of Leduc poker leads here")
        if observer in hidden_seats or (hidden_seats and observer < 0):
            raise BadPositionText("a card is ?: say whose view this is (me=p1 or me=p2), "
                                  "who knows the own card")
        if observer >= 0 and s.card[1 - observer] < CARD_UNKNOWN:
            raise BadPositionText(f"field hand.p{2 - observer}: the view of seat {observer + 1} "
                                  "cannot show this card; use ?", f"hand.p{2 - observer}")
        ply = sum(len(notation.LINES[line]) for line in fields[3:])
        state.load_bytes(state.to_bytes(), observer, ply)
        return state

    def new_deal(self, seed, start=None):
        from engine.games.leduc.deal import Deal
        return Deal(seed, start)

    def abstract_key_of(self, State state, int seat):
        """The key of what `seat` knows by ranks, of a state or a view."""
        return hidden.abstract_key(<const LeducState*>state.data, seat)

    def worlds(self, view, most=20_000):
        """Every world that a view allows; see worlds.py."""
        from engine.games.leduc.worlds import worlds
        return worlds(view)

    def picture(self, State state):
        return picture.draw(_fields(state))

    def describe_move(self, state, move):
        return picture.describe(move, state.seat_to_move)

    @property
    def feature_names(self):
        """How far the own card and a pair are above the other seat's, alone and with the stakes."""
        return ("card", "card and stakes", "pair", "pair and stakes")

    def features(self, State state, int seat):
        """A card that is not dealt yet counts as a queen, and makes no pair."""
        cdef const LeducState* s = <const LeducState*>state.data
        cdef int paid = rules.chips_paid(s)
        ranks = [1 if s.card[i] == CARD_NONE else s.card[i] >> 1 for i in (seat, 1 - seat)]
        pairs = [s.public_card != CARD_NONE and rank == s.public_card >> 1 for rank in ranks]
        card, pair = float(ranks[0] - ranks[1]), float(pairs[0] - pairs[1])
        return [card, card * paid, pair, pair * paid]


cdef _fields(State state):
    """What notation.Fields says."""
    cdef const LeducState* s = <const LeducState*>state.data
    return s.card[0], s.card[1], s.public_card, s.line[0], s.line[1]
