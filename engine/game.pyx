"""Game: the base class of all games. State: one situation with checked operations."""

from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from engine.types cimport MAX_MOVES, MAX_SEATS, NO_MOVE, SEAT_CHANCE, SEAT_NONE
from engine.types cimport key_t, move_t, uint32_t
from engine.rng cimport Rng
from engine.stream cimport RandomStream

from engine import notation
from engine.errors import BadMoveText, IllegalMove

SEAT_IS_CHANCE = SEAT_CHANCE
SEAT_IS_NONE = SEAT_NONE


cdef class Game:
    """The rules of one game with chosen settings. Immutable; shared by all its states.

    A game folder supplies a final subclass. The C methods are declared in game.pxd; what only
    Python needs is below.
    """

    cdef void setup(self, void* state) noexcept nogil:
        pass

    cdef int seat_to_move(self, const void* state) noexcept nogil:
        return SEAT_NONE

    cdef int legal_moves(self, const void* state, move_t* out) noexcept nogil:
        return 0

    cdef move_t sample_chance(self, const void* state, Rng* rng) noexcept nogil:
        return NO_MOVE

    cdef uint32_t chance_weight(self, const void* state, move_t outcome) noexcept nogil:
        return 0

    cdef void apply(self, void* state, move_t move) noexcept nogil:
        pass

    cdef void returns(self, const void* state, float* out) noexcept nogil:
        pass

    cdef void margins(self, const void* state, float* out) noexcept nogil:
        pass

    cdef key_t key(self, const void* state) noexcept nogil:
        return 0

    cdef key_t infoset_key(self, const void* state, int seat) noexcept nogil:
        return 0

    cdef key_t public_key(self, const void* state) noexcept nogil:
        return 0

    cdef move_t redact(self, const void* state, move_t move, int seat) noexcept nogil:
        return move

    cdef int reveal(self, void* state, move_t move) noexcept nogil:
        return 0

    cdef void blind(self, void* state, int seat) noexcept nogil:
        pass

    cdef void determinize(self, void* state, Rng* rng) noexcept nogil:
        pass

    cdef int check(self, const void* state) noexcept nogil:
        return 0

    cdef void estimate(self, const void* state, float* value, float* margin) noexcept nogil:
        cdef int seat
        cdef float m
        self.margins(state, margin)
        for seat in range(self.num_seats):
            m = margin[seat]
            value[seat] = 0.5 + 0.5 * m / ((m if m > 0 else -m) + self.margin_scale)

    cdef void prior(self, const void* state, const move_t* moves, int n,
                    float* out) noexcept nogil:
        cdef int i
        for i in range(n):
            out[i] = 1.0 / n

    cdef key_t abstract_key(self, const void* state, int seat) noexcept nogil:
        return self.infoset_key(state, seat)

    cdef int late(self, void* view, int seat, key_t* key) noexcept nogil:
        return LATE_NO

    cdef int64_t fill_secrets(self, void* view, int seat, uint32_t index) noexcept nogil:
        return -1

    cdef void belief_start(self, const void* view, int seat, void* belief) noexcept nogil:
        pass

    cdef void belief_event(self, const void* view, int seat, move_t move, void* b) noexcept nogil:
        pass

    cdef void belief_prepare(self, const void* view, int seat, void* belief) noexcept nogil:
        pass

    cdef void belief_draw(self, const void* belief, void* state, Rng* rng) noexcept nogil:
        self.determinize(state, rng)

    cdef list belief_rows(self, const void* view, int seat, const void* belief):
        return []

    cdef tuple belief_odds(self, const void* view, const void* belief, const void* world):
        return 1.0, 1.0

    # ---- for Python only; a game overrides those marked (game) ----

    @property
    def identity(self):
        """The game, its version, its card set and the settings that differ from their defaults.

        Two engines that print different identities do not play the same game.
        """
        if self._identity is None:
            told = [f"{s.name}={self.settings[s.name]}" for s in self.setting_list()
                    if s.digits or self.settings[s.name] != s.default]
            self._identity = " ".join([f"{self.name}/{self.version}", *told])
        return self._identity

    def setting_list(self):
        """The settings of this game, a tuple of engine.settings.Setting."""
        from engine import game_settings
        return game_settings(self.name)

    def move_name(self, move):
        """The canonical word of a decision, such as `turn:cw`."""
        return self.notation.move_name(move)

    def parse_move(self, word):
        """The move of a canonical word; BadMoveText if it is none."""
        return self.notation.parse_move(word)

    def event_name(self, move, seat):
        """The event token: `p1:` and the word of a decision of `seat`, or `~...` for luck.

        `seat` is the seat that decided, or SEAT_CHANCE. Unknown values are written `?`.
        """
        return notation.event_name(self.notation, move, seat)

    def parse_event(self, token):
        """The pair (seat or SEAT_CHANCE or None, move) of an event token.

        The seat is None where the token names none (`turn:cw` for `p1:turn:cw`).
        """
        return notation.parse_event(self.notation, self.num_seats, SEAT_CHANCE, token)

    def describe_move(self, state, move):
        """(game) The move in the words of a player, for replays and people at a terminal."""
        return self.move_name(move)

    def describe_change(self, before, after):
        """What an event brought about of itself, a list of sentences; states around the event."""
        return []

    def to_text(self, state):
        """(game) The position text: `game/version key=value ...`, everything in the state."""
        raise BadMoveText(f"{self.name} has no notation")

    def from_text(self, text):
        """(game) The State of a position text; BadPositionText names the field at fault."""
        raise BadMoveText(f"{self.name} has no notation")

    def picture(self, state):
        """(game) The position as a drawing of several lines for people."""
        return self.to_text(state)

    def new_deal(self, seed, start=None):
        """(game) A Deal: luck fixed in advance by `seed`, whatever the players do.

        `deal.outcome(state)` gives the outcome of the present chance event; `deal.copy()` copies.
        With `start`, a full state, the luck is that of games that go on from there;
        BadPositionText where the game cannot give one.
        """
        raise BadMoveText(f"{self.name} has no deals")

    @property
    def untold(self):
        """Fields of the position text that are in no key: counts that nothing depends on."""
        return ("me",)

    def tallies(self, state):
        """What reports of many games count of a game, from its last state: name -> number."""
        return {}

    @property
    def feature_names(self):
        """The names of `features`, a tuple of str; empty if the game has none."""
        return ()

    def features(self, state, seat):
        """Numbers of a full state from which its final margin can be guessed, from a seat's side.

        A linear function of them, the same for every seat, predicts by how many points `seat` will
        be ahead of the best other seat at the end. They are defined in every full state, also in a
        deal under way. As many as `feature_names`, in that order.
        """
        return []

    # What `drakkar fit` needs: see bench/fit/README.md.

    @property
    def weight_names(self):
        """Names of the numbers in `estimate` and `prior` that can be fitted, () if there are none.

        A game that has them also has the list `weights` of the numbers, in this order,
        `with_weights(values)`, an equal game with other numbers, `read_weights(path)`, the numbers
        of a file, and `save_weights(path, notes)`, which writes them and how they were made.
        """
        return ()

    def new_census(self):
        """What counts the special rules of one game: `before(state, move)`, `finish(state)`."""
        from engine.census import NoCensus
        return NoCensus()

    def worlds(self, view, most=20_000):
        """Every full state that a view allows with its physical weight, as pairs (State, int).

        None if there are more than `most`, or if the game does not list them.
        """
        return None

    def scores(self, state):
        """(game) Points of each seat if scored now, a list of numbers."""
        return state.margins()

    def new_state(self, observer=-1):
        """Return the state before the first event; with `observer`, that seat's view of it."""
        if not -1 <= observer < self.num_seats:
            raise ValueError(f"observer must be -1 or a seat below {self.num_seats}")
        cdef State state = State(self)
        self.setup(state.data)
        state.observer = observer
        return state

    def __reduce__(self):
        from functools import partial

        from engine import load
        return partial(load, **self.settings), (self.name,)

    def __repr__(self):
        return f"<Game {self.identity}>"


def _restore(game, raw, observer, ply):
    """Make a State of what it was pickled to."""
    state = game.new_state(observer)
    state.load_bytes(raw, observer, ply)
    return state


cdef class State:
    """One situation of a game: full, or what one seat knows. Operations are checked.

    Make one with `game.new_state()` or `game.from_text(text)`.
    """

    def __cinit__(self, Game game):
        self.game = game
        self.observer = -1
        self.ply = 0
        self.data = calloc(1, game.state_size)
        if self.data == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.data)

    cdef State _twin(self):
        cdef State twin = State(self.game)
        memcpy(twin.data, self.data, self.game.state_size)
        twin.observer = self.observer
        twin.ply = self.ply
        return twin

    def copy(self):
        """Return an independent copy."""
        return self._twin()

    def __copy__(self):
        return self._twin()

    def __deepcopy__(self, memo):
        return self._twin()

    def __reduce__(self):
        return _restore, (self.game, self.to_bytes(), self.observer, self.ply)

    @property
    def seat_to_move(self):
        """The seat that decides, or SEAT_IS_CHANCE (-1), or SEAT_IS_NONE (-2) when over."""
        return self.game.seat_to_move(self.data)

    @property
    def is_terminal(self):
        """True when the game is over."""
        return self.game.seat_to_move(self.data) == SEAT_NONE

    @property
    def is_chance(self):
        """True when luck decides next."""
        return self.game.seat_to_move(self.data) == SEAT_CHANCE

    def legal_moves(self):
        """All legal moves of the seat to move, ascending; at a chance event all outcomes.

        In a view, the moves of another seat stand for every world the view allows as far as they
        do not depend on unknown cards; use `can_follow` to ask about one event.
        """
        cdef move_t moves[MAX_MOVES]
        cdef int n = self.game.legal_moves(self.data, moves)
        return [moves[i] for i in range(n)]

    def chance_outcomes(self):
        """The outcomes of the present chance event as pairs (move, probability)."""
        if not self.is_chance:
            raise IllegalMove("chance_outcomes: luck does not decide here")
        weighed = [(m, self.game.chance_weight(self.data, m)) for m in self.legal_moves()]
        total = sum(w for _, w in weighed)
        return [(m, w / total) for m, w in weighed if w]

    def chance_weight(self, move_t outcome):
        """In how many equally likely physical ways the outcome can come about."""
        return self.game.chance_weight(self.data, outcome)

    def sample_chance(self, RandomStream stream):
        """Return a random outcome of the present chance event."""
        if not self.is_chance:
            raise IllegalMove("sample_chance: luck does not decide here")
        return self.game.sample_chance(self.data, &stream.rng)

    cdef bint _decision_is_legal(self, move_t move) noexcept:
        cdef move_t moves[MAX_MOVES]
        cdef int n = self.game.legal_moves(self.data, moves)
        cdef int i
        for i in range(n):
            if moves[i] == move:
                return True
        return False

    def can_follow(self, move_t move):
        """True if the move or outcome is possible here, in some world that a view allows."""
        cdef State probe
        if self.observer < 0:
            return self._decision_is_legal(move)
        if self.game.seat_to_move(self.data) == SEAT_CHANCE:
            return any(self.game.redact(self.data, m, self.observer) == move
                       for m in self.legal_moves())
        probe = self._twin()
        return self.game.reveal(probe.data, move) == 0 and probe._decision_is_legal(move)

    def apply(self, move_t move):
        """Apply a move or chance outcome; IllegalMove if the rules do not allow it now.

        In a view this is also how an event is entered whose secret part is unknown.
        """
        cdef int seat = self.game.seat_to_move(self.data)
        if seat == SEAT_NONE:
            raise IllegalMove("the game is over, no move can follow")
        if not self.can_follow(move):
            try:
                token = self.game.event_name(move, seat)
            except BadMoveText:
                token = f"move number {move}"
            raise IllegalMove(f"{token} is not possible here")
        if self.observer >= 0:
            self.game.reveal(self.data, move)
        self.game.apply(self.data, move)
        if seat >= 0:
            self.ply += 1

    def redact(self, move_t move, int seat):
        """Return the move as `seat` sees it happen from this state; secrets become unknown."""
        return self.game.redact(self.data, move, seat)

    def event_name(self, move_t move):
        """The event token of a move or outcome that is possible here."""
        return self.game.event_name(move, self.seat_to_move)

    def returns(self):
        """What each seat got, 0 (lost) to 1 (won); only when the game is over."""
        cdef float out[MAX_SEATS]
        if not self.is_terminal:
            raise IllegalMove("returns: the game is not over")
        self.game.returns(self.data, out)
        return [out[i] for i in range(self.game.num_seats)]

    def margins(self):
        """Points ahead of the best other seat, one per seat, if scored now."""
        cdef float out[MAX_SEATS]
        self.game.margins(self.data, out)
        return [out[i] for i in range(self.game.num_seats)]

    def estimate(self):
        """Guess the end of a full state: each seat's expected return and final margin, two lists.

        Of a finished game: what it came to.
        """
        cdef float value[MAX_SEATS]
        cdef float margin[MAX_SEATS]
        if self.is_terminal:
            return self.returns(), self.margins()
        self.game.estimate(self.data, value, margin)
        seats = range(self.game.num_seats)
        return [value[i] for i in seats], [margin[i] for i in seats]

    def prior(self):
        """How likely the seat to move is to choose each legal move, as pairs (move, probability).

        In a view: of its own seat.
        """
        cdef move_t moves[MAX_MOVES]
        cdef float out[MAX_MOVES]
        cdef int n, i
        if self.seat_to_move < 0:
            raise IllegalMove("prior: no seat is to move here")
        n = self.game.legal_moves(self.data, moves)
        self.game.prior(self.data, moves, n, out)
        return [(moves[i], out[i]) for i in range(n)]

    def scores(self):
        """Points of each seat if scored now."""
        return self.game.scores(self)

    def key(self):
        """The 64-bit key of the whole state."""
        return self.game.key(self.data)

    def infoset_key(self, int seat):
        """The 64-bit key of what `seat` knows."""
        if not 0 <= seat < self.game.num_seats:
            raise ValueError(f"no seat {seat}")
        return self.game.infoset_key(self.data, seat)

    def public_key(self):
        """The 64-bit key of what everybody knows."""
        return self.game.public_key(self.data)

    def view(self, int seat):
        """Return what `seat` knows, as a new State."""
        if not 0 <= seat < self.game.num_seats:
            raise ValueError(f"no seat {seat}")
        if self.observer >= 0 and self.observer != seat:
            raise ValueError(f"this is the view of seat {self.observer}, not of seat {seat}")
        cdef State twin = self._twin()
        if self.observer < 0:
            self.game.blind(twin.data, seat)
        twin.observer = seat
        return twin

    def determinize(self, RandomStream stream):
        """Return a full state drawn from the worlds that this view allows."""
        cdef State twin = self._twin()
        self.game.determinize(twin.data, &stream.rng)
        twin.observer = -1
        return twin

    def check(self):
        """0, or bits naming broken invariants."""
        return self.game.check(self.data)

    def to_text(self):
        """The position text."""
        return self.game.to_text(self)

    def to_bytes(self):
        """The struct's bytes; equal bytes mean equal states of the same game."""
        return (<char*>self.data)[:self.game.state_size]

    def load_bytes(self, bytes raw, int observer=-1, int ply=0):
        """Replace the content by bytes of `to_bytes`; ValueError on a wrong length."""
        if len(raw) != self.game.state_size:
            raise ValueError(f"{len(raw)} bytes, a state has {self.game.state_size}")
        memcpy(self.data, <const char*>raw, self.game.state_size)
        self.observer = observer
        self.ply = ply

    def __eq__(self, other):
        if not isinstance(other, State):
            return NotImplemented
        cdef State o = <State>other
        return (self.game.identity == o.game.identity and self.observer == o.observer
                and memcmp(self.data, o.data, self.game.state_size) == 0)

    __hash__ = None

    def __str__(self):
        return self.game.picture(self)

    def __repr__(self):
        return f"<State {self.to_text()}>"
