"""How a seat chooses a card, and where it puts the drawn one: a model of play for beliefs.

The worth of a card in a slot is a weighted sum of features of the card, the slot and what is public
(see sight.pxd); the seat's other cards play no part. A card to play is chosen with probability
proportional to exp of its worth, beside the worth of putting the hand away; the end of the hand for
the drawn card in proportion to exp of the worth of the hand that results: the sum of its three
cards, and what the better of its side cards gains, since one of them is played at a time. A share
of decisions is made by lot: a search finds many of them even, or looks at what these features do
not tell. Weights and shares are of games with modules or without, and by whether the dock of the
seat is free, which decides what a middle card is for; all were fitted to games of the search
(`python -m bench.fit_choices`).
"""

from engine.games.lofoten.state cimport LofotenState, Rules
from engine.games.lofoten.weights cimport Weights

cdef enum:
    NUM_SIDE = 12            # features of a card in the left or right slot
    NUM_MID = 17             # of a card in the middle
    NUM_OTHER = 3            # of putting the hand away
    NUM_CHOICE = 32          # all of them
    NUM_BETTER = 2           # features of the better side card: its gain, its worth to be played
    NUM_PUT = 34             # weights for the place of the drawn card

cdef struct Worths:
    # exp of the worth of each card in the left, middle and right slot.
    double slot[3][12]
    double other             # exp of the worth of putting the hand away
    double lot               # probability that an alternative is taken by lot
    double meant             # that none is
    # exp of what the better side card is worth beside, by left and right card; of `put_worths`.
    double better[12][12]

# Which set of weights a game takes: 0 the base game, 1 with modules.
cdef inline int set_of(const Rules* rules) noexcept nogil:
    return rules.modules or rules.level2 != 0


# Fill out[slot][card] with the features of each card in each slot for a seat, and `other` with
# those of putting the hand away; 0 where a feature is none of the slot. Looks at no hand.
cdef void fill_choice(const LofotenState* s, const Rules* rules, const Weights* numbers, int seat,
                      double[3][12][NUM_CHOICE] out, double* other) noexcept nogil
# exp of the worths for playing a card; 0 for what is not allowed: a middle card, a redraw.
cdef void play_worths(const LofotenState* s, const Rules* rules, const Weights* numbers, int seat,
                      Worths* out) noexcept nogil
# exp of the worths for the place of the drawn card.
cdef void put_worths(const LofotenState* s, const Rules* rules, const Weights* numbers, int seat,
                     Worths* out) noexcept nogil
