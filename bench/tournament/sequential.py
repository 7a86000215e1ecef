"""The sequential test of a run: fed with whole blocks in the order of the schedule."""

from typing import Any

from bench.referee.block import Block
from bench.referee.game_result import GameResult, block_luck, block_points
from bench.statistics.running import Moments
from bench.statistics.sprt import H1, Sprt, SprtRun, SprtTest, settings

RAW, ADJUSTED = "raw", "adjusted"


class SequentialTest:
    """A test that ends a run of two contestants, by the points of the first of them.

    Attributes:
        test: its hypotheses and bounds.
        every: after how many blocks it is looked at.
        evaluator: what luck is taken off the points with, or None for raw points.
    """

    def __init__(self, test: SprtTest, every: int = 1, evaluator: Any = None) -> None:
        if every < 1:
            raise ValueError(f"a test is looked at every 1 block or more, not {every}")
        self.test, self.every, self.evaluator = test, every, evaluator

    def describe(self) -> dict[str, Any]:
        """Return all its settings, for the head of a journal."""
        on = RAW if self.evaluator is None else ADJUSTED
        return {**settings(self.test), "every": self.every, "on": on}

    def start(self) -> "SequentialRun":
        """Return the test before its first block."""
        return SequentialRun(self)


class SequentialRun:
    """A test under way; once there is a decision it stays.

    Attributes:
        decision: the hypothesis that was accepted, `H0` or `H1`; None while there is no decision.
    """

    def __init__(self, of: SequentialTest) -> None:
        self._of = of
        self._run = SprtRun(of.test, of.every)
        self._moments = Moments()
        self.decision: str | None = None

    def take(self, block: Block, results: list[GameResult]) -> None:
        """Count the next block of the schedule."""
        if self._of.evaluator is None:
            self.decision = self._run.add(block_points(results, 0))
            return
        if self.decision is not None:
            return
        luck = block_luck(results, 0)
        if luck is None:
            raise ValueError(f"the luck of {block} was not measured")
        score = block_points(results, 0) - self._of.evaluator.score_coefficient * luck
        self._moments.add(score)
        if self._moments.count % self._of.every == 0:
            self.decision = self._of.test.status_of_moments(self._moments).decision

    def status(self) -> Sprt:
        """Return how the test stands."""
        if self._of.evaluator is None:
            return self._run.status()
        now = self._of.test.status_of_moments(self._moments)
        return now._replace(decision=self.decision)

    def to_json(self) -> dict[str, Any]:
        """Return the object of the standings event: where the test stands, and between what."""
        now, test = self.status(), self._of.test
        return {
            "llr": now.llr,
            "lower": now.lower,
            "upper": now.upper,
            "decision": now.decision,
            "model": test.model,
            "unit": now.unit,
            "elo0": test.elo0,
            "elo1": test.elo1,
            "blocks": now.blocks,
            "on": RAW if self._of.evaluator is None else ADJUSTED,
        }

    def conclusion(self) -> str:
        """Return the decision in words."""
        now, test = self.status(), self._of.test
        kept = test.elo1 if now.decision == H1 else test.elo0
        return (
            f"{now.decision} accepted ({kept:g} {now.unit}) after {now.blocks} blocks, "
            f"LLR {now.llr:.2f}"
        )


__all__ = ["ADJUSTED", "RAW", "SequentialRun", "SequentialTest"]
