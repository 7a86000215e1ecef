"""Blocks on other machines: a real scheduler with workers in processes of their own; and field case
P71 with an executor that loses tasks and runs others twice.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from runs import MadeUp, lost, made_up, make_plan, play
from runs import games_in as games_of

from bench.referee.verdicts import Termination
from bench.tournament import remote
from bench.tournament.cluster import Cluster
from bench.tournament.guard import Guard
from engine import RandomStream

ROOT = Path(__file__).resolve().parent.parent
WAIT_S = 60.0


class Dask:
    """A scheduler and workers, each a process."""

    def __init__(self, folder):
        self._folder = folder
        self._file = folder / "scheduler.json"
        self._env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
        self.workers = []
        self.scheduler = self._start("scheduler", "--port", "0", "--no-dashboard")
        self.address = self._wait(self._read_address)

    def _start(self, what, *words):
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *words]
        command += ["--host", "127.0.0.1", "--scheduler-file", str(self._file)]
        log = open(self._folder / f"{what}-{time.monotonic_ns()}.log", "wb")
        with log:
            return subprocess.Popen(command, stdout=log, stderr=log, env=self._env)

    def _wait(self, look):
        deadline = time.monotonic() + WAIT_S
        while not (found := look()):
            assert time.monotonic() < deadline, "the cluster does not come up"
            time.sleep(0.05)
        return found

    def _read_address(self):
        with suppress(OSError, ValueError):
            return json.loads(self._file.read_text())["address"]
        return None

    def add_worker(self):
        """Start a worker with one thread."""
        words = (
            "--nthreads",
            "1",
            "--no-dashboard",
            "--no-nanny",
            "--name",
            f"w{len(self.workers)}",
        )
        worker = self._start("worker", *words)
        self.workers.append(worker)
        return worker

    def close(self):
        """End all processes."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def cluster(folder, workers=2):
    """Yield a running cluster."""
    dask = Dask(folder)
    try:
        for _ in range(workers):
            dask.add_worker()
        yield dask
    finally:
        dask.close()


def command(*words):
    """Return a command line of ours."""
    return [sys.executable, str(ROOT / "drakkar.py"), *map(str, words)]


class Held:
    """An executor that opens when its workers have been looked at."""

    def __init__(self, executor, is_ready):
        self._executor, self._is_ready = executor, is_ready

    def __getattr__(self, name):
        return getattr(self._executor, name)

    async def open(self, plan):
        """Open it and wait."""
        await self._executor.open(plan)
        while not self._is_ready():
            await asyncio.sleep(0.05)


MATCH = ("match", "vanilla", "random", "--game", "kuhn", "--nodes", "20", "--seed", "5", "--quiet")


def run(*words):
    """Run a command to its end; return exit code, output and messages."""
    done = subprocess.run(command(*words), capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def numbers(text):
    """Return the final numbers of a run: all that `--json` tells but times."""
    told = json.loads(text)
    return {k: v for k, v in told.items() if k not in ("seconds", "lag_p99_ms", "warnings")}


def games_in(journal):
    """Return how many game lines a journal has."""
    with suppress(OSError):
        return journal.read_bytes().count(b'"number"')
    return 0


def wait_for_games(journal, count, process):
    """Wait until a run has written so many games."""
    deadline = time.monotonic() + WAIT_S
    while games_in(journal) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.slow
def test_a_cluster_survives_the_loss_of_a_worker_and_of_its_scheduler(tmp_path):
    """What comes out in the end is what one machine finds."""
    journal, record = tmp_path / "games.journal", tmp_path / "games.record"
    words = (*MATCH, "--blocks", "60", "--json", "--record")
    code, expected, errors = run(*words, tmp_path / "embedded.record")
    assert code == 0, errors
    first = ("--journal", journal)
    with cluster(tmp_path) as dask:
        process = subprocess.Popen(
            command(*words, record, *first, "--cluster", dask.address),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        wait_for_games(journal, 20, process)
        dask.workers[0].kill()
        wait_for_games(journal, 50, process)
        dask.scheduler.send_signal(signal.SIGKILL)
        _, errors = process.communicate(timeout=WAIT_S)
        assert process.returncode == 4, errors
        assert "scheduler" in errors
        assert "Traceback" not in errors
    assert 50 <= games_in(journal) < 120
    second = tmp_path / "second"
    second.mkdir()
    with cluster(second) as dask:
        code, found, errors = run(*words, record, *first, "--resume", "--cluster", dask.address)
    assert code == 0, errors
    assert numbers(found) == numbers(expected)
    assert record.read_bytes() == (tmp_path / "embedded.record").read_bytes()


@pytest.mark.slow
def test_p71_a_worker_whose_self_check_never_returns_is_refused(tmp_path, monkeypatch):
    """It gets no block; the other one plays them all."""
    news = []
    with cluster(tmp_path) as dask:
        stuck = dask.workers[0].pid

        def check(spec):
            time.sleep(600 if os.getpid() == stuck else 0)
            return ""

        monkeypatch.setattr(remote, "self_check", check)
        plan = make_plan("random", "random", blocks=6)
        executor = Cluster(dask.address, lambda *told: news.append(told), check_s=5.0)
        played = play(plan, executor=Held(executor, lambda: len(news) == 2))
    assert played.outcome.counted_blocks == 6
    assert len({result.worker for result in played.results}) == 1
    assert str(stuck) not in played.results[0].worker
    reasons = {state: reason for _, state, reason in news}
    assert reasons == {"joined": "", "refused": "its self-check took longer than 5 s"}


@pytest.mark.slow
def test_without_a_scheduler_nothing_is_played(tmp_path):
    """One line that says what is missing."""
    code, _, errors = run(*MATCH, "--blocks", "2", "--cluster", "tcp://127.0.0.1:9")
    assert code == 2
    assert "--cluster: tcp://127.0.0.1:9: no scheduler answers" in errors
    assert "Traceback" not in errors


# ---- an executor that is not to be relied on ----


class Unreliable(MadeUp):
    """Loses every 20th task, some of them half done, and has every 20th done twice."""

    def __init__(self, capacity):
        super().__init__(capacity)
        self._stream = RandomStream(3, 9)
        self.lost = self.doubled = 0

    async def play(self, block, rotations, sink):
        """Play a block, or lose it, or play it twice."""
        chance = self._stream.below(20)
        if chance == 0:
            self.lost += 1
            await super().play(block, rotations[: self._stream.below(2)], sink)
            raise ConnectionError("the worker is gone")
        await super().play(block, rotations, sink)
        if chance == 1:
            self.doubled += 1
            await super().play(block, rotations, sink)


def test_p71_the_same_block_twice(tmp_path):
    """Each game counts once, and what was lost is played again."""
    plan = make_plan("random", "greedy", blocks=400)
    journal = tmp_path / "journal.jsonl"
    executor = Unreliable(8)
    found = play(plan, journal=journal, executor=executor)
    assert executor.lost > 10 and executor.doubled > 10
    assert found.outcome.counted_blocks == 400
    games = games_of(journal)
    assert len(games) == len(set(games)) == 800
    expected = play(plan, executor=MadeUp())
    assert found.record == expected.record
    assert found.standings == expected.standings


class OneBad(MadeUp):
    """Three workers take turns; at one of them the first contestant loses on time."""

    async def play(self, block, rotations, sink):
        """Play a block at the next worker that is not excluded."""
        names = [name for name in "abc" if name not in self.excluded]
        worker = names[block.number % len(names)]

        def result(job, attempt):
            bad = worker == "b" and block.number % 2
            made = lost(job, Termination.TIME, job.seats.index(0)) if bad else made_up(job)
            made.worker = worker
            return made

        self._script = result
        await super().play(block, rotations, sink)


def test_a_bad_worker_is_set_aside_and_its_games_are_played_again(tmp_path):
    """The final numbers are those of the good ones."""
    plan = make_plan("random", "greedy", blocks=300)
    journal = tmp_path / "journal.jsonl"
    executor = OneBad(1)
    found = play(plan, journal=journal, executor=executor, make_guard=Guard)
    assert executor.excluded == ["b"]
    (news,) = found.of("worker")
    assert news["state"] == "quarantined" and "ended by faults" in news["reason"]
    assert found.record == play(plan, executor=MadeUp()).record
    assert found.standings["rows"][0]["terminations"].get("time", 0) == 0
    again = play(plan, journal=journal, executor=MadeUp())
    assert again.record == found.record
