"""A run from the command line to its exit code: files, streams, strictness, resume."""

import errno
import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest
from fake import HANG_SECONDS, Fake, command_line
from runs import games_in

from bench.records import Record


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a match of Kuhn poker."""
    return subprocess.run(
        command_line(*arguments, "--nodes", "5"),
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )


@pytest.mark.slow
def test_all_files_of_a_run_agree(tmp_path: Path) -> None:
    """Journal, record, stream and summary count the same; a resume of a finished run plays none."""
    files = {name: tmp_path / name for name in ("journal", "record", "events")}
    words = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    match = ["random", "greedy", "--games", "8", *words, "--json", "--quiet"]
    done = run(*match)
    assert (done.returncode, done.stderr) == (0, "")
    summary = json.loads(done.stdout)
    events = [json.loads(line) for line in files["events"].read_text("utf-8").splitlines()]
    assert (
        len(games_in(files["journal"])) == len(games_in(files["record"])) == summary["games"] == 8
    )
    assert sum(event["event"] == "game" for event in events) == 8
    last = [event for event in events if event["event"] == "standings"][-1]
    row = next(row for row in last["rows"] if row["contestant"] == 0)
    assert [row[key] for key in ("wins", "draws", "losses", "points")] == [
        summary[key] for key in ("wins", "draws", "losses", "points")
    ]
    assert Record(files["record"]).seed == 1
    before = files["record"].read_bytes()
    again = run(*match, "--resume")
    assert again.returncode == 0
    assert files["record"].read_bytes() == before
    assert len(games_in(files["journal"])) == 8
    refused = run(*match)
    assert refused.returncode == 2 and "already" in refused.stderr
    other = run(*match, "--resume", "--seed", "5")
    assert other.returncode == 2 and "seed was 1, is 5" in other.stderr


def test_the_stream_on_standard_output_is_nothing_else(tmp_path: Path) -> None:
    """The table goes to standard error then."""
    done = run("random", "greedy", "--games", "4", "--events", "-", "--quiet")
    assert done.returncode == 0
    kinds = [json.loads(line)["event"] for line in done.stdout.splitlines()]
    assert kinds[0] == "run" and kinds[-1] == "end"
    assert "4 games" in done.stderr


@pytest.mark.parametrize(("more", "code"), [([], 0), (["--strict"], 5)])
def test_warnings_in_strict_mode(tmp_path: Path, more: list[str], code: int) -> None:
    """Exit code 5, and the stream says the same."""
    fake, events = Fake(tmp_path), tmp_path / "events"
    source = fake.script.read_text(encoding="utf-8")
    fake.script.write_text(source + "\nsys.exit(9)\n", encoding="utf-8")
    engine = fake.command("none")
    done = run("random", engine, "--games", "2", "--events", str(events), *more)
    assert done.returncode == code, done.stderr
    told = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
    assert any("abnormal exit" in e["text"] for e in told if e["event"] == "warning")
    assert told[-1]["exit_code"] == code


@pytest.mark.slow
def test_a_wrong_option_leaves_no_journal(tmp_path: Path) -> None:
    """Or the corrected command would find it and be refused."""
    journal = tmp_path / "journal"
    match = ["random", "random", "--games", "2", "--journal", str(journal)]
    done = run(*match, "--b", "Thread=2")
    assert done.returncode == 2
    assert not journal.exists()
    assert run(*match).returncode == 0


def test_an_engine_that_never_starts_leaves_no_journal(tmp_path: Path) -> None:
    """The corrected command would be another run; and nothing is told that cannot go on."""
    journal = tmp_path / "journal"
    match = ["random", "--games", "2", "--journal", str(journal)]
    done = run(match[0], "./no-such-engine", *match[1:])
    assert done.returncode == 3 and "to go on" not in done.stderr
    assert not journal.exists()


@pytest.mark.parametrize("flag", ["--events", "--record"])
def test_a_pipe_that_nobody_reads_is_refused(tmp_path: Path, flag: str) -> None:
    """Nothing waits for a reader: that could not even be interrupted."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = run("random", "greedy", "--games", "2", flag, str(pipe), "--quiet")
    assert done.returncode == 2 and "nobody reads this pipe" in done.stderr


@pytest.mark.slow
def test_a_reader_who_stands_still_does_not_hold_the_end(tmp_path: Path) -> None:
    """The table is printed, the exit code tells, and the process ends."""
    done = run_with_full_pipe("random", "greedy", "--games", "4", "--quiet")
    assert done.returncode == 1 and "4 games" in done.stderr
    assert "the events are not complete: their reader stands still" in done.stderr


@pytest.mark.parametrize("words", [["--events", "/dev/full"], ["--record", "/dev/full"]])
def test_a_full_disk_does_not_hide_the_table(words: list[str]) -> None:
    """It is named as what is full, exit code 1; standard output is not."""
    done = run("random", "greedy", "--games", "2", *words, "--quiet")
    assert done.returncode == 1 and "2 games" in done.stdout
    assert os.strerror(errno.ENOSPC) in done.stderr and "standard output" not in done.stderr


def test_events_without_a_standard_output_are_refused() -> None:
    """As is any other file that is not there."""
    command = command_line("random", "greedy", "--games", "2", "--events", "-")
    script = f"exec {shlex.join(command)} >&-"
    done = subprocess.run(
        ["sh", "-c", script], capture_output=True, text=True, timeout=HANG_SECONDS, check=False
    )
    assert done.returncode == 2 and os.strerror(errno.EBADF) in done.stderr
    assert "Traceback" not in done.stderr


def run_with_full_pipe(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a match with its events on a pipe that is full from the start and never read."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, bytes(1 << 12))
    except BlockingIOError:
        os.set_blocking(writing, True)
    try:
        return subprocess.run(
            command_line(*arguments, "--nodes", "5", "--events", "-"),
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=HANG_SECONDS,
            check=False,
        )
    finally:
        os.close(reading)
        os.close(writing)
