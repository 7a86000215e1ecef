"""Tables of the counted things, and the key recomputed from scratch."""

from engine.zobrist cimport fill_table

cdef enum:
    SALT = 0x10F07E2


cdef void fill() noexcept nogil:
    cdef int group, kind
    fill_table(&COUNT_KEYS[0][0][0], NUM_GROUPS * 24 * MAX_COUNT, SALT)
    for group in range(NUM_GROUPS):
        for kind in range(24):
            COUNT_KEYS[group][kind][0] = 0


fill()


cdef key_t counts_key(const LofotenState* s) noexcept nogil:
    """The key of all counts, from scratch."""
    cdef key_t key = 0
    cdef int kind
    for kind in range(12):
        key ^= COUNT_KEYS[GROUP_DISCARD][kind][s.discard[kind]]
    for kind in range(24):
        key ^= COUNT_KEYS[GROUP_UNSEEN][kind][s.unseen[kind]]
        key ^= COUNT_KEYS[GROUP_STORED][kind][s.stored[0][kind]]
        key ^= COUNT_KEYS[GROUP_STORED + 1][kind][s.stored[1][kind]]
        key ^= COUNT_KEYS[GROUP_DOWN][kind][s.down[0][kind]]
        key ^= COUNT_KEYS[GROUP_DOWN + 1][kind][s.down[1][kind]]
    return key
