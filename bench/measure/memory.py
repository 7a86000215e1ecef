"""Memory and start of the manager: they do not depend on how many games are planned."""

import json
import subprocess
import sys

from bench.registry import Out

# A run whose games are made up, broken off after some of them; prints its peak memory and times.
_SCRIPT = """
import asyncio, json, resource, sys, tempfile, time
from pathlib import Path
begin = time.monotonic()
from bench.contestant import Contestant, Limit
from bench.games import parse_game
from bench.records import Writer, journal_head
from bench.report.summary import summary_of
from bench.referee.game_result import Decision, GameResult
from bench.tournament.formats import Terms, make
from bench.tournament.journal import Journal
from bench.tournament.manager import run
from bench.plan import Plan
from bench.referee.verdicts import Termination

blocks, games = int(sys.argv[1]), int(sys.argv[2])

class MadeUp:
    capacity = 2
    first_s = 0.0
    played = 0
    task = None
    async def open(self, plan):
        self.plan = plan
    async def play(self, block, rotations, sink):
        for job in self.plan.jobs(block):
            self.first_s = self.first_s or time.monotonic() - begin
            await asyncio.sleep(0)
            self.played += 1
            if self.played > games:
                self.task.cancel()
            sink.result(GameResult(
                job, Termination.RULES, events="x" * 400, returns=[0.0, 1.0], scores=[0.0, 1.0],
                margins=[-1.0, 1.0], plies=2, tallies={"turns": 2}, strikes=[0, 0],
                decisions=[Decision(1.0, 0.0, 5, 3, 1)] * 2, names=["a", "b"], worker="w"))
    def exclude(self, worker):
        pass
    async def close(self, at_once=False):
        pass

async def main():
    names = ["a", "b", "c", "d"]
    contestants = [Contestant(name, [name], {}, Limit(nodes=1)) for name in names]
    terms = Terms(2, names, blocks // 6)
    plan = Plan(parse_game("kuhn"), contestants, lambda: make("round_robin", terms), 1)
    executor, folder = MadeUp(), Path(tempfile.mkdtemp())
    executor.task = asyncio.current_task()
    head = journal_head(plan, plan.make_schedule().describe())
    with open(folder / "record", "w") as file:
        takers = [summary_of(plan), Writer(file, head, plan.make_schedule)]
        journal = Journal.create(folder / "journal", head)
        outcome = await run(plan, executor, journal=journal, takers=takers, emit=lambda e: None)
    peak_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps([peak_kib / 1024, executor.first_s, outcome.counted_games]))
asyncio.run(main())
"""


def planned_games(
    out: Out, few: int = 10**3, many: int = 10**6, played: int = 500, longer: int = 20_000
) -> None:
    """Plan few and many games, play as many of both, and write what it takes into `out`.

    `grown_mb` and `later_s` say how much more memory and time until the first game the many take;
    `played_grown_mb` how much more memory `longer` played games take than `played` ones.
    """
    runs = [_measure(few, played), _measure(many, played)]
    out["planned"] = [few, many]
    out["grown_mb"] = runs[1][0] - runs[0][0]
    out["later_s"] = runs[1][1] - runs[0][1]
    if longer:
        runs.append(_measure(many, longer))
        out["played_grown_mb"] = runs[2][0] - runs[1][0]
    out["memory_mb"] = [memory_mb for memory_mb, _, _ in runs]
    out["first_game_s"] = [first_s for _, first_s, _ in runs]
    out["played"] = [counted for _, _, counted in runs]


def _measure(games: int, played: int) -> tuple[float, float, int]:
    """Return peak memory in MiB, seconds until the first game, and counted games of a run."""
    command = [sys.executable, "-c", _SCRIPT, str(games // 2), str(played)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    memory_mb, first_s, counted = json.loads(done.stdout)
    return memory_mb, first_s, counted
