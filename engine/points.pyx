"""The base class of games with points."""


cdef class PointsGame(Game):
    """A game that tells the points of each seat to compiled code; see points.pxd."""

    cdef void points(self, const void* state, float* out) noexcept nogil:
        self.margins(state, out)
