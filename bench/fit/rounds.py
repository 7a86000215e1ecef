"""Rounds of self-play and fitting: the weights of one round play the games of the next."""

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.fit.regress import Problem, fit_estimate, fit_prior, predictions, shares
from bench.fit.report import figures, prior_figures
from bench.fit.sample import Sample
from bench.fit.selfplay import Played, Player, play_all
from bench.seeds import PURPOSE_POSITIONS, deal_seed
from engine.game import Game

Array = Any

HELD = 5
"""One game in so many is kept from the fit, for the figures."""
MIX = 0.5
"""Weight of how a game ended in what estimates are fitted to; the rest is what the search saw."""
UNSEEN = 2.0
"""Visits that every legal move is given in addition, where priors are fitted."""
RIDGE, PRIOR_RIDGE = 3e-4, 1e-3
RETURN_STRESS = 2.0
"""What an error of a whole return counts, where one deviation of the margin counts 1."""
PROBE_ROWS, PROBE_STEP = 3000, 0.05
"""Positions and change that show whether a weight matters at all."""


class Plan:
    """How much to do.

    Attributes:
        games: of each round.
        rounds: how many.
        rows, prior_rows: positions fitted to, at most.
        steps: Gauss-Newton steps.
        jobs: processes that play.
        seed: of everything.
    """

    __slots__ = ("games", "jobs", "prior_rows", "rounds", "rows", "seed", "steps")

    def __init__(
        self,
        games: int,
        rounds: int,
        jobs: int,
        seed: int,
        rows: int = 120_000,
        prior_rows: int = 20_000,
        steps: int = 5,
    ) -> None:
        self.games, self.rounds, self.jobs, self.seed = games, rounds, jobs, seed
        self.rows, self.prior_rows, self.steps = rows, prior_rows, steps


def fit(
    game: Game, player: Player, plan: Plan, say: Callable[[str], None]
) -> tuple[Game, dict[str, float]]:
    """Return the game with the weights of the last round, and figures on games held out."""
    found: dict[str, float] = {}
    played: list[Played] = []
    for number in range(plan.rounds):
        told = Player(player.preset, player.options, player.nodes, list(game.weights))
        seed = deal_seed(plan.seed, number)
        games = _play(game, told, seed, plan, number, say)
        # The last two rounds: older games were played worse.
        shift = plan.games * number
        for one in games:
            one.number += shift
        played = [one for one in played if one.number >= shift - plan.games] + games
        game, found = fit_round(game, played, plan, seed)
        for name, value in found.items():
            say(f"  {name}: {value:.4f}")
    return game, found


def _play(
    game: Game, player: Player, seed: int, plan: Plan, number: int, say: Callable[[str], None]
) -> list[Played]:
    games: list[Played] = []
    for batch in play_all(game.identity, player, seed, plan.games, plan.jobs):
        games += batch
        if len(games) % 100 < len(batch) or len(games) == plan.games:
            say(f"round {number + 1}: {len(games)} of {plan.games} games")
    return games


def fit_round(
    game: Game, played: list[Played], plan: Plan, seed: int
) -> tuple[Game, dict[str, float]]:
    """Fit to some games; return the game with its new weights and the figures."""
    sample = Sample(played, game.max_moves)
    lots = np.random.Generator(np.random.PCG64([seed, PURPOSE_POSITIONS]))
    held = np.flatnonzero(sample.game % HELD == 0)
    rest = np.flatnonzero(sample.game % HELD)
    rows = _some(lots, rest, plan.rows)
    probe = sample.raw(_some(lots, rest, PROBE_ROWS))

    stress = (1.0 / max(float(sample.final[:, 0].std()), 1e-9), RETURN_STRESS)
    problem = Problem(game, active(game, lambda g: predictions(g, probe)), RIDGE)
    fitted = game.with_weights(
        fit_estimate(problem, sample.raw, sample.targets(MIX), rows, stress, plan.steps)
    )
    rows = _some(lots, rest, plan.prior_rows)
    # What the estimate is made of too moves the priors, but is not fitted to them.
    moved = set(active(fitted, lambda g: shares(g, probe))) - set(problem.chosen)
    problem = Problem(fitted, sorted(moved), PRIOR_RIDGE)
    states, visits = sample.raw(rows), sample.visits[rows]
    # A move that was not tried is not impossible.
    visits = visits + UNSEEN * (shares(fitted, states) > 0)
    fitted = fitted.with_weights(fit_prior(problem, states, visits))
    test = _some(lots, held, plan.prior_rows)
    return fitted, figures(fitted, sample, test) | prior_figures(fitted, sample, test)


def _some(lots: Any, rows: Array, most: int) -> Array:
    """Return at most so many of the rows, drawn, in order."""
    if len(rows) <= most:
        return rows
    return np.sort(lots.choice(rows, most, replace=False))


def active(game: Game, ask: Callable[[Game], Array]) -> list[int]:
    """Return the numbers of the weights that change an answer."""
    weights, now = np.array(game.weights), ask(game)
    found = []
    for number in range(len(weights)):
        changed = weights.copy()
        changed[number] += PROBE_STEP
        if np.abs(ask(game.with_weights(changed)) - now).max() > 1e-6:
            found.append(number)
    return found
