"""Count the perft tables of Lofoten again with the slow rules, which share no code with the engine.

Run as a script: `python tests/games/lofoten/perft_reference.py --jobs 2`. It prints a line for each
count and, last, one JSON object. The exit code is 1 if a count differs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from multiprocessing import Pool
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from perft_tables import Entry, entries
from reference import CHANCE, Reference, from_text

# A table proves something if it has at least so many paths.
MANY = 100_000

Result = tuple[Entry, int, float]


def count(game: Reference, depth: int) -> int:
    """Return the number of paths of so many decisions and possible chance outcomes."""
    if depth == 0:
        return 1
    words = game.legal()
    if depth == 1:
        return len(words)
    if game.to_move() == CHANCE:
        words = [token for token, _ in words]
    total = 0
    for word in words:
        child = game.copy()
        child.follow(word)
        total += count(child, depth - 1)
    return total


def recount(entry: Entry) -> Result:
    """Count one entry; return it with the count and the seconds it took."""
    start = time.monotonic()
    found = count(from_text(entry.position), entry.depth)
    return entry, found, time.monotonic() - start


def told(most: int | None = None) -> list[Entry]:
    """Return the entries that the reference can count: all luck followed, at most `most` paths."""
    known = [entry for entry in entries("lofoten") if entry.seed is None]
    return [entry for entry in known if most is None or entry.count <= most]


def summary(results: Sequence[Result]) -> dict[str, object]:
    """Return the figures of some results."""
    deep = [entry for entry, _, _ in results if entry.count >= MANY]
    wrong = [(entry, found) for entry, found, _ in results if found != entry.count]
    return {
        "tables": len({entry.name for entry in deep}),
        "positions": len({entry.position for entry, _, _ in results}),
        "counts": len(results),
        "paths": sum(found for _, found, _ in results),
        "differences": len(wrong),
        "differing": [
            f"{entry.name}: depth {entry.depth}: {found}, the table has {entry.count}"
            for entry, found in wrong
        ],
    }


def main() -> int:
    """Count all tables, the longest first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--most", type=int, help="only counts of at most so many paths")
    args = parser.parse_args()
    work = sorted(told(args.most), key=lambda entry: -entry.count)
    results = []
    with Pool(args.jobs) as pool:
        for entry, found, seconds in pool.imap_unordered(recount, work):
            verdict = "same  " if found == entry.count else "DIFFER"
            print(
                f"{verdict} {entry.name}, depth {entry.depth}: {found} paths, "
                f"table {entry.count} ({seconds:.1f} s)",
                flush=True,
            )
            results.append((entry, found, seconds))
    figures = summary(results)
    print(json.dumps(figures))
    return 1 if figures["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
