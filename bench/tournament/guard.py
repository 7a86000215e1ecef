"""Finds workers whose results cannot be trusted: too slow for the clocks, or out of line.

Two figures of each worker are compared with those of all others: the share of games that ended by
a fault that a bad machine can cause, and the sum of its residuals, by how much contestants scored
more or less there than elsewhere. Both have to be so unlikely that it is no chance even though
they are looked at after every game. Sources: the residuals of fishtest, and
https://github.com/official-stockfish/fishtest/issues/427.
"""

import math
from collections import defaultdict

from bench.referee.game_result import GameResult
from bench.referee.verdicts import Termination

FAULTS = (Termination.TIME, Termination.STALL, Termination.DISCONNECT, Termination.START)
"""Endings that a machine can be the cause of."""

UNLIKELY = 1e-6
"""A worker's share of faults counts as its own doing when chance alone gives it more rarely."""

FEWEST_FAULTS = 5
"""Fewer faults say nothing of a worker."""

RESIDUAL_ERRORS = 5.0
"""Standard errors by which a worker's scores may be away from those of the others."""

FEWEST_GAMES = 30
"""Fewer games say nothing of a worker's scores."""


class _Scores:
    """Number, sum and sum of squares of scores."""

    __slots__ = ("games", "squares", "total")

    def __init__(self) -> None:
        self.games, self.total, self.squares = 0, 0.0, 0.0

    def add(self, score: float) -> None:
        """Count a game that one contestant scored so many points in, from 0 to 1."""
        self.games += 1
        self.total += score
        self.squares += score * score


class Guard:
    """Counts by worker; memory grows with workers and pairs of contestants only."""

    def __init__(self) -> None:
        self._games: dict[str, int] = defaultdict(int)
        self._faults: dict[str, int] = defaultdict(int)
        self._scores: dict[str, dict[tuple[int, int], _Scores]] = defaultdict(
            lambda: defaultdict(_Scores)
        )
        self._all: dict[tuple[int, int], _Scores] = defaultdict(_Scores)

    def take(self, result: GameResult) -> None:
        """Count a finished game; void ones say nothing."""
        if result.is_void:
            return
        worker = result.worker
        self._games[worker] += 1
        self._faults[worker] += result.termination in FAULTS
        if not result.is_by_rules:
            return
        players = sorted(result.job.seats)
        for index, one in enumerate(players):
            for other in players[index + 1 :]:
                score = result.pair_points(one, other)
                self._scores[worker][one, other].add(score)
                self._all[one, other].add(score)

    def fault(self, worker: str) -> str:
        """Return what is wrong with a worker, "" if nothing that counts."""
        games, faults = self._games[worker], self._faults[worker]
        others = sum(self._games.values()) - games
        others_faults = sum(self._faults.values()) - faults
        if others and faults >= FEWEST_FAULTS:
            # One more fault and one more game of the others: a clean record proves no zero.
            share = (others_faults + 1) / (others + 2)
            if binomial_tail(games, faults, min(1.0, share)) < UNLIKELY:
                elsewhere = f"{others_faults} of {others} elsewhere"
                return f"{faults} of {games} games ended by faults, {elsewhere}"
        errors = self.residual(worker)
        if abs(errors) > RESIDUAL_ERRORS:
            return f"its scores are {abs(errors):.1f} standard errors away from those elsewhere"
        return ""

    def residual(self, worker: str) -> float:
        """Return by how many standard errors a worker's scores differ; 0 if that says nothing."""
        total = variance = 0.0
        games = 0
        for pair, own in self._scores[worker].items():
            everywhere = self._all[pair]
            others = everywhere.games - own.games
            if not others:
                continue
            mean = (everywhere.total - own.total) / others
            spread = everywhere.squares / everywhere.games
            spread -= (everywhere.total / everywhere.games) ** 2
            games += own.games
            total += own.total - own.games * mean
            variance += own.games * spread * (1.0 + own.games / others)
        if games < FEWEST_GAMES or variance <= 0.0:
            return 0.0
        return total / math.sqrt(variance)


def binomial_tail(trials: int, least: int, share: float) -> float:
    """Return the probability of at least `least` successes in `trials`, each with `share`.

    >>> round(binomial_tail(10, 5, 0.5), 3)
    0.623
    """
    if share >= 1.0 or least <= 0:
        return 1.0
    terms = (
        math.lgamma(trials + 1)
        - math.lgamma(k + 1)
        - math.lgamma(trials - k + 1)
        + k * math.log(share)
        + (trials - k) * math.log1p(-share)
        for k in range(least, trials + 1)
    )
    return math.fsum(math.exp(term) for term in terms)


__all__ = ["FAULTS", "Guard", "binomial_tail"]
