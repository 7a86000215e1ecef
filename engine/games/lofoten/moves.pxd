"""Who decides, and the legal moves and chance outcomes of a state."""

from engine.types cimport SEAT_CHANCE, SEAT_NONE, move_t, uint32_t
from engine.rng cimport Rng
from engine.games.lofoten.state cimport (PHASE_DRAW, PHASE_FLIP, PHASE_HAND, PHASE_HOUSE,
                                         PHASE_JARL, PHASE_ORDER, PHASE_OVER, PHASE_REDRAW,
                                         PHASE_SHIPS, PHASE_TILE, PHASE_TOP, LofotenState, Rules)

cdef enum:
    LUCK_PHASES = (1 << PHASE_TILE | 1 << PHASE_TOP | 1 << PHASE_HOUSE | 1 << PHASE_ORDER
                   | 1 << PHASE_HAND | 1 << PHASE_DRAW | 1 << PHASE_FLIP | 1 << PHASE_REDRAW
                   | 1 << PHASE_JARL | 1 << PHASE_SHIPS)


cdef inline int seat_to_move(const LofotenState* s) noexcept nogil:
    if LUCK_PHASES >> s.phase & 1:
        return SEAT_CHANCE
    if s.phase == PHASE_OVER:
        return SEAT_NONE
    return s.seat


# Seat that the present wheel, order or hand card of the set-up is for.
cdef int setup_seat(const LofotenState* s) noexcept nogil
cdef int legal_moves(const LofotenState* s, const Rules* rules, move_t* out) noexcept nogil
cdef uint32_t chance_weight(const LofotenState* s, const Rules* rules,
                            move_t outcome) noexcept nogil
cdef move_t sample_chance(const LofotenState* s, const Rules* rules, Rng* rng) noexcept nogil
# Whether the seat may buy an extra turn now, as far as coins and the end of the game allow.
cdef bint can_buy_extra(const LofotenState* s, const Rules* rules) noexcept nogil
# Whether the middle card can be used once more (R80).
cdef bint can_use(const LofotenState* s, const Rules* rules) noexcept nogil
