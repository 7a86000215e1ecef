"""What moves are chosen by: their mean, and something for being likely and little tried.

PUCT (D. Silver et al., "Mastering the game of Go without human knowledge", Nature 550, 2017), for a
move with mean q, prior p and n of the N visits of its node:  q + c p sqrt(N + 1) / (n + 1).

Here c is `exploration` times the standard deviation of the rewards of this search. A move that was
not tried has the mean of its node less `first_play`.
"""

from libc.math cimport sqrt

from search.graph cimport Edge

cdef struct Numbers:
    double exploration      # weight of what was tried little, in standard deviations of rewards
    double scale            # the same in rewards
    double first_play       # how much worse than its node an untried move is thought to be
    double prior_mix        # share of every prior that is spread evenly


cdef inline double scale_of(const Numbers* numbers, double visits) noexcept nogil:
    """What the moves of a node with so many visits have in common in their scores."""
    return numbers.scale * sqrt(visits + 1.0)


cdef inline double score(double scale, double mean, double visits, double prior,
                         double untried) noexcept nogil:
    """The score of a move; `untried` is what stands in for the mean of one without visits."""
    return (mean if visits else untried) + scale * prior / (1.0 + visits)


cdef inline double score_of(double scale, const Edge* edge, double untried) noexcept nogil:
    """The score of the move of an edge."""
    return score(scale, edge.mean, edge.visits, edge.prior, untried)
