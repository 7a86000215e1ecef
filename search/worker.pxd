"""Worker: one thread's share of a search. Owns its random streams, its world and its statistics.

A kind of search is a subclass with `simulate`, one simulation. The loop around it, which watches
limits, and the statistics of the root moves, which reports are made of, are here. Other threads
may read the root statistics while the worker runs.
"""

from libc.stdint cimport int64_t

from engine.game cimport Game, State
from engine.rng cimport Rng
from engine.types cimport move_t, uint32_t, uint64_t
from search.control cimport CACHE_LINE, StopFlag, Watch
from search.playout cimport PlayoutCount

cdef enum:
    # Simulations between two looks at the clock, the depth limit and the memory of the tree.
    BATCH = 32
    # The first look at the root moves, which even a stop or a short time leaves room for, ends
    # after the first simulation beyond LOOK_NS, and at LONGEST_LOOK_NS inside a simulation.
    LOOK_NS = 2000000
    LONGEST_LOOK_NS = 10000000
    # Simulations, without an end set, that are enough where there is nothing to choose.
    ENOUGH = 1000

# Why a run ended; in Python the names are in search.worker.
cdef enum:
    RUN_PAUSED = 0          # the pause asked for; call again to go on
    RUN_DONE = 1            # a limit is reached, nothing is left to do
    RUN_STOPPED = 2         # by the flag or the deadline

cdef struct RootStat:
    double reward           # sum of returns of the searching seat
    double square           # sum of the squares of these returns
    double margin           # sum of its final margins, points
    uint32_t visits
    uint32_t first          # simulations done before the first visit
    uint32_t wins           # return 1, or between 0 and 1 and ahead on points
    uint32_t draws


cdef class Worker:
    cdef Game game
    cdef State view                 # what the seat knows at the root
    cdef int seat                   # the searching seat
    cdef Watch watch
    cdef StopFlag stop              # keeps watch.stop alive
    cdef void* world                # the determinization of this simulation; owned
    cdef move_t* root_moves         # ascending; owned
    cdef RootStat* root             # one per root move; owned
    cdef int num_root_moves
    cdef int playout_plies          # decisions of a playout at most
    cdef PlayoutCount count
    cdef Rng world_rng              # determinizations, and luck before the playout begins
    cdef Rng playout_rng            # moves and luck in playouts
    cdef Rng select_rng             # choice among untried or equal moves
    cdef readonly uint64_t simulations
    cdef int batch                  # simulations between two looks
    cdef uint64_t goal              # simulations after which to end
    cdef uint64_t look_goal         # simulations of the first look: one for each root move
    cdef bint has_looked            # that is over
    cdef int64_t began              # clock_ns() at the beginning
    cdef bint by_clock              # time that is left over is not lost
    cdef bint endless               # only a stop ends the search; rest when it can learn no more
    cdef double depth_limit         # mean tree depth at which to end; 0: none
    cdef uint64_t depth_sum         # over all simulations
    cdef readonly int seldepth      # deepest simulation
    cdef uint64_t last_growth       # simulations done when a tree last grew
    cdef char apart[CACHE_LINE]     # what is written above shares no line with another object

    # One simulation, booked. False if the watch ended it early: then nothing is booked.
    cdef bint simulate(self) noexcept nogil
    # Called before each batch of simulations; makes what they need.
    cdef void prepare(self) noexcept nogil
    # Called after that: False where another thread has to be waited for longer than to `pause`, or
    # the watch ended that.
    cdef bint meet(self, int64_t pause) noexcept nogil
    # Called at the end.
    cdef void part(self) noexcept nogil
    # True when more simulations would not change the depth.
    cdef bint has_settled(self) noexcept nogil
    # True when more simulations would not change what is known.
    cdef bint is_exhausted(self) noexcept nogil

    # True when `left` more simulations would not change which move is played.
    cdef bint is_decided(self, double left) noexcept nogil

    # Draw a determinization into `world`.
    cdef void draw_world(self) noexcept nogil
    # Book the finished `world` on a root move; `result` is its value for each seat.
    cdef void book(self, int index, const float* result) noexcept nogil
    cdef void first_look(self) noexcept nogil
    cdef int run_until(self, int64_t pause) noexcept nogil
    cdef void prepare_batch(self) noexcept nogil
    cdef tuple _row(self, const RootStat* live, move_t move)


# Let luck decide in `state` until a seat is to move or the game is over.
cdef void settle_luck(Game game, void* state, Rng* rng) noexcept nogil
