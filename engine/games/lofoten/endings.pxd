"""Endings of Lofoten that can be worked out exactly: `Game.late` and `Game.fill_secrets`.

The end is sure once it is triggered, or once fewer tiles are left in the piles than areas are
empty, so that the maintenance of this turn triggers it. Then

- the turn of seat 2, and its additional turns, are the last decisions but the final unloading:
  what seat 1 holds does not matter, and the odds of a draw are those of the unknown pool, deck and
  hidden hand together;
- the turn of seat 1 is followed by one more turn of seat 2, which plays one of its cards. If seat 2
  can neither draw nor buy a turn, it then decides alike whatever seat 1 holds; seat 1 must weigh
  the hands that seat 2 may have.

A seat that can buy no additional turn any more has no use for its hand once it has played: draws,
their places, redraws and the cards themselves are passed over and in no key.
"""

from libc.stdint cimport int64_t

from engine.types cimport key_t, uint32_t
from engine.games.lofoten.state cimport LofotenState, Rules

# See engine/game.pxd.
cdef int late(LofotenState* s, const Rules* rules, int seat, key_t* key) noexcept nogil
cdef int64_t fill_secrets(LofotenState* s, int seat, uint32_t index) noexcept nogil
