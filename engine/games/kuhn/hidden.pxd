"""Hidden information of Kuhn poker: keys of knowledge, views, determinization."""

from engine.types cimport key_t, move_t
from engine.rng cimport Rng
from engine.games.kuhn.state cimport KuhnState

cdef key_t full_key(const KuhnState* s) noexcept nogil
cdef key_t infoset_key(const KuhnState* s, int seat) noexcept nogil
cdef move_t redact(move_t move, int seat) noexcept nogil
cdef void blind(KuhnState* s, int seat) noexcept nogil
cdef void determinize(KuhnState* s, Rng* rng) noexcept nogil
