"""Fit the evaluator of a game and write it to a file. Needs numpy.

    python -m bench.luck.fit lofoten

The weights are fitted to what luck led to, not to how good positions are. First a rough forecast of
the final margin is fitted to all positions in which luck was about to decide. Then the change of
that forecast over the next events, up to some horizon, is fitted to what the outcome changed in the
features beyond its mean. Horizons are compared on games that were not fitted to. A short one leaves
out late effects, a long one drowns them in everything else that happens.
"""

import argparse
import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from bench.games import parse_game
from bench.luck.evaluator import DIGITS, FOLDER, Evaluator, symmetric_features
from bench.luck.games import MIXES, Mix
from bench.referee.game_result import seat_points
from engine import EngineError
from engine.game import Game, State

Array = Any
"""A numpy array of floats."""

SEED = 20_261
HORIZONS = (30, 120, 480, 1_000_000)
"""Events after which the forecast is asked again; a game that ends before has its margin."""
FOLDS = 5
RIDGE = 1e-3
"""Shrinks weights; per row of the sample, features in standard deviations."""


class Sample:
    """Chance events of games, and what came of the games, from each seat that is asked.

    Attributes:
        changes: what each outcome changed in the features beyond the mean of all outcomes.
        before: the features before each event.
        place: how many events of the game came before.
        games: the row in `margins` and `points` that an event belongs to; ascending.
        margins, points: of each game, a row a seat; of two seats only the first is kept.
    """

    def __init__(self) -> None:
        self._changes: list[Array] = []
        self._before: list[list[float]] = []
        self._place: list[int] = []
        self._games: list[int] = []
        self._margins: list[float] = []
        self._points: list[float] = []

    def add(self, game: Game, events: list[str], state: State) -> None:
        """Take a finished game and its last state."""
        margins, returns = state.margins(), state.returns()
        for seat in range(1 if game.num_seats == 2 else game.num_seats):
            self._add_seat(game, events, seat)
            self._margins.append(margins[seat])
            self._points.append(seat_points(returns, seat))

    def _add_seat(self, game: Game, events: list[str], seat: int) -> None:
        state, row = game.new_state(), len(self._margins)
        for place, token in enumerate(events):
            move = game.parse_event(token)[1]
            outcomes = state.chance_outcomes() if state.is_chance else []
            if len(outcomes) > 1:
                self._before.append(symmetric_features(game, state, seat))
                after = {}
                for outcome, _ in outcomes:
                    twin = state.copy()
                    twin.apply(outcome)
                    after[outcome] = symmetric_features(game, twin, seat)
                mean = np.array([p for _, p in outcomes]) @ np.array(list(after.values()))
                self._changes.append(np.array(after[move]) - mean)
                self._place.append(place)
                self._games.append(row)
            state.apply(move)

    def finish(self) -> "Sample":
        """Turn the lists into arrays; return the sample itself."""
        self.changes, self.before = np.array(self._changes), np.array(self._before)
        self.place, self.games = np.array(self._place), np.array(self._games)
        self.margins, self.points = np.array(self._margins), np.array(self._points)
        return self


def ridge(rows: Array, values: Array) -> Array:
    """Return the weights that fit values best by the sum of squares, shrunk a little."""
    spread = np.sqrt((rows**2).mean(axis=0))
    spread[spread < 1e-9] = np.inf
    scaled = rows / spread
    square = scaled.T @ scaled + RIDGE * len(rows) * np.eye(rows.shape[1])
    return np.linalg.solve(square, scaled.T @ values) / spread


def changed_forecasts(sample: Sample, forecast: Array, horizon: int) -> Array:
    """Return by how much the forecast differs `horizon` events after each event."""
    later = np.empty(len(forecast))
    for game in range(len(sample.margins)):
        first, end = np.searchsorted(sample.games, (game, game + 1))
        place = sample.place[first:end]
        known = np.append(forecast[first:end], sample.margins[game])
        later[first:end] = known[np.searchsorted(place, place + horizon)]
    return later - forecast


def luck(sample: Sample, weights: Array) -> Array:
    """Return the luck of each game."""
    return np.bincount(sample.games, sample.changes @ weights, len(sample.margins))


def slope(values: Array, by: Array) -> float:
    """Return how much of `values` goes with one of `by`."""
    return float(np.cov(values, by)[0, 1] / by.var(ddof=1)) if by.var() > 0 else 0.0


def held_out_luck(sample: Sample, target: Array, seats: int) -> Array:
    """Return the luck of each game by weights that were fitted to the other games."""
    total = np.zeros(len(sample.margins))
    fold = np.arange(len(total)) // seats % FOLDS
    for number in range(FOLDS):
        fitted = fold[sample.games] != number
        weights = ridge(sample.changes[fitted], target[fitted])
        total = np.where(fold == number, luck(sample, weights), total)
    return total


def explained(values: Array, by: Array) -> float:
    """Return the share of the variance that is gone when the best multiple of `by` is taken off."""
    return float(np.corrcoef(values, by)[0, 1] ** 2) if by.var() > 0 else 0.0


def fit(game: Game, mixes: tuple[Mix, ...], seed: int) -> tuple[Evaluator, dict[str, Any]]:
    """Play games and return the evaluator fitted to them, and figures on how well it fits."""
    sample, first = Sample(), 0
    for mix in mixes:
        for referee in mix.play(game, seed, first):
            sample.add(game, referee.events, referee.state)
        first += mix.games
    sample.finish()
    kept = 1 if game.num_seats == 2 else game.num_seats
    forecast = sample.before @ ridge(sample.before, sample.margins[sample.games])
    targets = {h: changed_forecasts(sample, forecast, h) for h in HORIZONS}
    held_out = {h: held_out_luck(sample, target, kept) for h, target in targets.items()}
    shares = {h: explained(sample.margins, total) for h, total in held_out.items()}
    horizon = max(shares, key=lambda h: shares[h])
    weights = ridge(sample.changes, targets[horizon])
    weights *= slope(sample.margins, held_out[horizon])
    total = luck(sample, weights)
    coefficient = slope(sample.points, total)
    rounded = [round(float(weight), DIGITS) + 0.0 for weight in weights]
    evaluator = Evaluator(game, rounded, round(coefficient, DIGITS))
    figures = {
        "games": first,
        "chance_events": len(sample.games),
        "horizon": horizon,
        "luck_deviation": round(float(total.std()), 4),
        "margin_deviation": round(float(sample.margins.std()), 4),
        "held_out_r2_margin": round(shares[horizon], 4),
        "held_out_r2_points": round(explained(sample.points, held_out[horizon]), 4),
    }
    return evaluator, figures


def to_toml(evaluator: Evaluator, provenance: dict[str, Any]) -> str:
    """Return the text of an evaluator's file."""
    content: dict[str, Any] = {
        "identity": evaluator.identity,
        "features": list(evaluator.game.feature_names),
        "weights": evaluator.weights,
        "score_coefficient": evaluator.score_coefficient,
        "probe": evaluator.probe,
    }
    lines = ["# A frozen evaluator of luck; any change makes another one. See README.md."]
    lines += [f"{key} = {_toml(value)}" for key, value in content.items()]
    lines += ["", "[fit]", *(f"{key} = {_toml(value)}" for key, value in provenance.items())]
    text = "\n".join(lines) + "\n"
    tomllib.loads(text)
    return text


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return f"'{value}'" if "'" not in value else f'"{value}"'
    if isinstance(value, list):
        return "[\n" + "".join(f"    {_toml(item)},\n" for item in value) + "]"
    return repr(value)


def main(arguments: list[str]) -> int:
    """Fit, write the file and print what came of it; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.luck.fit", description="Fit luck.")
    parser.add_argument("game", help="a game with its settings, such as 'lofoten jarls=on'")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--scale", type=float, default=1.0, help="more or fewer games")
    parser.add_argument("--out", type=Path, help="file; default: GAME.toml beside this script")
    options = parser.parse_args(arguments)
    try:
        game = parse_game(options.game)
    except (EngineError, ValueError) as error:
        parser.error(str(error))
    if not game.feature_names:
        parser.error(f"{game.name} has no features")
    scale = options.scale
    mixes = tuple(
        Mix(m.preset, m.nodes, m.playout_plies, max(20, round(m.games * scale))) for m in MIXES
    )
    evaluator, figures = fit(game, mixes, options.seed)
    words = ["python", "-m", "bench.luck.fit", *arguments]
    provenance = {
        "command": shlex.join(words).replace("'", '"'),
        "seed": options.seed,
        "players": [str(mix) for mix in mixes],
        **figures,
    }
    path = options.out or FOLDER / f"{game.name}.toml"
    path.write_text(to_toml(evaluator, provenance), encoding="utf-8")
    print(f"{path}: evaluator {evaluator.hash}")
    for name, value in provenance.items():
        print(f"  {name}: {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
