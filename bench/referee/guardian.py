"""Sees to it that nothing an engine has started outlives it, or any engine the referee.

Engines run in process groups of their own and end with the thread that started them, but a child in
a session of its own escapes both. Therefore each engine gets a word in its environment, which all
its descendants inherit, and a small process, this module run as a script, kills whatever has that
word: of one engine when it is told so, of all when the pipe to it closes, in whatever way the
process at the other end came to its end. It kills nothing else. Where there is no /proc, and for
children that clear their environment, only the groups remain.
"""

import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping

VARIABLE = "DRAKKAR_ENGINE"
"""The environment variable that holds the word."""

REPEAT_S = 3.0
"""Seconds for which processes that come up late are looked for, once the pipe has closed."""

_PAUSE_S = 0.05
_CLOSE_S = REPEAT_S + 2.0
# Said by a process that closes the pipe itself, with nothing under way.
_END = b"end"


class Guardian:
    """The process that watches over the engines of a run; `start` it before the first of them."""

    def __init__(self) -> None:
        self._run = os.urandom(8).hex()
        self._marks: dict[str, str] = {}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """Its process id; None where there is no /proc, or before the start."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start the process."""
        import subprocess

        if not os.path.exists("/proc/self/environ"):
            return
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", os.path.abspath(__file__), self._run],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
        )
        assert self._process.stdin is not None
        # An engine may have stopped it: that must not stop us.
        os.set_blocking(self._process.stdin.fileno(), False)

    def env_for(self, name: str) -> "Mapping[str, str]":
        """Return the environment to start an engine with; `name` is what `reap` calls it."""
        mark = self._marks[name] = f"{self._run}.{os.urandom(8).hex()}"
        return {**os.environ, VARIABLE: mark}

    def reap(self, name: str) -> None:
        """Have everything killed that an engine has left behind; the engine itself, too."""
        mark = self._marks.pop(name, None)
        if mark is not None:
            self._tell(mark.encode())

    def close(self) -> None:
        """Have everything killed that is left of any engine, and end the process."""
        import subprocess

        if self._process is None:
            return
        self._tell(_END)
        process, self._process = self._process, None
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(_CLOSE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _tell(self, word: bytes) -> None:
        """Send a line; a guardian that somebody has killed is done without."""
        if self._process is not None:
            assert self._process.stdin is not None
            try:
                self._process.stdin.write(word + b"\n")
            except OSError:
                pass


# ---- the process ----


def watch(run: str) -> None:
    """Read marks line by line and kill what has them, until the end of the input; then all."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    rest, is_done = b"", False
    while data := os.read(0, 1 << 16):
        *lines, rest = (rest + data).split(b"\n")
        is_done = is_done or _END in lines
        words = {line for line in lines if line.startswith(f"{run}.".encode())}
        if words:
            _kill_all(words)
    deadline = time.monotonic() + REPEAT_S
    while True:
        found = _kill_marked({run.encode()})
        if time.monotonic() > deadline or (is_done and not found):
            return
        time.sleep(_PAUSE_S)


def _kill_all(words: set[bytes]) -> None:
    """Kill the processes with some marks, and again those that were born meanwhile."""
    deadline = time.monotonic() + REPEAT_S
    while _kill_marked(words) and time.monotonic() < deadline:
        time.sleep(_PAUSE_S / 10)


def _kill_marked(words: set[bytes]) -> int:
    """Kill the processes that have one of some marks, or marks of one of some runs; count them."""
    found = 0
    for name in os.listdir("/proc"):
        if name.isdigit() and _is_marked(name, words):
            try:
                # The process may have ended since, and another one have its number.
                handle = os.pidfd_open(int(name))
            except OSError:
                continue
            try:
                if _is_marked(name, words):
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
                    found += 1
            except OSError:
                pass
            finally:
                os.close(handle)
    return found


def _is_marked(pid: str, words: set[bytes]) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb", buffering=0) as file:
            environment = file.read()
    except OSError:
        return False
    _, found, behind = (b"\0" + environment).partition(f"\0{VARIABLE}=".encode())
    mark = behind.partition(b"\0")[0]
    return bool(found) and (mark in words or mark.partition(b".")[0] in words)


if __name__ == "__main__":
    watch(sys.argv[1])


__all__ = ["REPEAT_S", "VARIABLE", "Guardian", "watch"]
