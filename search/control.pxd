"""What threads of a search share and what they must not: stop flag and clock; cache lines."""

from libc.stdint cimport INT64_MAX, int64_t
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cdef extern from "stdlib.h":
    void* aligned_alloc(size_t alignment, size_t size) noexcept nogil

cdef extern from "sched.h":
    # Let another thread have the processor.
    int give_way "sched_yield" () noexcept nogil

cdef extern from *:
    """
    /* One int, written by one thread and read by others. Nothing else is ordered by it. */
    static inline int drakkar_flag_get(const int *flag) {
        return __atomic_load_n(flag, __ATOMIC_RELAXED);
    }
    static inline void drakkar_flag_set(int *flag, int value) {
        __atomic_store_n(flag, value, __ATOMIC_RELAXED);
    }
    /* A number written by one thread: who reads it sees all that was written before it. */
    static inline int64_t drakkar_round_get(const int64_t *round) {
        return __atomic_load_n(round, __ATOMIC_ACQUIRE);
    }
    static inline void drakkar_round_set(int64_t *round, int64_t value) {
        __atomic_store_n(round, value, __ATOMIC_RELEASE);
    }
    """
    int64_t round_get "drakkar_round_get" (const int64_t* round) noexcept nogil
    void round_set "drakkar_round_set" (int64_t* round, int64_t value) noexcept nogil
    int flag_get "drakkar_flag_get" (const int* flag) noexcept nogil
    void flag_set "drakkar_flag_set" (int* flag, int value) noexcept nogil

cdef enum:
    # Threads that write to the same cache line slow each other down; no line is longer than this.
    CACHE_LINE = 64
    # A search ends after so many simulations. Counters have 32 bits, and a graph that is kept may
    # have as many of earlier searches.
    MOST_SIMULATIONS = 2_147_000_000

cdef struct Watch:
    const int* stop         # not 0: end as soon as possible
    int64_t deadline        # clock_ns() at which to end; INT64_MAX: never
    int64_t not_before      # clock_ns() before which neither counts


cdef inline int64_t clock_ns() noexcept nogil:
    """Nanoseconds of the monotonic clock, the same as Python's time.monotonic_ns()."""
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <int64_t>now.tv_sec * 1000000000 + now.tv_nsec


cdef inline bint expired(const Watch* watch) noexcept nogil:
    cdef int64_t now
    if not flag_get(watch.stop) and watch.deadline == INT64_MAX:
        return False
    now = clock_ns()
    return now >= watch.not_before and (now >= watch.deadline or flag_get(watch.stop))


cdef inline void* alloc_apart(size_t size) noexcept nogil:
    """Take memory that shares no cache line with any other; free it with free()."""
    return aligned_alloc(CACHE_LINE, (size + CACHE_LINE - 1) // CACHE_LINE * CACHE_LINE)


cdef class StopFlag:
    cdef int raised
