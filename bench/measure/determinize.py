"""How fast worlds are drawn from a view: by the physical deals, and by a belief."""

import statistics
import time

from bench.games import parse_game
from bench.instructions import run_counted
from bench.positions import random_game
from bench.registry import Out
from engine.game import Game, State
from search.belief import Belief, draw_worlds

# Shares of the way through a random game at which its views are taken.
MOMENTS = {"early": 0.02, "middle": 0.5, "late": 0.95}
ROUNDS = 15
FEW, MANY = 1000, 21000

# What runs under valgrind; a view is named by its text.
_DRIVER = """
import sys
from bench.games import parse_game
from search.belief import Belief, draw_worlds
text = sys.argv[2]
from engine import load
view = load(text.partition("/")[0]).from_text(text)
belief = Belief(view) if sys.argv[3] == "belief" else None
draw_worlds(view, int(sys.argv[1]), 1, belief)
"""


def views(game: Game, games: int, seed: int = 1) -> dict[str, list[State]]:
    """Return views at each moment of some random games, of the seat to move."""
    found: dict[str, list[State]] = {moment: [] for moment in MOMENTS}
    for number in range(games):
        choices = random_game(game, seed + number)
        for moment, share in MOMENTS.items():
            state = choices[int(share * (len(choices) - 1))]
            found[moment].append(state.view(state.seat_to_move))
    return found


def nanoseconds(view: State, belief: Belief | None, draws: int) -> float:
    """Return the median time of a draw, its copy of the view included."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        draw_worlds(view, draws, 1, belief)
        times.append((time.perf_counter() - start) / draws * 1e9)
    return statistics.median(times)


def instructions(view: State, way: str) -> float:
    """Return the instructions of a draw; `way` is `deals` or `belief`. Takes some seconds."""
    first, second = (run_counted(_DRIVER, str(n), view.to_text(), way)[0] for n in (FEW, MANY))
    return (second - first) / (MANY - FEW)


def run(out: Out, identity: str, games: int = 5, draws: int = 50_000, counted: bool = True) -> None:
    """Time draws at each moment: the slowest view of each moment, and its instructions."""
    game = parse_game(identity)
    slowest = 0.0
    for moment, found in views(game, games).items():
        for way in ("deals", "belief"):
            times = []
            for view in found:
                belief = Belief(view) if way == "belief" else None
                times.append(nanoseconds(view, belief, draws))
            out[f"ns_{way}_{moment}"] = round(max(times), 1)
            slowest = max(slowest, *times)
            if counted:
                view = found[times.index(max(times))]
                out[f"instructions_{way}_{moment}"] = round(instructions(view, way), 1)
    out.update(game=game.identity, games=games, draws=draws, slowest_ns=round(slowest, 1))
