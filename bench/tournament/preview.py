"""What a run would be: its schedule, and how long it would take, from a short sample of games.

The sample is the first games of the run, played one at a time for SAMPLE_S seconds, or until one
has ended, and thrown away. The estimate is their mean time, times the games, divided by how many
run at a time. If no game ends within PATIENCE_S, and all engines have a limit of time, it is the
most that the limits allow, for games as long as games of random moves.
"""

import asyncio
import os
import time
from typing import TYPE_CHECKING, Any

from bench.interrupts import until_signal
from bench.referee.game_result import GameResult

if TYPE_CHECKING:
    from bench.contestant import Limit
    from bench.plan import Plan, Schedule
    from bench.referee.block import Job

SAMPLE_S = 5.0
"""How long the sample is played, in seconds, if a game ends by then."""

PATIENCE_S = 30.0
"""How long the first game of the sample may take, in seconds."""

FIRST_BLOCKS = 12
MEETINGS_MAX = 60
RANDOM_GAMES = 10


def preview(plan: "Plan", concurrency: int = 0) -> list[str]:
    """Return the lines of a dry run; `concurrency` 0 means as many games as cores.

    Starts the engines of the first blocks. Raises BadContestant if one is told an option that it
    does not declare.
    """
    schedule, labels = plan.make_schedule(), [c.label for c in plan.contestants]
    settings = ", ".join(f"{key} {value}" for key, value in schedule.describe().items())
    settings = settings.replace("name", "format", 1)
    games = schedule.planned * plan.games_per_block
    lines = [f"{plan.game.identity}: {settings}", ""]
    width = max(len(label) for label in labels)
    lines.extend(
        f"{number:4}  {contestant.label:{width}}  ({contestant.terms})"
        for number, contestant in enumerate(plan.contestants, 1)
    )
    lines += ["", *_first_blocks(schedule, labels)]
    lines += ["", *_meetings(schedule, labels)]
    lines += [
        "",
        f"{schedule.planned:,} block{'s' if schedule.planned > 1 else ''} of "
        f"{plan.games_per_block} games: {games:,} games"
        + (", fewer if the test decides before" if plan.test is not None else ""),
    ]
    if plan.test is not None:
        settings = ", ".join(f"{key} {value}" for key, value in plan.test.describe().items())
        lines.append(f"sequential test: {settings}")
    slots = concurrency or len(os.sched_getaffinity(0))
    return [*lines, *_duration(plan, games, min(slots, schedule.planned))]


def _first_blocks(schedule: "Schedule", labels: list[str]) -> list[str]:
    lines = [f"{'block':>5}  {'round':>5}  {'deal':>4}  line-up"]
    for number in range(min(FIRST_BLOCKS, schedule.planned)):
        block = schedule.block(number)
        if block is None:
            lines.append("the next blocks depend on the results of these")
            return lines
        names = " - ".join(labels[contestant] for contestant in block.lineup)
        lines.append(f"{number + 1:5}  {block.round + 1:5}  {block.deal + 1:4}  {names}")
    if schedule.planned > FIRST_BLOCKS:
        lines.append(f"  ... and {schedule.planned - FIRST_BLOCKS:,} more")
    return lines


def _meetings(schedule: Any, labels: list[str]) -> list[str]:
    """Tell who meets whom how often, if the schedule knows it."""
    if not hasattr(schedule, "meetings"):
        return ["who meets whom depends on the results", *schedule.standing_notes()]
    counts = schedule.meetings()
    if len(counts) > MEETINGS_MAX:
        low, high = min(counts.values()), max(counts.values())
        often = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        return [f"{len(counts)} pairs meet, blocks of each: {often}"]
    return ["blocks at which two meet:"] + [
        f"  {labels[one]} - {labels[other]}: {blocks:,}"
        for (one, other), blocks in sorted(counts.items())
    ]


def _duration(plan: "Plan", games: int, slots: int) -> list[str]:
    """Tell how long the run takes, and how that is known."""
    try:
        seconds, problem = asyncio.run(until_signal(_sample(plan)))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    if seconds:
        each = sum(seconds) / len(seconds)
        return [
            f"about {spoken(each * games / slots)} with {slots} games at a time: measured, "
            f"{len(seconds)} of its games, {each:.2f} s each"
        ]
    lines = [f"no time measured: {problem or f'no game ended within {PATIENCE_S:g} s'}"]
    limits = [contestant.limit for contestant in plan.contestants]
    if all(limit.is_timed for limit in limits):
        decisions = _random_length(plan) / plan.game.num_seats
        each = sum(_most(limit, decisions) for limit in limits) / len(limits)
        total = each * plan.game.num_seats * games / slots
        lines.append(
            f"at most about {spoken(total)} with {slots} at a time: from the limits, for "
            f"{decisions:.0f} decisions of each seat as in games of random moves"
        )
    return lines


async def _sample(plan: "Plan") -> tuple[list[float], str]:
    """Play the first games; return the seconds of those that ended, and what went wrong else."""
    from bench.referee.slot import Slot
    from bench.referee.verdicts import Termination

    schedule = plan.make_schedule()
    seconds: list[float] = []
    slot = Slot(plan, "sample", _Deaf())
    try:
        begin = asyncio.get_running_loop().time()
        async with asyncio.timeout(PATIENCE_S) as limit:
            number = 0
            while number < schedule.planned and (block := schedule.block(number)) is not None:
                number += 1
                for job in plan.jobs(block):
                    start = time.monotonic()
                    result = await slot.play(job)
                    if result.termination == Termination.START:
                        return seconds, "" if result.fault is None else result.fault.text
                    if not result.is_void:
                        seconds.append(time.monotonic() - start)
                        limit.reschedule(begin + min(SAMPLE_S, PATIENCE_S))
    except TimeoutError:
        pass
    finally:
        await slot.close()
    return seconds, ""


class _Deaf:
    """Takes what happens in a sample, and forgets it."""

    def start(self, job: "Job", worker: str) -> None:
        """Forget a start."""

    def result(self, result: GameResult) -> None:
        """Forget a game."""

    def warn(self, text: str, contestant: int | None = None, **fields: Any) -> None:
        """Forget a remark."""


def _random_length(plan: "Plan") -> float:
    """Return the mean number of decisions of games of random moves."""
    from bench.referee.referee import Referee
    from bench.seeds import PURPOSE_MEASURE
    from engine import RandomStream

    plies = 0
    for seed in range(RANDOM_GAMES):
        referee, stream = Referee(plan.game, seed), RandomStream(seed, PURPOSE_MEASURE)
        while not referee.is_over:
            moves = referee.state.legal_moves()
            referee.decide(plan.game.move_name(moves[stream.below(len(moves))]))
        plies += referee.plies
    return plies / RANDOM_GAMES


def _most(limit: "Limit", decisions: float) -> float:
    """Return the most seconds that one seat may spend in a game of so many decisions."""
    bounds = []
    if limit.movetime_ms is not None:
        bounds.append(limit.movetime_ms * decisions)
    if limit.base_ms is not None:
        periods = 1.0 if limit.period is None else max(1.0, decisions / limit.period)
        bounds.append(limit.base_ms * periods + limit.inc_ms * decisions)
    return min(bounds) / 1000.0


def spoken(seconds: float) -> str:
    """Return a time as people say it.

    >>> [spoken(8.4), spoken(610), spoken(9000), spoken(10**6)]
    ['8 s', '10 min', '2.5 h', '11.6 days']
    """
    for unit, size, shape in (("days", 86400, ".1f"), ("h", 3600, ".1f"), ("min", 60, ".0f")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:{shape}} {unit}"
    return f"{seconds:.0f} s"


__all__ = ["PATIENCE_S", "SAMPLE_S", "preview", "spoken"]
