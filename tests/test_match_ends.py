"""Matches that end before their time: engines that fail, interrupts, outputs that fail."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fake import HANG_SECONDS, ROOT, Fake, command_line, plan, play

from bench.play import STOP, EngineFailure
from bench.records import Record
from bench.report import Summary


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """The small engine with faults."""
    return Fake(tmp_path)


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("dies", "died", ["exit code 7", "complaint of the fake engine"]),
        ("dies-at-start", "start", ["exit code 4"]),
        ("refuses", "start", ["no such thing"]),
        ("foreign", "malformed", ["'turn:cw' is no move of kuhn"]),
        ("illegal", "illegal", ["'end' is not legal here"]),
        ("gives-up", "malformed", ["'0000'", "it said: no-position what?"]),
        ("malformed", "malformed", ["bestmove"]),
        ("silent", "time-out", ["bestmove within 0.3 s"]),
    ],
)
def test_a_failing_engine_ends_the_match_with_code_3(
    fake: Fake, fault: str, kind: str, words: list[str]
) -> None:
    """The message names engine, fault, game and deal; nothing is left running."""
    arguments = ["random", fake.command(fault), "--games", "4", "--json"]
    limits = ["--movetime", "100", "--margin", "200", "--concurrency", "2", "--illegal", "stop"]
    # In Kuhn poker every word of the game is always legal.
    game = "lofoten" if fault == "illegal" else "kuhn"
    done = subprocess.run(
        command_line(*arguments, *limits, game=game),
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    failure = json.loads(done.stdout)["failure"]
    assert (failure["side"], failure["kind"]) == ("B", kind)
    assert f"engine B ({fake.command(fault)}) failed" in done.stderr
    for word in words:
        assert word in done.stderr
    if kind != "start":
        assert f"game {failure['game']} (pair 1, deal {failure['deal']})" in done.stderr
    assert fake.pids()
    assert fake.alive() == []


def test_results_so_far_are_kept(fake: Fake) -> None:
    """What was finished before the failure counts, and stands in the record too."""
    outcome, record = play(plan(fake.command("dies-in-game-6"), "random", 20, 3, 1))
    assert isinstance(outcome.failure, EngineFailure)
    assert (outcome.failure.side, outcome.failure.kind) == (0, "died")
    assert len(outcome.results) == 5
    assert record.count('"events"') == 5
    summary = Summary(plan("random", "random", 20, 3, 1), outcome)
    assert (summary.games, len(summary.pair_scores)) == (5, 2)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_no_process_is_left_after_an_interrupt(fake: Fake, number: signal.Signals) -> None:
    """Ctrl-C ends the engines, also those that think; the table so far is printed."""
    arguments = [fake.command("silent"), fake.command("silent"), "--games", "4"]
    match = subprocess.Popen(
        command_line(*arguments, "--concurrency", "2"), stdout=subprocess.PIPE, text=True
    )
    wait_for_go(fake, 2)
    os.kill(match.pid, number)
    output, _ = match.communicate(timeout=HANG_SECONDS)
    assert match.returncode == 130
    assert output == ""
    assert len(fake.pids()) == 4
    assert fake.alive() == []


def test_games_behind_one_that_hangs_are_kept(fake: Fake) -> None:
    """One engine hangs; the games that the others finish meanwhile count and are recorded."""
    match = plan(fake.command("silent-once"), "random", 8, 3, 2)
    for contestant in match.contestants:
        contestant.limit.hang_s = 2.0
    outcome, record = play(match)
    assert outcome.failure is not None and outcome.failure.kind == "time-out"
    assert outcome.failure.job is not None
    numbers = [result.job.number for result in outcome.results]
    assert numbers == sorted(set(range(8)) - {outcome.failure.job.number})
    written = [json.loads(line)["number"] for line in record.splitlines()[1:]]
    assert written == [number + 1 for number in numbers]
    path = fake.folder / "games.jsonl"
    path.write_text(record, encoding="utf-8")
    read = Record(path)
    for recorded in read.games:
        assert list(read.replay(recorded))[-1][0].is_terminal
    assert fake.alive() == []


def wait_for_go(fake: Fake, number: int) -> None:
    """Wait until so many engines think."""
    deadline = time.monotonic() + HANG_SECONDS
    while sum(line.startswith("go") for told in fake.told() for line in told) < number:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_an_interrupted_match_says_how_far_it_came(fake: Fake, tmp_path: Path) -> None:
    """On standard error and in the head of the table; the first game of a pair is recorded too."""
    record = tmp_path / "games.jsonl"
    arguments = [fake.command("silent-4"), "random", "--games", "20", "--concurrency", "1"]
    match = subprocess.Popen(
        command_line(*arguments, "--record", str(record)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + HANG_SECONDS
    while not any(told.count("uhinewgame") == 4 and "go" in told[-1] for told in told_of(fake)):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    # The deal of game 4 is in the line of game 3, which therefore is not there yet.
    assert record.read_text(encoding="utf-8").count("events") == 2
    match.send_signal(signal.SIGINT)
    output, complaints = match.communicate(timeout=HANG_SECONDS)
    assert match.returncode == 130
    assert "interrupted after 3 of 20 games" in complaints
    assert "interrupted after 3 of 20 games" in output
    assert record.read_text(encoding="utf-8").count("events") == 3
    assert fake.alive() == []


def told_of(fake: Fake) -> list[list[str]]:
    """The lines that each process was told, of those that were told any."""
    return [told for told in fake.told() if told]


def test_a_second_interrupt_kills(fake: Fake) -> None:
    """Engines that ignore `quit` and SIGTERM are gone at once."""
    # Here an engine that does not quit would be waited for until the test fails.
    script = (
        "import bench.match, signal, sys\n"
        "bench.match.QUIT_SECONDS = 600\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"  # whoever runs the tests may ignore it
        "from bench.cli import main\n"
        "main()"
    )
    arguments = command_line(fake.command("stubborn"), "random", "--games", "2")[2:]
    match = subprocess.Popen([sys.executable, "-c", script, *arguments], cwd=ROOT)
    wait_for_go(fake, 1)
    match.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert match.poll() is None
    match.send_signal(signal.SIGINT)
    assert match.wait(HANG_SECONDS) == 130
    assert fake.alive() == []


def test_a_failed_engine_gets_no_grace(fake: Fake) -> None:
    """It is killed, not asked to quit; its partner is asked."""
    match = plan(fake.command("malformed"), fake.command("none"), 2, 3, 1)
    match.illegal = STOP
    outcome, _ = play(match)
    assert outcome.failure is not None
    asked = ["quit" in told for told in fake.told()]
    assert sorted(asked) == [False, True]


@pytest.mark.parametrize("fault", ["floods", "floods-at-start"])
def test_the_tail_of_standard_error_is_bounded_and_visible(fake: Fake, fault: str) -> None:
    """Megabytes and control characters do not reach the terminal."""
    outcome, _ = play(plan(fake.command(fault), "random", 2, 3, 1))
    assert outcome.failure is not None
    assert "z\\x1b[2Jend" in outcome.failure.stderr
    assert len(outcome.failure.stderr) <= 4000


def run(*arguments: str, shell: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell that redirects."""
    line = shlex.join([sys.executable, str(ROOT / "drakkar.py"), *arguments])
    return subprocess.run(
        f"{line} {shell}",
        shell=True,
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )


MATCH = ["match", "random", "random", "--game", "kuhn", "--games", "4"]


def test_outputs_that_fail() -> None:
    """One message, no traceback; what still can be printed is."""
    full = run(*MATCH, "--record", "/dev/full", shell="")
    assert full.returncode == 1
    assert "4 games, 2 pairs" in full.stdout
    assert full.stderr.count("the record /dev/full is not complete: No space left on device") == 1
    no_out = run(*MATCH, shell=">/dev/full")
    assert no_out.returncode == 1
    assert no_out.stderr.count("standard output: No space left on device") == 1
    assert run("perft", "kuhn", "2", shell=">/dev/full").returncode == 1
    for shell in ("2>/dev/full", "2>&-"):
        no_err = run(*MATCH, shell=shell)
        assert (no_err.returncode, no_err.stdout.count("4 games, 2 pairs")) == (0, 1)
    closed = run(*MATCH, shell=">&-")
    assert "Traceback" not in full.stderr + no_out.stderr + closed.stderr


def test_a_match_that_does_not_start_keeps_the_record(fake: Fake, tmp_path: Path) -> None:
    """Neither a wrong option nor an engine that dies destroys a file or leaves an empty one."""
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    old.write_text("precious\n" * 1000, encoding="utf-8")
    wrong = ["random", "random", "--b", "Thread=2"]
    dying = ["random", fake.command("dies")]
    for record, arguments, code in ((old, dying, 3), (new, dying, 3), (old, wrong, 2)):
        line = command_line(*arguments, "--record", str(record), "--games", "2")
        assert subprocess.run(line, capture_output=True, check=False).returncode == code
    assert old.read_text(encoding="utf-8") == "precious\n" * 1000
    assert not new.exists()
    line = command_line("random", "random", "--record", str(old), "--games", "2")
    subprocess.run(line, capture_output=True, check=True)
    assert len(Record(old).games) == 2
