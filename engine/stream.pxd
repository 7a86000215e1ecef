"""A random stream as Python callers have it; see rng.pxd for the generator."""

from engine.rng cimport Rng


cdef class RandomStream:
    cdef Rng rng
