"""Count the games of a record anew, to be compared with what a run said of itself."""

from collections import Counter
from collections.abc import Iterable

from bench.game_result import seat_points
from bench.records.lines import Fields
from bench.records.reader import Record, RecordedGame
from bench.verdicts import Termination


class EngineCount:
    """What the games of one engine came to.

    Attributes:
        label: the engine.
        games, wins, draws, losses: a win is to do better than all others, a draw to be best
            together with others, a loss to be behind somebody.
        points: the sum over its games of the share of the others that it beat.
        by_seat: (games, points) on each seat.
        terminations: games that its faults ended, by word.
        replaced: illegal answers in whose place a legal move was played.
    """

    def __init__(self, label: str, num_seats: int) -> None:
        self.label = label
        self.games = self.wins = self.draws = self.losses = self.replaced = 0
        self.points = 0.0
        self.by_seat = [(0, 0.0)] * num_seats
        self.terminations: Counter[str] = Counter()

    def take(self, fields: Fields, seat: int) -> None:
        """Count a game that the engine played on a seat."""
        returns = fields["returns"]
        points = seat_points(returns, seat)
        self.games += 1
        self.points += points
        is_best = returns[seat] == max(returns)
        self.wins += points == 1.0
        self.draws += is_best and points < 1.0
        self.losses += not is_best
        games, total = self.by_seat[seat]
        self.by_seat[seat] = (games + 1, total + points)
        fault = fields.get("fault")
        if fault is not None and fault["seat"] == seat:
            self.terminations[fault["kind"]] += 1
        self.replaced += sum(answer["seat"] == seat for answer in fields.get("replaced", []))

    def to_json(self) -> Fields:
        """Return the numbers as an object."""
        return {
            "label": self.label,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "points": self.points,
            "seats": [{"games": games, "points": points} for games, points in self.by_seat],
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
            fields = game.fields
            self.games += 1
            self.blocks += game.block != block
            block = game.block
            self.plies += fields["plies"]
            self.terminations[fields["termination"]] += 1
            for seat, engine in enumerate(game.seats):
                self.engines[engine].take(fields, seat)

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
