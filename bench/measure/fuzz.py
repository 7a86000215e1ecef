"""Fuzz the engine process: 10^6 lines of broken sessions, and it neither falls nor hangs nor leaks.

    python -m bench.measure.fuzz --lines 1000000 --seed 1
    python -m bench.measure.fuzz --seconds 60 --seed 2

The corpus goes first as it is (its sessions include all that ever broke the engine), then endless
mixtures of it with lines of the grammar, broken and cut in many ways; fuzz_lines.py and fuzz_mix.py
tell how. All bytes follow from the seed. What counts as a fault is in fuzz_engine.py: the process
ends, leaves a probe unanswered, answers a command not exactly once, prints what is no line of the
protocol or anything at all on standard error, confesses an internal error, or keeps memory.

A fault is printed with the lines that lead to it, made as few as a minute allows, in the form of a
corpus file; the exit code is 1. The last line of the output is one JSON object with the figures.
"""

import argparse
import json
import math
import shlex
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain

from bench.contestant import engine_argv
from bench.measure.fuzz_engine import Fault, FuzzedEngine
from bench.measure.fuzz_lines import escaped, read_corpus
from bench.measure.fuzz_mix import Batch, Mixer
from bench.registry import Out

HANG_S = 1.0  # that a probe may wait
MOST_FAULTS = 5  # then it is enough
GROWTH_MB = 20.0
WARM_LINES = 50_000  # before memory is looked at for the first time, or a fifth of a shorter run
BATCHES_PER_SYNC = 8
SYNC = (b"stop", b"isready")
# Now and then a search goes on for long enough to report, with whatever options there are.
BATCHES_PER_THINK = 96
THINK = (b"position fen lofoten/1 seed=1", b"go infinite", b"isready")
THINK_S = 0.25
LINES_SHOWN = 30
BATCHES_KEPT = 100
MINIMISE_S = 60.0
# Lines that have the same memory in use whenever they are sent, behind a reset of the options.
SETTLE = (
    *(b"uci", b"uhinewgame", b"position fen kuhn/1 seed=1", b"go nodes 100"),
    *(b"position fen lofoten/1 seed=1", b"go nodes 100 multipv 5", b"stop", b"isready"),
)
# The end of a run, by its seed: a line that lacks its LF, a search under way, or `quit`.
LAST_WORDS = (
    b"quit\n||query turn|position startpos\ngo infinite\nisready|go infinite\nquit|go nodes 5|"
    b"\xff\xfe\0|position startpos\ngo movetime 100000"
).split(b"|")


class Run:
    """One run of the fuzzer and what it has found."""

    def __init__(self, argv: list[str], lines: float, seconds: float, seed: int) -> None:
        self.argv, self._lines, self._seconds = argv, lines, seconds
        self.mixer = Mixer(seed, read_corpus())
        self.faults: list[Out] = []
        self.probes = 0
        self.slowest_s = self.growth_mb = 0.0
        self._last_words = LAST_WORDS[seed % len(LAST_WORDS)]
        self._start = time.monotonic()

    def _progress(self) -> float:
        """Return how much of the run is over, 1 at its end."""
        spent = time.monotonic() - self._start
        return max(self.mixer.lines / self._lines, spent / self._seconds)

    def play(self) -> None:
        """Send lines until the run is over; go on with a new process after a fault."""
        batches = chain(self.mixer.verbatim(), iter(self.mixer.batch, None))
        while self._progress() < 1 and len(self.faults) < MOST_FAULTS:
            history: deque[Batch] = deque(maxlen=BATCHES_KEPT)
            with FuzzedEngine(self.argv, HANG_S) as engine:
                try:
                    self._feed(engine, batches, history)
                except Fault as fault:
                    self._note(fault, history)
                self.slowest_s = max(self.slowest_s, engine.slowest_s)

    def _feed(self, engine: FuzzedEngine, batches: Iterator[Batch], history: deque[Batch]) -> None:
        """Send batches to one process until the run is over, then let it leave."""
        warm_mb = 0.0
        for batch in batches:
            history.append(batch)
            engine.send(batch)
            self.probes += 1
            if self.probes % BATCHES_PER_THINK == 0:
                engine.send(Batch(THINK))
                time.sleep(THINK_S)
            if self.probes % BATCHES_PER_SYNC == 0:
                engine.send(Batch(SYNC), is_idle=True)
            if not warm_mb and (self._progress() > 0.2 or self.mixer.lines > WARM_LINES):
                warm_mb = self._settled_mb(engine)
            if self._progress() >= 1:
                break
        if warm_mb:
            self.growth_mb = max(self.growth_mb, self._settled_mb(engine) - warm_mb)
            if self.growth_mb > GROWTH_MB:
                raise Fault("memory", f"{self.growth_mb:.1f} MB more than when it was warm")
        history.append(Batch(self._last_words.split(b"\n")))
        engine.leave(self._last_words)

    def _settled_mb(self, engine: FuzzedEngine) -> float:
        """Return the memory in use with all options at their defaults, after the same work."""
        reset = [line.encode() for line in self.mixer.grammar.reset()]
        engine.send(Batch([b"stop", *reset, *SETTLE]), is_idle=True)
        return engine.memory_mb()

    def _note(self, fault: Fault, history: Sequence[Batch]) -> None:
        """Keep a fault with the lines that lead to it."""
        # Of memory the whole run is the reason.
        lines = [] if fault.kind == "memory" else shortest(self.argv, fault, history)
        last = [line for batch in list(history)[-2:] for line in batch.lines][-LINES_SHOWN:]
        self.faults.append(
            {
                "kind": fault.kind,
                "text": str(fault),
                "repeated": bool(lines),
                "lines": [escaped(line) for line in lines or last],
            }
        )


def fuzz(
    out: Out,
    lines: float,
    seed: int,
    seconds: float = math.inf,
    argv: list[str] | None = None,
) -> None:
    """Fuzz an engine, ours if `argv` names no other, for so many lines or seconds.

    Fills in `lines`, `lines_per_s`, `gos`, `probes`, `slowest_probe_ms`, `growth_mb`, the number of
    `faults`, and `found`, the faults themselves.
    """
    start = time.monotonic()
    run = Run(argv or engine_argv(), lines, seconds, seed)
    run.play()
    spent = time.monotonic() - start
    out.update(seed=seed, lines=run.mixer.lines, gos=run.mixer.gos, probes=run.probes)
    out.update(seconds=round(spent, 1), lines_per_s=round(run.mixer.lines / spent))
    out.update(slowest_probe_ms=round(1000 * run.slowest_s, 1), growth_mb=round(run.growth_mb, 2))
    out.update(faults=len(run.faults), found=run.faults)


def shortest(argv: list[str], fault: Fault, history: Sequence[Batch]) -> list[bytes]:
    """Return as few of the lines as still lead to a fault of that kind; none if it won't repeat."""
    ends_at = time.monotonic() + MINIMISE_S
    lines: list[bytes] = []
    for kept in (1, 10, len(history)):
        lines = [line for batch in list(history)[-kept:] for line in batch.lines]
        if leads_to(argv, lines, fault.kind):
            break
    else:
        return []
    size = len(lines)
    while size > 1:
        size = (size + 1) // 2
        at = 0
        while at < len(lines) and time.monotonic() < ends_at:
            fewer = lines[:at] + lines[at + size :]
            if leads_to(argv, fewer, fault.kind):
                lines = fewer
            else:
                at += size
    return lines


def leads_to(argv: list[str], lines: Sequence[bytes], kind: str) -> bool:
    """Return True if a new process that is sent the lines has a fault of that kind."""
    with FuzzedEngine(argv, HANG_S) as engine:
        try:
            engine.send(Batch([*lines, b"isready"]))
            engine.send(Batch(SYNC), is_idle=True)
            engine.leave(b"")
        except Fault as fault:
            return fault.kind == kind
    return False


def main(arguments: list[str] | None = None) -> int:
    """Fuzz from the command line; return 1 if there was a fault."""
    parser = argparse.ArgumentParser(prog="python -m bench.measure.fuzz", description=__doc__)
    parser.add_argument("--lines", type=float, default=math.inf)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", help="command line of another engine")
    options = parser.parse_args(arguments)
    if math.isinf(options.lines) and math.isinf(options.seconds):
        parser.error("say how long: --lines or --seconds")
    argv = shlex.split(options.engine) if options.engine else None
    out: Out = {}
    fuzz(out, options.lines, options.seed, options.seconds, argv)
    for fault in out["found"]:
        print(f"# {fault['kind']}: {fault['text']}")
        if not fault["repeated"]:
            print("# only a whole run shows it; its last lines:")
        print(*fault["lines"], sep="\n", end="\n\n")
    print(json.dumps({key: value for key, value in out.items() if key != "found"}))
    return 1 if out["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
