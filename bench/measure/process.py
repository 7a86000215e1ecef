"""Figures on the engine as a process: how soon it is ready, how soon it answers while it thinks."""

import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from bench.contestant import engine_argv
from bench.stats import quantile

Out = dict[str, Any]


def drakkar_argv() -> list[str]:
    """Return the installed command beside this interpreter, or else the module in the tree."""
    installed = Path(sys.executable).with_name("drakkar")
    return [str(installed)] if installed.exists() else engine_argv()


class Pipe:
    """A bare engine process; every line is timed with as little in between as can be."""

    def __init__(self, argv: list[str]) -> None:
        self._process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def ask(self, line: str, answer: str) -> float:
        """Send a line; return the seconds until a line that begins with `answer` has come."""
        assert self._process.stdout is not None
        start = time.perf_counter()
        self.send(line)
        for raw in self._process.stdout:
            if raw.startswith(answer.encode()):
                return time.perf_counter() - start
        raise RuntimeError(f"the engine ended before {answer!r}")

    def send(self, line: str) -> None:
        """Send a line and wait for nothing."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def close(self) -> None:
        """End the process."""
        try:
            self.send("quit")
            self._process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def __enter__(self) -> "Pipe":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def start(out: Out, rounds: int) -> None:
    """Compare the time to `uciok` with that of a bare interpreter doing nothing, in turns."""
    argv = drakkar_argv()
    if shutil.which(argv[0]) is None:
        raise RuntimeError(f"{argv[0]} is not there")
    engine, bare = [], []
    for _ in range(rounds):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)
        bare.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        with Pipe(argv) as pipe:
            pipe.ask("uci", "uciok")
            engine.append(time.perf_counter() - begin)
    out["installed"] = len(argv) == 1
    out["rounds"] = rounds
    out["engine_ms"] = 1000 * statistics.median(engine)
    out["bare_ms"] = 1000 * statistics.median(bare)
    out["ratio"] = statistics.median(e / b for e, b in zip(engine, bare, strict=True))


def latency(out: Out, identity: str, rounds: int) -> None:
    """Measure `isready` and `stop` during `go infinite` from the first view of a game.

    Playouts are longest there. `*_ms` is the slowest of all rounds.
    """
    ready: list[float] = []
    stop: list[float] = []
    with Pipe(engine_argv()) as pipe:
        pipe.ask("uhi", "uhiok")
        pipe.send("setoption name Strict Views value true")
        for number in range(rounds):
            pipe.send(_first_decision(identity, number))
            pipe.ask("isready", "readyok")
            pipe.send("go infinite")
            # Different moments of a search, the first one right at its start.
            time.sleep(0.01 * (number % 8))
            ready.append(1000 * pipe.ask("isready", "readyok"))
            stop.append(1000 * pipe.ask("stop", "bestmove"))
    out.update(rounds=rounds, isready_ms=max(ready), stop_ms=max(stop))
    out.update(isready_median_ms=quantile(ready, 0.5), stop_median_ms=quantile(stop, 0.5))


def _first_decision(identity: str, seed: int) -> str:
    from bench.games import parse_game
    from bench.referee import Referee

    referee = Referee(parse_game(identity), seed)
    return referee.position_line(referee.seat_to_move)
