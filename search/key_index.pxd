"""Finds the nodes of an array by key: open addressing, which grows without a pause.

The user keeps the nodes: an array of structs that begin with a `key_t`, in the order in which they
were entered. When the index grows, its entries move to the new slots a few at a time, so that no
simulation waits for more than that, however many there are.

Memory: 4 bytes a slot, at most two thirds of the slots full; while it grows, half as many again.
"""

from libc.stdint cimport int32_t, int64_t

from engine.types cimport key_t, uint32_t

cdef enum:
    # Entries that move between two batches of simulations: far more than a batch adds, few enough
    # to be done in a fraction of a millisecond.
    ENTRIES_AT_ONCE = 2048

cdef struct KeyIndex:
    const char* nodes       # the array, and how far its nodes lie apart
    size_t stride
    int32_t* slots          # index of a node + 1; 0: empty
    uint32_t size           # a power of two
    int32_t* old_slots      # while its entries move to `slots` step by step, else NULL
    uint32_t old_size
    int32_t moved           # nodes below this index are in `slots`
    int32_t to_move         # nodes from this index on were never in `old_slots`


cdef inline uint32_t slot_of(const KeyIndex* index, const int32_t* slots, uint32_t size,
                             size_t stride, key_t key) noexcept nogil:
    """The slot that holds the node of a key, or the empty one where it belongs."""
    cdef uint32_t slot = <uint32_t>(key >> 32) & (size - 1)
    while slots[slot] and (<const key_t*>(index.nodes + (slots[slot] - 1) * stride))[0] != key:
        slot = (slot + 1) & (size - 1)
    return slot


cdef inline int32_t find_key(const KeyIndex* index, size_t stride, key_t key) noexcept nogil:
    """The node of a key, or -1; `stride` is that of the index, as a constant."""
    cdef int32_t entry = index.slots[slot_of(index, index.slots, index.size, stride, key)]
    if entry == 0 and index.old_slots != NULL:
        entry = index.old_slots[slot_of(index, index.old_slots, index.old_size, stride, key)]
    return entry - 1


cdef inline void enter_key(KeyIndex* index, size_t stride, key_t key, int32_t node) noexcept nogil:
    """Enter a node with a key that has none."""
    index.slots[slot_of(index, index.slots, index.size, stride, key)] = node + 1


# How many slots an index for so many nodes has.
cdef int64_t slots_for(int64_t nodes) noexcept nogil
# Make room for `capacity` nodes in the array at `nodes`, of which there are `count` now. False if
# there is no memory; then all is as it was.
cdef bint grow_index(KeyIndex* index, int64_t capacity, int32_t count) noexcept nogil
# Enter some of the nodes that only the old slots know into the new ones.
cdef void move_entries(KeyIndex* index, int32_t most) noexcept nogil
# Forget all `count` nodes; the memory is kept.
cdef void clear_index(KeyIndex* index, int32_t count) noexcept nogil
cdef void free_index(KeyIndex* index) noexcept nogil
