"""A flag that ends searches, safe to raise from any thread."""

cimport cython


@cython.final
cdef class StopFlag:
    """Raised by `set`, lowered by `clear`; running searches look at it every few microseconds."""

    def set(self):
        """Ask every search that watches this flag to end."""
        flag_set(&self.raised, 1)

    def clear(self):
        """Let searches run again."""
        flag_set(&self.raised, 0)

    def is_set(self):
        """True after `set`."""
        return flag_get(&self.raised) != 0
