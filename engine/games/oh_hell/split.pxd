"""How the unseen cards can be split among hidden hands, counted and drawn exactly.

A seat that has shown that it lacks a suit gets no card of it; otherwise every way to choose the
cards of each hidden hand is equally likely. The number of ways to fill hands of sizes n from
classes of cards k, k + 1, ... is

    F(k, n) = sum over a of c! / (a1! a2! a3! (c - a1 - a2 - a3)!) * F(k + 1, n - a)

with c cards in class k, of which hand i gets a_i, 0 where it lacks that suit; what no hand gets is
left over. Suits that the same hands lack are one class; the last class is what any hand may hold.
To draw a deal, the a of each class are drawn in proportion to their term, then the cards by lot.
Counts are doubles, without the factors c!, which all terms share: exact to about 15 digits.
"""

from engine.rng cimport Rng
from engine.types cimport uint64_t
from engine.games.oh_hell.state cimport OhHellState, Rules

cdef enum:
    MOST_BINS = 3           # hidden hands of a view
    MOST_CLASSES = 5        # four suits lacking somewhere, and the last class
    # Sizes of hidden hands: three of at most 12 cards, or two of at most 17.
    TABLE = 2197

cdef struct Split:
    int bins                        # hidden hands
    int seat[MOST_BINS]             # whose they are
    int size[MOST_BINS]             # hidden cards in them; 0 beyond `bins`
    int classes                     # 1..MOST_CLASSES; the last one is open to all
    uint64_t cards[MOST_CLASSES]
    int number[MOST_CLASSES]        # of cards
    int open[MOST_CLASSES]          # bit i: hand i may hold such cards

# Read off what is hidden.
cdef void read_split(const OhHellState* s, const Rules* rules, Split* split) noexcept nogil
# True if there is a way.
cdef bint can_be_dealt(const Split* split) noexcept nogil
# Draw a deal and enter it into the state.
cdef void deal_cards(const Split* split, OhHellState* s, Rng* rng) noexcept nogil
