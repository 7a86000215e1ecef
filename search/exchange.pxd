"""What the threads of a search tell each other of its root moves.

Each thread has a graph of its own, but chooses among the root moves by what all of them have found:
without that a second thread finds what the first does, and the priors weigh as much with both as
with one. This is root parallelization with frequent exchange (A. Bourki et al., "Scalability and
parallelization of Monte-Carlo tree search", Computers and Games, 2010).

Every EVERY simulations a thread tells what it has; a *round* is the number of such moments. Where
threads wait for each other, all of them hear in a round what the others told in the same round, so
that a search limited by a count repeats. Else each hears what was told last.
"""

from libc.stdint cimport int64_t

from search.control cimport CACHE_LINE

cdef enum:
    EVERY = 8               # simulations from round to round

cdef struct Told:
    double reward           # sum of the rewards of a root move, those of a kept graph included
    double visits

cdef struct Mark:
    int64_t round           # last round told of; -1: none yet, INT64_MAX: the thread has ended
    int64_t last            # then: the round since which nothing has changed
    char apart[CACHE_LINE - 16]


cdef class Exchange:
    cdef int threads
    cdef int moves
    cdef int kept           # rounds of which a thread's words are kept
    cdef readonly bint waits
    cdef Told* told         # threads x kept x moves; owned
    cdef Mark* marks        # of each thread; owned

    # Where a thread writes what it has to tell in a round, one entry a move; then `tell`.
    cdef Told* page(self, int thread, int64_t round) noexcept nogil
    cdef void tell(self, int thread, int64_t round, bint has_ended) noexcept nogil
    # Add up what the others tell in a round; False: one of them is not there yet.
    cdef bint hear(self, int thread, int64_t round, Told* sums) noexcept nogil
