"""Key tables. Tables come from one fixed seed, so keys are the same on every machine.

Counted things (a discard pile, stored tiles) are hashed from tables: one entry a kind and count,
changed step by step where the count changes. Whole words of 64 bits (the phase and its counters,
ships, a market) are hashed by `mix64`, which is one to one: two words never share a value, and a
word costs a handful of instructions at the moment a key is asked for instead of some at each ply.
A key is the exclusive or of its parts.
"""

from libc.string cimport memcpy

from engine.types cimport key_t, uint64_t
from engine.rng cimport mix64


cdef inline key_t hash_word(uint64_t word, uint64_t salt) noexcept nogil:
    """Hash a 64-bit word; words with different salts are hashed independently."""
    return mix64(word ^ mix64(salt))


cdef inline key_t hash_words(const void* words, int n, uint64_t salt) noexcept nogil:
    """Hash n words of memory as they lie; each is hashed independently, by salt and place."""
    cdef uint64_t word
    cdef key_t key = 0
    cdef int i
    for i in range(n):
        memcpy(&word, <const char*>words + 8 * i, 8)
        salt += <uint64_t>0x9E3779B97F4A7C15
        key ^= mix64(word ^ salt)
    return key


cdef void fill_table(key_t* table, int n, uint64_t salt) noexcept nogil
