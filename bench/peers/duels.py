"""Games of ours against OpenSpiel's compiled IS-MCTS, in one process.

A block is one deal, played once with us in each seat and the peer in all others, so luck is shared
and nobody gains by a seat. Both play the move they visited most. Luck is that of `Game.new_deal`,
the same whatever the players do.
"""

from collections.abc import Callable

from bench.peers.games import Translator, translator
from bench.peers.searches import Compatible, Peer, most_visited
from bench.statistics.basics import NORMAL_95, mean, standard_error
from engine import State
from search import Limits, Searcher

Choose = Callable[[State, int], int]
"""Which move is played in a full state; the number is a seed."""


def duel(
    identity: str, column: str, blocks: int, nodes: int, seconds: float, exploration: float
) -> dict[str, float]:
    """Play blocks of games with `compatible` or `best` and tell what we get beyond the peer.

    Args:
        identity: a game that both programs play.
        column: `compatible` or `best`.
        blocks: deals.
        nodes: simulations a decision, where `seconds` is 0.
        seconds: time a decision, or 0.
        exploration: of the peer and of `compatible`.

    Returns:
        `points_per_game`: what we get more than the average of the table, in what OpenSpiel calls
        returns (chips, points), and its 95 % half-width `error` over blocks; `games`.
    """
    game = translator(identity)
    ours = _chooser(column, game, nodes, seconds, exploration)
    theirs = _chooser("peer", game, nodes, seconds, exploration)
    gains: list[float] = []
    seats = game.ours.num_seats
    for block in range(1, blocks + 1):
        gain = 0.0
        for seat in range(seats):
            payoffs = play(game, block, [ours if s == seat else theirs for s in range(seats)])
            gain += payoffs[seat] - sum(payoffs) / seats
        gains.append(gain / seats)
    error = standard_error(gains)
    return {
        "games": blocks * seats,
        "points_per_game": mean(gains) or 0.0,
        "error": NORMAL_95 * (error or 0.0),
    }


def play(game: Translator, deal_seed: int, players: list[Choose]) -> list[float]:
    """Play one game; return what each seat gets, as OpenSpiel counts it."""
    deal = game.ours.new_deal(deal_seed)
    state = game.ours.new_state()
    while not state.is_terminal:
        if state.is_chance:
            state.apply(deal.outcome(state))
            continue
        moves = state.legal_moves()
        forced = len(moves) == 1
        state.apply(
            moves[0] if forced else players[state.seat_to_move](state, deal_seed + state.ply)
        )
    return game.payoffs(state)


def _chooser(
    column: str, game: Translator, nodes: int, seconds: float, exploration: float
) -> Choose:
    def best(state: State, seed: int) -> int:
        limits = Limits(time_ms=1000 * seconds) if seconds else Limits(nodes=nodes)
        searcher = Searcher("drakkar", seed=seed)
        return searcher.go(state.view(state.seat_to_move), limits).best_move

    def compatible(state: State, seed: int) -> int:
        search = Compatible(state, nodes, exploration, seed, seconds)
        search.run()
        return most_visited(search.shares())

    def peer(state: State, seed: int) -> int:
        search = Peer(game, state, nodes, exploration, seed, seconds)
        search.run()
        return most_visited(search.shares())

    return {"best": best, "compatible": compatible, "peer": peer}[column]
