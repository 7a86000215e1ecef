"""The loop around simulations, and root statistics."""

from libc.stdint cimport INT64_MAX
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from engine.rng cimport (STREAM_DETERMINIZE, STREAM_PLAYOUT, STREAM_SELECT, mix64, rng_seed)
from engine.types cimport MAX_MOVES, MAX_SEATS, SEAT_CHANCE
from search.control cimport MOST_SIMULATIONS, alloc_apart, clock_ns, expired, flag_get

PAUSED = RUN_PAUSED
DONE = RUN_DONE
STOPPED = RUN_STOPPED


cdef void settle_luck(Game game, void* state, Rng* rng) noexcept nogil:
    while game.seat_to_move(state) == SEAT_CHANCE:
        game.apply(state, game.sample_chance(state, rng))


cdef class Worker:
    """One thread's share of a search from a view. Not for use by itself: see search.searcher.

    Args:
        view: what the seat to move knows; its observer is that seat. With the option `ahead`, a
            view in which another seat or luck decides: then there are no root moves.
        stop: ends the search when raised.
        seed: of the search; streams also depend on what the seat knows, so that the same numbers
            do not come again at each decision of a game.
        index: of the worker; each has streams of its own. The first look is worker 0's.
        searchmoves: root moves to consider, or None for all.
        playout_plies: decisions of a playout, or None: to the end of the game.
    """

    def __cinit__(self, State view, StopFlag stop, seed, index, searchmoves, playout_plies,
                  **options):
        cdef move_t moves[MAX_MOVES]
        cdef int i, n
        cdef uint64_t name
        ahead = bool(options.get("ahead"))
        if view.observer < 0 or (view.observer == view.seat_to_move) == ahead:
            raise ValueError("a search needs the view of the seat that is to move")
        self.view = view.copy()
        self.game = view.game
        self.seat = view.observer
        self.stop = stop
        self.watch.stop = &stop.raised
        self.watch.deadline = INT64_MAX
        self.watch.not_before = 0
        self.batch = BATCH
        self.playout_plies = self.game.max_plies if playout_plies is None else playout_plies
        n = 0 if ahead else self.game.legal_moves(view.data, moves)
        kept = [moves[i] for i in range(n) if searchmoves is None or moves[i] in searchmoves]
        if not kept and not ahead:
            raise ValueError("none of searchmoves is legal here")
        self.num_root_moves = len(kept)
        self.look_goal = len(kept) if index == 0 else 0
        self.world = alloc_apart(self.game.state_size)
        self.root_moves = <move_t*>alloc_apart(max(len(kept), 1) * sizeof(move_t))
        self.root = <RootStat*>alloc_apart(max(len(kept), 1) * sizeof(RootStat))
        if self.world == NULL or self.root_moves == NULL or self.root == NULL:
            raise MemoryError()
        memset(self.root, 0, len(kept) * sizeof(RootStat))
        for i in range(self.num_root_moves):
            self.root_moves[i] = kept[i]
        name = mix64(<uint64_t>(seed & 0xFFFFFFFFFFFFFFFF))
        name ^= self.game.infoset_key(view.data, self.seat)
        rng_seed(&self.world_rng, name, STREAM_DETERMINIZE, index)
        rng_seed(&self.playout_rng, name, STREAM_PLAYOUT, index)
        rng_seed(&self.select_rng, name, STREAM_SELECT, index)

    def __dealloc__(self):
        free(self.world)
        free(self.root_moves)
        free(self.root)

    cdef bint simulate(self) noexcept nogil:
        return False

    cdef void prepare(self) noexcept nogil:
        pass

    cdef bint meet(self, int64_t pause) noexcept nogil:
        return True

    cdef void part(self) noexcept nogil:
        pass

    cdef bint has_settled(self) noexcept nogil:
        return True

    cdef bint is_exhausted(self) noexcept nogil:
        return self.num_root_moves == 1 and self.simulations >= ENOUGH

    cdef bint is_decided(self, double left) noexcept nogil:
        return False

    cdef void draw_world(self) noexcept nogil:
        memcpy(self.world, self.view.data, self.game.state_size)
        self.game.determinize(self.world, &self.world_rng)

    cdef void book(self, int index, const float* result) noexcept nogil:
        cdef float margins[MAX_SEATS]
        cdef RootStat* stat = &self.root[index]
        cdef float got = result[self.seat]
        self.game.margins(self.world, margins)
        if stat.visits == 0:
            stat.first = self.simulations
        stat.visits += 1
        stat.reward += got
        stat.square += got * got
        stat.margin += margins[self.seat]
        # Games with returns between won and lost are classed by points; between two seats one half
        # is a draw, at a larger table it may be a place in the middle.
        if got >= 1.0:
            stat.wins += 1
        elif got == 0.5 and self.game.num_seats == 2:
            stat.draws += 1
        elif got > 0.0:
            if margins[self.seat] > 0:
                stat.wins += 1
            elif margins[self.seat] == 0:
                stat.draws += 1

    cdef inline void prepare_batch(self) noexcept nogil:
        # Not anew inside a batch: where the first look ends depends on the clock.
        if self.simulations % self.batch == 0:
            self.prepare()

    cdef void first_look(self) noexcept nogil:
        cdef int64_t begin = clock_ns()
        self.watch.not_before = begin + LONGEST_LOOK_NS
        while self.simulations < min(self.look_goal, self.goal):
            self.prepare_batch()
            if not self.simulate():
                break
            self.simulations += 1
            if clock_ns() - begin >= LOOK_NS:
                break
        self.has_looked = True
        self.watch.not_before = 0

    cdef int run_until(self, int64_t pause) noexcept nogil:
        cdef int64_t now
        cdef uint64_t batch_end
        while self.simulations < self.goal:
            self.prepare_batch()
            if not self.meet(pause):
                return RUN_STOPPED if expired(&self.watch) else RUN_PAUSED
            batch_end = min((self.simulations // self.batch + 1) * self.batch, self.goal)
            while self.simulations < batch_end:
                if flag_get(self.watch.stop) or not self.simulate():
                    return RUN_STOPPED
                self.simulations += 1
            # Not before the first look is behind: how much of it is left here depends on the time.
            if self.depth_limit > 0 and self.simulations > self.look_goal:
                if self.depth_sum >= self.depth_limit * self.simulations or self.has_settled():
                    self.goal = self.simulations
                    return RUN_DONE
            if self.endless and self.is_exhausted():
                self.goal = self.simulations
                return RUN_DONE
            now = clock_ns()
            if now >= self.watch.deadline:
                return RUN_STOPPED
            if self.by_clock and self.is_decided(
                    <double>self.simulations * (self.watch.deadline - now)
                    / (now - self.began + 1)):
                self.goal = self.simulations
                return RUN_DONE
            if now >= pause and self.simulations < self.goal:
                return RUN_PAUSED
        return RUN_DONE

    # ---- for Python ----

    def set_limits(self, goal, deadline_ns, depth, endless=False, by_clock=False):
        """Set when to end: simulations, time.monotonic_ns(), mean tree depth; None: no limit.

        An `endless` search also ends when more simulations would not change what is known; one
        `by_clock`, whose time is not lost, when the time left would not change the move.
        """
        self.goal = MOST_SIMULATIONS if goal is None else min(max(goal, 0), MOST_SIMULATIONS)
        self.watch.deadline = INT64_MAX if deadline_ns is None else deadline_ns
        self.depth_limit = depth or 0
        self.began = clock_ns()
        self.by_clock = by_clock and deadline_ns is not None
        self.endless = endless

    def run(self, pause_ns):
        """Simulate without the GIL until a limit is reached, or time.monotonic_ns() is `pause_ns`.

        Returns PAUSED (call again), DONE or STOPPED. With `pause_ns` None there is no pause.
        However early the end, worker 0 first tries each root move once, for 2 ms at most (a single
        simulation may take 10), unless its number of simulations is less.
        """
        cdef int64_t pause = INT64_MAX if pause_ns is None else pause_ns
        cdef int reason
        with nogil:
            if not self.has_looked:
                self.first_look()
            reason = RUN_STOPPED
            if clock_ns() < self.watch.deadline:
                reason = self.run_until(pause)
            if reason != RUN_PAUSED:
                self.part()
        return reason

    def rows(self):
        """The root moves: (move, visits, availability, reward, margin, wins, draws, square, told).

        Reward and square (of the squared rewards) are sums over the visits, margin, wins and draws
        over `told`, the visits of this search. A root move is legal in every determinization, so it
        is available from its first visit on. Any thread may ask while the worker runs; then the
        numbers of a row may be some simulations apart.
        """
        return [self._row(&self.root[i], self.root_moves[i]) for i in range(self.num_root_moves)]

    cdef tuple _row(self, const RootStat* live, move_t move):
        # A copy: while it is read the worker may write.
        cdef RootStat stat = live[0]
        available = self.simulations - stat.first if stat.visits else 0
        return (move, stat.visits, available, stat.reward, stat.margin, stat.wins, stat.draws,
                stat.square, stat.visits)

    @property
    def total_depth(self):
        """Decisions made inside the tree by all simulations together."""
        return self.depth_sum

    @property
    def counts(self):
        """Simulations, and determinizations drawn for them: both of one moment."""
        simulations = self.simulations
        return simulations, simulations

    @property
    def permille(self):
        """How full the memory for the tree is."""
        return 0

    def best_order(self, rows):
        """Return merged rows of all workers, best move first: most visits, mean, lower move."""
        return sorted(rows, key=lambda r: (-r[1], -r[3] / max(r[1], 1), r[0]))

    def line_from(self, move):
        """The best line that begins with a root move."""
        return [move]
