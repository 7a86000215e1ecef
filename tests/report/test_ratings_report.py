"""`drakkar ratings`: journals in, ratings out; every number is that of a recount."""

import gc
import json
import math
import tracemalloc
from collections import defaultdict
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from journals import Sampler, sample_plan, write_journal

from bench.cli import main
from bench.records import to_line
from bench.referee.game_result import places
from bench.report.journals import pool
from bench.report.ratings import report
from bench.report.summary import summary_of
from bench.report.tally import Tally, decider_seats
from bench.report.text import ratings_text
from bench.statistics.sprt import SprtTest
from bench.tournament.sequential import SequentialTest

FOUR = ["second", "last", "first", "Mädchen 海"]
STRENGTHS = [50.0, -150.0, 150.0, -50.0]
ORDER = ["first", "second", "Mädchen 海", "last"]


def drakkar(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(main, list(arguments))


def ratings(*arguments: object) -> dict:
    """Return the JSON object of the command."""
    result = drakkar("ratings", *map(str, arguments), "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A round robin of four with known strengths; one of them loses games on time."""
    path = tmp_path / "round robin.jsonl"
    write_journal(path, Sampler(sample_plan(FOUR, blocks=25), STRENGTHS, {3: 0.1}, True))
    return path


def test_p55_the_numbers_are_those_of_a_recount(journal: Path) -> None:
    """Points, games, seats, verdicts and the cross table, counted from the lines of the file."""
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    games = [line for line in lines if "number" in line]
    points, seats, lost = defaultdict(float), defaultdict(list), defaultdict(int)
    cross = defaultdict(float)
    for game in games:
        for seat, who in enumerate(game["seats"]):
            point = game["returns"][seat]
            points[who] += point
            seats[who, seat].append(point)
            cross[who, game["seats"][1 - seat]] += point / 2
        if "fault" in game:
            lost[game["seats"][game["fault"]["seat"]]] += 1
    found = ratings(journal)
    assert (found["games"], found["blocks"]) == (len(games), len(games) // 2) == (300, 150)
    assert [row["label"] for row in found["contestants"]] == ORDER
    order = [FOUR.index(row["label"]) for row in found["contestants"]]
    for i, row in enumerate(found["contestants"]):
        who = FOUR.index(row["label"])
        assert row["points"] == points[who]
        assert row["games"] == 150 == row["wins"] + row["draws"] + row["losses"]
        assert row["score"] == pytest.approx(points[who] / 150)
        assert row["terminations"] == ({"time": lost[who]} if lost[who] else {})
        for seat in range(2):
            mean = sum(seats[who, seat]) / len(seats[who, seat])
            assert row["by_seat"][seat]["score"] == pytest.approx(mean)
        for j, cell in enumerate(found["cross"][i]):
            assert (cell is None) == (i == j)
            if cell:
                assert (cell["points"], cell["blocks"]) == (cross[who, order[j]], 25)
    assert found["terminations"] == {"rules": 300 - sum(lost.values()), "time": lost[3]}


def test_the_ratings_are_most_likely(journal: Path) -> None:
    """Each contestant has the points that its rating expects of it, and their mean is 0."""
    found = ratings(journal)
    rows = found["contestants"]
    assert sum(row["rating"] for row in rows) == pytest.approx(0, abs=1e-6)
    for row in rows:
        expected = sum(
            25 / (1 + 10 ** ((other["rating"] - row["rating"]) / 400))
            for other in rows
            if other is not row
        )
        assert expected == pytest.approx(row["points"] / 2, abs=1e-4)
        assert row["low"] < row["rating"] < row["high"]
    anchored = ratings(journal, "--anchor", "last=1000")["contestants"]
    assert anchored[-1]["rating"] == pytest.approx(1000)
    assert anchored[0]["rating"] - 1000 == pytest.approx(rows[0]["rating"] - rows[-1]["rating"])
    assert ratings(journal, "--seed", "2")["contestants"][0]["low"] != rows[0]["low"]
    assert ratings(journal) == found


def test_p55_unfinished_blocks_are_told_and_not_counted(tmp_path: Path) -> None:
    """The summary of the run itself has the same numbers."""
    plan = sample_plan(FOUR, blocks=5)
    summary, path = summary_of(plan), tmp_path / "broken.jsonl"
    blocks = []
    write_journal(
        path,
        Sampler(plan, STRENGTHS),
        reason=None,
        loose=1,
        takers=[lambda block, games: blocks.append((block, games))],
    )
    for block, games in blocks[:-1]:
        summary.take(block, games)
    found = ratings(path)
    assert (found["blocks"], found["games"]) == (29, 58)
    assert found["journals"][0]["unfinished"] == 1
    assert "1 more that do not count, no end" in drakkar("ratings", str(path)).stdout
    pooled = pool([path])
    told = report(summary.tally, pooled.about, pooled.terms)
    assert told == found


def test_the_text_has_all_parts(journal: Path) -> None:
    """Standings, cross table, seats, luck, verdicts, times."""
    text = drakkar("ratings", str(journal)).stdout
    for words in (
        "kuhn/1: 300 games in 150 blocks",
        "rating (logistic Elo)",
        "score against",
        "score by seat",
        "margin",
        "games lost by a verdict",
        "time a decision, ms",
        "Mädchen 海",
        "intervals are 95 %, over blocks",
    ):
        assert words in text
    assert len(text.splitlines()) < 60


def test_a_test_is_done_again(tmp_path: Path) -> None:
    """LLR over time, up to the decision that ended the run; surplus blocks count nowhere."""
    plan = sample_plan(["new", "old"], "match", 150, test=SequentialTest(SprtTest(0, 100), 4))
    path = tmp_path / "sprt.jsonl"
    write_journal(path, Sampler(plan, [100.0, -100.0]), reason=None)
    whole = ratings(path)["test"]
    assert whole["decision"] == "H1" and whole["llr"] >= whole["upper"]
    assert whole["series"][-1] == [whole["blocks"], whole["llr"]] and whole["blocks"] < 150
    with path.open("a", encoding="utf-8") as file:
        end = {"reason": "decided", "blocks": whole["blocks"], "games": 2 * whole["blocks"]}
        file.write(to_line({"end": end}))
    found = ratings(path)
    assert found["blocks"] == whole["blocks"] < 150
    assert found["test"]["decision"] == "H1"
    assert "H1 accepted" in drakkar("ratings", str(path)).stdout


def test_journals_can_be_pooled(tmp_path: Path) -> None:
    """Of the same game and engines; what differs is named, and no run counts twice."""
    first, second, other = (tmp_path / name for name in ("1.jsonl", "2.jsonl", "3.jsonl"))
    write_journal(first, Sampler(sample_plan(FOUR[:3], blocks=4), STRENGTHS))
    write_journal(second, Sampler(sample_plan(FOUR[1:], blocks=4, seed=2), STRENGTHS[1:]))
    found = ratings(first, second)
    assert (found["games"], len(found["contestants"])) == (48, 4)
    assert [journal["games"] for journal in found["journals"]] == [24, 24]
    again = drakkar("ratings", str(first), str(first))
    assert again.exit_code == 2 and "the same run as" in again.output
    plan = sample_plan(FOUR[:3], blocks=4, seed=3)
    plan.contestants[1].limit.nodes = 7
    write_journal(other, Sampler(plan, STRENGTHS))
    differing = drakkar("ratings", str(first), str(other))
    assert differing.exit_code == 2
    assert "last has another limit than before" in " ".join(differing.output.split())


def test_p66_an_engine_without_a_win_and_one_without_a_game(tmp_path: Path) -> None:
    """The first gets a bound, the second no rating; the others stay as they are."""
    path = tmp_path / "pool.jsonl"
    plan = sample_plan(["a", "b", "loser"], blocks=12)
    write_journal(path, Sampler(plan, [30.0, -30.0, -5000.0]))
    lines = path.read_text(encoding="utf-8").splitlines()
    head = json.loads(lines[0])
    head["engines"].append(head["engines"][0] | {"label": "idle"})
    path.write_text("\n".join([json.dumps(head), *lines[1:]]) + "\n", encoding="utf-8")
    found = ratings(path)
    rows = {row["label"]: row for row in found["contestants"]}
    assert rows["loser"]["status"] == "at most" and rows["loser"]["high"] < rows["b"]["rating"]
    assert rows["idle"]["status"] == "no rating" and rows["idle"]["rating"] is None
    assert all(math.isfinite(rows[name]["rating"]) for name in "ab")
    text = drakkar("ratings", str(path)).stdout
    assert "at most -" in text and "no rating" in text


def test_tables_of_three(tmp_path: Path) -> None:
    """Rated by their rankings; the score is the share of the others that were beaten."""
    path = tmp_path / "tables.jsonl"
    plan = sample_plan(FOUR, blocks=8, game="oh_hell seats=3")
    write_journal(path, Sampler(plan, [0.0, -300.0, 300.0, 0.0]))
    found = ratings(path)
    rows = found["contestants"]
    assert (found["seats"], found["games"]) == (3, 8 * 4 * 3)
    assert (rows[0]["label"], rows[-1]["label"]) == ("first", "last")
    assert len(rows[0]["by_seat"]) == 3 and sum(rows[0]["places"]) == 72
    assert sum(row["points"] for row in rows) == pytest.approx(96 * 1.5)
    assert rows[0]["low"] < rows[0]["rating"] < rows[0]["high"]
    assert "seat 3" in ratings_text(found)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--anchor", "nobody=3"], "nobody"),
        (["--anchor", "first"], "LABEL=RATING"),
        (["--anchor", "first=much"], "LABEL=RATING"),
        (["--anchor", "first=nan"], "LABEL=RATING"),
        (["--html", "/nowhere/x.html"], "/nowhere/x.html"),
        (["/nowhere/y"], "/nowhere/y"),
    ],
)
def test_bad_arguments(journal: Path, words: list[str], message: str) -> None:
    """One line that says what is wrong."""
    result = drakkar("ratings", str(journal), *words)
    assert result.exit_code in (1, 2) and result.exit_code
    assert message in " ".join(result.output.split())
    assert "Traceback" not in result.output


def test_luck_is_taken_off_by_the_coefficient() -> None:
    """Score and margin of blocks less luck, beside the same blocks as they were."""
    plan = sample_plan(["a", "b"], "match", 30)
    tally, blocks = Tally(["a", "b"], 2, 0.02), []
    sampler = Sampler(plan, [50.0, 0.0], has_luck=True)
    sampler.play([tally.take, lambda block, games: blocks.append(games)])
    row = report(tally, {}, [{}, {}], replicates=0)["contestants"][0]
    scores = [
        sum(game.points(0) - 0.02 * game.luck[game.seat_of(0)] for game in games) / 2
        for games in blocks
    ]
    margins = [
        sum(game.margin(0) - game.luck[game.seat_of(0)] for game in games) / 2 for games in blocks
    ]
    assert row["label"] == "a"
    assert row["adjusted"]["score"] == pytest.approx(sum(scores) / 30)
    assert row["adjusted"]["margin"] == pytest.approx(sum(margins) / 30)
    assert row["adjusted"]["raw_score"] == pytest.approx(row["score"])
    assert row["adjusted"]["score_blocks"] == 30


def test_who_decided(journal: Path) -> None:
    """The seat of each decision follows from the events, a fault's from the fault."""
    from bench.records import Record

    record = Record(journal)
    results = [record.result(game) for game in record.counted()]
    for result in results[:40]:
        assert decider_seats(result)[: result.plies] == [ply % 2 for ply in range(result.plies)]
    assert places([0.5, 0.5, 1.0]) == [2, 2, 1]


@pytest.mark.slow
def test_memory_does_not_grow_with_games() -> None:
    """P57: twice as many blocks take no more room; what plots show is thinned out."""
    sampler = Sampler(sample_plan(["a", "b"], "match", 25), STRENGTHS, {1: 0.1}, True)
    blocks = []
    sampler.play([lambda block, games: blocks.append((block, games))])
    tally = Tally(["a", "b"], 2, 0.02)
    tracemalloc.start()
    sizes = []
    for _ in range(32):
        for block, games in blocks:
            tally.take(block, games)
        gc.collect()  # what other tests have left behind goes at any time
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert tally.games == 1600
    assert sizes[31] - sizes[15] < 20_000, sizes


def test_p55_a_played_run_and_its_journal_agree(tmp_path: Path) -> None:
    """All that the run said of itself in the end, but for times, which a line rounds."""
    journal = tmp_path / "run.jsonl"
    words = ["tournament", "--game", "kuhn", "--nodes", "3", "--blocks", "3", "--quiet", "--json"]
    words += ["--concurrency", "1"]  # each seating has processes of its own
    for preset in ("random", "greedy", "vanilla"):
        words += ["--engine", preset]
    played = drakkar(*words, "--journal", str(journal))
    assert played.exit_code == 0, played.output
    said, found = json.loads(played.stdout), ratings(journal)
    for told in (said, found):
        for name in [name for name in told if name.startswith("lag_")]:
            del told[name]
        for row in told["contestants"]:
            for name in [name for name in row if name.startswith(("time_", "latency_"))]:
                del row[name]
    assert found["games"] == 18
    for name in found.keys() - {"journals", "formats"}:
        assert said[name] == found[name], name
