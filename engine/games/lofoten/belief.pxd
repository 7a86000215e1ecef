"""Beliefs of Lofoten: what a seat takes the other's hand to be.

By the rules a hand comes about in proportion to its physical ways, which the view counts (see
hidden.pyx). Each decision of the other seat about its hand, the card played and the end where the
drawn one is put, is a second witness: by Bayes' rule a hand is weighted by how likely that decision
was with it. The weights are a table over the three cards of the hand by place. It is exact, since
all cards that a decision depends on are either still in the hand or seen since, and since cards not
yet seen are alike for every order in which the seen ones came.

Nobody knows anything of the tiles in the piles but their number and the types on top, and no
decision depends on more: counting them, given the visible types, is all there is to be known.
"""

from engine.rng cimport Rng
from engine.types cimport move_t, uint16_t, uint32_t, uint8_t
from engine.games.lofoten.state cimport LofotenState, Rules
from engine.games.lofoten.weights cimport Weights

cdef enum:
    NUM_HANDS = 1728         # 12 ** 3

# One column of the alias method.
cdef struct Column:
    uint32_t threshold       # below it `hand`, else `other`
    uint16_t hand            # place in the table: left * 144 + middle * 12 + right
    uint16_t other

cdef struct Belief:
    # Relative likelihood of what the other seat decided, by its hand. The third card is the drawn
    # one while that has no place. A place without a card counts as any card.
    float likelihood[NUM_HANDS]
    # The rest is filled by `prepare`.
    double ways              # of all hands, physical
    double weight            # of all hands, ways times likelihood
    uint8_t seat             # of the hidden hand
    uint8_t hidden           # how many of its cards are hidden
    uint8_t slot[3]          # slot of each place of the table
    uint8_t fixed[3]         # where the place is not hidden: the index used, else CARD_UNKNOWN
    uint16_t columns         # hands that are possible
    Column column[NUM_HANDS]

# A belief without any decision: all hands as likely as they are dealt.
cdef void start(Belief* belief) noexcept nogil
# Take in a move of which `view` is the view before it; `seat` is the observer.
cdef void observe(const LofotenState* view, const Rules* rules, const Weights* numbers, int seat,
                  move_t move, Belief* belief) noexcept nogil
# Find the possible hands and how to draw them.
cdef void prepare(const LofotenState* view, int seat, Belief* belief) noexcept nogil
# Fill in the hidden hand of a copy of the view that was prepared for.
cdef void draw(const Belief* belief, LofotenState* s, Rng* rng) noexcept nogil
# Fill in the number of physical ways of each hand of a prepared belief; 0 where it is impossible.
cdef void fill_ways(const LofotenState* view, const Belief* belief, uint16_t* ways) noexcept nogil
