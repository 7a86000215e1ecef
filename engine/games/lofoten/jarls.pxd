"""Module 2: requirements and what Jarls give when they are claimed (RULES 11)."""

from engine.games.lofoten.state cimport Card, LofotenState, Rules

# Whether a seat may claim one of the two Jarls now.
cdef bint can_claim(const LofotenState* s, const Rules* rules, int seat, int which) noexcept nogil
# Claim it: pay what it asks, get what it gives; may lead to PHASE_HARBOUR or PHASE_ATTACH.
cdef void claim(LofotenState* s, const Rules* rules, int which) noexcept nogil
# Attach the storehouse of the seat to move to a warehouse.
cdef void attach(LofotenState* s, int house) noexcept nogil
# The card of the Jarl that a seat has claimed, NULL if none.
cdef const Card* claimed_jarl(const LofotenState* s, const Rules* rules, int seat) noexcept nogil
# Whether it is of the ability whose number is given.
cdef bint has_ability(const LofotenState* s, const Rules* rules, int seat,
                      int ability) noexcept nogil
# Redo what permanent abilities of a seat change from the Jarl it has claimed.
cdef void grant_permanent(LofotenState* s, const Rules* rules, int seat) noexcept nogil

# Points that a Jarl gives at the end, by ability; `banners` is the number of its owner's bucklers.
ctypedef int (*final_points_t)(const Card* card, int banners) noexcept nogil
cdef final_points_t FINAL_POINTS[16]

# Numbers of the abilities that other modules look for.
cdef int HARBOUR
cdef int ROWERS
cdef int TRADERS
cdef int SWIFT
cdef int STOREHOUSE
