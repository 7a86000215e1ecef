"""Whole runs for tests: with real engines, or with games that are made up without any."""

import asyncio
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.contestant import Limit, label_all, make_contestant
from bench.games import parse_game
from bench.plan import Plan, ResultSink
from bench.records import Writer, journal_head
from bench.referee.block import Block, Job
from bench.referee.game_result import Decision, GameResult, verdict_returns
from bench.referee.policy import Policy
from bench.referee.verdicts import Fault, Termination
from bench.tournament.formats import Terms, make
from bench.tournament.journal import Journal
from bench.tournament.manager import run
from bench.tournament.outcome import Outcome
from bench.tournament.pool import Pool
from engine import RandomStream


def make_plan(
    *engines: str,
    blocks: int = 10,
    seed: int = 3,
    nodes: int = 30,
    game: str = "kuhn",
    form: str = "match",
    policy: Policy | None = None,
    rounds: int | None = None,
    **limits: Any,
) -> Plan:
    """Return a run of some engines, of Kuhn poker if nothing else is said."""
    loaded = parse_game(game)
    limit = Limit(nodes=nodes, **limits)
    contestants = [make_contestant(text, limit, {}) for text in engines]
    label_all(contestants)
    labels = [contestant.label for contestant in contestants]
    terms = Terms(loaded.num_seats, labels, blocks, rounds)
    return Plan(loaded, contestants, lambda: make(form, terms), seed, policy)


def head_of(plan: Plan) -> dict[str, Any]:
    """Return the head of its journal."""
    return journal_head(plan, plan.make_schedule().describe())


class Played:
    """A run that has come to its end: outcome, record, events, counted results."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.outcome = Outcome()
        self.file = io.StringIO()
        self.events: list[dict[str, Any]] = []
        self.results: list[GameResult] = []

    def take(self, block: Block, results: list[GameResult]) -> None:
        """Take a counted block."""
        self.results += results

    def reset(self) -> None:
        """Forget all blocks."""
        self.results.clear()

    @property
    def record(self) -> str:
        """The text of its record."""
        return self.file.getvalue()

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Return the events of a kind."""
        return [event for event in self.events if event["event"] == kind]

    @property
    def standings(self) -> dict[str, Any]:
        """The last standings, without what differs from run to run."""
        last = dict(self.of("standings")[-1])
        for name in ("seconds", "eta_s", "lag_p99_ms", "latency_ms"):
            del last[name]
        return last


def play(
    plan: Plan,
    concurrency: int = 2,
    journal: Path | None = None,
    executor: Any = None,
    **more: Any,
) -> Played:
    """Play a run to its end; a journal that is there is resumed."""
    played = Played(plan)
    writer = Writer(played.file, head_of(plan), plan.make_schedule)
    opened = None
    if journal is not None:
        opener = Journal.resume if journal.exists() else Journal.create
        opened = opener(journal, head_of(plan))

    def finish(outcome: Outcome) -> None:
        writer.close(plan.seed if outcome.is_complete else None)

    played.outcome = asyncio.run(
        run(
            plan,
            executor or Pool(concurrency),
            journal=opened,
            takers=[played, writer],
            emit=played.events.append,
            finish=finish,
            **more,
        )
    )
    return played


def games_in(path: Path) -> list[tuple[int, int]]:
    """Return (block, game) of all lines of games in a journal or record, from 1."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(line["block"], line["game"]) for line in lines if "events" in line]


def made_up(job: Job) -> GameResult:
    """Return a game that follows from its deal and seats alone, and took no time."""
    stream = RandomStream(job.deal, 5, 1 + job.rotation)
    chance = stream.below(3) / 2
    points = [chance, 1.0 - chance]
    margins = [4 * chance - 2, 2 - 4 * chance]
    return GameResult(
        job,
        Termination.RULES,
        events=f"deal-{job.deal}",
        returns=points,
        scores=margins,
        margins=margins,
        plies=2,
        tallies={"turns": 2},
        decisions=[Decision(0.0), Decision(0.0)],
        strikes=[0, 0],
        names=["x", "y"],
        worker="nobody",
    )


def lost(job: Job, kind: Termination, seat: int = 0) -> GameResult:
    """Return a game that a seat has lost by a fault of its engine."""
    result = made_up(job)
    result.termination, result.fault = kind, Fault(seat, 1, kind, "made up")
    result.returns = verdict_returns(2, seat)
    return result


def void(job: Job, text: str = "the referee was late") -> GameResult:
    """Return a game without a result."""
    return GameResult(job, Termination.INTERNAL, Fault(0, 1, Termination.INTERNAL, text))


Script = Callable[[Job, int], GameResult]


class MadeUp:
    """An executor without engines: `script(job, try)` makes the result of each game.

    `turns(job)` says for how many turns of the event loop a game lasts. `played` has all games in
    the order of their ends, `most` the largest number of blocks that were under way at a time.
    """

    def __init__(
        self,
        capacity: int = 2,
        script: Script | None = None,
        turns: Callable[[Job], int] = lambda job: 1,
    ) -> None:
        self.capacity = capacity
        self._script = script or (lambda job, attempt: made_up(job))
        self._turns = turns
        self._tries: dict[tuple[int, int], int] = {}
        self.played: list[Job] = []
        self.excluded: list[str] = []
        self.most = self._now = 0
        self.is_closed = False

    async def open(self, plan: Plan) -> None:
        """Make ready."""
        self.plan = plan

    async def play(self, block: Block, rotations: Sequence[int], sink: ResultSink) -> None:
        """Play some seatings of a block."""
        self._now += 1
        self.most = max(self.most, self._now)
        try:
            jobs = self.plan.jobs(block)
            for rotation in rotations:
                job = jobs[rotation]
                sink.start(job, "nobody")
                for _ in range(self._turns(job)):
                    await asyncio.sleep(0)
                key = (block.number, rotation)
                self._tries[key] = attempt = self._tries.get(key, 0) + 1
                result = self._script(job, attempt)
                self.played.append(job)
                sink.result(result)
                if result.is_void:
                    return
        finally:
            self._now -= 1

    def exclude(self, worker: str) -> None:
        """Give nothing more to a worker."""
        self.excluded.append(worker)

    async def close(self, at_once: bool = False) -> None:
        """End."""
        self.is_closed = True
