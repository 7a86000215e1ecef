"""A run from the command line to its exit code: files, streams, strictness, resume."""

import json
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


def test_a_wrong_option_leaves_no_journal(tmp_path: Path) -> None:
    """Or the corrected command would find it and be refused."""
    journal = tmp_path / "journal"
    match = ["random", "random", "--games", "2", "--journal", str(journal)]
    done = run(*match, "--b", "Thread=2")
    assert done.returncode == 2
    assert not journal.exists()
    assert run(*match).returncode == 0
