"""Runs of random games for the tests of records: results, and the files they make."""

import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.contestant import Contestant, Limit
from bench.plan import Plan, no_schedule
from bench.records import Writer, journal_head, to_line
from bench.referee.block import CYCLIC, Block
from bench.referee.game_result import Decision, GameResult, result_line, verdict_returns
from bench.referee.policy import Policy
from bench.referee.referee import Referee
from bench.referee.verdicts import VOID, Fault, Termination
from bench.seeds import substitute_seed
from engine import Game, RandomStream

SEED = 7
Fields = dict[str, Any]


def make_plan(game: Game, engines: int = 0, rotation: str = CYCLIC, illegal: str = "lose") -> Plan:
    """Return the plan of a run that needs no schedule; its engines are called e1, e2 and so on."""
    contestants = [
        Contestant(f"e{number + 1}", [f"e{number + 1}"], {}, Limit(nodes=9))
        for number in range(engines or game.num_seats)
    ]
    return Plan(game, contestants, no_schedule, SEED, Policy(illegal), rotation)


def head_of(plan: Plan) -> Fields:
    """Return the head of its journal."""
    return journal_head(plan, {"name": "match"})


def block_results(
    plan: Plan, number: int, lineup: tuple[int, ...] = (), deal: int | None = None
) -> tuple[Block, list[GameResult]]:
    """Play a block of random games."""
    lineup = lineup or tuple(range(plan.game.num_seats))
    block = Block(number, lineup, number if deal is None else deal)
    return block, [random_result(plan, job) for job in plan.jobs(block)]


def random_result(
    plan: Plan,
    job: Any,
    fault: Termination | None = None,
    ply: int = 1,
    seat: int | None = None,
    replaced: tuple[int, ...] = (),
) -> GameResult:
    """Play a game at random; with `fault` it ends so after `ply` decisions."""
    game = plan.game
    stream = RandomStream(job.deal, 5, job.rotation)
    referee = Referee(game, job.deal, job.opening)
    answers = []
    while not referee.is_over and (fault is None or referee.plies < ply):
        moves = referee.state.legal_moves()
        move = moves[stream.below(len(moves))]
        if referee.plies in replaced:
            move = moves[substitute_seed(SEED, job.number, referee.plies) % len(moves)]
            told = "'no' is not legal here"
            decider = referee.seat_to_move
            answers.append(Fault(decider, referee.plies, Termination.ILLEGAL, told, "no"))
        referee.decide(game.move_name(move))
    plies, state = referee.plies, referee.state
    decisions = [Decision(1.5 + index, 0.25, 9, 10 * index, 2) for index in range(plies)]
    happened, returns = None, state.returns() if fault is None else []
    if fault is not None:
        seat = referee.seat_to_move if seat is None else seat
        happened = Fault(seat, plies, fault, "so it went", "no", None, 3.25, "complaint")
        if fault not in VOID:
            returns = verdict_returns(game.num_seats, seat)
    return GameResult(
        job,
        Termination.RULES if fault is None else fault,
        happened,
        answers,
        " ".join(referee.events),
        returns,
        state.scores(),
        state.margins(),
        plies,
        referee.tallies(),
        decisions,
        [0] * game.num_seats,
        [f"engine {place + 1} — Ægir" for place in job.seats],
        worker="here",
        seconds=0.5,
    )


def fault_result(plan: Plan, fault: Termination, **more: Any) -> GameResult:
    """Play the first game of the first block; it ends by a fault."""
    job = plan.jobs(Block(0, tuple(range(plan.game.num_seats)), 0))[0]
    return random_result(plan, job, fault, **more)


def record_text(plan: Plan, blocks: Iterable[tuple[Block, list[GameResult]]]) -> str:
    """Return the record that a run writes of its blocks."""
    file = io.StringIO()
    writer = Writer(file, head_of(plan))
    for block, results in blocks:
        writer.take(block, results)
    writer.close(plan.seed)
    return file.getvalue()


def write_record(path: Path, plan: Plan, count: int) -> list[GameResult]:
    """Write a whole record of that many blocks; return its games."""
    blocks = [block_results(plan, number) for number in range(count)]
    path.write_text(record_text(plan, blocks), encoding="utf-8")
    return [result for _, results in blocks for result in results]


def write_journal(path: Path, plan: Plan, entries: Iterable[GameResult | Fields]) -> None:
    """Write a journal with its head and then games and other lines, as they come."""
    lines = [head_of(plan)]
    lines += [result_line(e) if isinstance(e, GameResult) else e for e in entries]
    path.write_text("".join(map(to_line, lines)), encoding="utf-8")


def edit(path: Path, line: int, change: Any) -> None:
    """Change the fields of a line, counted from 1."""
    lines = path.read_text(encoding="utf-8").splitlines()
    fields = json.loads(lines[line - 1])
    change(fields)
    lines[line - 1] = json.dumps(fields)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
