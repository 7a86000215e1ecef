"""Regrets and average strategies of information sets, found by 64-bit keys.

A row stands for one information set of one seat, its cells for the moves that are legal there, in
ascending order. Rows and cells lie in two arrays, and an index finds the row of a key.
All memory is taken at once; the system gives pages out as they are written to, so a table that
stays small costs little. When no more rows fit, the table stays as it is: `enter` says NO_ROW for
what is new, and everything in it goes on being improved.

Memory: 40 bytes a row, 32 a cell, 6 to 12 a row for the index.
"""

from libc.stdint cimport int16_t, int32_t, int64_t

from engine.types cimport int8_t, key_t
from search.key_index cimport KeyIndex

cdef enum:
    NO_ROW = -1
    # Any table holds that many rows, whatever its limit.
    MIN_ROWS = 64
    # For so many bytes of the limit there is one row; what rows leave is for cells.
    BYTES_PER_ROW = 160

cdef struct Cell:
    double regret           # what the move would have gained so far, never below 0; points
    double total            # sum of its weighted probabilities: the average strategy
    double work             # see the user: what this pass gains, or the mean of a move
    double share            # its present probability, where the user keeps it

cdef struct Row:
    key_t key
    double work             # see the user
    double reach            # see the user
    int64_t visits          # simulations that came by, as far as the user counts them
    int32_t first           # its first cell
    int16_t n               # moves
    int8_t seat             # who decides


cdef inline void match_regrets(const Cell* cells, int n, double* out) noexcept nogil:
    """Write the probabilities in proportion to the regrets; all alike where there are none."""
    cdef double total = 0.0
    cdef int i
    for i in range(n):
        total += cells[i].regret
    if total > 0.0:
        for i in range(n):
            out[i] = cells[i].regret / total
    else:
        for i in range(n):
            out[i] = 1.0 / n


cdef inline void average(const Cell* cells, int n, double* out) noexcept nogil:
    """Write the average strategy; all moves alike where nothing was added up."""
    cdef double total = 0.0
    cdef int i
    for i in range(n):
        total += cells[i].total
    if total > 0.0:
        for i in range(n):
            out[i] = cells[i].total / total
    else:
        for i in range(n):
            out[i] = 1.0 / n


cdef inline int pick(const double* shares, int n, double lot) noexcept nogil:
    """Return the index that a number from 0 to 1 falls on, never one with probability 0."""
    cdef int i, last = 0
    for i in range(n):
        if shares[i] > 0.0:
            last = i
            lot -= shares[i]
            if lot < 0.0:
                break
    return last


cdef class RegretTable:
    cdef Row* rows
    cdef Cell* cells
    cdef KeyIndex index
    cdef int32_t num_rows
    cdef int32_t num_cells
    cdef int32_t row_limit
    cdef int32_t cell_limit

    # The row of a key, or NO_ROW.
    cdef int32_t find(self, key_t key) noexcept nogil
    # The row of a key, made with `n` empty cells if it is new; NO_ROW when the table is full.
    cdef int32_t enter(self, key_t key, int seat, int n) noexcept nogil
    # How full it is, per thousand.
    cdef int permille(self) noexcept nogil
