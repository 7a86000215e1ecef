"""Every faulty engine of tests/zoo beside a good one: the verdict it declares, in time, no remains.

Good engines play each other meanwhile, in the same event loop, and must not notice.
"""

import asyncio
import os
import re
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from bench.contestant import Limit, make_contestant
from bench.games import parse_game
from bench.plan import Plan, no_schedule
from bench.referee.block import Block, Job
from bench.referee.guardian import Guardian
from bench.referee.policy import Policy
from bench.referee.slot import Slot
from bench.seeds import deal_seed

ZOO = Path(__file__).parent / "zoo"
NAMES = sorted(path.stem for path in ZOO.glob("*.py") if path.stem != "good")
QUICK = ["carriage_returns", "daemon", "hangs_in_search", "illegal_move", "leaves_in_game"]

FAULTY, GOOD, TWIN = range(3)
ROLES = {"first": (FAULTY, GOOD), "second": (GOOD, FAULTY), "both": (FAULTY, TWIN)}

# Seconds that a verdict may take from when both engines are ready, or from the start if one never
# is: the limit that the engine exceeds, and some more.
LIMIT_S, AFTER_S, REMAINS_S = 1.0, 2.0, 3.0
START_S = 2.0
# The limit of those whose fault is no lateness: floods take their time to be read.
AMPLE_S = 5.0
# Games with faulty engines at a time.
AT_A_TIME = 6
MARK = "DRAKKAR_ZOO"


def verdict(name):
    """Return the termination that an engine declares."""
    text = (ZOO / f"{name}.py").read_text(encoding="utf-8")
    return re.search(r'^VERDICT = "(\w+)"$', text, re.M)[1]


def limit_s(name):
    """Return the limit that an engine has for each answer."""
    return AMPLE_S if verdict(name) in ("rules", "malformed") else LIMIT_S


class Sink:
    """Keeps what a slot tells."""

    def __init__(self):
        self.warnings = []

    def start(self, job, worker):
        """Take that a game begins."""

    def result(self, result):
        """Take a result, which a slot returns as well."""

    def warn(self, text, contestant=None, **fields):
        """Keep a remark."""
        self.warnings.append(text)


class TimedSlot(Slot):
    """A slot that knows since when its engines are ready: starting them may take a busy machine."""

    ready_at: float | None = None

    async def _seated(self, job, keys):
        processes = await super()._seated(job, keys)
        self.ready_at = time.monotonic()
        return processes


def plan(name):
    """Return a plan with a faulty engine, a good one, and a second copy of the faulty one."""
    limit = Limit(nodes=1, hang_s=limit_s(name))
    if name == "late_answer":
        limit = Limit(movetime_ms=300, margin_ms=100)
    commands = [f"{sys.executable} -S -E {ZOO / f'{who}.py'}" for who in (name, "good", name)]
    start_s = 15.0 if name == "needs_nine_seconds" else START_S
    patience_s = limit_s(name)
    policy = Policy(start_s=start_s, newgame_s=patience_s, ping_s=patience_s, quit_s=0.2)
    contestants = [make_contestant(command, limit, {}) for command in commands]
    return Plan(parse_game("kuhn"), contestants, no_schedule, 1, policy)


def job(seats, number=0):
    """Return one game of Kuhn poker."""
    return Job(Block(number, seats, number), 0, seats, number, deal_seed(1, number))


def left(mark):
    """Return the command lines of processes that were started with a mark and still run."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        with suppress(OSError):
            environ = (folder / "environ").read_bytes().split(b"\0")
            state = (folder / "stat").read_text().rsplit(")", 1)[1].split()[0]
            if f"{MARK}={mark}".encode() in environ and state != "Z":
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


async def wrong(name, role, guardian):
    """Play one game with an engine in a role; return what was not as it should be."""
    sink, seats = Sink(), ROLES[role]
    slot, start = TimedSlot(plan(name), f"{name}/{role}", sink, guardian), time.monotonic()
    try:
        result = await slot.play(job(seats))
        seconds = time.monotonic() - (slot.ready_at or start)
    finally:
        await slot.close()
    expected, told = verdict(name), str(result.termination)
    where = f"{name}, {role}"
    if told != expected:
        return [f"{where}: {told} instead of {expected}: {result.fault and result.fault.text}"]
    if expected == "rules":
        return []
    allowed_s = START_S if expected == "start" else limit_s(name)
    found = []
    if seconds > allowed_s + AFTER_S:
        found.append(f"{where}: the verdict took {seconds:.1f} s")
    if role != "both" and result.job.seats[result.fault.seat] != FAULTY:
        found.append(f"{where}: the good engine was blamed")
    if not result.fault.text or (told == "disconnect") > (result.fault.exit_code is not None):
        closed = name in ("closes_input", "closes_output")
        found += [] if closed else [f"{where}: no cause told"]
    return found


async def good_games(guardian, stop):
    """Have good engines play each other until the end; return what went wrong."""
    slot, found, number = Slot(plan("good"), "good", Sink(), guardian), [], 0
    try:
        while not stop.is_set():
            number += 1
            result = await slot.play(job((FAULTY, GOOD), number))
            if str(result.termination) != "rules":
                found.append(f"a game of good engines: {result.termination}: {result.fault.text}")
            await asyncio.sleep(0.05)
    finally:
        await slot.close()
    return found if number > 1 else [*found, "the good engines did not play"]


async def run_all(names, role, mark):
    """Play all engines in a role; return all that was wrong, remains included."""
    guardian, stop, places = Guardian(), asyncio.Event(), asyncio.Semaphore(AT_A_TIME)
    await guardian.start()

    async def one(name):
        async with places:
            return await wrong(name, role, guardian)

    untouched = asyncio.ensure_future(good_games(guardian, stop))
    found = [text for texts in await asyncio.gather(*map(one, names)) for text in texts]
    stop.set()
    found += await untouched
    deadline = time.monotonic() + REMAINS_S
    while (remains := [x for x in left(mark) if "guardian" not in x]) and (
        time.monotonic() < deadline
    ):
        await asyncio.sleep(0.1)
    guardian.close()
    return found + [f"left behind: {line}" for line in remains]


def check(names, role, monkeypatch):
    mark = f"{role}-{os.getpid()}"
    monkeypatch.setenv(MARK, mark)
    assert asyncio.run(run_all(names, role, mark)) == []


def test_every_engine_declares_a_verdict():
    """There are enough of them, small ones, and all verdicts for engines are in use."""
    assert len(NAMES) >= 35
    assert {verdict(name) for name in NAMES} == {
        "rules",
        "time",
        "illegal",
        "malformed",
        "stall",
        "disconnect",
        "start",
    }
    for name in NAMES:
        assert len((ZOO / f"{name}.py").read_text(encoding="utf-8").splitlines()) < 40


def test_some_faulty_engines(monkeypatch):
    """One of each sort, in the first seat."""
    check(QUICK, "first", monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_all_faulty_engines(role, monkeypatch):
    """The whole zoo, in each role."""
    check(NAMES, role, monkeypatch)
