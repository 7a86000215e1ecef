"""What a match says at its end, from A's side: as JSON and as a table."""

from typing import Any

from bench.counts import Counts
from bench.plan import Plan
from bench.referee.block import Block
from bench.referee.game_result import GameResult, block_points
from bench.report.words import fill, number, percent, percent_error, plus_minus, width
from bench.statistics.elo import Strength, elo_slope, score_distribution, score_index
from bench.statistics.running import Moments, Scale
from bench.tournament.outcome import Outcome
from bench.tournament.sequential import RAW


class MatchSummary:
    """The numbers of a match between two contestants, all from the side of the first, A.

    It takes whole blocks, so its games are those that count. Memory does not grow with them.
    """

    def __init__(self, plan: Plan) -> None:
        if len(plan.contestants) != 2 or plan.game.num_seats != 2:
            raise ValueError("a summary of a match needs two contestants at a table of two")
        self.plan = plan
        self.planned = plan.make_schedule().planned * plan.games_per_block
        self._coefficient = plan.evaluator.score_coefficient if plan.evaluator else 0.0
        self.reset()

    def reset(self) -> None:
        """Forget all games, to count from the start."""
        self._test = self.plan.test.start() if self.plan.test else None
        self.games, self.sides = 0, [Counts(2), Counts(2)]
        self.pair_scores = score_distribution([])
        self._first_seat, self._first_margin = Moments(), Moments()
        self._margin, self._plies = Moments(), Moments()
        self._tallies: dict[str, Moments] = {}
        self._lag = Scale()

    def take(self, block: Block, results: list[GameResult]) -> None:
        """Count a block; its results are those of all its games."""
        for contestant, side in enumerate(self.sides):
            side.add_block(results, contestant, self._coefficient)
        self.pair_scores[score_index(block_points(results, 0))] += 1
        first = [result.points(result.job.seats[0]) for result in results]
        self._first_seat.add(sum(first) / len(first))
        if self._test is not None:
            self._test.take(block, results)
        for result in results:
            self._take_game(result)

    def _take_game(self, result: GameResult) -> None:
        self.games += 1
        for seat, contestant in enumerate(result.job.seats):
            self.sides[contestant].add(result, seat)
        # A game that was lost by a verdict has no final margin and no length of its own.
        if result.is_by_rules:
            self._margin.add(result.margin(0))
            self._first_margin.add(result.margins[0])
            self._plies.add(float(result.plies))
            for name, count in result.tallies.items():
                self._tallies.setdefault(name, Moments()).add(float(count))
        self._lag.extend([decision.lag_ms for decision in result.decisions])

    @property
    def strength(self) -> Strength:
        """Score, Elo, normalized Elo and likelihood of superiority with their intervals."""
        return Strength(self.pair_scores, 2)

    def adjusted(self) -> dict[str, Any] | None:
        """Return raw and luck-adjusted numbers of the blocks with measured luck; None without.

        The shares are those of the variance of blocks that luck does not explain.
        """
        luck = self.sides[0].luck
        (raw_score, raw_margin), (score, margin) = luck.raw, luck.adjusted
        if not score.count:
            return None
        return {
            "pairs": score.count,
            "score": score.mean,
            "score_error": score.error,
            "score_variance_kept": variance_kept(raw_score, score),
            "margin": margin.mean,
            "margin_error": margin.error,
            "margin_variance_kept": variance_kept(raw_margin, margin),
        }

    @property
    def elo_error(self) -> float | None:
        """Half-width of the 95 % interval of the Elo difference by the slope of its curve."""
        score, error = self.sides[0].score.mean, self.sides[0].score.error
        if score is None or error is None or score in (0.0, 1.0):
            return None
        return elo_slope(score) * error

    def to_json(self, ending: Outcome) -> dict[str, Any]:
        """Return the object of `--json` for a match that ended so."""
        plan, strength, first = self.plan, self.strength, self.sides[0]
        return {
            "engines": [c.name for c in plan.contestants],
            "games": self.games,
            "wins": first.wins,
            "draws": first.draws,
            "losses": first.losses,
            "points": first.points,
            "elo": strength.elo,
            "elo_error": self.elo_error,
            "mean_margin": self._margin.mean,
            "mean_plies": self._plies.mean,
            "seconds": round(ending.seconds, 3),
            "game": plan.game.identity,
            "seed": plan.seed,
            "limits": [str(c.limit) for c in plan.contestants],
            "options": [c.options for c in plan.contestants],
            "score": first.score.mean,
            "score_error": first.score.error,
            "margin_error": first.margin.error,
            "pairs": sum(self.pair_scores),
            "pair_scores": self.pair_scores,
            "first_seat": self._first_seat.mean,
            "first_seat_error": self._first_seat.error,
            "first_seat_margin": self._first_margin.mean,
            "margin_deviation": self._first_margin.deviation,
            "tallies": {name: moments.mean for name, moments in self._tallies.items()},
            "forfeits": [side.terminations.total() for side in self.sides],
            "replaced": [side.replaced for side in self.sides],
            "failure": failure_json(plan, ending),
            "interrupted": ending.reason == "interrupted",
            "labels": [c.label for c in plan.contestants],
            "terminations": [dict(side.terminations) for side in self.sides],
            "strikes": [side.strikes for side in self.sides],
            "elo_interval": [strength.elo_low, strength.elo_high],
            "nelo": strength.nelo,
            "nelo_interval": [strength.nelo_low, strength.nelo_high],
            "los": strength.los,
            "adjusted": self.adjusted(),
            "lag_p99_ms": self._lag.quantile(0.99),
            "unfinished": ending.games - ending.counted_games,
            "warnings": ending.warnings,
            "decision": ending.decision,
            "sprt": None if self._test is None else self._test.to_json(),
        }

    def table(self, ending: Outcome) -> str:
        """Return the table for people of a match that ended so."""
        plan = self.plan
        names = [c.label for c in plan.contestants]
        columns = max(8, *(width(name) for name in names))
        lines = [
            f"{plan.game.identity}: {self.games} games, {sum(self.pair_scores)} blocks of two, "
            f"seed {plan.seed}"
        ]
        if ending.reason == "interrupted":
            lines.append(f"interrupted after {self.games} of {self.planned} games")
        lines += ["", f"{'':{columns}}  won  drawn  lost   points  score"]
        for name, side, contestant in zip(names, self.sides, plan.contestants, strict=True):
            share = percent(side.points / side.games) if side.games else "-"
            lines.append(
                f"{fill(name, columns)} {side.wins:4} {side.draws:6} {side.losses:5} "
                f"{side.points:8.1f}  {share:>7}   ({contestant.terms})"
            )
        rows = [*self._strength_rows(names[0]), *self._game_rows(), *self._fault_rows(names)]
        if self._test is not None:
            rows.insert(0, ("test", test_words(self._test.to_json())))
        if ending.games > ending.counted_games:
            unfinished = ending.games - ending.counted_games
            rows.append(("games of unfinished blocks", f"{unfinished}, not counted"))
        rows.append(("time", f"{ending.seconds:.1f} s"))
        label = max(width(row[0]) for row in rows)
        return "\n".join([*lines, "", *(f"{fill(name, label)}  {value}" for name, value in rows)])

    def _strength_rows(self, name: str) -> list[tuple[str, str]]:
        strength, adjusted = self.strength, self.adjusted()
        elo = plus_minus(strength.elo, self.elo_error, "+.0f")
        if strength.score in (0.0, 1.0):
            end = strength.elo_low if strength.score else strength.elo_high
            side = "at least" if strength.score else "at most"
            elo = "beyond measure" if end is None else f"beyond measure, {side} {end:+.0f}"
        rows = [
            (f"score of {name}", self._score_words(strength)),
            ("Elo difference", elo),
            ("normalized Elo", _between(strength.nelo, strength.nelo_low, strength.nelo_high)),
            ("stronger with probability", percent(strength.los)),
            ("mean margin", plus_minus(self._margin.mean, self.sides[0].margin.error, "+.2f")),
        ]
        if adjusted is not None:
            rows += [
                (
                    "score less luck",
                    percent_error(adjusted["score"], adjusted["score_error"])
                    + _kept(adjusted["score_variance_kept"]),
                ),
                (
                    "margin less luck",
                    plus_minus(adjusted["margin"], adjusted["margin_error"], "+.2f")
                    + _kept(adjusted["margin_variance_kept"]),
                ),
            ]
        return rows

    def _score_words(self, strength: Strength) -> str:
        if strength.score in (0.0, 1.0):
            end = strength.score_low if strength.score else strength.score_high
            side = "at least" if strength.score else "at most"
            return f"{percent(strength.score)}, {side} {percent(end)}"
        return percent_error(self.sides[0].score.mean, self.sides[0].score.error)

    def _game_rows(self) -> list[tuple[str, str]]:
        return [
            ("first seat's points", percent_error(self._first_seat.mean, self._first_seat.error)),
            ("decisions per game", number(self._plies.mean, ".1f")),
            *(
                (f"{name.replace('_', ' ')} per game", number(moments.mean, ".2f"))
                for name, moments in self._tallies.items()
            ),
            ("blocks at 0 1/4 1/2 3/4 1", " ".join(map(str, self.pair_scores))),
        ]

    def _fault_rows(self, names: list[str]) -> list[tuple[str, str]]:
        sides = self.sides
        words = sorted({word for side in sides for word in side.terminations})
        counted = [(f"lost by {w}", [side.terminations[w] for side in sides]) for w in words]
        counted.append(("illegal moves replaced", [side.replaced for side in sides]))
        counted.append(("overruns forgiven", [side.strikes for side in sides]))
        rows = [
            (what, f"{counts[0]} by {names[0]}, {counts[1]} by {names[1]}")
            for what, counts in counted
            if any(counts)
        ]
        lag = self._lag.quantile(0.99)
        if lag is not None and lag >= 1.0:
            rows.append(("the referee's own lag, 99 %", f"at most {lag:.1f} ms"))
        return rows


def failure_json(plan: Plan, ending: Outcome) -> dict[str, Any] | None:
    """Return a failure that ended a run as part of `--json`; None if none did.

    `side` is the letter of the contestant in the order in which they were named.
    """
    failure = ending.failure
    if failure is None:
        return None
    fault, contestant = failure["fault"], failure["contestant"]
    return {
        "engine": plan.contestants[contestant].name,
        "label": plan.contestants[contestant].label,
        "side": chr(ord("A") + contestant) if contestant < 26 else str(contestant + 1),
        "kind": fault["kind"],
        "text": fault["text"],
        "game": failure["number"],
        "deal": failure["deal"],
        "stderr": fault.get("stderr", ""),
    }


def test_words(test: dict[str, Any]) -> str:
    """Return how a sequential test stands, by the object that its run gives."""
    state = f"{test['decision']} accepted" if test["decision"] else "no decision"
    luck = "" if test.get("on", RAW) == RAW else ", less luck"
    return (
        f"{test['elo0']:g} against {test['elo1']:g} {test['unit']}{luck}: {state}, LLR "
        f"{test['llr']:.3f} of {test['lower']:.3f} to {test['upper']:.3f}, {test['blocks']} blocks"
    )


def variance_kept(raw: Moments, adjusted: Moments) -> float | None:
    """Return the share of the variance that an adjustment leaves; None where there was none."""
    return adjusted.squares / raw.squares if raw.squares else None


def _between(value: float | None, low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return "-"
    if low is None or high is None:
        return f"at most {high:+.0f}" if low is None else f"at least {low:+.0f}"
    ends = f"{low:+.0f} to {high:+.0f}"
    return ends if value is None else f"{value:+.0f} ({ends})"


def _kept(share: float | None) -> str:
    return "" if share is None else f"  ({percent(share)} of the variance left)"


__all__ = ["MatchSummary", "failure_json", "test_words", "variance_kept"]
