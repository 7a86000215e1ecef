"""Binds rules, hidden information and notation of Kuhn poker into a Game."""

cimport cython
from libc.stdint cimport int64_t
from libc.string cimport memset

from engine.debug cimport c_assert
from engine.game cimport LATE_NEAR, Game, State
from engine.rng cimport Rng, rng_below
from engine.types cimport key_t, move_t, uint32_t
from engine.games.kuhn cimport hidden, rules
from engine.games.kuhn.state cimport CARD_NONE, CARD_UNKNOWN, KIND_DEAL, KuhnState, move_card
from engine.games.kuhn.state cimport move_kind, move_seat

from engine.errors import BadPositionText, shorten
from engine.games.kuhn import VERSION, notation
from engine.games.kuhn.settings import SETTINGS
from engine.settings import resolve


def load(**settings):
    """Return the game."""
    return KuhnGame(settings)


@cython.final
cdef class KuhnGame(Game):
    """Kuhn poker."""

    def __init__(self, settings):
        self.name = "kuhn"
        self.version = VERSION
        self.num_seats = 2
        self.max_moves = 3
        self.max_plies = 3
        self.state_size = sizeof(KuhnState)
        self.margin_scale = 2.0
        self.settings = resolve(SETTINGS, settings)
        self.notation = notation

    cdef void setup(self, void* state) noexcept nogil:
        memset(state, 0, sizeof(KuhnState))
        (<KuhnState*>state).card[0] = CARD_NONE
        (<KuhnState*>state).card[1] = CARD_NONE

    cdef int seat_to_move(self, const void* state) noexcept nogil:
        return rules.seat_to_move(<const KuhnState*>state)

    cdef int legal_moves(self, const void* state, move_t* out) noexcept nogil:
        return rules.legal_moves(<const KuhnState*>state, out)

    cdef move_t sample_chance(self, const void* state, Rng* rng) noexcept nogil:
        cdef move_t outcomes[3]
        cdef int n = rules.legal_moves(<const KuhnState*>state, outcomes)
        return outcomes[rng_below(rng, n)]

    cdef uint32_t chance_weight(self, const void* state, move_t outcome) noexcept nogil:
        return 1

    cdef void apply(self, void* state, move_t move) noexcept nogil:
        rules.apply(<KuhnState*>state, move)
        c_assert(rules.check(<const KuhnState*>state) == 0)

    cdef void returns(self, const void* state, float* out) noexcept nogil:
        cdef int ahead = rules.margin(<const KuhnState*>state)
        out[0] = 0.5 + 0.25 * ahead
        out[1] = 0.5 - 0.25 * ahead

    cdef void margins(self, const void* state, float* out) noexcept nogil:
        cdef int ahead = rules.margin(<const KuhnState*>state)
        out[0] = ahead
        out[1] = -ahead

    cdef key_t key(self, const void* state) noexcept nogil:
        return hidden.full_key(<const KuhnState*>state)

    cdef key_t infoset_key(self, const void* state, int seat) noexcept nogil:
        return hidden.infoset_key(<const KuhnState*>state, seat)

    cdef key_t public_key(self, const void* state) noexcept nogil:
        return hidden.public_key(<const KuhnState*>state)

    cdef move_t redact(self, const void* state, move_t move, int seat) noexcept nogil:
        return hidden.redact(move, seat)

    cdef void blind(self, void* state, int seat) noexcept nogil:
        hidden.blind(<KuhnState*>state, seat)

    cdef void determinize(self, void* state, Rng* rng) noexcept nogil:
        hidden.determinize(<KuhnState*>state, rng)

    cdef int check(self, const void* state) noexcept nogil:
        return rules.check(<const KuhnState*>state)

    cdef int late(self, void* view, int seat, key_t* key) noexcept nogil:
        # A last decision needs no more than the odds of the other card.
        key[0] = hidden.infoset_key(<const KuhnState*>view, seat)
        return LATE_NEAR

    cdef int64_t fill_secrets(self, void* view, int seat, uint32_t index) noexcept nogil:
        return hidden.fill_secrets(<KuhnState*>view, seat, index)

    def to_text(self, State state):
        cdef KuhnState* s = <KuhnState*>state.data
        return notation.to_text((s.card[0], s.card[1], s.num_actions, s.bets), state.observer)

    def from_text(self, text):
        fields, observer = notation.from_text(text)
        cdef State state = self.new_state(observer)
        cdef KuhnState* s = <KuhnState*>state.data
        s.card[0], s.card[1], s.num_actions, s.bets = fields
        hidden_seat = [i for i in range(2) if fields[i] == CARD_UNKNOWN]
        if rules.check(s) or (s.num_actions and s.card[1] == CARD_NONE):
            raise BadPositionText(f"{shorten(text)!r}: no game of Kuhn poker leads here")
        if s.card[0] == CARD_NONE and s.card[1] != CARD_NONE:
            raise BadPositionText("field hand.p1: seat 1 is dealt before seat 2", "hand.p1")
        if observer in hidden_seat or (hidden_seat and observer < 0):
            raise BadPositionText("a card is ?: say whose view this is (me=p1 or me=p2), "
                                  "who knows the own card")
        if observer >= 0 and s.card[1 - observer] < CARD_UNKNOWN:
            raise BadPositionText(f"field hand.p{2 - observer}: the view of seat {observer + 1} "
                                  "cannot show this card; use ?", f"hand.p{2 - observer}")
        state.load_bytes(state.to_bytes(), observer, s.num_actions)
        return state

    def new_deal(self, seed, State start=None):
        from engine.games.kuhn.deal import Deal
        first = CARD_NONE if start is None else (<KuhnState*>start.data).card[0]
        return Deal(seed, None if first == CARD_NONE else first)

    def worlds(self, view, most=20_000):
        """Every world that a view allows, each with the weight 1."""
        from engine.games.kuhn.worlds import worlds
        return worlds(view)

    def picture(self, State state):
        cdef KuhnState* s = <KuhnState*>state.data
        names = ["jack", "queen", "king", "hidden", "not dealt"]
        acts = [("bet" if s.bets >> i & 1 else "pass") for i in range(s.num_actions)]
        return (f"seat 1: {names[s.card[0]]}   seat 2: {names[s.card[1]]}\n"
                f"so far: {', '.join(acts) or 'nothing'}")

    def describe_move(self, state, move):
        if move_kind(move) == KIND_DEAL:
            card = ["a jack", "a queen", "a king", "a hidden card"][move_card(move)]
            return f"seat {move_seat(move) + 1} is dealt {card}"
        return f"seat {state.seat_to_move + 1}: {notation.move_name(move)}"

    @property
    def feature_names(self):
        """How far the own card is above the other one, alone and with a bet on it."""
        return ("card", "card and bet")

    def features(self, State state, int seat):
        """A card that is not dealt yet counts as the middle one."""
        cdef KuhnState* s = <KuhnState*>state.data
        own, other = (s.card[i] if s.card[i] != CARD_NONE else 1 for i in (seat, 1 - seat))
        ahead = float(own - other)
        return [ahead, ahead if s.bets else 0.0]
