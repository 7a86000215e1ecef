"""Binds rules, hidden information and notation of Lofoten into a Game."""

cimport cython
from libc.string cimport memset

from engine.debug cimport c_assert
from engine.game cimport Game, State
from engine.rng cimport Rng
from engine.types cimport key_t, move_t, uint32_t
from engine.games.lofoten cimport counts, hidden, invariants, moves, rules, scoring
from engine.games.lofoten.state cimport (
    LofotenState, PHASE_ORDER, PHASE_TILE, Rules, TILE_NONE, TYPE_NONE, tile_value)

from engine.errors import BadPositionText, BadSetting, shorten
from engine.games.lofoten import VERSION, notation, picture, position
from engine.games.lofoten.data import load_data
from engine.games.lofoten.settings import SETTINGS
from engine.settings import resolve

# Turns without progress that end a game under `stall=off`: no rule of the box, but a bound that
# every game and playout must have.
STALL_OFF = 5000

_loaded = {}


def load(**settings):
    """Return the game with these settings; equal settings give the same object."""
    values = resolve(SETTINGS, settings)
    key = tuple(sorted(values.items()))
    if key not in _loaded:
        _loaded[key] = LofotenGame(values)
    return _loaded[key]


@cython.final
cdef class LofotenGame(Game):
    """Lofoten with chosen settings."""

    cdef Rules rules

    def __init__(self, settings):
        values = resolve(SETTINGS, settings)
        self.name = "lofoten"
        self.version = VERSION
        self.num_seats = 2
        self.max_moves = 32
        self.state_size = sizeof(LofotenState)
        self.margin_scale = 8.0
        self.settings = values
        self.notation = notation
        self._fill_rules(values)
        # Turns: `stall_limit` in a row without one of the 32 tiles leaving the market, and those in
        # which one leaves; after the trigger one more and extra turns. A turn has at most seven
        # decisions without a coin or a tile (card, three steps, stop, place for the card, end). At
        # most 36 middle cards can be placed, each with at most nine decisions and eight coins; a
        # tile costs at most four decisions. RULES.md has the sum.
        self.max_plies = 7 * (33 * self.rules.stall_limit + 32 + 120) + 1000

    def _fill_rules(self, values):
        data = load_data()
        cdef Rules* r = &self.rules
        memset(r, 0, sizeof(Rules))
        effects = list(data.effects)
        if values["effects"] == "sheep-rotates":
            effects[1], effects[2] = effects[2], effects[1]
        for i in range(4):
            r.effect_of[i] = effects[i]
        for i in range(12):
            r.order_count[i] = data.orders[i]
        for i in range(24):
            r.tile_count[i] = data.tiles[i]
        for i in range(8):
            r.points[i] = data.points[i]
        for i in range(3):
            r.coins[i] = data.coins[i]
        r.first_tiles_pile1 = values["first-tiles"] == "pile1"
        r.first_market_play = values["first-market"] == "play"
        r.choose_side = values["start-orders"] == "choose"
        r.count_live = values["count"] == "live"
        r.late_moves = values["late-moves"] == "turn"
        r.four_keep = values["four-short"] == "keep"
        r.late_extra = values["late-extra"] == "on"
        r.tie_both = values["tie"] == "both"
        r.coins_any = values["coin-offers"] == "any"
        r.last_extra = values["last-extra"] == "on"
        r.early_extra = r.coins_any or not (r.late_extra and r.last_extra)
        r.first_clan = int(values["first-clan"])
        r.stall_limit = STALL_OFF if values["stall"] == "off" else int(values["stall"])

    # ---- the C table ----

    cdef void setup(self, void* state) noexcept nogil:
        rules.setup(<LofotenState*>state, &self.rules)

    cdef int seat_to_move(self, const void* state) noexcept nogil:
        return moves.seat_to_move(<const LofotenState*>state)

    cdef int legal_moves(self, const void* state, move_t* out) noexcept nogil:
        return moves.legal_moves(<const LofotenState*>state, &self.rules, out)

    cdef move_t sample_chance(self, const void* state, Rng* rng) noexcept nogil:
        return moves.sample_chance(<const LofotenState*>state, rng)

    cdef uint32_t chance_weight(self, const void* state, move_t outcome) noexcept nogil:
        return moves.chance_weight(<const LofotenState*>state, outcome)

    cdef void apply(self, void* state, move_t move) noexcept nogil:
        rules.apply(<LofotenState*>state, &self.rules, move)
        c_assert(invariants.check(<const LofotenState*>state, &self.rules) == 0)

    cdef void returns(self, const void* state, float* out) noexcept nogil:
        cdef int lead = scoring.margin_now(<const LofotenState*>state, &self.rules)
        out[0] = 1.0 if lead > 0 else (0.5 if lead == 0 else 0.0)
        out[1] = 1.0 - out[0]

    cdef void margins(self, const void* state, float* out) noexcept nogil:
        cdef int lead = scoring.margin_now(<const LofotenState*>state, &self.rules)
        out[0] = lead
        out[1] = -lead

    cdef key_t key(self, const void* state) noexcept nogil:
        return hidden.full_key(<const LofotenState*>state)

    cdef key_t infoset_key(self, const void* state, int seat) noexcept nogil:
        return hidden.infoset_key(<const LofotenState*>state, seat)

    cdef move_t redact(self, const void* state, move_t move, int seat) noexcept nogil:
        return hidden.redact(move, seat)

    cdef int reveal(self, void* state, move_t move) noexcept nogil:
        return hidden.reveal(<LofotenState*>state, move)

    cdef void blind(self, void* state, int seat) noexcept nogil:
        hidden.blind(<LofotenState*>state, seat)

    cdef void determinize(self, void* state, Rng* rng) noexcept nogil:
        hidden.determinize(<LofotenState*>state, rng)

    cdef int check(self, const void* state) noexcept nogil:
        return invariants.check(<const LofotenState*>state, &self.rules)

    # ---- for Python ----

    def facts(self):
        """What is in the box: counts of cards and tiles by kind, points of the warehouse cards."""
        return {
            "order_count": [self.rules.order_count[i] for i in range(12)],
            "tile_count": [self.rules.tile_count[i] for i in range(24)],
            "points": [self.rules.points[i] for i in range(8)],
        }

    def describe_move(self, state, move):
        return notation.describe(move, state.seat_to_move)

    def describe_change(self, State before, State after):
        from engine.games.lofoten.story import consequences
        return consequences(self.fields(before), self.fields(after))

    def new_deal(self, seed, start=None):
        from engine.games.lofoten.deal import Deal
        return Deal(self, seed, start)

    def scores(self, State state):
        cdef int out[2]
        scoring.points(<LofotenState*>state.data, &self.rules, out)
        return [out[0], out[1]]

    @property
    def untold(self):
        """Fields of the position text that are in no key: counts that nothing depends on."""
        return ("turns", "shuffles", "redeals", "fours", "me")

    def tallies(self, State state):
        """What reports of many games count of a game, from its last state."""
        cdef LofotenState* s = <LofotenState*>state.data
        return {"turns": s.turns, "reshuffles": s.shuffles, "fours": s.fours,
                "stalled": int(s.pile_size[0] + s.pile_size[1] > 0
                               or s.stall >= self.rules.stall_limit)}

    def new_census(self):
        """A Census of the special rulings that a game comes across."""
        from engine.games.lofoten.census import Census
        return Census(self)

    def worlds(self, view, most=20_000):
        """Every world that a view allows, with its weight; see worlds.py."""
        from engine.games.lofoten.worlds import worlds
        return worlds(self, view, most)

    def luck(self, State state):
        """What a Deal asks of a chance event: see deal.py."""
        cdef LofotenState* s = <LofotenState*>state.data
        cdef move_t out[32]
        moves.legal_moves(s, &self.rules, out)
        generation = 0 if s.phase == PHASE_ORDER else 1 + s.shuffles
        return (out[0] >> 24, (out[0] >> 8) & 0xFF, s.step, s.pile_size[s.pile], s.redeals,
                generation, [s.deck[i] for i in range(12)])

    def fields(self, State state):
        """All fields of the struct as plain numbers and lists, by name."""
        cdef LofotenState* s = <LofotenState*>state.data
        fields = {
            "phase": s.phase, "seat": s.seat, "back": s.back, "step": s.step, "extra": s.extra,
            "triggered": s.triggered, "moved": s.moved, "filling": s.filling,
            "direction": s.direction, "moves_left": s.moves_left, "effect": s.effect,
            "uses_left": s.uses_left, "uses_done": s.uses_done, "pile": s.pile, "tile": s.tile,
            "stall": s.stall, "turns": s.turns, "shuffles": s.shuffles, "redeals": s.redeals,
            "fours": s.fours, "deck_size": s.deck_size,
        }
        fields["coins"] = [s.coins[i] for i in range(3)]
        fields["area"] = [s.area[i] for i in range(2)]
        fields["market"] = [s.market[i] for i in range(5)]
        fields["pile_size"] = [s.pile_size[i] for i in range(2)]
        fields["pile_top"] = [s.pile_top[i] for i in range(2)]
        fields["house_card"] = [s.house_card[i] for i in range(4)]
        fields["house_type"] = [s.house_type[i] for i in range(4)]
        fields["unseen"] = [s.unseen[i] for i in range(24)]
        fields["out"] = [s.out[i] for i in range(24)]
        fields["deck"] = [s.deck[i] for i in range(12)]
        fields["discard"] = [s.discard[i] for i in range(12)]
        fields["ship_card"] = [[s.ship_card[p][i] for i in range(4)] for p in range(2)]
        fields["ship_tile"] = [[s.ship_tile[p][i] for i in range(4)] for p in range(2)]
        fields["hand"] = [[s.hand[p][i] for i in range(4)] for p in range(2)]
        fields["label"] = [[s.label[p][i] for i in range(4)] for p in range(2)]
        fields["stored"] = [[s.stored[p][i] for i in range(24)] for p in range(2)]
        fields["stored_units"] = [[s.stored_units[p][i] for i in range(4)] for p in range(2)]
        fields["stored_tiles"] = [[s.stored_tiles[p][i] for i in range(4)] for p in range(2)]
        fields["held"] = [[s.held[k][i] for i in range(12)] for k in range(5)]
        return fields

    def build(self, f, observer):
        """The inverse of `fields`; what is redundant is computed. Not checked."""
        cdef State state = self.new_state(observer)
        cdef LofotenState* s = <LofotenState*>state.data
        s.phase, s.seat, s.back, s.step = f["phase"], f["seat"], f["back"], f["step"]
        s.extra, s.triggered, s.moved = f["extra"], f["triggered"], f["moved"]
        s.filling, s.direction, s.moves_left = f["filling"], f["direction"], f["moves_left"]
        s.effect, s.uses_left, s.uses_done = f["effect"], f["uses_left"], f["uses_done"]
        s.pile, s.tile, s.stall, s.turns = f["pile"], f["tile"], f["stall"], f["turns"]
        s.shuffles, s.redeals, s.fours = f["shuffles"], f["redeals"], f["fours"]
        s.deck_size = f["deck_size"]
        s.empties = f["market"].count(TILE_NONE)
        s.coins = f["coins"]
        s.area = f["area"]
        s.market = f["market"]
        s.pile_size = f["pile_size"]
        s.pile_top = f["pile_top"]
        s.house_card = f["house_card"]
        s.house_type = f["house_type"]
        s.unseen = f["unseen"]
        s.out = f["out"]
        s.deck = f["deck"]
        s.discard = f["discard"]
        for p in range(2):
            s.ship_card[p] = f["ship_card"][p]
            s.ship_tile[p] = f["ship_tile"][p]
            s.hand[p] = f["hand"][p]
            s.label[p] = f["label"][p]
            s.stored[p] = f["stored"][p]
        for k in range(5):
            s.held[k] = f["held"][k]
        memset(s.unseen_type, 0, sizeof(s.unseen_type))
        for i in range(24):
            s.unseen_type[i // 6] += s.unseen[i]
            for p in range(2):
                s.stored_tiles[p][i // 6] += s.stored[p][i]
                s.stored_units[p][i // 6] += s.stored[p][i] * tile_value(i)
        for i in range(4):
            if s.house_type[i] != TYPE_NONE:
                s.house_of[s.house_type[i]] = i
        s.counts_key = counts.counts_key(s)
        return state

    def to_text(self, State state):
        if (<LofotenState*>state.data).phase == PHASE_TILE and not self.luck(state)[2]:
            if state.to_bytes() == self.new_state().to_bytes():
                me = f" me=p{state.observer + 1}" if state.observer >= 0 else ""
                return self.identity + me
        return position.to_text(self.fields(state), self.identity, state.observer)

    def from_text(self, text):
        head, pairs = position.split_text(text)
        if head != f"{self.name}/{self.version}":
            raise BadPositionText(f"position must begin with {self.name}/{self.version}, "
                                  f"not {shorten(head)!r}")
        settings = {}
        for setting in SETTINGS:
            if setting.name in pairs:
                try:
                    settings[setting.name] = setting.parse(pairs.pop(setting.name))
                except BadSetting as error:
                    raise BadPositionText(str(error), setting.name) from None
        observer = -1
        if "me" in pairs:
            me = pairs.pop("me")
            if me not in ("p1", "p2"):
                raise BadPositionText(f"field me={shorten(me)}: use p1 or p2", "me")
            observer = int(me[1]) - 1
        game = load(**settings)
        if not pairs:
            return game.new_state(observer)
        state = game.build(position.from_pairs(pairs, game.facts()), observer)
        broken = state.check()
        if broken:
            raise BadPositionText(f"no position of a game: {describe_broken(broken)}")
        check_observer(game.fields(state), observer)
        return state

    def picture(self, State state):
        return picture.draw(self.fields(state), self.facts()["points"], self.scores(state))


def describe_broken(broken):
    """Say in words which invariants are broken; see invariants.pxd."""
    words = ["the coins are not eight", "tiles are missing or too many",
             "piles and unseen tiles do not fit", "order cards are missing or too many",
             "the deck has not the right size", "held cards do not fit the hidden cards",
             "stored tiles and warehouses do not fit", "the market's empty areas do not fit",
             "a key is wrong", "a docked ship is loaded or a tile lies on another type's order",
             "classes of cards must be lettered a, b, ... from the left", "a value is out of range",
             "hands, tile or warehouses do not fit the phase"]
    return "; ".join(word for i, word in enumerate(words) if broken >> i & 1)


def check_observer(fields, observer):
    """A full position shows all cards; a view hides those of the other seat and only those."""
    for seat in range(2):
        for card in fields["hand"][seat]:
            if observer < 0 and card == notation.CARD_UNKNOWN:
                raise BadPositionText(f"field hand.p{seat + 1}: a card is ?; say whose view this "
                                      "is (me=p1 or me=p2)",
                                      f"hand.p{seat + 1}")
            if observer == seat and card == notation.CARD_UNKNOWN:
                raise BadPositionText(f"field hand.p{seat + 1}: seat {seat + 1} knows its own hand",
                                      f"hand.p{seat + 1}")
            if 0 <= observer != seat and card < notation.CARD_UNKNOWN:
                raise BadPositionText(f"field hand.p{seat + 1}: the view of seat {observer + 1} "
                                      "cannot show this card; use ?",
                                      f"hand.p{seat + 1}")
