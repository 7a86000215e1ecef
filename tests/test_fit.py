"""Fitting weights to self-play: reproducible, and better than what it began with."""

from pathlib import Path
from typing import Any

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
from bench.fit.winning import AHEAD, BY_PRIORS, Arena, climb, fit_winning, weights_of
from bench.games import parse_game
from engine import load
from engine.batch import policy_games
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


# ---- priors fitted to winning ----


def test_climbing_finds_the_top_of_a_hill() -> None:
    """A gain that is known but for noise: the distance from a top, of each of 20 numbers."""
    top = np.linspace(-0.5, 0.5, 20)
    noise = np.random.Generator(np.random.PCG64(8))

    def gain(one: np.ndarray, two: np.ndarray, _step: int) -> float:
        height = ((two - top) ** 2).sum() - ((one - top) ** 2).sum()
        return float(height + 0.1 * noise.standard_normal())

    for few in (1, 2, 3):
        lots = np.random.Generator(np.random.PCG64(9))
        assert np.isfinite(climb(np.zeros(20), gain, few, lots, 0.3, 0.04)).all()
    lots = np.random.Generator(np.random.PCG64(9))
    found = climb(np.zeros(20), gain, 2000, lots, 0.3, 0.04)
    assert np.abs(found - top).max() < 0.1


def test_weights_are_fitted_to_winning() -> None:
    """From priors that like to stop, which lose: they get better and win against these."""
    game = load("lofoten")
    bad = _timid(game)
    assert policy_games(bad, game, 1, 0, 200, 4)[0] < 0.4 * 400
    few = BY_PRIORS._replace(games=200)
    fitted, found = fit_winning(Arena(bad, few, 3, 2), 40, lambda line: None)
    assert found["priors alone, against the weights before: points"] > 0.55
    changed = [a != b for a, b in zip(fitted.weights, bad.weights, strict=True)]
    first = game.weight_names.index("side")
    assert any(changed[first:]) and not any(changed[:first])
    again, _ = fit_winning(Arena(bad, few, 3, 1), 40, lambda line: None)
    assert again.weights == fitted.weights


def test_estimates_are_fitted_to_winning_too() -> None:
    """From an estimate that sees ships with a cargo as a loss."""
    game = load("lofoten")
    worse = list(game.weights)
    for moment in weights.MOMENTS:
        worse[game.weight_names.index(f"loaded_side.{moment}")] *= -1
    bad = game.with_weights(worse)
    assert policy_games(bad, game, 1, 0, 100, *AHEAD.policy)[0] < 0.4 * 200
    few = AHEAD._replace(games=60)
    fitted, found = fit_winning(Arena(bad, few, 3, 2), 40, lambda line: None)
    assert found["short looks ahead, against the weights before: points"] > 0.55
    chosen, by_priors = weights_of(game, AHEAD), weights_of(game, BY_PRIORS)
    assert {*by_priors} < {*chosen}
    same = [a == b for a, b in zip(fitted.weights, worse, strict=True)]
    assert not any(same[number] for number in chosen)
    assert all(same[number] for number in range(len(same)) if number not in chosen)


def test_games_by_policies() -> None:
    game = load("lofoten")
    # The same on both sides: what one wins in a seating the other wins in the next.
    for policy in ((1,), (4,), (4, 100.0), (4, 100.0, 2, 3), (4, 100.0, 2, 3, 2)):
        assert policy_games(game, game, 1, 0, 20, *policy) == (20.0, 0.0)
        whole = policy_games(game, _timid(game), 7, 0, 20, *policy)
        parts = [policy_games(game, _timid(game), 7, first, 10, *policy) for first in (0, 10)]
        assert whole == tuple(np.sum(parts, axis=0))
    assert policy_games(game, _timid(game), 7, 0, 40)[0] > 0.6 * 80
    # Who looks ahead sees through priors that like to stop: the estimate tells that it is bad.
    blind, seeing = (
        policy_games(game, _timid(game), 7, 0, 200, 1, sharpness)[0] for sharpness in (0.0, 500.0)
    )
    assert seeing < blind


def test_games_by_policies_refuse_what_they_cannot_play() -> None:
    game, other = load("lofoten"), load("lofoten", jarls="on")
    with pytest.raises(ValueError, match="please"):
        policy_games(game, other, 1, 0, 5)
    bad = [(0,), (17,), (1, -1.0), (1, 501.0), (1, float("nan")), (1, 1.0, 0), (1, 1.0, 1, -1)]
    for policy in [*bad, (1, 1.0, 1, 0, 0), (1, 1.0, 1, 0, 101)]:
        with pytest.raises(ValueError, match="use"):
            policy_games(game, game, 1, 0, 5, *policy)
    with pytest.raises(ValueError, match="number=0"):
        policy_games(game, game, 1, 0, 0)


def _timid(game: Any) -> Any:
    weights = list(game.weights)
    weights[game.weight_names.index("stop")] += 3.0
    return game.with_weights(weights)


def test_the_command_fits_to_winning(tmp_path, monkeypatch) -> None:
    for name in ("BY_PRIORS", "AHEAD"):
        style = getattr(bench.fit.winning, name)._replace(games=20)
        monkeypatch.setattr(bench.fit.winning, name, style)
    out = tmp_path / "weights.toml"
    words = ["fit", "lofoten", "--rounds", "0", "--winning", "5", "--ahead", "2", "--out", str(out)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    text = out.read_text()
    assert "--rounds 0" in text and "--winning 5 --ahead 2" in text
    for style in (BY_PRIORS, AHEAD):
        assert f"{style.name}, against the weights before: points" in text
    for name in ("--winning", "--ahead"):
        refused = CliRunner().invoke(main, ["fit", "oh_hell", name, "5", "--out", str(out)])
        assert refused.exit_code == 2
    nothing = CliRunner().invoke(main, ["fit", "lofoten", "--rounds", "0", "--out", str(out)])
    assert nothing.exit_code == 2 and "nothing is fitted" in nothing.output
