"""Seeds of a run: those of the deals, and those of the search of each side.

All are below 2**53, so that every reader of JSON keeps them exact. Each is a keyed hash of what it
is for: more questions to one engine never change the deals or the other engine, and no engine can
work out the run seed, and with it the hidden cards, from the search seeds that it is sent.
"""

from hashlib import blake2b

# Purposes of random streams; those of the engine (engine/rng.pxd) are small numbers.
PURPOSE_POSITIONS = 1010
PURPOSE_MEASURE = 1011
PURPOSE_SCREEN = 1013

SEED_BITS = 53


def deal_seed(run_seed: int, pair: int) -> int:
    """Return the seed of the deal that both games of a pair use."""
    return _hashed(run_seed, f"deal/{pair}")


class SearchSeeds:
    """The search seeds that one side gets in one game, one for each of its decisions."""

    def __init__(self, run_seed: int, side: int, game: int) -> None:
        self._run_seed, self._name = run_seed, f"side{side}/{game}"
        self._given = 0

    def next(self) -> int:
        """Return the seed of the next decision."""
        self._given += 1
        return _hashed(self._run_seed, f"{self._name}/{self._given}")


def substitute_seed(run_seed: int, game: int, ply: int) -> int:
    """Return the number that chooses the move in the place of an illegal answer."""
    return _hashed(run_seed, f"substitute/{game}/{ply}")


def _hashed(run_seed: int, name: str) -> int:
    """Return SEED_BITS bits of a one-way function of the run seed and a name."""
    digest = blake2b(name.encode(), key=str(run_seed).encode()[:64], digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - SEED_BITS)
