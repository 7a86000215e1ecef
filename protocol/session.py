"""The current position: read from a `position` line, extended, blinded, asked.

A position is either one seat's *view* (`me=pN` in the text) or *open*: a deal by seed, a log with
every card shown, or a full position text. An open position is blinded to the seat that decides
before anything but `gameover`, `result` and `scores` is answered from it.
"""

from engine.errors import BadMoveText, BadPositionText, EngineError, IllegalMove, shorten
from protocol.messages import (
    BAD_POSITION,
    BAD_VALUE,
    BLANKS,
    ILLEGAL_MOVE,
    INCONSISTENT_VIEW,
    ProtocolError,
    parse_int,
    split_position,
    split_words,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engine.game import Game, State
    from protocol.options import Options
    from search.belief import Belief

START_SEED = 1
"""Deal of `position startpos`."""

_CHANCE = -1

# Games with settings that are kept at hand; a client may name any number of combinations.
_MOST_GAMES = 16


class Position:
    """A state, and where its luck comes from: `deal` is None where the client writes it.

    What happened since the position was set is kept as each seat saw it, for beliefs.
    """

    __slots__ = ("_beliefs", "_events", "_seen", "_start", "_view", "deal", "state")

    def __init__(self, state: "State", deal: "Any" = None) -> None:
        self.state = state
        self.deal = deal
        self._view: State | None = None
        # Events read so far: a long log repeats few different ones.
        self._events: dict[str, tuple[int | None, int]] = {}
        self._start = state.copy()
        seats: tuple[int, ...] = ()
        if state.game.belief_size:
            seats = tuple(range(state.game.num_seats)) if self.is_open else (state.observer,)
        self._seen: dict[int, list[int]] = {seat: [] for seat in seats}
        # Of each seat asked for: its belief, and how many events that has taken in.
        self._beliefs: dict[int, tuple[Belief, int]] = {}
        self.draw()

    @property
    def is_open(self) -> bool:
        """True if the state holds more than one seat may know."""
        return self.state.observer < 0

    def draw(self) -> None:
        """Carry out chance events as far as the deal decides them."""
        self._view = None
        while self.deal is not None and self.state.is_chance:
            self._enter(self.deal.outcome(self.state))

    def _enter(self, move: int) -> None:
        """Apply a move or outcome, and note how each seat sees it."""
        seen = [(told, self.state.redact(move, seat)) for seat, told in self._seen.items()]
        self.state.apply(move)
        for told, event in seen:
            told.append(event)

    def apply(self, token: str) -> None:
        """Apply one event of the log; an error of the engine says why not."""
        state = self.state
        event = self._events.get(token)
        if event is None:
            event = self._events[token] = state.game.parse_event(token)
        seat, move = event
        to_move = state.seat_to_move
        if seat == _CHANCE and self.deal is not None:
            raise IllegalMove("the seed decides this deal, so the log holds decisions only")
        if seat is not None and seat != to_move:
            raise IllegalMove(f"{shorten(token)}: {who(to_move)} decides here")
        if seat is None and to_move == _CHANCE:
            raise IllegalMove(f"{shorten(token)}: luck decides here, and its event begins with ~")
        self._enter(move)
        self.draw()

    def view(self) -> "State | None":
        """Return what may be told: the view of its seat, or of the seat to decide.

        None where an open position has luck to decide. A finished open position has no secrets.
        """
        state = self.state
        if not self.is_open or state.is_terminal:
            return state
        if state.is_chance:
            return None
        if self._view is None:
            self._view = state.view(state.seat_to_move)
        return self._view

    def belief(self) -> "Belief | None":
        """Return what the seat of `view` makes of all that it has seen since the position was set.

        The belief is up to date until the next `apply`; a search that may go on longer takes a
        copy. None where there is no view of one seat, or where the game keeps no beliefs.
        """
        view = self.view()
        if view is None or view.observer not in self._seen:
            return None
        seat = view.observer
        if seat not in self._beliefs:
            from search.belief import Belief

            self._beliefs[seat] = (Belief(self._start.view(seat)), 0)
        belief, taken = self._beliefs[seat]
        seen = self._seen[seat]
        for move in seen[taken:]:
            belief.observe(move)
        self._beliefs[seat] = (belief, len(seen))
        return belief

    def why_no_decision(self) -> str:
        """Return why `go` has nothing to decide here; "" if it has."""
        state = self.state
        seat = state.seat_to_move
        if state.is_terminal:
            return "the game is over"
        if state.is_chance:
            return "luck decides here"
        if not self.is_open and seat != state.observer:
            return f"{who(seat)} decides here, and this is the view of {who(state.observer)}"
        return ""


def who(seat: int) -> str:
    """Return the seat in words, seats from 0."""
    return f"seat {seat + 1}" if seat >= 0 else "luck" if seat == _CHANCE else "nobody"


class Session:
    """Reads `position` lines. A line that continues the one before costs only the new events."""

    def __init__(self, options: "Options") -> None:
        self.options = options
        self.position: Position | None = None
        self.replayed = 0
        """Events applied for the latest `position` line."""
        self._line = ""
        self._num_words = 0
        self._games: dict[tuple[str, tuple[tuple[str, str], ...]], Game] = {}

    def forget(self) -> None:
        """Drop the position."""
        self.position = None
        self._line = ""

    def options_changed(self) -> None:
        """Read the next `position` line from its start; drop a position now forbidden."""
        self._line = ""
        if self.position and self.position.is_open and self.options.flag("Strict Views"):
            self.forget()

    def selected_game(self) -> "Game":
        """Return the game that the options choose, with their settings."""
        name = self.options.text("Game")
        try:
            return self._load(name, self.options.game_settings(name))
        except EngineError as error:
            raise ProtocolError(BAD_VALUE, f"the options of {name}: {error}") from None

    def set_position(self, text: str) -> None:
        """Replace the position; `text` is what stands behind the word `position`.

        ProtocolError names the offending token, counted from `position` = 1; then there is no
        position.
        """
        line = text.strip(BLANKS)
        old, position = self._line, self.position
        self.forget()
        self.replayed = 0
        if (
            old
            and position is not None
            and line.startswith(old)
            and not line[len(old) : len(old) + 1].strip(BLANKS)
        ):
            events = split_words(line[len(old) :])
            first = self._num_words + 1
            can_extend = True
        else:
            head, events = split_position(line)
            position = self._start(head, events[0] if events else "")
            first = len(head) + 3
            # Without an event yet, a longer line may mean another kind of start.
            can_extend = bool(events)
        for i, token in enumerate(events):
            try:
                position.apply(token)
            except EngineError as error:
                raise _event_error(first + i, token, error, position) from None
            self.replayed += 1
        self.position = position
        self._num_words = first + len(events) - 1
        self._line = line if can_extend else ""

    def _start(self, head: list[str], first_event: str) -> Position:
        """Return the position before the log; `head` is the line up to `moves`."""
        kinds = ("startpos", "fen", "view")
        at = next((i for i, word in enumerate(head) if word in kinds), len(head))
        if at == len(head):
            raise ProtocolError(BAD_POSITION, "token 2: position needs startpos, fen or view")
        if head[at] == "startpos":
            game = self.selected_game()
            if self.options.flag("Strict Views"):
                raise _refused(at + 2, "startpos shows all cards")
            if head[at + 1 :]:
                text = (
                    f"token {at + 3}: startpos takes no fields; write: position fen GAME/1 FIELDS"
                )
                raise ProtocolError(BAD_POSITION, text)
            by_log = first_event.startswith("~")
            return Position(game.new_state(), None if by_log else game.new_deal(START_SEED))
        words = head[at + 1 :]
        if not words:
            raise ProtocolError(BAD_POSITION, f"token {at + 3}: here a position text must follow")
        return self._from_words(words, at + 3)

    def _from_words(self, words: list[str], number: int) -> Position:
        """Return the position of a text; its first word is token `number` of the line."""
        seeds = [word for word in words if word.startswith("seed=")]
        text = " ".join(words)
        if not text.isprintable():
            strange = next(i for i, word in enumerate(words) if not word.isprintable())
            raise ProtocolError(
                BAD_POSITION, f"token {number + strange}: a character that cannot be printed"
            )
        if seeds:
            text = " ".join(word for word in words if not word.startswith("seed="))
        try:
            name = words[0].partition("/")[0]
            # A text that does not name its cards is read with those of the game that reads it.
            game = self._load(name, self.options.game_cards(name))
            state = game.from_text(text)
        except EngineError as error:
            token = number + _blamed_word(words, error)
            raise ProtocolError(BAD_POSITION, f"token {token}: {error}") from None
        if state.observer < 0 and self.options.flag("Strict Views"):
            raise _refused(number, "a text without me=p1 or the like shows all cards")
        if not seeds:
            return Position(state)
        token = number + words.index(seeds[-1])
        if len(seeds) > 1:
            raise ProtocolError(BAD_POSITION, f"token {token}: field seed is given twice")
        seed = parse_int(seeds[-1].removeprefix("seed="))
        if seed is None or seed < 0:
            raise ProtocolError(BAD_POSITION, f"token {token}: seed= needs a number from 0")
        if state.observer >= 0:
            raise ProtocolError(BAD_POSITION, f"token {token}: a view of one seat has no seed")
        if state != state.game.new_state():
            raise ProtocolError(
                BAD_POSITION, f"token {token}: seed= goes with the empty table before the deal only"
            )
        return Position(state, state.game.new_deal(seed))

    def _load(self, name: str, settings: dict[str, str]) -> "Game":
        from engine import load

        key = (name, tuple(sorted(settings.items())))
        game = self._games.get(key)
        if game is None:
            game = load(name, **settings)
            if len(self._games) >= _MOST_GAMES:
                del self._games[next(iter(self._games))]
            self._games[key] = game
        return game


def _refused(token: int, reason: str) -> ProtocolError:
    return ProtocolError(
        BAD_POSITION, f"token {token}: {reason}, and option Strict Views allows views only"
    )


def _blamed_word(words: list[str], error: EngineError) -> int:
    """Return the index of the `key=value` word that an error blames; 0, the game, if none."""
    key = getattr(error, "key", None)
    if key is None:
        return 0
    return next((i for i, word in enumerate(words) if word.partition("=")[0] == key), 0)


def _event_error(number: int, token: str, error: EngineError, position: Position) -> ProtocolError:
    """Return the error for event `token`, which is word `number` of the line."""
    code = ILLEGAL_MOVE
    if token.startswith("~") and isinstance(error, IllegalMove):
        code = BAD_POSITION if position.is_open else INCONSISTENT_VIEW
    if isinstance(error, (BadMoveText, BadPositionText)):
        code = BAD_POSITION
    return ProtocolError(code, f"token {number}: {error}")
