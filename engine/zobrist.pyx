"""Key tables from one fixed seed."""

from engine.rng cimport Rng, rng_next, rng_seed

cdef uint64_t ZOBRIST_SEED = <uint64_t>0x0D4A5CA0F07E2022


cdef void fill_table(key_t* table, int n, uint64_t salt) noexcept nogil:
    """Fill `table` with n keys; different salts give independent tables."""
    cdef Rng rng
    cdef int i
    rng_seed(&rng, ZOBRIST_SEED, salt, 0)
    for i in range(n):
        table[i] = rng_next(&rng)
