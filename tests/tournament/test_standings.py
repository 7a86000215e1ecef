"""Standings: the numbers of whole blocks, for any number of seats, in constant memory."""

import math
import sys

import pytest
from runs import MadeUp, lost, made_up, make_plan, play

from bench.referee.block import Block
from bench.referee.game_result import Decision, GameResult
from bench.referee.verdicts import Fault, Termination
from bench.tournament.standings import Standings


def block_of(plan, number: int, lineup: tuple[int, ...], games: list[list[float]]):
    """Return a block and its results, with these returns of each game by seat."""
    block = Block(number, lineup, number)
    results = []
    for job, returns in zip(plan.jobs(block), games, strict=True):
        result = GameResult(job, Termination.RULES, returns=returns, plies=10)
        result.scores = [10 * value for value in returns]
        best = [max(v for i, v in enumerate(returns) if i != seat) for seat in range(len(returns))]
        result.margins = [10 * (own - other) for own, other in zip(returns, best, strict=True)]
        results.append(result)
    return block, results


def rows_of(standings: Standings) -> list[dict]:
    """Return the rows by contestant."""
    return sorted(standings.rows(), key=lambda row: row["contestant"])


def test_numbers_of_a_match() -> None:
    """Worked out by hand: a pair that is won, one that is shared, one with a draw."""
    plan = make_plan("random", "greedy")
    standings = Standings(plan)
    for number, games in enumerate(([[1, 0], [0, 1]], [[1, 0], [1, 0]], [[0.5, 0.5], [0, 1]])):
        standings.take(*block_of(plan, number, (0, 1), games))
    first, second = rows_of(standings)
    assert (first["games"], first["blocks"], first["points"]) == (6, 3, 4.5)
    assert (first["wins"], first["draws"], first["losses"]) == (4, 1, 1)
    assert (second["wins"], second["draws"], second["losses"]) == (1, 1, 4)
    assert first["score"] == pytest.approx(0.75)
    # Block scores 1, 1/2, 3/4: standard deviation 1/4.
    assert first["score_error"] == pytest.approx(1.959964 * 0.25 / math.sqrt(3), abs=1e-6)
    assert first["margin"] == pytest.approx((10 + 0 + 5) / 3, abs=1e-6)
    assert first["seats"] == [{"games": 3, "score": 0.833333}, {"games": 3, "score": 0.666667}]
    assert [seat["score"] for seat in standings.seat_rows()] == [
        pytest.approx(3.5 / 6, abs=1e-6),
        pytest.approx(2.5 / 6, abs=1e-6),
    ]
    # The most likely difference at a score of 3/4 is 400 log10 3, half of it on either side.
    assert first["rating"] == pytest.approx(200 * math.log10(3), abs=0.01)
    assert second["rating"] == pytest.approx(-first["rating"])
    assert [row["label"] for row in standings.rows()] == ["random", "greedy"]


def test_numbers_of_a_table_of_three() -> None:
    """Points are the share of the others that were beaten; a tie for the best is a draw."""
    plan = make_plan("random", "greedy", "vanilla", "drakkar", game="oh_hell", form="tables")
    standings = Standings(plan)
    games = [[1.0, 0.5, 0.5], [0.2, 0.9, 0.9], [0.1, 0.2, 0.3]]
    standings.take(*block_of(plan, 0, (0, 2, 3), games))
    rows = rows_of(standings)
    # Seats: (0, 2, 3), (3, 0, 2), (2, 3, 0).
    assert [row["points"] for row in rows] == [1 + 0.75 + 1, 0, 0.25 + 0.75 + 0, 0.25 + 0 + 0.5]
    counts = [(row["wins"], row["draws"], row["losses"]) for row in rows]
    assert counts == [(2, 1, 0), (0, 0, 0), (0, 1, 2), (0, 0, 3)]
    assert rows[1]["rating"] is None and rows[1]["score"] is None
    assert standings.rows()[-1]["contestant"] == 1  # nobody knows where it would stand
    assert standings.pairs.score(0, 2) == pytest.approx(2.5 / 3)


def test_faults_belong_to_who_made_them() -> None:
    """Each is counted once, and margins of games cut short do not count."""
    plan = make_plan("random", "greedy")
    standings = Standings(plan)
    block = Block(0, (0, 1), 0)
    jobs = plan.jobs(block)
    late = lost(jobs[1], Termination.TIME, 0)  # seat 1 is the second contestant's there
    late.fault.overrun_ms = 150.0
    first = made_up(jobs[0])
    first.replaced = [Fault(1, 0, Termination.ILLEGAL, "x")]
    first.strikes = [2, 0]
    standings.take(block, [first, late])
    rows = rows_of(standings)
    assert [row["terminations"] for row in rows] == [{}, {"time": 1}]
    assert [row["replaced"] for row in rows] == [0, 1]
    assert [row["strikes"] for row in rows] == [2, 0]
    assert [row["margin"] for row in rows] == [None, None]
    numbers = standings.clock_numbers()
    assert (numbers["overruns"], numbers["overrun_max_ms"]) == (1, 150.0)


def test_lag_and_latency() -> None:
    """Quantiles to a few per cent, however many there are, and what engines report."""
    plan = make_plan("random", "greedy")
    standings = Standings(plan)
    for number in range(500):
        block = Block(number, (0, 1), number)
        results = [made_up(job) for job in plan.jobs(block)]
        for result in results:
            lag_ms = 40.0 if number % 50 == 0 else 0.1
            result.decisions = [Decision(120.0, lag_ms, 5, 0, 117)]
        standings.take(block, results)
    numbers = standings.clock_numbers()
    assert numbers["lag_p99_ms"] == pytest.approx(40, rel=0.06)
    assert numbers["latency_ms"] == pytest.approx(3, rel=0.06)


def test_memory_does_not_grow_with_games() -> None:
    """Ten times as many blocks take no more room."""

    def size(standings: Standings) -> int:
        counts = [len(entry) for *_, entry in standings.pairs.items()]
        scales = [standings.lag, standings.latency, standings.overrun]
        return sum(counts) + sum(sys.getsizeof(scale._counts) for scale in scales)

    sizes = []
    for blocks in (200, 2000):
        plan = make_plan("random", "greedy", blocks=blocks)
        standings = Standings(plan)
        for number in range(blocks):
            block = plan.make_schedule().block(number)
            standings.take(block, [made_up(job) for job in plan.jobs(block)])
        sizes.append(size(standings))
    assert sizes[0] == sizes[1]


def test_luck_is_shown_beside_the_raw_numbers() -> None:
    """Only where it was measured; raw numbers stay as they are."""

    class Evaluator:
        hash, score_coefficient = "0123456789ab", 0.1

    plan = make_plan("random", "greedy", blocks=12)
    plain = play(plan, executor=MadeUp())
    assert plain.standings["adjusted"] is None

    def lucky(job, attempt):
        result = made_up(job)
        result.luck = [result.margins[0] / 2, result.margins[1] / 2]
        return result

    plan.evaluator = Evaluator()
    played = play(plan, executor=MadeUp(2, lucky))
    adjusted = played.standings["adjusted"]
    assert adjusted["evaluator"] == "0123456789ab"
    for row in adjusted["rows"]:
        raw = next(r for r in played.standings["rows"] if r["contestant"] == row["contestant"])
        assert row["score"] == raw["score"] and row["margin"] == raw["margin"]
        assert row["adjusted_margin"] == pytest.approx(row["margin"] / 2, abs=1e-5)
        assert row["adjusted_score"] == pytest.approx(row["score"] - 0.05 * row["margin"], abs=1e-5)
        assert row["adjusted_margin_error"] == pytest.approx(row["margin_error"] / 2, abs=1e-5)


def test_resetting_forgets_everything() -> None:
    """Taken again, the numbers are the same."""
    plan = make_plan("random", "greedy", blocks=5)
    standings = Standings(plan)
    blocks = [plan.make_schedule().block(number) for number in range(5)]
    both = []
    for _ in range(2):
        standings.reset()
        for block in blocks:
            standings.take(block, [made_up(job) for job in plan.jobs(block)])
        both.append((standings.rows(), standings.seat_rows(), standings.games))
    assert both[0] == both[1]
