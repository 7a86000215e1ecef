"""Binds rules, hidden information and notation of Lofoten into a Game."""

cimport cython
from itertools import permutations

from libc.stdint cimport int64_t
from libc.string cimport memset

from engine.debug cimport c_assert
from engine.game cimport Game, State
from engine.rng cimport Rng
from engine.types cimport key_t, move_t, uint32_t
from engine.games.lofoten cimport (
    belief as beliefs, belief_rows as told, counts, endings, hidden, invariants, jarls, moves,
    policy, rules, scoring)
from engine.games.lofoten.belief cimport Belief
from engine.games.lofoten.choices cimport NUM_CHOICE, fill_choice
from engine.games.lofoten.estimate cimport estimate as value_state
from engine.games.lofoten.features cimport NUM_FEATURES, fill_features
from engine.games.lofoten.setup cimport setup as lay_out
from engine.games.lofoten.state cimport (
    Card, LofotenState, PHASE_ORDER, PHASE_TILE, Rules, TILE_NONE, TYPE_NONE, tile_clan,
    tile_value)
from engine.games.lofoten.weights cimport Weights, fill_weights

from engine.errors import BadPositionText, BadSetting, shorten
from engine.games.lofoten import VERSION, data, notation, picture, position, position_reader
from engine.games.lofoten import weights as weight_file
from engine.games.lofoten.features import NAMES as FEATURE_NAMES
from engine.games.lofoten.position_checks import check_observer, describe_broken
from engine.games.lofoten.settings import SETTINGS
from engine.notation import split_text, take_settings
from engine.settings import resolve

# Turns without progress that end a game under `stall=off`: no rule of the box, but a bound that
# every game and playout must have.
STALL_OFF = 5000

# Games kept for the next `load`; clients may ask for any number of combinations of settings.
MOST_LOADED = 64

_loaded = {}


def load(**settings):
    """Return the game with these settings; equal settings soon after give the same object."""
    values = resolve(SETTINGS, settings)
    data.find(values["cards"])
    key = tuple(sorted(values.items()))
    if key not in _loaded:
        if len(_loaded) >= MOST_LOADED:
            del _loaded[next(iter(_loaded))]
        _loaded[key] = LofotenGame(values)
    return _loaded[key]


@cython.final
cdef class LofotenGame(Game):
    """Lofoten with chosen settings."""

    cdef Rules rules
    cdef Weights numbers            # of `estimate` and `prior`: `weights` as C sees them
    cdef readonly object cards      # the card set, a data.Data
    cdef readonly list weights

    def __init__(self, settings):
        values = resolve(SETTINGS, settings)
        self.name = "lofoten"
        self.version = VERSION
        self.num_seats = 2
        self.max_moves = 32
        self.state_size = sizeof(LofotenState)
        self.belief_size = sizeof(Belief)
        self.margin_scale = 8.0
        self.settings = values
        self.notation = notation
        self.cards = data.find(values["cards"])
        memset(&self.rules, 0, sizeof(Rules))
        self._fill_modules(values)
        self._fill_settings(values)
        self._fill_cards(values["effects"] == "swapped")
        self.max_plies = self._longest_game()
        self.has_estimate = self.has_prior = True
        self._set_weights(weight_file.of_game(values))

    def _longest_game(self):
        """Decisions that no game can exceed; RULES.md part 9 has the sum."""
        cdef Rules* r = &self.rules
        most_moves, most_uses, cheapest = 3, 8, 3
        for i in range(8 if r.jarls else 0):
            if r.jarl_cards[i].kind == jarls.ROWERS:
                most_moves = max(most_moves, 3 + r.jarl_cards[i].a)
            elif r.jarl_cards[i].kind == jarls.TRADERS:
                most_uses = max(most_uses, 8 + r.jarl_cards[i].a)
            elif r.jarl_cards[i].kind == jarls.SWIFT:
                cheapest = min(cheapest, r.jarl_cards[i].a)
        asks = 2 if r.upgrades else 1    # a step may be followed by a question to the owner of C
        coins = 5 + 36 * most_uses + (16 if r.jarls else 0)
        turns = 33 * r.stall_limit + 32 + coins // cheapest + 24
        return ((4 + most_moves) * asks * turns + (36 * (most_uses + 1) + coins) * asks
                + 32 * 4 + 100)

    def _fill_modules(self, values):
        cdef Rules* r = &self.rules
        r.level2 = int(values["level2"])
        r.jarls = values["jarls"] == "on"
        r.upgrades = values["upgrades"] == "on"
        r.modules = r.jarls or r.upgrades

    def _fill_settings(self, values):
        cdef Rules* r = &self.rules
        r.first_tiles_pile1 = values["first-tiles"] == "pile1"
        r.first_market_play = values["first-market"] == "play"
        r.choose_side = values["start-orders"] == "choose"
        r.count_live = values["count"] == "live"
        r.late_moves = values["late-moves"] == "turn"
        r.four_keep = values["four-short"] == "keep"
        r.late_extra = values["late-extra"] == "on"
        r.final_b_one = values["final-b"] == "one"
        r.tie_both = values["tie"] == "both"
        r.coins_any = values["coin-offers"] == "any"
        r.last_extra = values["last-extra"] == "on"
        r.early_extra = r.coins_any or not (r.late_extra and r.last_extra)
        r.clan[0] = int(values["first-clan"]) - 1
        r.clan[1] = 1 - r.clan[0]
        r.turned_scoring = values["turned"] == "scoring"
        r.jarl_first = values["turn-end"] == "jarl-first"
        r.ship_c_must = values["ship-c"] == "must"
        r.ask_after_uses = (r.upgrades and not r.ship_c_must and values["ship-c-asks"] == "uses")
        r.storehouse_with_tile = values["storehouse"] == "with-tile"
        r.level2_tie_both = values["level2-tie"] == "both"
        r.bucklers_all = values["bucklers"] == "all"
        r.harbour_may = values["harbour"] == "may"
        r.rowers_low = values["rowers"] == "low"
        r.traders_before = values["traders"] == "before"
        r.tribute_coffer = values["tribute"] == "coffer"
        r.stall_limit = STALL_OFF if values["stall"] == "off" else int(values["stall"])

    def _fill_cards(self, swapped):
        cdef Rules* r = &self.rules
        cards = self.cards
        effects = list(cards.effects)
        if swapped:
            effects[1], effects[2] = effects[2], effects[1]
        for i in range(4):
            r.effect_of[i] = effects[i]
            r.upgrade_points[i + 1] = cards.longships.points[i]
        for i in range(12):
            r.order_count[i] = cards.orders[i]
        for i in range(24):
            r.tile_count[i] = cards.tiles[i]
        for i in range(3):
            r.coins[i] = cards.coins[i]
        for i, places in enumerate(permutations(range(4))):
            r.arrangements[i] = places
        r.ship_a_points = cards.longships.a_points
        r.ship_b_total = cards.longships.b_total
        r.ship_d_uses = cards.longships.d_uses
        for i in range(16):
            fill_card(&r.houses[i], cards.houses[i])
        for i in range(8):
            fill_card(&r.jarl_cards[i], cards.jarls[i])
        for i in range(14):
            fill_card(&r.sides[i], cards.requirements[i])

    def __reduce__(self):
        return restore, (self.cards, self.settings)

    # ---- the C table ----

    cdef void setup(self, void* state) noexcept nogil:
        lay_out(<LofotenState*>state, &self.rules)

    cdef int seat_to_move(self, const void* state) noexcept nogil:
        return moves.seat_to_move(<const LofotenState*>state)

    cdef int legal_moves(self, const void* state, move_t* out) noexcept nogil:
        return moves.legal_moves(<const LofotenState*>state, &self.rules, out)

    cdef move_t sample_chance(self, const void* state, Rng* rng) noexcept nogil:
        return moves.sample_chance(<const LofotenState*>state, &self.rules, rng)

    cdef uint32_t chance_weight(self, const void* state, move_t outcome) noexcept nogil:
        return moves.chance_weight(<const LofotenState*>state, &self.rules, outcome)

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
        return hidden.full_key(<const LofotenState*>state, &self.rules)

    cdef key_t infoset_key(self, const void* state, int seat) noexcept nogil:
        return hidden.infoset_key(<const LofotenState*>state, &self.rules, seat)

    cdef key_t public_key(self, const void* state) noexcept nogil:
        return hidden.public_key(<const LofotenState*>state, &self.rules)

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

    cdef int late(self, void* view, int seat, key_t* key) noexcept nogil:
        return endings.late(<LofotenState*>view, &self.rules, seat, key)

    cdef int64_t fill_secrets(self, void* view, int seat, uint32_t index) noexcept nogil:
        return endings.fill_secrets(<LofotenState*>view, seat, index)

    cdef void belief_start(self, const void* view, int seat, void* belief) noexcept nogil:
        beliefs.start(<Belief*>belief)

    cdef void belief_event(self, const void* view, int seat, move_t move, void* b) noexcept nogil:
        beliefs.observe(<const LofotenState*>view, &self.rules, &self.numbers, seat, move,
                        <Belief*>b)

    cdef void belief_prepare(self, const void* view, int seat, void* belief) noexcept nogil:
        beliefs.prepare(<const LofotenState*>view, seat, <Belief*>belief)

    cdef void belief_draw(self, const void* belief, void* state, Rng* rng) noexcept nogil:
        beliefs.draw(<const Belief*>belief, <LofotenState*>state, rng)

    cdef list belief_rows(self, const void* view, int seat, const void* belief):
        return told.rows(<const LofotenState*>view, <const Belief*>belief)

    cdef tuple belief_odds(self, const void* view, const void* belief, const void* world):
        return told.odds(<const LofotenState*>view, <const Belief*>belief,
                         <const LofotenState*>world)

    cdef void estimate(self, const void* state, float* value, float* margin) noexcept nogil:
        value_state(<const LofotenState*>state, &self.rules, &self.numbers, value, margin)

    cdef void prior(self, const void* state, const move_t* legal, int n,
                    float* out) noexcept nogil:
        policy.prior(<const LofotenState*>state, &self.rules, &self.numbers, legal, n, out)

    # ---- for Python ----

    @property
    def weight_names(self):
        return weight_file.FLAT_NAMES

    def with_weights(self, values):
        cdef LofotenGame twin = LofotenGame(self.settings)
        twin._set_weights(values)
        return twin

    def _set_weights(self, values):
        self.weights = [float(value) for value in values]
        fill_weights(&self.numbers, self.weights)

    def read_weights(self, path):
        return weight_file.read(path)[weight_file.set_of(self.settings)]

    def save_weights(self, path, notes):
        weight_file.write(path, weight_file.set_of(self.settings), self.weights, notes)

    def describe_move(self, state, move):
        return notation.describe(move, state.seat_to_move)

    def describe_change(self, State before, State after):
        from engine.games.lofoten.story import consequences
        return consequences(self.fields(before), self.fields(after), self.cards)

    def new_deal(self, seed, start=None):
        from engine.games.lofoten.deal import Deal
        return Deal(self, seed, start)

    def scores(self, State state):
        cdef int out[2]
        scoring.points(<LofotenState*>state.data, &self.rules, out)
        return [out[0], out[1]]

    def point_parts(self, State state):
        """Points of each seat from each warehouse, the longships and the Jarl, if scored now."""
        cdef int out[12]
        scoring.point_parts(<LofotenState*>state.data, &self.rules, out)
        return [[out[2 * i + seat] for i in range(6)] for seat in range(2)]

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

    @property
    def feature_names(self):
        """The names of `features`."""
        return FEATURE_NAMES

    def features(self, State state, int seat):
        """Numbers of a full state from which its final margin can be guessed; see features.pyx."""
        cdef double out[NUM_FEATURES]
        cdef int i
        if not 0 <= seat < 2:
            raise ValueError(f"no seat {seat}")
        fill_features(<LofotenState*>state.data, &self.rules, out)
        return [-out[i] if seat else out[i] for i in range(NUM_FEATURES)]

    def new_census(self):
        """A Census of the special rulings that a game comes across."""
        from engine.games.lofoten.census import Census
        return Census(self)

    def worlds(self, view, most=20_000):
        """Every world that a view allows, with its weight; see worlds.py."""
        from engine.games.lofoten.worlds import worlds
        return worlds(self, view, most)

    def choice_features(self, State state):
        """Features of each card in each slot, and of a redraw, for the seat to move; for fits."""
        cdef double slots[3][12][NUM_CHOICE]
        cdef double other[NUM_CHOICE]
        cdef LofotenState* s = <LofotenState*>state.data
        fill_choice(s, &self.rules, &self.numbers, s.seat, slots, other)
        cards = [[[slots[i][j][k] for k in range(NUM_CHOICE)] for j in range(12)] for i in range(3)]
        return cards, [other[k] for k in range(NUM_CHOICE)]

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
            "fours": s.fours, "deck_size": s.deck_size, "upgraded": s.upgraded, "on_d": s.on_d,
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
        fields["down"] = [[s.down[p][i] for i in range(24)] for p in range(2)]
        fields["ship_kind"] = [[s.ship_kind[p][i] for i in range(4)] for p in range(2)]
        fields["more"] = [[s.more[p][i] for i in range(2)] for p in range(2)]
        fields["jarl_card"] = [s.jarl_card[i] for i in range(2)]
        fields["requirement"] = [s.requirement[i] for i in range(2)]
        fields["jarl_owner"] = [s.jarl_owner[i] for i in range(2)]
        fields["storehouse_at"] = [s.storehouse_at[i] for i in range(2)]
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
        s.deck_size, s.upgraded, s.on_d = f["deck_size"], f["upgraded"], f["on_d"]
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
            s.down[p] = f["down"][p]
            s.ship_kind[p] = f["ship_kind"][p]
            s.more[p] = f["more"][p]
        s.jarl_card = f["jarl_card"]
        s.requirement = f["requirement"]
        s.jarl_owner = f["jarl_owner"]
        s.storehouse_at = f["storehouse_at"]
        for k in range(5):
            s.held[k] = f["held"][k]
        memset(s.unseen_type, 0, sizeof(s.unseen_type))
        for i in range(24):
            s.unseen_type[i // 6] += s.unseen[i]
            for p in range(2):
                s.bucklers[p][tile_clan(i)] += s.stored[p][i]
                s.stored_tiles[p][i // 6] += s.stored[p][i] + s.down[p][i]
                s.stored_units[p][i // 6] += s.stored[p][i] * tile_value(i) + s.down[p][i]
        for i in range(4):
            if s.house_type[i] != TYPE_NONE:
                s.house_of[s.house_type[i]] = i
        for p in range(2):
            if s.jarl_card[0] < 8 and s.jarl_card[1] < 8:
                jarls.grant_permanent(s, &self.rules, p)
        s.counts_key = counts.counts_key(s)
        return state

    def to_text(self, State state):
        if (<LofotenState*>state.data).phase == PHASE_TILE and not self.luck(state)[2]:
            if state.to_bytes() == self.new_state().to_bytes():
                me = f" me=p{state.observer + 1}" if state.observer >= 0 else ""
                return self.identity + me
        return position.to_text(self.fields(state), self.settings, self.identity, state.observer)

    def from_text(self, text):
        pairs = split_text(text, f"{self.name}/{self.version}")
        settings = take_settings(pairs, SETTINGS)
        observer = -1
        if "me" in pairs:
            me = pairs.pop("me")
            if me not in ("p1", "p2"):
                raise BadPositionText(f"field me={shorten(me)}: use p1 or p2", "me")
            observer = int(me[1]) - 1
        settings.setdefault("cards", self.settings["cards"])
        try:
            game = load(**settings)
        except BadSetting as error:
            raise BadPositionText(str(error), "cards") from None
        if not pairs:
            return game.new_state(observer)
        fields = position_reader.from_pairs(pairs, game.cards, game.settings)
        state = game.build(fields, observer)
        broken = state.check()
        if broken:
            raise BadPositionText(f"no position of a game: {describe_broken(broken)}")
        check_observer(game.fields(state), observer)
        return state

    def picture(self, State state):
        return picture.draw(self.fields(state), self.cards, self.point_parts(state))


cdef void fill_card(Card* out, card):
    out.kind = card.kind
    out.a = card.a
    out.b = card.b
    out.type = card.type


def restore(cards, settings):
    """Make a game of what it was pickled to: another process may not know the card set."""
    data.SETS.setdefault(cards.hash, cards)
    return load(**settings)
