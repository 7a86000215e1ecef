"""Selection and expansion."""

from libc.math cimport sqrt

from engine.rng cimport STREAM_TEST, rng_below, rng_seed
from engine.types cimport MAX_MOVES, uint64_t
from search.maths cimport ln
from search.tree cimport NO_EDGE, Edge


cdef inline int match_edges(Tree tree, int32_t node, const move_t* moves, int n,
                            int32_t* matched) noexcept nogil:
    """Find the edge of each move, NO_EDGE where there is none; return how many there are not."""
    cdef const Edge* edges = tree.edges
    cdef int32_t e = tree.nodes[node].first_edge
    cdef int i, untried = 0
    for i in range(n):
        while e != NO_EDGE and edges[e].move < moves[i]:
            e = edges[e].next
        if e != NO_EDGE and edges[e].move == moves[i]:
            matched[i] = e
        else:
            matched[i] = NO_EDGE
            untried += 1
    return untried


cdef inline int nth_untried(const int32_t* matched, int nth) noexcept nogil:
    cdef int i = 0
    while True:
        if matched[i] == NO_EDGE:
            if nth == 0:
                return i
            nth -= 1
        i += 1


cdef inline int best_by_ucb(const Edge* edges, const int32_t* matched, int n,
                            double exploration) noexcept nogil:
    cdef double share, score, best_score = -1.0
    cdef int i, best = 0
    cdef const Edge* edge
    if n == 1:
        return 0
    for i in range(n):
        edge = &edges[matched[i]]
        share = 1.0 / edge.visits
        score = edge.reward * share + exploration * sqrt(ln(edge.availability) * share)
        if score > best_score:
            best_score = score
            best = i
    return best


cdef Choice choose(Tree tree, int32_t node, const move_t* moves, int n, double exploration,
                   Rng* rng) noexcept nogil:
    cdef int32_t matched[MAX_MOVES]
    cdef Choice choice
    cdef int i, untried
    matched[0] = NO_EDGE
    untried = match_edges(tree, node, moves, n, matched)
    choice.grown = untried > 0
    if untried:
        choice.index = nth_untried(matched, rng_below(rng, untried) if untried > 1 else 0)
        choice.edge = tree.add_edge(node, moves[choice.index])
        if choice.edge == NO_EDGE:
            choice.grown = False
            return choice
        matched[choice.index] = choice.edge
    else:
        choice.index = best_by_ucb(tree.edges, matched, n, exploration)
        choice.edge = matched[choice.index]
    for i in range(n):
        if matched[i] != NO_EDGE:
            tree.edges[matched[i]].availability += 1
    return choice


def step(Tree tree, int32_t node, moves, double exploration, double reward, uint64_t seed=0):
    """Choose one of the legal `moves` (ascending) at a node and book `reward` on its edge.

    What one simulation does at one node, for tests; `seed` decides among untried moves. Returns the
    move, or None if the tree is full.
    """
    cdef move_t legal[MAX_MOVES]
    cdef Rng rng
    cdef int i, n = len(moves)
    if not 0 < n <= MAX_MOVES:
        raise ValueError(f"1 to {MAX_MOVES} legal moves, not {n}")
    tree.seat(node)
    rng_seed(&rng, seed, STREAM_TEST, 0)
    for i in range(n):
        legal[i] = moves[i]
    cdef Choice choice = choose(tree, node, legal, n, exploration, &rng)
    if choice.edge == NO_EDGE:
        return None
    tree.edges[choice.edge].visits += 1
    tree.edges[choice.edge].reward += reward
    return legal[choice.index]
