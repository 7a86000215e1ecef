"""The rungs of a game with their measured ratings, as they are shipped."""

import math
from pathlib import Path
from typing import Any

from bench.contestant import Contestant, Limit, make_contestant
from bench.reading import TOML_MAX, parse_toml, read_text
from bench.text import visible
from engine.game import Game

FOLDER = Path(__file__).parent

# What is measured where no scale is given: (preset, nodes), about ascending. Greedy
# is left out: in Lofoten it is far weaker than the random player (4 % of the points in 40 games).
RUNGS = (
    ("random", 1),
    ("flat", 4),
    ("vanilla", 10),
    ("flat", 30),
    ("vanilla", 40),
    ("vanilla", 80),
    ("vanilla", 180),
    ("vanilla", 400),
)
ZERO = "random"


class NoScale(ValueError):
    """There is no scale for a game; the text says how to get one."""


class Rung:
    """One engine of the scale.

    Attributes:
        preset, nodes: what plays, and its simulations a decision.
        rating: in logistic Elo above the random player; NaN while it is not measured.
        low, high: ends of the 95 % interval of the measurement, None where nothing bounds it.
    """

    __slots__ = ("high", "low", "nodes", "preset", "rating")

    def __init__(
        self,
        preset: str,
        nodes: int,
        rating: float = math.nan,
        low: float | None = None,
        high: float | None = None,
    ) -> None:
        self.preset, self.nodes, self.rating = preset, nodes, rating
        self.low, self.high = low, high

    @property
    def label(self) -> str:
        """What it is called in tables; presets that do not search have one strength only."""
        return self.preset if self.nodes == 1 else f"{self.preset} {self.nodes}"

    @property
    def words(self) -> str:
        """The same in a sentence."""
        return self.preset if self.nodes == 1 else f"{self.preset} at {self.nodes} nodes"

    def contestant(self) -> Contestant:
        """Return the contestant that plays it."""
        made = make_contestant(self.preset, Limit(nodes=self.nodes), {})
        made.label = self.label
        return made


class Scale:
    """The measured rungs of a game, the weakest first.

    Attributes:
        game: identity of the game that they were measured with.
        rungs: all of them.
        about: how they were measured: command, seed, blocks a pair and games.
    """

    def __init__(self, game: str, rungs: list[Rung], about: dict[str, Any]) -> None:
        self.game, self.about = game, about
        self.rungs = sorted(rungs, key=lambda rung: rung.rating)

    def near(self, rating: float) -> str:
        """Return in words where a rating lies among the rungs."""
        below = [rung for rung in self.rungs if rung.rating <= rating]
        above = [rung for rung in self.rungs if rung.rating > rating]
        nearest = min(self.rungs, key=lambda rung: abs(rung.rating - rating))
        if abs(nearest.rating - rating) <= 35.0:  # 55 % of the points
            return f"about as strong as {nearest.words}"
        if not above:
            return f"stronger than {below[-1].words}, the highest rung"
        if not below:
            return f"weaker than {above[0].words}, the lowest rung"
        return f"between {below[-1].words} and {above[0].words}"


def scale_path(name: str) -> Path:
    """Return the file of the scale of a game, by the name of the game."""
    return FOLDER / f"{name}.toml"


def load_scale(game: Game, path: Path | None = None) -> Scale:
    """Return the scale of a game. Raises NoScale if there is none for exactly these settings."""
    file = scale_path(game.name) if path is None else path
    try:
        if path is None and not file.exists():
            raise NoScale(
                f"no scale for {game.name}; `drakkar ladder --measure --output FILE` makes one"
            )
        data = parse_toml(read_text(file, TOML_MAX))
        rungs = [Rung(**rung) for rung in data.pop("rung")]
        identity = str(data.pop("game"))
    except NoScale:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise NoScale(f"{visible(str(file))}: no scale: {error}") from None
    if identity != game.identity:
        raise NoScale(f"the scale was measured with {identity}, not with {game.identity}")
    return Scale(identity, rungs, data)


def scale_text(game: str, rungs: list[Rung], about: dict[str, Any]) -> str:
    """Return the TOML text of a scale."""
    import json

    lines = ["# Measured by `drakkar ladder --measure`; not written by hand.", ""]
    for name, value in {"game": game, **about}.items():
        lines.append(f"{name} = {json.dumps(value, ensure_ascii=False)}")
    for rung in sorted(rungs, key=lambda rung: rung.rating):
        lines += ["", "[[rung]]", f'preset = "{rung.preset}"', f"nodes = {rung.nodes}"]
        for name in ("rating", "low", "high"):
            value = getattr(rung, name)
            if value is not None:
                lines.append(f"{name} = {value:.1f}")
    return "\n".join(lines) + "\n"


__all__ = ["RUNGS", "ZERO", "NoScale", "Rung", "Scale", "load_scale", "scale_path", "scale_text"]
