"""Standings, summary, `drakkar ratings`, recount, journal and record tell the same of one run."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest
from runs import MadeUp, Played, head_of, make_plan

from bench.luck.evaluator import load
from bench.plan import Plan
from bench.records import Record, Writer, to_line
from bench.records.recount import Recount
from bench.referee.block import Job
from bench.referee.game_result import Decision, GameResult, verdict_returns
from bench.referee.policy import SUBSTITUTE, Policy
from bench.referee.verdicts import Fault, Termination
from bench.report.html import ratings_html
from bench.report.journals import pool
from bench.report.ratings import report
from bench.report.summary import PoolSummary, summary_of
from bench.statistics.sprt import SprtTest
from bench.tournament.journal import Journal
from bench.tournament.manager import run
from bench.tournament.sequential import SequentialTest

FAULTS = (Termination.TIME, Termination.ILLEGAL, Termination.DISCONNECT, Termination.STALL)
FIVE = ["random", "greedy", "vanilla", "drakkar", "random"]
RUNS: dict[str, dict[str, Any]] = {
    "match": {"engines": FIVE[:2], "blocks": 12},
    "round_robin": {"engines": FIVE[:4], "blocks": 4},
    "gauntlet": {"engines": FIVE[:4], "blocks": 4},
    "swiss": {"engines": FIVE, "blocks": 2},
    "knockout": {"engines": FIVE, "blocks": 2},
    "tables": {"engines": FIVE, "blocks": None, "rounds": 3, "game": "oh_hell"},
    "match of 4": {"engines": FIVE[:4], "blocks": 6, "game": "oh_hell seats=4"},
    "test": {"engines": FIVE[:2], "blocks": 400},
}


def eventful(job: Job, attempt: int) -> GameResult:
    """Return a game that follows from deal and seats: ties, verdicts, lots, strikes; or none."""
    draw, seats = random.Random(f"{job.deal} {job.seats}"), range(len(job.seats))
    if draw.random() < 0.1 and attempt == 1:
        text = "made up"
        return GameResult(job, Termination.INTERNAL, Fault(0, 1, Termination.INTERNAL, text))
    scores = [float(draw.randrange(3)) for _ in seats]
    # The second contestant is the better one.
    scores = [s + (c == 1 and draw.random() < 0.5) for s, c in zip(scores, job.seats, strict=True)]
    others = len(seats) - 1
    returns = [
        (sum(own > o for o in scores) + 0.5 * (scores.count(own) - 1)) / others for own in scores
    ]
    termination, fault, replaced = Termination.RULES, None, []
    if draw.random() < 0.2:
        termination, seat = draw.choice(FAULTS), draw.choice(seats)
        fault, returns = Fault(seat, 2, termination, "made up"), verdict_returns(len(seats), seat)
    if draw.random() < 0.2:
        replaced = [Fault(draw.choice(seats), 1, Termination.ILLEGAL, "made up", answer="x")]
    return GameResult(
        job,
        termination,
        fault,
        replaced,
        events="p1:bet p2:pass",
        returns=returns,
        scores=scores,
        margins=[own - max(scores[:s] + scores[s + 1 :]) for s, own in enumerate(scores)],
        plies=2,
        tallies={"turns": 2},
        decisions=[Decision(1.5, 0.5, 10, 5, 1)] * 2,
        strikes=[draw.randrange(2) for _ in seats],
        names=["engine"] * len(seats),
        luck=[round(draw.gauss(0.0, 1.0), 6) for _ in seats],
        worker="nobody",
    )


def plan_of(name: str) -> Plan:
    """Return the plan of one of RUNS; luck is measured in all."""
    more = dict(RUNS[name])
    form = "match" if name == "test" else name.split()[0]
    plan = make_plan(*more.pop("engines"), form=form, policy=Policy(illegal=SUBSTITUTE), **more)
    plan.evaluator = load(plan.game)
    if name == "test":
        plan.test = SequentialTest(SprtTest(0.0, 80.0), 4)
    return plan


async def part(plan: Plan, path: Path, until: int, capacity: int) -> tuple[Played, PoolSummary]:
    """Play up to the end, or until so many games have ended; a journal that is there goes on."""
    played, summary = Played(plan), PoolSummary(plan)
    writer = Writer(played.file, head_of(plan), plan.make_schedule)
    played.match = summary_of(plan)  # type: ignore[attr-defined]
    opener = Journal.resume if path.exists() else Journal.create

    def emit(event: dict[str, Any]) -> None:
        played.events.append(event)
        if event["event"] == "game" and len(played.of("game")) == until:
            task.cancel()

    takers = [played, summary, played.match, writer]  # type: ignore[attr-defined]
    # Every third block is slow, so that others are done before their turn.
    executor = MadeUp(capacity, eventful, lambda job: 9 if job.block.number % 3 == 0 else 1)
    task = asyncio.ensure_future(
        run(plan, executor, journal=opener(path, head_of(plan)), takers=takers, emit=emit)
    )
    played.outcome = await task
    writer.close(plan.seed if played.outcome.is_complete else None)
    return played, summary


def found_in(path: Path) -> dict[str, Any]:
    """Return what `drakkar ratings` says of a file."""
    pooled = pool([path])
    return report(pooled.tally, pooled.about, pooled.terms)


def without(told: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return a report without what only one side can know."""
    rows = [{k: v for k, v in row.items() if k not in names} for row in told["contestants"]]
    kept = {k: v for k, v in told.items() if k not in ("journals", "formats", *names)}
    return {**kept, "contestants": rows}


def agree(played: Played, summary: PoolSummary, journal: Path, folder: Path) -> None:
    """Compare everything that tells of a run that has ended, whole or not."""
    plan, outcome = played.plan, played.outcome
    ended = summary.to_json(outcome)
    found = found_in(journal)
    shared = without(found)
    assert {name: without(ended)[name] for name in shared} == shared
    record = folder / "record"
    record.write_text(played.record, encoding="utf-8")
    # A record keeps no times and no overruns.
    untimed = ("strikes", "latency_ms", "latency_p99_ms", "time_ms", "time_p99_ms", "nodes")
    untimed += ("lag_p99_ms", "lag_max_ms")
    assert without(found_in(record), *untimed) == without(found, *untimed)
    for path in (journal, record):
        read = Record(path)
        assert read.counted_games == outcome.counted_games == len(played.results)
        counts = {row.label: row for row in Recount(read, read.counted()).engines}
        for row in played.standings["rows"]:
            for key in ("games", "wins", "draws", "losses", "points", "terminations", "replaced"):
                assert getattr(counts[row["label"]], key) == row[key], key
    told = {row["label"]: row for row in found["contestants"]}
    page = ratings_html(found)
    for row in played.standings["rows"]:
        other = told[row["label"]]
        for key in ("games", "blocks", "wins", "draws", "losses", "points", "terminations"):
            assert other[key] == row[key], key
        assert (other["replaced"], other["strikes"]) == (row["replaced"], row["strikes"])
        for key in ("score", "score_error", "margin", "margin_error"):
            assert other[key] == pytest.approx(row[key], abs=1e-6), key
        for seat, mine in zip(other["by_seat"], row["seats"], strict=True):
            assert (seat["games"], seat["score"]) == (
                mine["games"],
                pytest.approx(mine["score"], abs=1e-6),
            )
        if plan.game.num_seats == 2 and other["status"] == "rated":
            assert other["rating"] == pytest.approx(row["rating"], abs=1e-5)
            assert other["error"] == pytest.approx(row["error"], abs=1e-5)
        assert f"{row['points']:,.1f}" in page
    for row in played.standings["adjusted"]["rows"]:
        other = told[row["label"]]["adjusted"] or {"score": None}
        assert other["score"] == pytest.approx(row["adjusted_score"], abs=1e-6)
    if played.standings["sprt"] is not None:
        assert found["test"].items() >= played.standings["sprt"].items()
    if len(plan.contestants) == 2:
        first = played.match.to_json(outcome)  # type: ignore[attr-defined]
        mine = told[plan.contestants[0].label]
        for key in ("games", "wins", "draws", "losses", "points"):
            assert first[key] == mine[key], key
        assert first["score"] == pytest.approx(mine["score"], abs=1e-12)
        assert first["adjusted"]["score"] == pytest.approx(mine["adjusted"]["score"], abs=1e-12)
        assert first["sprt"] == played.standings["sprt"]


@pytest.mark.parametrize("name", RUNS)
def test_p55_all_sources_tell_the_same(name: str, tmp_path: Path) -> None:
    """Of a run at once, of one that was broken off, and of the same one when it has gone on."""
    plan = plan_of(name)
    whole, other = tmp_path / "whole", tmp_path / "parts"
    played, summary = asyncio.run(part(plan, whole, -1, 5))
    assert played.outcome.is_complete
    agree(played, summary, whole, tmp_path)
    broken, summary = asyncio.run(part(plan, other, played.outcome.counted_games // 2, 3))
    assert not broken.outcome.is_complete
    if broken.results:
        agree(broken, summary, other, tmp_path)
    resumed, summary = asyncio.run(part(plan, other, -1, 2))
    agree(resumed, summary, other, tmp_path)
    assert (resumed.record, resumed.standings) == (played.record, played.standings)


def test_nothing_counts_behind_the_decision_of_a_killed_run(tmp_path: Path) -> None:
    """Without its last line a journal still holds blocks that came too late for the test."""
    plan, path = plan_of("test"), tmp_path / "journal"
    played, _ = asyncio.run(part(plan, path, -1, 8))
    assert played.outcome.reason == "decided"
    assert played.outcome.games > played.outcome.counted_games
    whole = found_in(path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert "end" in json.loads(lines[-1])
    path.write_text("".join(lines[:-1]), encoding="utf-8")
    assert Record(path).counted_games == played.outcome.counted_games
    assert without(found_in(path)) == without(whole)
    resumed = [*lines, to_line({"resumed": {"games": len(lines) - 2, "drakkar": "0.1.0"}})]
    path.write_text("".join(resumed), encoding="utf-8")
    assert without(found_in(path)) == without(whole)
