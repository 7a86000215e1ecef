"""The commands match, sprt and tournament: what they make of their options, what they refuse."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bench import runner
from bench.cli import main
from bench.tournament import preview

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "bench/examples").glob("*.toml"))
KUHN = ("--game", "kuhn")


def drakkar(*words: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(main, list(words))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """Plan and settings of each run that would have been played."""
    seen: list[tuple[Any, Any]] = []

    def play(plan: Any, settings: Any) -> int:
        seen.append((plan, settings))
        return 0

    monkeypatch.setattr(runner, "play", play)
    return seen


def test_a_match_is_a_run_with_two_contestants(runs: list[tuple[Any, Any]]) -> None:
    """Length, limits, policy and outputs arrive."""
    words = "match vanilla random --games 8 --nodes 9 --b movetime=5,Hash=16 --seed 3".split()
    rules = "--illegal stop --failures stop --strikes 2 --restart game --start-timeout 1.5".split()
    waits = "--newgame-timeout 2 --ping-timeout 3 --quit-timeout 0.1 --rotation all".split()
    more = "--concurrency 3 --json --events e --record r --journal j --strict --quiet".split()
    result = drakkar(*words, *rules, *waits, *more, *KUHN)
    assert result.exit_code == 0, result.output
    plan, settings = runs[0]
    assert [c.label for c in plan.contestants] == ["vanilla", "random"]
    assert [str(c.limit) for c in plan.contestants] == ["nodes 9", "movetime 5 ms"]
    assert plan.contestants[1].options == {"Preset": "random", "Hash": "16"}
    assert plan.make_schedule().describe() == {"name": "match", "blocks": 4}
    assert (plan.seed, plan.rotation, plan.test, plan.evaluator) == (3, "all", None, None)
    assert plan.policy.to_json() == {
        **{"illegal": "stop", "failures": "stop", "strikes": 2, "restart": "game"},
        **{"start_s": 1.5, "newgame_s": 2.0, "ping_s": 3.0, "quit_s": 0.1},
    }
    assert (settings.concurrency, settings.as_json, settings.strict, settings.quiet) == (
        *(3, True, True, True),
    )
    files = (settings.events, str(settings.record), str(settings.journal))
    assert (files, settings.resume) == (("e", "r", "j"), False)
    assert settings.resume_command[:4] == ["drakkar", "match", "vanilla", "random"]
    assert settings.resume_command[-1] == "--resume"


def test_defaults(runs: list[tuple[Any, Any]], tmp_path: Path) -> None:
    """10 blocks of 200 nodes, no journal; the test of sprt is 0 against 10 Elo, without an end."""
    assert drakkar("match", "vanilla", "vanilla", *KUHN).exit_code == 0
    assert drakkar("sprt", "vanilla", "random", *KUHN).exit_code == 0
    plan, settings = runs[0]
    assert (plan.make_schedule().planned, str(plan.contestants[0].limit)) == (10, "nodes 200")
    assert (settings.journal, settings.concurrency, plan.policy.failures) == (None, 0, "recover")
    plan, _ = runs[1]
    assert plan.make_schedule().planned == 10**7
    told = plan.test.describe()
    assert [told[key] for key in ("elo0", "elo1", "alpha", "beta")] == [0, 10, 0.05, 0.05]
    assert told["every"] == 8
    path = tmp_path / "cup.toml"
    path.write_text("engine = ['vanilla', 'random', 'greedy']\ngame = 'kuhn'\n", encoding="utf-8")
    assert drakkar("tournament", str(path)).exit_code == 0
    plan, settings = runs[2]
    assert plan.make_schedule().describe() == {"name": "round_robin", "blocks": 10}
    assert settings.journal == tmp_path / "cup.journal"
    assert settings.resume_command == ["drakkar", "tournament", str(path), "--resume"]


def test_a_tournament_by_flags_alone(runs: list[tuple[Any, Any]]) -> None:
    """Without a file there is a journal only where one is asked for."""
    texts = ("vanilla", "name=x,preset=random,nodes=2", "greedy")
    engines = [word for text in texts for word in ("--engine", text)]
    words = ["--format", "gauntlet", "--challengers", "2", "--blocks", "3", *KUHN]
    assert drakkar("tournament", *engines, *words).exit_code == 0
    plan, settings = runs[0]
    assert [c.label for c in plan.contestants] == ["vanilla", "x", "greedy"]
    assert plan.make_schedule().describe() == {"name": "gauntlet", "blocks": 3, "challengers": 2}
    assert settings.journal is None


def test_an_old_journal_is_left_alone(runs: list[tuple[Any, Any]], tmp_path: Path) -> None:
    """Going on has to be said; without a journal there is nothing to go on with."""
    path, journal = tmp_path / "cup.toml", tmp_path / "cup.journal"
    path.write_text("engine = ['vanilla', 'random']\ngame = 'kuhn'\n", encoding="utf-8")
    journal.write_text("{}\n", encoding="utf-8")
    result = drakkar("tournament", str(path))
    assert result.exit_code == 2
    assert "--resume goes on with it" in " ".join(result.output.split())
    assert drakkar("tournament", str(path), "--resume").exit_code == 0
    assert [settings.resume for _, settings in runs] == [True]
    result = drakkar("match", "vanilla", "random", "--resume", *KUHN)
    assert (result.exit_code, "no --journal" in result.output) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("match A A --games 3", "a multiple of it; not 3"),
        ("match A A --games 0", "a multiple of it; not 0"),
        ("match A A --games 4 --blocks 2", "give games or blocks, not both"),
        ("match A A --game oh_hell", "3 seats need at least 3 engines, not 2"),
        ("match A A --json --events -", "both want standard output"),
        ("match A A --tc 40/", "no clock"),
        ("match A A --quit-timeout nan", "nan is no number"),
        ("match A A --failures forgive", "'forgive' is not one of"),
        ("tournament", "2 seats need at least 2 engines, not 0"),
        ("tournament --engine A", "2 seats need at least 2 engines, not 1"),
        ("tournament --engine A --engine nobody", "--engine 2: no preset and no command 'nobody'"),
        ("tournament --engine A --engine A --rounds 3", "the format round_robin has no rounds"),
        ("tournament --engine A --engine A --format tables", "three seats or more"),
        ("tournament --engine A --engine A --format swis", "'swis' is not one of"),
        ("tournament --engine A --engine A --alpha 0.1", "alpha is for a sequential test"),
        ("tournament --engine A --engine A --sprt-on raw", "sprt-on is for a sequential test"),
        ("tournament --engine A --engine A --elo0 0", "two hypotheses, elo0 and elo1"),
        ("tournament /nowhere/cup.toml", "/nowhere/cup.toml: No such file"),
        ("tournament --engine A --engine A --format swiss --elo0 0 --elo1 5", "ends a match"),
        ("sprt A A --sprt-on adjusted", "adjusted results need --luck"),
    ],
)
def test_bad_usage(runs: list[tuple[Any, Any]], words: str, message: str) -> None:
    """Refused with the reason before anything starts, exit code 2."""
    given = ["vanilla" if word == "A" else word for word in words.split()]
    game = () if "--game" in given else KUHN
    result = drakkar(*given, *game)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.output.split())
    assert runs == []


def test_a_command_is_found_by_its_module(tmp_path: Path) -> None:
    """Nothing but modules with a command of their own name is one."""
    shown = drakkar("--help").output
    for name in ("bench", "check", "engine", "games", "match", "perft", "sprt", "tournament"):
        assert f"\n  {name} " in shown
    for name in ("options", "setup", "os", "../cli", "nothing"):
        assert f"\n  {name} " not in shown
        assert drakkar(name).exit_code == 2


def test_a_dry_run_tells_the_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    """First blocks, who meets whom how often, totals, and a time with its source."""
    monkeypatch.setattr(preview, "SAMPLE_S", 0.05)
    engines = ["--engine", "vanilla", "--engine", "random", "--engine", "name=x,preset=random"]
    result = drakkar("tournament", *engines, "--blocks", "7", "--dry-run", "--nodes", "5", *KUHN)
    assert result.exit_code == 0, result.output
    lines = [" ".join(line.split()) for line in result.output.splitlines()]
    assert "kuhn/1: format round_robin, blocks 7" in lines
    for line in ("1 1 1 vanilla - random", "4 2 2 vanilla - random", "vanilla - x: 7"):
        assert line in lines
    assert "21 blocks of 2 games: 42 games" in lines
    assert "games at a time: measured, " in lines[-1]


def test_a_dry_run_without_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits of time give a bound, other limits none; an engine that does not start is told of."""
    monkeypatch.setattr(preview, "PATIENCE_S", 0.0)
    words = ["random", "random", "--dry-run", "--games", "400", "--concurrency", "2", *KUHN]
    result = drakkar("match", *words, "--movetime", "1000")
    assert "no time measured: no game ended within 0 s" in result.output
    # 200 games for each of 2 slots, 2 to 3 decisions of a second.
    assert any(f"at most about {minutes} min" in result.output for minutes in range(6, 11))
    assert "at most" not in drakkar("match", *words).output
    monkeypatch.setattr(preview, "PATIENCE_S", 30.0)
    result = drakkar("match", "random", "false", *words[2:])
    assert result.exit_code == 0
    assert "no time measured: " in result.output


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_can_be_played(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is a whole tournament, shown by a dry run with little to measure."""
    monkeypatch.setattr(preview, "SAMPLE_S", 0.1)
    monkeypatch.setattr(preview, "PATIENCE_S", 0.5)
    result = drakkar("tournament", str(path), "--dry-run")
    assert result.exit_code == 0, result.output
    assert "blocks at which two meet:" in result.output
    assert not path.with_suffix(".journal").exists()


def test_an_sprt_prints_its_decision() -> None:
    """LLR, bounds, unit and decision; the exit code is 0."""
    words = ["sprt", "random", "random", "--elo0", "-800", "--elo1", "-600", "--nodes", "1"]
    result = drakkar(*words, "--look", "4", *KUHN)
    assert result.exit_code == 0, result.output
    for word in ("LLR", "H1", "logistic Elo", "2.94", "-2.94"):
        assert word in result.stdout
    result = drakkar(*words, "--blocks", "2", "--json", *KUHN)
    assert (result.exit_code, json.loads(result.stdout)["sprt"]["decision"]) == (0, None)


def test_pondering_is_a_rule_of_the_run(runs: list[tuple[Any, Any]]) -> None:
    """Off unless it is asked for."""
    for flags in ((), ("--ponder",)):
        assert drakkar("match", "vanilla", "random", *flags, *KUHN).exit_code == 0
    assert [plan.policy.ponder for plan, _ in runs] == [False, True]
