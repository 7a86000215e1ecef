"""Hidden information of Oh Hell: keys of knowledge, views, determinization.

A seat knows its hand, everything that lies open and in which order it came. It also knows of each
seat that did not follow suit that it has no card of that suit.
"""

from engine.types cimport key_t, move_t
from engine.rng cimport Rng
from engine.games.oh_hell.state cimport OhHellState, Rules

cdef key_t full_key(const OhHellState* s, const Rules* rules) noexcept nogil
cdef key_t public_key(const OhHellState* s) noexcept nogil
cdef key_t infoset_key(const OhHellState* s, int seat) noexcept nogil
cdef move_t redact(move_t move, int seat) noexcept nogil
cdef int reveal(OhHellState* s, const Rules* rules, move_t move) noexcept nogil
cdef void blind(OhHellState* s, const Rules* rules, int seat) noexcept nogil
cdef void determinize(OhHellState* s, const Rules* rules, Rng* rng) noexcept nogil
