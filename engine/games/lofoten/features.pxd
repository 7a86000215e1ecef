"""Numbers of a position from which its final margin can be guessed."""

from engine.games.lofoten.state cimport LofotenState, Rules

cdef enum:
    NUM_FEATURES = 14

# Fill `out` with NUM_FEATURES numbers, seat 1's side less seat 2's; hidden cards count nothing.
cdef void fill_features(const LofotenState* s, const Rules* rules, double* out) noexcept nogil
