"""Games in which every seat collects points of its own.

With more than two seats the points say more than the margins do: a seat that only wants points does
not care who else gets some. A search may maximise them as they are.
"""

from engine.game cimport Game


cdef class PointsGame(Game):
    # Points of each seat if scored now; of a full state.
    cdef void points(self, const void* state, float* out) noexcept nogil
