"""`drakkar replay`: a recorded game in words."""

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from recorded import (
    block_results,
    edit,
    fault_result,
    make_plan,
    random_result,
    record_text,
    write_journal,
    write_record,
)

import engine
from bench.cli import main
from bench.records import Record
from bench.referee.block import Block
from bench.referee.game_result import GameResult
from bench.referee.verdicts import VOID, Termination
from bench.replay import tell
from engine import Game


def replay(*arguments: object) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["replay", *map(str, arguments)])


def told(path: Path, number: int = 1, boards: str = "ends") -> str:
    """Return what is told of a game."""
    record = Record(path)
    return "\n".join(tell(record, record.find(number), boards))


def test_a_game_is_told_in_words(kuhn: Game, tmp_path: Path) -> None:
    """Set-up, decisions with their numbers, the table, who won with how much."""
    path = tmp_path / "games.jsonl"
    write_record(path, make_plan(kuhn), 1)
    result = replay(path, "--game", 2)
    assert result.exit_code == 0, result.output
    assert "kuhn/1, game 2 of games.jsonl" in result.output
    assert "seat 1: e2, engine 2 — Ægir" in result.output
    assert "is dealt a" in result.output
    assert re.search(r"\n     1  seat 1: .* \(9 nodes, \+0\.00\)\n", result.output)
    assert " wins with " in result.output and " loses with " in result.output
    assert re.search(r"ended by the rules after [23] decisions, deal \d+\n$", result.output)
    longer = replay(path, "--game", 2, "--boards", "all").output
    assert longer.count("so far:") > result.output.count("so far:") == 2


def test_a_journal_tells_times(kuhn: Game, tmp_path: Path) -> None:
    """Behind each decision, and what it knows of simulations and score."""
    path, plan = tmp_path / "run.journal", make_plan(kuhn)
    write_journal(path, plan, block_results(plan, 0)[1])
    assert "(1.5 ms, 9 nodes, +0.00)" in told(path)

    def slower(fields: dict[str, Any]) -> None:
        fields["times"]["time_ms"][0] = 61234.5
        fields["nodes"][0], fields["cp"][0], fields["luck"] = None, -135, [0.25, -0.25]

    edit(path, 2, slower)
    assert "(61.2 s, -1.35)" in told(path)
    assert "luck favoured the seats by +0.25, -0.25 points" in told(path)


@pytest.mark.parametrize("fault", [t for t in Termination if t not in (*VOID, Termination.RULES)])
def test_verdicts_are_told_in_words(kuhn: Game, tmp_path: Path, fault: Termination) -> None:
    """Each differs, with the seat, what happened and the answer."""
    path, plan = tmp_path / "run.journal", make_plan(kuhn)
    write_journal(path, plan, [fault_result(plan, fault)])
    words = {
        "time": "was too late",
        "illegal": "gave an illegal answer",
        "malformed": "gave an answer that nobody can read",
        "stall": "answered nothing any more",
        "disconnect": "broke off",
        "start": "did not start",
    }
    text = told(path)
    assert f"seat 2 (e2) {words[fault]}: so it went" in text
    assert "its answer: 'no'" in text and "ended by the referee after 1 decisions" in text
    assert "seat 1 (e1) wins with" in text and "seat 2 (e2) loses with" in text


def test_an_exit_code_is_told(kuhn: Game, tmp_path: Path) -> None:
    """Control characters of an engine come out escaped."""
    path, plan = tmp_path / "run.journal", make_plan(kuhn)
    write_journal(path, plan, [fault_result(plan, Termination.DISCONNECT)])
    edit(path, 2, lambda f: f["fault"].update(exit_code=-9, text="\x1b[2J", answer="\x07"))
    assert "its exit code: -9" in told(path)
    assert "broke off: \\x1b[2J" in told(path) and "its answer: '\\x07'" in told(path)


def test_replaced_answers_are_told(kuhn: Game, tmp_path: Path) -> None:
    """In front of the move in their place, which is not the engine's own."""
    path, plan = tmp_path / "games.jsonl", make_plan(kuhn, illegal="substitute")
    block = Block(0, (0, 1), 0)
    results: list[GameResult] = [random_result(plan, j, replaced=(1,)) for j in plan.jobs(block)]
    path.write_text(record_text(plan, [(block, results)]), encoding="utf-8")
    lines = told(path).splitlines()
    index = lines.index("        illegal answer 'no' (9 nodes, +0.10), replaced by:")
    assert re.fullmatch(r"     2  seat 2: [^(]*", lines[index + 1])


def test_places_at_larger_tables(tmp_path: Path) -> None:
    """Who is first, and who shares a place."""
    plan = make_plan(engine.load("oh_hell", seats=3), 4)
    path = tmp_path / "run.journal"
    write_journal(path, plan, [fault_result(plan, Termination.TIME, seat=None)])
    text = told(path)
    assert text.count(" shares place 1 of 3 with ") == 2
    assert text.count(" takes place 3 of 3 with ") == 1


def test_what_cannot_be_replayed_is_a_bad_argument(kuhn: Game, tmp_path: Path) -> None:
    """Exit code 2, and the name of the file once."""
    missing = replay(tmp_path / "none")
    assert missing.exit_code == 2
    assert missing.output.count("none") == 1
    path = tmp_path / "games.jsonl"
    write_record(path, make_plan(kuhn), 1)
    assert replay(path, "--game", 3).exit_code == 2
    edit(path, 3, lambda f: f.update(scores=[5.0, 5.0]))
    broken = replay(path, "--game", 2)
    assert broken.exit_code == 2
    assert re.search(r"games.jsonl, line 3: scores: \[5.0, 5.0\], replayed", broken.output)
