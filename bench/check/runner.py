"""Running steps against an engine, one dialect after the other."""

import time
from collections.abc import Callable, Sequence

from bench.check.steps import Failure, Skip, Step
from bench.check.subject import Subject

OK, FAILED, SKIPPED = "ok", "fail", "skip"


class Outcome:
    """How a step went. `reason` says why it was skipped; the rest belongs to failures."""

    __slots__ = (
        "dialect",
        "expected",
        "got",
        "hint",
        "reason",
        "seconds",
        "status",
        "stderr",
        "step",
        "transcript",
    )

    def __init__(self, step: Step, dialect: str) -> None:
        self.step, self.dialect = step, dialect
        self.status, self.seconds = OK, 0.0
        self.reason = self.expected = self.got = self.stderr = self.hint = ""
        self.transcript: list[str] = []

    def to_json(self) -> dict[str, object]:
        """Return the outcome as JSON-ready data."""
        told: dict[str, object] = {
            "dialect": self.dialect,
            "number": self.step.number,
            "name": self.step.name,
            "status": self.status,
            "seconds": round(self.seconds, 3),
        }
        if self.status == SKIPPED:
            told["reason"] = self.reason
        if self.status == FAILED:
            told |= {
                "step": self.step.sentence,
                "source": self.step.source,
                "expected": self.expected,
                "got": self.got,
                "hint": self.hint,
                "stderr": self.stderr,
                "transcript": self.transcript,
            }
        return told


async def run_steps(
    subject: Subject,
    steps: Sequence[Step],
    tell: Callable[[Outcome], None],
    keep_going: bool,
) -> list[Outcome]:
    """Run steps in order; `tell` hears of each. Stops at the first failure unless `keep_going`."""
    outcomes: list[Outcome] = []
    try:
        for step in steps:
            outcome = await _run(subject, step)
            outcomes.append(outcome)
            tell(outcome)
            if outcome.status == FAILED and not keep_going:
                break
    finally:
        await subject.close()
    return outcomes


async def _run(subject: Subject, step: Step) -> Outcome:
    outcome = Outcome(step, subject.dialect)
    subject.transcript.restart()
    start = time.perf_counter()
    try:
        _ask_for_needs(subject, step)
        await step.run(subject)
        await subject.settle()
    except Skip as skip:
        outcome.status, outcome.reason = SKIPPED, str(skip)
    except Failure as failure:
        outcome.status = FAILED
        outcome.expected, outcome.got = failure.expected, failure.got
        outcome.transcript = subject.transcript.lines()
        outcome.stderr = subject.last_words()
    outcome.seconds = time.perf_counter() - start
    await subject.end_step(failed=outcome.status == FAILED)
    return outcome


def _ask_for_needs(subject: Subject, step: Step) -> None:
    """Raise Skip if a step can't be asked in this dialect or of this engine."""
    if subject.dialect not in step.dialects:
        raise Skip(f"only under {' and '.join(step.dialects)}")
    if step.option:
        subject.option(step.option)
    if step.feature and step.feature not in subject.profile.features:
        raise Skip(f"the engine declares no feature {step.feature}")
    if step.is_open and subject.profile.has_views_only:
        raise Skip("positions are views only (feature views=only)")
    for word in step.queries:
        subject.need(word)
