"""Hidden information of Kuhn poker: keys of knowledge, views, determinization."""

from libc.stdint cimport int64_t

from engine.types cimport key_t, move_t, uint32_t
from engine.rng cimport Rng
from engine.games.kuhn.state cimport KuhnState

cdef key_t full_key(const KuhnState* s) noexcept nogil
cdef key_t public_key(const KuhnState* s) noexcept nogil
cdef key_t infoset_key(const KuhnState* s, int seat) noexcept nogil
cdef move_t redact(move_t move, int seat) noexcept nogil
cdef void blind(KuhnState* s, int seat) noexcept nogil
cdef void determinize(KuhnState* s, Rng* rng) noexcept nogil
# The other card, from the jack up; see Game.fill_secrets.
cdef int64_t fill_secrets(KuhnState* s, int seat, uint32_t index) noexcept nogil
