"""Random streams for Python."""

from engine.rng cimport STREAM_CHANCE, rng_next, rng_seed


cdef class RandomStream:
    """A random stream for Python callers; equal (seed, purpose, index) give equal numbers."""

    def __init__(self, seed, purpose=STREAM_CHANCE, index=0):
        rng_seed(&self.rng, seed & 0xFFFFFFFFFFFFFFFF, purpose, index)

    def bits(self):
        """Return 64 random bits as an int."""
        return rng_next(&self.rng)

    def below(self, n):
        """Return a number in 0..n-1; 1 <= n < 2**32."""
        if not 0 < n < 2**32:
            raise ValueError(f"below() needs a number from 1 to 2**32 - 1, not {n}")
        return ((rng_next(&self.rng) >> 32) * n) >> 32

    def shuffled(self, items):
        """Return the items as a list in random order."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out
