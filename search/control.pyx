"""A flag that ends searches, safe to raise from any thread."""

cimport cython


@cython.final
cdef class StopFlag:
    """Raised by `set`, for good; running searches look at it every few microseconds."""

    def set(self):
        """Ask every search that watches this flag to end."""
        flag_set(&self.raised, 1)

    def is_set(self):
        """True after `set`."""
        return flag_get(&self.raised) != 0
