"""Damaged records: each is one clear error that says where, and never anything else."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from recorded import (
    SEED,
    Fields,
    edit,
    fault_result,
    make_plan,
    random_result,
    write_journal,
    write_record,
)

import engine
from bench.records import BadRecord, Record
from bench.records.packed import pack
from bench.referee.block import Block
from bench.referee.verdicts import Termination
from bench.replay import tell
from engine import Game

Change = Callable[[Fields], object]


def swap_events(fields: Fields) -> None:
    """Exchange the first two events."""
    events = fields["events"].split()
    fields["events"] = " ".join([events[1], events[0], *events[2:]])


def give(**values: Any) -> Change:
    """Return a change that sets fields."""
    return lambda fields: fields.update(values)


def take(*names: str) -> Change:
    """Return a change that removes fields."""
    return lambda fields: [fields.pop(name) for name in names]


def fault(**values: Any) -> Fields:
    """Return a fault of seat 1 before the first decision, with some fields changed."""
    return {"seat": 0, "ply": 0, "kind": "illegal", "text": "so it went", **values}


HEAD: list[tuple[Change, str]] = [
    (give(form="diary"), "form: one of journal, record, extract"),
    (take("form"), "form: one of"),
    (give(form=[]), "form: one of"),
    (give(form="journal"), "seed: a whole number"),
    (give(game="chess/1"), "game: no game 'chess'"),
    (give(game="kuhn"), "game: written 'kuhn', it is 'kuhn/1'"),
    (give(game=5), "game: "),
    (give(engines=5), "engines: 2 or more objects"),
    (give(engines=[]), "engines: 2 or more"),
    (give(engines=[{"label": 5}, {"label": "x"}]), "engines: 2 or more"),
    (give(engines=[{"label": "x"}] * 2), "engines: two have the same label"),
    (give(rotation="random"), "rotation: one of cyclic, all"),
    (give(openings=-1), "openings: a whole number"),
    (give(policy=None), "policy: an object"),
]

GAME: list[tuple[Change, str]] = [
    (give(number=0), "number: a whole number from 1"),
    (give(number=True), "number: a whole number from 1"),
    (give(number=2**64), "number: a whole number from 1"),
    (give(number=3), "number: 3, game 1 of block 1 is 1"),
    (give(block=2), "number: 1, game 1 of block 2 is 3"),
    (give(game=2), "number: 1, game 2 of block 1 is 2"),
    (give(game=3), "game: 3, a block has 2"),
    (give(round="1"), "round: a whole number"),
    (give(round=2), "line 3: round: not that of game 1, of the same block"),
    (give(deal_number=2), "deal: .* the seed of the run gives"),
    (take("deal_number"), "deal_number: a whole number"),
    (give(seats=[0, 0]), "seats: 2 different numbers from 0 to 1"),
    (give(seats=[0, 2]), "seats: 2 different"),
    (give(seats=[0]), "seats: 2 different"),
    (give(seats=[1, 0]), "line 3: seats: no seating of the block of game 1"),
    (give(deal=2**53), "deal: a whole number below"),
    (give(deal=5), "deal: 5, the seed of the run gives"),
    (give(opening=7), "opening: a position text or null"),
    (give(opening="kuhn/1"), "opening: the run has no openings"),
    (give(termination="gave up"), "termination: one of rules, time"),
    (give(termination="internal"), "termination: internal gives no result|fault: kind"),
    (give(termination="time"), "fault: missing in a game that ended by time"),
    (give(fault=fault()), "fault: not in a game that ended by its rules"),
    (give(returns=[0.5, 0.5]), "returns: .*0.5, 0.5.*, replayed"),
    (give(returns=[0.5]), "returns: a list of 2 numbers"),
    (give(returns=[]), "returns: a list of 2 numbers"),
    (give(scores=["1", 2]), "scores: a list of 2 numbers"),
    (give(scores=[1e300, 0]), "scores: a list of 2 numbers"),
    (give(scores=[9, 0]), "scores: .*9.*, replayed"),
    (give(margins=[9, -9]), "margins: .*, replayed"),
    (give(luck=[0.5]), "luck: a list of 2 numbers"),
    (give(plies=-1), "plies: a whole number from 0 to 3"),
    (give(plies=10**9), "plies: a whole number from 0 to 3"),
    (give(tallies=[]), "tallies: an object of whole numbers"),
    (give(tallies={"turns": "9"}), "tallies: an object of whole numbers"),
    (give(tallies={"turns": 99}), "tallies: .*99.*, replayed"),
    (give(names=["x"]), "names: 1, one for each seat"),
    (give(names="xy"), "names: a list of texts"),
    (give(nodes=[1.5, 2]), "nodes: a list of whole numbers and nulls"),
    (give(nodes=[]), "nodes: 0 for . decisions"),
    (give(nodes=[1] * 9), "nodes: 9 for . decisions"),
    (give(cp=[]), "cp: 0 for . decisions"),
    (give(cp=[10**30, 1]), "cp: a list of whole numbers and nulls"),
    (give(times={}), "times: a record has none"),
    (give(replaced=[fault()]), "replaced: the policy of the run replaces no answers"),
    (give(replaced={}), "replaced: a list"),
    (take("events"), "events: a text is expected"),
    (give(events=""), "events: the game is not over"),
    (give(events="\ud800"), "event 1 "),
    (swap_events, "event 1 "),
    (give(events="~deal@p1=X"), r"event 1 \('~deal@p1=X'\): "),
    (give(events="p1:bet"), "event 1 .*: luck decides here"),
    (lambda f: f.update(events=f["events"].replace("p1:", "p2:", 1)), "event 3 .* seat 1 decides"),
    (lambda f: f.update(events=f["events"].rsplit(" ", 1)[0]), "events: the game is not over"),
    (lambda f: f.update(events=f["events"] + " p1:bet"), "nobody decides here"),
    (lambda f: f.update(events="~deal@p1=Q ~deal@p2=Q"), "event 2 .*"),
]

END: list[tuple[Change, str]] = [
    (give(end=5), "end: an object"),
    (give(end={"games": 2}), "end: seed: a whole number"),
    (give(end={"seed": SEED, "games": 1}), "end: games: 1, the file holds 2"),
    (give(end={"seed": SEED + 1, "games": 2}), "line 2: deal: .* the seed of the run gives"),
    (lambda f: f.update(purge=f.pop("end")), "purge: only a journal"),
    (lambda f: f.update(resumed=f.pop("end")), "resumed: only a journal"),
]

TABLE = [(1, *row) for row in HEAD] + [(2, *row) for row in GAME] + [(4, *row) for row in END]


def read_all(path: Path) -> None:
    """Read a file as `drakkar records` does."""
    record = Record(path)
    for game in record.games():
        record.check(game)
        record.result(game)


@pytest.mark.parametrize(
    ("line", "change", "message"), TABLE, ids=[f"{row[0]}-{row[2][:30]}" for row in TABLE]
)
def test_what_cannot_be_is_refused(
    kuhn: Game, tmp_path: Path, line: int, change: Change, message: str
) -> None:
    """The error says file, line and field or event."""
    path = tmp_path / "games.jsonl"
    write_record(path, make_plan(kuhn), 1)
    read_all(path)
    edit(path, line, change)
    place = message if message.startswith("line ") else f"line {line}.*({message})"
    with pytest.raises(BadRecord, match=f"games.jsonl, {place}"):
        read_all(path)


def test_luck_is_that_of_the_deal(game: Game, tmp_path: Path) -> None:
    """Also where the file does not tell the seed of the run."""
    path = tmp_path / "games.jsonl"
    write_record(path, make_plan(game), 1)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-1]), encoding="utf-8")
    read_all(path)
    for line in range(2, len(lines)):
        edit(path, line, give(deal=2))
    with pytest.raises(BadRecord, match=r"line 2, event \d+ .*: the luck of deal 2 differs"):
        read_all(path)


FAULTS: list[tuple[Change, str]] = [
    (give(fault=None), "fault: missing"),
    (give(fault=[]), "fault: an object"),
    (give(fault=fault(kind="time")), "fault: kind time, the game ended by illegal"),
    (give(fault=fault(kind="x")), "fault: kind: one of"),
    (give(fault=fault()), "fault: ply 0, the game has 1"),
    (give(fault=fault(ply=1)), "fault: seat 1, but seat 2 decides there"),
    (give(fault=fault(ply=1, seat=2)), "fault: seat: a whole number from 0 to 1"),
    (give(fault=fault(ply=1, seat=1, text=None)), "fault: text, answer and stderr"),
    (give(fault=fault(ply=1, seat=1, exit_code="9")), "fault: exit_code"),
    (give(fault=fault(ply=1, seat=1, overrun_ms="9")), "fault: overrun_ms"),
    (give(returns=[0.0, 1.0]), "returns: .*, replayed"),
    (give(times=[]), "times: an object"),
    (give(times={"time_ms": []}), "times: time_ms: a list of 1"),
    (give(times={"time_ms": [None]}), "times: time_ms: numbers"),
    (give(times={"lag_ms": ["x"]}), "times: lag_ms: numbers"),
    (give(times={"strikes": 1}), "times: strikes"),
    (give(times={"worker": 1}), "times: seconds is a number and worker a text"),
    (lambda f: f.update(events=" ".join(f["events"].split()[:1]), plies=0), "fault: ply 1"),
]


@pytest.mark.parametrize(("change", "message"), FAULTS, ids=[row[1] for row in FAULTS])
def test_verdicts_that_cannot_be_are_refused(
    kuhn: Game, tmp_path: Path, change: Change, message: str
) -> None:
    """In a journal, where times are told, too."""
    path = tmp_path / "run.journal"
    write_journal(path, make_plan(kuhn), [fault_result(make_plan(kuhn), Termination.ILLEGAL)])
    read_all(path)
    edit(path, 2, change)
    with pytest.raises(BadRecord, match=f"run.journal, line 2: {message}"):
        read_all(path)


def test_a_verdict_needs_a_game_under_way(kuhn: Game, tmp_path: Path) -> None:
    """Neither luck nor the end of the game stands behind the last event."""
    path, plan = tmp_path / "run.journal", make_plan(kuhn)
    write_journal(path, plan, [fault_result(plan, Termination.DISCONNECT, ply=0)])
    read_all(path)
    edit(path, 2, lambda f: f.update(events=f["events"].split()[0]))
    with pytest.raises(BadRecord, match="line 2: events: luck decides after the last one"):
        read_all(path)
    write_journal(path, plan, [fault_result(plan, Termination.DISCONNECT, ply=9, seat=0)])
    with pytest.raises(BadRecord, match="termination: disconnect, but the rules ended the game"):
        read_all(path)


def test_replaced_answers_that_cannot_be(kuhn: Game, tmp_path: Path) -> None:
    """Their kind and their order, and the move in their place."""
    path = tmp_path / "games.jsonl"
    for answers, message in (
        ([fault(kind="time")], "kind time is no answer"),
        ([fault(ply=9)], "ply 9 is out of order"),
        ([fault(), fault()], "ply 0 is out of order"),
        ([fault(seat=1)], "seat 2 does not decide at ply 0"),
    ):
        write_record(path, make_plan(kuhn, illegal="substitute"), 1)
        edit(path, 2, give(replaced=answers))
        with pytest.raises(BadRecord, match=f"line 2: replaced: {message}"):
            read_all(path)
    plan = make_plan(kuhn, illegal="substitute")
    found = []
    for number in range(4):  # one of them was not the lot's
        job = plan.jobs(Block(number, (0, 1), number))[0]
        write_journal(path, plan, [random_result(plan, job)])
        edit(path, 2, give(replaced=[fault(seat=0)]))
        try:
            read_all(path)
        except BadRecord as error:
            found.append(str(error))
    assert found and all("event 3 " in text and "that the lot puts" in text for text in found)


JOURNAL_LINES: list[tuple[Fields, str]] = [
    ({"purge": 5}, "purge: games: a list"),
    ({"purge": {"games": ["1"]}}, "purge: games: a list"),
    ({"end": []}, "end: an object"),
    ({"end": {"reason": "enough"}}, "end: reason: one of finished"),
    ({"end": {"reason": [], "blocks": 1}}, "end: reason: one of"),
    ({"end": {"reason": "finished", "blocks": -1}}, "end: blocks"),
    ({"end": {"reason": "finished", "blocks": 1, "games": 3}}, "end: games: 3, not those of 1"),
    ({"purge": {}, "end": {}}, "number: a whole number"),
]


@pytest.mark.parametrize(("line", "message"), JOURNAL_LINES, ids=[r[1] for r in JOURNAL_LINES])
def test_lines_of_a_journal_that_cannot_be(
    kuhn: Game, tmp_path: Path, line: Fields, message: str
) -> None:
    """Those that tell of no game."""
    path = tmp_path / "run.journal"
    write_journal(path, make_plan(kuhn), [line])
    with pytest.raises(BadRecord, match=f"run.journal, line 2: {message}"):
        Record(path)


def test_an_end_that_counts_more_than_there_is(kuhn: Game, tmp_path: Path) -> None:
    """Games have been lost from the file."""
    path = tmp_path / "run.journal"
    end = {"end": {"reason": "finished", "blocks": 1, "games": 2}}
    write_journal(path, make_plan(kuhn), [end])
    with pytest.raises(BadRecord, match="its end counts 1 blocks, it holds 0 whole ones"):
        list(Record(path).counted())


def test_the_order_of_a_record(kuhn: Game, tmp_path: Path) -> None:
    """Numbers have no gaps, blocks are whole, and nothing follows the end."""
    path = tmp_path / "games.jsonl"
    write_record(path, make_plan(kuhn), 2)
    head, one, two, three, four, end = path.read_text(encoding="utf-8").splitlines()
    shorter = end.replace('"games":4', '"games":3')
    for lines, message in (
        ([head, two], "line 2: number: 2 behind 0"),
        ([head, one, three], "line 3: number: 3 behind 1"),
        ([head, one, one], "line 3: number: 1 behind 1"),
        ([head, one, two, three, shorter], "line 5: end: the last block is not complete"),
        ([head, one, two, three, four, end, end], "line 7: nothing stands behind the end"),
        ([head, "", one], "line 2: no JSON"),
    ):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        with pytest.raises(BadRecord, match=message):
            Record(path)


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, -1, 2, 2**53, 2**64, -(2**63), 1.5, -0.0, 1e308, "", "0", "illegal"]),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.lists(st.one_of(st.none(), st.integers(0, 3), st.floats(0, 1), st.text(max_size=2))),
    st.dictionaries(st.sampled_from(["seat", "ply", "kind", "games", "seed"]), st.integers(0, 3)),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the ways to all values inside an object."""
    found = [path] if path else []
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, inner in items:
        found += places(inner, (*path, key))
    return found


@pytest.fixture(scope="module")
def whole_journal(tmp_path_factory: pytest.TempPathFactory) -> list[Fields]:
    """The objects of a journal in which nearly everything happened."""
    plan = make_plan(engine.load("kuhn"), illegal="substitute")
    path = tmp_path_factory.mktemp("records") / "run.journal"
    answers = fault_result(plan, Termination.TIME, replaced=(0,))
    end = {"end": {"reason": "interrupted", "blocks": 0, "games": 0}}
    purge = {"purge": {"games": [1], "reason": "it was late"}}
    void = fault_result(plan, Termination.INTERNAL)
    write_journal(path, plan, [void, answers, purge, answers, end])
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_change_of_a_line_gives_more_than_an_error(
    whole_journal: list[Fields], tmp_path: Path, data: st.DataObject
) -> None:
    """One value anywhere becomes another, or is gone, as lines or as MessagePack."""
    lines = json.loads(json.dumps(whole_journal))
    for _ in range(data.draw(st.integers(1, 2))):
        line = data.draw(st.sampled_from(lines))
        *way, last = data.draw(st.sampled_from(places(line) or [("number",)]))
        target = line
        for key in way:
            target = target[key]
        if isinstance(target, dict) and data.draw(st.booleans()):
            target.pop(last, None)
        else:
            target[last] = data.draw(VALUES)
    path = tmp_path / "run.journal"
    try:
        path.write_bytes(b"".join(map(pack, lines)))
        survives(path)
    except (OverflowError, UnicodeEncodeError):
        pass  # MessagePack has no such number or text
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    survives(path)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_damage_of_bytes_gives_more_than_an_error(
    whole_journal: list[Fields], tmp_path: Path, data: st.DataObject
) -> None:
    """Bytes are changed, cut off, or doubled, as on a bad disk."""
    path = tmp_path / "run.journal"
    is_packed = data.draw(st.booleans())
    raw = bytearray(b"".join(pack(line) for line in whole_journal))
    if not is_packed:
        raw = bytearray("".join(json.dumps(line) + "\n" for line in whole_journal).encode())
    start = data.draw(st.integers(0, len(raw)))
    stop = start + data.draw(st.integers(0, 8))
    raw[start:stop] = data.draw(st.binary(max_size=8))
    path.write_bytes(raw[: data.draw(st.sampled_from([len(raw), start, len(raw) - 1]))])
    survives(path)


def survives(path: Path) -> None:
    """Read and tell all of a file; BadRecord is fine, and everything else fails the test."""
    try:
        record = Record(path)
        list(record.counted())
        for game in record.games():
            record.result(game)
            list(tell(record, game, "all"))
    except BadRecord as error:
        assert str(error).startswith(str(path))
