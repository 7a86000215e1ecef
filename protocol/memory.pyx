"""How the process gives memory back to the system.

The C library of GNU learns from the first long line that blocks of megabytes are usual, takes them
from its heap from then on, and lets that grow to ten times of what is in use.
"""

cdef extern from * nogil:
    """
    #include <stdlib.h>
    #ifdef __GLIBC__
    #include <malloc.h>
    static void keep_apart(int bytes) { mallopt(M_MMAP_THRESHOLD, bytes); }
    #else
    static void keep_apart(int bytes) { (void)bytes; }
    #endif
    """
    void keep_apart(int bytes) noexcept


def give_back_blocks_of(int num_bytes):
    """From now on, give blocks of that size or more back to the system as soon as they are free."""
    keep_apart(num_bytes)
