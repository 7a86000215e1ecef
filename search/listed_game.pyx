"""Listing a game and passes over it."""

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from engine.types cimport MAX_MOVES, MAX_SEATS, SEAT_CHANCE, SEAT_NONE
from search.regret_table cimport NO_ROW, Cell, Row, average


@cython.final
cdef class ListedGame:
    """Nothing listed yet; `limit_bytes` bounds the list, and `table` has the strategies."""

    def __cinit__(self, Game game, RegretTable table, int64_t limit_bytes):
        self.game = game
        self.table = table
        # Every situation but the first one is behind a way.
        self.way_limit = min(
            limit_bytes // <int64_t>(sizeof(Situation) + sizeof(Way)) + game.max_moves, 1 << 30)
        self.situation_limit = self.way_limit
        self.situations = <Situation*>malloc(self.situation_limit * sizeof(Situation))
        self.ways = <Way*>malloc(self.way_limit * sizeof(Way))
        self.frames = <Frame*>malloc(MOST_EVENTS * sizeof(Frame))
        self.states = <char*>malloc(MOST_EVENTS * game.state_size)
        self.moves = <move_t*>malloc(MOST_EVENTS * game.max_moves * sizeof(move_t))
        if (self.situations == NULL or self.ways == NULL or self.frames == NULL
                or self.states == NULL or self.moves == NULL):
            raise MemoryError()

    def __dealloc__(self):
        with nogil:
            free(self.situations)
            free(self.ways)
            free(self.frames)
            free(self.states)
            free(self.moves)

    cdef bint step(self) noexcept nogil:
        if self.failed:
            return False
        if not self.complete:
            self._list()
            return not self.failed
        if self.ahead > 0:
            self.ahead -= 1
            return True
        if self.at < 0:
            self._forward()
        self._backward()
        if self.at < 0:
            self._update()
        return True

    # ---- listing ----

    cdef bint _enter(self, int32_t way) noexcept nogil:
        """List the state at `depth` behind a way; False if it can't be, or if it is an end."""
        cdef char* state = self.states + self.depth * self.game.state_size
        cdef move_t* moves = self.moves + self.depth * self.game.max_moves
        cdef Situation* here
        cdef Frame* frame = &self.frames[self.depth]
        cdef float margins[MAX_SEATS]
        cdef int i, seat = self.game.seat_to_move(state)
        if seat == SEAT_NONE:
            self.game.margins(state, margins)
            self.ways[way].situation = -1
            self.ways[way].value = margins[0]
            return False
        if (self.num_situations == self.situation_limit or self.depth + 1 == MOST_EVENTS
                or self.num_ways + self.game.max_moves > self.way_limit):
            self.failed = True
            return False
        here = &self.situations[self.num_situations]
        here.own = here.other = 1.0
        here.way = way
        here.seat = seat
        here.n = self.game.legal_moves(state, moves)
        here.first = self.num_ways
        here.ends = 0
        here.row = NO_ROW
        frame.weight = 0
        frame.situation = self.num_situations
        frame.next = 0
        if seat == SEAT_CHANCE:
            for i in range(here.n):
                frame.weight += self.game.chance_weight(state, moves[i])
            for i in range(here.n):
                self.ways[here.first + i].chance = (
                    <double>self.game.chance_weight(state, moves[i]) / frame.weight)
        else:
            here.row = self.table.enter(self.game.infoset_key(state, seat), seat, here.n)
            if here.row == NO_ROW or self.table.rows[here.row].n != here.n:
                self.failed = True
                return False
            here.cell = self.table.rows[here.row].first
        if way >= 0:
            self.ways[way].situation = self.num_situations
        self.num_situations += 1
        self.num_ways += here.n
        return True

    cdef void _list(self) noexcept nogil:
        """List on until the next end."""
        cdef char* state
        cdef Frame* frame
        cdef Situation* here
        cdef int next
        if self.num_situations == 0:
            self.game.setup(self.states)
            if not self._enter(-1):
                self.failed = True
        while not self.failed:
            frame = &self.frames[self.depth]
            here = &self.situations[frame.situation]
            if frame.next == here.n:
                if self.depth == 0:
                    self.complete = True
                    self._start_passes()
                    return
                self.depth -= 1
                continue
            next = frame.next
            frame.next += 1
            state = self.states + self.depth * self.game.state_size
            memcpy(state + self.game.state_size, state, self.game.state_size)
            self.game.apply(state + self.game.state_size,
                            self.moves[self.depth * self.game.max_moves + next])
            self.depth += 1
            if not self._enter(here.first + next):
                self.depth -= 1
                here.ends += 1
                return

    # ---- passes ----

    cdef void _start_passes(self) noexcept nogil:
        """Take over what walks have found, in the measure of passes."""
        cdef double shares[MAX_MOVES]
        cdef double measure = 2.0 * WARM_PASSES / self.walks if self.walks else 0.0
        cdef int32_t i
        cdef int a
        cdef Row* row
        cdef Cell* cells
        for i in range(self.table.num_rows):
            row = &self.table.rows[i]
            cells = &self.table.cells[row.first]
            average(cells, row.n, shares)
            row.work = row.reach = 0.0
            for a in range(row.n):
                cells[a].share = shares[a]
                cells[a].total = 0.0
                cells[a].work = 0.0
                cells[a].regret *= measure
        self.at = -1

    cdef void _forward(self) noexcept nogil:
        """Say how likely each situation is."""
        cdef const Situation* here
        cdef Situation* after
        cdef const Way* ways
        cdef const Cell* cells
        cdef int32_t i, a
        cdef int seat = self.seat
        for i in range(self.num_situations):
            here = &self.situations[i]
            ways = &self.ways[here.first]
            if here.seat == SEAT_CHANCE:
                for a in range(here.n):
                    if ways[a].situation >= 0:
                        after = &self.situations[ways[a].situation]
                        after.own = here.own
                        after.other = here.other * ways[a].chance
                continue
            cells = &self.table.cells[here.cell]
            if here.seat == seat:
                self.table.rows[here.row].reach = here.own
                for a in range(here.n):
                    if ways[a].situation >= 0:
                        after = &self.situations[ways[a].situation]
                        after.own = here.own * cells[a].share
                        after.other = here.other
            else:
                for a in range(here.n):
                    if ways[a].situation >= 0:
                        after = &self.situations[ways[a].situation]
                        after.own = here.own
                        after.other = here.other * cells[a].share
        self.at = self.num_situations - 1

    cdef void _backward(self) noexcept nogil:
        """Go back over the next end, and add up what situations are worth."""
        cdef const Situation* here
        cdef const Way* ways
        cdef Cell* cells
        cdef Row* row
        cdef int32_t i = self.at, a, ends = 0
        cdef int seat = self.seat
        cdef double value, other
        while i >= 0:
            here = &self.situations[i]
            if ends > 0 and here.ends > 0:
                break
            ends += here.ends
            ways = &self.ways[here.first]
            value = 0.0
            if here.seat == SEAT_CHANCE:
                for a in range(here.n):
                    value += ways[a].chance * ways[a].value
            else:
                cells = &self.table.cells[here.cell]
                for a in range(here.n):
                    value += cells[a].share * ways[a].value
                if here.seat == seat:
                    row = &self.table.rows[here.row]
                    other = here.other if seat == 0 else -here.other
                    for a in range(here.n):
                        cells[a].work += other * ways[a].value
                    row.work += other * value
            if here.way >= 0:
                self.ways[here.way].value = value
            i -= 1
        self.at = i
        self.ahead = ends - 1

    cdef double _weight(self) noexcept nogil:
        """What this pass counts in averages; the first one stands for those before it, too."""
        cdef double weight, number = WARM_PASSES + 1 + self.passes // 2
        if self.passes >= 2:
            return number * number
        weight = 0.0
        while number > 0:
            weight += number * number
            number -= 1
        return weight

    cdef void _update(self) noexcept nogil:
        """End the pass: averages, regrets and present shares of the seat; then the other one's."""
        cdef int32_t i
        cdef int a
        cdef Row* row
        cdef Cell* cells
        cdef double gain, total, weight = self._weight()
        for i in range(self.table.num_rows):
            row = &self.table.rows[i]
            if row.seat != self.seat:
                continue
            cells = &self.table.cells[row.first]
            total = 0.0
            for a in range(row.n):
                cells[a].total += weight * row.reach * cells[a].share
                gain = cells[a].regret + cells[a].work - row.work
                cells[a].regret = gain if gain > 0.0 else 0.0
                cells[a].work = 0.0
                total += cells[a].regret
            for a in range(row.n):
                cells[a].share = cells[a].regret / total if total > 0.0 else 1.0 / row.n
            row.work = 0.0
        self.seat = 1 - self.seat
        self.passes += 1
