"""The ladder: a fixed scale, and where an engine stands on it."""

import json
import math
import random
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from journals import Sampler, sample_plan

from bench.cli import main
from bench.games import parse_game
from bench.ladder.placement import Placement
from bench.ladder.scale import FOLDER, NoScale, Rung, Scale, load_scale, scale_text
from bench.ladder.summary import MeasuredSummary, PlacedSummary
from bench.statistics.elo import Strength, score_from_elo

RUNGS = [
    Rung("random", 1, 0.0, 0.0, 0.0),
    Rung("greedy", 1, 200.0, 180.0, 220.0),
    Rung("vanilla", 10, 350.0, 320.0, 380.0),
    Rung("vanilla", 300, 600.0, 560.0, 640.0),
]
ENDING = SimpleNamespace(
    reason="finished", games=8, counted_games=8, seconds=1.0, failure=None, warnings=0, decision=""
)


def drakkar(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(main, ["ladder", *arguments])


@pytest.fixture
def scale_file(tmp_path: Path) -> Path:
    """A scale of Kuhn poker with two rungs that play fast."""
    path = tmp_path / "kuhn.toml"
    rungs = [Rung("random", 1, 0.0), Rung("vanilla", 10, 90.0, 70.0, 110.0)]
    path.write_text(scale_text(parse_game("kuhn").identity, rungs, {"command": "by hand"}))
    return path


def test_the_placement_has_the_points_that_it_expects() -> None:
    """The most likely rating, and an interval that holds the truth nineteen times in twenty."""
    draw = random.Random(3)
    held = 0
    for _ in range(300):
        truth = draw.uniform(100, 500)
        results = []
        for rung in RUNGS:
            share = score_from_elo(truth - rung.rating)
            won = sum(draw.random() < share for _ in range(40))
            results.append((rung.rating, {Fraction(1): won, Fraction(0): 40 - won}))
        placed = Placement(results)
        assert placed.rating is not None and placed.low is not None and placed.high is not None
        points = sum(counts[Fraction(1)] for _, counts in results)
        expected = sum(40 * score_from_elo(placed.rating - elo) for elo, _ in results)
        assert expected == pytest.approx(points, abs=1e-6)
        held += placed.low <= truth <= placed.high
    assert 0.91 <= held / 300 <= 0.98


def test_all_won_and_all_lost_are_bounds() -> None:
    """Nobody is infinitely strong; without a block nothing is known."""
    won = Placement([(0.0, {Fraction(1): 20}), (600.0, {Fraction(1): 20})])
    assert (won.rating, won.high, won.score) == (None, None, 1.0)
    assert won.low is not None and 600 < won.low < 1500
    assert str(won).startswith("at least ")
    lost = Placement([(0.0, {Fraction(0): 20})])
    assert str(lost) == "at most -277"
    # Of blocks against two, the chance to lose all is the product.
    both = Placement([(0.0, {Fraction(0): 10}), (200.0, {Fraction(0): 10})])
    assert both.high is not None and both.high < Placement([(0.0, {Fraction(0): 10})]).high
    chance = (1 - score_from_elo(both.high)) * (1 - score_from_elo(both.high - 200))
    assert chance**10 == pytest.approx(0.025)
    assert (str(Placement([])), Placement([]).blocks) == ("no rating", 0)
    alone = Placement([(0.0, {Fraction(1, 2): 1})])
    assert alone.rating == pytest.approx(0.0, abs=1e-6) and alone.low is None


def test_blocks_that_are_all_alike_have_the_interval_of_a_match() -> None:
    """Their spread is unknown; a match of two says the same of them."""
    placed = Placement([(100.0, {Fraction(1, 2): 20})])
    match = Strength([0, 0, 20, 0, 0])
    assert placed.low is not None and placed.high is not None
    assert match.elo_low is not None and match.elo_high is not None
    assert (placed.low, placed.high) == (
        pytest.approx(100.0 + match.elo_low, abs=1e-6),
        pytest.approx(100.0 + match.elo_high, abs=1e-6),
    )
    assert str(Placement([(0.0, {Fraction(1, 2): 20})])) == "0 ± 59"


def test_hints_say_where_it_stands() -> None:
    """Beside a rung, between two, above and below all."""
    scale = Scale("x/1", RUNGS, {})
    assert scale.near(590.0) == "about as strong as vanilla at 300 nodes"
    assert scale.near(470.0) == "between vanilla at 10 nodes and vanilla at 300 nodes"
    assert scale.near(550.0) == "between vanilla at 10 nodes and vanilla at 300 nodes"
    assert scale.near(900.0) == "stronger than vanilla at 300 nodes, the highest rung"
    assert scale.near(-300.0) == "weaker than random, the lowest rung"


def test_a_scale_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Sorted by rating; another game or broken text is refused by name."""
    game, path = parse_game("kuhn"), tmp_path / "scale.toml"
    path.write_text(scale_text(game.identity, RUNGS[::-1], {"games": 5}), encoding="utf-8")
    scale = load_scale(game, path)
    assert [rung.label for rung in scale.rungs] == ["random", "greedy", "vanilla 10", "vanilla 300"]
    assert (scale.rungs[1].rating, scale.rungs[1].low, scale.about["games"]) == (200.0, 180.0, 5)
    with pytest.raises(NoScale, match="measured with kuhn/1, not with lofoten/1"):
        load_scale(parse_game("lofoten"), path)
    path.write_text("rung = 3", encoding="utf-8")
    with pytest.raises(NoScale, match=r"scale\.toml: no scale"):
        load_scale(game, path)
    with pytest.raises(NoScale, match="no scale for kuhn; .*--measure"):
        load_scale(game)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_a_shipped_scale_is_sound(path: Path) -> None:
    """Of the default settings, from random at 0 upwards, each rung well above the one below."""
    scale = load_scale(parse_game(path.stem))
    ratings = [rung.rating for rung in scale.rungs]
    assert (scale.rungs[0].label, ratings[0]) == ("random", 0.0)
    assert len(ratings) >= 5 and {"command", "games", "seed"} <= scale.about.keys()
    assert all(low < high for low, high in zip(ratings, ratings[1:], strict=False))
    assert all(math.isfinite(rating) for rating in ratings)


def test_the_place_of_an_engine() -> None:
    """Found from its blocks against the fixed ratings, and shown among them."""
    labels = ["mine", *(rung.label for rung in RUNGS)]
    plan = sample_plan(labels, "gauntlet", 60)
    summary = PlacedSummary(plan, Scale("kuhn/1", RUNGS, {}))
    assert "no block is finished" in summary.table(ENDING)
    Sampler(plan, [420.0, *(rung.rating for rung in RUNGS)], {0: 0.02}).play([summary.take])
    found = summary.to_json(ENDING)
    assert found["low"] < found["rating"] < found["high"]
    assert 250 < found["rating"] < 450  # luck of the deals makes all differences smaller
    lines = summary.table(ENDING).splitlines()
    order = [line.strip("> ").split("  ")[0] for line in lines[3:8]]
    above = [rung.label for rung in RUNGS[::-1] if rung.rating > found["rating"]]
    assert order[: len(above) + 1] == [*above, "mine"]
    assert set(order) == {"mine", *(rung.label for rung in RUNGS)}
    assert any(line.startswith("mine: ") and found["hint"] in line for line in lines)
    assert "time" in " ".join(lines)
    json.dumps(found, allow_nan=False)


def test_hints_of_bounds() -> None:
    """What lost all is weaker than something; what won all is stronger."""
    plan = sample_plan(["mine", *(rung.label for rung in RUNGS)], "gauntlet", 5)
    for strength, words in ((5000.0, "stronger than vanilla at 300"), (-5000.0, "weaker than ran")):
        summary = PlacedSummary(plan, Scale("kuhn/1", RUNGS, {}))
        Sampler(plan, [strength, *(rung.rating for rung in RUNGS)]).play([summary.take])
        assert summary.to_json(ENDING)["hint"].startswith(words)
        assert summary.to_json(ENDING)["rating"] is None


def test_a_measured_scale_has_random_at_0() -> None:
    """From a round robin, with where it comes from."""
    plan = sample_plan([rung.label for rung in RUNGS], "round_robin", 40)
    summary = MeasuredSummary(plan, RUNGS, "drakkar ladder --measure")
    Sampler(plan, [rung.rating for rung in RUNGS]).play([summary.take])
    rungs, about = summary.scale()
    assert rungs[0].rating == pytest.approx(0.0, abs=1e-9)
    ratings = [rung.rating for rung in rungs]
    assert ratings == sorted(ratings) and ratings[-1] > 350
    assert (about["games"], about["seed"]) == (480, 1)
    assert 'preset = "vanilla"\nnodes = 300\nrating = ' in summary.toml()
    assert "expected against the next" in summary.table(ENDING)


def test_the_command_plays_a_gauntlet(scale_file: Path) -> None:
    """Of real processes, and prints the rating and a hint."""
    words = ["--game", "kuhn", "--scale", str(scale_file)]
    shown = drakkar(*words)
    assert shown.exit_code == 0 and "logistic Elo above random" in shown.stdout
    result = drakkar(
        "vanilla",
        *words,
        "--nodes",
        "10",
        "--blocks",
        "3",
        "--quiet",
        "--json",
        "--concurrency",
        "1",
    )
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["engine"] == "vanilla" and found["pool"]["games"] == 12
    assert {row["label"] for row in found["scale"]["rungs"]} == {"random", "vanilla 10"}
    assert found["hint"]


def test_the_command_measures(tmp_path: Path, scale_file: Path) -> None:
    """The same rungs again, into a file that can be used as a scale."""
    out = tmp_path / "new.toml"
    words = [
        "--game",
        "kuhn",
        "--scale",
        str(scale_file),
        "--measure",
        "--quiet",
        "--concurrency",
        "1",
    ]
    result = drakkar(*words, "--blocks", "4", "--output", str(out))
    assert result.exit_code == 0, result.output
    scale = load_scale(parse_game("kuhn"), out)
    assert len(scale.rungs) == 2 and scale.about["games"] == 8
    assert scale.about["command"] == ("drakkar ladder --measure --game kuhn/1 --blocks 4 --seed 1")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--game", "kuhn"], "no scale for kuhn"),
        (["nobody"], "no preset and no command 'nobody'"),
        (["random", "--measure"], "without an engine"),
        (["random", "--output", "x"], "--output is for"),
        (["random", "--scale", "/nowhere/x"], "no scale"),
        (["random", "--bloks", "3"], "--blocks"),
        (["random", "--engine-options", "Threads"], "name=value"),
        (["--measure", "--game", "kuhn", "--output", "/nowhere/x"], "/nowhere/x"),
    ],
)
def test_bad_arguments(
    words: list[str], message: str, scale_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 2 and one line that says what is wrong."""
    given = [] if "--game" in words else ["--game", "kuhn"]
    if "--scale" not in words and "random" in words or "nobody" in words:
        given += ["--scale", str(scale_file)]
    result = drakkar(*words, *given)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.output.split())
