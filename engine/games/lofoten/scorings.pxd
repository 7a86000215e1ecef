"""How warehouse cards score: one function for each scoring of vocabulary.py (RULES 10, 15)."""

from engine.games.lofoten.state cimport Card

# What a player has in a warehouse.
cdef struct Side:
    int units                # merchandise
    int tiles
    int own                  # bucklers of the player's own clan
    int other                # bucklers of the other clan

# Points of one player; `tie_pays`: a tie of more than 0 pays both.
ctypedef int (*scoring_t)(const Card* card, bint tie_pays, const Side* me,
                          const Side* rival) noexcept nogil

# By number of the scoring.
cdef scoring_t SCORINGS[16]
