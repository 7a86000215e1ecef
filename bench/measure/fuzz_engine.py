"""The engine process under the fuzzer: bytes in, and a strict look at every byte that comes out."""

import os
import re
import select
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

import engine
from bench.measure.fuzz_mix import Batch, answered_by

CODES = (
    "parse|unknown-command|bad-option|bad-value|bad-position|inconsistent-view|illegal-move|"
    "no-position|unsupported|internal"
)
MOVE = r"[A-Za-z0-9][A-Za-z0-9+=.:@#/()_-]{0,63}"
# Every line that may be printed.
OUTPUT = re.compile(
    rf"readyok|response [!-~]+|error (?:{CODES}) \S.*|info string(?: .*)?"
    rf"|bestmove {MOVE}(?: ponder {MOVE})?(?: id \S{{1,64}})?"
    rf"|info depth \d+ seldepth \d+ multipv \d+ nodes \d+ worlds \d+ nps \d+ hashfull \d+ time \d+"
    rf" score cp -?\d+(?: wdl \d+ \d+ \d+)?(?: se \d+)?(?: solved 1)? pv(?: {MOVE})+"
    r"|id (?:name|author) \S.*|uciok|ugiok|uhiok|feature [a-z]+=\S+|game \w+/\d+(?: [\w-]+=\S+)*"
    r"|option name \S.* type (?:check|spin|combo|string) default \S.*|option name \S.* type button"
)
INTERNAL = ("error internal ", "info string error internal ")
LONGEST_REMARK = 2000  # characters of an error or remark
CLOSED_S = 1.0  # that the process may take to leave


class Fault(Exception):
    """What the engine must not do: a kind, and what happened."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class FuzzedEngine:
    """An engine process in a folder of its own. Its methods raise Fault at whatever is wrong."""

    def __init__(self, argv: list[str], hang_s: float) -> None:
        self._folder = tempfile.TemporaryDirectory()
        _write_card_files(Path(self._folder.name))
        self._stderr = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            argv,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            cwd=self._folder.name,
            start_new_session=True,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        self._hang_s = hang_s
        self._left = b""
        self._due: Counter[str] = Counter()
        self._seen: Counter[str] = Counter()
        self.slowest_s = 0.0

    def __enter__(self) -> "FuzzedEngine":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._stderr):
            if stream is not None:
                stream.close()
        self._folder.cleanup()

    def send(self, batch: Batch, is_idle: bool = False) -> None:
        """Send a batch, wait until its probe is answered, and look at the answers.

        `is_idle` tells that no search can run behind it, so that every `go` has its answer.
        """
        for command, words in batch.commands:
            self._due[answered_by(command, words)] += 1
        for packet in batch.packets:
            self._write(packet)
        start = time.monotonic()
        while self._seen["readyok"] < self._due["readyok"]:
            self._read(start, "no readyok")
        self.slowest_s = max(self.slowest_s, time.monotonic() - start)
        self._compare(is_idle)

    def _write(self, data: bytes) -> None:
        """Write all of a packet; meanwhile read what comes."""
        poller = select.poll()
        poller.register(self._in, select.POLLOUT)
        poller.register(self._out, select.POLLIN)
        start = time.monotonic()
        while data:
            ready = dict(poller.poll(1000 * self._hang_s))
            if self._out in ready:
                self._read(start, "")
            if ready.get(self._in, 0) & select.POLLOUT:
                data = data[os.write(self._in, data) :]
                start = time.monotonic()
            elif self._in in ready:
                raise self._died()
            elif time.monotonic() - start > self._hang_s:
                raise Fault("hang", f"it has not read its input for {self._hang_s:g} s")

    def _read(self, start: float, complaint: str) -> None:
        """Read what has come; wait for it until the patience that began at `start` is over."""
        wait = self._hang_s - (time.monotonic() - start)
        if not select.select([self._out], [], [], max(0.0, wait))[0]:
            raise Fault("hang", f"{complaint} for {self._hang_s:g} s")
        data = os.read(self._out, 1 << 18)
        if not data:
            raise self._died()
        lines = (self._left + data).split(b"\n")
        self._left = lines.pop()
        for line in lines:
            self._look_at(line)

    def _look_at(self, raw: bytes) -> None:
        """Count a line of output; Fault if it may not be printed."""
        try:
            line = raw.decode()
        except UnicodeDecodeError:
            raise Fault("output", f"no UTF-8: {raw[:200]!r}") from None
        if not OUTPUT.fullmatch(line) or not line.isprintable():
            raise Fault("output", f"not in the grammar: {line[:300]!r}")
        if line.startswith(INTERNAL):
            raise Fault("internal", line[:300])
        if line.startswith(("error ", "info string ")) and len(line) > LONGEST_REMARK:
            raise Fault("output", f"a line of {len(line)} characters: {line[:100]!r}")
        self._seen[line.partition(" ")[0]] += 1

    def _compare(self, is_idle: bool) -> None:
        """Compare what was asked with what was answered."""
        for answer in ("readyok", "response", "uciok", "ugiok", "uhiok"):
            due, seen = self._due[answer], self._seen[answer]
            if due != seen:
                raise Fault("count", f"{seen} {answer}, {due} were due")
        due, seen = self._due["bestmove"], self._seen["bestmove"]
        if seen != due and (is_idle or seen != due - 1):
            raise Fault("count", f"{seen} bestmove for {due} go")
        self._look_at_stderr()

    def _look_at_stderr(self) -> None:
        if os.fstat(self._stderr.fileno()).st_size:
            raise Fault("stderr", repr(self._errors()[-1000:]))

    def _errors(self) -> str:
        self._stderr.seek(0)
        return self._stderr.read().decode("utf-8", "replace")

    def _died(self) -> Fault:
        try:
            code = self._process.wait(CLOSED_S)
        except subprocess.TimeoutExpired:
            return Fault("exit", "it has closed a pipe")
        return Fault("exit", f"exit code {code}, standard error {self._errors()[-1000:]!r}")

    def memory_mb(self) -> float:
        """Return how much memory is in use, in 10^6 bytes."""
        status = Path(f"/proc/{self._process.pid}/status").read_text("ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024 / 1e6

    def leave(self, last: bytes) -> None:
        """Send the last bytes, close the input, and see the process end as it should."""
        assert self._process.stdin is not None
        start = time.monotonic()
        self._write(last)
        self._process.stdin.close()
        data = b""
        while time.monotonic() - start < CLOSED_S:
            if select.select([self._out], [], [], 0.1)[0]:
                data = os.read(self._out, 1 << 18)
                if not data:
                    break
                self._left += data
        try:
            code = self._process.wait(max(0.0, CLOSED_S - (time.monotonic() - start)))
        except subprocess.TimeoutExpired:
            raise Fault("end", f"it is still there after {CLOSED_S:g} s") from None
        if code:
            raise Fault("end", f"exit code {code}")
        lines = self._left.split(b"\n")
        if lines.pop():
            raise Fault("end", "its last line has no end")
        for line in lines:
            self._look_at(line)
        self._look_at_stderr()


def _write_card_files(folder: Path) -> None:
    """Write a card file as shipped, one with other cards, and a broken one."""
    name = next(name for name in engine.available() if engine.has_cards(name))
    shipped = Path(engine.__file__).parent / "games" / name / "data.toml"
    text = shipped.read_text("utf-8")
    (folder / "cards.toml").write_text(text, "utf-8")
    (folder / "other.toml").write_text(text.replace("[3, 3, 3]", "[2, 4, 3]", 1), "utf-8")
    (folder / "broken.toml").write_text(text[: len(text) // 2], "utf-8")
