"""The checker of engines: good engines pass all of it, each fault fails at the step made for it."""

import asyncio
import re
import sys
from collections import Counter

import pytest
from faulty_engines import FAULTS
from talking import ROOT

from bench.check.checker import Check
from bench.check.handshake import check_features
from bench.check.steps import PARTS, Failure, all_steps
from bench.check.talk import Talk, Transcript
from protocol.client import EngineDied

SMALL = [sys.executable, "-E", "-S", str(ROOT / "tests" / "faulty_engines.py")]
PATIENCE_S = 3.0
DIALECTS = ("uci", "ugi", "uhi")
AT_A_TIME = 5


async def check(gate, words, dialect):
    """Check an engine; return what `--json` prints."""
    run = Check(words, dialect, "kuhn", quiet=True, patience_s=PATIENCE_S)
    async with gate:
        await run.run()
    return run.to_json()


async def check_all():
    """Check our own engine in each dialect, the small one, and its faulty copies.

    They mostly wait, so several are checked at a time; only one of them thinks.
    """
    own, small = asyncio.Semaphore(1), asyncio.Semaphore(AT_A_TIME)
    jobs = {("drakkar", dialect): check(own, ["drakkar"], dialect) for dialect in DIALECTS}
    jobs |= {("small", dialect): check(small, SMALL, dialect) for dialect in DIALECTS}
    jobs["minimal"] = check(small, [*SMALL, "Minimal"], "uhi")
    jobs["views"] = check(small, [*SMALL, "ViewsOnly"], "uhi")
    jobs |= {fault: check(small, [*SMALL, fault], "uhi") for fault in FAULTS}
    return dict(zip(jobs, await asyncio.gather(*jobs.values()), strict=True))


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def results():
    """What the checker says of each engine."""
    return asyncio.run(check_all())


def failures(result):
    return [step for step in result["steps"] if step["status"] == "fail"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_engine_of_somebody_else_passes(results, dialect):
    result = results["small", dialect]
    assert not failures(result)
    assert result["passed"] and result["dialects"] == [dialect]
    assert len(result["steps"]) == len(all_steps())
    skipped = {step["name"] for step in result["steps"] if step["status"] == "skip"}
    only_there = {"feature-lines", "game-lines", "handshake-forms", "version-refused"}
    only_there = {"no-id"} if dialect == "uhi" else {*only_there, "go-id", "bad-id"}
    only_there |= set() if dialect == "uhi" else {"dialect-in-search", "views-only"}
    no_such_thing = {"forced-move", "illegal-decision", "luck-against-knowledge", "views-only"}
    assert skipped == only_there | no_such_thing


def test_an_engine_that_does_only_what_it_must_passes(results):
    result = results["minimal"]
    assert not failures(result)
    counts = Counter(step["status"] for step in result["steps"])
    assert counts["ok"] >= 130 and counts["skip"] >= 40
    reasons = {step["name"]: step["reason"] for step in result["steps"] if "reason" in step}
    assert reasons["strict-views"] == "the engine has no option Strict Views"
    assert reasons["repeats"] == "the engine declares no feature reproducible"
    assert reasons["query-legal"] == "the engine does not know `query legal`"
    assert reasons["searchmoves"] == "the engine does not know searchmoves"


def test_an_engine_that_takes_views_only_passes(results):
    result = results["views"]
    assert result["passed"] and not failures(result)
    reasons = {step["name"]: step["reason"] for step in result["steps"] if "reason" in step}
    needs_open = {step.name for step in all_steps() if step.is_open}
    assert {"startpos", "seeds", "open-logs", "open-texts", "alike-errors"} < needs_open
    for name in needs_open - {"strict-views"}:
        assert reasons[name] == "positions are views only (feature views=only)"
    assert "views-only" not in reasons and "query-hash" not in reasons


def test_an_early_answer_is_told_as_such(results):
    [step] = failures(results["EndsAtQuery"])
    assert "too early: bestmove" in step["got"] and step["seconds"] < PATIENCE_S


class LateWords:
    """A process that has ended, whose standard error is there only once it has been waited for."""

    exit_code = 2
    stderr_tail = ""

    async def read_raw(self):
        return b""

    async def wait_ended(self, timeout_s):
        return True

    async def kill(self):
        self.stderr_tail = "no such file"

    async def send_bytes(self, data):
        raise self.death()

    def death(self):
        return EngineDied("engine ended: exit code 2", 2)


@pytest.mark.parametrize("exchange", ["until", "send"])
def test_the_last_words_of_an_engine_are_waited_for(exchange):
    talk = Talk(LateWords(), "uhi", Transcript())
    with pytest.raises(Failure) as caught:
        asyncio.run(getattr(talk, exchange)("uhiok"))
    assert caught.value.got.endswith("exit code 2; its standard error ends with: no such file")


STRICT = "option name Strict Views type check default false"
GAMES = ["game one/1 seats=2", "game other/1 seats=3"]


@pytest.mark.parametrize(
    "features, greeting",
    [
        ({}, []),
        ({"json": "0", "simultaneous": "1", "maxline": "65536"}, []),
        ({"views": "strict", "protocol": "uhi/1.3"}, [STRICT]),
        ({"views": "open"}, []),
        ({"views": "only"}, []),
        ({"seats": "2..3"}, GAMES),
        ({"seats": "1..4", "reproducible": "nodes+seed", "other": "?"}, GAMES),
    ],
)
def test_good_features(features, greeting):
    check_features(features, greeting)


@pytest.mark.parametrize(
    "features, greeting",
    [
        ({"json": "2"}, []),
        ({"simultaneous": "yes"}, []),
        ({"maxline": "65535"}, []),
        ({"maxline": "1e9"}, []),
        ({"protocol": "uhi/11"}, []),
        ({"views": "strict"}, []),
        ({"views": "closed"}, [STRICT]),
        ({"seats": "2"}, []),
        ({"seats": "3..2"}, []),
        ({"seats": "0..2"}, []),
        ({"seats": "2..5"}, []),
        ({"seats": "2..2"}, GAMES),
        ({"reproducible": "seed"}, []),
    ],
)
def test_bad_features(features, greeting):
    with pytest.raises(Failure):
        check_features(features, greeting)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_at_its_step(results, fault):
    steps = results[fault]["steps"]
    assert not results[fault]["passed"]
    assert [step["name"] for step in failures(results[fault])] == [FAULTS[fault].step], steps[-1]
    assert steps[-1]["status"] == "fail"
    assert steps[-1]["expected"] and steps[-1]["source"].startswith("protocol/SPEC.md part")
    assert any(re.match(r" +[0-9.]+ \d*[><!]", line) for line in steps[-1]["transcript"])


def test_there_are_ten_faults_and_more():
    assert len(FAULTS) >= 10
    names = {step.name for step in all_steps()}
    assert {fault.step for fault in FAULTS.values()} <= names


@pytest.mark.parametrize("dialect", DIALECTS)
def test_our_own_engine_passes(results, dialect):
    result = results["drakkar", dialect]
    assert result["passed"] and not failures(result)
    counts = Counter(step["status"] for step in result["steps"])
    assert counts["ok"] >= 160 and counts["ok"] + counts["skip"] == len(all_steps())


def test_steps_are_numbered_and_named():
    steps = all_steps()
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert len(steps) >= 80
    assert len({step.name for step in steps}) == len(steps)
    assert len({step.sentence for step in steps}) == len(steps)
    for step in steps:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", step.name)
        assert 10 < len(step.sentence) < 100


def test_steps_refer_to_parts_of_the_specification():
    text = (ROOT / "protocol" / "SPEC.md").read_text()
    titles = dict(re.findall(r"^## (\d+)\. (.+)$", text, re.MULTILINE))
    assert {step.part for step in all_steps()} <= set(PARTS)
    assert {part: titles.get(str(part)) for part in PARTS} == PARTS


def test_the_checker_names_no_game():
    import engine

    names = re.compile(rf"\b({'|'.join(engine.available())})\b", re.IGNORECASE)
    for path in (ROOT / "bench" / "check").glob("*.py"):
        assert not names.search(path.read_text()), path
