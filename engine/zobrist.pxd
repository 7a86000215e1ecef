"""Key tables. Tables come from one fixed seed, so keys are the same on every machine.

Counted things (a discard pile, stored tiles) are hashed from tables: one entry a kind and count,
changed step by step where the count changes. Whole words that fit 64 bits (a fleet, the phase and
its counters) are hashed by `mix64`, which is one to one: two words never share a value, and an
update costs a handful of instructions at the moment a key is asked for instead of some at each
ply. A key is the exclusive or of its parts.
"""

from engine.types cimport key_t, uint64_t
from engine.rng cimport mix64


cdef inline key_t hash_word(uint64_t word, uint64_t salt) noexcept nogil:
    """Hash a 64-bit word; words with different salts are hashed independently."""
    return mix64(word ^ mix64(salt))


cdef void fill_table(key_t* table, int n, uint64_t salt) noexcept nogil
