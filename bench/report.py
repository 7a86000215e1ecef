"""What a match says at its end: a summary from A's side, as JSON, as a table, as progress lines."""

import sys
import time
from collections.abc import Callable
from typing import IO, Any

from bench.match import Outcome, Plan
from bench.play import EngineFailure, GameResult
from bench.stats import NORMAL_95, Estimate, deviation, mean, pair_distribution, standard_error


class Summary:
    """The numbers of a match or of its games so far, all from A's side."""

    def __init__(self, plan: Plan, outcome: Outcome) -> None:
        self.plan = plan
        self.outcome = outcome
        results = outcome.results
        points = [r.points(0) for r in results]
        self.games = len(results)
        self.wins, self.draws = points.count(1.0), points.count(0.5)
        self.losses = points.count(0.0)
        self.points = sum(points)
        self.pair_scores = pair_means(results, lambda r: r.points(0))
        self.estimate = Estimate(self.pair_scores)
        # A game that was lost by verdict has no final margin and no length of its own.
        by_rules = [r for r in results if r.forfeit is None]
        self.forfeits = [
            sum(r.forfeit is not None and r.job.sides[r.forfeit.seat] == side for r in results)
            for side in range(2)
        ]
        self.replaced = [
            sum(r.job.sides[fault.seat] == side for r in results for fault in r.replaced)
            for side in range(2)
        ]
        margin_error = standard_error(pair_means(by_rules, lambda r: r.margin(0)))
        self.margin_error = None if margin_error is None else NORMAL_95 * margin_error
        self.mean_margin = mean([r.margin(0) for r in by_rules])
        self.mean_plies = mean([float(r.plies) for r in by_rules])
        self.first_seat = Estimate(pair_means(results, lambda r: r.points(r.job.sides[0])))
        self.first_margins = [r.margins[0] for r in by_rules]
        names = by_rules[0].tallies if by_rules else {}
        self.tallies = {n: mean([float(r.tallies[n]) for r in by_rules]) for n in names}

    @property
    def interruption(self) -> str:
        """What is said of a match that was broken off."""
        return f"interrupted after {self.games} of {self.plan.games} games"

    def to_json(self) -> dict[str, Any]:
        """Return the object of `--json`."""
        plan, failure = self.plan, self.outcome.failure
        return {
            "engines": [c.name for c in plan.contestants],
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "points": self.points,
            "elo": self.estimate.elo,
            "elo_error": self.estimate.elo_error,
            "mean_margin": self.mean_margin,
            "mean_plies": self.mean_plies,
            "seconds": round(self.outcome.seconds, 3),
            "game": plan.game.identity,
            "seed": plan.seed,
            "limits": [str(c.limit) for c in plan.contestants],
            "options": [c.options for c in plan.contestants],
            "score": self.estimate.score,
            "score_error": self.estimate.score_error,
            "margin_error": self.margin_error,
            "pairs": len(self.pair_scores),
            "pair_scores": pair_distribution(self.pair_scores),
            "first_seat": self.first_seat.score,
            "first_seat_error": self.first_seat.score_error,
            "first_seat_margin": mean(self.first_margins),
            "margin_deviation": deviation(self.first_margins),
            "tallies": self.tallies,
            "forfeits": self.forfeits,
            "replaced": self.replaced,
            "failure": None if failure is None else failure_json(failure),
            "interrupted": self.outcome.interrupted,
        }

    def table(self) -> str:
        """Return the table for people."""
        plan = self.plan
        names, of_first = [c.name for c in plan.contestants], plan.contestants[0].name
        if names[0] == names[1]:
            of_first = f"A ({names[0]})"
            names = [f"{side} {name}" for side, name in zip("AB", names, strict=True)]
        width = max(8, *(len(n) for n in names))
        ended = f"\n{self.interruption}" if self.outcome.interrupted else ""
        lines = [
            f"{plan.game.identity}: {self.games} games, {len(self.pair_scores)} pairs, "
            f"seed {plan.seed}{ended}",
            "",
            f"{'':{width}}  won  drawn  lost   points  score",
        ]
        for side, name in enumerate(names):
            won, lost = (self.wins, self.losses) if side == 0 else (self.losses, self.wins)
            points = self.points if side == 0 else self.games - self.points
            share = percent(points / self.games) if self.games else "-"
            lines.append(
                f"{name:{width}} {won:4} {self.draws:6} {lost:5} {points:8.1f}  {share:>7}"
                f"   ({plan.contestants[side].terms})"
            )
        rows = [
            ("score of " + of_first, plus_minus(self.estimate, "score")),
            ("Elo difference", plus_minus(self.estimate, "elo")),
            (
                "mean margin",
                f"{number(self.mean_margin, '+.2f')} ± {number(self.margin_error, '.2f')}",
            ),
            ("first seat's points", plus_minus(self.first_seat, "score")),
            ("decisions per game", number(self.mean_plies, ".1f")),
            *(
                (f"{n.replace('_', ' ')} per game", number(v, ".2f"))
                for n, v in self.tallies.items()
            ),
            ("pairs at 0 1/4 1/2 3/4 1", " ".join(map(str, pair_distribution(self.pair_scores)))),
            *(
                (what, f"{counts[0]} by {names[0]}, {counts[1]} by {names[1]}")
                for what, counts in (
                    ("lost by an illegal move", self.forfeits),
                    ("illegal moves replaced", self.replaced),
                )
                if any(counts)
            ),
            ("time", f"{self.outcome.seconds:.1f} s"),
        ]
        label = max(len(r[0]) for r in rows)
        return "\n".join([*lines, "", *(f"{name:{label}}  {value}" for name, value in rows)])


def pair_means(results: list[GameResult], value: Callable[[GameResult], float]) -> list[float]:
    """Return the mean value of both games for each pair of which both are finished."""
    first: dict[int, float] = {}
    means = []
    for result in results:
        pair = result.job.pair
        if pair in first:
            means.append((first.pop(pair) + value(result)) / 2)
        else:
            first[pair] = value(result)
    return means


def failure_json(failure: EngineFailure) -> dict[str, Any]:
    """Return a failure of an engine as part of `--json`."""
    job = failure.job
    return {
        "engine": failure.name,
        "side": "AB"[failure.side],
        "kind": failure.kind,
        "text": failure.text,
        "game": None if job is None else job.number + 1,
        "deal": None if job is None else job.deal,
        "stderr": failure.stderr,
    }


def percent(share: float) -> str:
    """Write a share of 0..1."""
    return f"{100.0 * share:.1f} %"


def number(value: float | None, shape: str) -> str:
    """Write a number that may be missing."""
    return "-" if value is None else format(value, shape)


def plus_minus(estimate: Estimate, what: str) -> str:
    """Write `score` or `elo` with the half-width of its 95 % interval."""
    if what == "elo":
        if estimate.elo is None:
            return "-" if estimate.score is None else "beyond measure"
        return f"{estimate.elo:+.0f} ± {number(estimate.elo_error, '.0f')}"
    if estimate.score is None:
        return "-"
    error = estimate.score_error
    return f"{percent(estimate.score)} ± {'-' if error is None else percent(error)}"


class Progress:
    """Tells on a stream how far a match is: one line that renews itself, or plain lines.

    On anything but a terminal it writes about ten lines in all. A stream that takes nothing more
    is left alone, for the match matters more.
    """

    def __init__(self, games: int, stream: IO[str] | None = None) -> None:
        self._games = games
        # Without standard error there is no stream at all.
        self._stream: IO[str] | None = stream if stream is not None else sys.stderr
        self._live = self._stream is not None and self._stream.isatty()
        self._start = time.monotonic()
        self._tenth = 0
        self._points = [0.0, 0.0]

    def add(self, result: GameResult, finished: int) -> None:
        """Count a finished game."""
        for side in range(2):
            self._points[side] += result.points(side)
        tenth = 10 * finished // self._games
        if not self._live and tenth == self._tenth:
            return
        self._tenth = tenth
        seconds = time.monotonic() - self._start
        rest = seconds / finished * (self._games - finished)
        text = (
            f"{finished} of {self._games} games, {self._points[0]:g} : {self._points[1]:g} points, "
            f"{seconds:.0f} s, about {rest:.0f} s to go"
        )
        self._write(f"\r{text}\x1b[K" if self._live else text + "\n")

    def close(self) -> None:
        """End the live line."""
        if self._live and self._tenth:
            self._write("\n")

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._stream = None
