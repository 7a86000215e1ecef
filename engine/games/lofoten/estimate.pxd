"""How a game will end: the evaluation of full states, at any moment of a turn.

The margin is a sum: warehouses by how surely each is won (see sight.pxd), what the next two turns
can unload and load, and what coins, orders and cards in hand are worth. The weights depend on the
progress of the game (see weights.pxd). The expected return follows from the margin m:

    0.5 + 0.5 * m / sqrt(m**2 + clear**2)

Only +, -, *, / and sqrt are used, so the results are the same on every machine.
"""

from engine.games.lofoten.state cimport LofotenState, Rules
from engine.games.lofoten.weights cimport Weights

# Expected return and margin of both seats, in a full state that is not over.
cdef void estimate(const LofotenState* s, const Rules* rules, const Weights* weights,
                   float* value, float* margin) noexcept nogil
