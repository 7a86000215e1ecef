"""Positions and workers to search with."""

import engine
import search
from search.control import StopFlag
from search.ismcts import IsmctsWorker

HANG_S = 20
PRESETS = list(search.PRESETS)


def position(game: "engine.Game", plies: int, seed: int = 3) -> "engine.State":
    """Return a full state at a decision, some random decisions after the start of a game."""
    stream = engine.RandomStream(seed)
    state = game.new_state()
    while state.is_chance or state.ply < plies:
        moves = state.legal_moves()
        if state.is_chance:
            state.apply(state.sample_chance(stream))
        else:
            state.apply(moves[stream.below(len(moves))])
        assert not state.is_terminal
    return state


def positions(game: "engine.Game") -> "list[engine.State]":
    """Return some decisions of a game, early and, if it is long, later."""
    return [position(game, p) for p in (0, 1, 40, 250) if p < game.max_plies // 2]


def make_worker(view, index=0, searchmoves=None, playout_plies=None, hash_bytes=1 << 20):
    """Return a worker of IS-MCTS and its stop flag."""
    flag = StopFlag()
    worker = IsmctsWorker(
        view, flag, 0, index, searchmoves, playout_plies, exploration=0.7, hash_bytes=hash_bytes
    )
    return worker, flag


def told(result):
    """Return what has to repeat of a result: all but times."""
    info = result.info
    lines = [(x.move, x.visits, x.win, x.margin, x.wdl, x.error, x.pv) for x in info.lines]
    return result.best_move, info.nodes, info.depth, info.hashfull, lines


def decision(plies=40, least=4, game="lofoten"):
    """Return a full state with a choice of so many moves or more."""
    game = engine.load(game)
    states = (position(game, plies, seed) for seed in range(100))
    return next(state for state in states if len(state.legal_moves()) >= least)
