"""One game: its one verdict, what is told of it, and what is forgiven."""

import asyncio
import time
from pathlib import Path

import pytest
from fake import Fake, Sink, make_table, play_blocks, play_in_slot

from bench.contestant import Limit
from bench.referee.block import Block
from bench.referee.game_result import result_from_line, result_line
from bench.referee.policy import STOP, SUBSTITUTE, Policy
from bench.referee.slot import Slot
from bench.referee.verdicts import Termination

QUICK = {"start_s": 15.0, "newgame_s": 0.5, "ping_s": 0.5}


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """The small engine with faults."""
    return Fake(tmp_path)


def play_one(fake: Fake, fault: str, limit: Limit | None = None, **policy):
    """Play one game with an engine in the first seat against a good one; return it."""
    plan = make_table(
        fake.command(fault),
        fake.command("none"),
        limit=limit or Limit(nodes=5, hang_s=0.5),
        policy=Policy(**{**QUICK, **policy}),
    )

    async def main():
        slot = Slot(plan, "here", Sink())
        result = await slot.play(plan.jobs(Block(0, (0, 1), 0))[0])
        kept = len(slot)
        await slot.close()
        return result, kept

    result, kept = asyncio.run(main())
    assert fake.alive() == []
    return result, kept


VERDICTS = [
    ("none", "rules", ""),
    ("answers:Pass", "illegal", "'Pass' is no move of kuhn"),
    ("answers:p2:pass", "illegal", "'p2:pass' is no move of kuhn"),
    ("answers:0000", "illegal", "'0000' is no move of kuhn"),
    ("answers:resign", "illegal", "'resign' is no move of kuhn"),
    ("gives-up", "illegal", "no-position what?"),
    ("malformed", "malformed", "a bestmove line without a move"),
    ("nul-in-word", "malformed", "'pass\\x00' has characters that no move has"),
    ("endless-line", "malformed", "a line longer than 16777216 bytes"),
    ("dies", "disconnect", "exit code 7"),
    ("crashes", "disconnect", "signal 11"),
    ("silent", "stall", "no answer, and none to stop and isready either (limit hang 0.5 s)"),
    ("deaf", "time", "no answer, not to stop either, though it is ready (limit hang 0.5 s)"),
    ("never-ready", "stall", "no readyok within 0.3 s (limit start)"),
    ("stalls-in-new-game", "stall", "no readyok within 0.5 s of a new game (limit newgame)"),
    ("mute", "start", "no uhiok within 0.3 s (limit start)"),
    ("dies-at-start", "start", "exit code 4"),
]


@pytest.mark.parametrize(("fault", "kind", "text"), VERDICTS)
def test_each_fault_has_one_verdict(
    fake: Fake, monkeypatch: pytest.MonkeyPatch, fault: str, kind: str, text: str
) -> None:
    """Its text tells what happened and which limit it was; only engines that work are kept."""
    monkeypatch.setattr("bench.referee.question.AFTERMATH_S", 0.2)
    start_s = 0.3 if "limit start" in text else 15.0
    limit = None if "limit hang" in text else Limit(nodes=5, hang_s=15.0)
    result, kept = play_one(fake, fault, limit, start_s=start_s)
    assert str(result.termination) == kind, result.fault and result.fault.text
    assert result.worker == "here" and result.seconds > 0
    if kind == "rules":
        assert result.fault is None and sum(result.returns) == pytest.approx(1.0)
        return
    assert result.fault is not None
    assert (result.fault.seat, result.fault.ply, str(result.fault.kind)) == (0, 0, kind)
    assert text in result.fault.text
    assert result.returns == [0.0, 1.0]
    assert "complaint of the fake engine" in result.fault.stderr
    assert kept == (2 if kind == "illegal" or fault in ("malformed", "nul-in-word") else 1)
    again = result_from_line(result_line(result), result.job)
    assert result_line(again) == result_line(result)


@pytest.mark.slow
def test_an_answer_is_late_before_it_is_illegal(fake: Fake) -> None:
    """Each answer has one verdict: of a late one its time is told, whatever it says."""
    late = Limit(movetime_ms=100, margin_ms=0)
    assert play_one(fake, "late:300", late)[0].termination == Termination.TIME
    result, kept = play_one(fake, "late:300", Limit(movetime_ms=100, margin_ms=100))
    assert result.termination == Termination.TIME and kept == 2
    assert result.fault is not None and result.fault.answer == "pass"
    assert len(result.decisions) == 1
    result, _ = play_one(fake, "illegal", Limit(movetime_ms=100, margin_ms=100))
    assert result.termination == Termination.ILLEGAL


@pytest.mark.slow
def test_soft_strikes(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many overruns beyond the margin are forgiven to a seat in each game."""
    limit = Limit(movetime_ms=50, margin_ms=0)
    plan = make_table(
        fake.command("late-twice:250"),
        "random",
        limit=[limit, Limit(nodes=1)],
        policy=Policy(strikes=1),
        game="lofoten stall=6",
    )
    result = play_blocks(plan)[0]
    # The fake plays Kuhn poker: its first answer is late and no word of this game.
    assert result.termination == Termination.ILLEGAL
    assert result.strikes == [1, 0]
    for strikes, kind in ((0, Termination.TIME), (1, Termination.RULES)):
        result, _ = play_one(fake, "late-once:250", limit, strikes=strikes)
        assert result.termination == kind
        assert result.strikes == [strikes, 0]
    monkeypatch.setattr("bench.referee.play.STRIKE_MS", 100.0)
    long = play_one(fake, "late-once:250", limit, strikes=9)[0]
    assert long.termination == Termination.TIME


def test_a_late_engine_is_asked_to_stop_and_goes_on(fake: Fake) -> None:
    """It is asked for a sign of life first; what it answered late is not taken for the next."""
    plan = make_table(
        fake.command("late-once:300"),
        fake.command("none"),
        limit=Limit(movetime_ms=100, margin_ms=50),
        policy=Policy(**QUICK),
    )
    results = play_blocks(plan, blocks=2)
    assert [str(result.termination) for result in results] == ["time", "time", "rules", "rules"]
    late = next(told for told in fake.told() if "stop" in told)
    assert late[late.index("stop") + 1] == "isready"
    assert len(fake.pids()) == 4


def test_the_clock_starts_after_the_position_was_read(fake: Fake) -> None:
    """Where time counts a ping goes between position and `go`; else both go at once."""
    plan = make_table(
        fake.command("none"), fake.command("none"), limit=[Limit(base_ms=9000), Limit(nodes=5)]
    )
    play_blocks(plan, blocks=3)
    seen = {}
    for told in fake.told():
        for before, line in zip(told, told[1:], strict=False):
            if line.startswith("go"):
                timed = "p1time" in line or "p2time" in line
                seen.setdefault(timed, set()).add(before.split()[0])
    assert seen[True] == {"isready"}
    # Until an engine has shown that it gives ids, it is pinged as well.
    assert seen[False] == {"position", "isready"}


def test_what_an_engine_says_of_its_search_is_kept(fake: Fake) -> None:
    """Of the last report before the answer; and how long it took in truth."""
    result, _ = play_one(fake, "reports")
    first = result.decisions[0]
    assert (first.nodes, first.cp, first.reported_ms) == (9, -20, 7)
    assert 0.0 < first.time_ms < 5000.0 and first.lag_ms < 5000.0
    assert [decision.nodes for decision in result.decisions[1:2]] == [None]


def test_two_answers_are_not_taken_for_the_next(fake: Fake) -> None:
    """An engine without ids that answers once more, late: that is dropped and warned of."""
    sink = Sink()
    plan = make_table(fake.command("twice"), "random", limit=Limit(nodes=1, hang_s=10.0))
    results = play_blocks(plan, blocks=4, sink=sink)
    assert all(result.is_by_rules for result in results)
    for result in results:
        own = f"p{result.seat_of(0) + 1}:"
        words = [event for event in result.events.split() if event.startswith(own)]
        assert words and set(words) == {f"{own}pass"}
    assert "bestmove lines that answered nothing, dropped: 1" in sink.texts


def test_a_replaced_answer_is_told_to_its_owner(fake: Fake) -> None:
    """By lot, but always the same one; the game goes on."""
    policy = Policy(illegal=SUBSTITUTE)
    plan = make_table(fake.command("illegal"), "random", game="lofoten stall=6", policy=policy)
    first, second = (play_blocks(plan)[0] for _ in range(2))
    assert first.is_by_rules and first.fault is None
    assert first.events == second.events
    assert len(first.replaced) > 20
    assert {(fault.seat, fault.answer) for fault in first.replaced} == {(0, "end")}
    told = next(lines for lines in fake.told() if any("me=p1" in line for line in lines))
    positions = [line for line in told if line.startswith("position")]
    own = [word for word in positions[-1].split() if word.startswith("p1:")]
    assert len(own) > 20


def test_stop_is_a_policy_too(fake: Fake) -> None:
    """The fault is the same; the engine is not used again, as the run ends there."""
    result, kept = play_one(fake, "answers:Pass", illegal=STOP)
    assert result.termination == Termination.ILLEGAL and kept == 1


@pytest.mark.serial
def test_a_referee_that_was_late_voids_the_game(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """During a decision under a clock: nobody has lost, and new processes will play."""
    monkeypatch.setattr("bench.referee.play.DISTURBED_S", 0.2)
    plan = make_table(fake.command("late-once:50"), fake.command("none"), limit=Limit(base_ms=9000))

    async def main():
        slot = Slot(plan, "slot", Sink())
        playing = asyncio.ensure_future(slot.play(plan.jobs(Block(0, (0, 1), 0))[0]))
        while not any("go" in " ".join(told) for told in fake.told()):
            await asyncio.sleep(0.001)
        time.sleep(0.4)
        result = await playing
        kept = len(slot)
        await slot.close()
        return result, kept

    result, kept = asyncio.run(main())
    assert result.termination == Termination.INTERNAL and result.is_void
    assert kept == 0
    assert result.returns == []


@pytest.mark.serial
def test_a_referee_that_was_late_blames_nobody_for_a_limit(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A readyok that was there all the time is not missed by an engine."""
    monkeypatch.setattr("bench.referee.play.DISTURBED_S", 0.3)
    policy = Policy(start_s=15.0, newgame_s=0.3, ping_s=0.3)
    plan = make_table(fake.command("none"), fake.command("none"), policy=policy)

    async def main():
        slot = Slot(plan, "slot", Sink())
        first, second = (plan.jobs(Block(number, (0, 1), number))[0] for number in range(2))
        await slot.play(first)
        playing = asyncio.ensure_future(slot.play(second))
        while not any(told.count("uhinewgame") == 2 for told in fake.told()):
            await asyncio.sleep(0)
        time.sleep(0.6)
        result = await playing
        await slot.close()
        return result

    assert str(asyncio.run(main()).termination) in ("internal", "rules")


def test_names_are_those_of_the_process_that_played(fake: Fake) -> None:
    """An engine may call itself otherwise each time it starts."""
    results = play_blocks(make_table(fake.command("renamed"), "random"))
    names = {result.names[result.seat_of(0)] for result in results}
    assert len(names) == 2
    assert all(name.startswith("fake ") for name in names)


def test_games_repeat_at_fixed_nodes() -> None:
    """Whatever else runs at the same time."""
    plan = make_table("vanilla", "random", limit=Limit(nodes=30), seed=9)

    async def main():
        return await asyncio.gather(play_in_slot(plan, 4), play_in_slot(plan, 4))

    one, other = asyncio.run(main())
    assert [result.events for result in one] == [result.events for result in other]
    assert len({result.events for result in one}) > 4
