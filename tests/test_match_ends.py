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
from fake import HANG_SECONDS, ROOT, Fake, command_line
from runs import make_plan, play

from bench.records import Record
from bench.referee.policy import STOP, Policy


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """The small engine with faults."""
    return Fake(tmp_path)


FAULTS = [
    ("dies", "disconnect", ["exit code 7", "complaint of the fake engine"]),
    ("dies-at-start", "start", ["exit code 4"]),
    ("foreign", "illegal", ["'turn:cw' is no move of kuhn"]),
    ("illegal", "illegal", ["'end' is not legal here"]),
    ("gives-up", "illegal", ["no-position"]),
    ("malformed", "malformed", ["bestmove"]),
    pytest.param("silent", "stall", ["0.1 s"], marks=pytest.mark.slow),
]


def played(fake: Fake, fault: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Run a match of four games against an engine with a fault."""
    arguments = ["random", fake.command(fault), "--games", "4", "--json", "--concurrency", "2"]
    limits = ["--movetime", "100", "--margin", "200"]
    # In Kuhn poker every word of the game is always legal.
    game = "lofoten" if fault == "illegal" else "kuhn"
    return subprocess.run(
        command_line(*arguments, *limits, *more, game=game),
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )


@pytest.mark.parametrize(("fault", "kind", "words"), FAULTS)
def test_with_stop_a_failing_engine_ends_the_match(
    fake: Fake, fault: str, kind: str, words: list[str]
) -> None:
    """Exit code 3; the message names engine, fault and game; nothing is left running."""
    done = played(fake, fault, "--illegal", "stop", "--failures", "stop")
    assert done.returncode == 3, done.stderr
    failure = json.loads(done.stdout)["failure"]
    assert (failure["side"], failure["kind"]) == ("B", kind)
    assert f"engine {fake.command(fault)} failed in game" in done.stderr
    for word in words:
        assert word in done.stderr
    assert failure["deal"] is not None
    assert fake.pids()
    assert fake.alive() == []


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("dies", "disconnect"),
        ("illegal", "illegal"),
        pytest.param("foreign", "illegal", marks=pytest.mark.slow),
        pytest.param("gives-up", "illegal", marks=pytest.mark.slow),
        pytest.param("malformed", "malformed", marks=pytest.mark.slow),
        pytest.param("silent", "stall", marks=pytest.mark.slow),
    ],
)
def test_a_failing_engine_loses_its_games_and_the_match_goes_on(
    fake: Fake, fault: str, kind: str
) -> None:
    """All four games have a result; each fault is counted where it belongs."""
    done = played(fake, fault)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["games"], summary["losses"], summary["failure"]) == (4, 0, None)
    assert summary["terminations"][0] == {}
    lost = summary["terminations"][1].get(kind, 0)
    assert set(summary["terminations"][1]) <= {kind} and lost >= 1
    assert fake.alive() == []


@pytest.mark.parametrize("games", ["2", "40"])
def test_an_engine_that_does_not_start_ends_the_match(fake: Fake, games: str) -> None:
    """There is nothing to be learned of it: three games are enough, or all there are."""
    done = played(fake, "dies-at-start", "--games", games)
    assert done.returncode == 3
    assert json.loads(done.stdout)["failure"]["kind"] == "start"
    assert json.loads(done.stdout)["games"] <= 4
    assert fake.alive() == []


def test_an_engine_that_refuses_its_options_is_bad_usage(fake: Fake) -> None:
    """No game can be played as it was asked for: exit code 2."""
    done = played(fake, "refuses")
    assert done.returncode == 2
    assert "no such thing" in done.stderr
    assert fake.alive() == []


def test_results_so_far_are_kept(fake: Fake) -> None:
    """What was finished before the failure counts, and stands in the record too."""
    engines = (fake.command("dies-in-game-3"), "random")
    match = play(make_plan(*engines, blocks=10, policy=Policy(failures=STOP)), 1)
    assert match.outcome.failure is not None
    assert match.outcome.failure["fault"]["kind"] == "disconnect"
    assert (match.outcome.failure["contestant"], match.outcome.failure["number"]) == (0, 5)
    assert match.outcome.counted_games == len(match.results) == 4
    assert match.record.count('"events"') == 4


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.slow
def test_no_process_is_left_after_an_interrupt(fake: Fake, number: signal.Signals) -> None:
    """Ctrl-C ends the engines, also those that think; nothing is there to be printed."""
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


@pytest.mark.slow
def test_games_beside_one_that_hangs_go_on(fake: Fake) -> None:
    """One engine hangs; the other games are played meanwhile, and its own is lost."""
    plan = make_plan(fake.command("silent-once"), "random", blocks=6, hang_s=2.0)
    match = play(plan)
    assert match.outcome.exit_code == 0
    assert match.outcome.counted_games == 12
    (lost,) = [result for result in match.results if result.fault is not None]
    assert lost.termination == "stall"
    ended = [event["number"] for event in match.of("game")]
    assert ended.index(lost.job.number + 1) >= 8
    path = fake.folder / "games.jsonl"
    path.write_text(match.record, encoding="utf-8")
    record = Record(path)
    for game in record.games():
        record.check(game)
    assert fake.alive() == []


def wait_for_go(fake: Fake, number: int) -> None:
    """Wait until so many engines think."""
    deadline = time.monotonic() + HANG_SECONDS
    while sum(line.startswith("go") for told in fake.told() for line in told) < number:
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.slow
def test_an_interrupted_match_says_how_far_it_came(fake: Fake, tmp_path: Path) -> None:
    """On standard error and in the head of the table; the record has the whole blocks."""
    record = tmp_path / "games.jsonl"
    arguments = [fake.command("silent-3"), "random", "--games", "20", "--concurrency", "1"]
    match = subprocess.Popen(
        command_line(*arguments, "--record", str(record)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + HANG_SECONDS
    while not any(told.count("uhinewgame") == 3 and "go" in told[-1] for told in told_of(fake)):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert record.read_text(encoding="utf-8").count('"events"') == 4
    match.send_signal(signal.SIGINT)
    output, complaints = match.communicate(timeout=HANG_SECONDS)
    assert match.returncode == 130
    assert "interrupted after 4 of 20 games" in complaints
    assert "interrupted after 4 of 20 games" in output
    text = record.read_text(encoding="utf-8")
    assert text.count('"events"') == 4
    assert '"seed"' not in text  # the deals of the rest are still to be played
    assert fake.alive() == []


def told_of(fake: Fake) -> list[list[str]]:
    """The lines that each process was told, of those that were told any."""
    return [told for told in fake.told() if told]


@pytest.mark.slow
def test_a_second_interrupt_kills(fake: Fake) -> None:
    """Engines that ignore `quit` and SIGTERM are gone at once."""
    # Here an engine that does not quit would be waited for until the test fails.
    script = (
        "import signal, sys\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"  # whoever runs the tests may ignore it
        "from bench.cli import main\n"
        "main()"
    )
    arguments = command_line(fake.command("stubborn"), "random", "--games", "2")[2:]
    patience = ["--quit-timeout", "600"]
    command = [sys.executable, "-c", script, *arguments, *patience]
    match = subprocess.Popen(command, cwd=ROOT)
    wait_for_go(fake, 1)
    match.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert match.poll() is None
    match.send_signal(signal.SIGINT)
    assert match.wait(HANG_SECONDS) == 130
    assert fake.alive() == []


@pytest.mark.parametrize("fault", ["floods", "floods-at-start"])
def test_the_tail_of_standard_error_is_bounded_and_visible(fake: Fake, fault: str) -> None:
    """Megabytes and control characters do not reach the terminal."""
    plan = make_plan(fake.command(fault), "random", blocks=1, policy=Policy(failures=STOP))
    match = play(plan, 1)
    assert match.outcome.failure is not None
    stderr = match.outcome.failure["fault"]["stderr"]
    assert "z\\x1b[2Jend" in stderr
    assert len(stderr) <= 4000


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


@pytest.mark.slow
def test_outputs_that_fail() -> None:
    """One message, no traceback; what still can be printed is."""
    full = run(*MATCH, "--record", "/dev/full", shell="")
    assert full.returncode == 1
    assert "4 games, 2 blocks" in full.stdout
    assert full.stderr.count("the record /dev/full is not complete: No space left on device") == 1
    no_out = run(*MATCH, shell=">/dev/full")
    assert no_out.returncode == 1
    assert no_out.stderr.count("standard output: No space left on device") == 1
    assert run("perft", "kuhn", "2", shell=">/dev/full").returncode == 1
    for shell in ("2>/dev/full", "2>&-"):
        no_err = run(*MATCH, shell=shell)
        assert (no_err.returncode, no_err.stdout.count("4 games, 2 blocks")) == (0, 1)
    closed = run(*MATCH, shell=">&-")
    assert "Traceback" not in full.stderr + no_out.stderr + closed.stderr


@pytest.mark.slow
def test_a_match_that_does_not_start_keeps_the_record(fake: Fake, tmp_path: Path) -> None:
    """Neither a wrong option nor an engine that stops it destroys a file or leaves an empty one."""
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    old.write_text("precious\n" * 1000, encoding="utf-8")
    wrong = ["random", "random", "--b", "Thread=2"]
    dying = ["random", fake.command("dies"), "--failures", "stop"]
    for record, arguments, code in ((old, dying, 3), (new, dying, 3), (old, wrong, 2)):
        line = command_line(*arguments, "--record", str(record), "--games", "2")
        assert subprocess.run(line, capture_output=True, check=False).returncode == code
    assert old.read_text(encoding="utf-8") == "precious\n" * 1000
    assert not new.exists()
    line = command_line("random", "random", "--record", str(old), "--games", "2")
    subprocess.run(line, capture_output=True, check=True)
    assert len(Record(old)) == 2
