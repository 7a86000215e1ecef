"""Whether hands, cards in use and what is laid out fit the phase; a part of `check`."""

from engine.games.lofoten.state cimport LofotenState, Rules

# 0 or BROKEN_* bits.
cdef int check_phase(const LofotenState* s, const Rules* rules) noexcept nogil
