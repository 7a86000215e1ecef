"""Cases from the field on processes, verdicts and clocks, played in slots."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from fake import ROOT, Fake, Sink, make_table, play_blocks

from bench.contestant import Limit
from bench.referee.clock import Clock
from bench.referee.policy import Policy
from bench.referee.verdicts import Termination

QUICK = {"start_s": 15.0, "newgame_s": 10.0, "ping_s": 10.0}


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """The small engine with faults."""
    return Fake(tmp_path)


def clocks_told(fake: Fake) -> list[dict[str, int]]:
    """The numbers of all `go` lines with a clock, by their word."""
    found = []
    for line in (line for told in fake.told() for line in told):
        words = line.split()
        if words[0] == "go" and any(word.endswith("time") for word in words):
            found.append(dict(zip(words[1::2], map(int, words[2::2]), strict=False)))
    return found


# ---- clocks ----


@pytest.mark.serial
def test_p29_the_next_period_comes_after_the_check_of_the_last_move(fake: Fake) -> None:
    """200 decisions in periods of 40; one that takes more than is left has lost before it."""
    clock = Clock([Limit(base_ms=800, period=40)])
    for number in range(200):
        assert clock.words(0)[-1] == str(40 - number % 40)
        clock.spend(0, 19.0)
    assert clock.left_ms[0] == pytest.approx(6 * 800 - 200 * 19)
    limit = Limit(base_ms=200, margin_ms=50, period=1)
    plan = make_table(fake.command("none"), fake.command("late:400"), limit=limit)
    results = play_blocks(plan)
    assert [str(result.termination) for result in results] == ["time", "time"]
    assert {game["movestogo"] for game in clocks_told(fake)} == {1}
    quick = make_table(fake.command("none"), fake.command("late:100"), limit=limit)
    assert all(result.is_by_rules for result in play_blocks(quick, blocks=2))


@pytest.mark.serial
def test_p30_fixed_time_per_move_is_enforced(fake: Fake) -> None:
    """100 ms a decision, answered after 250: lost by 150 ms, or forgiven with a margin of 200."""
    plan = make_table(
        fake.command("late:250"), fake.command("none"), limit=Limit(movetime_ms=100, margin_ms=0)
    )
    result = play_blocks(plan)[0]
    assert result.termination == Termination.TIME
    assert result.fault is not None and result.fault.seat == 0
    decision = result.decisions[0]
    assert 250 <= decision.time_ms + decision.lag_ms < 450
    assert result.fault.overrun_ms == pytest.approx(decision.time_ms - 100, abs=0.01)
    assert result.fault.overrun_ms == pytest.approx(150, abs=100)
    for contestant in plan.contestants:
        contestant.limit.margin_ms = 200
    assert play_blocks(plan)[0].is_by_rules


def test_p31_the_margin_is_not_a_loan(fake: Fake) -> None:
    """An overrun within the margin is forgiven: the clock sent next is the increment, not less."""
    limit = Limit(base_ms=100, inc_ms=100, margin_ms=1000)
    # Two decisions of one seat in a game of Kuhn poker: pass, bet of the other, and again.
    plan = make_table(fake.command("late-once:250"), fake.command("answers:bet"), limit=limit)
    result = play_blocks(plan)[0]
    assert result.is_by_rules and result.plies == 3
    own = [game for game in clocks_told(fake) if game["p1time"] == 100]
    assert len(own) >= 2
    assert all(value >= 0 for game in clocks_told(fake) for value in game.values())
    clock = Clock([Limit(base_ms=10_000, inc_ms=100, margin_ms=200)])
    clock.spend(0, 10_150.0)
    assert clock.words(0) == ["p1time", "100", "p1inc", "100"]


# Four places play at once by engines that take 40 ms, with a small margin. Meanwhile the referee
# stops itself for 300 ms again and again, by a child that continues it.
HICCUPS = """
import asyncio, json, os, subprocess, sys
from bench.contestant import Limit
from bench.statistics.basics import quantile
from fake import make_table, play_in_slot

async def hiccups():
    while True:
        await asyncio.sleep(0.4)
        stop = f"kill -STOP {os.getpid()}; sleep 0.3; kill -CONT {os.getpid()}"
        await asyncio.to_thread(subprocess.run, ["sh", "-c", stop])

async def main(command):
    limit = Limit(movetime_ms=200, margin_ms=50)
    plans = [make_table(command, command, limit=limit, seed=number) for number in range(4)]
    task = asyncio.ensure_future(hiccups())
    games = await asyncio.gather(*(play_in_slot(plan, 8) for plan in plans))
    task.cancel()
    games = [game for place in games for game in place]
    decisions = [decision for game in games for decision in game.decisions]
    print(json.dumps({
        "games": len(games),
        "texts": [game.fault.text for game in games if game.fault],
        "delayed": [decision.time_ms for decision in decisions if decision.lag_ms > 200],
        "lag": max(decision.lag_ms for decision in decisions),
        "p99": quantile([decision.lag_ms for decision in decisions], 0.99),
    }))

asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.slow
def test_p32_machine_hiccups_are_visible_and_bounded(fake: Fake) -> None:
    """No engine loses by the referee's delays; they stand apart from the time of the engine."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, "-c", HICCUPS, fake.command("late:40")],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["texts"] == [] and told["games"] == 64
    assert len(told["delayed"]) >= 4 and told["lag"] > 250
    assert max(told["delayed"]) < 250
    assert told["p99"] > 0


# ---- processes and verdicts ----


@pytest.mark.parametrize("policy", ["recover", "stop"])
def test_p42_an_engine_dies_when_no_clock_is_running(fake: Fake, policy: str) -> None:
    """The signal is told within a second; other games are not kept waiting."""
    rules = Policy(failures=policy, **QUICK)
    plan = make_table(fake.command("crashes"), fake.command("none"), policy=rules)
    result = play_blocks(plan)[0]
    assert result.termination == Termination.DISCONNECT
    assert result.fault is not None
    assert "signal 11" in result.fault.text and result.fault.exit_code == -11
    assert result.seconds < 5.0
    assert not result.decisions
    assert fake.alive() == []


def test_p44_an_engine_writes_a_lot_to_stderr(fake: Fake) -> None:
    """5 MB before it is ready: it is read, and its end is kept for the report."""
    plan = make_table(fake.command("fills-stderr"), fake.command("none"))
    assert all(result.is_by_rules for result in play_blocks(plan))
    plan = make_table("random", fake.command("fills-stderr"), limit=Limit(nodes=5))
    plan.contestants[1].argv[-2] = "floods"
    result = play_blocks(plan)[0]
    assert result.fault is not None
    assert len(result.fault.stderr) <= 4000 and result.fault.stderr.endswith("z\\x1b[2Jend")


def test_p45_one_very_long_line(fake: Fake) -> None:
    """70 000 characters are a remark; 20 MB without an end are malformed, and memory is bounded."""
    plan = make_table(fake.command("long-remark"), fake.command("none"))
    assert all(result.is_by_rules for result in play_blocks(plan))
    plan = make_table(fake.command("endless-line"), fake.command("none"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    results = play_blocks(plan, blocks=2)
    assert {str(result.termination) for result in results} == {"malformed"}
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000
    assert fake.alive() == []


def test_p46_bytes_that_are_not_utf8(fake: Fake) -> None:
    """They are warned of; the move is read if its word is clean, a NUL behind the line or not."""
    sink = Sink()
    results = play_blocks(make_table(fake.command("latin"), "random"), sink=sink)
    assert all(result.is_by_rules for result in results)
    assert {result.names[result.seat_of(0)] for result in results} == {"caf\ufffd"}
    assert any(text.startswith("lines with bytes that are no UTF-8: ") for text in sink.texts)
    assert {contestant for contestant, _ in sink.warnings} == {0}
    result = play_blocks(make_table(fake.command("nul-in-word"), "random"))[0]
    assert result.termination == Termination.MALFORMED


@pytest.mark.parametrize(
    ("fault", "kind", "limit"),
    [
        ("mute", Termination.START, "no uhiok within 0.4 s (limit start)"),
        ("never-ready", Termination.STALL, "no readyok within 0.4 s (limit start)"),
        pytest.param(
            "greets-uci",
            Termination.START,
            "no uhiok within 0.4 s (limit start)",
            marks=pytest.mark.slow,
        ),
        ("stalls-in-new-game", Termination.STALL, "within 0.5 s of a new game (limit newgame)"),
    ],
)
def test_p47_the_handshake_never_ends(
    fake: Fake, fault: str, kind: Termination, limit: str
) -> None:
    """A start failure or a stall after the limit that is named; the process is gone."""
    policy = Policy(start_s=0.4 if "start" in limit else 15.0, newgame_s=0.5)
    result = play_blocks(make_table(fake.command(fault), "random", policy=policy))[0]
    assert result.termination == kind != Termination.DISCONNECT
    assert result.fault is not None and limit in result.fault.text
    assert fake.alive() == []


def test_p49_a_crash_after_the_result(fake: Fake) -> None:
    """The results stand; a warning tells of the exit."""
    sink = Sink()
    plan = make_table(fake.command("crashes-after-quit"), "random")
    results = play_blocks(plan, sink=sink)
    assert all(result.is_by_rules for result in results)
    assert sink.warnings == [(0, "abnormal exit after quit: signal 11")] * 2


@pytest.mark.parametrize("answer", ["{bad}", "p2:pass", "Pass", "bet1"])
def test_p50_an_illegal_move(fake: Fake, answer: str) -> None:
    """Its game is lost; what was answered is kept, and where; the process plays on."""
    plan = make_table(fake.command(f"answers:{answer}"), fake.command("none"))
    results = play_blocks(plan, blocks=2)
    for result in results:
        seat = result.seat_of(0)
        assert result.termination == Termination.ILLEGAL
        assert result.fault is not None
        assert (result.fault.seat, result.fault.answer) == (seat, answer)
        assert result.fault.ply == result.plies == seat
        assert result.events.count("~deal") == 2
        assert result.points(0) == 0.0
    assert len(fake.pids()) == 4


@pytest.mark.slow
def test_p51_the_run_ends_although_games_were_lost_on_time(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight games, in two of which an engine thinks for ever: it is replaced, and all is told."""
    monkeypatch.setattr("bench.referee.question.AFTERMATH_S", 0.2)
    plan = make_table(
        fake.command("silent-3"),
        fake.command("none"),
        limit=Limit(movetime_ms=100, margin_ms=100),
        policy=Policy(**QUICK),
    )
    results = play_blocks(plan, blocks=4)
    kinds = [str(result.termination) for result in results]
    assert kinds == ["rules"] * 4 + ["stall"] * 2 + ["rules"] * 2
    assert all("limit 0.1 s, margin 100 ms" in r.fault.text for r in results if r.fault)
    assert fake.alive() == []
    limit = Limit(movetime_ms=50, margin_ms=50)
    deaf = make_table(fake.command("deaf"), fake.command("none"), limit=limit)
    results = play_blocks(deaf)
    assert [str(result.termination) for result in results] == ["time", "time"]
