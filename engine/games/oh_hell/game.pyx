"""Binds rules, hidden information and notation of Oh Hell into a Game."""

cimport cython

from engine.debug cimport c_assert
from engine.game cimport State
from engine.points cimport PointsGame
from engine.rng cimport Rng, rng_below
from engine.types cimport key_t, move_t, uint32_t
from engine.games.oh_hell cimport hidden, invariants, rules
from engine.games.oh_hell.state cimport (
    BID_NONE, CARD_NONE, MOST_TRICKS, NUM_CARDS, OhHellState, Rules, SEAT_UNSET, card_bit)

from engine.errors import BadSetting
from engine.games.oh_hell import VERSION, notation, picture, position
from engine.games.oh_hell.settings import SETTINGS
from engine.settings import resolve

# Games kept for the next `load`; clients may ask for any number of combinations of settings.
MOST_LOADED = 64

_loaded = {}


def load(**settings):
    """Return the game with these settings; equal settings soon after give the same object."""
    values = resolve(SETTINGS, settings)
    key = tuple(values.values())
    if key not in _loaded:
        game = OhHellGame(values)
        if len(_loaded) >= MOST_LOADED:
            del _loaded[next(iter(_loaded))]
        _loaded[key] = game
    return _loaded[key]


@cython.final
cdef class OhHellGame(PointsGame):
    """Oh Hell with chosen settings."""

    cdef Rules rules

    def __init__(self, settings):
        values = resolve(SETTINGS, settings)
        self.name = "oh_hell"
        self.version = VERSION
        self.settings = values
        self._fill_rules(values)
        self.num_seats = self.rules.seats
        # All bids, or all cards of a hand; or at a deal every card.
        self.max_moves = max(self.rules.suits * self.rules.ranks, self.rules.most_tricks + 1)
        self.max_plies = self.rules.seats * (self.rules.most_tricks + 1)
        self.state_size = sizeof(OhHellState)
        self.margin_scale = 10.0    # the bonus of a bid that is met
        self.notation = notation

    def _fill_rules(self, values):
        cdef Rules* r = &self.rules
        r.seats = int(values["seats"])
        r.suits = int(values["suits"])
        r.ranks = int(values["cards-per-suit"])
        r.points = int(values["points-per-trick"])
        r.penalty = values["off-bid-penalty"] == "on"
        r.most_tricks = min((r.suits * r.ranks - 1) // r.seats, MOST_TRICKS)
        if r.most_tricks == 0:
            raise BadSetting(f"settings suits and cards-per-suit: {r.suits * r.ranks} cards are "
                             f"too few; {r.seats} seats need {r.seats + 1}, one of them to turn up")
        r.fixed_tricks = 0
        if values["tricks"] != "random":
            r.fixed_tricks = int(values["tricks"])
            if r.fixed_tricks > r.most_tricks:
                raise BadSetting(f"setting tricks: {r.suits * r.ranks} cards allow {r.seats} seats "
                                 f"at most {r.most_tricks}, not {r.fixed_tricks}")
            r.most_tricks = r.fixed_tricks
        r.deck = 0
        for rank in range(r.ranks):
            for suit in range(r.suits):
                r.deck |= card_bit(4 * rank + suit)

    # ---- the C table ----

    cdef void setup(self, void* state) noexcept nogil:
        rules.setup(<OhHellState*>state, &self.rules)

    cdef int seat_to_move(self, const void* state) noexcept nogil:
        return rules.seat_to_move(<const OhHellState*>state, &self.rules)

    cdef int legal_moves(self, const void* state, move_t* out) noexcept nogil:
        return rules.legal_moves(<const OhHellState*>state, &self.rules, out)

    cdef move_t sample_chance(self, const void* state, Rng* rng) noexcept nogil:
        cdef move_t outcomes[NUM_CARDS]
        cdef int n = rules.legal_moves(<const OhHellState*>state, &self.rules, outcomes)
        return outcomes[rng_below(rng, n)]

    cdef uint32_t chance_weight(self, const void* state, move_t outcome) noexcept nogil:
        return 1

    cdef void apply(self, void* state, move_t move) noexcept nogil:
        rules.apply(<OhHellState*>state, &self.rules, move)
        c_assert(invariants.check(<const OhHellState*>state, &self.rules) == 0)

    cdef void returns(self, const void* state, float* out) noexcept nogil:
        rules.returns(<const OhHellState*>state, &self.rules, out)

    cdef void margins(self, const void* state, float* out) noexcept nogil:
        rules.margins(<const OhHellState*>state, &self.rules, out)

    cdef void points(self, const void* state, float* out) noexcept nogil:
        cdef int seat
        for seat in range(self.rules.seats):
            out[seat] = rules.points(<const OhHellState*>state, &self.rules, seat)

    cdef key_t key(self, const void* state) noexcept nogil:
        return hidden.full_key(<const OhHellState*>state, &self.rules)

    cdef key_t infoset_key(self, const void* state, int seat) noexcept nogil:
        return hidden.infoset_key(<const OhHellState*>state, seat)

    cdef key_t public_key(self, const void* state) noexcept nogil:
        return hidden.public_key(<const OhHellState*>state)

    cdef move_t redact(self, const void* state, move_t move, int seat) noexcept nogil:
        return hidden.redact(move, seat)

    cdef int reveal(self, void* state, move_t move) noexcept nogil:
        return hidden.reveal(<OhHellState*>state, &self.rules, move)

    cdef void blind(self, void* state, int seat) noexcept nogil:
        hidden.blind(<OhHellState*>state, &self.rules, seat)

    cdef void determinize(self, void* state, Rng* rng) noexcept nogil:
        hidden.determinize(<OhHellState*>state, &self.rules, rng)

    cdef int check(self, const void* state) noexcept nogil:
        return invariants.check(<const OhHellState*>state, &self.rules)

    # ---- for Python ----

    def scores(self, State state):
        return [rules.points(<OhHellState*>state.data, &self.rules, seat)
                for seat in range(self.num_seats)]

    def describe_move(self, state, move):
        return notation.describe(move, state.seat_to_move)

    def describe_change(self, before, after):
        return picture.consequences(self.fields(before), self.fields(after))

    def new_deal(self, seed, start=None):
        from engine.games.oh_hell.deal import Deal
        return Deal(self, seed, start)

    def tallies(self, state):
        """How many tricks the game had, and how many seats have met their bids."""
        fields = self.fields(state)
        met = sum(bid == won for bid, won in zip(fields["bid"], fields["won"], strict=True))
        return {"tricks": fields["tricks"], "bids_met": met}

    def worlds(self, view, most=20_000):
        """Every world that a view allows; see worlds.py."""
        from engine.games.oh_hell.worlds import worlds
        return worlds(self, view, most)

    @property
    def feature_names(self):
        """See features.py."""
        from engine.games.oh_hell.features import NAMES
        return NAMES

    def features(self, state, seat):
        """Numbers that tell how a seat does against the others; see features.py."""
        from engine.games.oh_hell.features import features
        return features(self.fields(state), seat)

    def fields(self, State state):
        """All that the state tells, as numbers and lists; None where something is not there yet.

        `hand` has the known cards of each seat, `held` how many cards it holds.
        """
        cdef OhHellState* s = <OhHellState*>state.data
        seats = range(self.num_seats)
        cards = [card for card in range(NUM_CARDS) if self.rules.deck & card_bit(card)]
        hands = [[card for card in cards if s.hand[seat] & card_bit(card)] for seat in seats]
        return {
            "cards": cards,
            "tricks": s.tricks,
            "dealer": None if s.dealer == SEAT_UNSET else s.dealer,
            "dealt": s.dealt,
            "trump": None if s.trump == CARD_NONE else s.trump,
            "bid": [None if s.bid[seat] == BID_NONE else s.bid[seat] for seat in seats],
            "won": [s.won[seat] for seat in seats],
            "played": [s.played[i] for i in range(s.count)],
            "turn": state.seat_to_move,
            "hand": hands,
            "held": [rules.cards_held(s, &self.rules, seat) for seat in seats],
            "points": self.scores(state),
        }

    def with_hands(self, State view, hands):
        """A full state made of a view; `hands` has the cards of each hidden hand, by seat."""
        cdef State twin = self.new_state()
        twin.load_bytes(view.to_bytes(), -1, view.ply)
        for seat, cards in hands.items():
            for card in cards:
                (<OhHellState*>twin.data).hand[seat] |= card_bit(card)
        return twin

    def to_text(self, state):
        return position.to_text(self.fields(state), self.identity, self.settings, state.observer)

    def from_text(self, text):
        game, observer, events = position.read(text, load)
        state = game.new_state(observer)
        position.replay(state, events)
        return state

    def picture(self, state):
        return picture.draw(self.fields(state), state.observer)
