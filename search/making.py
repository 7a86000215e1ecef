"""Makes the workers of a search from its options."""

TYPE_CHECKING = False  # true for type checkers; importing typing would be slow
if TYPE_CHECKING:
    from typing import Any

    from engine import State
    from search.belief import Belief
    from search.control import StopFlag
    from search.exchange import Exchange
    from search.graph import Graph
    from search.worker import Worker

    Options = dict[str, Any]

THREADED = ("ismcts", "puct", "flat")
"""Algorithms that can use more than one thread."""

VALUING = ("puct", "regret")
"""Algorithms that value positions, where the game can, in the place of a playout to the end."""


class Maker:
    """Makes workers; keeps what lasts from search to search.

    Args:
        options: all options of the search, see search.options.
        threads: workers at most.
        hash_bytes: memory of all of them together.
    """

    def __init__(self, options: "Options", threads: int, hash_bytes: int) -> None:
        self._options = options
        self._number = threads if options["algorithm"] in THREADED else 1
        self._hash_bytes = hash_bytes // self._number
        self.graphs: list[Graph] = []
        """Of each worker of `puct`: kept for the next search."""
        # Whom they are of: what one seat has found tells of its hand, and in a game with another
        # setting the same key may stand for other moves and values.
        self._owner: tuple[str, int] | None = None
        self._is_ahead = False

    def make(
        self,
        root: "State",
        stop: "StopFlag",
        seed: int,
        searchmoves: "tuple[int, ...] | None",
        belief: "Belief | None",
        is_counted: bool,
    ) -> "list[Worker]":
        """Return the workers of one search from a view; `is_counted` as in Limits."""
        self._take_over(root, is_counted)
        if searchmoves is not None:
            # What was tried for being asked for must not look like what was found good.
            self._owner = None
        plies = self._plies(root)
        exchange = None
        if self._number > 1 and self._options["algorithm"] == "puct":
            from search.exchange import Exchange

            moves = [m for m in root.legal_moves() if searchmoves is None or m in searchmoves]
            exchange = Exchange(self._number, len(moves), is_counted)
        return [
            self._make_one((root, stop, seed, index, searchmoves, plies), index, belief, exchange)
            for index in range(self._number)
        ]

    def make_ahead(
        self,
        view: "State",
        stop: "StopFlag",
        seed: int,
        belief: "Belief | None",
        is_counted: bool,
    ) -> "list[Worker]":
        """Return workers that think ahead from a view in which its seat does not decide.

        What they find is kept for what is made next. None for algorithms that keep nothing.
        """
        if self._options["algorithm"] != "puct":
            return []
        if is_counted:
            self._is_ahead = False  # or what was thought ahead without a count would show in it
        self._take_over(view, is_counted)
        plies = self._plies(view)
        workers = [
            self._make_puct((view, stop, seed, index, None, plies), index, belief, ahead=True)
            for index in range(self._number)
        ]
        self._is_ahead = True
        return workers

    def _take_over(self, view: "State", is_counted: bool) -> None:
        """Begin a search on all graphs; they are kept unless they are of another seat or game."""
        owner = (view.game.identity, view.observer)
        reuse = self._options["reuse"]
        is_wanted = self._is_ahead or reuse == "on" or (reuse == "timed" and not is_counted)
        is_kept = owner == self._owner and is_wanted
        # Nobody's until all of them are ready, and not thought ahead with until that has begun.
        self._owner, self._is_ahead = None, False
        if self._options["algorithm"] != "puct":
            return
        from search.graph import Graph

        while len(self.graphs) < self._number:
            self.graphs.append(Graph(self._hash_bytes))
        for graph in self.graphs:
            graph.start_search(is_kept)
        self._owner = owner

    def _plies(self, view: "State") -> int | None:
        """Return the decisions of a playout; None: to the end of the game."""
        plies: int | None = self._options["playout_plies"]
        if plies is None and self._options["algorithm"] in VALUING and view.game.has_estimate:
            plies = self._options["valued_plies"]
        return plies

    def _make_one(
        self,
        common: "tuple[Any, ...]",
        index: int,
        belief: "Belief | None",
        exchange: "Exchange | None",
    ) -> "Worker":
        options, algorithm = self._options, self._options["algorithm"]
        if algorithm == "puct":
            return self._make_puct(common, index, belief, exchange=exchange)
        if algorithm == "ismcts":
            from search.ismcts import IsmctsWorker

            exploration = options["exploration"]
            return IsmctsWorker(*common, exploration=exploration, hash_bytes=self._hash_bytes)
        if algorithm == "regret":
            from search.regret import RegretWorker

            exploration = options["exploration"]
            return RegretWorker(
                *common,
                exploration=exploration,
                hash_bytes=self._hash_bytes,
                final=options["final"],
            )
        if algorithm == "compatible":
            from search.compatible import CompatibleWorker

            exploration = options["exploration"]
            return CompatibleWorker(*common, exploration=exploration, hash_bytes=self._hash_bytes)
        if algorithm == "flat":
            from search.flat import FlatWorker

            return FlatWorker(*common)
        from search.simple import GreedyWorker, RandomWorker

        return (GreedyWorker if algorithm == "greedy" else RandomWorker)(*common)

    def _make_puct(
        self,
        common: "tuple[Any, ...]",
        index: int,
        belief: "Belief | None",
        ahead: bool = False,
        exchange: "Exchange | None" = None,
    ) -> "Worker":
        from search.puct import PuctWorker

        graph, options = self.graphs[index], self._options
        return PuctWorker(
            *common, graph=graph, options=options, belief=belief, ahead=ahead, exchange=exchange
        )
