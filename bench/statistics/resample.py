"""Random numbers for resampling: those of numpy, seeded by a stream of the engine."""

import numpy as np

from engine import RandomStream

# Purpose of the stream; those of the engine and of `bench.seeds` are other numbers.
PURPOSE_STATISTICS = 1020


def generator(seed: int, index: int = 0) -> np.random.Generator:
    """Return the numbers of a seed: the same on every machine with the same version of numpy."""
    return np.random.Generator(
        np.random.PCG64(RandomStream(seed, PURPOSE_STATISTICS, index).bits())
    )
