"""`drakkar records`: check, count, filter and convert."""

import json
from pathlib import Path
from typing import Any

import msgpack
import pytest
from click.testing import CliRunner, Result
from recorded import (
    SEED,
    Fields,
    block_results,
    edit,
    head_of,
    make_plan,
    random_result,
    record_text,
    write_journal,
    write_record,
)

import engine
from bench.cli import main
from bench.records import Record, canonical, read_lines, to_line
from bench.records.convert import Filter
from bench.referee.block import Block
from bench.referee.game_result import GameResult, result_line
from bench.referee.verdicts import Termination
from engine import Game


def records(*arguments: object, code: int = 0) -> Result:
    """Run the command."""
    result = CliRunner().invoke(main, ["records", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


def finished(blocks: int, size: int = 2) -> Fields:
    """Return the end of a journal that counts some blocks."""
    return {"end": {"reason": "finished", "blocks": blocks, "games": size * blocks}}


def mixed_games(plan: Any) -> list[GameResult]:
    """Return the games of four blocks, some of which end by faults."""
    games = []
    for number in range(4):
        jobs = plan.jobs(Block(number, (0, 1), number))
        fault = Termination.TIME if number == 1 else None
        games.append(random_result(plan, jobs[0], fault))
        games.append(random_result(plan, jobs[1], Termination.START if number == 2 else None))
    return games


@pytest.fixture
def journal(kuhn: Game, tmp_path: Path) -> Path:
    """The journal of a run of four blocks, in a wild order, with a surplus game."""
    plan = make_plan(kuhn)
    games = mixed_games(plan)
    surplus = block_results(plan, 4)[1][1]
    purge = {"purge": {"games": [3, 4], "reason": "a test"}}
    order = [games[i] for i in (3, 2, 1, 0, 7, 5, 6, 4)]
    path = tmp_path / "run.journal"
    write_journal(path, plan, [*order[:2], purge, *order, surplus, finished(4)])
    return path


def test_a_journal_becomes_the_record_of_the_run(game: Game, tmp_path: Path) -> None:
    """Byte by byte, whatever the order of its lines."""
    plan = make_plan(game)
    blocks = [block_results(plan, number) for number in range(2)]
    path, out = tmp_path / "run.journal", tmp_path / "out"
    games = [result for _, results in reversed(blocks) for result in results]
    write_journal(path, plan, [*games, finished(2, plan.games_per_block)])
    records(path, "--to", "canonical", "-o", out)
    assert out.read_text(encoding="utf-8") == record_text(plan, blocks)
    assert records(out, "--to", "canonical").stdout == out.read_text(encoding="utf-8")


def test_an_unfinished_journal_keeps_its_seed(kuhn: Game, tmp_path: Path) -> None:
    """A record without an end, and no record where no block counts."""
    plan, path = make_plan(kuhn), tmp_path / "run.journal"
    games = block_results(plan, 0)[1]
    interrupted = {"end": {"reason": "interrupted", "blocks": 1, "games": 2}}
    for end in ([], [interrupted]):
        write_journal(path, plan, [*games, *end])
        for target in ("canonical", "jsonl", "msgpack"):
            text = records(path, "--to", target).stdout_bytes
            assert b"seed" not in text and b"openings_digest" not in text
        assert len(records(path, "--to", "canonical").stdout.splitlines()) == 3
    write_journal(path, plan, games[:1])
    assert records(path, "--to", "canonical").stdout == ""


def test_p55_numbers_are_counted_anew(journal: Path, kuhn: Game) -> None:
    """Games, results and terminations of each engine, from the lines alone."""
    found = json.loads(records(journal, "--json").stdout)
    games = mixed_games(make_plan(kuhn))
    assert (found["games"], found["blocks"]) == (8, 4)
    assert found["terminations"] == {"rules": 6, "time": 1, "start": 1}
    assert (found["purged"], found["not_counted"], found["reason"]) == (2, 1, "finished")
    for place, counted in enumerate(found["engines"]):
        points = [game.points(place) for game in games]
        assert (counted["games"], counted["points"]) == (8, sum(points))
        assert counted["wins"] == points.count(1.0)
        assert counted["losses"] == points.count(0.0)
        faults = [g.fault.kind for g in games if g.fault and g.job.seats[g.fault.seat] == place]
        assert counted["terminations"] == {str(kind): faults.count(kind) for kind in faults}
        assert [seat["games"] for seat in counted["seats"]] == [4, 4]
        assert sum(seat["points"] for seat in counted["seats"]) == sum(points)
    text = records(journal).output
    assert "8 games of 4 blocks, replayed" in text
    assert "ended by: 6 rules, 1 time, 1 start" in text
    assert "the run ended: finished" in text
    assert "1 games of blocks that do not count" in text
    assert "2 games taken back, 0 told more than once" in text


def test_recount_at_larger_tables(tmp_path: Path) -> None:
    """A win is to be best alone, a draw to be best with others, a loss to be behind."""
    plan = make_plan(engine.load("oh_hell", seats=3), 4)
    block = Block(0, (2, 0, 3), 0)
    games = [random_result(plan, job, Termination.TIME) for job in plan.jobs(block)]
    path = tmp_path / "run.journal"
    write_journal(path, plan, games)
    found = json.loads(records(path, "--json").stdout)["engines"]
    assert [sum(row[word] for row in found) for word in ("wins", "draws", "losses")] == [0, 6, 3]
    assert [row["games"] for row in found] == [3, 0, 3, 3]
    assert sum(row["points"] for row in found) == 3 * 1.5
    games = [game for number in range(4) for game in block_results(plan, number, (2, 0, 3))[1]]
    write_journal(path, plan, games)
    found = json.loads(records(path, "--json").stdout)["engines"]
    middle = 0
    for place in (0, 2, 3):
        points = [game.points(place) for game in games]
        best = [max(game.returns) == game.returns[game.seat_of(place)] for game in games]
        middle += sum(
            0 < own < 1 and not is_best for own, is_best in zip(points, best, strict=True)
        )
        assert (found[place]["wins"], found[place]["points"]) == (points.count(1.0), sum(points))
        assert found[place]["losses"] == best.count(False)
    assert middle > 0


def numbers_of(result: Result) -> list[int]:
    """Return the games that were written as lines."""
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines[0]["form"] == "extract"
    assert lines[-1] == {"end": {"seed": SEED, "games": len(lines) - 2}}
    return [line["number"] for line in lines[1:-1]]


def test_games_are_filtered(journal: Path, kuhn: Game) -> None:
    """By block, ending, fault, engine, seat and winner; all must hold."""
    games = mixed_games(make_plan(kuhn))
    for arguments, wanted in (
        ((), [1, 2, 3, 4, 5, 6, 7, 8]),
        (("--all",), [1, 2, 3, 4, 5, 6, 7, 8, 10]),
        (("--block", "2-3"), [3, 4, 5, 6]),
        (("--block", "4"), [7, 8]),
        (("--block", "4-", "--all"), [7, 8, 10]),
        (("--block", "-1"), [1, 2]),
        (("--faults",), [3, 6]),
        (("--termination", "time"), [3]),
        (("--termination", "time", "--termination", "start", "--block", "3"), [6]),
        (("--engine", "e2"), [1, 2, 3, 4, 5, 6, 7, 8]),
        (("--engine", "e2", "--seat", 1), [2, 4, 6, 8]),
        (("--winner", "e1"), [n for n, g in enumerate(games, 1) if g.points(0) == 1.0]),
        (
            ("--winner", "e1", "--seat", 2),
            [n for n, g in enumerate(games, 1) if g.points(0) == 1.0 and n % 2 == 0],
        ),
    ):
        assert numbers_of(records(journal, "--to", "jsonl", *arguments)) == wanted, arguments


def test_a_filter_knows_who_did_not_play(tmp_path: Path) -> None:
    """At tables of three out of four."""
    plan = make_plan(engine.load("oh_hell", seats=3), 4)
    path = tmp_path / "games.jsonl"
    path.write_text(record_text(plan, [block_results(plan, 0, (2, 0, 3))]), encoding="utf-8")
    game = Record(path).find(1)
    assert [Filter(engine=place).takes(game) for place in range(4)] == [True, False, True, True]
    assert not Filter(engine=0, seat=0).takes(game) and Filter(engine=0, seat=1).takes(game)
    assert Filter().is_empty and not Filter(seat=0).is_empty


def test_an_extract_is_read_again(journal: Path, tmp_path: Path) -> None:
    """Also in part, with its times, and its deals are checked."""
    out = tmp_path / "some.jsonl"
    records(journal, "--to", "jsonl", "--faults", "-o", out)
    record = Record(out)
    assert (record.form, [game.number for game in record.games()]) == ("extract", [3, 6])
    assert record.find(3).fields == Record(journal).find(3).fields
    assert "2 games of 2 blocks" in records(out).output
    for choice in ("--faults", "--all"):
        records(journal, "--to", "jsonl", choice, "-o", out)
        assert "not just the games that count" in records(out, "--to", "canonical", code=2).stderr
    records(journal, "--to", "jsonl", "--faults", "-o", out)
    edit(out, 2, lambda f: f.update(deal=1))
    assert "line 2: deal: 1, the seed of the run gives" in records(out, code=2).output


def test_messagepack_round_trip(game: Game, tmp_path: Path) -> None:
    """Everything comes back as it was, to the byte of the lines."""
    plan, path = make_plan(game), tmp_path / "run.journal"
    block, games = block_results(plan, 0)
    write_journal(path, plan, [*games, finished(1, len(games))])
    packed, lines, again = tmp_path / "x.msgpack", tmp_path / "x.jsonl", tmp_path / "y.jsonl"
    records(path, "--to", "msgpack", "-o", packed)
    records(path, "--to", "jsonl", "-o", lines)
    records(packed, "--to", "jsonl", "-o", again)
    assert lines.read_bytes() == again.read_bytes()
    assert records(packed, "--to", "msgpack").stdout_bytes == packed.read_bytes()
    assert records(packed, "--to", "canonical").stdout == record_text(plan, [(block, games)])
    with packed.open("rb") as file:
        objects = list(msgpack.Unpacker(file))
    assert objects == [json.loads(line) for line in lines.read_text().splitlines()]
    record = Record(packed)
    assert record.find(2).where == f"{packed}, object 3"
    record.check(record.find(2))
    packed.write_bytes(packed.read_bytes()[:-3])
    assert f"object {len(games) + 2}: the object has no end" in str(Record(packed).torn)


def test_unknown_fields_and_lines_are_kept_or_skipped(kuhn: Game, tmp_path: Path) -> None:
    """What a later version adds is no error for this one."""
    plan, path = make_plan(kuhn), tmp_path / "run.journal"
    games = [{**result_line(game), "mood": ["good"]} for game in block_results(plan, 0)[1]]
    write_journal(path, plan, [{"weather": 1}, *games, finished(1)])
    edit(path, 1, lambda f: f.update(room={"number": 5}))
    for target in ("jsonl", "canonical"):
        head, game, *_ = records(path, "--to", target).stdout.splitlines()
        assert json.loads(head)["room"] == {"number": 5}
        assert json.loads(game)["mood"] == ["good"]


def test_canonical_lines_leave_out_what_passes(kuhn: Game) -> None:
    """Times, overruns and standard error differ from run to run."""
    plan = make_plan(kuhn, illegal="substitute")
    job = plan.jobs(Block(0, (0, 1), 0))[0]
    line = result_line(random_result(plan, job, Termination.TIME, replaced=(0,)))
    line["replaced"][0]["stderr"] = "x"
    kept = canonical(line)
    assert line.keys() - kept.keys() == {"times"}
    assert line["fault"].keys() - kept["fault"].keys() == {"overrun_ms", "stderr"}
    assert "stderr" not in kept["replaced"][0]


def test_broken_records_are_told_with_their_place(kuhn: Game, tmp_path: Path) -> None:
    """Exit code 2; what is not replayed is not found; no output is begun."""
    good, path = tmp_path / "good.jsonl", tmp_path / "games.jsonl"
    out = tmp_path / "out"
    out.write_text("old", encoding="utf-8")
    write_record(good, make_plan(kuhn), 1)
    write_record(path, make_plan(kuhn), 1)
    edit(path, 3, lambda f: f.update(margins=[1.0, 1.0]))
    assert "games.jsonl, line 3: margins: [1.0, 1.0], replayed" in records(path, code=2).output
    assert "games.jsonl, line 3" in records(good, path, code=2).stderr
    assert "2 games of 1 blocks, not replayed" in records(path, "--no-replay").output
    records(path, "--to", "jsonl", "-o", out, code=2)
    assert [out.read_text(encoding="utf-8"), *tmp_path.glob("*.part")] == ["old"]
    edit(path, 3, lambda f: f.update(huge=10**30))
    text = records(path, "--to", "msgpack", "--no-replay", code=2).stderr
    assert "game 2: cannot be written as msgpack" in text
    path.write_bytes(good.read_bytes()[:-3])
    assert "line 4: the line has no end; what stands before it was taken" in records(path).stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seat", "1"], "--seat needs --engine or --winner"),
        (["--engine", "e3"], "'e3' does not play in"),
        (["--engine", "e1", "--seat", "3"], "has 2 seats"),
        (["--block", "x"], "no range of blocks"),
        (["--block", "3-2"], "the lower first"),
        (["--block", "0"], "blocks count from 1"),
        (["--output", "x"], "--output needs --to"),
        (["--to", "jsonl", "--json"], "--json counts, --to converts"),
        (["--to", "canonical", "--faults"], "a canonical record holds all games"),
        (["--termination", "internal"], "'internal' is not one of"),
    ],
)
def test_usage(kuhn: Game, tmp_path: Path, arguments: list[str], message: str) -> None:
    """What makes no sense is refused before anything is written."""
    path = tmp_path / "games.jsonl"
    write_record(path, make_plan(kuhn), 1)
    result = records(path, *arguments, code=2)
    assert message in " ".join(result.output.split())
    assert "is the file that is read" in records(path, "--to", "jsonl", "-o", path, code=2).output
    assert "one file at a time" in records(path, path, "--to", "jsonl", code=2).output


def test_a_full_disk_is_told(kuhn: Game, tmp_path: Path) -> None:
    """Exit code 1, one line."""
    path = tmp_path / "games.jsonl"
    write_record(path, make_plan(kuhn), 1)
    result = records(path, "--to", "jsonl", "-o", "/dev/full", code=1)
    assert result.stderr == "drakkar: /dev/full: No space left on device\n"


def test_a_real_run_writes_what_its_journal_becomes(tmp_path: Path) -> None:
    """Match, journal, record: all three agree."""
    journal, record = tmp_path / "run.journal", tmp_path / "games.jsonl"
    arguments = ["match", "random", "random", "--game", "kuhn", "--games", "6", "--nodes", "5"]
    arguments += ["--journal", str(journal), "--record", str(record), "--concurrency", "2"]
    played = CliRunner().invoke(main, [*arguments, "--quiet", "--json"])
    assert played.exit_code == 0, played.output
    assert records(journal, "--to", "canonical").stdout == record.read_text(encoding="utf-8")
    lines = list(read_lines(record))
    assert to_line(lines[0].fields).encode() == record.read_bytes()[: lines[0].end]
    counted = json.loads(records(journal, "--json").stdout)
    told = json.loads(played.stdout)
    assert (counted["games"], counted["engines"][0]["points"]) == (6, told["points"])
    assert journal.stat().st_mode & 0o777 == 0o600
    assert head_of(make_plan(engine.load("kuhn"))).keys() == Record(journal).head.fields.keys()
