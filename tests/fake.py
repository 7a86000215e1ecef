"""A small engine with faults, and matches to play it in."""

import asyncio
import io
import sys
from pathlib import Path

from bench.contestant import Limit, make_contestant
from bench.games import parse_game
from bench.match import Outcome, Plan, run_match
from bench.records import Writer

ROOT = Path(__file__).resolve().parent.parent
HANG_SECONDS = 60

# A small engine. It plays the last legal word it knows for Kuhn poker; argument 1 is its fault,
# argument 2 a folder where it leaves its process id and all it was told.
ENGINE = """
import os, pathlib, signal, sys, time
fault, folder = sys.argv[1], pathlib.Path(sys.argv[2])
(folder / f"{os.getpid()}.pid").write_text("")
told = open(folder / f"{os.getpid()}.told", "w")
print("complaint of the fake engine", file=sys.stderr, flush=True)
def say(text):
    print(text, flush=True)
if fault.startswith("floods"):
    print("z" * 10**6 + "\\x1b[2Jend", file=sys.stderr, flush=True)
if fault == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if fault in ("dies-at-start", "floods-at-start"):
    sys.exit(4)
games = 0
for line in sys.stdin:
    told.write(line); told.flush()
    word = line.split()[0]
    if word == "uhi":
        say("id name fake"); say("option name Strict Views type check default false")
        say("option name Skill type spin default 1 min 0 max 20")
        say("option name Style type combo default calm var calm var wild"); say("uhiok")
    elif word == "isready":
        say("readyok")
    elif word == "setoption" and fault == "refuses":
        say("error bad-option no such thing")
    elif word == "uhinewgame":
        games += 1
    elif word == "go":
        words = line.split()
        tail = f" id {words[words.index('id') + 1]}" if "id" in words else ""
        if fault in ("dies", "floods"):
            sys.exit(7)
        elif fault.startswith("dies-in-game-") and games == int(fault.split("-")[-1]):
            sys.exit(7)
        elif fault == "silent-once" and not (folder / "claim").exists():
            (folder / "claim").touch()
            time.sleep(600)
        elif fault in ("silent", "stubborn", f"silent-{games}"):
            time.sleep(600)
        elif fault == "foreign":
            say("bestmove turn:cw" + tail)
        elif fault == "illegal-once" and games == 1 and not (folder / "claim").exists():
            (folder / "claim").touch()
            say("bestmove Pass" + tail)
        elif fault == "illegal":
            say("bestmove end" + tail)
        elif fault == "gives-up":
            say("error no-position what?"); say("bestmove 0000" + tail)
        elif fault == "malformed":
            say("bestmove")
        else:
            say("bestmove pass" + tail)
    elif word == "quit":
        break
"""


class Fake:
    """Writes the engine to a file and knows its processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.script = folder / "fake_engine.py"
        self.script.write_text(ENGINE, encoding="utf-8")

    def command(self, fault: str) -> str:
        """Return the command line of an engine with that fault."""
        return f"{sys.executable} {self.script} {fault} {self.folder}"

    def pids(self) -> list[int]:
        """The processes that were started."""
        return [int(path.stem) for path in self.folder.glob("*.pid")]

    def alive(self) -> list[int]:
        """Those that are still there, running or dead without anybody having waited for them."""
        return [pid for pid in self.pids() if Path(f"/proc/{pid}").exists()]

    def told(self) -> list[list[str]]:
        """The lines that each process was told."""
        return [path.read_text().splitlines() for path in self.folder.glob("*.told")]


def plan(a: str, b: str, games: int, seed: int, concurrency: int, nodes: int = 30) -> Plan:
    """Return a match of Kuhn poker."""
    limit = Limit(nodes=nodes)
    contestants = [make_contestant(text, limit, {}) for text in (a, b)]
    return Plan(parse_game("kuhn"), contestants, games, seed, concurrency)


def play(match: Plan) -> tuple[Outcome, str]:
    """Play a match; return its outcome and its record."""
    file = io.StringIO()
    writer = Writer(file, match.game, match.contestants)
    outcome = asyncio.run(run_match(match, lambda result, finished: writer.add(result)))
    writer.close()
    return outcome, file.getvalue()


def command_line(*arguments: str, game: str = "kuhn") -> list[str]:
    """Return the command of a match."""
    return [sys.executable, str(ROOT / "drakkar.py"), "match", *arguments, "--game", game]
