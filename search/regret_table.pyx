"""Storage of regrets."""

cimport cython
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset


@cython.final
cdef class RegretTable:
    """An empty table; `limit_bytes` bounds its memory (see MIN_ROWS)."""

    def __cinit__(self, int64_t limit_bytes):
        cdef int64_t rows = min(max(limit_bytes // BYTES_PER_ROW, MIN_ROWS), 1 << 28)
        cdef int64_t slots = 1
        while slots * 2 < rows * 3:
            slots *= 2
        rows_and_slots = rows * <int64_t>sizeof(Row) + slots * <int64_t>sizeof(int32_t)
        cells = max((limit_bytes - rows_and_slots) // <int64_t>sizeof(Cell), 4 * MIN_ROWS)
        self.row_limit = rows
        self.cell_limit = min(cells, 1 << 30)
        self.num_slots = slots
        self.rows = <Row*>malloc(self.row_limit * sizeof(Row))
        self.cells = <Cell*>malloc(self.cell_limit * sizeof(Cell))
        # Memory from calloc is zero before anybody has touched it.
        self.slots = <int32_t*>calloc(self.num_slots, sizeof(int32_t))
        if self.rows == NULL or self.cells == NULL or self.slots == NULL:
            raise MemoryError()

    def __dealloc__(self):
        with nogil:
            free(self.rows)
            free(self.cells)
            free(self.slots)

    cdef inline uint32_t _slot(self, key_t key) noexcept nogil:
        """The slot that holds the row of a key, or the empty one where it belongs."""
        cdef uint32_t slot = <uint32_t>key & (self.num_slots - 1)
        while self.slots[slot] and self.rows[self.slots[slot] - 1].key != key:
            slot = (slot + 1) & (self.num_slots - 1)
        return slot

    cdef int32_t find(self, key_t key) noexcept nogil:
        return self.slots[self._slot(key)] - 1

    cdef int32_t enter(self, key_t key, int seat, int n) noexcept nogil:
        cdef uint32_t slot = self._slot(key)
        cdef int32_t index = self.slots[slot] - 1
        cdef Row* row
        if index != NO_ROW:
            return index
        if self.num_rows == self.row_limit or self.num_cells + n > self.cell_limit:
            return NO_ROW
        index = self.num_rows
        row = &self.rows[index]
        memset(row, 0, sizeof(Row))
        row.key = key
        row.seat = seat
        row.n = n
        row.first = self.num_cells
        memset(&self.cells[row.first], 0, n * sizeof(Cell))
        self.num_cells += n
        self.num_rows += 1
        self.slots[slot] = self.num_rows
        return index

    cdef int permille(self) noexcept nogil:
        return max(1000 * <int64_t>self.num_rows // self.row_limit,
                   1000 * <int64_t>self.num_cells // self.cell_limit)
