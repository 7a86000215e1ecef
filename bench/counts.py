"""What the games of one contestant came to: the numbers that every table of a run begins with."""

from collections import Counter

from bench.game_result import GameResult, seat_points
from bench.statistics.running import Moments


class Counts:
    """Running numbers of one contestant, game by game.

    Attributes:
        games, points: counted; a game gives the share of the other seats that it beat.
        wins, draws, losses: games in which it beat all others, was best together with others, and
            was behind somebody.
        seats: points on each seat, games as count and share of the points as mean.
        terminations: games that ended by its fault, by the word for the fault.
        replaced, strikes: illegal answers replaced, and overruns forgiven.
    """

    def __init__(self, num_seats: int) -> None:
        self.games, self.points = 0, 0.0
        self.wins = self.draws = self.losses = 0
        self.seats = [Moments() for _ in range(num_seats)]
        self.terminations: Counter[str] = Counter()
        self.replaced = self.strikes = 0

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


__all__ = ["Counts"]
