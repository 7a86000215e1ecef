"""The summary at the end of a run: that of a match for two, that of a pool for all others."""

from typing import Any

from bench.plan import Plan
from bench.referee.block import Block
from bench.referee.game_result import GameResult
from bench.report.match import MatchSummary, failure_json
from bench.report.tally import Tally
from bench.report.words import terms_of
from bench.text import visible
from bench.tournament.outcome import Outcome


class PoolSummary:
    """The numbers of a tournament; it takes whole blocks, and its memory does not grow with them.

    They are those that `drakkar ratings` finds in the journal of the run.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.reset()

    def reset(self) -> None:
        """Forget all games, to count from the start."""
        plan = self.plan
        coefficient = plan.evaluator.score_coefficient if plan.evaluator else None
        test = plan.test.start() if plan.test else None
        labels = [contestant.label for contestant in plan.contestants]
        self.tally = Tally(labels, plan.game.num_seats, coefficient, test)
        self._schedule = plan.make_schedule()

    def take(self, block: Block, results: list[GameResult]) -> None:
        """Count a block; its results are those of all its games."""
        self.tally.take(block, results)
        self._schedule.take(block, results)

    def to_json(self, ending: Outcome) -> dict[str, Any]:
        """Return the object of `--json` for a run that ended so."""
        return self._told(ending)

    def _told(self, ending: Outcome) -> dict[str, Any]:
        from bench.report.ratings import report

        plan = self.plan
        terms = [terms_of(c.argv, c.limit, c.options) for c in plan.contestants]
        about = {"game": plan.game.identity, "journals": [], "formats": [], "warnings": []}
        return {
            **report(self.tally, about, terms),
            "run_seed": plan.seed,
            "reason": ending.reason,
            "seconds": round(ending.seconds, 3),
            "unfinished": ending.games - ending.counted_games,
            "failure": failure_json(plan, ending),
            "decision": ending.decision,
            "notes": self._schedule.standing_notes(),
        }

    def table(self, ending: Outcome) -> str:
        """Return the tables for people of a run that ended so."""
        from bench.report.text import ending_words, ratings_text

        found = self._told(ending)
        parts = [ratings_text(found) if self.tally.blocks else "no block is finished"]
        parts += ["\n".join(visible(note) for note in found["notes"])] if found["notes"] else []
        parts.append(
            ending_words(ending.reason, ending.games, ending.counted_games, ending.seconds)
        )
        return "\n\n".join(parts)


def summary_of(plan: Plan) -> MatchSummary | PoolSummary:
    """Return a summary for a plan: a taker of blocks with `table(ending)` and `to_json(ending)`."""
    if len(plan.contestants) == 2 and plan.game.num_seats == 2:
        return MatchSummary(plan)
    return PoolSummary(plan)


__all__ = ["PoolSummary", "summary_of"]
