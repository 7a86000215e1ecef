"""Two ways to talk to the engine: inside this process, and to a process of its own."""

import os
import re
import select
import subprocess
import sys
import tempfile
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
    """An engine process with pipes, in a process group of its own; killed after `limit_s`."""

    def __init__(self, argv=ENGINE, limit_s=HANG_S, **kwargs):
        # Standard error goes to a file, so that no engine ever waits for somebody to read it.
        self._stderr = tempfile.TemporaryFile()
        self.popen = subprocess.Popen(
            argv,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            start_new_session=True,
            **kwargs,
        )
        self.pid = self.popen.pid
        self._left = b""
        self._watchdog = threading.Timer(limit_s, self.popen.kill)
        self._watchdog.daemon = True
        self._watchdog.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- lines ----

    def send(self, text, end="\n"):
        self.send_bytes(text.encode() + end.encode())

    def send_bytes(self, data):
        """Send bytes as they are, in one write if the pipe has room for them."""
        while data:
            data = data[self.popen.stdin.write(data) :]

    def read_line(self, within=None):
        """Return the next line; None if `within` seconds pass without one."""
        until = None if within is None else time.monotonic() + within
        while b"\n" not in self._left:
            wait = None if until is None else max(0.0, until - time.monotonic())
            if not select.select([self.popen.stdout], [], [], wait)[0]:
                return None
            more = os.read(self.popen.stdout.fileno(), 1 << 16)
            if not more:
                raise AssertionError(f"output ended; left {self._left!r}, errors {self.errors()!r}")
            self._left += more
        raw, _, self._left = self._left.partition(b"\n")
        assert b"\r" not in raw
        return raw.decode()

    def read_until(self, start):
        """Return the lines up to the first that begins with `start`."""
        lines = []
        while not (lines and lines[-1].startswith(start)):
            try:
                lines.append(self.read_line())
            except AssertionError as error:
                raise AssertionError(f"{error}; after {lines}") from None
        return lines

    def read_for(self, seconds):
        """Return the lines that come within some seconds."""
        until = time.monotonic() + seconds
        lines = []
        while (line := self.read_line(max(0.0, until - time.monotonic()))) is not None:
            lines.append(line)
        return lines

    def read_rest(self):
        """Return the lines up to the end of the output."""
        parts = [self._left]
        while parts[-1] or len(parts) == 1:
            parts.append(os.read(self.popen.stdout.fileno(), 1 << 16))
        self._left = b""
        return b"".join(parts).decode().splitlines()

    def ask(self, text, start):
        """Send lines; return those up to the first that begins with `start`."""
        self.send(text)
        return self.read_until(start)

    def seconds(self, text, start):
        """Send lines; return how long the answer that begins with `start` takes."""
        begin = time.monotonic()
        self.ask(text, start)
        return time.monotonic() - begin

    # ---- the process ----

    def cpu_s(self):
        """Return the processor time it has used, in seconds."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_kib(self):
        """Return how much memory of it is in use."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])

    def children(self):
        """Return the ids of the processes it has started, also of those that have ended."""
        tasks = Path(f"/proc/{self.pid}/task").iterdir()
        return [int(word) for task in tasks for word in (task / "children").read_text().split()]

    def has_group(self):
        """Return True while anything of its process group is there."""
        try:
            os.killpg(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def errors(self):
        """Return what it has written to standard error."""
        self._stderr.seek(0)
        return self._stderr.read().decode()

    def ended(self):
        """Close the input and return (exit code, seconds it took, standard error)."""
        start = time.monotonic()
        if not self.popen.stdin.closed:
            self.popen.stdin.close()
        code = self.popen.wait()
        seconds = time.monotonic() - start
        errors = self.errors()
        self.close()
        return code, seconds, errors

    def close(self):
        self._watchdog.cancel()
        self.popen.kill()
        self.popen.wait()
        for stream in (self.popen.stdin, self.popen.stdout, self._stderr):
            stream.close()


def without_times(lines):
    return [re.sub(r"\b(time|nps) \d+", r"\1 *", line) for line in lines]


def bestmoves(lines):
    return [line.split()[1] for line in lines if line.startswith("bestmove")]
