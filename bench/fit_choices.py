"""Fit the model of play that Lofoten's beliefs rest on, to games of the search against itself.

    python -m bench.fit_choices --games 1500 --nodes 300 --seed 7

writes `engine/games/lofoten/choice_weights.py`: the weights of each feature (choices.pyx) by
penalised maximum likelihood, and the share of decisions that are made by lot. A fifth of the games
is left out of the fit, and says how well hands are forecast. The same arguments give the same file
with the same search.
"""

import sys
from collections.abc import Sequence
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
from engine.games.lofoten.choices import set_weights

Array = NDArray[np.float64]

GAMES = {"base": "lofoten", "modules": "lofoten level2=2 jarls=on upgrades=on"}
KIND_PLAY, KIND_REDRAW, KIND_PUT = 1, 2, 10
DRAWN, DOCK, NO_CARD, PRICE_REDRAW = 3, 2, 15, 2
UNLOAD, LOAD = 2, 3  # features of a side card
DOCKS = ("taken", "free")  # of the seat that chooses
# Square of the usual size of a weight, inverted: holds weights that games say little of near 0.
PENALTY = 1.0
# Of the largest change of a weight in a step from which none follows; steps at most.
ENOUGH = 1e-5
STEPS = 500
# Weights are made so much smaller: what features do not tell of a card repeats from decision to
# decision. With 1 and with 0.9 hands are forecast alike, worse with 0.85; 0.9 is calibrated best.
SHARPNESS = 0.9
# What is never allowed counts as so little.
BARRED = -1e9


class Choices:
    """Decisions of one kind: features of each alternative, which are allowed, the one chosen."""

    def __init__(self) -> None:
        self.features: list[Any] = []
        self.allowed: list[list[bool]] = []
        self.chosen: list[int] = []

    def add(self, features: Sequence[Any], allowed: list[bool], chosen: int) -> None:
        """Add one decision."""
        self.features.append(np.array(features))
        self.allowed.append(allowed)
        self.chosen.append(chosen)

    def fit(self) -> tuple[Array, float]:
        """Return the weights and the share of decisions by lot of the largest likelihood.

        By expectation and maximisation: how likely each decision was meant, then a step of
        Newton's method for the weights, penalised, with the decisions counted so far.
        """
        x, allowed = np.array(self.features), np.array(self.allowed)
        rows, chosen = np.arange(len(x)), np.array(self.chosen)
        by_lot = 1.0 / allowed.sum(1)
        weights, lots = np.zeros(x.shape[2]), 0.1
        for _ in range(STEPS):
            shares = _shares(x, allowed, weights)
            meant = (1 - lots) * shares[rows, chosen]
            meant /= meant + lots * by_lot
            mean = np.einsum("na,nai->ni", shares, x)
            slope = meant @ (x[rows, chosen] - mean) - PENALTY * weights
            bend = np.einsum("n,na,nai,naj->ij", meant, shares, x, x, optimize=True)
            bend -= (mean.T * meant) @ mean
            change = np.linalg.solve(bend + PENALTY * np.eye(len(weights)), slope)
            weights, lots = weights + change, float(1 - meant.mean())
            if np.abs(change).max() < ENOUGH:
                break
        return weights, lots

    def loss(self, weights: Array, lots: float) -> float:
        """Return the log loss of the decisions."""
        allowed = np.array(self.allowed)
        shares = _shares(np.array(self.features), allowed, weights)
        shares = lots / allowed.sum(1, keepdims=True) + (1 - lots) * shares
        return -float(np.log(shares[np.arange(len(shares)), self.chosen]).mean())


def _shares(x: Array, allowed: NDArray[np.bool_], weights: Array) -> Array:
    worth = np.where(allowed, x @ weights, BARRED)
    share: Array = np.exp(worth - worth.max(1, keepdims=True))
    share /= share.sum(1, keepdims=True)
    return share


class Recorder:
    """Notes the features of each choice of a card to play, and of the place of a drawn one."""

    def __init__(self) -> None:
        self.plays = {dock: Choices() for dock in DOCKS}
        self.puts = {dock: Choices() for dock in DOCKS}

    def before(self, state: State, move: int) -> None:
        """Take note of an event about to happen."""
        kind = move >> 24
        if kind == KIND_PUT:
            self._put(state, move & 1)
        elif kind in (KIND_PLAY, KIND_REDRAW) and state.seat_to_move >= 0:
            self._play(state, (move >> 8 & 0xFF) if kind == KIND_PLAY else 3)

    def _play(self, state: State, chosen: int) -> None:
        cards, other, hand, fields = _asked(state)
        dock = _dock(fields)
        if hand[2] == NO_CARD or (chosen == 3 and len(state.legal_moves()) < 2):
            return
        alternatives = [*(cards[slot][hand[slot]] for slot in range(3)), other]
        allowed = [True, dock == "free", True, fields["coins"][fields["seat"]] >= PRICE_REDRAW]
        self.plays[dock].add(alternatives, allowed, chosen)

    def _put(self, state: State, chosen: int) -> None:
        cards, _, hand, fields = _asked(state)
        orders = ((hand[DRAWN], hand[0], hand[1]), (hand[0], hand[1], hand[DRAWN]))
        hands = [[cards[slot][order[slot]] for slot in range(3)] for order in orders]
        self.puts[_dock(fields)].add(hands, [True, True], chosen)


def _dock(fields: dict[str, Any]) -> str:
    return "free" if fields["ship_card"][fields["seat"]][DOCK] == NO_CARD else "taken"


def hand_features(hands: Array, play: Array) -> Array:
    """Return the features of whole hands, of those of their cards, and the weights of a play.

    Args:
        hands: by decision, end, slot and feature of a card.

    Returns:
        By decision, end and feature: the sums over the cards, then the larger gain and the larger
        worth to be played of the two side cards.
    """
    sides = hands[:, :, ::2]
    gain = (sides[..., UNLOAD] + sides[..., LOAD]).max(2)
    worth = (sides @ play).max(2)
    return np.concatenate([hands.sum(2), gain[..., None], worth[..., None]], axis=2)


def _asked(state: State) -> tuple[Any, Any, list[int], dict[str, Any]]:
    """Return the features of all cards, those of a redraw, the hand, and the fields."""
    game: Any = state.game
    cards, other = game.choice_features(state)
    fields = game.fields(state)
    return cards, other, fields["hand"][fields["seat"]], fields


def events_of(game: Game, player: Player, seed: int, index: int) -> list[int]:
    """Play a game and return its events."""
    events: list[int] = []

    def before(_: State, move: int) -> None:
        events.append(move)

    play(game, player, seed, index, before)
    return events


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
    recorder = Recorder()
    kept: list[list[int]] = []
    for index in range(games):
        if index % 5 == 4:
            kept.append(events_of(game, player, seed, index))
        else:
            play(game, player, seed, index, recorder.before)
    result = {}
    for dock in DOCKS:
        result[dock] = fit_dock(recorder.plays[dock], recorder.puts[dock])
        set_weights(number, dock == "free", **result[dock])
    if kept:
        click.echo(f"log loss of hands: {replay_loss(game, kept):.4f}")
    return result


def fit_dock(plays: Choices, puts: Choices) -> dict[str, Any]:
    """Fit the numbers that hold while a dock is taken, or free."""
    play_weights, play_lots = plays.fit()
    puts.features = [*hand_features(np.array(puts.features), SHARPNESS * play_weights)]
    put_weights, put_lots = puts.fit()
    click.echo(f"{len(plays.chosen)} plays: log loss {plays.loss(play_weights, play_lots):.4f}")
    click.echo(f"{len(puts.chosen)} puts: log loss {puts.loss(put_weights, put_lots):.4f}")
    return {
        "play": _rounded(SHARPNESS * play_weights),
        "put": _rounded(SHARPNESS * put_weights),
        "lots": _rounded((play_lots, put_lots)),
    }


def _rounded(numbers: Sequence[float] | Array) -> tuple[float, ...]:
    return tuple(round(float(number), 4) for number in numbers)


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
    for name, docks in sets.items():
        lines.append(f'    "{name}": {{')
        for dock, values in docks.items():
            lines.append(f'        "{dock}": {{')
            for key, numbers in values.items():
                rows = (f"                {x}," for x in numbers)
                lines += [f'            "{key}": (', *rows, "            ),"]
            lines.append("        },")
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
