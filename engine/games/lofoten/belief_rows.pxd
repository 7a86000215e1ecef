"""What a belief says, in words and numbers, for people and for measurements."""

from engine.games.lofoten.belief cimport Belief
from engine.games.lofoten.state cimport LofotenState

# Each hidden card of the other hand and each tile on top of a pile: see Game.belief_rows.
cdef list rows(const LofotenState* view, const Belief* belief)
# Probability of the hidden hand of a full state: see Game.belief_odds.
cdef tuple odds(const LofotenState* view, const Belief* belief, const LofotenState* world)
