"""Positions of a game to ask an engine about: logs, snapshots, pairs that a seat can't tell apart.

All of it comes from games played at random through the referee, without knowing which game it is.
"""

from bench.referee.referee import Referee
from engine.errors import EngineError
from engine.game import SEAT_IS_CHANCE, SEAT_IS_NONE, Game, State
from engine.stream import RandomStream

CHOICE_PURPOSE, WORLD_PURPOSE = 5, 9
"""Purposes of the random streams, as in engine/rng.pxd: tests, worlds."""

GAMES = 6
SAMPLES = 5
"""Games that are played, and decisions of each that are kept, besides the first and the last."""

WORLDS = 24


class Moment:
    """What one seat knows at some point of a game: the position line, and what is true there."""

    __slots__ = ("events", "legal", "line", "seat", "state", "turn", "view")

    def __init__(self, referee: Referee, seat: int) -> None:
        self.seat = seat
        self.line = referee.position_line(seat)
        self.view = referee.state.view(seat)
        """What the seat knows, as a state of our own rules."""
        self.state = referee.state.copy()
        """The full state."""
        self.events = list(referee.events)
        """The full log."""
        self.turn = turn_word(referee.state)
        self.legal: list[str] = []
        """The legal words, none if the seat does not decide."""
        if referee.seat_to_move == seat:
            self.legal = [referee.game.move_name(move) for move in self.view.legal_moves()]

    @property
    def head(self) -> str:
        """The position line up to the log."""
        return self.line.partition(" moves")[0]

    @property
    def tokens(self) -> list[str]:
        """The words of the log."""
        return self.line.partition(" moves")[2].split()

    @property
    def text(self) -> str:
        """The position text of the seat's view."""
        return self.view.to_text()

    @property
    def snapshot(self) -> str:
        """The position line that tells the same without a log."""
        return f"position view {self.text}"

    @property
    def open_line(self) -> str:
        """The position line with the log of all that happened, all cards shown."""
        words = ["position fen", self.view.game.identity]
        return " ".join([*words, "moves", *self.events] if self.events else words)


class Material:
    """All positions of one game that steps ask for; the lists are never empty save where told."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.decisions: list[Moment] = []
        """Views of seats that are to decide."""
        self.waits: list[Moment] = []
        """Views of seats while another seat decides; empty with one seat."""
        self.overs: list[Moment] = []
        """Views of finished games, those of one game for all seats side by side."""
        for seed in range(GAMES):
            self._play(seed)
        by_choice = sorted(self.decisions, key=lambda moment: len(moment.legal))
        self.choice = by_choice[-1]
        """The decision with the most legal moves."""
        self.forced = by_choice[0] if len(by_choice[0].legal) == 1 else None
        """A decision with one legal move, or None."""
        self.start = self.decisions[0]
        """The first decision of a game."""
        self.later = self.decisions[1] if len(self.decisions) > 1 else self.start
        """Another decision."""

    def _play(self, seed: int) -> None:
        referee = Referee(self.game, seed)
        stream = RandomStream(seed, CHOICE_PURPOSE, 1)
        words = []
        while not referee.is_over:
            moves = referee.state.legal_moves()
            words.append(self.game.move_name(moves[stream.below(len(moves))]))
            referee.decide(words[-1])
        kept = {0, 1, len(words) - 1} | {stream.below(len(words)) for _ in range(SAMPLES)}
        referee = Referee(self.game, seed)
        for ply, word in enumerate(words):
            if ply in kept:
                for seat in range(self.game.num_seats):
                    moment = Moment(referee, seat)
                    (self.decisions if moment.legal else self.waits).append(moment)
            referee.decide(word)
        self.overs += [Moment(referee, seat) for seat in range(self.game.num_seats)]

    def luck(self) -> list[tuple[str, int]]:
        """Return position lines where luck is to decide, each with its seat; maybe none."""
        found = []
        if self.game.new_state().is_chance:
            found.append((f"position view {self.game.identity} me=p1", 0))
        for moment in (self.decisions[-1], self.overs[-1]):
            tokens = moment.tokens
            decided = [i for i, token in enumerate(tokens) if not token.startswith("~")]
            lucky = [i for i, token in enumerate(tokens) if token.startswith("~")]
            after = [i for i in lucky if decided and i > decided[0]]
            if after:
                log = " ".join(tokens[: after[-1]])
                found.append((f"{moment.head} moves {log}", moment.seat))
        return found

    def alike_texts(self, moment: Moment) -> tuple[str, str] | None:
        """Return two full position texts that the seat of a moment can't tell apart, or None."""
        first = ""
        for i in range(WORLDS):
            text = moment.view.determinize(RandomStream(i, WORLD_PURPOSE, 1)).to_text()
            if first and text != first:
                return first, text
            first = first or text
        return None

    def alike_logs(self, moment: Moment) -> tuple[str, str] | None:
        """Return two open position lines whose logs its seat can't tell apart, or None."""
        states = [self.game.new_state()]
        for token in moment.events:
            states.append(states[-1].copy())
            states[-1].apply(self.game.parse_event(token)[1])
        for i, token in enumerate(moment.events):
            if states[i].seat_to_move != SEAT_IS_CHANCE:
                continue
            move = self.game.parse_event(token)[1]
            if states[i].redact(move, moment.seat) == move:
                continue
            for other, _ in states[i].chance_outcomes()[:WORLDS]:
                log = self._changed(moment, states[i], i, other) if other != move else None
                if log is not None:
                    head = f"position fen {self.game.identity} moves"
                    return f"{head} {' '.join(moment.events)}", f"{head} {' '.join(log)}"
        return None

    def _changed(self, moment: Moment, before: State, at: int, other: int) -> list[str] | None:
        """Return the log with another outcome at one place; None if the seat would notice."""
        state = before.copy()
        log = moment.events[:at]
        truth = before.copy()
        for token in moment.events[at:]:
            move = self.game.parse_event(token)[1]
            instead = other if len(log) == at else move
            seen = truth.redact(move, moment.seat) if truth.is_chance else move
            if not state.can_follow(instead):
                return None
            if state.is_chance and state.redact(instead, moment.seat) != seen:
                return None
            log.append(state.event_name(instead))
            state.apply(instead)
            truth.apply(move)
        same = state.infoset_key(moment.seat) == truth.infoset_key(moment.seat)
        return log if same and state.seat_to_move == moment.seat else None


def turn_word(state: State) -> str:
    """Return the answer to `query turn`."""
    seat = state.seat_to_move
    return {SEAT_IS_CHANCE: "chance", SEAT_IS_NONE: "none"}.get(seat, f"p{seat + 1}")


def reads(game: Game, text: str, tokens: list[str]) -> bool:
    """Return True if our own rules accept a position text and a log."""
    try:
        state = game.from_text(text)
        for token in tokens:
            seat, move = game.parse_event(token)
            to_move = state.seat_to_move
            if seat is None:
                seat = to_move
            if seat != to_move or (to_move == SEAT_IS_CHANCE) != token.startswith("~"):
                return False
            state.apply(move)
    except EngineError:
        return False
    return True
