"""The frozen evaluator: a linear guess of the final margin, read from a file of this folder.

An adjusted result is right for any evaluator, a bad one only saves less. What must not happen is
that somebody picks the evaluator after seeing the results. So it is fixed in a file before the run,
the head of the run names its hash, and it refuses to judge what it was not fitted for.
"""

import json
import tomllib
from collections.abc import Callable, Sequence
from hashlib import blake2b
from operator import mul
from pathlib import Path
from typing import Any

from engine import RandomStream
from engine.game import Game, State

FOLDER = Path(__file__).resolve().parent
DIGITS = 9
"""Decimal places of the weights and of luck in a file."""

_PURPOSE_PROBE = 1012
_PROBE_EVENTS = 600
_PROBE_EVERY = 60
_TOLERANCE = 1e-6


class NoEvaluator(ValueError):
    """There is no evaluator for a game, or it does not fit; one line for people says why."""


class Evaluator:
    """Values of full states as each seat sees them, in points of the final margin.

    Attributes:
        game: the game that it judges.
        identity: of that game, with all its settings.
        weights: one for each of the game's features.
        score_coefficient: share of a win that one point of luck is worth.
        hash: 12 hexadecimal digits of all that its judgements depend on.
        name: file name, for people.
    """

    def __init__(
        self, game: Game, weights: Sequence[float], score_coefficient: float, name: str = ""
    ) -> None:
        if not game.feature_names:
            raise NoEvaluator(f"{game.name} has no features, so its luck cannot be measured")
        if len(weights) != len(game.feature_names):
            raise NoEvaluator(
                f"{name or 'the evaluator'}: {len(weights)} weights for the "
                f"{len(game.feature_names)} features of {game.name}"
            )
        self.game, self.identity, self.name = game, game.identity, name
        self.weights = [float(weight) for weight in weights]
        self.score_coefficient = float(score_coefficient)
        self.probe = self._probe()
        self.hash = self._hash()
        self.values: Callable[[State], list[float]] = (
            self._values_of_two if game.num_seats == 2 else self._values
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Evaluator, (self.game, self.weights, self.score_coefficient, self.name)

    def __repr__(self) -> str:
        return f"<Evaluator {self.hash} of {self.identity}>"

    def features(self, state: State, seat: int) -> list[float]:
        """Return what the weights are for: at a table of two, halves of the seats' difference.

        So the values of two seats always differ in their sign only.
        """
        return symmetric_features(self.game, state, seat)

    def _values(self, state: State) -> list[float]:
        """Return the value of a full state for each seat."""
        features, weights = self.game.features, self.weights
        return [
            sum(map(mul, weights, features(state, seat))) for seat in range(self.game.num_seats)
        ]

    def _values_of_two(self, state: State) -> list[float]:
        first, second = self._values(state)
        value = (first - second) / 2
        return [value, -value]

    def _probe(self) -> list[float]:
        """Return values along a random game; they tell whether the features are still the same."""
        values: list[float] = []
        stream = RandomStream(1, _PURPOSE_PROBE)
        state = self.game.new_state()
        for event in range(_PROBE_EVENTS):
            if state.is_terminal:
                state = self.game.new_state()
            if state.is_chance:
                move = state.sample_chance(stream)
            else:
                moves = state.legal_moves()
                move = moves[stream.below(len(moves))]
            state.apply(move)
            if event % _PROBE_EVERY == _PROBE_EVERY - 1:
                values += [round(value, 6) + 0.0 for value in self._values(state)]
        return values

    def _hash(self) -> str:
        content = [self.identity, list(self.game.feature_names), self.weights]
        text = json.dumps([*content, self.score_coefficient, self.probe], separators=(",", ":"))
        return blake2b(text.encode(), digest_size=6).hexdigest()


def symmetric_features(game: Game, state: State, seat: int) -> list[float]:
    """Return the features of a full state for a seat; those of two seats are exact opposites."""
    own = game.features(state, seat)
    if game.num_seats != 2:
        return own
    other = game.features(state, 1 - seat)
    return [(a - b) / 2 for a, b in zip(own, other, strict=True)]


def load(game: Game, path: str | Path = "") -> Evaluator:
    """Return the evaluator of a file; without a path, the shipped one fitted for this very game.

    Raises NoEvaluator: none is shipped for this game and settings, the file cannot be read, was
    fitted for other settings, or the game's features are no longer those it was fitted with.
    """
    if not game.feature_names:
        raise NoEvaluator(f"{game.name} has no features, so its luck cannot be measured")
    if path:
        return _evaluator(game, _read(Path(path)), Path(path))
    for file in sorted(FOLDER.glob("*.toml")):
        content = _read(file)
        if content.get("identity") == game.identity:
            return _evaluator(game, content, file)
    raise NoEvaluator(
        f"no evaluator is shipped for {game.identity}; make one with "
        f"`python -m bench.luck.fit {game.identity!r} --out FILE`"
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NoEvaluator(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise NoEvaluator(f"{path}: {error}") from None


def _evaluator(game: Game, content: dict[str, Any], path: Path) -> Evaluator:
    fitted = content.get("identity")
    if fitted != game.identity:
        raise NoEvaluator(f"{path} was fitted for {fitted}, the game is {game.identity}")
    names = list(game.feature_names)
    try:
        if content["features"] != names:
            raise NoEvaluator(f"{path}: its features are not those of {game.name}; fit it again")
        weights, coefficient = content["weights"], content["score_coefficient"]
        evaluator = Evaluator(game, weights, coefficient, path.name)
        told = [float(value) for value in content["probe"]]
    except (KeyError, TypeError) as error:
        raise NoEvaluator(f"{path}: no evaluator ({error!r})") from None
    if len(told) != len(evaluator.probe) or any(
        abs(a - b) > _TOLERANCE for a, b in zip(told, evaluator.probe, strict=True)
    ):
        raise NoEvaluator(
            f"{path}: the features of {game.name} give other numbers now; fit it again"
        )
    return evaluator


__all__ = ["DIGITS", "FOLDER", "Evaluator", "NoEvaluator", "load", "symmetric_features"]
