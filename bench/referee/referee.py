"""The referee: the only place that holds the true state and the deal of a game.

A seat learns of the game through `position_line(seat)` and nothing else. That line is made of the
view before the first event and of the events as this seat sees them; the deal's seed, the true
state and the other seats' tokens never enter it.
"""

from bench.referee.verdicts import Termination
from engine import BadMoveText
from engine.game import SEAT_IS_CHANCE, Game, State


class BadAnswer(Exception):
    """An answer that is no legal decision; `kind` is Termination.MALFORMED or ILLEGAL."""

    def __init__(self, kind: Termination, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Referee:
    """One game under way.

    `opening` is a full state to start from; without it the game starts at the empty table. Luck
    comes from the deal of `deal_seed`, whatever the seats do.
    """

    def __init__(self, game: Game, deal_seed: int, opening: State | None = None) -> None:
        self.game = game
        self.state = game.new_state() if opening is None else opening.copy()
        if self.state.observer >= 0:
            raise ValueError("a referee starts from a full state, not from a view")
        self.deal_seed = deal_seed
        self.events: list[str] = []
        self.plies = 0
        self.changes = 0
        self._deal = game.new_deal(deal_seed, opening)
        self._last_decider = -1
        # What each seat may know, grown event by event: a line is sent for each decision.
        self._lines = [
            bytearray(f"position view {self._start_text(seat, opening)}".encode())
            for seat in range(game.num_seats)
        ]
        self._play_luck()

    def _start_text(self, seat: int, opening: State | None) -> str:
        if opening is None:
            return f"{self.game.identity} me=p{seat + 1}"
        return opening.view(seat).to_text()

    def position_line(self, seat: int) -> str:
        """Return the `position view ...` line that tells a seat all it may know."""
        return self._lines[seat].decode()

    def position_bytes(self, seat: int) -> bytes:
        """Return the line as it is sent, without its end."""
        return bytes(self._lines[seat])

    @property
    def lines(self) -> list[bytes]:
        """The lines of all seats, as they are sent."""
        return [bytes(line) for line in self._lines]

    @property
    def seat_to_move(self) -> int:
        """The seat that decides, negative when the game is over."""
        return self.state.seat_to_move

    @property
    def is_over(self) -> bool:
        """True when the game has ended by its rules."""
        return self.state.is_terminal

    def tallies(self) -> dict[str, int]:
        """Return what the game counts about itself, such as turns."""
        return count_tallies(self.state, self.changes)

    def decide(self, word: str) -> None:
        """Carry out the decision of the seat to move and the luck that follows.

        Raises BadAnswer if the word is no move or not legal now; the game is then unchanged.
        """
        try:
            move = self.game.parse_move(word)
        except BadMoveText:
            if not word:
                raise BadAnswer(Termination.MALFORMED, "a bestmove line without a move") from None
            if not word.isprintable() or "\ufffd" in word:
                text = f"{_shown(word)} has characters that no move has"
                raise BadAnswer(Termination.MALFORMED, text) from None
            text = f"{_shown(word)} is no move of {self.game.name}"
            raise BadAnswer(Termination.ILLEGAL, text) from None
        if move not in self.state.legal_moves():
            raise BadAnswer(Termination.ILLEGAL, f"{_shown(word)} is not legal here")
        seat = self.state.seat_to_move
        if seat != self._last_decider:
            self.changes += 1
            self._last_decider = seat
        self._apply(move)
        self.plies += 1
        if self.plies > self.game.max_plies:
            raise AssertionError(f"{self.game.identity} outlasted its declared length")
        self._play_luck()

    def _play_luck(self) -> None:
        while self.state.seat_to_move == SEAT_IS_CHANCE:
            self._apply(self._deal.outcome(self.state))

    def _apply(self, move: int) -> None:
        state, name = self.state, self.game.event_name
        decider, lead = state.seat_to_move, b"" if self.events else b" moves"
        token = name(move, decider)
        for seat, line in enumerate(self._lines):
            seen = state.redact(move, seat)
            told = token if seen == move else name(seen, decider)
            line += b"%b %b" % (lead, told.encode())
        self.events.append(token)
        state.apply(move)


def count_tallies(state: State, changes: int) -> dict[str, int]:
    """Return what a game counts about itself, such as turns, from its last state.

    Where it counts no turns, `changes` stand for them: unbroken series of decisions by one seat.
    """
    return {"turns": changes, **state.game.tallies(state)}


def _shown(word: str) -> str:
    """Quote an answer of an engine, cut to a length fit for an error line."""
    return repr(word if len(word) <= 64 else word[:61] + "...")
