"""Records and journals: what is written reads back, and what counts is found in any order."""

import errno
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from journals import Sampler, sample_plan
from recorded import (
    SEED,
    block_results,
    edit,
    fault_result,
    head_of,
    make_plan,
    random_result,
    record_text,
    write_journal,
    write_record,
)

import engine
from bench.contestant import Limit
from bench.games import parse_game
from bench.openings import Opening
from bench.records import (
    BadRecord,
    Record,
    Torn,
    Writer,
    canonical,
    difference,
    open_record,
    read_lines,
    record_head,
    to_line,
)
from bench.records.lines import LINE_MAX
from bench.referee.block import ALL, Block
from bench.referee.game_result import GameResult, result_line
from bench.referee.referee import Referee
from bench.referee.verdicts import Termination
from engine import Game

ROOT = Path(__file__).resolve().parent.parent


def test_a_record_replays(game: Game, tmp_path: Path) -> None:
    """Every event in order, and at the end the recorded result."""
    path = tmp_path / "games.jsonl"
    results = write_record(path, make_plan(game), 2)
    record = Record(path)
    assert (record.form, record.labels[:2], record.seed) == ("record", ["e1", "e2"], SEED)
    assert (record.reason, record.counted_blocks) == ("finished", 2)
    assert record.game.identity == game.identity
    for recorded, result in zip(record.counted(), results, strict=True):
        steps = list(record.replay(recorded))
        assert " ".join(s.event_name(m) for s, m in steps[:-1]) == result.events
        assert steps[-1][0].returns() == result.returns
        assert recorded.seats == list(result.job.seats)
        assert recorded.fields["plies"] == result.plies


def test_a_journal_gives_back_every_result(game: Game, tmp_path: Path) -> None:
    """All that a line tells, and the job with its block."""
    path, plan = tmp_path / "run.journal", make_plan(game)
    _, results = block_results(plan, 0, deal=4)
    write_journal(path, plan, results)
    record = Record(path)
    for recorded, result in zip(record.games(), results, strict=True):
        again = record.result(recorded)
        assert result_line(again) == result_line(result)
        assert (again.job.block.lineup, again.job.block.deal) == (result.job.block.lineup, 4)


def test_a_game_from_a_position_replays(game: Game, tmp_path: Path) -> None:
    """The luck after a position is that of the block's deal."""
    referee = Referee(game, 3)
    referee.decide(game.move_name(referee.state.legal_moves()[0]))
    plan = make_plan(game)
    plan.openings = [Opening(referee.state.to_text(), None, referee.state)]
    path = tmp_path / "games.jsonl"
    write_record(path, plan, 1)
    record = Record(path)
    for recorded in record.counted():
        assert list(record.replay(recorded))[-1][0].is_terminal
    assert record.result(record.find(1)).job.opening == referee.state


@pytest.mark.parametrize("fault", [t for t in Termination if t != Termination.RULES])
def test_every_ending_replays(kuhn: Game, tmp_path: Path, fault: Termination) -> None:
    """Those with a result are found again; those without are only counted."""
    path, plan = tmp_path / "run.journal", make_plan(kuhn)
    result = fault_result(plan, fault)
    write_journal(path, plan, [result])
    record = Record(path)
    if result.is_void:
        assert (len(record), record.void[fault]) == (0, 1)
        return
    recorded = record.find(1)
    record.check(recorded)
    assert recorded.fault is not None and recorded.termination == fault
    assert recorded.fields["returns"] == result.returns


def test_a_seat_that_does_not_decide_can_break_off(kuhn: Game, tmp_path: Path) -> None:
    """A process may end at any time, but only who is asked can be late or wrong."""
    path, plan = tmp_path / "run.journal", make_plan(kuhn)
    right = fault_result(plan, Termination.TIME).fault
    assert right is not None
    for fault in (Termination.DISCONNECT, Termination.TIME, Termination.ILLEGAL, Termination.STALL):
        write_journal(path, plan, [fault_result(plan, fault, seat=1 - right.seat)])
        record = Record(path)
        if fault == Termination.DISCONNECT:
            record.check(record.find(1))
            continue
        with pytest.raises(BadRecord, match=r"line 2: fault: seat 1, but seat 2 decides there"):
            record.check(record.find(1))


def test_replaced_answers_replay(kuhn: Game, tmp_path: Path) -> None:
    """The seat is that which decided; before, it was taken as it was told."""
    path, plan = tmp_path / "games.jsonl", make_plan(kuhn, illegal="substitute")
    block = Block(0, (0, 1), 0)
    results = [random_result(plan, job, replaced=(0, 1)) for job in plan.jobs(block)]
    path.write_text(record_text(plan, [(block, results)]), encoding="utf-8")
    record = Record(path)
    game = record.find(1)
    record.check(game)
    assert (game.replaced_at(0), game.replaced_at(2)) == ("no", None)
    edit(path, 2, lambda f: f["replaced"][1].update(seat=0))
    record = Record(path)
    with pytest.raises(BadRecord, match="line 2: replaced: seat 1 does not decide at ply 1"):
        record.check(record.find(1))


@pytest.mark.parametrize("rotation", ["cyclic", ALL])
def test_larger_tables_are_read(tmp_path: Path, rotation: str) -> None:
    """Three seats, four engines, and all their seatings."""
    plan = make_plan(engine.load("oh_hell", seats=3), 4, rotation)
    blocks = [block_results(plan, 0, (3, 0, 2)), block_results(plan, 1, (1, 2, 3), 0)]
    path = tmp_path / "games.jsonl"
    path.write_text(record_text(plan, blocks), encoding="utf-8")
    record = Record(path)
    for recorded in record.counted():
        record.check(recorded)
        assert record.result(recorded).job.block.lineup in ((3, 0, 2), (1, 2, 3))
    assert len(record) == 2 * (3 if rotation == "cyclic" else 6)
    edit(path, 3, lambda f: f.update(seats=[3, 0, 2]))
    with pytest.raises(BadRecord, match="line 3: seats: no seating of the block of game 1"):
        list(Record(path).games())


def test_secrets_of_a_record_come_last(kuhn: Game, tmp_path: Path) -> None:
    """Whoever reads a record that is being written learns no deal to come."""
    path, plan = tmp_path / "games.jsonl", make_plan(kuhn)
    write_record(path, plan, 2)
    lines = path.read_text(encoding="utf-8").splitlines()
    seeds = ['"seed"' in line for line in lines]
    assert seeds == [False] * 5 + [True]
    assert {"seed", "openings_digest"} & record_head(head_of(plan)).keys() == set()
    for line in lines[1:-1]:
        assert not {"times", "stderr"} & json.loads(line).keys()


@pytest.mark.parametrize("form", ["round_robin", "gauntlet", "swiss", "knockout", "tables"])
def test_no_deal_is_told_that_others_still_play(form: str) -> None:
    """At every moment of a run its record names only deals that are over; in the end it has all."""
    game, blocks = ("oh_hell", None) if form == "tables" else ("kuhn", 3)
    plan = sample_plan(list("abcde"), form, blocks, game)
    file = io.StringIO()
    writer = Writer(file, head_of(plan), plan.make_schedule)
    played: list[tuple[int, set[int]]] = []
    lines: list[str] = []

    def take(block: Block, results: list[GameResult]) -> None:
        writer.take(block, results)
        told = {json.loads(line).get("deal") for line in file.getvalue().splitlines()}
        played.append((results[0].job.deal, told))
        lines.extend(to_line(canonical(result_line(result))) for result in results)

    Sampler(plan, [100, 0, 0, -50, -50]).play([take])
    assert len({deal for deal, _ in played}) < len(played)
    for number, (_, told) in enumerate(played):
        assert not told & {deal for deal, _ in played[number + 1 :]}
    assert len(played[-1][1] - {None}) == len({deal for deal, _ in played})
    writer.close()
    assert file.getvalue().splitlines(keepends=True)[1:] == lines


def test_an_interrupted_record_has_all_that_counts() -> None:
    """Nobody plays any more, so what was held back is written; a purge forgets it."""
    plan = sample_plan("abc", "round_robin", 2)
    schedule, sampler, file = plan.make_schedule(), Sampler(plan, [0, 0, 0]), io.StringIO()
    writer = Writer(file, head_of(plan), plan.make_schedule)
    for again in (False, True):
        if again:
            writer.reset()
        for number in range(4):
            block = schedule.block(number)
            assert block is not None
            writer.take(block, sampler.results(block))
        assert file.getvalue().count('"number"') == 6
    writer.close()
    assert file.getvalue().count('"number"') == 8


def test_p55_a_journal_counts_what_the_run_counted(kuhn: Game, tmp_path: Path) -> None:
    """Whole blocks from the first on, in order; the rest is there, but does not count."""
    plan = make_plan(kuhn)
    blocks = [block_results(plan, number)[1] for number in range(5)]
    path = tmp_path / "run.journal"
    resumed = {"resumed": {"games": 3}}
    games = [*blocks[1], blocks[0][1], resumed, blocks[0][0], blocks[2][1], *blocks[3]]
    write_journal(path, plan, games)
    record = Record(path)
    assert [game.number for game in record.counted()] == [1, 2, 3, 4]
    assert [game.number for game in record.games()] == [1, 2, 3, 4, 6, 7, 8]
    end = {"end": {"reason": "decided", "blocks": 1, "games": 2, "unfinished": [[3, [2]]]}}
    write_journal(path, plan, [*games, end])
    record = Record(path)
    assert (record.reason, record.counted_blocks) == ("decided", 1)
    assert [game.number for game in record.counted()] == [1, 2]
    write_journal(path, plan, [*games, end, resumed, blocks[2][0]])
    record = Record(path)
    assert (record.reason, record.counted_blocks) == (None, 4)


def test_purges_and_repeats_of_a_journal(kuhn: Game, tmp_path: Path) -> None:
    """The first line of a game holds, unless it was taken back."""
    plan = make_plan(kuhn)
    _, (one, two) = block_results(plan, 0)
    other = fault_result(plan, Termination.TIME)
    void = fault_result(plan, Termination.INTERNAL)
    path = tmp_path / "run.journal"
    write_journal(path, plan, [void, one, other, two])
    record = Record(path)
    assert (record.repeats, len(record), record.void.total()) == (1, 2, 1)
    assert record.find(1).termination == Termination.RULES
    purge = {"purge": {"games": [1, 2], "reason": "a bad machine"}}
    write_journal(path, plan, [one, two, purge, other, {"news": "of a later version"}])
    record = Record(path)
    assert (record.purged, len(record), record.counted_blocks) == (2, 1, 0)
    assert record.find(1).termination == Termination.TIME


def test_a_torn_last_line_spoils_only_its_game(kuhn: Game, tmp_path: Path) -> None:
    """The games before it can be shown; a broken line elsewhere is an error."""
    path = tmp_path / "games.jsonl"
    write_record(path, make_plan(kuhn), 1)
    text = path.read_text(encoding="utf-8")
    head, one, two, _ = text.splitlines()
    for torn in (two[:50], two):
        path.write_text("\n".join([head, one, torn]), encoding="utf-8")
        record = Record(path)
        record.check(record.find(1))
        with pytest.raises(Torn, match="line 3: the line has no end") as caught:
            record.find(2)
        assert caught.value.offset == len(head) + len(one) + 2
        assert [line.number for line in whole_lines(path)] == [1, 2]
    path.write_text("\n".join([head, one[:50], two]), encoding="utf-8")
    with pytest.raises(BadRecord, match="line 2: no JSON"):
        Record(path)


def whole_lines(path: Path) -> list:
    """Return the lines of a file whose last one is torn."""
    lines = []
    with pytest.raises(Torn):
        for line in read_lines(path):
            lines.append(line)
    return lines


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"[Event x]\n", "line 1: no JSON"),
        (b"[" * 10**5 + b"\n", "line 1: no JSON"),
        (b"[]\n", "line 1: a JSON object"),
        (b"{}\n", "line 1: no record"),
        (b"\x80", "object 1: no record"),
        (b"\x81\xc1", "object 1: no MessagePack"),
        (b"\xff\xfe\n", "line 1: no UTF-8 at byte 1"),
        (b'{"drakkar-record": NaN}\n', "line 1: no JSON: NaN"),
        (b'{"drakkar-record":1,"game":"kuhn/1"}\n', "line 1: a record of version 1, older than"),
        (b'{"drakkar-record":3}\n', "line 1: a record of version 3; this reads version 2"),
        (b'{"drakkar-record":true}\n', "line 1: no record"),
        (b'{"x": "' + b"y" * LINE_MAX, "line 1: longer than"),
    ],
    ids=lambda value: None if isinstance(value, str) else str(len(value)),
)
def test_other_files_are_no_records(tmp_path: Path, content: bytes, message: str) -> None:
    """Whatever the file holds, it is an error with the file's name."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadRecord, match=f"games.jsonl.*{message}"):
        Record(path)


def test_a_missing_file_and_a_missing_game(kuhn: Game, tmp_path: Path) -> None:
    """Both are said plainly."""
    path = tmp_path / "games.jsonl"
    with pytest.raises(BadRecord, match="No such file"):
        Record(path)
    with pytest.raises(BadRecord, match="not a file"):
        Record(Path("/dev/null"))
    write_record(path, make_plan(kuhn), 1)
    for number in (3, 0, -1, 10**30):
        with pytest.raises(BadRecord, match=f"no game {number}; it holds 2"):
            Record(path).find(number)


def test_a_large_file_is_not_held(kuhn: Game, tmp_path: Path) -> None:
    """A game costs the reader a few dozen bytes of memory, and any one is found by itself."""
    path, plan, blocks = tmp_path / "games.jsonl", make_plan(kuhn), 150
    _, results = block_results(plan, 0)
    lines = [result_line(result) for result in results]
    pad = "x" * 5000
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(head_of(plan)) + "\n")
        for number in range(blocks):
            for line in lines:
                shifted = {"number": 2 * number + line["game"], "block": number + 1, "pad": pad}
                file.write(json.dumps({**line, **shifted}) + "\n")
    # In a process of its own: what is counted is all that a process takes, whoever takes it.
    code = (
        f"import sys, tracemalloc; sys.path.insert(0, {str(ROOT)!r}); from pathlib import Path\n"
        "from bench.records import Record\n"
        "tracemalloc.start(); record = Record(Path(sys.argv[1]))\n"
        "print(sum(1 for _ in record.counted()), tracemalloc.get_traced_memory()[1])"
    )
    argv = [sys.executable, "-c", code, str(path)]
    games, peak = map(int, subprocess.run(argv, capture_output=True, check=True).stdout.split())
    assert games == 2 * blocks
    assert peak < 400_000 < path.stat().st_size / 3
    assert Record(path).find(277).fields["block"] == 139


def test_what_the_file_held_stays_until_a_block_counts(kuhn: Game, tmp_path: Path) -> None:
    """A run that plays nothing changes nothing; a new file without a game is taken away."""
    plan, path, new = make_plan(kuhn), tmp_path / "old", tmp_path / "new"
    path.write_text("x" * 10_000, encoding="utf-8")
    for target in (path, new):
        with open_record(target) as file:
            writer = Writer(file, head_of(plan))
            writer.close(SEED)
    assert (path.read_text(encoding="utf-8"), new.exists()) == ("x" * 10_000, False)
    with open_record(path) as file:
        writer = Writer(file, head_of(plan))
        writer.take(*block_results(plan, 0))
        assert len(path.read_text(encoding="utf-8").splitlines()) == 3
        writer.close()
    assert Record(path).reason is None


def test_a_writer_begins_anew(kuhn: Game, tmp_path: Path) -> None:
    """After a purge the blocks are counted once more, and the file is as if never written."""
    plan, path = make_plan(kuhn), tmp_path / "games.jsonl"
    blocks = [block_results(plan, number) for number in range(3)]
    with open_record(path) as file:
        writer = Writer(file, head_of(plan))
        for block in blocks:
            writer.take(*block)
        writer.reset()
        assert path.read_text(encoding="utf-8") == ""
        writer.take(*blocks[0])
        writer.close(SEED)
    assert path.read_text(encoding="utf-8") == record_text(plan, blocks[:1])


def test_a_full_disk_and_a_pipe_are_told_once(kuhn: Game) -> None:
    """Nothing is written after the first error, and nothing raised."""
    plan = make_plan(kuhn)
    with open("/dev/full", "w", encoding="utf-8") as file:
        writer = Writer(file, head_of(plan))
        for number in range(2):
            writer.take(*block_results(plan, number))
            assert writer.error is not None and writer.error.errno == errno.ENOSPC
            first = writer.error
        writer.reset()
        writer.close(SEED)
        assert writer.error is first
        with pytest.raises(OSError):
            file.close()

    class Pipe(io.StringIO):
        def seekable(self) -> bool:
            return False

    writer = Writer(Pipe(), head_of(plan))
    writer.take(*block_results(plan, 0))
    writer.reset()
    assert writer.error is not None and writer.error.errno == errno.ESPIPE


def test_heads_are_compared_field_by_field(kuhn: Game) -> None:
    """A resume that differs names what differs."""
    plan = make_plan(kuhn)
    old = head_of(plan)
    assert difference(old, head_of(make_plan(kuhn))) is None
    plan.contestants[1].options["Hash"] = "16"
    plan.policy.strikes = 2
    assert difference(old, head_of(plan)) == "engines 2.options.Hash was not given, is '16'"
    assert difference(old, head_of(make_plan(kuhn, 3))).startswith("engines was [")
    plan.contestants[1].options.clear()
    assert difference(old, head_of(plan)) == "policy.strikes was 0, is 2"


def test_the_format_is_described(kuhn: Game, tmp_path: Path) -> None:
    """RECORDS.md names every field that is written, and its example is a journal."""
    text = (Path(engine.__file__).parents[1] / "bench" / "RECORDS.md").read_text(encoding="utf-8")
    plan = make_plan(kuhn, illegal="substitute")
    line = result_line(fault_result(plan, Termination.TIME, replaced=(0,)))
    names = {*head_of(plan), *line, *line["times"], *line["fault"], *Limit.__slots__, *Termination}
    assert [name for name in sorted(names) if f"`{name}`" not in text] == []
    rest, path, objects = text.split("```")[-2].strip(), tmp_path / "run.journal", []
    while rest:
        value, end = json.JSONDecoder().raw_decode(rest)
        objects.append(value)
        rest = rest[end:].lstrip()
    path.write_text("".join(map(to_line, objects)), encoding="utf-8")
    record = Record(path)
    for game in record.counted():
        record.check(game)
    assert (record.reason, record.counted_games, len(objects)) == ("finished", 2, 4)


def test_parse_game() -> None:
    """A name with settings or an identity."""
    assert parse_game("kuhn").identity == parse_game("kuhn/1").identity == "kuhn/1"
    for text in ("", "kuhn/2", "kuhn x"):
        with pytest.raises(ValueError):
            parse_game(text)
    with pytest.raises(engine.BadSetting):
        parse_game("kuhn colour=red")
