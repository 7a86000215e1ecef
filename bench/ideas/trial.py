"""Plays one idea: a sequential test of real processes with a journal, so that it can be resumed."""

import argparse
import json
import shlex
import subprocess
from pathlib import Path

from bench.contestant import engine_argv
from bench.ideas.catalogue import PRESET, Idea
from bench.registry import Out

GAMES = 1500
TIME_MS = 10
ELO0, ELO1 = 0, 25
SEED = 1
# Where journals of tests under way lie; each is removed when its test has ended.
FOLDER = Path(__file__).resolve().parent.parent.parent / "build" / "ideas"
# The longest that a test may take, seconds.
TIMEOUT_SECONDS = 6 * 3600


def trial(out: Out, idea: Idea, games: int = GAMES, time_ms: int = TIME_MS) -> None:
    """Test an idea and write the result into `out`: the object of `--json` and the idea itself.

    A test as long as they are by default has a journal; one that is left from the same commit is
    gone on with. `gain` has A's points, the
    difference in Elo and its interval, LLR and decision.

    Raises:
        RuntimeError: the test did not end properly.
    """
    command = [*engine_argv(), *arguments(idea, games, time_ms)]
    journal = _journal(idea) if (games, time_ms) == (GAMES, TIME_MS) else None
    if journal is not None:
        command += ["--journal", str(journal), *(["--resume"] if journal.exists() else [])]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, timeout=TIMEOUT_SECONDS, check=False
    )
    if done.returncode or not done.stdout.strip():
        raise RuntimeError(f"{shlex.join(command)} ended with code {done.returncode}")
    played = json.loads(done.stdout)
    if journal is not None:
        journal.unlink()
    out["idea"] = {name: getattr(idea, name) for name in ("name", "what", "source", "a", "b")}
    out["arguments"] = shlex.join(arguments(idea, games, time_ms))
    out["gain"] = {
        "games": played["games"],
        "points": played["points"],
        "elo": played["elo"],
        "elo_interval": played["elo_interval"],
        "llr": played["sprt"]["llr"],
        "decision": played["sprt"]["decision"],
    }
    out["match"] = played


def count(text: str) -> int:
    """Read a number of 1 or more, for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def arguments(idea: Idea, games: int = GAMES, time_ms: int = TIME_MS) -> list[str]:
    """Return the words of the command, but for those that say where it is kept."""
    limit = shlex.split(idea.limit) if idea.limit else ["--movetime", str(time_ms)]
    words = ["sprt", PRESET, PRESET, "--game", idea.game, "--games", str(games), *limit]
    for side, options in (("--a", idea.a), ("--b", idea.b)):
        words += [side, f"Search={options}"] if options else []
    tested = ["--elo0", str(ELO0), "--elo1", str(ELO1), "--seed", str(SEED)]
    return [*words, *tested, "--json", "--quiet"]


def _journal(idea: Idea) -> Path:
    """Return where the journal is kept; what other sources have played is not gone on with."""
    from bench.figures import commit

    made = commit()
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{idea.name}-{made}.journal"
    if not made.isalnum():
        path.unlink(missing_ok=True)
    return path
