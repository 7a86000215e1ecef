"""Points (RULES 9 to 12)."""

from engine.games.lofoten.state cimport LofotenState, Rules

# Points of each seat from what is stored, claimed and upgraded now.
cdef void points(const LofotenState* s, const Rules* rules, int* out) noexcept nogil
# The same by where they come from: four warehouses, longships, Jarl; for each seat 1, seat 2.
cdef void point_parts(const LofotenState* s, const Rules* rules, int* out) noexcept nogil
# Points by which seat 1 leads if the game ended now, each seat unloading its best ship.
cdef int margin_now(const LofotenState* s, const Rules* rules) noexcept nogil
