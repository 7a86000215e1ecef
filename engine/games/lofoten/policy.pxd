"""How likely a seat is to choose each of its moves: priors for a search.

The share of a move is exp(x) over the sum of exp(x) of all moves, where x is a sum of weights
(priors in weights.pxd) times what the move gains: points that it unloads or loads at once, points
that can follow in the same turn and in the next one (see sight.pxd). It depends on what the seat to
move knows and on nothing else.
"""

from engine.types cimport move_t
from engine.games.lofoten.state cimport LofotenState, Rules
from engine.games.lofoten.weights cimport Weights

# Shares of `n` moves, legal in `s`, above 0, with sum 1.
cdef void prior(const LofotenState* s, const Rules* rules, const Weights* weights,
                const move_t* moves, int n, float* out) noexcept nogil
