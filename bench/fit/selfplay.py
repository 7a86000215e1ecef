"""Games that one search plays against itself, and what is kept of them."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from bench.games import parse_game
from bench.seeds import SearchSeeds, deal_seed, substitute_seed
from engine.game import Game, State
from search.limits import Limits
from search.searcher import Searcher

STRAY_PER_CENT = 6
"""Decisions that are made by a draw from the visits, so that unusual positions are seen too."""


class Player:
    """The search that plays: plain data, handed to worker processes.

    Attributes:
        preset, options, nodes: of the search.
        weights: numbers of the game to play with, None for the game's own.
    """

    __slots__ = ("nodes", "options", "preset", "weights")

    def __init__(
        self, preset: str, options: dict[str, Any], nodes: int, weights: list[float] | None
    ) -> None:
        self.preset, self.options, self.nodes = preset, options, nodes
        self.weights = weights

    def __str__(self) -> str:
        told = "".join(f" {name}={value}" for name, value in self.options.items())
        return f"{self.preset}{told}, {self.nodes} nodes"


class Position:
    """A decision of a game.

    Attributes:
        state: the bytes of the full state.
        seat: who decided.
        visits: of each legal move, ascending; 0 where the search did not look.
        win, margin: what the search says of its best move, from seat 1's side.
    """

    __slots__ = ("margin", "seat", "state", "visits", "win")

    def __init__(
        self, state: bytes, seat: int, visits: list[int], win: float, margin: float
    ) -> None:
        self.state, self.seat, self.visits = state, seat, visits
        self.win, self.margin = win, margin


class Played:
    """A finished game: its positions with a choice, seat 1's margin, and what each seat got."""

    __slots__ = ("margin", "number", "points", "positions")

    def __init__(
        self, number: int, positions: list[Position], margin: float, points: list[float]
    ) -> None:
        self.number, self.positions = number, positions
        self.margin, self.points = margin, points


def play(identity: str, player: Player, seed: int, numbers: range) -> list[Played]:
    """Play games one after another in this process."""
    game = parse_game(identity)
    if player.weights is not None:
        game = game.with_weights(player.weights)
    searchers = [
        Searcher(player.preset, hash_mb=8, options=player.options) for _ in range(game.num_seats)
    ]
    return [_play(game, searchers, player.nodes, seed, number) for number in numbers]


def _play(game: Game, searchers: list[Searcher], nodes: int, seed: int, number: int) -> Played:
    deal = game.new_deal(deal_seed(seed, number))
    state = game.new_state()
    seeds = [SearchSeeds(seed, seat, number) for seat in range(game.num_seats)]
    for searcher in searchers:
        searcher.new_game()
    positions: list[Position] = []
    while not state.is_terminal:
        if state.is_chance:
            state.apply(deal.outcome(state))
            continue
        moves = state.legal_moves()
        move = moves[0]
        if len(moves) > 1:
            seat = state.seat_to_move
            searchers[seat].seed = seeds[seat].next()
            position, move = _search(state, moves, searchers[seat], nodes)
            lot = substitute_seed(seed, number, state.ply)
            positions.append(position)
            if lot % 100 < STRAY_PER_CENT:
                move = _drawn(moves, position.visits, lot // 100)
        state.apply(move)
    return Played(number, positions, state.margins()[0], state.returns())


def _search(state: State, moves: list[int], searcher: Searcher, nodes: int) -> tuple[Position, int]:
    seat = state.seat_to_move
    result = searcher.go(state.view(seat), Limits(nodes=nodes), multipv=len(moves))
    lines = result.info.lines
    visits = {line.move: line.visits for line in lines}
    win, margin = lines[0].win, lines[0].margin
    first = seat == 0
    position = Position(
        state.to_bytes(),
        seat,
        [visits.get(move, 0) for move in moves],
        win if first else 1 - win,
        margin if first else -margin,
    )
    return position, result.best_move


def _drawn(moves: list[int], visits: list[int], lot: int) -> int:
    left = lot % sum(visits)
    for move, count in zip(moves, visits, strict=True):
        left -= count
        if left < 0:
            return move
    return moves[-1]


BATCH = 5
"""Games of a worker process between two answers."""


def play_all(
    identity: str, player: Player, seed: int, games: int, jobs: int
) -> Iterator[list[Played]]:
    """Yield the games in batches, in order, whatever the number of processes."""
    batches = [range(i, min(i + BATCH, games)) for i in range(0, games, BATCH)]
    if jobs == 1:
        for batch in batches:
            yield play(identity, player, seed, batch)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(play, identity, player, seed, batch) for batch in batches]
        for future in futures:
            yield future.result()
