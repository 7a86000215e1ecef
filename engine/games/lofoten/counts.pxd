"""Counted things and their part of the keys: the only functions that change a hashed count."""

from engine.types cimport key_t, uint8_t
from engine.games.lofoten.state cimport LofotenState

cdef enum:
    GROUP_DISCARD = 0        # order cards on the discard pile, by kind
    GROUP_UNSEEN = 1         # tiles in the piles, by kind
    GROUP_STORED = 2         # tiles stored, by kind; plus the seat
    GROUP_DOWN = 4           # tiles turned face down, by kind; plus the seat
    NUM_GROUPS = 6
    MAX_COUNT = 16

# COUNT_KEYS[group][kind][count]; zero for count 0.
cdef key_t COUNT_KEYS[6][24][16]


cdef inline void change(LofotenState* s, int group, int kind, uint8_t* count,
                        int by) noexcept nogil:
    """Change a count and the key with it."""
    s.counts_key ^= COUNT_KEYS[group][kind][count[0]]
    count[0] += by
    s.counts_key ^= COUNT_KEYS[group][kind][count[0]]


cdef inline void discard_card(LofotenState* s, int card) noexcept nogil:
    change(s, GROUP_DISCARD, card, &s.discard[card], 1)


cdef inline void change_unseen(LofotenState* s, int tile, int by) noexcept nogil:
    change(s, GROUP_UNSEEN, tile, &s.unseen[tile], by)


cdef inline void store_tile(LofotenState* s, int seat, int tile) noexcept nogil:
    change(s, GROUP_STORED + seat, tile, &s.stored[seat][tile], 1)


cdef inline void turn_tile_down(LofotenState* s, int seat, int tile) noexcept nogil:
    change(s, GROUP_STORED + seat, tile, &s.stored[seat][tile], -1)
    change(s, GROUP_DOWN + seat, tile, &s.down[seat][tile], 1)


cdef key_t counts_key(const LofotenState* s) noexcept nogil
