"""An answer that is no legal decision: what becomes of the game, and who is told of it."""

import json
import subprocess
from pathlib import Path

import pytest
from fake import HANG_SECONDS, Fake, command_line
from runs import Played, make_plan, play

from bench.records import Record
from bench.referee.policy import LOSE, STOP, SUBSTITUTE, Policy
from bench.referee.verdicts import Termination
from bench.replay import tell

# In the first game of this match seat 1 passes by lot, seat 2 bets, and seat 1 is asked again.
SEED = 8


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """The small engine with faults."""
    return Fake(tmp_path)


def play_once_illegal(fake: Fake, illegal: str, path: Path) -> tuple[Played, Record]:
    """Play four games of Kuhn poker; the first answer of A is `Pass`, with a wrong capital."""
    engines = (fake.command("illegal-once"), "random")
    played = play(make_plan(*engines, blocks=2, seed=SEED, policy=Policy(illegal)), 1)
    path.write_text(played.record, encoding="utf-8")
    assert played.outcome.failure is None
    assert len(played.results) == 4
    return played, Record(path)


def terminations(played: Played) -> list[dict[str, int]]:
    """Return what each contestant was the cause of."""
    rows = sorted(played.standings["rows"], key=lambda row: row["contestant"])
    return [row["terminations"] for row in rows]


def test_p39_an_illegal_move_loses_its_game(fake: Fake, tmp_path: Path) -> None:
    """The match goes on; the record keeps the answer and can be replayed."""
    played, record = play_once_illegal(fake, LOSE, tmp_path / "games.jsonl")
    result = played.results[0]
    assert result.fault is not None
    assert (result.fault.seat, result.fault.kind, result.fault.answer) == (0, "illegal", "Pass")
    assert result.points(0) == 0.0
    assert all(r.fault is None for r in played.results[1:])
    assert terminations(played) == [{"illegal": 1}, {}]
    told = "\n".join(tell(record, record.find(1), "ends"))
    assert "'Pass' is no move of kuhn" in told
    for game in record.games():
        record.check(game)


def test_p39_a_replaced_move_is_told_to_its_owner(fake: Fake, tmp_path: Path) -> None:
    """The next position of that seat has the move that was really played; the record marks it."""
    played, record = play_once_illegal(fake, SUBSTITUTE, tmp_path / "games.jsonl")
    result = played.results[0]
    assert result.fault is None
    assert [(f.seat, f.ply, f.answer) for f in result.replaced] == [(0, 0, "Pass")]
    assert [row["replaced"] for row in played.standings["rows"] if row["contestant"] == 0] == [1]
    own = next(word for word in record.find(1).events if word.startswith("p1:"))
    told = next(lines for lines in fake.told() if any("me=p1" in line for line in lines))
    games = [index for index, line in enumerate(told) if line.startswith("uhinewgame")]
    first, second = (x for x in told[: games[1]] if x.startswith("position"))
    assert second.startswith(f"{first} {own} ")
    recorded = record.find(1)
    assert recorded.replaced_at(0) == "Pass"
    assert "illegal answer 'Pass', replaced by:" in "\n".join(tell(record, recorded, "ends"))


def test_p39_the_owner_sees_the_replacement_in_a_longer_game(fake: Fake) -> None:
    """In Lofoten the seat decides again after its move, so that it is told for certain."""
    arguments = [fake.command("illegal"), "random", "--games", "4", "--illegal", "substitute"]
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
    played = play(make_plan("random", fake.command("foreign"), blocks=1))
    assert played.outcome.failure is None
    assert [(r.termination, r.points(0)) for r in played.results] == [("illegal", 1.0)] * 2


@pytest.mark.parametrize("illegal", [LOSE, SUBSTITUTE])
def test_an_engine_that_gives_up_loses_or_is_replaced(fake: Fake, illegal: str) -> None:
    """It refuses the position and answers with no move: that is no legal decision."""
    engine = fake.command("gives-up")
    played = play(make_plan("random", engine, blocks=2, policy=Policy(illegal)))
    assert played.outcome.exit_code == 0 and played.outcome.counted_games == 4
    faults = [f for r in played.results for f in ([r.fault] if r.fault else r.replaced)]
    assert len(faults) >= 4
    assert {fault.kind for fault in faults} == {Termination.ILLEGAL}
    assert all("no-position" in fault.text for fault in faults)
    assert all(bool(r.replaced) == (illegal == SUBSTITUTE) for r in played.results)


def test_stop_is_a_policy_too(fake: Fake) -> None:
    """The match then ends as with an engine that has failed."""
    engines = (fake.command("illegal-once"), "random")
    played = play(make_plan(*engines, blocks=2, policy=Policy(illegal=STOP)), 1)
    assert (played.outcome.reason, played.outcome.exit_code) == ("failed", 3)
    assert played.outcome.failure is not None
    assert played.outcome.failure["fault"]["kind"] == "illegal"
    assert "'Pass' is no move of kuhn" in played.outcome.text
    assert fake.alive() == []
