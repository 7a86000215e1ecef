"""What moves are chosen by: their mean, and something for being likely or little tried.

PUCT (D. Silver et al., "Mastering the game of Go without human knowledge", Nature 550, 2017), for a
move with mean q, prior p and n of the N visits of its node:  q + c p sqrt(N + 1) / (n + 1).

UCB with progressive bias (G. Chaslot et al., "Progressive strategies for Monte-Carlo tree search",
New Mathematics and Natural Computation 4(3), 2008), b the weight of the prior:
q + c sqrt(ln(N + 2) / (n + 1)) + b p / (n + 1).

Here c is `exploration` times the standard deviation of the rewards of this search.

A move that was not tried has the mean of its node less `first_play`.
"""

from libc.math cimport sqrt

from engine.types cimport uint32_t
from search.maths cimport ln

cdef enum:
    SELECTION_PUCT = 0
    SELECTION_BIAS = 1

cdef struct Numbers:
    double exploration      # weight of what was tried little, in standard deviations of rewards
    double scale            # the same in rewards
    double first_play       # how much worse than its node an untried move is thought to be
    double prior_mix        # share of every prior that is spread evenly
    double bias_weight      # of the prior in SELECTION_BIAS, in rewards
    int selection


cdef inline double scale_of(const Numbers* numbers, double visits) noexcept nogil:
    """What the moves of a node with so many visits have in common in their scores."""
    if numbers.selection == SELECTION_BIAS:
        return numbers.scale * sqrt(ln(<uint32_t>visits + 2))
    return numbers.scale * sqrt(visits + 1.0)


cdef inline double score_of(const Numbers* numbers, double scale, double value, double prior,
                            double visits) noexcept nogil:
    """The score of a move; `value` is its mean, or what stands in for it."""
    if numbers.selection == SELECTION_BIAS:
        return (value + scale * sqrt(1.0 / (1.0 + visits))
                + numbers.bias_weight * prior / (1.0 + visits))
    return value + scale * prior / (1.0 + visits)
