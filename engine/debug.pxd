"""C's assert: nothing in a release build, ends the process in a debug build (ENGINE_DEBUG=1).

A Python `assert` in a function that cannot raise would only print and go on.
"""

cdef extern from "<assert.h>":
    void c_assert "assert"(bint condition) noexcept nogil
