"""What the games of one contestant came to: the numbers that every table of a run begins with."""

from collections import Counter
from collections.abc import Sequence

from bench.referee.game_result import (
    GameResult,
    block_luck,
    block_margin,
    block_points,
    seat_points,
)
from bench.statistics.running import Moments


class LessLuck:
    """Score and margin of the blocks whose luck was measured: `raw` ones, and `adjusted` ones."""

    def __init__(self) -> None:
        self.raw, self.adjusted = (Moments(), Moments()), (Moments(), Moments())

    def take(
        self, score: float, margin: float | None, luck: float | None, coefficient: float | None
    ) -> None:
        """Count a block; `coefficient` is the score that a point of luck is worth, if known."""
        if luck is None:
            return
        if coefficient is not None:
            self.raw[0].add(score)
            self.adjusted[0].add(score - coefficient * luck)
        if margin is not None:
            self.raw[1].add(margin)
            self.adjusted[1].add(margin - luck)


class Counts:
    """Running numbers of one contestant, game by game and block by block.

    Attributes:
        games, points: counted; a game gives the share of the other seats that it beat.
        wins, draws, losses: games in which it beat all others, was best together with others, and
            was behind somebody.
        seats: points on each seat, games as count and share of the points as mean.
        terminations: games that ended by its fault, by the word for the fault.
        replaced, strikes: illegal answers replaced, and overruns forgiven.
        score, margin: of blocks, raw; margins of blocks whose games all ended by the rules.
        luck: the same of the blocks with measured luck, raw and less luck.
    """

    def __init__(self, num_seats: int) -> None:
        self.games, self.points = 0, 0.0
        self.wins = self.draws = self.losses = 0
        self.seats = [Moments() for _ in range(num_seats)]
        self.terminations: Counter[str] = Counter()
        self.replaced = self.strikes = 0
        self.score, self.margin, self.luck = Moments(), Moments(), LessLuck()

    def add(self, result: GameResult, seat: int) -> None:
        """Count a game that it played on a seat."""
        points = seat_points(result.returns, seat)
        is_best = result.returns[seat] == max(result.returns)
        self.games += 1
        self.points += points
        self.wins += points == 1.0
        self.draws += is_best and points < 1.0
        self.losses += not is_best
        self.seats[seat].add(points)
        if result.fault is not None and result.fault.seat == seat:
            self.terminations[str(result.termination)] += 1
        self.replaced += sum(fault.seat == seat for fault in result.replaced)
        self.strikes += result.strikes[seat] if result.strikes else 0

    def add_block(
        self, results: Sequence[GameResult], contestant: int, coefficient: float | None = None
    ) -> None:
        """Count a block by the results of all its games; its contestant has that number there.

        `coefficient` is the score that a point of luck is worth, if luck is measured.
        """
        score, margin = block_points(results, contestant), block_margin(results, contestant)
        self.score.add(score)
        if margin is not None:
            self.margin.add(margin)
        self.luck.take(score, margin, block_luck(results, contestant), coefficient)


__all__ = ["Counts", "LessLuck"]
