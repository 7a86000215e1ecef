"""Beliefs of Lofoten against plain counting, on games of the search against itself.

Asked is each time a seat chooses a card to play: what it takes the other's hand to be, card by card
and as a whole; and each time a tile is turned up: its value. Log loss is minus the mean natural
logarithm of the probability that the truth had. Of the hand, plain counting takes each hand as
likely as it is dealt; of the tiles it counts all that are unseen, whatever type the pile shows.
Nobody's decisions tell of tiles, so there a belief is exact counting, which heeds the type.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import log
from multiprocessing import get_context
from typing import Any

from bench.games import parse_game
from bench.measure.selfplay import Player, play
from bench.registry import Out
from bench.statistics.basics import standard_error
from engine.game import Game, State
from engine.games.lofoten.notation import CARDS, TILES
from search.belief import Belief

# Bins of probabilities, and events of a bin from which it is looked at.
BINS = 10
LEAST = 200
PLAY, FLIP = 8, 15  # phases
PLACES = {"left": 0, "middle": 1, "right": 2}
LOSSES = (*PLACES, "hand", "tile")


class Loss:
    """Sums over one game or many: log losses of two predictors, and how well bins hit."""

    def __init__(self) -> None:
        self.number: Counter[str] = Counter()
        self.ours: defaultdict[str, float] = defaultdict(float)
        self.plain: defaultdict[str, float] = defaultdict(float)
        # By what is predicted and number of bin: events, their probabilities, those that came true.
        self.bins: dict[tuple[str, int], list[float]] = {}

    def add(self, what: str, ours: float, plain: float) -> None:
        """Add one prediction: the probabilities that the truth had."""
        self.number[what] += 1
        self.ours[what] -= log(ours)
        self.plain[what] -= log(plain)

    def rate(self, what: str, probability: float, came: bool) -> None:
        """Add one event to its bin."""
        row = self.bins.setdefault((what, min(int(probability * BINS), BINS - 1)), [0, 0.0, 0])
        row[0] += 1
        row[1] += probability
        row[2] += came


class Watch:
    """Follows one game with the beliefs of both seats."""

    def __init__(self, game: Game) -> None:
        self.loss = Loss()
        state = game.new_state()
        self._beliefs = [Belief(state.view(seat)) for seat in range(2)]

    def before(self, state: State, move: int) -> None:
        """Compare with the truth, then take in the event."""
        fields: dict[str, Any] = state.game.fields(state)  # type: ignore[attr-defined]
        if fields["phase"] == PLAY:
            self._hand(self._beliefs[fields["seat"]], state, fields)
        elif fields["phase"] == FLIP:
            belief = self._beliefs[fields["seat"]]
            self._tile(belief, fields["unseen"], move >> 8 & 0xFF, move & 0xFF)
        for belief in self._beliefs:
            belief.observe(state.redact(move, belief.seat))

    def _hand(self, belief: Belief, state: State, fields: dict[str, Any]) -> None:
        other = 1 - fields["seat"]
        for thing, values in belief.rows():
            owner, _, place = thing.partition(" ")
            if owner != f"p{other + 1}":
                continue
            truth = CARDS[fields["hand"][other][PLACES[place]]]
            for word, ours, plain in values:
                self.loss.rate("card", ours, word == truth)
                if word == truth:
                    self.loss.add(place, ours, plain)
        self.loss.add("hand", *belief.odds(state))

    def _tile(self, belief: Belief, unseen: list[int], pile: int, tile: int) -> None:
        rows = dict(belief.rows())[f"pile{pile + 1}"]
        ours = _by_value((word, probability) for word, probability, _ in rows)
        every = zip(TILES, (number / sum(unseen) for number in unseen), strict=True)
        truth = TILES[tile][1]
        self.loss.add("tile", ours[truth], _by_value(every)[truth])
        for value, share in ours.items():
            self.loss.rate("tile", share, value == truth)


def _by_value(tiles: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Add up the probabilities of tiles by their values."""
    shares = {value: 0.0 for value in "123"}
    for word, probability in tiles:
        shares[word[1]] += probability
    return shares


def one_game(number: int, identity: str, player: Player, seed: int) -> Loss:
    """Play one game and return its losses."""
    game = parse_game(identity)
    watch = Watch(game)
    play(game, player, seed, number, watch.before)
    return watch.loss


def run(out: Out, identity: str, player: Player, games: int, seed: int, jobs: int = 2) -> None:
    """Play `games` games, whose numbers no fit has used, and write losses and calibration.

    `gain_X` is how much the log loss is lower than that of plain counting, `errors_X` how many
    standard errors that is, the spread taken between games; so is `error` of a bin, the standard
    error of how far it is `off`.
    """
    work = partial(one_game, identity=identity, player=player, seed=seed)
    if jobs == 1:
        losses = [work(number) for number in range(games)]
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            losses = list(pool.map(work, range(games), chunksize=4))
    out.update(game=parse_game(identity).identity, player=str(player), games=games)
    for what in LOSSES:
        out.update(_compare(losses, what))
    for what in ("card", "tile"):
        rows = _calibration(losses, what)
        out[f"bins_{what}"] = rows
        worst = max((abs(row["off"]) for row in rows if row["number"] >= LEAST), default=None)
        out[f"worst_bin_{what}"] = worst


def _compare(losses: list[Loss], what: str) -> Out:
    number = sum(loss.number[what] for loss in losses)
    ours = sum(loss.ours[what] for loss in losses) / number
    plain = sum(loss.plain[what] for loss in losses) / number
    # The gain of each game less its share of the mean gain: their spread is that of the ratio.
    spare = [
        loss.plain[what] - loss.ours[what] - (plain - ours) * loss.number[what] for loss in losses
    ]
    error = (standard_error(spare) or 0.0) * len(losses) / number
    return {
        f"number_{what}": number,
        f"loss_{what}": round(ours, 5),
        f"loss_plain_{what}": round(plain, 5),
        f"gain_{what}": round(plain - ours, 5),
        f"errors_{what}": round((plain - ours) / error, 1) if error else None,
    }


def _calibration(losses: list[Loss], what: str) -> list[dict[str, Any]]:
    rows = []
    for index in range(BINS):
        found = [loss.bins[what, index] for loss in losses if (what, index) in loss.bins]
        if not found:
            continue
        number, probability, came = (sum(column) for column in zip(*found, strict=True))
        row = {"number": int(number), "said": probability / number, "came": came / number}
        row["off"] = row["came"] - row["said"]
        # Of one game, which asks of a card again and again, events are far from independent.
        spare = [came - said - row["off"] * n for n, said, came in found]
        row["error"] = sum(x * x for x in spare) ** 0.5 / number
        rows.append({key: round(value, 4) for key, value in row.items()})
    return rows
