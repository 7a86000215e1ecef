"""Cases of the field that concern schedules, labels and settings."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import runner
from bench.cli import main
from bench.contestant import Limit, label_all, make_contestant
from bench.games import parse_game
from bench.plan import Plan
from bench.referee.block import ROTATIONS
from bench.tournament.formats import Terms, make


@pytest.fixture
def unplayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any run fails the test."""

    def play(plan: object, settings: object) -> int:
        raise AssertionError("a run was begun")

    monkeypatch.setattr(runner, "play", play)


@pytest.mark.parametrize(("game", "rotation"), [("kuhn", ROTATIONS[0]), ("oh_hell", ROTATIONS[1])])
def test_p52_same_deals_for_every_pair_and_seats_exchanged(game: str, rotation: str) -> None:
    """Block k of A-B and of A-C have one deal; in a block each sits in each seat equally often."""
    found = parse_game(game)
    contestants = [make_contestant("random", Limit(nodes=1), {}) for _ in range(4)]
    terms = Terms(found.num_seats, ["a", "b", "c", "d"], blocks=10)
    plan = Plan(found, contestants, lambda: make("round_robin", terms), 5, rotation=rotation)
    schedule = plan.make_schedule()
    deals: dict[tuple[int, ...], list[int]] = {}
    for number in range(schedule.planned):
        block = schedule.block(number)
        assert block is not None
        jobs = plan.jobs(block)
        assert len({job.deal for job in jobs}) == 1
        deals.setdefault(block.lineup, []).append(jobs[0].deal)
        sat = Counter((seat, who) for job in jobs for seat, who in enumerate(job.seats))
        assert len(sat) == found.num_seats**2 and len(set(sat.values())) == 1
    assert len(deals) == len(list(combinations(range(4), found.num_seats)))
    assert len({tuple(found) for found in deals.values()}) == 1
    assert all(len(set(found)) == 10 for found in deals.values())


def test_p53_standings_mean_something_early() -> None:
    """5 engines, 1,000 blocks a pair: after 1 % of the run every pair has 1 % of its blocks."""
    schedule = make("round_robin", Terms(2, list("abcde"), blocks=1000))
    part = [schedule.block(number) for number in range(schedule.planned // 100)]
    met = Counter(block.lineup for block in part if block is not None)
    assert [met[pair] for pair in combinations(range(5), 2)] == [10] * 10


def test_p58_two_engines_with_the_same_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels differ, also from a name that somebody chose; nothing is merged."""
    seen: list[Plan] = []

    def play(plan: Plan, settings: object) -> int:
        seen.append(plan)
        return 0

    monkeypatch.setattr(runner, "play", play)
    engines = ["preset=random", "preset=random,Hash=8", "preset=vanilla,name=random (2)"]
    words = [word for engine in engines for word in ("--engine", engine)]
    result = CliRunner().invoke(main, ["tournament", "--game", "kuhn", *words])
    assert result.exit_code == 0, result.output
    labels = [contestant.label for contestant in seen[0].contestants]
    assert labels[0] == "random" and labels[2] == "random (2)"
    assert len(set(labels)) == 3
    assert [c.options.get("Hash") for c in seen[0].contestants] == [None, "8", None]
    again = [make_contestant("random", Limit(nodes=1), {}) for _ in range(3)]
    label_all(again)
    assert [contestant.label for contestant in again] == ["random", "random (2)", "random (3)"]


@pytest.mark.usefixtures("unplayed")
def test_p60_misspelt_settings(tmp_path: Path) -> None:
    """A flag and a key are refused, with the nearest right one, before any engine starts."""
    path = tmp_path / "cup.toml"
    touch = f"command = 'touch {tmp_path / 'started'}'\n"
    path.write_text(f"tiem = 5\n[[engine]]\n{touch}[[engine]]\n{touch}", encoding="utf-8")
    for words, near in (
        (["match", "random", "random", "--concurency", "4"], "'--concurrency'"),
        (["sprt", "random", "random", "--elo", "4"], "'--elo0'"),
        (["tournament", "--tiem", "5"], "'--timeout'"),
        (["tournament", str(path)], "line 1: no key 'tiem' here; do you mean timeout?"),
    ):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 2
        assert near in " ".join(result.output.split())
    assert not (tmp_path / "started").exists()


@pytest.mark.usefixtures("unplayed")
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("sprt random random --elo0 5 --elo1 5", "elo0 is less than elo1; 5 and 5 are not"),
        ("sprt random random --elo0 5 --elo1 0", "elo0 is less than elo1; 5 and 0 are not"),
        ("sprt random random --elo1 nan", "nan is no number"),
        ("sprt random random --alpha 0", "alpha lies between 0 and 1, not at 0"),
        ("sprt random random --alpha 0.5 --beta 0.5", "add up to less than 1, not to 1"),
        (
            "tournament --engine random --engine random --engine random --elo0 0 --elo1 5",
            "a sequential test is between two contestants, not 3",
        ),
        (
            "tournament --engine random --engine random --elo0 0 --elo1 5 --game oh_hell",
            "a sequential test is for games of two seats; oh_hell has 3",
        ),
        ("sprt random random --game oh_hell", "games of two seats"),
    ],
)
def test_p63_impossible_test_settings(words: str, reason: str) -> None:
    """Refused with the reason before anything starts."""
    game = [] if "--game" in words else ["--game", "kuhn"]
    result = CliRunner().invoke(main, [*words.split(), *game])
    assert result.exit_code == 2
    assert reason in " ".join(result.output.split())
