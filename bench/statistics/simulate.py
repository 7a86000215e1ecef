"""Simulated matches with known strengths, to see how often a test errs.

A toy model of a game with luck: the margin of the better placed side of a deal is the luck of the
deal plus the noise of the play plus the difference in strength, all in standard deviations of the
noise. Both games of a pair have the same luck, once for and once against the side. A margin near 0
is a draw.
"""

import heapq
import math
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from bench.seeds import PURPOSE_MEASURE
from bench.statistics.basics import normal_cdf
from bench.statistics.elo import LOGISTIC, block_scores, score_from_elo, t_from_nelo
from bench.statistics.sprt import SprtRun, SprtTest
from bench.statistics.tilt import moments
from engine import RandomStream

_WORDS = 2.0**64
# Steps of the luck over which the model is summed, and how far out, in standard deviations.
_STEP, _REACH = 0.05, 8.0


class LuckModel(NamedTuple):
    """How much luck a deal has, relative to the noise of one game, and how near margins draw."""

    luck: float = 1.0
    draw_margin: float = 0.1

    def pair_shares(self, advantage: float) -> list[float]:
        """Return the probabilities of the five pair scores at an advantage in strength."""
        shares, total = [0.0] * 5, 0.0
        for index in range(round(2.0 * _REACH / _STEP) + 1):
            z = -_REACH + index * _STEP
            weight = math.exp(-0.5 * z * z)
            one = self._game(advantage + self.luck * z)
            other = self._game(advantage - self.luck * z)
            for i, p in enumerate(one):
                for j, q in enumerate(other):
                    shares[i + j] += weight * p * q
            total += weight
        return [share / total for share in shares]

    def shares_at_elo(self, elo: float, model: str = LOGISTIC) -> list[float]:
        """Return the probabilities of the five pair scores at a difference in Elo of the model."""
        logistic = model == LOGISTIC
        wanted = score_from_elo(elo) if logistic else t_from_nelo(elo)
        low, high = -20.0, 20.0
        for _ in range(60):
            middle = 0.5 * (low + high)
            mean, spread = moments(self.pair_shares(middle), block_scores())
            if (mean if logistic else (mean - 0.5) / spread) < wanted:
                low = middle
            else:
                high = middle
        return self.pair_shares(0.5 * (low + high))

    def _game(self, advantage: float) -> tuple[float, float, float]:
        """Return the probabilities to lose, draw and win one game."""
        lost = normal_cdf(-self.draw_margin - advantage)
        won = normal_cdf(advantage - self.draw_margin)
        return lost, 1.0 - lost - won, won


def drawn_from(shares: Sequence[float], stream: RandomStream) -> Iterator[int]:
    """Yield indices without end, each with its share."""
    *limits, _ = (share * _WORDS for share in accumulate(shares))
    while True:
        bits = stream.bits()
        yield sum(bits >= limit for limit in limits)


class Errors(NamedTuple):
    """What came of many simulated tests."""

    tests: int
    h0: int
    h1: int
    undecided: int
    mean_blocks: float


def simulated_tests(
    test: SprtTest, shares: Sequence[float], tests: int, every: int, index: int, most: int = 50_000
) -> Errors:
    """Run tests on blocks drawn from a distribution, to the end or `most` blocks.

    `index` is the first of the random streams that are used, one for each test.
    """
    decided = {"H0": 0, "H1": 0, None: 0}
    blocks = 0
    for number in range(tests):
        run = SprtRun(test, every)
        for place in drawn_from(shares, RandomStream(1, PURPOSE_MEASURE, index + number)):
            if run.add(test.support[place]) or run.blocks >= most:
                break
        decided[run.decision] += 1
        blocks += run.blocks
    return Errors(tests, decided["H0"], decided["H1"], decided[None], blocks / max(1, tests))


class Game(NamedTuple):
    """One simulated game: its score for the first side, and how long it takes."""

    score: float
    duration: float


def uneven_games(stream: RandomStream, both_alike: float = 0.2) -> Iterator[tuple[Game, Game]]:
    """Yield pairs in which the first side wins only long games and the other only short ones.

    Both win half of the games. `both_alike` is the share of pairs with two games of the same kind.
    Durations are 1 to 2 for short games and 10 to 20 for long ones.
    """
    while True:
        first = stream.bits() % 2 == 0
        second = first == (stream.bits() < both_alike * _WORDS)
        times = (1.0 + stream.bits() / _WORDS, 1.0 + stream.bits() / _WORDS)
        yield (
            Game(float(first), times[0] * (10.0 if first else 1.0)),
            Game(float(second), times[1] * (10.0 if second else 1.0)),
        )


def finished(
    pairs: Iterator[tuple[Game, Game]], concurrency: int
) -> Iterator[tuple[int, int, float]]:
    """Yield (block, game, score) in the order in which games end, so many of them at a time."""
    running: list[tuple[float, int, int, float]] = []
    for block, pair in enumerate(pairs):
        for number, game in enumerate(pair):
            now = 0.0
            if len(running) == concurrency:
                now, *ended = heapq.heappop(running)
                yield int(ended[0]), int(ended[1]), float(ended[2])
            heapq.heappush(running, (now + game.duration, block, number, game.score))


def concurrent_test(
    test: SprtTest,
    pairs: Iterator[tuple[Game, Game]],
    concurrency: int,
    every: int = 1,
    in_order: bool = True,
) -> SprtRun:
    """Run a test on pairs of which several are under way, and return it after the decision.

    Blocks enter in schedule order; with `in_order` False as they are complete, as they must not.
    """
    run = SprtRun(test, every)
    waiting: dict[int, list[float]] = {}
    due = 0
    for block, _, score in finished(pairs, concurrency):
        waiting.setdefault(block, []).append(score)
        due = due if in_order else block
        while len(waiting.get(due, ())) == 2:
            if run.add(math.fsum(waiting.pop(due)) / 2.0):
                return run
            due += 1
    return run
    return run
