"""Records of matches: what is written can be replayed, what can't be replayed is refused."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine
from bench.contestant import Contestant, Limit
from bench.games import parse_game
from bench.play import GameResult, Job
from bench.records import BadRecord, Record, Writer
from bench.referee import Referee
from bench.replay import tell
from bench.seeds import deal_seed
from engine import Game, RandomStream, State

Fields = dict[str, Any]


def random_result(game: Game, number: int, deal: int, opening: State | None = None) -> GameResult:
    """Play a random game through a referee."""
    stream = RandomStream(deal, 5)
    text = None if opening is None else opening.to_text()
    job = Job(number, deal, opening, text)
    referee = Referee(game, deal, opening)
    while not referee.is_over:
        moves = referee.state.legal_moves()
        referee.decide(game.move_name(moves[stream.below(len(moves))]))
    return GameResult(job, referee)


def write(game: Game, path: Path, results: list[GameResult]) -> None:
    """Write a whole record."""
    file = io.StringIO()
    contestants = [Contestant(name, [name], {}, Limit(nodes=1)) for name in ("one", "two")]
    writer = Writer(file, game, contestants, openings=True)
    for result in results:
        writer.add(result)
    writer.close(7)
    path.write_text(file.getvalue(), encoding="utf-8")


def test_a_record_replays(game: Game, tmp_path: Path) -> None:
    """Every event in order, and at the end the recorded result."""
    path = tmp_path / "games.jsonl"
    results = [random_result(game, number, deal) for number, deal in enumerate((11, 11, 12))]
    write(game, path, results)
    record = Record(path)
    assert (record.engines, record.seed) == (["one", "two"], 7)
    assert record.game.identity == game.identity
    for number, result in enumerate(results, 1):
        recorded = record.find(number)
        steps = list(record.replay(recorded))
        assert " ".join(s.event_name(m) for s, m in steps[:-1]) == result.events
        assert steps[-1][0].returns() == result.returns
        assert recorded.fields["seats"] == list(result.job.sides)
        assert recorded.fields["plies"] == result.plies


def test_a_game_from_a_position_replays(game: Game, tmp_path: Path) -> None:
    """The luck after a position is that of the pair's seed."""
    referee = Referee(game, 3)
    referee.decide(game.move_name(referee.state.legal_moves()[0]))
    deal = deal_seed(7, 0)
    results = [random_result(game, 0, deal, referee.state)]
    assert results[0].events == random_result(game, 1, deal, referee.state).events
    path = tmp_path / "games.jsonl"
    write(game, path, results)
    record = Record(path)
    assert list(record.replay(record.find(1)))[-1][0].is_terminal


def test_a_replay_is_told_in_words(kuhn: Game, tmp_path: Path) -> None:
    """Set-up, decisions with their numbers, the table, who won with how much."""
    path = tmp_path / "games.jsonl"
    write(kuhn, path, [random_result(kuhn, 1, 5)])
    record = Record(path)
    text = "\n".join(tell(record, record.find(2), "ends"))
    assert "seat 1: two (B)" in text
    assert "is dealt a" in text
    assert "     1  seat 1: " in text
    assert " wins with " in text and " loses with " in text
    longer = "\n".join(tell(record, record.find(2), "all"))
    assert longer.count("so far:") > text.count("so far:") == 2


def test_the_seed_of_the_run_stands_only_in_the_last_line(kuhn: Game, tmp_path: Path) -> None:
    """Whoever reads a record that is being written learns no deal to come."""
    path = tmp_path / "games.jsonl"
    write(kuhn, path, [random_result(kuhn, 0, 5)])
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [("seed" in str(line)) for line in lines] == [False, False, True]


def tamper(path: Path, line: int, change: Callable[[Fields], None]) -> None:
    """Change the fields of a line, counted from 1."""
    lines = path.read_text(encoding="utf-8").splitlines()
    fields = json.loads(lines[line - 1])
    change(fields)
    lines[line - 1] = json.dumps(fields)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def swap_events(fields: Fields) -> None:
    """Exchange the first two events."""
    events = fields["events"].split()
    fields["events"] = " ".join([events[1], events[0], *events[2:]])


def no_openings(fields: Fields) -> None:
    """Say that all deals come from the seed."""
    fields["openings"] = False


def from_a_view(fields: Fields) -> None:
    """Let a game begin where cards are unknown."""
    fields.update(opening="kuhn/1 me=p1", deal=deal_seed(7, 0))


FAULTS: list[tuple[str, int, Callable[[Fields], object], str]] = [
    ("version", 1, lambda f: f.update({"drakkar-record": 2}), "line 1: no record of version 1"),
    ("game", 1, lambda f: f.update(game="chess/1"), "line 1: game: no game 'chess'"),
    ("engines", 1, lambda f: f.update(engines=[]), "line 1: engines"),
    ("bool", 1, lambda f: f.update({"drakkar-record": True}), "line 1: no record of version 1"),
    ("identity", 1, lambda f: f.update(game="kuhn"), "line 1: game: written 'kuhn'"),
    ("no-text", 1, lambda f: f.update(game=5), "line 1: game"),
    ("names", 1, lambda f: f.update(engines=5), "line 1: engines"),
    ("deal", 1, no_openings, "line 2: deal 5, the seed gives"),
    ("number", 2, lambda f: f.update(number=0, pair=0), "line 2: game 0"),
    ("pair", 2, lambda f: f.update(pair=2), "line 2: game 1 is not in pair 2"),
    ("parity", 2, lambda f: f.update(seats=[1, 0]), "line 2: seats: in game 1 A is on seat 1"),
    ("true", 2, lambda f: f.update(number=True), "line 2: field number"),
    ("huge", 2, lambda f: f.update(deal=2**53), "line 2: deal"),
    ("surrogate", 2, lambda f: f.update(events="\ud800"), "line 2, event 1"),
    ("tallies", 2, lambda f: f["tallies"].update(turns=99), "tallies .*99.*, replayed"),
    ("field", 2, lambda f: f.pop("events"), "line 2: field events is missing"),
    ("seats", 2, lambda f: f.update(seats=[0, 0]), "line 2: seats"),
    ("count", 3, lambda f: f["end"].update(games=2), "line 3: end: 2 games, the file holds 1"),
    ("order", 2, swap_events, "line 2, event 1"),
    ("word", 2, lambda f: f.update(events="~deal@p1=X"), r"line 2, event 1 \(~deal@p1=X\)"),
    ("seat", 2, lambda f: f.update(events="p1:bet"), "line 2, event 1 .* luck decides here"),
    ("luck", 2, lambda f: f.update(deal=f["deal"] + 1), "the luck of deal 6 differs"),
    ("short", 2, lambda f: f.update(events=f["events"].rsplit(" ", 1)[0]), "the game is not over"),
    ("long", 2, lambda f: f.update(events=f["events"] + " p1:bet"), "nobody decides here"),
    ("result", 2, lambda f: f.update(returns=[0.5, 0.5]), "returns .*0.5, 0.5.*, replayed"),
    ("plies", 2, lambda f: f.update(plies=9), "plies 9, replayed"),
    (
        "opening",
        2,
        lambda f: f.update(opening="kuhn/1 me=p1", deal=deal_seed(7, 0)),
        "opening: no full state",
    ),
]


@pytest.mark.parametrize(
    ("line", "change", "message"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS]
)
def test_what_cannot_be_replayed_is_refused(
    kuhn: Game, tmp_path: Path, line: int, change: Callable[[Fields], None], message: str
) -> None:
    """The error says where."""
    path = tmp_path / "games.jsonl"
    write(kuhn, path, [random_result(kuhn, 0, 5)])
    tamper(path, line, change)
    with pytest.raises(BadRecord, match=message):
        record = Record(path)
        list(record.replay(record.games[0]))


def test_order_and_pairs_of_a_record(kuhn: Game, tmp_path: Path) -> None:
    """Numbers rise, with gaps; a pair has one deal; nothing follows the end."""
    path = tmp_path / "games.jsonl"
    write(kuhn, path, [random_result(kuhn, n, deal) for n, deal in ((1, 5), (4, 6), (5, 6))])
    good = path.read_text(encoding="utf-8")
    assert [game.number for game in Record(path).games] == [2, 5, 6]
    head, two, five, six, end = good.splitlines()
    for lines, message in (
        ([head, five, two], "line 3: number 2 behind 5"),
        ([head, five, five], "line 3: number 5 behind 5"),
        ([head, five, six.replace('"deal":6', '"deal":7')], "line 3: deal is not that of"),
        ([head, two, five, six, end, end], "line 6: nothing stands behind the end"),
    ):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        with pytest.raises(BadRecord, match=message):
            Record(path)


def test_a_torn_last_line_spoils_only_its_game(kuhn: Game, tmp_path: Path) -> None:
    """The games before it can be shown; a torn line elsewhere is an error."""
    path = tmp_path / "games.jsonl"
    write(kuhn, path, [random_result(kuhn, n, 5) for n in range(2)])
    head, one, two, _ = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([head, one, two[:50]]), encoding="utf-8")
    record = Record(path)
    assert list(record.replay(record.find(1)))[-1][0].is_terminal
    with pytest.raises(BadRecord, match="line 3: no JSON"):
        record.find(2)
    path.write_text("\n".join([head, one[:50], two]), encoding="utf-8")
    with pytest.raises(BadRecord, match="line 2: no JSON"):
        Record(path)


def test_the_first_game_of_a_pair_waits_for_the_second(kuhn: Game) -> None:
    """It would tell the deal that is being played."""
    file = io.StringIO()
    contestants = [Contestant(name, [name], {}, Limit(nodes=1)) for name in ("one", "two")]
    writer = Writer(file, kuhn, contestants)
    written = []
    for number in (0, 1, 2, 4):
        writer.add(random_result(kuhn, number, 5))
        written.append(file.getvalue().count("events"))
    writer.close()
    assert [*written, file.getvalue().count("events")] == [0, 2, 2, 3, 4]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"[Event x]\n", "line 1: no JSON"),
        (b"[" * 10**5 + b"\n", "line 1: no JSON"),
        (b"[]\n", "line 1: a JSON object"),
        (b"\xff\xfe\n", "games.jsonl: .*decode"),
    ],
)
def test_other_files_are_no_records(tmp_path: Path, content: bytes, message: str) -> None:
    """Whatever the file holds, it is an error with the file's name."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadRecord, match=message):
        Record(path)


def test_a_missing_file_and_a_missing_game(kuhn: Game, tmp_path: Path) -> None:
    """Both are said plainly."""
    path = tmp_path / "games.jsonl"
    with pytest.raises(BadRecord, match="No such file"):
        Record(path)
    write(kuhn, path, [random_result(kuhn, 0, 5)])
    with pytest.raises(BadRecord, match="no game 2; it holds 1"):
        Record(path).find(2)


def test_parse_game() -> None:
    """A name with settings or an identity."""
    assert parse_game("kuhn").identity == parse_game("kuhn/1").identity == "kuhn/1"
    for text in ("", "kuhn/2", "kuhn x"):
        with pytest.raises(ValueError):
            parse_game(text)
    with pytest.raises(engine.BadSetting):
        parse_game("kuhn colour=red")
