"""Figures on what the referee costs: time a decision, decisions a second, descriptors."""

import asyncio
import json
import os
import sys
import time
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.contestant import Contestant, Limit
from bench.games import parse_game
from bench.plan import Plan, no_schedule
from bench.referee.block import Block
from bench.referee.game_result import GameResult
from bench.referee.policy import GAME, Policy
from bench.referee.referee import Referee
from bench.referee.slot import Slot
from bench.registry import Out
from bench.seeds import PURPOSE_MEASURE
from bench.statistics.basics import quantile
from engine import RandomStream
from engine.game import Game

# An engine that answers what it has been given for its seat, and tells at its end when it read each
# `go` and when it wrote each answer. Arguments: the file of the answers, the folder for the times,
# its place in the list of contestants.
REPLAYER = """
import json, os, sys, time
now = time.monotonic_ns
answers, folder = json.load(open(sys.argv[1])), sys.argv[2]
own, times, game, number = None, [], -1, 0
def say(line):
    os.write(1, line)
for line in sys.stdin.buffer:
    if line[:2] == b"go":
        begin = now()
        answer = b"bestmove " + own[game][number] + b" id " + line.rsplit(None, 1)[1] + b"\\n"
        number += 1
        times.append((game, begin, now()))
        os.write(1, answer)
    elif line[:2] == b"po":
        if own is None:
            seat = line[line.index(b" me=p") + 5] - 48
            own = [[word.encode() for word in words[seat - 1]] for words in answers]
    elif line[:3] == b"uhi" and line[3:4] == b"\\n":
        say(b"id name replayer\\nuhiok\\n")
    elif line[:3] == b"uhi":
        game, number = game + 1, 0
    elif line[:2] == b"is":
        say(b"readyok\\n")
    elif line[:2] == b"qu":
        break
seating = (seat - int(sys.argv[3])) % len(answers[0])
json.dump([seating, times], open(os.path.join(folder, str(os.getpid())), "w"))
"""


class Warnings:
    """Takes what slots tell, and has it end the measurement if it is a warning."""

    def start(self, job: object, worker: str) -> None:
        """Take that a game begins."""

    def result(self, result: GameResult) -> None:
        """Take a result."""

    def warn(self, text: str, contestant: int | None = None, **fields: Any) -> None:
        """Raise a RuntimeError."""
        raise RuntimeError(text)


def overhead(out: Out, identity: str, blocks: int, concurrency: int = 2) -> None:
    """Measure the referee with engines that answer at once what was played before.

    Writes `decisions_per_second` of all slots together, and the quantiles of the milliseconds
    between one engine's answer and the next engine's `go`, as the engines see it: `gap_median_ms`,
    `gap_p99_ms`.

    Args:
        out: takes the figures.
        identity: the game.
        blocks: how many blocks each slot plays; the first one is not counted.
        concurrency: how many slots play at a time.
    """
    game = parse_game(identity)
    with TemporaryDirectory() as folder:
        plans = [_replay(game, Path(folder), slot, blocks) for slot in range(concurrency)]
        decisions, seconds = asyncio.run(_play_all(plans, blocks))
        gaps = [gap for slot in range(concurrency) for gap in _gaps(Path(folder, str(slot)))]
    out["concurrency"], out["blocks"] = concurrency, blocks
    out["decisions"], out["decisions_per_second"] = decisions, decisions / seconds
    for name, share in (("median", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0)):
        out[f"gap_{name}_ms"] = quantile(gaps, share)


def restarts(out: Out, identity: str, games: int) -> None:
    """Play games with engines that live for one game; count open descriptors before and after."""
    game = parse_game(identity)
    with TemporaryDirectory() as folder:
        plan = _replay(game, Path(folder), 0, 1)
        plan.policy = Policy(restart=GAME)
        out.update(asyncio.run(_restart(plan, games)))


def _replay(game: Game, folder: Path, slot: int, blocks: int) -> Plan:
    """Return a plan of engines that play recorded games again, one for each block."""
    times, script, answers = folder / str(slot), folder / "replayer.py", folder / "answers.json"
    times.mkdir()
    script.write_text(REPLAYER, encoding="utf-8")
    argv = [sys.executable, "-I", "-S", str(script), str(answers), str(times)]
    contestants = [
        Contestant(f"replayer {index}", [*argv, str(index)], {}, Limit(nodes=1))
        for index in range(game.num_seats)
    ]
    plan = Plan(game, contestants, no_schedule, seed=1)
    recorded = [_recorded(game, plan, number) for number in range(blocks)]
    answers.write_text(json.dumps(recorded), encoding="utf-8")
    return plan


def _recorded(game: Game, plan: Plan, number: int) -> list[list[str]]:
    """Return the words of each seat in a game by lot, with a deal of a plan."""
    referee = Referee(game, plan.jobs(_block(plan, number))[0].deal)
    stream = RandomStream(1 + number, PURPOSE_MEASURE)
    words: list[list[str]] = [[] for _ in range(game.num_seats)]
    while not referee.is_over:
        moves = referee.state.legal_moves()
        word = game.move_name(moves[stream.below(len(moves))])
        words[referee.seat_to_move].append(word)
        referee.decide(word)
    return words


async def _play_all(plans: list[Plan], blocks: int) -> tuple[int, float]:
    """Play blocks at all slots; return decisions and seconds without the first block of each."""
    slots = [Slot(plan, str(index), Warnings()) for index, plan in enumerate(plans)]
    places = list(zip(slots, plans, strict=True))
    await asyncio.gather(*(_play(slot, plan, range(1)) for slot, plan in places))
    start = time.perf_counter()
    counts = await asyncio.gather(*(_play(slot, plan, range(1, blocks)) for slot, plan in places))
    seconds = time.perf_counter() - start
    await asyncio.gather(*(slot.close() for slot in slots))
    return sum(counts), seconds


def _block(plan: Plan, number: int) -> Block:
    return Block(number, tuple(range(plan.game.num_seats)), number)


async def _play(slot: Slot, plan: Plan, blocks: range) -> int:
    """Play blocks; return the number of decisions."""
    decisions = 0
    for number in blocks:
        for job in plan.jobs(_block(plan, number)):
            result = await slot.play(job)
            if not result.is_by_rules:
                raise RuntimeError(f"a replayed game ended by {result.termination}")
            decisions += result.plies
    return decisions


def _gaps(folder: Path) -> list[float]:
    """Return the milliseconds from each answer to the next `go` of the same game."""
    games: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for path in folder.iterdir():
        seating, told = json.loads(path.read_text(encoding="utf-8"))
        for game, *times in told:
            games.setdefault((seating, game), []).append((times[0], times[1]))
    return [
        (after[0] - before[1]) / 1e6
        for game in games.values()
        for before, after in pairwise(sorted(game))
    ]


async def _restart(plan: Plan, games: int) -> Out:
    slot, seats = Slot(plan, "restarts", Warnings()), tuple(range(plan.game.num_seats))
    counts = []
    for number in range(games):
        job = plan.jobs(Block(number, seats, 0))[0]
        result = await slot.play(job)
        if not result.is_by_rules:
            raise RuntimeError(f"a replayed game ended by {result.termination}")
        if number % 50 == 0:
            counts.append(await _descriptors(slot))
    counts.append(await _descriptors(slot))
    await slot.close()
    restarted = games * len(seats)
    # The first game opens what stays open: what the loop needs to hear of ended processes.
    return {
        "restarts": restarted,
        "descriptors_before": counts[0],
        "descriptors_after": counts[-1],
        "grown": max(counts) - counts[0],
    }


async def _descriptors(slot: Slot) -> int:
    """Return the number of open descriptors, once all engines are gone."""
    await slot.close()
    return len(os.listdir("/proc/self/fd"))
