"""Fit the model of play that Lofoten's beliefs rest on, to games of the search against itself.

    python -m bench.fit_choices --games 1500 --nodes 300 --seed 7

writes `engine/games/lofoten/choice_weights.py`: the weights of each feature (choices.pyx) by
penalised maximum likelihood, and how far decisions are trusted (belief.pyx), the best of a grid on
a fifth of the games, which the weights were not fitted to. The same arguments give the same file
with the same search. Then build again.
"""

import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

import engine.games.lofoten.choice_weights as shipped
from bench.games import parse_game
from bench.measure.beliefs import Watch
from bench.measure.selfplay import Player, play
from engine.game import Game, State
from engine.games.lofoten.belief import set_trust
from engine.games.lofoten.choices import set_weights

Array = NDArray[np.float64]

GAMES = {"base": "lofoten", "modules": "lofoten level2=2 jarls=on upgrades=on"}
KIND_PLAY, KIND_REDRAW, KIND_PUT = 1, 2, 10
DRAWN, DOCK, NO_CARD, PRICE_REDRAW = 3, 2, 15, 2
# Square of the usual size of a weight, inverted: holds weights that games say little of near 0.
PENALTY = 1.0
STEPS = 25
TRUSTS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
# What is never allowed counts as so little.
BARRED = -1e9


class Choices:
    """Decisions of one kind: features of each alternative, which are allowed, the one chosen."""

    def __init__(self) -> None:
        self.features: list[Array] = []
        self.allowed: list[list[bool]] = []
        self.chosen: list[int] = []

    def add(self, features: Sequence[Any], allowed: list[bool], chosen: int) -> None:
        """Add one decision."""
        self.features.append(np.array(features))
        self.allowed.append(allowed)
        self.chosen.append(chosen)

    def fit(self) -> Array:
        """Return the weights of the largest penalised likelihood, by Newton's method."""
        x, allowed = np.array(self.features), np.array(self.allowed)
        rows, chosen = np.arange(len(x)), np.array(self.chosen)
        weights = np.zeros(x.shape[2])
        for _ in range(STEPS):
            shares = _shares(x, allowed, weights)
            mean = np.einsum("na,nai->ni", shares, x)
            slope = (x[rows, chosen] - mean).sum(0) - PENALTY * weights
            bend = np.einsum("na,nai,naj->ij", shares, x, x) - mean.T @ mean
            weights = weights + np.linalg.solve(bend + PENALTY * np.eye(len(weights)), slope)
        return weights

    def loss(self, weights: Array) -> float:
        """Return the log loss of the decisions."""
        shares = _shares(np.array(self.features), np.array(self.allowed), weights)
        return -float(np.log(shares[np.arange(len(shares)), self.chosen]).mean())


def _shares(x: Array, allowed: NDArray[np.bool_], weights: Array) -> Array:
    worth = np.where(allowed, x @ weights, BARRED)
    share: Array = np.exp(worth - worth.max(1, keepdims=True))
    share /= share.sum(1, keepdims=True)
    return share


class Recorder:
    """Notes the events of a game, and the features of each choice of a card or of its place."""

    def __init__(self, plays: Choices, puts: Choices) -> None:
        self._plays, self._puts = plays, puts
        self.events: list[int] = []

    def before(self, state: State, move: int) -> None:
        """Take note of an event about to happen."""
        self.events.append(move)
        kind = move >> 24
        if kind == KIND_PUT:
            self._put(state, move & 1)
        elif kind in (KIND_PLAY, KIND_REDRAW) and state.seat_to_move >= 0:
            self._play(state, (move >> 8 & 0xFF) if kind == KIND_PLAY else 3)

    def _play(self, state: State, chosen: int) -> None:
        cards, other, hand, fields = _asked(state)
        seat = fields["seat"]
        if hand[2] == NO_CARD or (chosen == 3 and len(state.legal_moves()) < 2):
            return
        free = fields["ship_card"][seat][DOCK] == NO_CARD
        alternatives = [*(cards[slot][hand[slot]] for slot in range(3)), other]
        allowed = [True, free, True, fields["coins"][seat] >= PRICE_REDRAW]
        self._plays.add(alternatives, allowed, chosen)

    def _put(self, state: State, chosen: int) -> None:
        cards, _, hand, _ = _asked(state)
        orders = ((hand[DRAWN], hand[0], hand[1]), (hand[0], hand[1], hand[DRAWN]))
        hands = [sum(np.array(cards[slot][order[slot]]) for slot in range(3)) for order in orders]
        self._puts.add(hands, [True, True], chosen)


def _asked(state: State) -> tuple[Any, Any, list[int], dict[str, Any]]:
    """Return the features of all cards, those of a redraw, the hand, and the fields."""
    game: Any = state.game
    cards, other = game.choice_features(state)
    fields = game.fields(state)
    return cards, other, fields["hand"][fields["seat"]], fields


def replay_loss(game: Game, games: list[list[int]]) -> float:
    """Return the log loss of the whole hand over recorded games, with the weights as they are."""
    total, number = 0.0, 0
    for events in games:
        watch = Watch(game)
        state = game.new_state()
        for move in events:
            watch.before(state, move)
            state.apply(move)
        total += watch.loss.ours["hand"]
        number += watch.loss.number["hand"]
    return total / number


def fit(number: int, identity: str, player: Player, games: int, seed: int) -> dict[str, Any]:
    """Fit set `number` of the weights and return it as the file has it."""
    game = parse_game(identity)
    plays, puts = Choices(), Choices()
    kept: list[list[int]] = []
    for index in range(games):
        held_out = index % 5 == 4
        recorder = Recorder(*((Choices(), Choices()) if held_out else (plays, puts)))
        play(game, player, seed, index, recorder.before)
        if held_out:
            kept.append(recorder.events)
    weights = [found.fit() for found in (plays, puts)]
    names = ("play", "put")
    result: dict[str, Any] = {
        name: tuple(round(float(w), 4) for w in found)
        for name, found in zip(names, weights, strict=True)
    }
    for name, found, w in zip(names, (plays, puts), weights, strict=True):
        click.echo(f"{name}: {len(found.chosen)} decisions, log loss {found.loss(w):.4f}")
    set_weights(number, result["play"], result["put"])

    def loss(trust: tuple[float, float]) -> float:
        set_trust(number, *trust)
        return replay_loss(game, kept)

    trusts = list(product(TRUSTS, TRUSTS)) if kept else [(0.8, 0.8)]
    losses = {trust: loss(trust) if kept else 0.0 for trust in trusts}
    result["trust"] = min(losses, key=losses.__getitem__)
    click.echo(f"trust {result['trust']}: log loss of hands {losses[result['trust']]:.4f}")
    return result


def text(sets: dict[str, dict[str, Any]], told: str) -> str:
    """Return the text of the file of weights."""
    lines = [
        '"""Weights of the model of play that beliefs rest on: see choices.pyx and belief.pyx.',
        "",
        f"Written by `python -m bench.fit_choices`: {told}.",
        '"""',
        "",
        "SETS = {",
    ]
    for name, values in sets.items():
        lines.append(f'    "{name}": {{')
        for key, numbers in values.items():
            lines += [f'        "{key}": (', *(f"            {x}," for x in numbers), "        ),"]
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


@click.command()
@click.option("--games", default=1500, help="games of each set; a fifth is held out")
@click.option("--nodes", default=300)
@click.option("--preset", default="drakkar")
@click.option("--options", default="", help="search options, name=value ...")
@click.option("--seed", default=7, help="of the games; the figure `beliefs` uses another one")
@click.option("--only", type=click.Choice(list(GAMES)), help="fit one set, leave the other")
def main(games: int, nodes: int, preset: str, options: str, seed: int, only: str | None) -> None:
    """Fit the model of play of beliefs and write its weights."""
    player = Player(preset, nodes, options)
    sets: dict[str, Any] = dict(shipped.SETS)
    for number, (name, identity) in enumerate(GAMES.items()):
        if only in (None, name):
            click.echo(f"{name}: {games} games of {player}")
            sets[name] = fit(number, identity, player, games, seed)
    path = Path(shipped.__file__)
    path.write_text(text(sets, f"{games} games of {player}, seed {seed}"), encoding="utf-8")
    click.echo(f"written: {path}")


if __name__ == "__main__":
    sys.exit(main())
