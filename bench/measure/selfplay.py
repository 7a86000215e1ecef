"""Games that a search plays against itself in this process, event by event."""

from collections.abc import Callable

from bench.seeds import PURPOSE_MEASURE
from engine import RandomStream
from engine.game import Game, State
from search.limits import Limits
from search.options import parse_options
from search.searcher import Searcher


class Player:
    """A search: preset, options as `name=value ...`, nodes for each decision."""

    __slots__ = ("nodes", "options", "preset")

    def __init__(self, preset: str, nodes: int, options: str = "") -> None:
        self.preset, self.nodes, self.options = preset, nodes, options

    def __str__(self) -> str:
        return " ".join(f"{self.preset} {self.options} nodes={self.nodes}".split())


def play(
    game: Game,
    player: Player,
    seed: int,
    number: int,
    before: Callable[[State, int], None],
) -> None:
    """Play game `number` of a seed; `before(state, move)` is called ahead of each event.

    The state is full and lives on: copy what is to be kept. Luck, and the seeds of the searches,
    depend on `seed` and `number` alone.
    """
    luck = RandomStream(seed, PURPOSE_MEASURE, 2 * number)
    seeds = RandomStream(seed, PURPOSE_MEASURE, 2 * number + 1)
    searcher = Searcher(player.preset, hash_mb=16, options=parse_options(player.options))
    limits = Limits(nodes=player.nodes)
    state = game.new_state()
    while not state.is_terminal:
        if state.is_chance:
            move = state.sample_chance(luck)
        else:
            moves = state.legal_moves()
            move = moves[0]
            if len(moves) > 1:
                searcher.seed = seeds.bits() >> 12
                move = searcher.go(state.view(state.seat_to_move), limits).best_move
        before(state, move)
        state.apply(move)
