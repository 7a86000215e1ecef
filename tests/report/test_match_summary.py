"""What a match says at its end: every number is that of a recount of its games."""

import json
import math
import statistics
from types import SimpleNamespace

import pytest
from journals import Sampler, sample_plan

from bench.referee.verdicts import Fault, Termination
from bench.report.match import MatchSummary
from bench.report.summary import PoolSummary, summary_of
from bench.statistics.basics import NORMAL_95
from bench.statistics.running import Moments, Scale, Series
from bench.statistics.sprt import SprtTest
from bench.tournament.formats import available
from bench.tournament.sequential import SequentialTest

OLD_KEYS = """engines games wins draws losses points elo elo_error mean_margin mean_plies seconds
game seed limits options score score_error margin_error pairs pair_scores first_seat
first_seat_error first_seat_margin margin_deviation tallies forfeits replaced failure
interrupted""".split()


def ending(**fields: object) -> SimpleNamespace:
    """Return the end of a run that finished."""
    known = {"reason": "finished", "games": 0, "counted_games": 0, "seconds": 2.5}
    return SimpleNamespace(**known | {"failure": None, "warnings": 0, "decision": ""} | fields)


def summed(blocks: int = 40, **options: object):
    """Return the summary of a sampled match and its results."""
    plan = sample_plan(["strong", "weak"], "match", blocks)
    plan.evaluator = SimpleNamespace(score_coefficient=0.02, hash="0") if options else None
    sampler = Sampler(plan, [60, -60], {1: 0.1}, **options)
    summary, results = MatchSummary(plan), []
    sampler.play([summary.take, lambda block, games: results.append(games)])
    return summary, results


def test_the_numbers_are_those_of_a_recount() -> None:
    """Counted from the list of all games, by the textbook."""
    summary, blocks = summed()
    found = summary.to_json(ending())
    games = [game for block in blocks for game in block]
    points = [game.points(0) for game in games]
    scores = [sum(game.points(0) for game in block) / 2 for block in blocks]
    by_rules = [game for game in games if game.termination == "rules"]
    whole = [block for block in blocks if all(game in by_rules for game in block)]
    assert found["games"] == len(games) == 80
    assert (found["wins"], found["losses"]) == (points.count(1.0), points.count(0.0))
    assert found["points"] == sum(points)
    assert found["pairs"] == 40
    assert found["pair_scores"] == [scores.count(quarter / 4) for quarter in range(5)]
    assert found["score"] == pytest.approx(statistics.fmean(scores))
    error = NORMAL_95 * statistics.stdev(scores) / math.sqrt(40)
    assert found["score_error"] == pytest.approx(error)
    assert found["elo"] == pytest.approx(-400 * math.log10(1 / found["score"] - 1))
    margins = [sum(game.margin(0) for game in block) / 2 for block in whole]
    assert found["mean_margin"] == pytest.approx(
        statistics.fmean(game.margin(0) for game in by_rules)
    )
    assert found["margin_error"] == pytest.approx(
        NORMAL_95 * statistics.stdev(margins) / math.sqrt(len(margins))
    )
    firsts = [game.margins[0] for game in by_rules]
    assert found["margin_deviation"] == pytest.approx(statistics.stdev(firsts))
    assert found["mean_plies"] == pytest.approx(statistics.fmean(game.plies for game in by_rules))
    lost = [game for game in games if game.fault]
    assert found["forfeits"] == [0, len(lost)] and lost
    assert found["terminations"] == [{}, {"time": len(lost)}]
    json.dumps(found, allow_nan=False)


def test_all_keys_of_before_are_there() -> None:
    """Figures and scripts read them."""
    found = summed(2)[0].to_json(ending())
    assert set(OLD_KEYS) <= found.keys()
    assert {"elo_interval", "nelo", "los", "lag_p99_ms", "strikes", "adjusted"} <= found.keys()


def test_luck_is_taken_off_beside_the_raw_numbers() -> None:
    """By the coefficient of the frozen evaluator; less is left of the variance."""
    summary, blocks = summed(200, has_luck=True)
    found = summary.to_json(ending())["adjusted"]
    adjusted = [
        statistics.fmean(game.points(0) - 0.02 * game.luck[game.seat_of(0)] for game in block)
        for block in blocks
    ]
    assert found["pairs"] == 200
    assert found["score"] == pytest.approx(statistics.fmean(adjusted))
    assert found["margin_variance_kept"] < 0.95
    assert "margin less luck" in summary.table(ending())
    assert summed(3)[0].to_json(ending())["adjusted"] is None


def test_reset_forgets_everything() -> None:
    """A purge counts anew from the start."""
    summary, blocks = summed(10)
    before = summary.to_json(ending())
    summary.reset()
    assert summary.to_json(ending())["games"] == 0
    for games in blocks:
        summary.take(games[0].job.block, games)
    assert summary.to_json(ending()) == before


def test_without_a_block_nothing_is_divided() -> None:
    """P65: no games, unfinished ones, one block."""
    plan = sample_plan(["a", "b"], "match", 4)
    summary = MatchSummary(plan)
    assert "3, not counted" in summary.table(ending(games=3, reason="interrupted"))
    assert "interrupted after 0 of 8 games" in summary.table(ending(reason="interrupted"))
    found = summary.to_json(ending(games=3))
    assert (found["score"], found["elo"], found["unfinished"]) == (None, None, 3)
    sampler = Sampler(plan, [0, 0])
    block = plan.make_schedule().block(0)
    summary.take(block, sampler.results(block))
    json.dumps(summary.to_json(ending()), allow_nan=False)
    assert summary.table(ending())


def test_all_won_has_a_bound() -> None:
    """P62: no infinite Elo, and no interval of nothing."""
    plan = sample_plan(["a", "b"], "match", 20)
    summary = MatchSummary(plan)
    Sampler(plan, [4000, -4000]).play([summary.take])
    found = summary.to_json(ending())
    assert (found["points"], found["elo"], found["elo_interval"][1]) == (40.0, None, None)
    assert found["elo_interval"][0] == pytest.approx(277.4, abs=0.1)
    assert "beyond measure, at least +277" in summary.table(ending())
    assert "100.0 %, at least 83.2 %" in summary.table(ending())


def test_a_failure_names_the_engine() -> None:
    """With the side's letter, its kind and its text."""
    summary, _ = summed(2)
    fault = Fault(1, 5, Termination.DISCONNECT, "it ended", exit_code=-11, stderr="bye")
    failure = {"contestant": 1, "label": "weak", "fault": fault.to_json(), "number": 4, "deal": 77}
    found = summary.to_json(ending(failure=failure))["failure"]
    assert (found["side"], found["kind"], found["game"]) == ("B", "disconnect", 4)
    assert (found["engine"], found["stderr"]) == ("weak", "bye")


def test_which_summary() -> None:
    """Two at a table of two are a match, all others a pool."""
    assert isinstance(summary_of(sample_plan(["a", "b"], "match")), MatchSummary)
    plan = sample_plan(["a", "b", "c"], "round_robin", 4)
    summary = summary_of(plan)
    assert isinstance(summary, PoolSummary)
    assert "no block" in summary.table(ending())
    Sampler(plan, [100, 0, -100]).play([summary.take])
    table = summary.table(ending(games=24, counted_games=24))
    assert "score against" in table and "finished" in table
    found = summary.to_json(ending())
    assert found["games"] == 24 and found["run_seed"] == 1
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize("form", available())
def test_notes_of_every_format_end_the_table(form: str) -> None:
    """Such as the winner of a knockout; the summary counts for itself."""
    labels = ["a", "b", "c", "d"][: 2 if form == "match" else 4]
    game = "oh_hell seats=3" if form == "tables" else "kuhn"
    plan = sample_plan(labels, form, None, game, seed=4)
    summary, schedule = PoolSummary(plan), plan.make_schedule()
    Sampler(plan, [300, 100, -100, -300]).play([summary.take, schedule.take])
    notes = schedule.standing_notes()
    assert summary.to_json(ending())["notes"] == notes
    assert all(note in summary.table(ending()) for note in notes)
    assert notes or form not in ("knockout", "swiss")


def test_a_sequential_test_is_told() -> None:
    """LLR, bounds, unit and decision, in the table and in JSON."""
    test = SequentialTest(SprtTest(0, 200), 1)
    plan = sample_plan(["new", "old"], "match", 30, test=test)
    summary, run = MatchSummary(plan), test.start()
    Sampler(plan, [300, -300]).play([summary.take, run.take])
    assert summary.to_json(ending())["sprt"] == run.to_json()
    table = " ".join(summary.table(ending()).split())
    assert "test 0 against 200 logistic Elo: H1 accepted, LLR" in table
    assert "of -2.944 to 2.944" in table


def test_running_numbers() -> None:
    """Moments, quantiles to 5 %, and a series that stays short."""
    values = [float(v * v % 101) for v in range(1, 400)]
    moments, scale, series = Moments(), Scale(), Series(50)
    for place, value in enumerate(values, 1):
        moments.add(value)
        scale.add(value)
        series.add(place, value)
    assert moments.mean == pytest.approx(statistics.fmean(values))
    assert moments.deviation == pytest.approx(statistics.stdev(values))
    at_once, scale_at_once = Moments(), Scale()
    for start in range(0, 399, 50):
        at_once.extend(values[start : start + 50])
        scale_at_once.extend(values[start : start + 50])
    at_once.extend([])
    assert at_once.count == 399 and at_once.mean == pytest.approx(moments.mean)
    assert at_once.deviation == pytest.approx(moments.deviation)
    assert scale_at_once.quantile(0.9) == scale.quantile(0.9)
    for share in (0.1, 0.5, 0.99):
        exact = sorted(values)[math.ceil(share * len(values)) - 1]
        assert exact <= scale.quantile(share) + 1e-9 <= exact * 1.05 + 1e-6
    assert len(series.points) <= 51 and series.points[-1] == (399, values[-1])
    assert (Moments().mean, Moments().error, Scale().quantile(0.5)) == (None, None, None)
