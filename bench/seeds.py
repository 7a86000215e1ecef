"""Seeds of a run: one stream for the deals, one for the search of each side.

All seeds are below 2**53, so that every reader of JSON keeps them exact. The streams are told
apart by a purpose, so more questions to one engine never change the deals or the other engine.
"""

from engine import RandomStream

# Purposes of streams; those of the engine (engine/rng.pxd) are small numbers.
PURPOSE_DEAL = 1001
PURPOSE_SIDE = 1002  # plus the side, 0 or 1
PURPOSE_LUCK = 1009
PURPOSE_POSITIONS = 1010
PURPOSE_MEASURE = 1011


def deal_seed(run_seed: int, pair: int) -> int:
    """Return the seed of the deal that both games of a pair use."""
    return _short(RandomStream(run_seed, PURPOSE_DEAL, pair).bits())


class SearchSeeds:
    """The search seeds that one side gets in one game, one for each of its decisions."""

    def __init__(self, run_seed: int, side: int, game: int) -> None:
        self._stream = RandomStream(run_seed, PURPOSE_SIDE + side, game)

    def next(self) -> int:
        """Return the seed of the next decision."""
        return _short(self._stream.bits())


def _short(bits: int) -> int:
    return bits >> 11
