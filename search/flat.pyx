"""Flat Monte Carlo over determinizations: no tree, the same number of playouts for every move."""

cimport cython

from engine.types cimport MAX_SEATS
from search.playout cimport evaluate, playout
from search.worker cimport Worker, settle_luck


@cython.final
cdef class FlatWorker(Worker):
    """See Worker. Root moves take turns; each simulation has a determinization of its own."""

    cdef bint simulate(self) noexcept nogil:
        cdef float result[MAX_SEATS]
        cdef int index = self.simulations % self.num_root_moves
        self.draw_world()
        self.game.apply(self.world, self.root_moves[index])
        settle_luck(self.game, self.world, &self.world_rng)
        if self.playout_plies:
            if not playout(self.game, self.world, &self.playout_rng, self.playout_plies,
                           &self.watch, &self.count):
                return False
        evaluate(self.game, self.world, result)
        self.book(index, result)
        self.depth_sum += 1
        self.seldepth = 1
        return True

    # ---- for Python ----

    def best_order(self, rows):
        """Return merged rows, best move first: highest mean, lower move; unvisited moves last."""
        return sorted(rows, key=lambda r: (r[1] == 0, -r[3] / max(r[1], 1), r[0]))
