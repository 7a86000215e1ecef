"""Module 3: what upgraded longships load, and upgrading (RULES 12)."""

from engine.types cimport uint8_t
from engine.games.lofoten.state cimport SHIP_UPGRADED, LofotenState, Rules

# Load the ship that faces the market if it must; True if its owner may load and has to be asked.
cdef bint load_ship(LofotenState* s, const Rules* rules, int seat) noexcept nogil
# Whether ship C faces a tile of another type that it may load.
cdef bint may_load(const LofotenState* s, int seat) noexcept nogil
# Load what faces the market, without asking.
cdef void load_tile(LofotenState* s, int seat) noexcept nogil
# Turn a stored tile face down, to pay for an upgrade.
cdef void turn_down(LofotenState* s, int seat, int tile) noexcept nogil
# Turn a longship to its upgraded side.
cdef void upgrade(LofotenState* s, int seat, int ship) noexcept nogil
# Whether ship B, upgraded, holds a tile; then `more` holds its further ones.
cdef bint b_is_loaded(const LofotenState* s, int seat) noexcept nogil
# Unload one tile of ship B only (R51 `one`); True if its owner must choose a warehouse first.
cdef bint take_one(LofotenState* s, int seat, int place, int tile) noexcept nogil


cdef inline bint has_plain_ship(const LofotenState* s, int seat) noexcept nogil:
    """Whether a longship of a seat is not upgraded yet."""
    cdef const uint8_t* ships = s.ship_kind[seat]
    return not (ships[0] & ships[1] & ships[2] & ships[3] & SHIP_UPGRADED)
