"""An engine that plays with OpenSpiel's IS-MCTS in Python: `python -m bench.peers.engine`.

It speaks our protocol and knows all our games; see python_ismcts.py for whose work is what. It
honours `nodes`, `movetime`, clocks, `searchmoves` and `stop`; `go depth` searches DEPTH_NODES
simulations. Of the search options only `exploration` has a meaning: returns run from -1 to 1 here
and from 0 to 1 with us, so twice the number is used (0.7 becomes OpenSpiel's usual 1.4).

    drakkar match drakkar "python -m bench.peers.engine" --game lofoten --movetime 20 --games 100
"""

import argparse
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from time import monotonic_ns

from bench.peers.games import MISSING
from engine.game import State
from protocol.options import SEARCH
from protocol.server import Server
from protocol.signals import leave_on_signals
from protocol.stream import Writer
from protocol.thinking import Thinker
from search import Info, Limits, Result, Searcher
from search.event import Event
from search.info import Line
from search.options import parse_options

NAME = "id name OpenSpiel IS-MCTS in Python on the rules of Drakkar"
DEPTH_NODES = 1000
_MS = 1_000_000


class PeerSearcher(Searcher):
    """Searches with OpenSpiel's bot; the clock is divided as Searcher does it."""

    def __init__(self, move_overhead_ms: float) -> None:
        super().__init__(move_overhead_ms=move_overhead_ms)
        self.exploration = 0.7
        self._halt = Event()
        self._is_armed = False

    def arm(self) -> None:
        """Get ready for a `go` that another thread will start: from now on `stop` counts for it."""
        self._halt = Event()
        self._is_armed = True

    def stop(self) -> None:
        """Make the running `go` return after its present simulation."""
        self._halt.set()

    def new_game(self) -> None:
        """Do nothing: each search begins anew."""

    def go(
        self,
        view: State,
        limits: Limits,
        on_info: Callable[[Info], None] | None = None,
        info_ms: float = 100,
        multipv: int = 1,
        belief: object = None,
    ) -> Result:
        """Search and return the move to play; see Searcher.

        There are no reports on the way, and a belief is passed over.
        """
        from bench.peers.python_ismcts import search

        start = monotonic_ns()
        root = view if view.observer >= 0 else view.view(view.seat_to_move)
        if not self._is_armed:
            self.arm()
        self._is_armed = False
        halt = self._halt
        times = [limits.time_ms, self.share_ms(root, limits)]
        left = min((ms for ms in times if ms is not None), default=None)
        nodes = limits.nodes
        if limits.depth is not None:
            nodes = min(DEPTH_NODES if nodes is None else nodes, DEPTH_NODES)
        simulations, rows = search(
            root,
            nodes,
            None if left is None else start + int(left * _MS),
            self.seed,
            2 * self.exploration,
            halt.is_set,
            limits.searchmoves,
        )
        if limits.infinite:
            halt.wait()
        rows.sort(key=lambda row: (-row[1], -row[2], row[0]))
        lines = [_line(row, simulations) for row in rows[: max(multipv, 1)]]
        elapsed = max(monotonic_ns() - start, 1)
        info = Info(
            depth=1,
            seldepth=1,
            nodes=simulations,
            worlds=simulations,
            time_ms=elapsed // _MS,
            nps=simulations * 1_000_000_000 // elapsed,
            hashfull=0,
            lines=lines,
        )
        return Result(lines[0].move, None, info)


def _line(row: tuple[int, int, float], simulations: int) -> Line:
    """Return what is told of a root move; the mean, -1 to 1, stands for its margin too.

    The error is that of as many games that are won or lost.
    """
    move, visits, mean = row
    win = (mean + 1) / 2
    won = round(1000 * win)
    error = (win * (1 - win) / visits) ** 0.5 if visits > 1 else 0.5
    return Line(move, visits, simulations, win, mean, (won, 0, 1000 - won), [move], error)


class _PeerThinker(Thinker):
    def searcher(self, seed: int | None = None) -> PeerSearcher:
        """Return the searcher, with another seed where one is given."""
        overhead = self.options.number("Move Overhead")
        searcher = self._searcher
        if not isinstance(searcher, PeerSearcher) or searcher.move_overhead_ms != overhead:
            import bench.peers.python_ismcts as bot

            bot.load()
            self._searcher = searcher = PeerSearcher(overhead)
        searcher.seed = self.options.number("Seed") if seed is None else seed
        wanted = parse_options(self.options.text(SEARCH)).get("exploration", 0.7)
        searcher.exploration = float(wanted or 0.0)
        return searcher


class _PeerWriter(Writer):
    def write(self, *lines: str) -> None:
        """Write lines; the engine has a name of its own."""
        super().write(*(NAME if line.startswith("id name ") else line for line in lines))


class PeerServer(Server):
    """The engine process with another search behind it."""

    def __init__(self, out_fd: int, in_fd: int = -1) -> None:
        super().__init__(out_fd, in_fd)
        self.writer = _PeerWriter(out_fd, in_fd)
        self.thinker = _PeerThinker(self.options, self.writer)


def main() -> int:
    """Serve standard input and output until `quit`; return the exit code of the process."""
    argparse.ArgumentParser(prog="python -m bench.peers.engine", description=__doc__).parse_args()
    if find_spec("pyspiel") is None:
        print(MISSING, file=sys.stderr)
        return 1
    leave_on_signals()
    out_fd = os.dup(1)
    os.dup2(2, 1)
    PeerServer(out_fd, in_fd=0).serve()
    return 0


if __name__ == "__main__":
    sys.exit(main())
