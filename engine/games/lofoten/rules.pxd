"""The course of the game: what a move or chance outcome does to a state."""

from engine.types cimport move_t
from engine.games.lofoten.state cimport LofotenState, Rules

cdef void apply(LofotenState* s, const Rules* rules, move_t move) noexcept nogil
