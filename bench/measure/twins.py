"""Pairs of games from real play that one seat can't tell apart, each with its whole history.

Two referees play the games side by side. Whatever the seat sees happen is the same in both;
whatever it does not see differs where it can.
"""

from collections import deque
from collections.abc import Iterator
from itertools import count
from typing import Any, cast

from bench.measure.random_games import random_game
from bench.referee.referee import Referee
from bench.seeds import PURPOSE_MEASURE
from engine import RandomStream
from engine.game import Game, State
from search import Limits, Searcher

# Events of a pair that starts in the middle of a game, and of one that starts at the empty table.
LONGEST = (40, 2000)
# Points of one real game from which pairs start.
STARTS = 16
# Chance in eighths that a secret is dealt differently where others differ already. Games with many
# different secrets soon have nothing in common; with one they go on to the end.
SPREADS = (0, 8, 1, 4)
# Simulations of a decision where our own search plays.
SEARCH_NODES = 6


class _LedGame:
    """A game whose luck is what stands next in `outcomes`."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.outcomes: deque[int] = deque()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def new_deal(self, seed: int, start: State | None = None) -> "_LedGame":
        """Return the luck of the game: itself."""
        return self

    def outcome(self, state: State) -> int:
        """Return the next outcome."""
        return self.outcomes.popleft()


class Twins:
    """Two games under way that `seat` can't tell apart; `referees` hold them.

    `only` are words of decisions that just one of the two games allowed to another seat.
    """

    def __init__(
        self, seat: int, referees: list[Referee], starts: list[str], only: list[str]
    ) -> None:
        self.seat, self.referees, self.starts, self.only = seat, referees, starts, only
        self.is_first = True
        """True until the first decision."""
        self.is_last = False
        """True if nothing that both games allow follows, or the pair is long enough."""

    @property
    def states(self) -> list[State]:
        """The full states of both games."""
        return [referee.state for referee in self.referees]

    @property
    def decides(self) -> bool:
        """True if it is the seat's decision."""
        return self.referees[0].seat_to_move == self.seat

    def position_lines(self) -> list[str]:
        """Return what each referee tells the seat."""
        return [referee.position_line(self.seat) for referee in self.referees]

    def open_lines(self) -> list[str]:
        """Return `position` lines that show each game with all its secrets, from its start."""
        return [
            " ".join(["position fen", start, "moves", *referee.events])
            for start, referee in zip(self.starts, self.referees, strict=True)
        ]


class _Leader:
    """Leads two games: chooses events that look the same to a seat."""

    def __init__(self, seat: int, stream: RandomStream, spread: int, searches: bool) -> None:
        self.seat, self.stream, self.spread = seat, stream, spread
        self.searcher = Searcher("drakkar", seed=seat, hash_mb=1) if searches else None
        self.only: list[str] = []

    def decisions(self, one: State, two: State) -> list[tuple[int, int]]:
        """Return pairs of decisions that look the same, in random order, the best one first."""
        others = self._by_look(two, two.legal_moves())
        moves = one.legal_moves()
        pairs = [
            (move, self._any(others[look]))
            for move in moves
            if (look := one.redact(move, self.seat)) in others
        ]
        if one.seat_to_move != self.seat:
            name = one.game.move_name
            alone = set(moves) ^ {move for alike in others.values() for move in alike}
            self.only = [name(move) for move in sorted(alone)] or self.only
        pairs = self.stream.shuffled(pairs)
        if self.searcher is not None and len(pairs) > 1:
            best = self.searcher.go(one, Limits(nodes=SEARCH_NODES)).best_move
            pairs.sort(key=lambda pair: pair[0] != best)
        return pairs

    def luck(self, one: State, two: State) -> list[tuple[int, int]] | None:
        """Apply luck to both states up to the next decision and return it; None: they part."""
        dealt = []
        while one.is_chance or two.is_chance:
            if one.seat_to_move != two.seat_to_move:
                raise AssertionError(f"a secret tells seat {self.seat + 1} who decides: {one!r}")
            pair = self._outcomes(one, two)
            if pair is None:
                return None
            one.apply(pair[0])
            two.apply(pair[1])
            dealt.append(pair)
        return dealt

    def _outcomes(self, one: State, two: State) -> tuple[int, int] | None:
        """Return an outcome for each state, both looking the same."""
        others = self._by_look(two, [move for move, _ in two.chance_outcomes()])
        move = one.sample_chance(self.stream)
        if one.redact(move, self.seat) not in others:
            both = [m for m, _ in one.chance_outcomes() if one.redact(m, self.seat) in others]
            if not both:
                return None
            move = self._any(both)
        alike = others[one.redact(move, self.seat)]
        differ = one.key() == two.key() or self.stream.below(8) < self.spread
        fitting = [other for other in alike if (other != move) == differ]
        return move, self._any(fitting or alike)

    def _by_look(self, state: State, moves: list[int]) -> dict[int, list[int]]:
        """Return the moves by what the seat would see of them."""
        looks: dict[int, list[int]] = {}
        for move in moves:
            looks.setdefault(state.redact(move, self.seat), []).append(move)
        return looks

    def _any(self, moves: list[int]) -> int:
        return moves[self.stream.below(len(moves))]


def _play(
    game: Game, leader: _Leader, openings: tuple[State | None, State | None], longest: int
) -> Iterator[Twins]:
    """Yield the same twins at their start and after each decision."""
    ahead = [game.new_state() if opening is None else opening.copy() for opening in openings]
    luck = leader.luck(*ahead)
    if luck is None:
        return
    led = [_LedGame(game) for _ in openings]
    _deal(led, luck)
    referees = [
        Referee(cast(Game, one), 0, opening) for one, opening in zip(led, openings, strict=True)
    ]
    starts = [game.identity if opening is None else opening.to_text() for opening in openings]
    twins = Twins(leader.seat, referees, starts, [])
    while True:
        choice = _next(leader, [referee.state for referee in referees])
        twins.only = leader.only
        twins.is_last = choice is None or len(referees[0].events) >= longest
        yield twins
        if choice is None or twins.is_last:
            return
        twins.is_first = False
        moves, luck = choice
        _deal(led, luck)
        for referee, move in zip(referees, moves, strict=True):
            referee.decide(game.move_name(move))


def _deal(led: list[_LedGame], luck: list[tuple[int, int]]) -> None:
    for one, outcomes in zip(led, zip(*luck, strict=True), strict=False):
        one.outcomes.extend(outcomes)


def _next(
    leader: _Leader, states: list[State]
) -> tuple[tuple[int, int], list[tuple[int, int]]] | None:
    """Return the next decision of both games and the luck behind it; None if they part here."""
    one, two = states
    if one.seat_to_move < 0 or one.seat_to_move != two.seat_to_move:
        return None
    for moves in leader.decisions(one, two)[:3]:
        ahead = [one.copy(), two.copy()]
        ahead[0].apply(moves[0])
        ahead[1].apply(moves[1])
        luck = leader.luck(*ahead)
        if luck is not None:
            return moves, luck
    return None


def real_game(game: Game, seed: int, index: int) -> list[State]:
    """Return the states of a game, the finished one left out; every third is played by search."""
    if index % 3:
        return [state.copy() for state in random_game(game, seed, index) if not state.is_terminal]
    stream = RandomStream(seed, PURPOSE_MEASURE, 2**39 + index)
    searcher = Searcher("drakkar", seed=index, hash_mb=1)
    state = game.new_state()
    states = []
    while not state.is_terminal:
        states.append(state.copy())
        if state.is_chance:
            state.apply(state.sample_chance(stream))
        else:
            state.apply(searcher.go(state, Limits(nodes=SEARCH_NODES)).best_move)
    return states


def twin_games(game: Game, seed: int) -> Iterator[Twins]:
    """Yield twins without end, each at its start and after every decision.

    The same object is yielded while a pair goes on. Pairs start in turns at the empty table, with
    deals of which the seat sees no difference, and at random points of a real game, where the
    seat's view is filled in twice. Seats and SPREADS take turns, and so do random play and search.
    """
    for index in count():
        stream = RandomStream(seed, PURPOSE_MEASURE, 2**40 + index)
        spread = SPREADS[index % len(SPREADS)]
        for seat in range(game.num_seats):
            leader = _Leader(seat, stream, spread, searches=index % 5 == 4)
            yield from _play(game, leader, (None, None), LONGEST[1])
        states = real_game(game, seed, index)
        for start in range(STARTS):
            seat = start % game.num_seats
            view = states[stream.below(len(states))].view(seat)
            leader = _Leader(seat, stream, spread, searches=start == 0)
            yield from _play(game, leader, _two_worlds(view, stream), LONGEST[0])


def _two_worlds(view: State, stream: RandomStream) -> tuple[State, State]:
    """Return two worlds of a view that differ, if it is not too hard to find such."""
    one = view.determinize(stream)
    others = (view.determinize(stream) for _ in range(8))
    return one, next((other for other in others if other != one), one)
