"""What the evaluation and the priors look at: the board measured in points.

The warehouse of a type pays its points for the lead in merchandise d, and what is still to come
may change it. So its value to seat 1 less that to seat 2 is taken as

    points * d / sqrt(d**2 + s**2)

where d counts what lies on ships and what they can load at a discount, and s grows with the tiles
to come. The slope of this line says what one merchandise more is worth, which makes points of all
that can be loaded and unloaded. Hidden cards count nothing here.
"""

from engine.types cimport uint8_t
from engine.games.lofoten.state cimport LofotenState, Rules

cdef enum:
    NO_TYPE = 7              # in `waits`: no waiting order
    FAR = 9                  # steps to a tile that is not there

# Share that counts of a gain that needs some moves more than a card has: by coins (2 stands for
# more) and FAR + missing moves.
cdef double PAID[3][32]
# Steps to the nearest one of a set of areas, a bit each: leftwards, rightwards (as areas are
# numbered), either way. By area and set.
cdef uint8_t STEPS[3][5][32]

cdef struct Sight:
    double contest[4]        # by type: value of the warehouse, seat 1's less seat 2's
    double units[2][4]       # by seat and type: merchandise, that on the way at a discount
    double worth[2][4]       # by seat and type: points of one merchandise more
    double loads[2][4]       # by seat and place: points of unloading the ship
    uint8_t waits[2][4]      # by seat and place: type of an order without a tile, NO_TYPE
    uint8_t orders[2][8]     # by seat and type: ships with such an order
    uint8_t ships[2]         # ships with an order
    uint8_t near[8][4]       # by type and least value 1..3: areas with such a tile, a bit each
    uint8_t come[4]          # by type: tiles in the piles and the market

# What can be gained by a card: points of unloading and of loading.
cdef struct Gain:
    double unload
    double load

# Measure the board with a row of weights.
cdef void look(const LofotenState* s, const Rules* rules, const double* w,
               Sight* sight) noexcept nogil
# What a middle card can gain that turns or moves the fleet so many times, in either direction;
# `area` and `turned` as for `side_gain`.
cdef Gain use_gain(const Sight* sight, int seat, int effect, int uses, int area,
                   int turned) noexcept nogil


cdef inline double best_of(const Sight* sight, int seat, int kind, int areas) noexcept nogil:
    """Points of the best tile of a type in some areas."""
    cdef const uint8_t* near = sight.near[kind]
    if not near[1] & areas:
        return 0.0
    return sight.worth[seat][kind] * (1 + ((near[2] & areas) != 0) + ((near[3] & areas) != 0))


cdef inline Gain side_gain(const Sight* sight, int seat, bint right, int moves, int coins, int area,
                           int turned) noexcept nogil:
    """What so many moves of a side card can unload and load, at most one tile.

    Args:
        coins: what buys further moves.
        area: where the fleet stands.
        turned: quarter turns clockwise that the wheel has made since `sight` was taken.
    """
    cdef Gain gain
    cdef int i, place, turns, kind
    cdef const uint8_t* steps = STEPS[right == (seat == 0)][area]
    cdef const uint8_t* near
    # What is missing of the moves may be any number from -FAR on.
    cdef const double* paid = &PAID[coins if coins < 2 else 2][FAR - min(moves, FAR)]
    cdef double points
    gain.unload = 0.0
    gain.load = 0.0
    for i in range(4):
        kind = sight.waits[seat][i]
        place = (i + turned) & 3
        if kind != NO_TYPE:
            turns = (-place if right else place) & 3
            near = sight.near[kind]
            if near[1]:
                points = sight.worth[seat][kind] * (
                    paid[turns + steps[near[1]]] + paid[turns + steps[near[2]]]
                    + paid[turns + steps[near[3]]])
                if points > gain.load:
                    gain.load = points
        elif sight.loads[seat][i] != 0.0:
            turns = (2 - place if right else place - 2) & 3
            if turns:
                gain.unload += sight.loads[seat][i] * paid[turns]
    return gain
