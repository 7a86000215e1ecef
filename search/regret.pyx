"""Monte Carlo counterfactual regret minimization, with the whole game where it is short.

Tree searches look for the best move, and against somebody who knows them they can be exploited
however long they think. This search looks for a strategy that nobody can exploit: for each
information set it keeps what every move would have gained so far and plays in proportion; on
average over all simulations that goes to an equilibrium of two seats. The played move is drawn
from that average.

**Short games** (an estimate from random games says how many ends there are) are played from their
very first chance event. What the seat knows comes in only when its own information set is looked
up. An equilibrium is one for all decisions of a seat together, and a game may have many, as Kuhn
poker has; parts of different ones are none. So the stream of walks has one name, whatever the seed,
and all searches of a game work out one and the same strategy, the longer ones more exactly; the
seed names what a move is drawn with. First come walks: luck and the other
seat's moves are sampled, of the own moves all are followed (external sampling). Then the game is
listed and solved by passes, which go on from what the walks have found (see listed_game.pxd). A
simulation is a walk, or the share that one end of the game has in a pass. A few simulations play
from the present position by the strategy, so that reports have a win share and a margin: these are
the visits of root moves, in proportion to the strategy.

**Other games** are played from the present position: the other seats' secrets are drawn, one path
is followed, seats choose by their regrets with some exploration, the first information set that is
new is entered, and a playout with the game's estimate values it. From a result the mean of its move
is taken off before it is divided by how likely the move was to be taken, which lessens the noise.
There the strategy is no equilibrium: the opponents of the search act as if they had guessed the
seat's own secrets, as in every tree search here.

When the memory is full, walks and paths go on in what is known, and at random beyond it; a game
whose list does not fit is solved by walks alone.

M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, "Monte Carlo Sampling for Regret Minimization in
Extensive Games", NeurIPS 2009; V. Lisy, M. Lanctot, M. Bowling, "Online Monte Carlo Counterfactual
Regret Minimization for Search in Imperfect Information Games", AAMAS 2015; M. Schmid et al.,
"Variance Reduction in Monte Carlo Counterfactual Regret Minimization", AAAI 2019.
"""

cimport cython
from libc.stdint cimport int64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from engine.game cimport State
from engine.rng cimport STREAM_SELECT, mix64, rng_below, rng_next, rng_seed
from engine.types cimport MAX_MOVES, MAX_SEATS, SEAT_CHANCE, SEAT_NONE
from search.control cimport alloc_apart
from search.playout cimport playout
from search.regret_table cimport (BYTES_PER_ROW, MIN_ROWS, NO_ROW, Cell, Row, average,
                                  match_regrets, pick)
from search.worker cimport settle_luck

from search.final import in_order
from search.final import lot as lot_of

cdef enum:
    # A short game is listed when there was one walk for so many of its ends, and so many walks.
    ENDS_PER_WALK = 2
    LEAST_WALKS = 128
    # More passes than this change nothing that shows.
    MANY_PASSES = 20000
    # The name of the stream of walks through short games.
    WALKS = 1


cdef inline double unit(Rng* rng) noexcept nogil:
    """A random number from 0 up to 1."""
    return (rng_next(rng) >> 11) * (1.0 / 9007199254740992.0)


@cython.final
cdef class RegretWorker(Worker):
    """See Worker.

    Further options:
        exploration: how often a path from the present position takes a move at random, 0 to 1.
        hash_bytes: the limit of all memory for strategies and the list of a game.
        final: how the move is chosen; see search.final.
        whole: whether short games are played from their start.
    """

    def __init__(self, State view, stop, seed, index, searchmoves, playout_plies, *,
                 exploration=0.7, hash_bytes=1 << 26, final="auto", whole=True):
        cdef move_t legal[MAX_MOVES]
        cdef int i, j, n = self.game.legal_moves(view.data, legal)
        self.exploration = min(exploration, 1.0)
        self.final = final
        self.lot = lot_of(seed, view)
        self._take_memory()
        ends = self.ends() if whole and self.states != NULL else MOST_ENDS
        self.whole = ends < MOST_ENDS
        for i in range(n):
            for j in range(self.num_root_moves):
                if self.root_moves[j] == legal[i]:
                    self.root_index[j] = i if self.whole else j
        self.num_legal = n if self.whole else self.num_root_moves
        if self.whole:
            rng_seed(&self.walk_rng, WALKS, STREAM_SELECT, index)
            self.root_key = self.game.infoset_key(view.data, self.seat)
            # Not more than it can need: what is spread over less memory is quicker to reach.
            most = (<int64_t>ends + MIN_ROWS) * 2 * BYTES_PER_ROW
            self.table = RegretTable(min(hash_bytes // 4, most))
            self.listed = ListedGame(self.game, self.table, hash_bytes - hash_bytes // 4)
            self.list_after = max(<uint64_t>(ends / ENDS_PER_WALK), LEAST_WALKS)
        else:
            self.walk_rng = self.select_rng
            self.root_key = self.key_here(view.data, self.seat, self.root_moves,
                                          self.num_root_moves)
            self.table = RegretTable(hash_bytes)
            self.table.enter(self.root_key, self.seat, self.num_root_moves)

    def _take_memory(self):
        """Take what walks and paths need."""
        cdef size_t deep = self.game.max_plies + 1, wide = self.game.max_moves
        self.root_index = <int*>alloc_apart(self.num_root_moves * sizeof(int))
        self.root_policy = <double*>alloc_apart(self.num_root_moves * sizeof(double))
        self.path = <Step*>alloc_apart(LONGEST_PATH * sizeof(Step))
        if self.root_index == NULL or self.root_policy == NULL or self.path == NULL:
            raise MemoryError()
        # Passes want two seats; without this memory there are no walks either.
        if self.game.num_seats != 2 or self.game.max_plies > LONGEST_WHOLE:
            return
        self.states = <char*>alloc_apart(deep * self.game.state_size)
        self.moves = <move_t*>alloc_apart(deep * wide * sizeof(move_t))
        self.shares = <double*>alloc_apart(deep * wide * sizeof(double))
        self.worths = <double*>alloc_apart(deep * wide * sizeof(double))
        if (self.states == NULL or self.moves == NULL or self.shares == NULL
                or self.worths == NULL):
            raise MemoryError()

    def __dealloc__(self):
        free(self.root_index)
        free(self.root_policy)
        free(self.path)
        free(self.states)
        free(self.moves)
        free(self.shares)
        free(self.worths)

    cdef double ends(self) noexcept nogil:
        cdef Rng rng
        cdef double sum = 0.0, product
        cdef int _probe, n
        rng_seed(&rng, 0, STREAM_SELECT, 0)
        for _probe in range(PROBES):
            product = 1.0
            self.game.setup(self.states)
            while self.game.seat_to_move(self.states) != SEAT_NONE:
                n = self.game.legal_moves(self.states, self.moves)
                product *= n
                if sum + product > <double>MOST_ENDS * PROBES:
                    return MOST_ENDS
                if self.game.seat_to_move(self.states) == SEAT_CHANCE:
                    self.game.apply(self.states, self.game.sample_chance(self.states, &rng))
                else:
                    self.game.apply(self.states, self.moves[rng_below(&rng, n)])
            sum += product
        return sum / PROBES

    cdef bint has_settled(self) noexcept nogil:
        """No information set was new during the later half of the simulations."""
        return self.simulations > 1000 and self.simulations > 2 * self.last_growth

    cdef bint is_exhausted(self) noexcept nogil:
        """So many passes were made that more would not show."""
        return Worker.is_exhausted(self) or (self.whole and self.listed.passes >= MANY_PASSES)

    cdef bint simulate(self) noexcept nogil:
        if not self.whole:
            return self.descend()
        if (self.simulations < <uint64_t>self.num_root_moves
                or self.simulations % SIMULATIONS_PER_LOOK == SIMULATIONS_PER_LOOK - 1):
            self.look()
        elif self.simulations < self.list_after or not self.listed.step():
            self.game.setup(self.states)
            self.walk(self.states, 0, self.walks & 1)
            self.walks += 1
            self.listed.walks = self.walks
        self.depth_sum += self.last_depth
        return True

    # ---- a short game, from its start ----

    cdef double walk(self, char* state, int depth, int seat) noexcept nogil:
        cdef move_t* moves = self.moves + depth * self.game.max_moves
        cdef double* shares = self.shares + depth * self.game.max_moves
        cdef double* worths = self.worths + depth * self.game.max_moves
        cdef float margins[MAX_SEATS]
        cdef int mover = self.game.seat_to_move(state), i, n
        cdef int32_t index
        cdef double worth = 0.0, gain
        cdef Cell* cells
        while mover != seat:
            if mover == SEAT_NONE:
                self.game.margins(state, margins)
                return margins[seat]
            if mover == SEAT_CHANCE:
                self.game.apply(state, self.game.sample_chance(state, &self.walk_rng))
            else:
                n = self.game.legal_moves(state, moves)
                index = self.enter(self.game.infoset_key(state, mover), mover, n)
                i = self.sample(index, n, shares)
                self.game.apply(state, moves[i])
            mover = self.game.seat_to_move(state)
        n = self.game.legal_moves(state, moves)
        index = self.enter(self.game.infoset_key(state, seat), seat, n)
        if index == NO_ROW:
            self.game.apply(state, moves[rng_below(&self.walk_rng, n)])
            return self.walk(state, depth, seat)
        match_regrets(&self.table.cells[self.table.rows[index].first], n, shares)
        for i in range(n):
            memcpy(state + self.game.state_size, state, self.game.state_size)
            self.game.apply(state + self.game.state_size, moves[i])
            worths[i] = self.walk(state + self.game.state_size, depth + 1, seat)
            worth += shares[i] * worths[i]
        cells = &self.table.cells[self.table.rows[index].first]
        for i in range(n):
            gain = cells[i].regret + worths[i] - worth
            cells[i].regret = gain if gain > 0.0 else 0.0
        if depth + 1 > self.seldepth:
            self.seldepth = depth + 1
        return worth

    cdef int32_t enter(self, key_t key, int seat, int n) noexcept nogil:
        """The row of an information set, or NO_ROW; takes note of growth."""
        cdef int32_t before = self.table.num_rows
        cdef int32_t index = self.table.enter(key, seat, n)
        if self.table.num_rows > before:
            self.last_growth = self.simulations
        return index

    cdef int sample(self, int32_t index, int n, double* shares) noexcept nogil:
        """Choose for the other seat by its regrets, and count that in its average."""
        cdef Cell* cells
        cdef double number = 1.0 + self.walks // 2
        cdef int i
        if index == NO_ROW:
            return rng_below(&self.walk_rng, n)
        cells = &self.table.cells[self.table.rows[index].first]
        match_regrets(cells, n, shares)
        for i in range(n):
            cells[i].total += number * number * shares[i]
        return pick(shares, n, unit(&self.walk_rng))

    cdef void look(self) noexcept nogil:
        cdef float result[MAX_SEATS]
        cdef int i, n, seat, index = self.behind_its_share()
        self.draw_world()
        self.game.apply(self.world, self.root_moves[index])
        self.last_depth = 1
        self.looks += 1
        while True:
            settle_luck(self.game, self.world, &self.world_rng)
            seat = self.game.seat_to_move(self.world)
            if seat == SEAT_NONE:
                break
            n = self.game.legal_moves(self.world, self.moves)
            self.strategy(self.game.infoset_key(self.world, seat), n, self.shares)
            i = pick(self.shares, n, unit(&self.playout_rng))
            self.game.apply(self.world, self.moves[i])
            self.last_depth += 1
        if self.last_depth > self.seldepth:
            self.seldepth = self.last_depth
        self.game.returns(self.world, result)
        self.book(index, result)

    cdef int behind_its_share(self) noexcept nogil:
        """The root move that was looked at least often in comparison with its probability."""
        cdef double behind, most = -1e300
        cdef int i, best = 0
        if self.simulations < <uint64_t>self.num_root_moves:
            return self.simulations
        self.root_shares(self.root_policy)
        for i in range(self.num_root_moves):
            behind = self.root_policy[i] * (self.looks + 1) - self.root[i].visits
            if behind > most:
                most = behind
                best = i
        return best

    # ---- any other game, from the present position ----

    cdef key_t key_here(self, const void* state, int seat, const move_t* moves,
                        int n) noexcept nogil:
        cdef key_t key = mix64(self.game.abstract_key(state, seat) + seat)
        cdef int i
        for i in range(n):
            key = mix64(key ^ moves[i])
        return key

    cdef bint descend(self) noexcept nogil:
        cdef move_t legal[MAX_MOVES]
        cdef double shares[MAX_MOVES]
        cdef float result[MAX_SEATS]
        cdef float margins[MAX_SEATS]
        cdef double worth[MAX_SEATS]
        cdef const move_t* moves = self.root_moves
        cdef int n = self.num_root_moves, seat = self.seat, depth = 0, root_index = 0, i
        cdef int32_t row = self.table.find(self.root_key), before
        cdef Step* step
        self.draw_world()
        while row != NO_ROW and depth < LONGEST_PATH:
            step = &self.path[depth]
            step.row = row
            step.seat = seat
            match_regrets(&self.table.cells[self.table.rows[row].first], n, shares)
            for i in range(n):
                shares[i] += self.exploration * (1.0 / n - shares[i])
            step.index = pick(shares, n, unit(&self.walk_rng))
            step.likely = shares[step.index]
            if depth == 0:
                if self.simulations < <uint64_t>self.num_root_moves:
                    step.index = self.simulations
                    step.likely = 1.0 / n
                root_index = step.index
            self.game.apply(self.world, moves[step.index])
            depth += 1
            settle_luck(self.game, self.world, &self.world_rng)
            seat = self.game.seat_to_move(self.world)
            if seat == SEAT_NONE:
                break
            n = self.game.legal_moves(self.world, legal)
            moves = legal
            before = self.table.num_rows
            row = self.enter(self.key_here(self.world, seat, legal, n), seat, n)
            if self.table.num_rows > before:
                break
        if seat != SEAT_NONE and self.playout_plies:
            if not playout(self.game, self.world, &self.playout_rng, self.playout_plies,
                           &self.watch, &self.count):
                return False
        if self.game.seat_to_move(self.world) == SEAT_NONE:
            self.game.returns(self.world, result)
            self.game.margins(self.world, margins)
        else:
            self.game.estimate(self.world, result, margins)
        for i in range(self.game.num_seats):
            worth[i] = margins[i]
        self.learn(depth, worth)
        self.depth_sum += depth
        if depth > self.seldepth:
            self.seldepth = depth
        self.book(root_index, result)
        return True

    cdef void learn(self, int depth, double* worth) noexcept nogil:
        """Back up along the path: regrets and averages of who decided, means of what was seen."""
        cdef double shares[MAX_MOVES]
        cdef double seen, base, gain, here
        cdef const Step* step
        cdef Row* row
        cdef Cell* cells
        cdef int d, i
        for d in range(depth - 1, -1, -1):
            step = &self.path[d]
            row = &self.table.rows[step.row]
            cells = &self.table.cells[row.first]
            match_regrets(cells, row.n, shares)
            seen = worth[step.seat]
            # What a move is held to be worth: its mean, or that of the set if it is untried.
            base = cells[step.index].work if cells[step.index].share > 0.0 else row.work
            seen = base + (seen - base) / step.likely
            here = 0.0
            for i in range(row.n):
                base = cells[i].work if cells[i].share > 0.0 else row.work
                here += shares[i] * (seen if i == step.index else base)
            row.visits += 1
            for i in range(row.n):
                base = cells[i].work if cells[i].share > 0.0 else row.work
                gain = cells[i].regret + (seen if i == step.index else base) - here
                cells[i].regret = gain if gain > 0.0 else 0.0
                cells[i].total += row.visits * shares[i]
            cells[step.index].share += 1.0
            cells[step.index].work += (
                (worth[step.seat] - cells[step.index].work) / cells[step.index].share)
            row.work += (here - row.work) / row.visits
            worth[step.seat] = here
            if self.game.num_seats == 2:
                worth[1 - step.seat] = -here

    # ---- the answer ----

    cdef void strategy(self, key_t key, int n, double* out) noexcept nogil:
        cdef const Cell* cells
        cdef double total = 0.0
        cdef int32_t row = self.table.find(key)
        cdef int i
        for i in range(n):
            out[i] = 1.0 / n
        if row == NO_ROW or self.table.rows[row].n != n:
            return
        cells = &self.table.cells[self.table.rows[row].first]
        for i in range(n):
            total += cells[i].total
        if total > 0.0:
            average(cells, n, out)
        elif self.whole and self.listed.complete:
            # No pass came by: the shares are still those that the walks have found.
            for i in range(n):
                out[i] = cells[i].share

    cdef void root_shares(self, double* out) noexcept nogil:
        cdef double shares[MAX_MOVES]
        cdef double total = 0.0
        cdef int i
        self.strategy(self.root_key, self.num_legal, shares)
        for i in range(self.num_root_moves):
            out[i] = shares[self.root_index[i]]
            total += out[i]
        for i in range(self.num_root_moves):
            out[i] = out[i] / total if total > 0.0 else 1.0 / self.num_root_moves

    # ---- for Python ----

    def policy(self):
        """The strategy at the root as pairs (move, probability); while the worker does not run."""
        self.root_shares(self.root_policy)
        return [(self.root_moves[i], self.root_policy[i]) for i in range(self.num_root_moves)]

    def policy_at(self, State view):
        """The strategy of the seat to move in another position of a short game, as `policy`."""
        cdef double out[MAX_MOVES]
        cdef move_t legal[MAX_MOVES]
        cdef int i, n
        if view.seat_to_move < 0:
            raise ValueError("nobody decides here")
        if not self.whole or view.game is not self.game:
            raise ValueError("only a search that plays a game from its start knows others")
        n = self.game.legal_moves(view.data, legal)
        self.strategy(self.game.infoset_key(view.data, view.seat_to_move), n, out)
        return [(legal[i], out[i]) for i in range(n)]

    def best_order(self, rows):
        """Return the rows, the move to play first: see search.final."""
        return in_order(rows, self.final, self.lot, dict(self.policy()))

    @property
    def passes(self):
        """How many passes over the listed game were finished."""
        return self.listed.passes if self.whole else 0

    @property
    def information_sets(self):
        """How many information sets have a strategy."""
        return self.table.num_rows

    @property
    def counts(self):
        """See Worker; of a listed game only the looks at root moves draw worlds."""
        return self.simulations, self.looks if self.whole else self.simulations

    @property
    def permille(self):
        """How full the memory is."""
        return self.table.permille()
