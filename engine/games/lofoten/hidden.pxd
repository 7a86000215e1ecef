"""Hidden information of Lofoten: keys of knowledge, views, determinization, invariants.

Only hands are secret to one seat; the order of deck and piles, and what lies under a pile's top,
is secret to all and drawn when needed. What a seat knows of the other's hand: which cards are out
of the question because it has seen them, and, once a deck was renewed, which cards the other had
kept from the old one (see `label` in state.pxd).
"""

from engine.types cimport key_t, move_t
from engine.rng cimport Rng
from engine.games.lofoten.state cimport LofotenState, Rules

cdef key_t full_key(const LofotenState* s, const Rules* rules) noexcept nogil
# The key of what everybody knows.
cdef key_t public_key(const LofotenState* s, const Rules* rules) noexcept nogil
cdef key_t infoset_key(const LofotenState* s, const Rules* rules, int seat) noexcept nogil
cdef move_t redact(move_t move, int seat) noexcept nogil
cdef int reveal(LofotenState* s, move_t move) noexcept nogil
cdef void blind(LofotenState* s, int seat) noexcept nogil
cdef void determinize(LofotenState* s, Rng* rng) noexcept nogil
