"""Figures on the engine as a process: how soon it is ready, how soon it answers while it thinks."""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.contestant import engine_argv
from bench.registry import Out
from bench.statistics.basics import quantile

ROOT = Path(__file__).resolve().parents[2]


def clean_environment() -> dict[str, str]:
    """Return the variables of this process but for PYTHONPATH, which would hide an installation."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def install_wheel(folder: Path) -> Path | None:
    """Build a wheel of the sources, install it in an environment in `folder`; return its Python.

    None where that is not possible: without pip, setuptools and Cython, or without the sources.
    """
    sources, environment = folder / "sources", folder / "environment"
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = ["wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", str(folder)]
    steps = [
        [sys.executable, "setup.py", "--quiet", "sdist", "--dist-dir", str(sources)],
        [*pip, *wheel, "--no-index", "--find-links", str(sources), "drakkar"],
        [sys.executable, "-m", "venv", "--without-pip", str(environment)],
        [*pip, "--python", str(python), "install", "--no-deps", "--no-index"]
        + ["--find-links", str(folder), "drakkar"],
    ]
    for step in steps:
        try:
            done = subprocess.run(
                step, cwd=ROOT, env=clean_environment(), capture_output=True, text=True, check=False
            )
        except OSError:
            return None
        if done.returncode:
            print(f"no wheel: {done.stderr[-500:]}", file=sys.stderr)
            return None
    return python


class Pipe:
    """A bare engine process; every line is timed with as little in between as can be."""

    def __init__(self, argv: list[str]) -> None:
        self._process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=clean_environment(),
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


def start(out: Out, rounds: int, wheel: bool = True) -> None:
    """Compare the time to `uciok` with that of a bare interpreter doing nothing, in turns.

    Measured is an installed wheel, built for the purpose, unless `wheel` is false or it can't be
    built; then this interpreter with the sources. `install` says which it was.
    """
    with TemporaryDirectory() as folder:
        python = install_wheel(Path(folder)) if wheel else None
        out["install"] = "sources" if python is None else "wheel"
        if python is None:
            _compare(out, rounds, engine_argv(), sys.executable)
        else:
            _compare(out, rounds, [str(python.with_name("drakkar"))], str(python))


def _compare(out: Out, rounds: int, argv: list[str], python: str) -> None:
    engine, bare = [], []
    for _ in range(rounds):
        begin = time.perf_counter()
        subprocess.run([python, "-I", "-S", "-c", "pass"], check=True)
        bare.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        with Pipe(argv) as pipe:
            pipe.ask("uci", "uciok")
            engine.append(time.perf_counter() - begin)
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


def endurance(out: Out, identity: str, seconds: float, hash_mb: int = 8192) -> None:
    """Ask `isready` all through one long search that fills gigabytes, and while they are freed.

    Playouts of length 0 make the tree grow as fast as it can. After `stop` a new game and another
    search follow at once, so that the old tree is given back meanwhile; then the same with two
    threads, for a third of the time. `*_ms` is the slowest of all.
    """
    ready: list[float] = []
    stop: list[float] = []
    with Pipe(engine_argv()) as pipe:
        pipe.ask("uhi", "uhiok")
        for option, value in (("Hash", hash_mb), ("Playout Plies", 0)):
            pipe.send(f"setoption name {option} value {value}")
        for threads, duration in ((1, seconds), (2, seconds / 3)):
            pipe.send(f"setoption name Threads value {threads}")
            pipe.send(_first_decision(identity, threads))
            pipe.ask("isready", "readyok")
            for length in (duration, 1.0):
                pipe.send("go infinite")
                end = time.monotonic() + length
                while time.monotonic() < end:
                    ready.append(1000 * pipe.ask("isready", "readyok"))
                    time.sleep(0.02)
                stop.append(1000 * pipe.ask("stop", "bestmove"))
                pipe.send("uhinewgame")
                pipe.send(_first_decision(identity, threads))
    out.update(seconds=seconds, hash_mb=hash_mb, pings=len(ready))
    out.update(isready_ms=max(ready), stop_ms=max(stop))
    out.update(isready_median_ms=quantile(ready, 0.5), isready_p99_ms=quantile(ready, 0.99))


def _first_decision(identity: str, seed: int) -> str:
    from bench.games import parse_game
    from bench.referee.referee import Referee

    referee = Referee(parse_game(identity), seed)
    return referee.position_line(referee.seat_to_move)
