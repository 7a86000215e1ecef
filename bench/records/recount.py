"""Count the games of a record anew, to be compared with what a run said of itself."""

from collections import Counter
from collections.abc import Iterable

from bench.counts import Counts
from bench.records.lines import Fields
from bench.records.reader import Record, RecordedGame
from bench.referee.game_result import GameResult, seat_points
from bench.referee.verdicts import Termination


class EngineCount(Counts):
    """What the games of one engine came to; `label` is the engine, `by_seat` its points."""

    def __init__(self, label: str, num_seats: int) -> None:
        super().__init__(num_seats)
        self.label, self.by_seat = label, [0.0] * num_seats

    def add(self, result: GameResult, seat: int) -> None:
        """Count a game that it played on a seat."""
        super().add(result, seat)
        self.by_seat[seat] += seat_points(result.returns, seat)

    def to_json(self) -> Fields:
        """Return the numbers as an object."""
        return {
            "label": self.label,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "points": self.points,
            "seats": [
                {"games": moments.count, "points": points}
                for moments, points in zip(self.seats, self.by_seat, strict=True)
            ],
            "terminations": dict(self.terminations),
            "replaced": self.replaced,
        }


class Recount:
    """Counts of the games of a record.

    Attributes:
        games, blocks: how many there are; of each block that has one of the games.
        plies: decisions in all of them.
        terminations: games by the word for why they ended.
        engines: a count for each engine of the head.
    """

    def __init__(self, record: Record, games: Iterable[RecordedGame]) -> None:
        num_seats = record.game.num_seats
        self.games = self.blocks = self.plies = 0
        self.terminations: Counter[str] = Counter()
        self.engines = [EngineCount(label, num_seats) for label in record.labels]
        block = 0
        for game in games:
            result = record.result(game)
            self.games += 1
            self.blocks += game.block != block
            block = game.block
            self.plies += result.plies
            self.terminations[str(result.termination)] += 1
            for seat, engine in enumerate(game.seats):
                self.engines[engine].add(result, seat)

    def to_json(self) -> Fields:
        """Return the numbers as an object."""
        return {
            "games": self.games,
            "blocks": self.blocks,
            "plies": self.plies,
            "terminations": dict(self.terminations),
            "engines": [engine.to_json() for engine in self.engines],
        }

    def table(self) -> list[str]:
        """Return the numbers as lines for people."""
        titles = ("engine", "games", "points", "wins", "draws", "losses", "faults")
        rows: list[tuple[str, ...]] = [titles]
        for engine in self.engines:
            numbers = (engine.games, f"{engine.points:g}", engine.wins, engine.draws, engine.losses)
            rows.append((engine.label, *map(str, numbers), _words(engine)))
        widths = [max(len(row[column]) for row in rows) for column in range(6)]
        lines = []
        for row in rows:
            cells = [row[0].ljust(widths[0])]
            cells += [row[column].rjust(widths[column]) for column in range(1, 6)]
            lines.append("  ".join([*cells, row[6]]).rstrip())
        ends = ", ".join(f"{self.terminations[t]} {t}" for t in Termination if self.terminations[t])
        return [*lines, f"ended by: {ends or 'none'}"]


def _words(engine: EngineCount) -> str:
    """Return what an engine did wrong, in the order of the words of verdicts."""
    words = [f"{engine.terminations[t]} {t}" for t in Termination if engine.terminations[t]]
    if engine.replaced:
        words.append(f"{engine.replaced} replaced")
    return ", ".join(words)


__all__ = ["EngineCount", "Recount"]
