"""How warehouse cards score; a new scoring is one function here and one row in vocabulary.py."""

from engine.games.lofoten import vocabulary


cdef void scoring(name, scoring_t function):
    SCORINGS[vocabulary.index_of(vocabulary.SCORINGS, name)] = function


cdef inline bint wins(int mine, int others, bint tie_pays) noexcept nogil:
    return mine > others or (tie_pays and mine == others and mine > 0)


cdef int majority(const Card* card, bint tie_pays, const Side* me,
                  const Side* rival) noexcept nogil:
    return card.a if wins(me.units, rival.units, tie_pays) else 0

scoring("majority", majority)


cdef int most_tiles(const Card* card, bint tie_pays, const Side* me,
                    const Side* rival) noexcept nogil:
    return card.a if wins(me.tiles, rival.tiles, tie_pays) else 0

scoring("most_tiles", most_tiles)


cdef int own_bucklers(const Card* card, bint tie_pays, const Side* me,
                      const Side* rival) noexcept nogil:
    return min(card.a * me.own, card.b)

scoring("own_bucklers", own_bucklers)


cdef int rival_bucklers(const Card* card, bint tie_pays, const Side* me,
                        const Side* rival) noexcept nogil:
    return card.a if wins(me.other, rival.other, tie_pays) else 0

scoring("rival_bucklers", rival_bucklers)


cdef int difference(const Card* card, bint tie_pays, const Side* me,
                    const Side* rival) noexcept nogil:
    return min(me.units - rival.units, <int>card.a) if me.units > rival.units else 0

scoring("difference", difference)


cdef int runner_up(const Card* card, bint tie_pays, const Side* me,
                   const Side* rival) noexcept nogil:
    if wins(me.units, rival.units, tie_pays):
        return card.a
    return card.b if me.units < rival.units and me.tiles else 0

scoring("runner_up", runner_up)


cdef int threshold(const Card* card, bint tie_pays, const Side* me,
                   const Side* rival) noexcept nogil:
    return card.b if me.units >= card.a else 0

scoring("threshold", threshold)


cdef int fewest(const Card* card, bint tie_pays, const Side* me,
                const Side* rival) noexcept nogil:
    if not me.tiles or not rival.tiles:
        return 0
    return card.a if me.units < rival.units or (tie_pays and me.units == rival.units) else 0

scoring("fewest", fewest)


cdef int buckler_pairs(const Card* card, bint tie_pays, const Side* me,
                       const Side* rival) noexcept nogil:
    return min(card.a * min(me.own, me.other), card.b)

scoring("buckler_pairs", buckler_pairs)

for row in vocabulary.SCORINGS:
    assert SCORINGS[vocabulary.index_of(vocabulary.SCORINGS, row.name)] != NULL, row.name
