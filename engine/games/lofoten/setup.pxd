"""The set-up up to the hands (RULES 2, 10.1, 11.1, 12.1)."""

from engine.games.lofoten.state cimport LofotenState, Rules

# The empty table: nothing drawn yet.
cdef void setup(LofotenState* s, const Rules* rules) noexcept nogil
# Lay one of the first five tiles.
cdef void deal_tile(LofotenState* s, const Rules* rules, int tile) noexcept nogil
# Lay out one of the four warehouse cards.
cdef void lay_out_house(LofotenState* s, const Rules* rules, int card) noexcept nogil
# Lay out a Jarl, or the requirement above the last one.
cdef void lay_out_jarl(LofotenState* s, const Rules* rules, int card) noexcept nogil
# Put the longships of a seat on its wheel.
cdef void lay_out_ships(LofotenState* s, const Rules* rules, int seat, int which) noexcept nogil
# Give a start order.
cdef void deal_order(LofotenState* s, const Rules* rules, int seat, int card) noexcept nogil
# A seat puts its first start order on the left or the right (R5 `choose`).
cdef void choose_side(LofotenState* s, int right) noexcept nogil
