"""The journal: durable lines, exact resume, one writer, little memory."""

import asyncio
import errno
import json
import os
import stat
from pathlib import Path

import pytest
from runs import MadeUp, games_in, head_of, made_up, make_plan, play

from bench.records import to_line
from bench.referee.game_result import result_line
from bench.tournament.journal import BadJournal, Journal

PLAN = make_plan("random", "greedy", blocks=6)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the journal is."""
    return tmp_path / "journal.jsonl"


def write(path: Path, numbers: list[tuple[int, int]], more: list[dict] | None = None) -> None:
    """Make a journal that holds some games, as (block, rotation) from 0, and other lines."""

    async def fill(journal: Journal) -> None:
        schedule = PLAN.make_schedule()
        for block, rotation in numbers:
            job = PLAN.jobs(schedule.block(block))[rotation]
            await journal.append(result_line(made_up(job)))
        for fields in more or []:
            await journal.append(fields)

    journal = Journal.create(path, head_of(PLAN))
    asyncio.run(fill(journal))
    journal.close()


def resumed(path: Path) -> Journal:
    """Open it again and close it."""
    journal = Journal.resume(path, head_of(PLAN))
    journal.close()
    return journal


def places(path: Path) -> list[tuple[int, int]]:
    """Return (block, rotation) of the games that are not purged."""
    journal = Journal.resume(path, head_of(PLAN))
    found = [(line.block, line.rotation) for line in journal.games()]
    journal.close()
    return found


def test_lines_are_read_as_they_were_written(path: Path) -> None:
    """In the order of the file, each by its place; and nobody else may read it."""
    write(path, [(1, 0), (0, 0), (0, 1)])
    assert places(path) == [(1, 0), (0, 0), (0, 1)]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)  # as a copy is, that came from another machine
    journal = Journal.resume(path, head_of(PLAN))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    lines = [journal.read(line.offset) for line in journal.games()]
    journal.close()
    assert [(line["block"], line["game"]) for line in lines] == [(2, 1), (1, 1), (1, 2)]


def test_every_line_is_synced_before_it_counts(path: Path, monkeypatch) -> None:
    """The future of a line is not done before fsync came back; one sync serves many lines."""
    synced = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        real(descriptor)
        synced.append(os.fstat(descriptor).st_size)

    monkeypatch.setattr(os, "fsync", fsync)

    async def fill(journal: Journal) -> None:
        jobs = [PLAN.jobs(PLAN.make_schedule().block(number))[0] for number in range(6)]
        first = journal.append(result_line(made_up(jobs[0])))
        assert not first.done()
        await first
        assert synced[-1] == path.stat().st_size
        await asyncio.gather(*(journal.append(result_line(made_up(job))) for job in jobs[1:]))
        assert synced[-1] == path.stat().st_size

    journal = Journal.create(path, head_of(PLAN))
    begun = len(synced)
    asyncio.run(fill(journal))
    journal.close()
    assert 2 <= len(synced) - begun <= 6


@pytest.mark.parametrize("cut", [1, 2, 30, 200])
def test_a_torn_last_line_is_cut_off(path: Path, cut: int) -> None:
    """What stands before it is kept to the byte, and the next line begins a line."""
    write(path, [(0, 0), (0, 1), (1, 0)])
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert resumed(path).resumed_games == 2
    lines = whole.splitlines(keepends=True)
    assert path.read_bytes() == b"".join(lines[:-1])
    assert places(path) == [(0, 0), (0, 1)]


def test_blocks_of_nothing_after_a_loss_of_power_are_cut_off(path: Path) -> None:
    """Some file systems leave zeros where lines were to come."""
    write(path, [(0, 0)])
    whole = path.read_bytes()
    path.write_bytes(whole + b"\0" * 5000)
    assert resumed(path).resumed_games == 1
    assert path.read_bytes() == whole


@pytest.mark.parametrize("size", [0, 10, 300])
def test_an_end_before_the_first_line_was_there(path: Path, size: int) -> None:
    """Nothing had been played: it begins anew."""
    write(path, [])
    head = path.read_bytes()
    path.write_bytes(head[:size])
    assert resumed(path).resumed_games == 0
    assert path.read_bytes() == head


@pytest.mark.parametrize(
    "text",
    [
        b"my notes\nand more\n",
        b"my notes",
        b"\n",
        b"[1]\n{}\n",
        b'{"drakkar-record":2,\n{"number":1}\n',
    ],
)
def test_what_is_no_journal_is_left_alone(path: Path, text: bytes) -> None:
    """Nor is anything thrown away where only the first line is damaged."""
    path.write_bytes(text)
    with pytest.raises(BadJournal, match="line 1"):
        resumed(path)
    assert path.read_bytes() == text


@pytest.mark.parametrize("purge", [b"5", b"{}", b'{"games":5}', b'{"games":["1"]}'])
def test_a_purge_that_cannot_be_is_refused(path: Path, purge: bytes) -> None:
    """With its line."""
    write(path, [(0, 0)])
    path.write_bytes(path.read_bytes() + b'{"purge":' + purge + b"}\n")
    with pytest.raises(BadJournal, match="line 3: purge: games"):
        Journal.resume(path, head_of(PLAN))


def test_damage_in_the_middle_is_refused(path: Path) -> None:
    """It is no torn line: the line is named, and nothing is cut."""
    write(path, [(0, 0), (0, 1), (1, 0)])
    lines = path.read_bytes().splitlines(keepends=True)
    damaged = lines[0] + lines[1] + b"rubbish\n" + lines[3]
    path.write_bytes(damaged)
    with pytest.raises(BadJournal, match="line 3: no line of a journal"):
        Journal.resume(path, head_of(PLAN))
    assert path.read_bytes() == damaged


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (make_plan("random", "greedy", blocks=7), "format.blocks was 6, is 7"),
        (make_plan("random", "greedy", blocks=6, seed=4), "seed was 3, is 4"),
        (make_plan("random", "greedy", blocks=6, nodes=31), "engines 1.limit.nodes was 30, is 31"),
        (make_plan("random", "vanilla", blocks=6), "engines 2.label was 'greedy', is 'vanilla'"),
    ],
)
def test_a_journal_of_another_run_is_refused(path: Path, other, words: str) -> None:
    """The refusal names what differs, and both values."""
    write(path, [(0, 0)])
    before = path.read_bytes()
    with pytest.raises(BadJournal, match=f"this is another run: {words}"):
        Journal.resume(path, head_of(other))
    assert path.read_bytes() == before


def test_nothing_is_written_over(path: Path) -> None:
    """A new run does not take a file that holds anything, and a resume needs one."""
    with pytest.raises(BadJournal, match="No such file"):
        Journal.resume(path, head_of(PLAN))
    path.write_text("precious\n", encoding="utf-8")
    with pytest.raises(BadJournal, match="exists already"):
        Journal.create(path, head_of(PLAN))
    assert path.read_text(encoding="utf-8") == "precious\n"
    with pytest.raises(BadJournal, match="Is a directory"):
        Journal.create(path.parent, head_of(PLAN))


def test_two_managers_cannot_write_one_journal(path: Path) -> None:
    """Neither by a resume nor as a new one; afterwards it is free."""
    journal = Journal.create(path, head_of(PLAN))
    for opener in (Journal.create, Journal.resume):
        with pytest.raises(BadJournal, match="another run is writing it"):
            opener(path, head_of(PLAN))
    journal.close()
    assert resumed(path).resumed_games == 0


def test_the_first_of_two_lines_counts(path: Path) -> None:
    """A game that came twice is one game, and it is the one that came first."""
    write(path, [(0, 0), (0, 0), (0, 1), (0, 0), (1, 0)])
    text = path.read_text(encoding="utf-8").splitlines()
    for place in (2, 4):
        double = json.loads(text[place])
        double["returns"] = [0.25, 0.75]
        text[place] = json.dumps(double, separators=(",", ":"))
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    played = play(PLAN, journal=path, executor=MadeUp())
    first = made_up(PLAN.jobs(PLAN.make_schedule().block(0))[0])
    assert played.results[0].returns == first.returns
    assert [(r.job.block.number, r.job.rotation) for r in played.results] == [
        (block, game) for block in range(6) for game in range(2)
    ]


@pytest.mark.parametrize(("key", "value"), [("seats", [1, 0]), ("deal", 5)])
def test_a_line_that_does_not_fit_the_schedule_is_passed_over(path, key: str, value) -> None:
    """After a purge others may sit down in a block: what was played there before is no result."""
    write(path, [(0, 0), (0, 1), (1, 0)])
    text = path.read_text(encoding="utf-8").splitlines()
    line = json.loads(text[1])
    line[key] = value
    text[1] = json.dumps(line, separators=(",", ":"))
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    executor = MadeUp()
    played = play(PLAN, journal=path, executor=executor)
    numbers = [job.number for job in executor.played]
    assert 0 in numbers and not {1, 2} & set(numbers)
    assert played.record == play(PLAN, executor=MadeUp()).record


def test_purged_games_are_played_again(path: Path) -> None:
    """Lines before the purge are void, later ones count."""
    purge = {"purge": {"games": [1, 3], "reason": "a test"}}
    write(path, [(0, 0), (0, 1), (1, 0), (1, 1)], [purge])
    assert places(path) == [(0, 1), (1, 1)]
    executor = MadeUp()
    played = play(PLAN, journal=path, executor=executor)
    assert played.outcome.counted_games == 12
    again = {(job.block.number, job.rotation) for job in executor.played}
    assert {(0, 0), (1, 0)} <= again
    assert not {(0, 1), (1, 1)} & again
    assert places(path).count((0, 0)) == 1


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_disk_that_takes_no_more_ends_the_run_in_order(path, monkeypatch, number: int) -> None:
    """Exit code 1, the reason is told, no line is torn; a resume plays the rest."""
    real = os.write
    line = len(to_line(result_line(made_up(PLAN.jobs(PLAN.make_schedule().block(0))[0]))))
    room = len(to_line(head_of(PLAN))) + 4 * line + line // 2

    def full(descriptor: int, data: bytes) -> int:
        left = room - os.fstat(descriptor).st_size
        if left <= 0:
            raise OSError(number, os.strerror(number))
        return real(descriptor, bytes(data)[:left])

    monkeypatch.setattr(os, "write", full)
    executor = MadeUp(1, turns=lambda job: 200)
    played = play(PLAN, journal=path, executor=executor)
    assert (played.outcome.exit_code, played.outcome.reason) == (1, "failed")
    assert os.strerror(number) in played.outcome.text and str(path) in played.outcome.text
    assert executor.is_closed
    monkeypatch.undo()
    assert path.read_bytes().endswith(b"}\n")
    held = games_in(path)
    assert played.outcome.counted_games <= len(held) < 12
    whole = play(PLAN, journal=path, executor=MadeUp())
    assert whole.record == play(PLAN, executor=MadeUp()).record


def test_a_surplus_line_of_a_journal_does_no_harm(path: Path) -> None:
    """Blocks behind the end of the schedule are passed over."""
    write(path, [(0, 0)])
    with path.open("a", encoding="utf-8") as file:
        line = result_line(made_up(PLAN.jobs(PLAN.make_schedule().block(5))[0]))
        line.update(block=9, number=17)
        file.write(json.dumps(line, separators=(",", ":")) + "\n")
    assert play(PLAN, journal=path, executor=MadeUp()).outcome.counted_games == 12


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("returns", "x", "returns: a list"),
        ("seats", None, "seats: 2 different"),
        ("nodes", [], "nodes"),
        ("termination", "checkmate", "termination"),
    ],
)
def test_a_game_that_cannot_be_is_refused(path: Path, key: str, value: object, words: str) -> None:
    """It is the fault of the file, and told as one: nothing is played or written."""
    write(path, [(0, 0)])
    line = result_line(made_up(PLAN.jobs(PLAN.make_schedule().block(0))[1]))
    line[key] = value
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, separators=(",", ":")) + "\n")
    before = path.read_bytes()
    with pytest.raises(BadJournal, match=words):
        play(PLAN, journal=path, executor=MadeUp())
    assert path.read_bytes() == before


def test_resume_reads_in_little_memory(path: Path) -> None:
    """Of games that cannot be counted yet only the places are kept."""
    from bench.tournament.past import Past

    write(path, [(block, 0) for block in range(6)])
    journal = Journal.resume(path, head_of(PLAN))
    past = Past(PLAN, journal)
    from bench.tournament.counting import Counting

    asyncio.run(past.recount(Counting(PLAN, [])))
    assert past.games_ahead == 6
    kept = [type(offset) for games in past._ahead.values() for o in games.values() for offset in o]
    assert kept == [int] * 6
    journal.close()
