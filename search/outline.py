"""Reading what a search remembers: the same small interface for trees and graphs.

What stands there was found from one seat's view, so it holds nothing that this seat may not know.
"""

from search.ismcts import IsmctsWorker
from search.puct import PuctWorker

TYPE_CHECKING = False  # true for type checkers; importing typing would be slow
if TYPE_CHECKING:
    from search.graph import Graph
    from search.tree import Tree
    from search.worker import Worker

    LookEdge = tuple[int, int, float | None, float, int, bool, int | None]
    Look = tuple[int, int, float, bool, list[LookEdge]]


class Branch:
    """One move at a node."""

    __slots__ = ("after_luck", "child", "mean", "move", "outcomes", "prior", "visits")

    def __init__(
        self,
        move: int,
        visits: int,
        prior: float | None,
        mean: float,
        child: int,
        after_luck: bool,
        outcomes: int | None,
    ) -> None:
        self.move = move
        """The move."""
        self.visits = visits
        """Simulations that took it."""
        self.prior = prior
        """How likely the seat was thought to choose it, 0 to 1; None: the search has no priors."""
        self.mean = mean
        """Mean reward of the seat that decides, 0 to 1; 0 without visits."""
        self.child = child
        """Index of the node last reached over it; -1 if none was."""
        self.after_luck = after_luck
        """True if luck decides something between the move and the next decision."""
        self.outcomes = outcomes
        """Nodes that were first reached over it; None: not counted."""


class Spot:
    """One node: a decision as the search knows it."""

    __slots__ = ("branches", "is_open", "mean", "seat", "visits")

    def __init__(
        self, seat: int, visits: int, mean: float, is_open: bool, edges: "list[LookEdge]"
    ) -> None:
        self.seat = seat
        """Who decides, from 0."""
        self.visits = visits
        """Simulations that chose a move here."""
        self.mean = mean
        """Mean reward of the seat that decides; its estimate where there are no visits."""
        self.is_open = is_open
        """True if the legal moves depend on secrets, so that not all of them need to be here."""
        self.branches = [Branch(*edge) for edge in edges]
        """The moves in ascending order."""


class Outline:
    """The nodes of a search by index, in the order in which they were made."""

    def __init__(self, memory: "Graph | Tree", root: int, size: int, search: int) -> None:
        self._memory, self._search = memory, search
        self.root = root
        """Index of the node at which the search began."""
        self.size = size
        """How many nodes there are."""

    def spot(self, index: int) -> Spot:
        """Return a node.

        IndexError if there is none; RuntimeError if a later search has begun and changes what this
        one had found.
        """
        return Spot(*self._memory.look(index, self._search))

    def is_luck_behind(self, move: int) -> bool:
        """Return True if luck decides something between a root move and the next decision."""
        branches = self.spot(self.root).branches
        return any(branch.after_luck for branch in branches if branch.move == move)


def outline_of(worker: "Worker") -> Outline | None:
    """Return what a worker remembers, while it does not run; None if it has no tree with a root."""
    if isinstance(worker, PuctWorker):
        if worker.root_node < 0:
            return None
        return Outline(worker.graph, worker.root_node, worker.graph.num_nodes, worker.search)
    if isinstance(worker, IsmctsWorker):
        return Outline(worker.tree, 0, worker.tree.size, 0)
    return None
