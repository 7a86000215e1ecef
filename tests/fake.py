"""A small engine with faults, and slots to play it in; tests/runs.py has it play whole runs."""

import asyncio
import sys
from pathlib import Path

from bench.contestant import Limit, label_all, make_contestant
from bench.games import parse_game
from bench.plan import Plan, no_schedule
from bench.referee.block import Block
from bench.referee.game_result import GameResult
from bench.referee.policy import Policy
from bench.referee.slot import Slot

ROOT = Path(__file__).resolve().parent.parent
HANG_SECONDS = 60

# A small engine. It plays the last legal word it knows for Kuhn poker; argument 1 is its fault,
# argument 2 a folder where it leaves its process id and all it was told. A fault may end with a
# value behind a colon: `late:250` is late by so many ms each time, `late-once:250` in its first
# answer, `late-twice:250` in its first two, `answers:TEXT` writes that in the place of its move.
ENGINE = r"""
import os, pathlib, signal, sys, time
fault, folder = sys.argv[1], pathlib.Path(sys.argv[2])
(folder / f"{os.getpid()}.pid").write_text("")
told = open(folder / f"{os.getpid()}.told", "w")
print("complaint of the fake engine", file=sys.stderr, flush=True)
name, _, value = fault.partition(":")
def say(text):
    print(text, flush=True)
def say_bytes(data):
    sys.stdout.buffer.write(data + b"\n"); sys.stdout.buffer.flush()
if fault.startswith("floods"):
    print("z" * 10**6 + "\x1b[2Jend", file=sys.stderr, flush=True)
if fault == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if fault in ("dies-at-start", "floods-at-start"):
    sys.exit(4)
games = answers = 0
def introduce():
    if fault == "fills-stderr":
        print("z" * 5_000_000 + "end", file=sys.stderr, flush=True)
    if fault == "latin":
        say_bytes(b"id name caf\xe9"); say_bytes(b"id author Jos\xe9")
    else:
        say(f"id name fake {os.getpid()}" if fault == "renamed" else "id name fake")
    say("option name Strict Views type check default false")
    say("option name Skill type spin default 1 min 0 max 20")
    say("option name Style type combo default calm var calm var wild"); say("uhiok")
def think(tail):
    if fault in ("dies", "floods"):
        sys.exit(7)
    elif fault == "crashes":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif fault.startswith("dies-in-game-") and games == int(fault.split("-")[-1]):
        sys.exit(7)
    elif fault == "silent-once" and not (folder / "claim").exists():
        (folder / "claim").touch()
        time.sleep(600)
    elif fault in ("silent", "stubborn", f"silent-{games}"):
        time.sleep(600)
    elif fault == "deaf":
        return
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
    elif name == "answers":
        say(f"bestmove {value}{tail}")
    elif fault == "long-remark":
        say("info string " + "x" * 70_000); say("bestmove pass" + tail)
    elif fault == "endless-line":
        for _ in range(20):
            sys.stdout.write("x" * 2**20)
        sys.stdout.flush(); time.sleep(600)
    elif fault == "latin":
        say_bytes(b"info string \xb7"); say_bytes(b"bestmove pass" + tail.encode() + b"\0")
    elif fault == "nul-in-word":
        say_bytes(b"bestmove pass\0" + tail.encode())
    elif fault == "twice":
        say("bestmove pass")
    elif fault == "reports":
        say("info depth 1 nodes 5 time 4 score cp 10 pv pass")
        say("info depth 2 nodes 9 time 7 score cp -20 pv pass"); say("bestmove pass" + tail)
    else:
        most = {"late": 10**9, "late-once": 1, "late-twice": 2}.get(name, 0)
        time.sleep(int(value) / 1000 if answers <= most and value else 0)
        say("bestmove pass" + tail)
for line in sys.stdin:
    told.write(line); told.flush()
    word = line.split()[0]
    if fault == "mute" or (fault == "never-ready" and word == "isready"):
        continue
    elif word == "uhi" and not (fault == "greets-uci" and games == 0):
        introduce()
    elif word == "isready":
        say("readyok")
    elif word == "setoption" and fault == "refuses":
        say("error bad-option no such thing")
    elif word == "uhinewgame":
        games += 1
        if fault == "stalls-in-new-game":
            time.sleep(600)
    elif word == "position" and fault == "twice" and answers:
        say("bestmove bet")
    elif word == "go":
        answers += 1
        words = line.split()
        think(f" id {words[words.index('id') + 1]}" if "id" in words else "")
    elif word == "quit":
        if fault == "crashes-after-quit":
            os.kill(os.getpid(), signal.SIGSEGV)
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
        return f"{sys.executable} -S {self.script} {fault} {self.folder}"

    def pids(self) -> list[int]:
        """The processes that were started."""
        return [int(path.stem) for path in self.folder.glob("*.pid")]

    def alive(self) -> list[int]:
        """Those that are still there, running or dead without anybody having waited for them."""
        return [pid for pid in self.pids() if Path(f"/proc/{pid}").exists()]

    def told(self) -> list[list[str]]:
        """The lines that each process was told."""
        return [path.read_text().splitlines() for path in self.folder.glob("*.told")]


class Sink:
    """Keeps what a slot tells."""

    def __init__(self) -> None:
        self.warnings: list[tuple[int | None, str]] = []

    def start(self, job, worker) -> None:
        """Take that a game begins."""

    def result(self, result) -> None:
        """Take a result, which a slot returns as well."""

    def warn(self, text, contestant=None, **fields) -> None:
        """Keep a remark."""
        self.warnings.append((contestant, text))

    @property
    def texts(self) -> list[str]:
        """The warnings without those who are warned of."""
        return [text for _, text in self.warnings]


def make_table(
    *engines: str,
    limit: Limit | list[Limit] | None = None,
    policy: Policy | None = None,
    game: str = "kuhn",
    seed: int = 3,
) -> Plan:
    """Return a plan for slots, without a schedule; quick limits unless some are given."""
    limits = limit if isinstance(limit, list) else [limit or Limit(nodes=5, hang_s=10.0)] * 9
    contestants = [
        make_contestant(text, own, {}) for text, own in zip(engines, limits, strict=False)
    ]
    label_all(contestants)
    policy = policy or Policy(start_s=15.0, newgame_s=10.0, ping_s=10.0)
    return Plan(parse_game(game), contestants, no_schedule, seed, policy)


async def play_in_slot(plan: Plan, blocks: int = 1, sink: Sink | None = None) -> list[GameResult]:
    """Play blocks of all contestants in one slot; return the games."""
    slot = Slot(plan, "slot", sink or Sink())
    try:
        lineup = tuple(range(len(plan.contestants)))
        jobs = [job for number in range(blocks) for job in plan.jobs(Block(number, lineup, number))]
        return [await slot.play(job) for job in jobs]
    finally:
        await slot.close()


def play_blocks(plan: Plan, blocks: int = 1, sink: Sink | None = None) -> list[GameResult]:
    """Play blocks as `play_in_slot` does, in an event loop of its own."""
    return asyncio.run(play_in_slot(plan, blocks, sink))


def command_line(*arguments: str, game: str = "kuhn") -> list[str]:
    """Return the command of a match."""
    return [sys.executable, str(ROOT / "drakkar.py"), "match", *arguments, "--game", game]
