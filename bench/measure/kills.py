"""Tournaments whose manager is killed again and again: nothing is lost, doubled or left behind."""

import json
import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.contestant import engine_argv
from bench.registry import Out

FORMATS = {
    "match": ("", 60, 2),
    "round_robin": ("", 10, 4),
    "gauntlet": ("", 20, 4),
    "swiss": ("rounds = 3\n", 10, 4),
    "knockout": ("", 20, 4),
}
"""Formats: more of their settings, blocks of a pairing, engines; 60 blocks in all with these."""

PRESETS = ("random", "greedy", "vanilla", "drakkar")
LEFT_S = 3.0
"""Seconds after which no engine may be left."""
_TOKEN = "DRAKKAR_KILLS"
_HANG_S = 300.0
# What differs between two runs that play the same.
_PASSING = ("seconds", "eta_s", "lag_p99_ms", "latency_ms")


def kills(
    out: Out,
    formats: Sequence[str] = tuple(FORMATS),
    number: int = 10,
    blocks: int | None = None,
    game: str = "kuhn",
    seed: int = 1,
) -> None:
    """Play each tournament undisturbed, and once more with `number` kills; write what differs.

    The manager gets SIGKILL at random moments and is resumed. `differing_standings` and
    `differing_records` count tournaments, `doubled_games` and `missing_games` lines of journals,
    `engines_left` processes that were alive 3 s after a kill; `slowest_end_s` is the longest that
    any was alive. `blocks` are those of a pairing, in place of the usual number.
    """
    moments = random.Random(seed)
    totals: Counter[str] = Counter()
    slowest = 0.0
    for form in formats:
        with TemporaryDirectory() as folder:
            run = _Tournament(Path(folder), form, blocks, game)
            whole = run.undisturbed()
            disturbed, ends = run.disturbed(moments, number, whole.games)
        slowest = max(slowest, *(seconds for _, seconds in ends))
        totals["tournaments"] += 1
        totals["blocks"] += whole.blocks
        totals["kills"] += len(ends)
        totals["engines_left"] += sum(left for left, _ in ends)
        totals["differing_standings"] += disturbed.standings != whole.standings
        totals["differing_records"] += disturbed.record != whole.record
        totals["doubled_games"] += sum(n - 1 for n in disturbed.lines.values())
        totals["missing_games"] += len(whole.lines.keys() - disturbed.lines.keys())
        totals["failed_ends"] += disturbed.code != 0 or whole.code != 0
    out.update(totals)
    for key in ("engines_left", "differing_standings", "differing_records", "doubled_games"):
        out.setdefault(key, 0)
    out["slowest_end_s"] = round(slowest, 3)


class Played:
    """What a tournament has left behind: exit code, record, games of its journal, standings."""

    def __init__(self, files: "_Files", code: int) -> None:
        self.code = code
        self.record = files.record.read_bytes()
        lines = [json.loads(line) for line in files.journal.read_bytes().splitlines()]
        self.lines = Counter((x["block"], x["game"]) for x in lines if "events" in x)
        self.games = len(self.lines)
        events = [json.loads(line) for line in files.events.read_bytes().splitlines()]
        last = [event for event in events if event["event"] == "standings"][-1]
        self.standings = {key: value for key, value in last.items() if key not in _PASSING}
        self.blocks: int = last["blocks"]


class _Files:
    """The files of one run."""

    def __init__(self, folder: Path, name: str) -> None:
        self.journal, self.record, self.events = (
            folder / f"{name}.{kind}.jsonl" for kind in ("journal", "record", "events")
        )


class _Tournament:
    """A tournament and the folder of its files."""

    def __init__(self, folder: Path, form: str, blocks: int | None, game: str) -> None:
        more, usual, engines = FORMATS[form]
        self._folder = folder
        self._file = folder / "tournament.toml"
        head = f'game = "{game}"\nformat = "{form}"\nblocks = {blocks or usual}\n'
        names = PRESETS[:engines]
        contestants = "".join(f'[[engine]]\npreset = "{name}"\n' for name in names)
        text = f"{head}{more}nodes = 5\nseed = 7\nconcurrency = 2\n{contestants}"
        self._file.write_text(text, encoding="utf-8")
        self._token = f"{_TOKEN}={os.getpid()}.{id(self)}"

    def _start(self, files: _Files) -> subprocess.Popen[bytes]:
        """Start the manager; it goes on with the journal if there is one."""
        command = [*engine_argv(), "tournament", str(self._file), "--quiet"]
        command += ["--journal", str(files.journal), "--record", str(files.record)]
        command += ["--events", str(files.events)]
        if files.journal.exists():
            command.append("--resume")
        name, _, value = self._token.partition("=")
        return subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, name: value},
        )

    def undisturbed(self) -> Played:
        """Play it to its end."""
        files = _Files(self._folder, "whole")
        return Played(files, self._start(files).wait(_HANG_S))

    def disturbed(
        self, moments: random.Random, number: int, games: int
    ) -> tuple[Played, list[tuple[int, float]]]:
        """Play it with kills; return what is left, and of each kill how its engines ended."""
        files = _Files(self._folder, "killed")
        ends = []
        for wanted in sorted(moments.sample(range(max(number, games * 9 // 10)), number)):
            manager = self._start(files)
            self._wait_for(files.journal, wanted, manager)
            time.sleep(0.05 * moments.random())
            manager.send_signal(signal.SIGKILL)
            if manager.wait(_HANG_S) == -signal.SIGKILL:
                ends.append(self._end_of_engines())
        return Played(files, self._start(files).wait(_HANG_S)), ends

    def _wait_for(self, journal: Path, games: int, manager: subprocess.Popen[bytes]) -> None:
        """Wait until the journal has so many games."""
        deadline = time.monotonic() + _HANG_S
        while manager.poll() is None and time.monotonic() < deadline:
            if not games or (journal.exists() and _count_games(journal) >= games):
                return
            time.sleep(0.005)

    def _end_of_engines(self) -> tuple[int, float]:
        """Return how many engines are left after 3 s, and after how long none was left."""
        start = time.monotonic()
        while True:
            left = list(self._processes())
            seconds = time.monotonic() - start
            if not left or seconds > LEFT_S:
                return len(left), seconds
            time.sleep(0.02)

    def _processes(self) -> Iterator[int]:
        """Yield the processes of this tournament but for the guardian, which ends the others."""
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if self._token.encode() not in (entry / "environ").read_bytes().split(b"\0"):
                    continue
                if b"guardian.py" not in (entry / "cmdline").read_bytes():
                    yield int(entry.name)
            except OSError:
                continue  # it has ended, or is not ours


def _count_games(journal: Path) -> int:
    return journal.read_bytes().count(b'\n{"number":')
