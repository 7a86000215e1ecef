"""Weights fitted to winning: games by priors and short looks ahead are cheap, so play very many.

Weights fitted to searches have the mistakes of searches, and an estimate that tells well how a game
ends need not tell well which of two moves is better. Here weights climb by simultaneous
perturbation (SPSA: J. C. Spall, IEEE TAC 37(3), 1992): in each step all are changed a little at
once, up or down by lot, games are played against the opposite changes, and all go some way to the
side that won. The result is the mean of the last steps.

Two styles of play, one after the other. By priors alone, to a power, so that weights gain little by
growing, the weights of the priors climb. By priors and what some short playouts come to, a small
likeness of the search, all weights do.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from bench.fit.regress import predictions, shares
from bench.fit.rounds import active
from bench.seeds import PURPOSE_POSITIONS, deal_seed
from engine import RandomStream
from engine.batch import policy_games
from engine.game import Game

Array = Any
"""A numpy array."""


class Style(NamedTuple):
    """How both sides move in the games of a fit, and how far weights go in it.

    Attributes:
        name: for the figures.
        games: of a step.
        change: how far a weight is changed to see what it does, in parts of its size.
        rate: how far a weight goes in the first step, about, in parts of its size.
        power, sharpness, playouts, plies, points: see `engine.batch.policy_games`.
    """

    name: str
    games: int
    change: float
    rate: float
    power: int
    sharpness: float = 0.0
    playouts: int = 1
    plies: int = 0
    points: int = 1

    @property
    def policy(self) -> tuple[Any, ...]:
        """What `engine.batch.policy_games` is told."""
        return self[4:]


BY_PRIORS = Style("priors alone", games=2000, change=0.3, rate=0.04, power=4)
# Fewer games tell of more weights here, and a fit with the steps of the other style lost.
AHEAD = Style("short looks ahead", 800, 0.15, 0.015, 4, 100.0, playouts=4, plies=12)
LAST_MATCH = 20
"""So many times as many are played at the end against the weights at the beginning."""
LEAST_SIZE = 0.3
"""Smaller weights count as of this size."""
LAST_RATE = 0.1
"""The rate of the last step, in parts of that of the first."""
MEMORY, LONG_MEMORY = 0.95, 0.999
"""What is kept from step to step of the mean slope, and of its mean square."""
MEAN_OF = 0.4
"""The share of the steps, at the end, over which the result is averaged."""
PROBE_GAMES = 10
TELL_EVERY = 100


def climb(
    start: Array,
    gain: Callable[[Array, Array, int], float],
    steps: int,
    lots: Any,
    size: float,
    first_rate: float,
) -> Array:
    """Return where `gain` is large, near the start.

    Args:
        start: numbers of size 1, about.
        gain: `gain(a, b, step)` is how much better `a` does than `b`, with noise, 0 if as well.
        steps: how many.
        lots: a numpy generator.
        size: of the change that shows a slope.
        first_rate: how far a number goes in the first step, about.
    """
    now, slope, square = np.array(start, dtype=float), np.zeros(len(start)), 0.0
    total, number = np.zeros(len(start)), 0
    for step in range(steps):
        change = size * lots.choice((-1.0, 1.0), len(start))
        found = gain(now + change, now - change, step) / change
        slope = MEMORY * slope + (1 - MEMORY) * found
        share = LONG_MEMORY if step else 0.0
        square = share * square + (1 - share) * float((found**2).mean())
        rate = first_rate * (1 + (LAST_RATE - 1) * step / steps)
        now = now + rate * slope / (np.sqrt(square) + 1e-9)
        if step >= int((1 - MEAN_OF) * steps):
            total, number = total + now, number + 1
    mean: Array = total / number
    return mean


class Arena:
    """Plays games of a style for one fit.

    Args:
        game: with the weights to begin with.
        style: how both sides move.
        seed: of all games.
        jobs: threads; the result does not depend on it.
    """

    def __init__(self, game: Game, style: Style, seed: int, jobs: int) -> None:
        self.game, self.style, self.seed, self.jobs = game, style, seed, jobs

    def match(self, one: Game, two: Game, games: int, name: int) -> tuple[float, float]:
        """Return points (0 to 1) and margin of `one` in so many games; `name` tells luck apart."""
        number = max(games // 2, 1)
        cuts = [number * part // self.jobs for part in range(self.jobs + 1)]
        spans = [(first, end - first) for first, end in zip(cuts, cuts[1:], strict=False)]
        seed = deal_seed(self.seed, name)

        def play(span: tuple[int, int]) -> tuple[float, float]:
            first, some = span
            return policy_games(one, two, seed, first, some, *self.style.policy)

        spans = [span for span in spans if span[1]]
        with ThreadPoolExecutor(self.jobs) as pool:
            parts = list(pool.map(play, spans))
        # Points and margins are whole or halves: the sums are exact, whatever the parts.
        points, margin = (sum(part) / (2 * number) for part in zip(*parts, strict=True))
        return points, margin


def weights_of(game: Game, style: Style) -> list[int]:
    """Return the numbers of the weights to fit: all that matter, or those of the priors alone."""
    raw = _positions(game)
    moved = active(game, lambda one: shares(one, raw))
    valued = active(game, lambda one: predictions(one, raw))
    return sorted({*moved, *valued} if style.sharpness else {*moved} - {*valued})


def _positions(game: Game) -> bytes:
    lots, found = RandomStream(1, PURPOSE_POSITIONS), []
    for _ in range(PROBE_GAMES):
        state = game.new_state()
        while not state.is_terminal:
            if state.is_chance:
                state.apply(state.sample_chance(lots))
                continue
            moves = state.legal_moves()
            found.append(state.to_bytes())
            state.apply(moves[lots.below(len(moves))])
    return b"".join(found)


def fit_winning(
    arena: Arena, steps: int, say: Callable[[str], None]
) -> tuple[Game, dict[str, float]]:
    """Return the game with fitted weights, and what it scores against the one at the beginning."""
    game, style = arena.game, arena.style
    chosen = weights_of(game, style)
    begin = np.array(game.weights)
    size = np.maximum(np.abs(begin[chosen]), LEAST_SIZE)

    def with_weights(numbers: Array) -> Game:
        weights = begin.copy()
        weights[chosen] = numbers * size
        return game.with_weights(list(weights))

    def gain(one: Array, two: Array, step: int) -> float:
        if step % TELL_EVERY == TELL_EVERY - 1:
            say(f"{style.name}: step {step + 1} of {steps}")
        return arena.match(with_weights(one), with_weights(two), style.games, step + 1)[0] - 0.5

    lots = np.random.Generator(np.random.PCG64([arena.seed, PURPOSE_POSITIONS]))
    fitted = with_weights(climb(begin[chosen] / size, gain, steps, lots, style.change, style.rate))
    points, margin = arena.match(fitted, game, LAST_MATCH * style.games, 0)
    return fitted, {
        f"{style.name}, against the weights before: points": points,
        f"{style.name}, against the weights before: margin": margin,
    }
