"""How well a game's estimates and priors foretell what happened in games not used in fitting."""

from typing import Any

import numpy as np

from bench.fit.regress import cross_entropy, predictions, shares
from bench.fit.sample import BANDS, Sample
from engine.game import Game

Array = Any

LEAST = 1e-3
"""Expected returns are kept so far from 0 and 1 where their logarithm is taken."""


def explained(values: Array, guess: Array) -> float:
    """Return R2: the share of the variance of `values` that `guess` takes away."""
    return float(1 - ((values - guess) ** 2).mean() / values.var()) if values.var() > 0 else 0.0


def log_loss(points: Array, guess: Array) -> float:
    """Return the mean loss of expected returns against points (1, 1/2 or 0), in nats."""
    share = np.clip(guess, LEAST, 1 - LEAST)
    return float(-(points * np.log(share) + (1 - points) * np.log(1 - share)).mean())


def margins_now(game: Game, sample: Sample, rows: Array) -> Array:
    """Return seat 1's margin if scored now, the naive estimate."""
    state = game.new_state()
    out = []
    for row in rows:
        state.load_bytes(sample.states[row])
        out.append(state.margins()[0])
    return np.array(out)


def figures(game: Game, sample: Sample, rows: Array) -> dict[str, float]:
    """Return the figures of all rows and of each band: see README.md."""
    guess = predictions(game, sample.raw(rows))
    now = margins_now(game, sample, rows)
    final, found = sample.final[rows], {}
    for band in range(-1, BANDS):
        part = slice(None) if band < 0 else sample.band[rows] == band
        name = "all" if band < 0 else f"band {band + 1}"
        if not len(final[part]):
            continue
        found[f"{name}: R2"] = explained(final[part, 0], guess[part, 0])
        found[f"{name}: R2 of the margin now"] = explained(final[part, 0], now[part])
        found[f"{name}: log loss"] = log_loss(final[part, 1], guess[part, 1])
    return found


def prior_figures(game: Game, sample: Sample, rows: Array) -> dict[str, float]:
    """Return how near the priors of some rows are to the shares of visits."""
    visits, states = sample.visits[rows], sample.raw(rows)
    goal = visits / visits.sum(axis=1, keepdims=True)
    logs = np.log(np.where(goal > 0, goal, 1.0))
    same = shares(game, states).argmax(axis=1) == visits.argmax(axis=1)
    return {
        "priors: cross entropy": cross_entropy(game, states, visits),
        "priors: entropy of the visits": float(-(goal * logs).sum(axis=1).mean()),
        "priors: same first choice": float(same.mean()),
    }
