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


class Signature:
    """What `drakkar bench` found for a game; `nodes` counts the simulations of all positions."""

    __slots__ = ("game", "nodes", "seconds", "value")

    def __init__(self, game: str, nodes: int, value: str, seconds: float) -> None:
        self.game, self.nodes, self.value, self.seconds = game, nodes, value, seconds

    @property
    def line(self) -> str:
        """The line of the game in `bench/signature.txt`."""
        return f"{self.game} {self.nodes} {self.value}"

    @property
    def nodes_per_second(self) -> float:
        """Simulations a second, a figure of this machine at this moment only."""
        return self.nodes / self.seconds if self.seconds else 0.0


def measure(name: str, preset: str = PRESET) -> Signature:
    """Search all positions of a game and return its signature."""
    game = load(name)
    digest = hashlib.blake2b(digest_size=8)
    nodes = 0
    start = time.perf_counter()
    for view in positions.read(game):
        count, text = _search(game, view, preset)
        nodes += count
        digest.update(text.encode())
    return Signature(name, nodes, digest.hexdigest(), time.perf_counter() - start)


def _search(game: Game, view: State, preset: str) -> tuple[int, str]:
    searcher = Searcher(preset=preset, threads=1, seed=SEED)
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


def update(found: Signature) -> None:
    """Write the line of a game into `bench/signature.txt`."""
    lines = expected()
    lines[found.game] = found.line
    FILE.write_text("".join(f"{lines[name]}\n" for name in sorted(lines)), encoding="utf-8")
