"""An answer that is no legal decision: what becomes of the game, and who is told of it."""

import json
import subprocess
from pathlib import Path

import pytest
from fake import HANG_SECONDS, Fake, command_line, plan, play

from bench.play import LOSE, SUBSTITUTE, EngineFailure
from bench.records import BadRecord, Record
from bench.replay import tell
from bench.report import Summary

# In the first game of this match seat 1 passes by lot, seat 2 bets, and seat 1 is asked again.
SEED = 8


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """The small engine with faults."""
    return Fake(tmp_path)


def play_once_illegal(fake: Fake, policy: str, path: Path):
    """Play four games of Kuhn poker; the first answer of A is `Pass`, with a wrong capital."""
    match = plan(fake.command("illegal-once"), "random", 4, SEED, 1)
    match.illegal = policy
    outcome, text = play(match)
    path.write_text(text, encoding="utf-8")
    assert outcome.failure is None
    assert len(outcome.results) == 4
    return match, outcome, Record(path)


def test_p39_an_illegal_move_loses_its_game(fake: Fake, tmp_path: Path) -> None:
    """The match goes on; the record keeps the answer and can be replayed."""
    match, outcome, record = play_once_illegal(fake, LOSE, tmp_path / "games.jsonl")
    result = outcome.results[0]
    assert result.forfeit is not None
    assert (result.forfeit.seat, result.forfeit.answer) == (0, "Pass")
    assert result.points(0) == 0.0
    assert all(r.forfeit is None for r in outcome.results[1:])
    summary = Summary(match, outcome)
    assert summary.forfeits == [1, 0]
    assert len(summary.first_margins) == 3
    assert "lost by an illegal move" in summary.table()
    told = "\n".join(tell(record, record.find(1), "ends"))
    assert "illegal answer of seat 1: 'Pass' is no move of kuhn" in told
    assert " loses with 0 points" in told
    for number in (2, 3, 4):
        list(record.replay(record.find(number)))


def test_p39_a_replaced_move_is_told_to_its_owner(fake: Fake, tmp_path: Path) -> None:
    """The next position of that seat has the move that was really played; the record marks it."""
    match, outcome, record = play_once_illegal(fake, SUBSTITUTE, tmp_path / "games.jsonl")
    result = outcome.results[0]
    assert result.forfeit is None
    assert [(f.seat, f.ply, f.answer) for f in result.replaced] == [(0, 0, "Pass")]
    assert Summary(match, outcome).replaced == [1, 0]
    played = next(word for word in record.find(1).events if word.startswith("p1:"))
    told = next(lines for lines in fake.told() if any("me=p1" in line for line in lines))
    games = [index for index, line in enumerate(told) if line.startswith("uhinewgame")]
    first, second = (x for x in told[: games[1]] if x.startswith("position"))
    assert second.startswith(f"{first} {played} ")
    recorded = record.find(1)
    assert recorded.replaced_at(0) == "Pass"
    assert "illegal answer 'Pass', replaced by:" in "\n".join(tell(record, recorded, "ends"))


def test_p39_the_owner_sees_the_replacement_in_a_longer_game(fake: Fake) -> None:
    """In Lofoten the seat decides again after its move, so that it is told for certain."""
    arguments = [fake.command("illegal"), "random", "--games", "2", "--illegal", "substitute"]
    done = subprocess.run(
        command_line(*arguments, "--json", game="lofoten stall=6"),
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    replaced = json.loads(done.stdout)["replaced"]
    assert replaced[0] > 20 and replaced[1] == 0
    logs = [
        line.partition(" moves ")[2].split()
        for lines in fake.told()
        for line in lines
        if line.startswith("position") and " me=p1" in line
    ]
    own = [[word for word in log if word.startswith("p1:")] for log in logs]
    grown = [(a, b) for a, b in zip(own, own[1:], strict=False) if a == b[: len(a)]]
    # Each position tells the decision made in the place of the answer to the one before.
    assert len(grown) > 20
    assert sum(len(b) > len(a) for a, b in grown) >= len(grown) - 2


def test_a_word_of_another_game_loses(fake: Fake) -> None:
    """It is no decision here, whatever it may be elsewhere."""
    outcome, _ = play(plan("random", fake.command("foreign"), 2, 3, 1))
    assert outcome.failure is None
    assert [r.forfeit is not None and r.points(0) for r in outcome.results] == [1.0, 1.0]


@pytest.mark.parametrize("policy", [LOSE, SUBSTITUTE])
def test_an_engine_that_refuses_the_position_ends_the_match(fake: Fake, policy: str) -> None:
    """It would refuse all the others too: there is nothing to be learned from such games."""
    match = plan("random", fake.command("gives-up"), 2, 3, 1)
    match.illegal = policy
    outcome, _ = play(match)
    assert isinstance(outcome.failure, EngineFailure)
    assert "no-position" in str(outcome.failure)


def test_stop_is_a_policy_too(fake: Fake) -> None:
    """The match then ends as with an engine that has failed."""
    match = plan(fake.command("illegal-once"), "random", 4, 3, 1)
    match.illegal = "stop"
    outcome, _ = play(match)
    assert isinstance(outcome.failure, EngineFailure)
    assert outcome.failure.kind == "malformed"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.update(forfeit={"seat": 0}), "has seat, ply, answer and text"),
        (lambda f: f["forfeit"].update(seat=1), "seat 1 does not decide there"),
        (lambda f: f["forfeit"].update(seat=2), "comes from seat 0 or 1"),
        (lambda f: f["forfeit"].update(ply=1), "at decision 1"),
        (lambda f: f["forfeit"].update(ply=-1), "at decision -1"),
        (lambda f: f.pop("forfeit"), "the game is not over"),
        (lambda f: f.update(returns=[1.0, 0.0]), "returns"),
        (lambda f: f.update(replaced=1), "replaced is no list"),
    ],
)
def test_a_record_of_a_lost_game_is_checked(fake: Fake, tmp_path: Path, change, message) -> None:
    """What does not fit the events is refused."""
    path = tmp_path / "games.jsonl"
    play_once_illegal(fake, LOSE, path)
    lines = path.read_text(encoding="utf-8").splitlines()
    fields = json.loads(lines[1])
    change(fields)
    path.write_text("\n".join([lines[0], json.dumps(fields), lines[2]]) + "\n", encoding="utf-8")
    with pytest.raises(BadRecord, match=message):
        record = Record(path)
        list(record.replay(record.find(1)))
