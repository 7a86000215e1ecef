"""The manager: what counts, in which order, and how a run comes to its end."""

import asyncio
import json
from pathlib import Path

import pytest
from runs import MadeUp, Played, games_in, head_of, lost, made_up, make_plan, play, void

from bench.contestant import BadContestant
from bench.plan import ExecutorLost
from bench.referee.block import Block
from bench.referee.game_result import result_line
from bench.referee.policy import LOSE, STOP, Policy
from bench.referee.verdicts import Termination
from bench.statistics.sprt import SprtTest
from bench.tournament.journal import Journal
from bench.tournament.manager import LOSSES_MAX, run
from bench.tournament.sequential import SequentialTest


def slow_first(job) -> int:
    """Games of low blocks last longest."""
    return 1 + 40 // (1 + job.block.number % 7)


def test_blocks_are_counted_in_the_order_of_the_schedule() -> None:
    """Games end in any order; results, events of blocks and records do not show it."""
    plan = make_plan("random", "greedy", blocks=30)
    one = play(plan, executor=MadeUp(1))
    for capacity in (2, 7, 40):
        executor = MadeUp(capacity, turns=slow_first)
        many = play(plan, executor=executor)
        ended = [job.number for job in executor.played]
        assert ended != sorted(ended)
        assert many.record == one.record
        assert many.standings == one.standings
        assert [event["block"] for event in many.of("block")] == list(range(1, 31))
        assert [event["counted"] for event in many.of("block")] == list(range(1, 31))
        assert executor.most == min(capacity, 30)


def test_a_block_that_lasts_holds_the_others_back() -> None:
    """Nothing runs far ahead of the first block that is not finished, or memory would grow."""
    plan = make_plan("random", "greedy", blocks=500)
    ahead = []

    def turns(job) -> int:
        ahead.append(job.block.number)
        return 3000 if job.block.number == 0 else 1

    played = play(plan, executor=MadeUp(2, turns=turns))
    assert played.outcome.counted_blocks == 500
    first = next(e for e in played.of("block") if e["block"] == 1)
    started_before = [
        e["block"] for e in played.events[: played.events.index(first)] if e["event"] == "start"
    ]
    assert max(started_before) == 16 + 8 * 2


def test_a_schedule_that_depends_on_results_is_waited_for() -> None:
    """A swiss gives its next round when the last one is counted."""
    plan = make_plan(
        "random", "random", "random", "random", blocks=2, form="swiss", rounds=3, nodes=1
    )
    one, many = (play(plan, executor=MadeUp(c, turns=slow_first)) for c in (1, 8))
    assert one.outcome.reason == "finished"
    assert one.record == many.record
    assert one.outcome.counted_blocks == one.outcome.planned == 12


def test_a_schedule_that_waits_for_nothing_ends_the_run() -> None:
    """It is a fault of our own, told as one."""
    plan = make_plan("random", "greedy", blocks=4)
    schedule = plan.make_schedule()
    schedule.block = lambda number: None if number == 2 else Block(number, (0, 1), number)
    plan.make_schedule = lambda: schedule
    played = play(plan, executor=MadeUp())
    assert (played.outcome.reason, played.outcome.exit_code) == ("internal", 4)
    assert played.outcome.counted_blocks == 2


def decided_plan():
    """Return a run that a test ends early."""
    plan = make_plan("random", "greedy", blocks=400)
    plan.test = SequentialTest(SprtTest(0.0, 400.0))
    return plan


def first_wins(job, attempt):
    """The first contestant wins all games."""
    result = made_up(job)
    result.returns = [1.0, 0.0] if job.seats[0] == 0 else [0.0, 1.0]
    return result


def test_a_decision_is_final_and_surplus_blocks_do_not_count(tmp_path: Path) -> None:
    """Blocks behind the deciding one count nowhere, not after a resume either."""
    path = tmp_path / "journal.jsonl"
    one = play(decided_plan(), executor=MadeUp(1, first_wins))
    executor = MadeUp(9, first_wins, turns=slow_first)
    many = play(decided_plan(), journal=path, executor=executor)
    for played in (one, many):
        assert (played.outcome.reason, played.outcome.decision) == ("decided", "H1")
        assert played.outcome.exit_code == 0
        assert 3 < played.outcome.counted_blocks < 100
        sprt = played.standings["sprt"]
        assert sprt["decision"] == "H1" and sprt["blocks"] == played.outcome.counted_blocks
    assert one.record == many.record and one.standings == many.standings
    assert len(games_in(path)) > many.outcome.counted_games
    assert many.outcome.games == len(games_in(path))
    again = MadeUp(9, first_wins)
    resumed = play(decided_plan(), journal=path, executor=again)
    assert again.played == []
    assert resumed.outcome.reason == "decided"
    assert resumed.record == one.record


def test_half_blocks_are_told_apart(tmp_path: Path) -> None:
    """Only whole blocks count; what else is finished is shown beside."""
    path = tmp_path / "journal.jsonl"
    plan = make_plan("random", "greedy", blocks=5)

    async def fill(journal: Journal) -> None:
        for number, rotation in ((0, 0), (0, 1), (1, 0), (3, 1)):
            job = plan.jobs(plan.make_schedule().block(number))[rotation]
            await journal.append(result_line(made_up(job)))

    journal = Journal.create(path, head_of(plan))
    asyncio.run(fill(journal))
    journal.close()

    def breaks(job, attempt):
        raise ExecutorLost("the scheduler is gone")

    played = play(plan, journal=path, executor=MadeUp(1, breaks))
    outcome = played.outcome
    assert (outcome.reason, outcome.exit_code) == ("internal", 4)
    assert outcome.text == "the scheduler is gone"
    assert (outcome.counted_blocks, outcome.counted_games, outcome.games) == (1, 2, 4)
    last = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["end"]
    assert (last["blocks"], last["games"]) == (1, 2)
    assert last["unfinished"] == [[2, [1]]]


def test_a_game_without_a_result_has_its_block_played_again(tmp_path: Path) -> None:
    """All of it: what the block had before is taken back, also in the journal."""
    path = tmp_path / "journal.jsonl"
    plan = make_plan("random", "greedy", blocks=4)

    def script(job, attempt):
        if (job.block.number, job.rotation, attempt) in ((1, 1, 1), (1, 1, 2)):
            return void(job)
        result = made_up(job)
        if (job.block.number, job.rotation) == (1, 0) and attempt < 3:
            result.returns = [0.25, 0.75]
        return result

    executor = MadeUp(2, script)
    played = play(plan, journal=path, executor=executor)
    assert played.outcome.exit_code == 0
    assert played.outcome.warnings == 2
    assert "the referee was late" in played.of("warning")[0]["text"]
    assert [job.number for job in executor.played].count(2) == 3
    assert played.record == play(plan, executor=MadeUp()).record
    text = path.read_text(encoding="utf-8")
    assert text.count('{"purge":{"games":[3]') == 2
    resumed = play(plan, journal=path, executor=MadeUp())
    assert resumed.record == played.record
    voids = [e for e in played.of("game") if e["termination"] == "internal"]
    assert [(e["block"], e["game"]) for e in voids] == [(2, 2), (2, 2)]


def test_three_void_games_of_a_block_end_the_run() -> None:
    """There is a fault that does not go away: exit code 4, the rest is kept."""
    plan = make_plan("random", "greedy", blocks=4)
    executor = MadeUp(1, lambda job, attempt: void(job) if job.number == 4 else made_up(job))
    played = play(plan, executor=executor)
    assert (played.outcome.reason, played.outcome.exit_code) == ("internal", 4)
    assert "game 1 of block 3 could not be played in 3 tries" in played.outcome.text
    assert played.outcome.counted_blocks == 2
    assert executor.is_closed


def test_a_lost_block_is_played_on() -> None:
    """What was handed over before the loss counts; a block that is always lost ends the run."""
    plan = make_plan("random", "greedy", blocks=4)

    def script(job, attempt):
        if job.rotation == 1 and attempt <= 2:
            raise ConnectionResetError("the machine is gone")
        return made_up(job)

    executor = MadeUp(2, script)
    played = play(plan, executor=executor)
    assert played.outcome.exit_code == 0
    assert [job.rotation for job in executor.played].count(0) == 4
    assert played.record == play(plan, executor=MadeUp()).record
    assert "block 1 was lost: the machine is gone" in [e["text"] for e in played.of("warning")]

    def always(job, attempt):
        raise ConnectionError

    never = play(plan, executor=MadeUp(1, always))
    assert (never.outcome.reason, never.outcome.exit_code) == ("internal", 4)
    assert len(never.of("start")) == LOSSES_MAX + 1


def test_a_result_that_comes_twice_counts_once() -> None:
    """The first one does."""
    plan = make_plan("random", "greedy", blocks=3)

    class Twice(MadeUp):
        async def play(self, block, rotations, sink) -> None:
            for rotation in rotations:
                await super().play(block, [rotation], sink)
                for job in self.plan.jobs(block)[: rotation + 1]:
                    result = made_up(job)
                    result.returns = [0.25, 0.75]
                    sink.result(result)

    twice = play(plan, executor=Twice())
    assert twice.record == play(plan, executor=MadeUp()).record
    assert len(twice.of("game")) == 6


def faulty(kind: Termination, number: int):
    """The engine on the first seat of a game fails."""
    return lambda job, attempt: lost(job, kind) if job.number == number else made_up(job)


def test_a_fault_loses_its_game_and_the_run_goes_on() -> None:
    """That is the rule for all faults, and they are told by who did what."""
    plan = make_plan("random", "greedy", blocks=4)
    played = play(plan, executor=MadeUp(2, faulty(Termination.DISCONNECT, 3)))
    assert (played.outcome.reason, played.outcome.exit_code) == ("finished", 0)
    rows = {row["contestant"]: row for row in played.standings["rows"]}
    # In game 2 of block 2 the second contestant sits on the first seat.
    assert rows[1]["terminations"] == {"disconnect": 1}
    assert rows[0]["terminations"] == {}
    event = next(e for e in played.of("game") if e["number"] == 4)
    assert event["fault"]["kind"] == event["termination"] == "disconnect"


@pytest.mark.parametrize(
    ("policy", "kind", "stops"),
    [
        (Policy(failures=STOP), Termination.DISCONNECT, True),
        (Policy(failures=STOP), Termination.TIME, True),
        (Policy(failures=STOP), Termination.ILLEGAL, False),
        (Policy(illegal=STOP), Termination.ILLEGAL, True),
        (Policy(illegal=STOP), Termination.MALFORMED, False),
        (Policy(illegal=LOSE), Termination.STALL, False),
    ],
)
def test_policies(policy: Policy, kind: Termination, stops: bool, tmp_path: Path) -> None:
    """With `stop` a fault ends the run; its game is no result and is played again on resume."""
    path = tmp_path / "journal.jsonl"
    plan = make_plan("random", "greedy", blocks=4, policy=policy)
    played = play(plan, journal=path, executor=MadeUp(1, faulty(kind, 3)))
    outcome = played.outcome
    assert outcome.exit_code == (3 if stops else 0)
    if not stops:
        return
    assert (outcome.reason, outcome.counted_games, outcome.games) == ("failed", 2, 3)
    assert outcome.text == f"engine greedy failed in game 2 of block 2: {kind}: made up"
    assert outcome.failure is not None
    told = {key: outcome.failure[key] for key in ("contestant", "label", "number", "block", "game")}
    assert told == {"contestant": 1, "label": "greedy", "number": 4, "block": 2, "game": 2}
    resumed = play(plan, journal=path, executor=MadeUp())
    assert resumed.record == play(plan, executor=MadeUp()).record


def test_an_engine_that_never_starts_ends_the_run() -> None:
    """Three games in a row; a game that it plays in between begins the count anew."""
    plan = make_plan("random", "greedy", blocks=8)

    def bad(*numbers: int):
        def script(job, attempt):
            if job.number in numbers:
                return lost(job, Termination.START, job.seats.index(1))
            return made_up(job)

        return script

    ends = play(plan, executor=MadeUp(1, bad(4, 5, 6)))
    assert (ends.outcome.exit_code, ends.outcome.reason) == (3, "failed")
    assert ends.outcome.failure is not None and ends.outcome.failure["label"] == "greedy"
    goes_on = play(plan, executor=MadeUp(1, bad(1, 2, 4, 5, 7, 8)))
    assert goes_on.outcome.exit_code == 0


def test_a_wrong_option_is_raised() -> None:
    """Nobody can play then; the caller tells who was meant."""

    def wrong(job, attempt):
        raise BadContestant("no option Thread")

    executor = MadeUp(2, wrong)
    with pytest.raises(BadContestant, match="no option Thread"):
        play(make_plan("random", "greedy"), executor=executor)
    assert executor.is_closed


def test_a_fault_of_our_own_ends_the_run_in_order(tmp_path: Path) -> None:
    """Executors and takers may break: exit code 4, the place is named, the journal is whole."""
    plan = make_plan("random", "greedy", blocks=6)

    def breaks(job, attempt):
        if job.number == 5:
            raise ZeroDivisionError("so it goes")
        return made_up(job)

    path = tmp_path / "journal.jsonl"
    played = play(plan, journal=path, executor=MadeUp(1, breaks))
    assert (played.outcome.reason, played.outcome.exit_code) == ("internal", 4)
    assert "ZeroDivisionError: so it goes (at " in played.outcome.text
    assert len(games_in(path)) == 5
    assert play(plan, journal=path, executor=MadeUp()).outcome.exit_code == 0

    class Broken(Played):
        def take(self, block, results) -> None:
            raise KeyError("taker")

    broken = asyncio.run(run(plan, MadeUp(), takers=[Broken(plan)]))
    assert (broken.reason, broken.exit_code) == ("internal", 4)
    assert "KeyError: 'taker'" in broken.text


class Suspicious:
    """Says a fault of the worker `bad` once it has seen so many of its games."""

    def __init__(self) -> None:
        self.seen = 0

    def take(self, result) -> None:
        """Take a game."""
        self.seen += result.worker == "bad"

    def fault(self, worker: str) -> str:
        """Say what is wrong."""
        return "its clock is wrong" if worker == "bad" and self.seen >= 5 else ""


@pytest.mark.parametrize("form", ["match", "swiss"])
def test_games_of_a_bad_worker_are_played_again(tmp_path: Path, form: str) -> None:
    """All counters are made anew without them; the record is as if the worker had never been."""
    path = tmp_path / "journal.jsonl"
    names = ["random", "greedy"] if form == "match" else ["random"] * 4
    rounds = None if form == "match" else 4
    plan = make_plan(*names, blocks=10, form=form, rounds=rounds)

    def script(job, attempt):
        result = made_up(job)
        if job.number % 3 == 1 and job.block.number > 0 and not executor.excluded:
            result.worker = "bad"
            result.returns = [0.0, 1.0]
        return result

    executor = MadeUp(2, script)
    played = play(plan, journal=path, executor=executor, make_guard=Suspicious)
    assert played.outcome.exit_code == 0
    assert executor.excluded == ["bad"]
    (event,) = played.of("worker")
    assert (event["worker"], event["reason"]) == ("bad", "its clock is wrong")
    assert played.outcome.warnings == 1
    text = path.read_text(encoding="utf-8")
    purges = [json.loads(line)["purge"] for line in text.splitlines() if '{"purge"' in line]
    assert len(purges) == 1 and len(purges[0]["games"]) >= 5
    assert purges[0]["worker"] == "bad"
    never = play(plan, executor=MadeUp())
    assert played.record == never.record
    assert played.standings == never.standings
    assert play(plan, journal=path, executor=MadeUp()).record == never.record


def test_warnings_are_counted_and_told() -> None:
    """With the contestant and what else belongs to them."""

    class Warns(MadeUp):
        async def play(self, block, rotations, sink) -> None:
            sink.warn("abnormal exit", 1, exit_code=-11)
            await super().play(block, rotations, sink)

    played = play(make_plan("random", "greedy", blocks=3), executor=Warns())
    assert played.outcome.warnings == 3
    assert played.of("warning")[0] == {
        "event": "warning",
        "text": "abnormal exit",
        "contestant": 1,
        "exit_code": -11,
    }


def test_an_interrupt_ends_the_run_in_order(tmp_path: Path) -> None:
    """Games under way are interrupted, not lost; the command that goes on is told."""
    path = tmp_path / "journal.jsonl"
    plan = make_plan("random", "greedy", blocks=50)
    executor = MadeUp(3, turns=lambda job: 10**9 if job.number > 10 else 1)
    played = Played(plan)

    async def interrupted():
        journal = Journal.create(path, head_of(plan))
        work = run(
            plan,
            executor,
            journal=journal,
            takers=[played],
            emit=played.events.append,
            resume_command=["drakkar", "match", "a b", "--resume"],
        )
        task = asyncio.ensure_future(work)
        while len(games_in(path)) < 11:
            await asyncio.sleep(0.01)
        task.cancel()
        return await task

    outcome = asyncio.run(interrupted())
    assert (outcome.reason, outcome.exit_code) == ("interrupted", 130)
    assert outcome.text == f"interrupted after {outcome.counted_games} of 100 games"
    assert outcome.resume == "drakkar match 'a b' --resume"
    assert outcome.games == len(games_in(path)) == 11
    assert executor.is_closed
    ended = [e for e in played.of("game") if e["termination"] == "interrupted"]
    assert len(ended) == 3
    assert played.events[-1] == {
        "event": "end",
        "reason": "interrupted",
        "text": outcome.text,
        "resume": outcome.resume,
        "exit_code": 130,
    }
    whole = play(plan, journal=path, executor=MadeUp())
    assert whole.record == play(plan, executor=MadeUp()).record


def test_a_second_interrupt_does_not_wait(tmp_path: Path) -> None:
    """An executor that takes its time to close is told to be quick."""

    class Slow(MadeUp):
        closed = asyncio.Event()
        calls: list[bool] = []

        async def close(self, at_once: bool = False) -> None:
            self.calls.append(at_once)
            if at_once:
                self.closed.set()
            await self.closed.wait()

    executor = Slow(1, turns=lambda job: 10**9)

    async def interrupted():
        Slow.closed = asyncio.Event()
        task = asyncio.ensure_future(run(make_plan("random", "greedy"), executor))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.sleep(0.05)
        assert not task.done()
        task.cancel()
        return await asyncio.wait_for(task, 10)

    assert asyncio.run(interrupted()).reason == "interrupted"
    assert Slow.calls == [False, True]
