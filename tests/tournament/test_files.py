"""Files of a run: none takes another one's place, and none that is read is lost."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from runs import head_of, make_plan

from bench import runner
from bench.cli import main
from bench.tournament.journal import Journal

MATCH = ("match", "random", "greedy", "--game", "kuhn", "--games", "2")
CUP = 'game = "kuhn"\nblocks = 1\nengine = ["random", "greedy"]\n'


def drakkar(*words: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal of a run of Kuhn poker."""
    path = tmp_path / "old.journal"
    Journal.create(path, head_of(make_plan("random", "greedy"))).close()
    return path


@pytest.fixture(autouse=True)
def _no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(plan: object, settings: object) -> int:
        raise AssertionError("played")

    monkeypatch.setattr(runner, "play", play)


@pytest.mark.parametrize(
    "pair", [("journal", "record"), ("journal", "events"), ("record", "events")]
)
@pytest.mark.parametrize("name", ["new", "./new", "link"])
def test_two_outputs_are_two_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pair: tuple[str, str], name: str
) -> None:
    """Also where a path or a link hides that they are one."""
    monkeypatch.chdir(tmp_path)
    os.symlink("new", "link")
    result = drakkar(*MATCH, f"--{pair[0]}", "new", f"--{pair[1]}", name)
    assert result.exit_code == 2 and "are the same file" in result.output
    assert not Path("new").exists()


@pytest.mark.parametrize("flag", ["--journal", "--record", "--events"])
def test_the_file_of_a_tournament_is_not_written_over(tmp_path: Path, flag: str) -> None:
    """Nor is a journal that the file itself would be."""
    cup = tmp_path / "cup.toml"
    cup.write_text(CUP, encoding="utf-8")
    result = drakkar("tournament", cup, flag, cup, "--resume")
    assert result.exit_code == 2 and "are the same file" in result.output
    own = cup.rename(tmp_path / "cup.journal")
    assert drakkar("tournament", own, "--resume").exit_code == 2
    assert own.read_text(encoding="utf-8") == CUP


def test_no_output_is_written_over_a_journal(journal: Path) -> None:
    """By no command: what it holds cannot be had again."""
    before = journal.read_bytes()
    calls = [
        (*MATCH, "--record", journal),
        (*MATCH, "--events", journal),
        ("ladder", "--measure", "--game", "kuhn", "--output", journal),
        ("ratings", journal, "--html", journal),
    ]
    copy = journal.with_name("copy")
    copy.write_bytes(before)
    calls += [
        ("ratings", copy, "--html", journal),
        ("records", copy, "--to", "jsonl", "--output", journal),
    ]
    for words in calls:
        result = drakkar(*words)
        assert result.exit_code == 2, words
        assert "same file" in result.output or "is the journal of a run" in result.output, words
    assert journal.read_bytes() == before


def test_devices_may_be_named_twice() -> None:
    """What goes nowhere is lost nowhere."""
    result = drakkar(*MATCH, "--record", os.devnull, "--events", os.devnull)
    assert isinstance(result.exception, AssertionError)  # it was played


def test_a_dry_run_leaves_a_journal_alone(
    tmp_path: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The schedule can be looked at while a run goes on, and after it."""
    from bench.tournament import preview

    monkeypatch.setattr(preview, "_duration", lambda plan, games, slots: [])
    before = journal.read_bytes()
    result = drakkar(*MATCH, "--journal", journal, "--dry-run")
    assert result.exit_code == 0, result.output
    assert journal.read_bytes() == before


def test_a_dry_run_counts_as_people_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """One block, and pairs that all meet equally often."""
    from bench.tournament import preview

    monkeypatch.setattr(preview, "_duration", lambda plan, games, slots: [])
    plan = make_plan(*["random"] * 12, blocks=7, form="round_robin")
    assert "66 pairs meet, blocks of each: 7" in preview.preview(plan)
    one = make_plan("random", "random", blocks=1)
    assert "1 block of 2 games: 2 games" in preview.preview(one)
