"""Two ways to talk to the engine: inside this process, and to a process of its own."""

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

from protocol.server import Server

ROOT = Path(__file__).resolve().parent.parent
ENGINE = [sys.executable, str(ROOT / "drakkar.py")]
HANG_S = 20.0

VIEW = "position view kuhn/1 me=p1 moves ~deal@p1=K ~deal@p2=?"
OTHER = "position view kuhn/1 me=p2 moves ~deal@p1=? ~deal@p2=Q p1:bet"


class Talk:
    """An engine inside this process: send it lines, get the lines it prints."""

    def __init__(self, *lines):
        self._in, out = os.pipe()
        self.lines = []
        self._news = threading.Condition()
        self.server = Server(out)
        self._out = out
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.send("setoption name Game value kuhn", *lines)

    def _read(self):
        with os.fdopen(self._in, "rb") as stream:
            for raw in stream:
                with self._news:
                    self.lines.append(raw.decode().removesuffix("\n"))
                    self._news.notify_all()

    def wait_for(self, start, count=1):
        """Return the lines so far once `count` of them begin with `start`."""
        with self._news:
            found = self._news.wait_for(
                lambda: sum(x.startswith(start) for x in self.lines) >= count, HANG_S
            )
        assert found, f"no {start!r} among {self.lines}"
        return list(self.lines)

    def send(self, *lines):
        for line in lines:
            assert self.server.handle(line)

    def ask(self, *lines):
        """Send lines and return all that is printed until `go` and the lines are answered."""
        self.send(*lines)
        if self.server.job is not None and not self.server.job.holds_back:
            assert self.server.job.done.wait(HANG_S)
        self.server.writer.write("end of answer")
        out = self.wait_for("end of answer")
        with self._news:
            self.lines.clear()
        return out[:-1]

    def close(self):
        self.server.handle("stop")
        os.close(self._out)
        self._reader.join(HANG_S)


class Process:
    """An engine process with pipes."""

    def __init__(self, **kwargs):
        self.popen = subprocess.Popen(
            ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kwargs
        )
        self._watchdog = threading.Timer(HANG_S, self.popen.kill)
        self._watchdog.start()

    def send(self, text, end="\n"):
        self.popen.stdin.write(text.encode() + end.encode())
        self.popen.stdin.flush()

    def read_until(self, start):
        """Return the lines up to the first that begins with `start`."""
        lines = []
        while not (lines and lines[-1].startswith(start)):
            raw = self.popen.stdout.readline()
            assert raw, f"output ended after {lines}"
            assert b"\r" not in raw
            lines.append(raw.decode().removesuffix("\n"))
        return lines

    def ended(self):
        """Close the input and return (exit code, seconds it took, standard error)."""
        start = time.monotonic()
        if not self.popen.stdin.closed:
            self.popen.stdin.close()
        code = self.popen.wait()
        seconds = time.monotonic() - start
        errors = self.popen.stderr.read().decode()
        self.close()
        return code, seconds, errors

    def close(self):
        self._watchdog.cancel()
        self.popen.kill()
        self.popen.wait()
        for stream in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            stream.close()


def without_times(lines):
    return [re.sub(r"\b(time|nps) \d+", r"\1 *", line) for line in lines]


def bestmoves(lines):
    return [line.split()[1] for line in lines if line.startswith("bestmove")]
