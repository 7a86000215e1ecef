"""Fitting weights to self-play: reproducible, and better than what it began with."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bench.fit
from bench.cli import main
from bench.fit.regress import (
    Problem,
    cross_entropy,
    fit_estimate,
    fit_prior,
    predictions,
    shares,
)
from bench.fit.sample import Sample
from bench.fit.selfplay import Player, play, play_all
from bench.games import parse_game
from engine import load
from engine.games.lofoten import weights

SEARCH = {"algorithm": "puct", "playout_plies": 0}
FOLDER = Path(bench.fit.__file__).parent


@pytest.fixture(scope="module")
def sample() -> Sample:
    return Sample(play("lofoten", Player("classic", SEARCH, 8, None), 5, range(6)), 32)


def test_the_fit_finds_weights_that_made_the_targets(sample: Sample) -> None:
    game = load("lofoten")
    names = game.weight_names
    chosen = [names.index(name) for name in ("loaded_side.start", "coin.start", "tempo.middle")]
    changed = list(game.weights)
    for number in chosen:
        changed[number] += 0.25
    rows = np.arange(len(sample))
    targets = predictions(game.with_weights(changed), sample.raw(rows))
    problem = Problem(game, chosen, 1e-9)
    found = fit_estimate(problem, sample.raw, targets, rows, (1.0, 1.0))
    assert found == pytest.approx(changed, abs=0.01)


def test_the_priors_find_weights_that_made_the_shares(sample: Sample) -> None:
    game = load("lofoten")
    names = game.weight_names
    chosen = [names.index(name) for name in ("side_load", "stop", "put_mid")]
    changed = list(game.weights)
    for number in chosen:
        changed[number] -= 0.3
    states = sample.raw(np.arange(len(sample)))
    goal = shares(game.with_weights(changed), states)
    found = fit_prior(Problem(game, chosen, 1e-9), states, goal)
    assert found == pytest.approx(changed, abs=0.02)


def test_games_repeat_and_do_not_depend_on_the_batches() -> None:
    player = Player("classic", SEARCH, 5, list(load("lofoten").weights))
    first = play("lofoten", player, 9, range(2, 3))
    again = [game for batch in play_all("lofoten", player, 9, 3, 1) for game in batch]
    one, two = first[0], again[2]
    assert one.number == two.number == 2 and one.margin == two.margin
    assert [p.state for p in one.positions] == [p.state for p in two.positions]
    assert [p.visits for p in one.positions] == [p.visits for p in two.positions]


@pytest.mark.slow
def test_the_command_writes_a_file_that_can_be_read(tmp_path) -> None:
    out = str(tmp_path / "weights.toml")
    words = ["fit", "lofoten", "--games", "10", "--rounds", "1", "--nodes", "10", "--out", out]
    words += ["--jobs", "2", "--search", "belief=off solver=off"]
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "band 5: log loss" in done.output and "round 1: 10 of 10 games" in done.output
    read = weights.read(out)
    assert read["modules"] == weights.read()["modules"]
    assert read["base"] != weights.read()["base"]


def test_a_game_without_weights_is_refused() -> None:
    done = CliRunner().invoke(main, ["fit", "kuhn", "--out", "weights.toml"])
    assert done.exit_code == 2 and "no weights" in done.output


def test_a_file_that_cannot_be_written_is_refused_before_the_fit(tmp_path) -> None:
    strange, table = tmp_path / "strange", tmp_path / "table.toml"
    strange.write_text("no weights\n")
    table.write_text("[base]\nmargin = 3\n")
    nowhere = tmp_path / "no" / "weights"
    for out, reason in ((nowhere, "No such file"), (strange, "holds"), (table, "holds")):
        done = CliRunner().invoke(main, ["fit", "lofoten", "--games", "1000000", "--out", str(out)])
        assert done.exit_code == 2 and reason in done.output
    assert strange.read_text() == "no weights\n" and not nowhere.parent.exists()


def test_the_priors_fit_from_afar_too(sample: Sample) -> None:
    game = load("lofoten")
    states = sample.raw(np.arange(len(sample)))
    first = len(game.weights) - 54
    far = game.with_weights(game.weights[:first] + [4 * w for w in game.weights[first:]])
    goal = shares(game, states)
    found = far.with_weights(
        fit_prior(Problem(far, list(range(first, first + 54)), 1e-6), states, goal, 12)
    )
    best = cross_entropy(game, states, goal)
    assert cross_entropy(found, states, goal) < best + 0.02
    assert cross_entropy(far, states, goal) > best + 0.2


def test_a_file_to_begin_with_that_holds_no_weights_is_refused(tmp_path) -> None:
    start, out = tmp_path / "start.toml", tmp_path / "out.toml"
    start.write_text("a = 1\n", encoding="utf-8")
    words = ["fit", "lofoten", "--from", str(start), "--out", str(out)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2 and "something else than weights" in done.output


def test_the_weights_to_begin_with_can_be_read() -> None:
    for text in ("lofoten", "lofoten level2=2 jarls=on upgrades=on"):
        game = parse_game(text)
        begun = game.with_weights(game.read_weights(str(FOLDER / "lofoten.toml")))
        assert begun.weights != game.weights
