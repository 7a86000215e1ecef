"""Positions of many games as arrays."""

from typing import Any

import numpy as np

from bench.fit.selfplay import Played

Array = Any
"""A numpy array."""

BANDS = 5
"""Parts of a game by its decisions, for reports."""


class Sample:
    """What is fitted to.

    Attributes:
        states: the bytes of each position.
        game: the number of the game of each position.
        band: in which part of the game it is, 0 to BANDS - 1.
        final: seat 1's margin and points (1, 1/2 or 0) at the end, two columns.
        searched: the same as the search saw it, margin and expected return.
        visits: of the legal moves, a row a position, 0 beyond them.
    """

    def __init__(self, games: list[Played], max_moves: int) -> None:
        rows = [(game, i, p) for game in games for i, p in enumerate(game.positions)]
        self.states = [p.state for _, _, p in rows]
        self.game = np.array([game.number for game, _, _ in rows])
        self.band = np.array([i * BANDS // len(game.positions) for game, i, _ in rows])
        self.final = np.array([(game.margin, game.points[0]) for game, _, _ in rows])
        self.searched = np.array([(p.margin, p.win) for _, _, p in rows])
        self.visits = np.zeros((len(rows), max_moves))
        for row, (_, _, position) in zip(self.visits, rows, strict=True):
            row[: len(position.visits)] = position.visits

    def __len__(self) -> int:
        return len(self.states)

    def targets(self, mix: float) -> Array:
        """Return margin and points to fit: `mix` of the end, the rest of the search."""
        return mix * self.final + (1 - mix) * self.searched

    def raw(self, rows: Array) -> bytes:
        """Return the states of some rows, joined."""
        return b"".join([self.states[i] for i in rows])
