"""The random generator: xoshiro256** with SplitMix64 seeding, inline, no global state.

A stream is a struct that the caller owns. Streams of one seed are told apart by a purpose and an
index, so that more use of one never shifts another. Source of the algorithms: Blackman and Vigna,
"Scrambled linear pseudorandom number generators", 2018 (public domain reference descriptions).
"""

from engine.types cimport uint32_t, uint64_t

# Purposes of streams.
cdef enum:
    STREAM_CHANCE = 1          # chance events of a real game
    STREAM_DETERMINIZE = 2     # worlds sampled by a search
    STREAM_PLAYOUT = 3         # moves and chance inside playouts
    STREAM_SELECT = 4          # choice among untried or equal moves
    STREAM_TEST = 5            # anything in tests

cdef struct Rng:
    uint64_t s[4]


cdef inline uint64_t splitmix64(uint64_t* x) noexcept nogil:
    x[0] += <uint64_t>0x9E3779B97F4A7C15
    return mix64(x[0])


cdef inline uint64_t mix64(uint64_t z) noexcept nogil:
    """Map 64 bits to 64 bits one to one and without visible pattern (SplitMix64's finalizer)."""
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline void rng_seed(Rng* rng, uint64_t seed, uint64_t purpose, uint64_t index) noexcept nogil:
    """Start the stream named by (seed, purpose, index)."""
    cdef uint64_t x = mix64(seed ^ mix64(purpose ^ mix64(index)))
    cdef int i
    for i in range(4):
        rng.s[i] = splitmix64(&x)


cdef inline uint64_t rng_next(Rng* rng) noexcept nogil:
    """Return 64 random bits."""
    cdef uint64_t s1 = rng.s[1]
    cdef uint64_t r = s1 * 5
    cdef uint64_t t = s1 << 17
    r = ((r << 7) | (r >> 57)) * 9
    rng.s[2] ^= rng.s[0]
    rng.s[3] ^= s1
    rng.s[1] = s1 ^ rng.s[2]
    rng.s[0] ^= rng.s[3]
    rng.s[2] ^= t
    rng.s[3] = (rng.s[3] << 45) | (rng.s[3] >> 19)
    return r


cdef inline uint32_t rng_below(Rng* rng, uint32_t n) noexcept nogil:
    """Return a number in 0..n-1; n is at least 1. The bias is below n / 2**32."""
    return <uint32_t>(((rng_next(rng) >> 32) * n) >> 32)
