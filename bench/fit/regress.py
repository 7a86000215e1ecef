"""The fit of `estimate`: least squares in margin and return together, by Gauss-Newton steps.

The model is the game's own C code. How its answers change with a weight is measured by trying two
values of it, so nothing about the game has to be told twice.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.batch import estimates, priors
from engine.game import Game

Array = Any

STEP = 0.02
"""By how much a weight is changed to see what it does."""
ENOUGH = 1e-5
"""A step that gains so little, a row or of the cost, ends the fit."""
HALVINGS = 6
"""How often a step is halved until it gains."""
CHUNK = 20_000
"""Rows whose slopes are held in memory at once."""


def predictions(game: Game, raw: bytes) -> Array:
    """Return seat 1's expected margin and return, two columns."""
    seats = game.num_seats
    flat = np.frombuffer(estimates(game, raw), dtype=np.float32)
    table = flat.reshape(-1, 2 * seats).astype(float)
    return table[:, [seats, 0]]


def shares(game: Game, raw: bytes) -> Array:
    """Return the priors, a row a position."""
    flat = np.frombuffer(priors(game, raw), dtype=np.float32)
    return flat.reshape(-1, game.max_moves).astype(float)


class Problem:
    """Weights to fit, from where, and how much each may move.

    Args:
        game: a game with the weights to begin with.
        chosen: numbers of the weights to fit.
        ridge: weight of the squared distance from the beginning, per row, in units of STEP's cost.
    """

    def __init__(self, game: Game, chosen: list[int], ridge: float) -> None:
        self.game, self.chosen, self.ridge = game, chosen, ridge
        self.start = np.array(game.weights)

    def slopes(self, weights: Array, ask: Callable[[Game], Array]) -> Array:
        """Return the change of the answers with each chosen weight: weights x rows x columns."""
        out = []
        for number in self.chosen:
            pair = []
            for sign in (1, -1):
                changed = weights.copy()
                changed[number] += sign * STEP
                pair.append(ask(self.game.with_weights(changed)))
            out.append((pair[0] - pair[1]) / (2 * STEP))
        return np.array(out)


def fit_estimate(
    problem: Problem,
    raw: Callable[[Array], bytes],
    targets: Array,
    rows: Array,
    stress: tuple[float, float],
    steps: int = 6,
) -> Array:
    """Return all weights of the game, the chosen ones fitted.

    Args:
        problem: what to fit.
        raw: gives the states of some rows.
        targets: margin and return of every row of the sample.
        rows: the rows to fit to.
        stress: what an error of one point counts, and one of a whole return.
        steps: Gauss-Newton steps; each is halved until it gains.
    """
    weights = problem.start.copy()
    scale = np.array(stress)
    states = raw(rows)

    def total(tried: Array) -> float:
        return _cost(problem, tried, states, targets[rows], scale)

    cost = total(weights)
    for _ in range(steps):
        square, gradient = _normal(problem, weights, raw, targets, rows, scale)
        away = (weights - problem.start)[problem.chosen]
        square += problem.ridge * len(rows) * np.eye(len(away))
        move = np.linalg.solve(square, gradient - problem.ridge * len(rows) * away)
        tried, gained = _improved(problem, weights, move, cost, total)
        if gained <= ENOUGH * cost:
            break
        weights, cost = tried, cost - gained
    return weights


def _cost(problem: Problem, weights: Array, states: bytes, targets: Array, scale: Array) -> float:
    rest = (targets - predictions(problem.game.with_weights(weights), states)) * scale
    away = (weights - problem.start)[problem.chosen]
    return float((rest**2).sum() + problem.ridge * len(targets) * (away**2).sum())


def _normal(
    problem: Problem,
    weights: Array,
    raw: Callable[[Array], bytes],
    targets: Array,
    rows: Array,
    scale: Array,
) -> tuple[Array, Array]:
    """Return the normal equations at some weights."""
    number = len(problem.chosen)
    square, gradient = np.zeros((number, number)), np.zeros(number)
    game = problem.game.with_weights(weights)
    for first in range(0, len(rows), CHUNK):
        part = rows[first : first + CHUNK]
        states = raw(part)
        rest = ((targets[part] - predictions(game, states)) * scale).reshape(-1)
        ask = _asker(states)
        slopes = (problem.slopes(weights, ask) * scale).reshape(number, -1)
        square += slopes @ slopes.T
        gradient += slopes @ rest
    return square, gradient


def _asker(states: bytes) -> Callable[[Game], Array]:
    return lambda game: predictions(game, states)


def fit_prior(problem: Problem, states: bytes, visits: Array, steps: int = 8) -> Array:
    """Return all weights of the game, those of the priors fitted to shares of visits.

    Newton steps on the cross entropy, each halved until it gains.

    Args:
        problem: what to fit.
        states: of the rows, joined.
        visits: of the legal moves, a row a state.
        steps: Newton steps.
    """
    weights = problem.start.copy()
    legal = shares(problem.game, states) > 0
    number = legal.sum(axis=1)
    first = np.cumsum(number) - number
    goal = (visits / visits.sum(axis=1, keepdims=True))[legal]

    def logs(game: Game) -> Array:
        return np.log(shares(game, states)[legal])

    def cost(tried: Array) -> float:
        away = (tried - problem.start)[problem.chosen]
        shrink = problem.ridge * len(number) * float((away**2).sum()) / 2
        return shrink - float((goal * logs(problem.game.with_weights(tried))).sum())

    now = cost(weights)
    for _ in range(steps):
        # Unlikely moves are cut off in the priors, so the slopes are taken anew each time.
        slopes = problem.slopes(weights, logs)
        share = shares(problem.game.with_weights(weights), states)[legal]
        # The mean slope of a position's moves cancels.
        means = np.add.reduceat(slopes * share, first, axis=1)
        centred = slopes - np.repeat(means, number, axis=1)
        away = (weights - problem.start)[problem.chosen]
        shrink = problem.ridge * len(number)
        square = (centred * share) @ centred.T + shrink * np.eye(len(away))
        move = np.linalg.solve(square, centred @ (goal - share) - shrink * away)
        tried, gained = _improved(problem, weights, move, now, cost)
        if gained <= ENOUGH * len(number):
            break
        weights, now = tried, now - gained
    return weights


def _improved(
    problem: Problem, weights: Array, move: Array, now: float, cost: Callable[[Array], float]
) -> tuple[Array, float]:
    """Return weights moved so far that the cost falls, and by how much; 0 if it does not."""
    for _ in range(HALVINGS):
        tried = weights.copy()
        tried[problem.chosen] += move
        gained = now - cost(tried)
        if gained > 0:
            return tried, gained
        move = move / 2
    return weights, 0.0


def cross_entropy(game: Game, states: bytes, visits: Array) -> float:
    """Return the mean cross entropy of the priors against shares of visits, in nats."""
    goal = visits / visits.sum(axis=1, keepdims=True)
    share = shares(game, states)
    return float(-(goal * np.log(np.where(share > 0, share, 1.0))).sum(axis=1).mean())
