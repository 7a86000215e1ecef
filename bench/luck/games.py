"""Games to fit an evaluator to: played in this process, reproducible by their seed."""

from collections.abc import Iterator

from bench.referee.referee import Referee
from bench.seeds import SearchSeeds, deal_seed
from engine.game import Game
from search.limits import Limits
from search.searcher import Searcher


class Mix:
    """Games that one kind of player plays against itself.

    Attributes:
        preset, nodes, playout_plies: of the player, as search.Searcher has them.
        games: how many.
    """

    __slots__ = ("games", "nodes", "playout_plies", "preset")

    def __init__(self, preset: str, nodes: int, playout_plies: int | None, games: int) -> None:
        self.preset, self.nodes = preset, nodes
        self.playout_plies, self.games = playout_plies, games

    def __str__(self) -> str:
        plies = "" if self.playout_plies is None else f", playouts of {self.playout_plies} plies"
        return f"{self.games} games of {self.preset} with {self.nodes} nodes{plies}"

    def play(self, game: Game, seed: int, first: int) -> Iterator[Referee]:
        """Yield the finished games; `first` is the number of the first one, of its deal too."""
        searchers = [
            Searcher(self.preset, hash_mb=8, playout_plies=self.playout_plies)
            for _ in range(game.num_seats)
        ]
        for number in range(first, first + self.games):
            yield _play(game, searchers, self.nodes, seed, number)


def _play(game: Game, searchers: list[Searcher], nodes: int, seed: int, number: int) -> Referee:
    referee = Referee(game, deal_seed(seed, number))
    seeds = [SearchSeeds(seed, seat, number) for seat in range(game.num_seats)]
    limits = Limits(nodes=nodes)
    while not referee.is_over:
        seat = referee.seat_to_move
        moves = referee.state.legal_moves()
        move = moves[0]
        if len(moves) > 1:
            searchers[seat].seed = seeds[seat].next()
            move = searchers[seat].go(referee.state.view(seat), limits).best_move
        referee.decide(game.move_name(move))
    return referee


MIXES = (Mix("vanilla", 20, None, 500), Mix("vanilla", 100, 0, 600))
"""Players of two tempers: long random playouts, and none but a look at the points."""
