"""Engines of a few lines, whose faults are what a test is about, and our own one beside them."""

import asyncio
import os
import sys
import time
from pathlib import Path

from protocol.client import Engine

ROOT = Path(__file__).resolve().parent.parent
ENGINE = [sys.executable, str(ROOT / "drakkar.py")]
VIEW = "position view kuhn/1 me=p1 moves ~deal@p1=K ~deal@p2=?"
OTHER = "position view kuhn/1 me=p2 moves ~deal@p1=? ~deal@p2=Q p1:bet"
HANG_S = 60.0

TALK = """
import os, signal, sys, time
def say(*lines):
    sys.stdout.buffer.write(b"".join(x.encode("latin-1") + b"\\n" for x in lines))
    sys.stdout.flush()
def shake():
    word = input()
    say("id name fault", word + "ok")
def hear(word):
    while (line := input()).split()[0] != word:
        if line == "isready": say("readyok")
    return line
"""


def script(code):
    """Return the command of an engine: `code` after the imports and helpers of TALK."""
    return [sys.executable, "-I", "-S", "-c", TALK + code]


def run(test):
    """Run a coroutine; the limit is against hanging only."""
    return asyncio.run(asyncio.wait_for(test, HANG_S))


async def open_kuhn(dialect="uhi"):
    """Return our own engine, told to play Kuhn poker."""
    engine = await Engine.open(ENGINE, dialect=dialect)
    await engine.set_option("Game", "kuhn")
    return engine


def is_alive(pid):
    """Return True while a process runs; a zombie does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not (state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] == "Z")


async def gone(pid):
    """Wait until a process is gone; return whether it is."""
    deadline = time.monotonic() + 20
    while is_alive(pid) and time.monotonic() < deadline:
        await asyncio.sleep(0.01)
    return not is_alive(pid)


# Its move is the last word of the position it was asked about, so that a test sees whose answer it
# got. It thinks until `stop` where `go` has no `nodes`, and tells reports one by one before.
ECHO = """
def answer():
    global thinking
    if thinking is not None:
        say("bestmove " + thinking)
        thinking = None
shake()
move, thinking = "none", None
for line in sys.stdin:
    words = line.split()
    if words[0] in ("position", "setoption", "go"):
        answer()
    if words[0] == "isready":
        say("readyok")
    elif words[0] == "query":
        say("response " + words[1] + "-" + move)
    elif words[0] == "position" and words[-1] == "bad":
        move = "0000"
        say("error bad-position token 2: bad")
    elif words[0] == "position":
        move = words[-1]
    elif words[0] == "go":
        say("info depth 1 nodes 5 score cp 150 wdl 700 0 300 pv " + move, "info string x pv y z")
        thinking = move + (" id " + words[words.index("id") + 1] if "id" in words else "")
        if "nodes" in words:
            answer()
    elif words[0] in ("stop", "ponderhit"):
        answer()
    elif words[0] == "quit":
        break
"""
