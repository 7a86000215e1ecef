"""Pages of root statistics, written by one thread each and read by all."""

cimport cython
from libc.stdint cimport INT64_MAX
from libc.stdlib cimport free
from libc.string cimport memset

from search.control cimport alloc_apart, round_get, round_set


@cython.final
cdef class Exchange:
    """Room for so many threads and root moves; `waits`: they wait for each other."""

    def __cinit__(self, int threads, int moves, bint waits):
        cdef int i
        self.threads, self.moves, self.waits = threads, moves, waits
        # One thread looks at every root move first, and waits for none meanwhile.
        self.kept = moves // EVERY + 3
        self.told = <Told*>alloc_apart(threads * self.kept * max(moves, 1) * sizeof(Told))
        self.marks = <Mark*>alloc_apart(threads * sizeof(Mark))
        if self.told == NULL or self.marks == NULL:
            raise MemoryError()
        for i in range(threads):
            self.marks[i].round = self.marks[i].last = -1

    def __dealloc__(self):
        free(self.told)
        free(self.marks)

    cdef Told* page(self, int thread, int64_t round) noexcept nogil:
        return self.told + (thread * self.kept + round % self.kept) * self.moves

    cdef void tell(self, int thread, int64_t round, bint has_ended) noexcept nogil:
        cdef Mark* mark = &self.marks[thread]
        mark.last = round
        round_set(&mark.round, INT64_MAX if has_ended else round)

    cdef bint hear(self, int thread, int64_t round, Told* sums) noexcept nogil:
        cdef const Told* page
        cdef int64_t told
        cdef int other, i
        memset(sums, 0, self.moves * sizeof(Told))
        for other in range(self.threads):
            if other == thread:
                continue
            told = round_get(&self.marks[other].round)
            if self.waits and told < round:
                return False
            if told < 0:
                continue
            if told == INT64_MAX:
                told = self.marks[other].last
            page = self.page(other, min(told, round) if self.waits else told)
            for i in range(self.moves):
                sums[i].reward += page[i].reward
                sums[i].visits += page[i].visits
        return True
