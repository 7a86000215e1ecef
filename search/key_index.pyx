"""Growing and emptying an index."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset


cdef int64_t slots_for(int64_t nodes) noexcept nogil:
    cdef int64_t size = 1
    while size * 2 < nodes * 3:
        size *= 2
    return size


cdef inline key_t key_of(const KeyIndex* index, int32_t node) noexcept nogil:
    return (<const key_t*>(index.nodes + node * index.stride))[0]


cdef bint grow_index(KeyIndex* index, int64_t capacity, int32_t count) noexcept nogil:
    cdef int64_t size = slots_for(capacity)
    cdef void* slots
    if size == index.size:
        return True
    move_entries(index, count)
    # Fresh memory from calloc is zero, that is empty, before anybody has touched it.
    slots = calloc(size, sizeof(int32_t))
    if slots == NULL:
        return False
    index.old_slots, index.old_size = index.slots, index.size
    index.slots, index.size = <int32_t*>slots, size
    index.moved, index.to_move = 0, count
    return True


cdef void move_entries(KeyIndex* index, int32_t most) noexcept nogil:
    cdef int32_t end
    if index.old_slots == NULL:
        return
    end = index.to_move if most > index.to_move - index.moved else index.moved + most
    while index.moved < end:
        enter_key(index, index.stride, key_of(index, index.moved), index.moved)
        index.moved += 1
    if index.moved >= index.to_move:
        free(index.old_slots)
        index.old_slots = NULL


cdef void clear_index(KeyIndex* index, int32_t count) noexcept nogil:
    cdef uint32_t slot
    cdef int32_t node
    free(index.old_slots)
    index.old_slots = NULL
    if count > <int64_t>index.size // 64 or index.moved < index.to_move:
        memset(index.slots, 0, <size_t>index.size * sizeof(int32_t))
    else:
        # Many slots with little in them: empty the runs of slots that nodes begin in.
        for node in range(count):
            slot = <uint32_t>(key_of(index, node) >> 32) & (index.size - 1)
            while index.slots[slot]:
                index.slots[slot] = 0
                slot = (slot + 1) & (index.size - 1)
    index.moved = index.to_move = 0


cdef void free_index(KeyIndex* index) noexcept nogil:
    free(index.slots)
    free(index.old_slots)
