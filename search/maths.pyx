"""Fills the table of logarithms."""

cdef enum:
    TERMS = 14              # 2 s**29 / 29 is below 1e-24 for every s used


cdef double small_ln(double m) noexcept nogil:
    """ln m for m between 0.7 and 1.42, by ln m = 2 artanh((m - 1) / (m + 1))."""
    cdef double s = (m - 1.0) / (m + 1.0)
    cdef double square = s * s
    cdef double total = 0.0
    cdef int i
    for i in range(TERMS, -1, -1):
        total = total * square + 1.0 / (2 * i + 1)
    return 2.0 * s * total


cdef void fill() noexcept nogil:
    cdef int n, k
    cdef double m
    global LN_2
    LN_2 = -2.0 * small_ln(0.70710678118654752440)
    LN_TABLE[0] = 0.0
    for n in range(1, LN_SIZE):
        k = 0
        m = n
        while m > 1.41421356237309504880:
            m *= 0.5
            k += 1
        LN_TABLE[n] = k * LN_2 + small_ln(m)


fill()


def natural_log(uint32_t n):
    """Return the natural logarithm of a whole number from 1 to 2**32 - 1."""
    if n == 0:
        raise ValueError("zero has no logarithm")
    return ln(n)
