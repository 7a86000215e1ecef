"""What the engine prints for a seat, for pairs of states that this seat can't tell apart."""

import os
import re
import tempfile
from typing import IO, Any

from bench.games import parse_game
from bench.measure.hidden import positions
from bench.seeds import PURPOSE_MEASURE
from engine import RandomStream
from engine.game import State
from protocol.server import Server

Out = dict[str, Any]

# The only words that may differ: they come from a clock.
_TIMES = re.compile(rb"\b(time|nps) \d+")
_QUERIES = ("turn", "legal", "view", "hash", "gameover", "result", "players", "game")


class Talk:
    """The engine's server in this process; its output goes to an open file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._server = Server(file.fileno())

    def ask(self, *lines: str) -> bytes:
        """Send lines, wait for the end of a search, return what was printed, times masked."""
        self._file.seek(0)
        self._file.truncate()
        for line in lines:
            self._server.handle(line)
        if self._server.job is not None:
            self._server.job.done.wait(60)
        size = os.lseek(self._file.fileno(), 0, os.SEEK_END)
        self._file.seek(0)
        return _TIMES.sub(rb"\1 *", self._file.read(size))


def engine_pairs(out: Out, identity: str, pairs: int, nodes: int, seed: int = 1) -> None:
    """Give the engine both full states of each pair and compare every byte that it prints.

    The seat is the one that decides; the engine must blind itself to it. Asked are all queries but
    `scores`, `d`, `legal`, an illegal move, and a search that reports all moves.
    """
    game = parse_game(identity)
    stream = RandomStream(seed, PURPOSE_MEASURE, 2**38)
    differing = unequal = printed = 0
    with tempfile.TemporaryFile() as file:
        talk = Talk(file)
        talk.ask("uhi", "isready")
        for state in positions(game, pairs, seed):
            view = state.view(state.seat_to_move)
            one, two = (_said(talk, view.determinize(stream), nodes) for _ in range(2))
            printed += len(one[1])
            unequal += one[0] != two[0]
            differing += one[1] != two[1]
    out.update(game=game.identity, pairs=pairs, differing=differing, bytes_compared=printed)
    out["pairs_with_other_secrets"] = unequal


def _said(talk: Talk, state: State, nodes: int) -> tuple[str, bytes]:
    text = state.to_text()
    lines = [f"position fen {text}", "d", "legal", *(f"query {word}" for word in _QUERIES)]
    search = f"go nodes {nodes} multipv 32 seed 1 id x"
    return text, talk.ask(*lines, search) + talk.ask(f"position fen {text} moves no:move", "d")
