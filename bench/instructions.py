"""Instructions per decision in random playouts, counted by callgrind.

Counts repeat exactly on any machine with the same binary, so they judge speed where clocks can't.
A small process runs N and then more playouts under `valgrind --tool=callgrind`; the difference of
the two counts leaves out start-up. The work of all plies and of luck is counted; the divisor are
the plies with two or more legal moves.

    python -m bench.instructions lofoten
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

FEW, MANY = 20, 220
SEED = 1
TIMEOUT_SECONDS = 900
MISSING = (
    "valgrind is not installed; it counts the instructions. Install it with the package manager "
    "of the system, for example: apt-get install valgrind"
)

# What runs under valgrind, with little to import: start-up takes most of the time there.
_DRIVER = f"""
import sys
from bench.games import parse_game
from search.playout import run_playouts
state = parse_game(sys.argv[2]).new_state()
print(*run_playouts(state, int(sys.argv[1]), {SEED})[1:])
"""


class CannotCount(RuntimeError):
    """valgrind is missing or failed; the text says what to do."""


def count(identity: str, few: int = FEW, many: int = MANY) -> dict[str, float]:
    """Return instructions per choice ply, per ply and per playout of a game.

    Takes some seconds. Raises CannotCount.
    """
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(partial(_playouts, identity), (few, many))
    instructions, plies, choices = (b - a for a, b in zip(first, second, strict=True))
    return {
        "instructions_per_choice_ply": instructions / choices,
        "instructions_per_ply": instructions / plies,
        "instructions_per_playout": instructions / (many - few),
        "plies_per_playout": plies / (many - few),
        "choice_plies_per_playout": choices / (many - few),
    }


def _playouts(identity: str, number: int) -> tuple[int, int, int]:
    instructions, words = run_counted(_DRIVER, str(number), identity)
    if len(words) != 2:
        raise CannotCount(f"the counting process printed {words}")
    return instructions, int(words[0]), int(words[1])


def run_counted(driver: str, *arguments: str) -> tuple[int, list[str]]:
    """Run a Python program under callgrind; return its instructions and the words it printed.

    Start-up is counted too: compare two runs. Raises CannotCount.
    """
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise CannotCount(MISSING)
    command = [
        valgrind,
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        sys.executable,
        "-S",
        "-c",
        driver,
        *arguments,
    ]
    root = Path(__file__).resolve().parent.parent
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            env=environment(root),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise CannotCount(f"valgrind took more than {TIMEOUT_SECONDS} s") from None
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or collected is None:
        raise CannotCount(f"the counting process failed:\n{done.stderr[-2000:]}")
    return int(collected[1]), done.stdout.split()


def environment(root: Path) -> dict[str, str]:
    """Return the environment of a process whose instructions are counted; `root` has the sources.

    Equal hash seeds make the start of all such processes equal.
    """
    return {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(root)}


def main(arguments: list[str]) -> int:
    """Print the counts of the games named; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.instructions", description=__doc__)
    parser.add_argument("games", nargs="+", metavar="GAME", help="name and settings, in quotes")
    for identity in parser.parse_args(arguments).games:
        try:
            figures = count(identity)
        except CannotCount as error:
            print(error, file=sys.stderr)
            return 1
        print(identity)
        for name, value in figures.items():
            print(f"    {name.replace('_', ' '):28} {value:,.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
