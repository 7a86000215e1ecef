"""The signature of a game: one number that changes when search or rules behave otherwise.

Every position of the game is searched with one thread, a fixed seed and a fixed number of
simulations. Node counts, best moves and root visits make 16 hex digits. `bench/signature.txt`
holds the expected values, one line a game: name, nodes, signature. It is meant to change only
when a change of behaviour is meant.
"""

import hashlib
import time
from pathlib import Path

from bench import positions
from engine import load
from engine.game import Game, State
from search import Limits, Searcher

FILE = Path(__file__).parent / "signature.txt"
PRESET = "drakkar"
NODES = 1000
SEED = 1
# The speed is measured over at least this long, seconds.
LEAST_SECONDS = 0.2


class Signature:
    """What `drakkar bench` found for a game; `nodes` counts the simulations of all positions."""

    __slots__ = ("game", "nodes", "nodes_per_second", "value")

    def __init__(self, game: str, nodes: int, value: str, nodes_per_second: float) -> None:
        self.game, self.nodes, self.value = game, nodes, value
        self.nodes_per_second = nodes_per_second
        """Simulations a second, a figure of this machine at this moment only."""

    @property
    def line(self) -> str:
        """The line of the game in `bench/signature.txt`."""
        return f"{self.game} {self.nodes} {self.value}"


def measure(name: str, preset: str = PRESET) -> Signature:
    """Search all positions of a game, again until time can be told, and return its signature."""
    game = load(name)
    views = positions.read(game)
    start = time.perf_counter()
    nodes, value = _search_all(game, views, preset)
    rounds = 1
    while (seconds := time.perf_counter() - start) < LEAST_SECONDS:
        _search_all(game, views, preset)
        rounds += 1
    return Signature(name, nodes, value, rounds * nodes / seconds)


def _search_all(game: Game, views: list[State], preset: str) -> tuple[int, str]:
    digest = hashlib.blake2b(digest_size=8)
    nodes = 0
    for view in views:
        count, text = _search(game, view, preset)
        nodes += count
        digest.update(text.encode())
    return nodes, digest.hexdigest()


def _search(game: Game, view: State, preset: str) -> tuple[int, str]:
    # A position that is worked out has no simulations to count.
    searcher = Searcher(preset=preset, threads=1, seed=SEED, options={"solver": False})
    result = searcher.go(view, Limits(nodes=NODES), multipv=len(view.legal_moves()))
    visits = sorted((line.move, line.visits) for line in result.info.lines)
    words = [f"{game.move_name(move)}={count}" for move, count in visits]
    best = game.move_name(result.best_move)
    return result.info.nodes, f"{result.info.nodes} {best} {' '.join(words)}\n"


def expected() -> dict[str, str]:
    """Return the line of each game in `bench/signature.txt`."""
    if not FILE.exists():
        return {}
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return {line.split()[0]: line for line in lines if line.strip()}


def is_source_tree() -> bool:
    """True where the sources are, not an installed copy whose files belong to the installer."""
    return (FILE.parent.parent / "pyproject.toml").exists()


def update(found: Signature) -> None:
    """Write the line of a game into `bench/signature.txt`."""
    lines = expected()
    lines[found.game] = found.line
    FILE.write_text("".join(f"{lines[name]}\n" for name in sorted(lines)), encoding="utf-8")
