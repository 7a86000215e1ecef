"""Random games: counts, lengths, results, and the invariants of a state after every event."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from bench.games import parse_game
from bench.registry import Out
from bench.seeds import PURPOSE_MEASURE
from bench.statistics.basics import NORMAL_95, deviation, mean, standard_error
from engine import RandomStream
from engine.game import Game, State


class BrokenState(AssertionError):
    """A random game that broke an invariant; the text says which game and where."""


def random_game(
    game: Game, seed: int, index: int = 0, before: Callable[[State, int], None] | None = None
) -> Iterator[State]:
    """Yield the live state of a uniformly random game at its start and after every event.

    The same object is yielded each time: copy what is to be kept. `before(state, move)` is called
    ahead of each event.
    """
    stream = RandomStream(seed, PURPOSE_MEASURE, index)
    state = game.new_state()
    yield state
    while not state.is_terminal:
        if state.is_chance:
            move = state.sample_chance(stream)
        else:
            moves = state.legal_moves()
            move = moves[stream.below(len(moves))]
        if before is not None:
            before(state, move)
        state.apply(move)
        yield state


class Tally:
    """Sums over random games."""

    def __init__(self) -> None:
        self.games = 0
        self.sums: Counter[str] = Counter()
        self.happened: Counter[str] = Counter()
        self.first_seat: list[float] = []
        self.margins: list[float] = []
        self.longest = 0

    def play(self, game: Game, seed: int, index: int, checked: bool) -> None:
        """Play one game and add it; BrokenState if an invariant fails."""
        decisions = choices = legal = events = 0
        census = game.new_census()
        for state in random_game(game, seed, index, census.before):
            events += 1
            if checked and state.check():
                raise BrokenState(
                    f"game {index}, event {events}: check {state.check():#x}: {state}"
                )
            if state.seat_to_move >= 0:
                count = len(state.legal_moves())
                decisions += 1
                choices += count > 1
                legal += count
        if decisions > game.max_plies:
            raise BrokenState(f"game {index}: {decisions} decisions, declared {game.max_plies}")
        tallies = census.finish(state)
        self.games += 1
        self.longest = max(self.longest, decisions)
        self.sums.update(decisions=decisions, choices=choices, legal_moves=legal, events=events)
        self.sums.update(tallies)
        self.happened.update(name for name, value in tallies.items() if value)
        returns = state.returns()
        self.first_seat.append(
            0.5 if returns[0] == max(returns[1:]) else float(returns[0] > max(returns[1:]))
        )
        self.margins.append(state.margins()[0])

    def add(self, other: "Tally") -> None:
        """Add the games of another tally."""
        self.games += other.games
        self.sums += other.sums
        self.happened += other.happened
        self.first_seat += other.first_seat
        self.margins += other.margins
        self.longest = max(self.longest, other.longest)

    def write(self, out: Out, game: Game) -> None:
        """Write means per game, and for each thing the game tallies how often it happened."""
        out["game"], out["games"] = game.identity, self.games
        for name in ("decisions", "choices", "events"):
            out[f"{name}_per_game"] = self.sums.pop(name) / self.games
        out["legal_moves_per_decision"] = self.sums.pop("legal_moves") / (
            out["decisions_per_game"] * self.games
        )
        out["longest_decisions"], out["declared_decisions"] = self.longest, game.max_plies
        out["first_seat"] = mean(self.first_seat)
        error = standard_error(self.first_seat)
        out["first_seat_error"] = None if error is None else NORMAL_95 * error
        out["draws_share"] = self.first_seat.count(0.5) / self.games
        out["mean_margin"] = mean(self.margins)
        out["margin_deviation"] = deviation(self.margins)
        out["per_game"] = {name: total / self.games for name, total in sorted(self.sums.items())}
        out["total"] = dict(sorted(self.sums.items()))
        out["share_of_games"] = {n: c / self.games for n, c in sorted(self.happened.items())}


def run(out: Out, identity: str, games: int, checked: bool, seed: int = 1) -> None:
    """Play random games on two processes and write what happened into `out`.

    With `checked`, `State.check` must be 0 at the start and after every event.
    """
    tally = Tally()
    piece = max(1, min(500, games // 4))
    pieces = [
        (identity, seed, first, min(games, first + piece), checked)
        for first in range(0, games, piece)
    ]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for part in pool.map(_piece, pieces):
            tally.add(part)
    tally.write(out, parse_game(identity))


def _piece(work: tuple[str, int, int, int, bool]) -> Tally:
    identity, seed, first, last, checked = work
    game = parse_game(identity)
    tally = Tally()
    for index in range(first, last):
        tally.play(game, seed, index, checked)
    return tally
