"""Storage of regrets."""

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from search.key_index cimport enter_key, find_key, free_index, grow_index, slots_for


@cython.final
cdef class RegretTable:
    """An empty table; `limit_bytes` bounds its memory (see MIN_ROWS)."""

    def __cinit__(self, int64_t limit_bytes):
        cdef int64_t rows = min(max(limit_bytes // BYTES_PER_ROW, MIN_ROWS), 1 << 28)
        rows_and_slots = rows * <int64_t>sizeof(Row) + slots_for(rows) * <int64_t>sizeof(int32_t)
        cells = max((limit_bytes - rows_and_slots) // <int64_t>sizeof(Cell), 4 * MIN_ROWS)
        self.row_limit = rows
        self.cell_limit = min(cells, 1 << 30)
        self.rows = <Row*>malloc(self.row_limit * sizeof(Row))
        self.cells = <Cell*>malloc(self.cell_limit * sizeof(Cell))
        self.index.nodes = <char*>self.rows
        self.index.stride = sizeof(Row)
        if self.rows == NULL or self.cells == NULL or not grow_index(&self.index, rows, 0):
            raise MemoryError()

    def __dealloc__(self):
        with nogil:
            free(self.rows)
            free(self.cells)
            free_index(&self.index)

    cdef int32_t find(self, key_t key) noexcept nogil:
        return find_key(&self.index, sizeof(Row), key)

    cdef int32_t enter(self, key_t key, int seat, int n) noexcept nogil:
        cdef int32_t index = self.find(key)
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
        enter_key(&self.index, sizeof(Row), key, index)
        return index

    cdef int permille(self) noexcept nogil:
        return max(1000 * <int64_t>self.num_rows // self.row_limit,
                   1000 * <int64_t>self.num_cells // self.cell_limit)
