"""Pairings of a round: neighbours meet, and nobody meets the same opponent again too early."""

from collections.abc import Callable, Sequence
from itertools import combinations


def pair_up(
    ranked: Sequence[int], met: Callable[[int, int], int], bye: int | None = None
) -> list[tuple[int, int]]:
    """Return pairs of all of an even number of contestants, from the top of the ranking down.

    `met` says how often two have met. The most meetings of any pair are as few as any pairing
    allows, so nobody meets again while that can be avoided; among such pairings the first of the
    ranking gets the nearest opponent it can, then the next, and so on. An odd number has in `bye`
    the opponent of who is bye: its pair is the first, with the last of the ranking that it can.

    >>> pair_up([4, 2, 0, 1], lambda one, other: {one, other} == {4, 2})
    [(4, 0), (2, 1)]
    >>> pair_up([4, 2, 0], lambda one, other: 0, bye=7)
    [(7, 0), (4, 2)]
    """
    everyone = [*ranked] if bye is None else [*ranked, bye]
    for level in sorted({met(one, other) for one, other in combinations(everyone, 2)}):

        def may(one: int, other: int, level: int = level) -> bool:
            return met(one, other) <= level

        if has_perfect_matching(everyone, may):
            if bye is None:
                return _from_top(list(ranked), may)
            first = _opponent(bye, list(reversed(ranked)), may)
            return [(bye, first), *_from_top([c for c in ranked if c != first], may)]
    return []


def _from_top(rest: list[int], may: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    pairs = []
    while rest:
        first = rest.pop(0)
        other = _opponent(first, rest, may)
        rest.remove(other)
        pairs.append((first, other))
    return pairs


def _opponent(one: int, rest: list[int], may: Callable[[int, int], bool]) -> int:
    """Return the first of the others that leaves a pairing of those who remain."""
    for other in rest:
        if may(one, other) and has_perfect_matching([c for c in rest if c != other], may):
            return other
    raise ValueError("no pairing")


def has_perfect_matching(vertices: Sequence[int], joined: Callable[[int, int], bool]) -> bool:
    """Return True if all vertices of a graph can be paired along its edges.

    Edmonds' algorithm: paths that alternate between free and matched edges, with odd cycles shrunk.
    """
    neighbours = [
        [place for place, other in enumerate(vertices) if other != one and joined(one, other)]
        for one in vertices
    ]
    return Matching(neighbours).is_perfect()


class Matching:
    """A largest matching of a graph that is given as the neighbours of each vertex."""

    def __init__(self, neighbours: list[list[int]]) -> None:
        self.neighbours, size = neighbours, len(neighbours)
        self.partner: list[int | None] = [None] * size
        self._parent: list[int | None] = [None] * size
        self._base = list(range(size))

    def is_perfect(self) -> bool:
        """Match as many vertices as can be; return True if that is all of them."""
        for root in range(len(self.neighbours)):
            if self.partner[root] is None:
                end = self._path_from(root)
                if end is None:
                    # A vertex that cannot be matched now never can.
                    return False
                self._flip(end)
        return True

    def _flip(self, end: int) -> None:
        """Exchange free and matched edges along the path that ends here."""
        vertex: int | None = end
        while vertex is not None:
            before = self._parent[vertex]
            assert before is not None
            following = self.partner[before]
            self.partner[vertex], self.partner[before] = before, vertex
            vertex = following

    def _path_from(self, root: int) -> int | None:
        """Return the free end of an alternating path, whose way back is in `_parent`."""
        size = len(self.neighbours)
        self._parent, self._base = [None] * size, list(range(size))
        reached, queue = {root}, [root]
        for vertex in queue:  # grows meanwhile
            for other in self.neighbours[vertex]:
                partner = self.partner[other]
                if self._base[vertex] == self._base[other] or self.partner[vertex] == other:
                    continue
                if other == root or (partner is not None and self._parent[partner] is not None):
                    self._shrink(vertex, other, reached, queue)
                elif self._parent[other] is None:
                    self._parent[other] = vertex
                    if partner is None:
                        return other
                    reached.add(partner)
                    queue.append(partner)
        return None

    def _shrink(self, one: int, other: int, reached: set[int], queue: list[int]) -> None:
        """Make one vertex of the odd cycle that an edge closes."""
        base = self._common_base(one, other)
        cycle: set[int] = set()
        for start, child in ((one, other), (other, one)):
            vertex = start
            while self._base[vertex] != base:
                partner = self.partner[vertex]
                assert partner is not None
                cycle |= {self._base[vertex], self._base[partner]}
                self._parent[vertex] = child
                child = partner
                parent = self._parent[partner]
                assert parent is not None
                vertex = parent
        for vertex in range(len(self._base)):
            if self._base[vertex] in cycle:
                self._base[vertex] = base
                if vertex not in reached:
                    reached.add(vertex)
                    queue.append(vertex)

    def _common_base(self, one: int, other: int) -> int:
        """Return where the paths from two vertices to the root meet."""
        seen, vertex = set(), one
        while True:
            vertex = self._base[vertex]
            seen.add(vertex)
            partner = self.partner[vertex]
            if partner is None:
                break
            parent = self._parent[partner]
            assert parent is not None
            vertex = parent
        vertex = other
        while self._base[vertex] not in seen:
            partner = self.partner[self._base[vertex]]
            assert partner is not None
            parent = self._parent[partner]
            assert parent is not None
            vertex = parent
        return self._base[vertex]


__all__ = ["Matching", "has_perfect_matching", "pair_up"]
