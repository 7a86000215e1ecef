"""The engine as a process: leaving, bytes and lines, latency."""

import os
import subprocess
import sys
import time

import pytest
from talking import HANG_S, ROOT, VIEW, Process, bestmoves

import engine
from protocol.options import most_threads

SEARCHES = ["", f"{VIEW}\ngo infinite\n", f"{VIEW}\ngo movetime 60000\n", f"{VIEW}\ngo ponder\n"]


@pytest.mark.parametrize("before", SEARCHES)
@pytest.mark.parametrize("how", ["quit", "end of input", "SIGTERM"])
def test_leaving(before, how):
    process = Process()
    process.send(f"isready\n{before}isready")
    process.read_until("readyok")
    process.read_until("readyok")
    if how == "quit":
        process.send("quit")
        process.popen.wait()
    elif how == "SIGTERM":
        process.popen.terminate()
        process.popen.wait()
    code, seconds, errors = process.ended()
    assert (code, errors) == (0, "")
    assert seconds < 10.0


def test_a_bounded_search_may_finish_at_the_end_of_input():
    process = Process()
    process.send(f"{VIEW}\ngo nodes 50", end="")
    process.popen.stdin.close()
    assert len(bestmoves(process.read_until("bestmove"))) == 1
    assert process.ended()[0] == 0


def test_quit_right_behind_go_still_gives_a_searched_move():
    process = Process()
    process.send("uhi\nposition view kuhn/1 me=p2 hand.p1=? hand.p2=K actions=b\nlegal")
    process.send("go nodes 1000\nquit")
    lines = process.read_until("bestmove")
    assert lines[-2].startswith("info depth")
    assert int(lines[-2].split(" nodes ")[1].split()[0]) >= 2
    assert process.ended()[0] == 0


def test_a_reader_that_goes_away():
    process = Process()
    process.send(f"{VIEW}\ngo infinite\nisready")
    process.read_until("readyok")
    process.popen.stdout.close()
    process.send("isready")
    assert process.popen.wait() == 0
    assert process.popen.stderr.read() == b""
    process.close()


def test_blanks_and_line_ends():
    process = Process()
    process.send(
        "uci\r\n\t  isready \t\r\n   debug     on  \r\n\r\n"
        f"{VIEW.replace(' ', '   ')}\t\r\ngo   nodes   50\r\nquit",
        end="",
    )
    lines = process.read_until("uciok") + process.read_until("readyok")
    lines += process.read_until("bestmove")
    assert not any("error" in line for line in lines)
    assert process.ended()[0] == 0


def test_a_line_too_long_is_dropped_and_the_next_one_works():
    process = Process()
    process.send("uhi\nposition startpos " + "x" * (1 << 20) + "\nisready")
    process.read_until("uhiok")
    line = process.read_until("error")[0]
    assert line == "error parse line longer than 1048576 bytes, dropped"
    process.read_until("readyok")
    process.send(" " * ((1 << 20) - 7) + "isready")
    process.read_until("readyok")
    assert process.ended()[0] == 0


def test_bytes_that_are_no_text():
    process = Process()
    process.popen.stdin.write(b"uhi\nposition view \xff\xfe\x00\nxy\x80\nisready\n")
    process.popen.stdin.flush()
    process.read_until("error bad-position token 3:")
    process.read_until("error unknown-command")
    process.read_until("readyok")
    assert process.ended()[0] == 0


def test_whatever_else_prints_goes_to_standard_error(tmp_path):
    (tmp_path / "noise.py").write_text(
        "import protocol.session as s, os\n"
        "old = s.Session.set_position\n"
        "def loud(self, text):\n"
        "    print('noise', flush=True)\n"
        "    os.write(1, b'more\\n')\n"
        "    old(self, text)\n"
        "s.Session.set_position = loud\n"
        "import protocol.server\n"
        "raise SystemExit(protocol.server.run())\n"
    )
    run = subprocess.run(
        [sys.executable, str(tmp_path / "noise.py")],
        input=f"{VIEW}\ngo nodes 9\n",
        capture_output=True,
        text=True,
        timeout=HANG_S,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert {line.split()[0] for line in run.stdout.splitlines()} == {"info", "bestmove"}
    assert "noise" in run.stderr and "more" in run.stderr


@pytest.mark.parametrize("threads", [1, most_threads()])
@pytest.mark.parametrize("game", engine.available())
def test_isready_and_stop_are_quick_during_a_search(game, threads):
    """Ten times the limits: 50 ms for `readyok`, 100 ms for `bestmove`."""
    process = Process()
    process.send(f"setoption name Threads value {threads}")
    process.send(f"setoption name Game value {game}\nisready\nposition startpos\ngo infinite")
    process.read_until("readyok")
    worst = 0.0
    for _ in range(20):
        start = time.monotonic()
        process.send("isready")
        process.read_until("readyok")
        worst = max(worst, time.monotonic() - start)
    start = time.monotonic()
    process.send("stop")
    process.read_until("bestmove")
    assert worst < 0.5
    assert time.monotonic() - start < 1.0
    assert process.ended()[0] == 0
