"""Nothing that an engine starts outlives it, in whatever way engine and referee end."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fake import ROOT, make_table

from bench.referee.block import Block
from bench.referee.guardian import VARIABLE, Guardian
from bench.referee.slot import Slot

PATIENCE_S = 3.0

# An engine with a grandchild in a session of its own, which nobody is the parent of; arguments: a
# folder for the process ids, and what it does when it is asked to decide.
ENGINE = """
import os, pathlib, sys, time
folder, deed = pathlib.Path(sys.argv[1]), sys.argv[2]
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(3):
            os.close(number)
        (folder / str(os.getpid())).touch()
        time.sleep(600)
    os._exit(0)
os.wait()
(folder / str(os.getpid())).touch()
for line in sys.stdin:
    word = line.split()[0]
    if word == "uhi":
        print("uhiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        if deed == "dies":
            os._exit(5)
        elif deed == "sleeps":
            (folder / "asleep").touch()
            time.sleep(600)
        print("bestmove pass id " + line.split()[-1], flush=True)
    elif word == "quit":
        break
if deed == "sleeps":
    time.sleep(600)
"""


@pytest.fixture
def command(tmp_path: Path) -> str:
    """The engine without its last argument."""
    script = tmp_path / "engine.py"
    script.write_text(ENGINE, encoding="utf-8")
    (tmp_path / "pids").mkdir()
    return f"{sys.executable} -S {script} {tmp_path / 'pids'}"


def alive(folder: Path) -> list[int]:
    """Return the processes that left their ids in a folder and still run."""
    found = []
    for path in folder.glob("pids/[0-9]*"):
        try:
            state = Path(f"/proc/{path.name}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if state != "Z":
            found.append(int(path.name))
    return found


def wait_until(condition) -> bool:
    """Return whether a condition comes true within the time that remains may take."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


class Sink:
    """Takes nothing."""

    def warn(self, text, contestant=None, **fields):
        """Forget a remark."""


@pytest.mark.parametrize("deed", ["plays", "dies"])
def test_the_grandchildren_of_an_engine_end_with_it(
    tmp_path: Path, command: str, deed: str
) -> None:
    """While the run goes on, and those of the other engine live."""

    async def main() -> None:
        guardian = Guardian()
        await guardian.start()
        plan = make_table(f"{command} {deed}", f"{command} plays")
        slot = Slot(plan, "slot", Sink(), guardian)
        await slot.play(plan.jobs(Block(0, (0, 1), 0))[0])
        if deed == "plays":
            assert wait_until(lambda: len(alive(tmp_path)) == 4)
            await slot.close()
            assert wait_until(lambda: not alive(tmp_path))
        else:
            await asyncio.sleep(0.1)
            assert wait_until(lambda: len(alive(tmp_path)) == 2)
            await slot.close()
            assert wait_until(lambda: not alive(tmp_path))
        guardian.close()
        guardian.close()

    asyncio.run(main())


# A referee with eight engines, which ends in the way that its last argument says.
REFEREE = """
import asyncio, sys
from bench.referee.block import Block
from bench.referee.guardian import Guardian
from bench.referee.slot import Slot
from fake import Sink, make_table

async def main(command, end):
    guardian = Guardian()
    await guardian.start()
    plan = make_table(command, command)
    slots = [Slot(plan, str(number), Sink(), guardian) for number in range(4)]
    job = plan.jobs(Block(0, (0, 1), 0))[0]
    games = [asyncio.ensure_future(slot.play(job)) for slot in slots]
    if end == "exception":
        await asyncio.sleep(0.7)
        raise RuntimeError("a fault of the referee")
    if end == "normal":
        await asyncio.sleep(0.7)
        for game in games:
            game.cancel()
        await asyncio.gather(*(slot.close() for slot in slots))
        guardian.close()
        return
    await asyncio.gather(*games)

asyncio.run(main(sys.argv[1], sys.argv[2]))
"""


@pytest.mark.parametrize(
    "end",
    [
        pytest.param("normal", marks=pytest.mark.slow),
        pytest.param("exception", marks=pytest.mark.slow),
        pytest.param("SIGTERM", marks=pytest.mark.slow),
        "SIGKILL",
    ],
)
def test_p43_nothing_survives_the_manager(tmp_path: Path, command: str, end: str) -> None:
    """Eight engines that think, each with a child in a session of its own: all are gone in 3 s."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    referee = subprocess.Popen(
        [sys.executable, "-c", REFEREE, f"{command} sleeps", end],
        env={**os.environ, "PYTHONPATH": path},
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 30.0
    while len(list(tmp_path.glob("pids/[0-9]*"))) < 16:
        assert time.monotonic() < deadline and (referee.poll() is None or end != "SIGKILL")
        time.sleep(0.02)
    if end.startswith("SIG"):
        referee.send_signal(getattr(signal, end))
    referee.wait(30.0)
    assert wait_until(lambda: not alive(tmp_path)), alive(tmp_path)


def test_nothing_else_is_killed() -> None:
    """Not even what another run has marked."""

    async def main() -> None:
        ours, others = Guardian(), Guardian()
        await ours.start()
        await others.start()
        sleeping = ["sleep", "600"]
        marked = [subprocess.Popen(sleeping, env=ours.env_for(name)) for name in ("a", "b")]
        foreign = subprocess.Popen(sleeping, env=others.env_for("a"))
        bare = subprocess.Popen(sleeping)
        ours.reap("a")
        assert marked[0].wait(PATIENCE_S) == -signal.SIGKILL
        assert marked[1].poll() is None
        ours.reap("a")
        ours.close()
        assert marked[1].wait(PATIENCE_S) == -signal.SIGKILL
        assert foreign.poll() is None and bare.poll() is None
        bare.kill()
        bare.wait()
        others.close()
        assert foreign.wait(PATIENCE_S) == -signal.SIGKILL

    asyncio.run(main())


def test_a_guardian_that_is_stopped_holds_up_nobody(monkeypatch) -> None:
    """Not even when the pipe to it is full; at the end it is killed."""
    monkeypatch.setattr("bench.referee.guardian._CLOSE_S", 0.1)

    async def main() -> None:
        guardian = Guardian()
        await guardian.start()
        assert guardian.pid is not None
        os.kill(guardian.pid, signal.SIGSTOP)
        for number in range(3000):
            guardian.env_for(str(number))
            guardian.reap(str(number))
        guardian.close()
        assert guardian.pid is None

    asyncio.run(asyncio.wait_for(main(), PATIENCE_S))


def test_a_run_goes_on_without_its_guardian() -> None:
    """Somebody has killed it: engines still end with their groups."""

    async def main() -> None:
        guardian = Guardian()
        await guardian.start()
        assert guardian.pid is not None
        os.kill(guardian.pid, signal.SIGKILL)
        time.sleep(0.1)
        assert VARIABLE in guardian.env_for("a")
        guardian.reap("a")
        guardian.close()

    asyncio.run(main())
