"""How many decisions a seat has still to make, by playing on."""

from engine.game cimport State
from engine.rng cimport Rng
from engine.types cimport move_t

# The index of a move drawn by its probability.
cdef int drawn(const float* priors, int n, Rng* rng) noexcept nogil
