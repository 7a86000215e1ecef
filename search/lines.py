"""The line of moves that a graph holds to be best."""

TYPE_CHECKING = False  # true for type checkers; importing typing would be slow
if TYPE_CHECKING:
    from search.graph import Graph

_LONGEST = 64


def line_of(graph: "Graph", root: int, move: int) -> list[int]:
    """Return the moves most visited from a node on, beginning with `move`, also through luck."""
    line, child = [move], -1
    for edge in graph.edges_of(root):
        if edge[0] == move:
            child = edge[4]
    while child != -1 and len(line) < _LONGEST:
        tried = [edge for edge in graph.edges_of(child) if edge[1]]
        if not tried:
            break
        best = max(tried, key=lambda edge: (edge[1], edge[3], -edge[0]))
        line.append(best[0])
        child = best[4]
    return line


__all__ = ["line_of"]
