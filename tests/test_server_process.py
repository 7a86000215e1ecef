"""The engine as a process: leaving, bytes and lines, latency."""

import contextlib
import fcntl
import os
import resource
import signal
import subprocess
import sys
import time

import pytest
from field_cases import V1, ready
from talking import ENGINE, HANG_S, ROOT, VIEW, Process, bestmoves

import engine
from protocol.options import most_threads

SOON_S = 1.0
# What the engine does when it is told to leave, and whether it prints something by itself then.
SITUATIONS = {
    "idle": "",
    "timed": f"{VIEW}\ngo movetime 60000\n",
    "infinite": f"setoption name Threads value {most_threads()}\nposition {V1}\ngo infinite\n",
    "ponder": f"position {V1}\ngo ponder p1time 60000 p2time 60000\n",
    "held back": f"{VIEW} bet bet\ngo infinite\n",
    "half a line": "",
}
HALF_A_LINE = f"position view lofoten/1 me=p1 moves {'~tile=F2o ' * 50000}~ti"


@pytest.mark.parametrize(
    "how", ["quit", "end of input", "output closed", "both closed", "SIGTERM", "SIGINT"]
)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_leaving(situation, how):
    """Within a second, code 0, nothing on standard error, and nothing of it is left."""
    with ready() as process:
        process.send(f"{SITUATIONS[situation]}isready")
        process.read_until("readyok")
        if situation in ("infinite", "ponder"):
            process.read_until("info depth")
        if situation == "half a line":
            process.send(HALF_A_LINE, end="")
            time.sleep(0.05)
        assert process.children() == []
        start = time.monotonic()
        if how in ("output closed", "both closed"):
            process.popen.stdout.close()
        if how in ("end of input", "both closed"):
            process.popen.stdin.close()
        if how == "quit":
            process.send("\nquit" if situation == "half a line" else "quit")
        elif how == "output closed" and situation in ("idle", "held back", "half a line"):
            # A report that comes just then lets it leave before it is asked.
            with contextlib.suppress(BrokenPipeError):
                process.send("\nisready")
        elif how.startswith("SIG"):
            process.popen.send_signal(getattr(signal, how))
        assert process.popen.wait() == 0
        assert time.monotonic() - start < SOON_S
        assert process.errors() == ""
        assert not process.has_group()


@pytest.mark.parametrize("how", ["end of input", "output closed", "SIGTERM", "SIGINT"])
def test_leaving_while_nobody_reads(how):
    """The pipe is full and the engine waits for its reader."""
    with ready(limit_s=5) as process:
        fcntl.fcntl(process.popen.stdout, fcntl.F_SETPIPE_SZ, 4096)
        process.send(f"position {V1}\ngo infinite\nuhi\nuhi\nstop")
        time.sleep(0.2)
        start = time.monotonic()
        if how == "output closed":
            process.popen.stdout.close()
        elif how == "end of input":
            process.popen.stdin.close()
        else:
            process.popen.send_signal(getattr(signal, how))
        assert process.popen.wait() == 0
        assert time.monotonic() - start < SOON_S
        assert process.errors() == ""


def test_signals_one_after_another():
    with ready(f"position {V1}", "go infinite") as process:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            process.popen.send_signal(number)
        assert process.popen.wait() == 0
        assert process.errors() == ""


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
    process.send_bytes(b"uhi\nposition view \xff\xfe\x00\nxy\x80\nisready\n")
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


@pytest.mark.serial
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


@pytest.mark.parametrize("situation", ["idle", "held back", "infinite"])
def test_a_closed_output_is_noticed_without_a_write(situation):
    """Nothing is sent and nothing has to be printed."""
    with ready() as process:
        process.send(SITUATIONS[situation])
        time.sleep(0.05)
        start = time.monotonic()
        process.popen.stdout.close()
        assert process.popen.wait() == 0
        assert time.monotonic() - start < SOON_S
        assert process.errors() == ""


def test_a_line_in_single_bytes_costs_no_more_than_its_length():
    """Forty thousand writes of a byte; it used to be the square of that."""
    with ready() as process:
        before = process.cpu_s()
        for _ in range(40_000):
            os.write(process.popen.stdin.fileno(), b"x")
        process.send("\nisready")
        process.read_until("readyok")
        assert process.cpu_s() - before < 3


def test_a_byte_order_mark_is_no_part_of_the_first_word():
    done = subprocess.run(ENGINE, input=b"\xef\xbb\xbfuhi\n", capture_output=True, timeout=HANG_S)
    assert done.stdout.endswith(b"uhiok\n")


def test_an_input_that_others_set_nonblocking_has_not_ended():
    """As a program can do that shares the terminal."""
    source, sink = os.pipe()
    with subprocess.Popen(ENGINE, stdin=source, stdout=subprocess.PIPE) as popen:
        for _ in range(3):
            os.write(sink, b"isready\n")
            assert popen.stdout.readline() == b"readyok\n"
            os.set_blocking(source, False)
            time.sleep(0.05)
        os.close(sink)
        assert popen.wait(HANG_S) == 0
    os.close(source)


def test_a_log_that_takes_no_more_is_told_of(tmp_path):
    """A limit on the size of files stands for a full disk."""
    with ready(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))) as process:
        process.send(
            f"setoption name Debug Log File value {tmp_path / 'log'}\nisready\n" + "x" * 99
        )
        process.read_until("info string the log file takes no more and is closed")
        process.send("isready")
        process.read_until("readyok")
