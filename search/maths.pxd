"""The natural logarithm of whole numbers, the same bits on every machine.

The logarithm of a library may differ in the last bit from one machine to another, and one bit is
enough to choose another move. This one uses only +, -, *, / on doubles, which are exact by
standard; the build forbids the compiler to fuse them (-ffp-contract=off).

Below LN_SIZE the value is looked up. Above, with n = t * 2**k + rest and t of LN_BITS bits,
ln n = k ln 2 + ln t + ln(1 + r), r = rest / (t * 2**k) < 2**-11: three terms of the series are
enough. Relative error below 1e-14.
"""

from engine.types cimport uint32_t

cdef extern from *:
    int leading_zeros "__builtin_clz" (unsigned int n) noexcept nogil

cdef enum:
    LN_BITS = 12
    LN_SIZE = 4096          # 2 ** LN_BITS

cdef double LN_2
cdef double LN_TABLE[LN_SIZE]       # LN_TABLE[n] = ln n, n >= 1; filled at import


cdef inline double ln(uint32_t n) noexcept nogil:
    """Return the natural logarithm of n; n is at least 1."""
    cdef int shift
    cdef uint32_t top, floor
    cdef double r
    if n < LN_SIZE:
        return LN_TABLE[n]
    shift = 32 - LN_BITS - leading_zeros(n)
    top = n >> shift
    floor = top << shift
    r = <double>(n - floor) / <double>floor
    return shift * LN_2 + (LN_TABLE[top] + r * (1.0 - r * (0.5 - r * (1.0 / 3.0))))
