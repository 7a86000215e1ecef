"""The exact solver of late positions."""

from libc.stdint cimport INT64_MAX, UINT64_MAX
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from engine.game cimport LATE_NO, LATE_OPEN
from engine.rng cimport mix64
from engine.types cimport MAX_SEATS, NO_MOVE, SEAT_CHANCE, SEAT_NONE
from search.control cimport expired

OBJECTIVES = ("win", "margin")

cdef enum:
    FIRST_CAPACITY = 4096
    # Looks at the clock are rarer than worlds of a hidden hand.
    FILLS_PER_LOOK = 256

# Differences below this are rounding: sums of at most thousands of products of numbers near 1.
cdef double ROUNDING = 1e-9

cdef inline bint is_better(const Value* a, const Value* b, bint own) noexcept nogil:
    """Whether the deciding seat prefers `a`; the searching seat if `own`, else its opponent."""
    cdef double sign = 1.0 if own else -1.0
    cdef double lead = sign * (a.goal - b.goal)
    if lead > ROUNDING or lead < -ROUNDING:
        return lead > 0
    lead = sign * (a.margin - b.margin)
    if lead > ROUNDING or lead < -ROUNDING:
        return lead > 0
    return sign * (a.win - b.win) > ROUNDING


cdef inline bint divide(Value* sum, double total) noexcept nogil:
    """Make a weighted sum a mean; False if nothing was added up."""
    if total == 0:
        return False
    sum.goal /= total
    sum.win /= total
    sum.margin /= total
    sum.won /= total
    sum.drawn /= total
    return True


cdef inline void add_share(Value* sum, const Value* value, double share) noexcept nogil:
    sum.goal += share * value.goal
    sum.win += share * value.win
    sum.margin += share * value.margin
    sum.won += share * value.won
    sum.drawn += share * value.drawn


cdef class Solver:
    """Works out the root moves of a view, if that is possible within limits.

    Args:
        view: what the seat to move knows; its observer is that seat.
        objective: "win" maximises the expected return, "margin" the expected final margin.
        margin_share: under "win", share of the margin m in what is maximised, as
            0.5 + 0.5 m / (|m| + margin_scale); the rest is the return.
        max_nodes: positions to work out at most; None: as many as there is memory for.
        max_bytes: memory for values at most.
        searchmoves: root moves to consider, or None for all.

    Raises:
        ValueError: the view is not that of the seat to move, or a value out of range.
    """

    def __cinit__(self, State view, objective="win", margin_share=0.0, max_nodes=1_000_000,
                  max_bytes=16 << 20, searchmoves=None):
        if view.observer < 0 or view.observer != view.seat_to_move:
            raise ValueError("a solver needs the view of the seat that is to move")
        if objective not in OBJECTIVES or not 0 <= margin_share <= 1:
            raise ValueError("the objective is win or margin, the margin's share from 0 to 1")
        self.view = view.copy()
        self.game = view.game
        self.seat = view.observer
        self.by_margin = objective == "margin"
        self.margin_share = margin_share
        self.max_nodes = UINT64_MAX if max_nodes is None else min(max_nodes, UINT64_MAX)
        self.max_bytes = max_bytes
        self.kept = None if searchmoves is None else frozenset(searchmoves)
        self.state_room = (self.game.state_size + 15) // 16 * 16
        self.frame_size = 2 * self.state_room + self.game.max_moves * sizeof(move_t)
        self.frame_size = (self.frame_size + 15) // 16 * 16

    def __dealloc__(self):
        free(self.table)
        free(self.frames)

    def run(self, deadline_ns=None, StopFlag stop=None):
        """Return the exact values of the root moves, best first, or None if they are not found.

        Each is (move, win, margin, won, drawn): the move, the expected return from 0 to 1, the
        expected final margin in points, and the probabilities to win and to draw. Equally good
        moves come in ascending order. Ends within a millisecond of the deadline
        (time.monotonic_ns()) or of a stop. Costs next to nothing where the game is not late.
        """
        cdef int i, n
        cdef bint done
        cdef key_t key = 0
        cdef Value* values
        cdef move_t* moves
        self.stop = StopFlag() if stop is None else stop
        self.watch.stop = &self.stop.raised
        self.watch.deadline = INT64_MAX if deadline_ns is None else deadline_ns
        self.watch.not_before = 0
        self.nodes = 0
        if self.ask(&key) == LATE_NO:
            return None
        if self.frames == NULL:
            self.frames = <char*>malloc(MOST_DEPTH * self.frame_size)
            if self.frames == NULL:
                return None
        memcpy(self.frames, self.view.data, self.game.state_size)
        moves = moves_of(self, 0)
        n = self.game.legal_moves(self.view.data, moves)
        wanted = [moves[i] for i in range(n) if self.kept is None or moves[i] in self.kept]
        n = len(wanted)
        values = <Value*>calloc(n + 1, sizeof(Value))
        if values == NULL:
            return None
        for i in range(n):
            moves[i] = wanted[i]
        with nogil:
            done = n > 0
            for i in range(n):
                if not self.solve_after(0, moves[i], &values[i]):
                    done = False
                    break
        rows = [(moves[i], values[i].win, values[i].margin, values[i].won, values[i].drawn)
                for i in self.ranked(values, n)] if done else None
        free(values)
        return rows

    cdef list ranked(self, const Value* values, int n):
        """The places of root moves, best first."""
        cdef int i, best
        left, order = list(range(n)), []
        while left:
            best = left[0]
            for i in left:
                if is_better(&values[i], &values[best], True):
                    best = i
            order.append(best)
            left.remove(best)
        return order

    def line_from(self, move_t move):
        """The best line that begins with a root move that was worked out, after `run`.

        Ends at luck, at a decision of another seat that depends on what it holds, and where moves
        were passed over that do not matter.
        """
        cdef int depth = 1
        cdef int verdict, seat
        cdef key_t key = 0
        cdef move_t best
        line = [move]
        memcpy(state_of(self, 1), self.view.data, self.game.state_size)
        self.game.apply(state_of(self, 1), move)
        while depth + 2 < MOST_DEPTH:
            memcpy(scratch_of(self, depth), state_of(self, depth), self.game.state_size)
            verdict = self.game.late(scratch_of(self, depth), self.seat, &key)
            seat = self.game.seat_to_move(state_of(self, depth))
            if (seat < 0 or (seat != self.seat and verdict != LATE_OPEN)
                    or memcmp(scratch_of(self, depth), state_of(self, depth),
                              self.game.state_size)):
                break
            best = self.best_move(depth, seat == self.seat)
            if best == NO_MOVE:
                break
            line.append(best)
            depth += 1
            memcpy(state_of(self, depth), state_of(self, depth - 1), self.game.state_size)
            self.game.apply(state_of(self, depth), best)
        return line

    cdef move_t best_move(self, int depth, bint own) noexcept nogil:
        """The best move by what is remembered, NO_MOVE if that is not enough."""
        cdef move_t* moves = moves_of(self, depth)
        cdef int i, n = self.game.legal_moves(state_of(self, depth), moves)
        cdef move_t best = NO_MOVE
        cdef key_t key = 0
        cdef const Entry* entry
        cdef const Entry* first = NULL
        for i in range(n):
            memcpy(state_of(self, depth + 1), state_of(self, depth), self.game.state_size)
            self.game.apply(state_of(self, depth + 1), moves[i])
            if self.game.late(state_of(self, depth + 1), self.seat, &key) == LATE_NO:
                return NO_MOVE
            entry = self.place_of(key + (key == 0))
            if entry.key == 0:
                return NO_MOVE
            if first == NULL or is_better(&entry.value, &first.value, own):
                first = entry
                best = moves[i]
        return best

    cdef int ask(self, key_t* key) noexcept nogil:
        # The game may pass over things, which the view itself must not notice.
        cdef char* copy = <char*>malloc(self.state_room)
        cdef int verdict = LATE_NO
        if copy != NULL:
            memcpy(copy, self.view.data, self.game.state_size)
            verdict = self.game.late(copy, self.seat, key)
            free(copy)
        return verdict

    # ---- one position ----

    cdef bint solve(self, int depth, int verdict, Value* out) noexcept nogil:
        cdef int seat
        if not self.has_room():
            return False
        seat = self.game.seat_to_move(state_of(self, depth))
        if seat == SEAT_NONE:
            return self.solve_end(depth, verdict == LATE_OPEN, out)
        if depth + 1 == MOST_DEPTH:
            return False
        if seat == SEAT_CHANCE:
            return self.solve_luck(depth, out)
        if seat == self.seat:
            return self.solve_choice(depth, True, out)
        if self.game.num_seats > 2:
            return False
        if verdict == LATE_OPEN:
            return self.solve_choice(depth, False, out)
        return self.solve_reply(depth, out)

    cdef bint has_room(self) noexcept nogil:
        """Count a position; False when a limit is reached."""
        self.nodes += 1
        if self.nodes > self.max_nodes:
            return False
        return self.nodes % NODES_PER_LOOK != 0 or not expired(&self.watch)

    cdef bint solve_after(self, int depth, move_t move, Value* out) noexcept nogil:
        cdef void* after = state_of(self, depth + 1)
        memcpy(after, state_of(self, depth), self.game.state_size)
        self.game.apply(after, move)
        return self.solve_next(depth, False, out)

    cdef bint solve_next(self, int depth, bint must_be_open, Value* out) noexcept nogil:
        cdef key_t key = 0
        cdef int verdict = self.game.late(state_of(self, depth + 1), self.seat, &key)
        cdef Entry* entry
        if verdict == LATE_NO or (must_be_open and verdict != LATE_OPEN):
            return False
        key += key == 0
        if self.capacity:
            entry = self.place_of(key)
            if entry.key:
                out[0] = entry.value
                return True
        if not self.solve(depth + 1, verdict, out):
            return False
        return self.remember(key, out)

    cdef bint solve_luck(self, int depth, Value* out) noexcept nogil:
        cdef void* here = state_of(self, depth)
        cdef move_t* outcomes = moves_of(self, depth)
        cdef int i, n = self.game.legal_moves(here, outcomes)
        cdef double weight, total = 0
        cdef Value value
        memset(out, 0, sizeof(Value))
        for i in range(n):
            weight = self.game.chance_weight(here, outcomes[i])
            if weight == 0:
                continue
            if not self.solve_after(depth, outcomes[i], &value):
                return False
            add_share(out, &value, weight)
            total += weight
        return divide(out, total)

    cdef bint solve_choice(self, int depth, bint own, Value* out) noexcept nogil:
        cdef move_t* moves = moves_of(self, depth)
        cdef int i, n = self.game.legal_moves(state_of(self, depth), moves)
        cdef Value value
        for i in range(n):
            if not self.solve_after(depth, moves[i], &value):
                return False
            if i == 0 or is_better(&value, out, own):
                out[0] = value
        return n > 0

    cdef bint solve_reply(self, int depth, Value* out) noexcept nogil:
        cdef void* here = state_of(self, depth)
        cdef void* filled = scratch_of(self, depth)
        cdef void* after = state_of(self, depth + 1)
        cdef move_t* moves = moves_of(self, depth)
        cdef move_t known[2 * MOST_REPLIES]
        cdef Value value_of[2 * MOST_REPLIES]
        cdef const Value* best
        cdef int i, n, slot, replies = 0
        cdef uint32_t index
        cdef int64_t ways
        cdef double total = 0
        memset(known, 0, sizeof(known))
        memset(out, 0, sizeof(Value))
        for index in range(MOST_FILLS):
            memcpy(filled, here, self.game.state_size)
            ways = self.game.fill_secrets(filled, self.seat, index)
            if ways < 0:
                return divide(out, total)
            if ways == 0:
                continue
            n = self.game.legal_moves(filled, moves)
            best = NULL
            for i in range(n):
                slot = mix64(moves[i]) % (2 * MOST_REPLIES)
                while known[slot] and known[slot] != moves[i]:
                    slot = (slot + 1) % (2 * MOST_REPLIES)
                if known[slot] == 0:
                    memcpy(after, here, self.game.state_size)
                    if replies == MOST_REPLIES or self.game.reveal(after, moves[i]):
                        return False
                    self.game.apply(after, moves[i])
                    if not self.solve_next(depth, True, &value_of[slot]):
                        return False
                    known[slot] = moves[i]
                    replies += 1
                if best == NULL or is_better(&value_of[slot], best, False):
                    best = &value_of[slot]
            if best == NULL:
                return False
            add_share(out, best, ways)
            total += ways
            if index % FILLS_PER_LOOK == 0 and expired(&self.watch):
                return False
        return False

    cdef bint solve_end(self, int depth, bint is_open, Value* out) noexcept nogil:
        cdef void* filled = scratch_of(self, depth)
        cdef uint32_t index
        cdef int64_t ways
        cdef double total = 0
        cdef Value value
        if is_open:
            self.value_of(state_of(self, depth), out)
            return True
        memset(out, 0, sizeof(Value))
        for index in range(MOST_FILLS):
            memcpy(filled, state_of(self, depth), self.game.state_size)
            ways = self.game.fill_secrets(filled, self.seat, index)
            if ways < 0:
                return divide(out, total)
            if ways > 0:
                self.value_of(filled, &value)
                add_share(out, &value, ways)
                total += ways
            if index % FILLS_PER_LOOK == 0 and expired(&self.watch):
                return False
        return False

    cdef void value_of(self, const void* state, Value* out) noexcept nogil:
        """The value of a finished game; see Worker.book for what is won and drawn."""
        cdef float returns[MAX_SEATS]
        cdef float margins[MAX_SEATS]
        cdef double win, margin
        self.game.returns(state, returns)
        self.game.margins(state, margins)
        win = returns[self.seat]
        margin = margins[self.seat]
        out.win = win
        out.margin = margin
        out.won = win >= 1.0
        out.drawn = win == 0.5 and self.game.num_seats == 2
        if 0.0 < win < 1.0 and out.drawn == 0.0:
            out.won = margin > 0
            out.drawn = margin == 0
        if self.by_margin:
            out.goal = margin
        else:
            out.goal = win
            if self.margin_share > 0.0:
                out.goal += self.margin_share * (0.5 - win + 0.5 * margin / (
                    (margin if margin > 0 else -margin) + self.game.margin_scale))

    # ---- what is known already ----

    cdef Entry* place_of(self, key_t key) noexcept nogil:
        """Where the key is, or the free place where it belongs."""
        cdef uint64_t i = key & (self.capacity - 1)
        while self.table[i].key and self.table[i].key != key:
            i = (i + 1) & (self.capacity - 1)
        return &self.table[i]

    cdef bint remember(self, key_t key, const Value* value) noexcept nogil:
        """Keep a value; False if there is no memory left for it."""
        cdef Entry* entry
        cdef Entry* old = self.table
        cdef uint64_t i, size = self.capacity
        if 2 * self.count >= size:
            self.capacity = 2 * size if size else FIRST_CAPACITY
            self.table = NULL
            if self.capacity * sizeof(Entry) <= self.max_bytes:
                self.table = <Entry*>calloc(self.capacity, sizeof(Entry))
            if self.table == NULL:
                self.table = old
                self.capacity = size
                return False
            for i in range(size):
                if old[i].key:
                    self.place_of(old[i].key)[0] = old[i]
            free(old)
        entry = self.place_of(key)
        entry.key = key
        entry.value = value[0]
        self.count += 1
        return True


cdef inline void* state_of(Solver solver, int depth) noexcept nogil:
    return solver.frames + depth * solver.frame_size


cdef inline void* scratch_of(Solver solver, int depth) noexcept nogil:
    """Room for the view with the hidden filled in."""
    return solver.frames + depth * solver.frame_size + solver.state_room


cdef inline move_t* moves_of(Solver solver, int depth) noexcept nogil:
    return <move_t*>(solver.frames + depth * solver.frame_size + 2 * solver.state_room)


def list_worlds(State view, most=20_000):
    """Every full state that fits a view, with its physical weight, as the game fills it in.

    Pairs (State, int) in the order of `Game.fill_secrets`. None if the game lists none, or more
    than `most` numbers. For tests.
    """
    cdef State world
    cdef int64_t ways
    found = []
    for index in range(most):
        world = view.game.new_state()
        memcpy(world.data, view.data, view.game.state_size)
        ways = view.game.fill_secrets(world.data, view.observer, index)
        if ways < 0:
            return found or None
        if ways > 0:
            found.append((world, ways))
    return None
