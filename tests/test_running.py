"""The threads of one search: what is told of them while they run."""

import os
import subprocess
import sys
import threading
import time

import pytest
from searching import position

import engine
from search.control import StopFlag
from search.making import THREADED, Maker
from search.presets import TABLE
from search.running import Running

ROUNDS, ROUND_S = 100, 0.005
PRESETS = {str(preset.with_changes({})["algorithm"]): preset for preset in TABLE.values()}


@pytest.mark.parametrize("algorithm", THREADED)
def test_reports_while_the_memory_of_others_grows(algorithm):
    """Reports read of workers that run, and what they read never moves, whatever else does.

    In a process whose system takes moved memory back at once, so that a late look ends it.
    """
    done = subprocess.run(
        [sys.executable, __file__, algorithm],
        env=os.environ | {"MALLOC_MMAP_THRESHOLD_": "4096"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def report_while_running(algorithm):
    """Start search after search, because memory grows most often at the beginning."""
    state = position(engine.load("lofoten"), 0)
    maker = Maker(PRESETS[algorithm].with_changes({}), 4, 256 << 20)
    for seed in range(ROUNDS):
        flag = StopFlag()
        workers = maker.make(state.view(state.seat_to_move), flag, seed, None, None, False)
        maker.graphs.clear()
        for worker in workers:
            worker.set_limits(None, None, None)
        running = Running(workers, time.monotonic_ns(), 1, "visits", 0.0)
        helpers = [threading.Thread(target=w.run, args=(None,)) for w in workers[1:]]
        for helper in helpers:
            helper.start()
        end = time.monotonic() + ROUND_S
        while time.monotonic() < end:
            info = running.report()
            assert 0 <= info.lines[0].win <= 1
            assert sum(info.lines[0].wdl) == 1000
            assert info.worlds == info.nodes
        flag.set()
        for helper in helpers:
            helper.join()
        assert running.report().nodes > 0


if __name__ == "__main__":
    report_while_running(sys.argv[1])
