"""Reads the perft tables, tests/perft/<game>.perft."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "perft"
KEYWORDS = ("id", "position", "seed", "chance", "perft")


class Entry(NamedTuple):
    """One count of a table; `seed` is None where all luck is followed."""

    name: str
    position: str
    seed: int | None
    depth: int
    count: int


def entries(game: str) -> Iterator[Entry]:
    """Yield each perft line of a game's table."""
    path = FOLDER / f"{game}.perft"
    name = position = ""
    seed: int | None = None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        word, _, rest = line.partition("#")[0].strip().partition(" ")
        assert not word or word in KEYWORDS, f"{path.name}:{number}: unknown word {word!r}"
        if word == "id":
            name = rest
        elif word == "position":
            position = rest
        elif word == "seed":
            seed = int(rest)
        elif word == "chance":
            assert rest == "all", f"{path.name}:{number}: use 'chance all' or 'seed N'"
            seed = None
        elif word == "perft":
            depth, count = map(int, rest.split())
            yield Entry(name, position, seed, depth, count)
