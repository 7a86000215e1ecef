"""The face of the package: one search after another. Prints nothing; reports by callbacks."""

from _thread import start_new_thread
from time import monotonic_ns

from search import limits as limits_module
from search.control import StopFlag
from search.event import Event
from search.final import lot
from search.helpers import Helpers
from search.info import Info, Result
from search.limits import Limits
from search.making import Maker
from search.pace import Pace
from search.presets import TABLE
from search.running import Running

TYPE_CHECKING = False  # true for type checkers; importing typing would be slow
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from engine import State
    from search.belief import Belief
    from search.outline import Outline
    from search.tree import Tree
    from search.worker import Worker

_MS = 1_000_000
# Where the end can be worked out, that may take this part of the time of a decision, at most so
# long, and this memory; with a limit in nodes so many positions for each.
_SOLVER_SHARE = 4
_SOLVER_LONGEST_NS = 2_000_000_000
_SOLVER_BYTES = 16 << 20
_SOLVER_NODES_PER_NODE = 50
# Threads, and memory in MiB: more than any machine has.
_MOST = 1 << 30
# With more memory than this, in MiB, nobody waits until the trees of a search are given back.
_HASH_QUICKLY_FREED = 64


class Searcher:
    """Finds moves with one preset.

    Args:
        preset: a name from `search.PRESETS`.
        threads: independent trees, merged at the root; the algorithms of
            search.making.THREADED; others use one.
        hash_mb: memory of all trees together, MiB.
        seed: of the random streams; the same seed, limits in `nodes` and threads give the same
            result.
        move_overhead_ms: what a decision costs beside the search; taken off shares of a clock.
        playout_plies: decisions of a playout; None: as the preset says.
        options: search options (see search.options) that replace those of the preset.

    Raises:
        ValueError: no such preset or option, or a number out of range.
    """

    def __init__(
        self,
        preset: str = "drakkar",
        threads: int = 1,
        hash_mb: int = 64,
        seed: int = 0,
        move_overhead_ms: float = 10,
        playout_plies: int | None = None,
        options: "dict[str, bool | int | float | str | None] | None" = None,
    ) -> None:
        if preset not in TABLE:
            raise ValueError(f"no preset {preset!r}; there are: {', '.join(TABLE)}")
        if not (1 <= threads <= _MOST and 1 <= hash_mb <= _MOST):
            raise ValueError(f"threads and hash_mb are at least 1 and at most {_MOST}")
        if not move_overhead_ms >= 0:
            raise ValueError("move_overhead_ms is at least 0")
        if playout_plies is not None and playout_plies < 0:
            raise ValueError("playout_plies is at least 0, or None")
        self.preset, self.threads, self.hash_mb = preset, threads, hash_mb
        self.seed, self.move_overhead_ms = seed, move_overhead_ms
        changes = dict(options or {})
        if playout_plies is not None:
            changes["playout_plies"] = playout_plies
        self.options = TABLE[preset].with_changes(changes)
        # Up after stop(): the first ends searches, the second waits with nothing left to search.
        # One attribute, so that a stop never meets the halves of two searches.
        self._ends = (StopFlag(), Event())
        self._armed = False
        # Empty while a search runs.
        self._turn: list[None] = [None]
        self._last: list[Worker] = []
        self._maker = Maker(self.options, threads, hash_mb * 1024 * 1024)
        self._helpers = Helpers()
        self._pace = Pace(move_overhead_ms)

    def arm(self) -> None:
        """Get ready for a `go` that another thread will start: from now on `stop` counts for it.

        Without this a `stop` that comes before `go` has begun is forgotten. RuntimeError while a
        search is running.
        """
        self._begin()
        try:
            self._lower()
            self._armed = True
        finally:
            self._turn.append(None)

    def stop(self) -> None:
        """Make the running `go` return within milliseconds; any thread may call this."""
        stop, asked = self._ends
        stop.set()
        asked.set()

    def wait_no_longer(self) -> None:
        """Let a running `infinite` search answer once it has nothing left to do; any thread."""
        self._ends[1].set()

    def _lower(self) -> None:
        # New ones for each search: a thread that outlives its search ends by the old ones.
        self._ends = (StopFlag(), Event())

    def _begin(self) -> None:
        """Take the turn; whoever does gives it back by `_turn.append(None)`.

        Not by a call: a signal that is handled behind it would come before the caller's `try`.
        """
        try:
            del self._turn[0]
        except IndexError:
            text = "a search is running: stop it and wait until it has returned"
            raise RuntimeError(text) from None

    def new_game(self) -> None:
        """Forget everything about earlier searches; RuntimeError while one is running."""
        self._begin()
        try:
            self._forget()
            self._pace = Pace(self.move_overhead_ms)
        finally:
            self._turn.append(None)

    def _forget(self) -> None:
        """Let go of what searches have found."""
        last, graphs = self._last, self._maker.graphs
        self._last, self._maker.graphs = [], []
        self._free(last)
        self._free(graphs)

    def _free(self, owners: "list[Any]") -> None:
        """Give back the memory of workers or graphs; nobody waits for gigabytes."""
        if self.hash_mb > _HASH_QUICKLY_FREED:
            try:
                start_new_thread(owners.clear, ())
                return
            except RuntimeError:
                pass  # the machine has no more threads
        owners.clear()

    @property
    def tree(self) -> "Tree | None":
        """The tree of the last search (its first thread), for tests and analysis.

        RuntimeError while a search runs.
        """
        self._begin()
        try:
            return getattr(self._last[0], "tree", None) if self._last else None
        finally:
            self._turn.append(None)

    @property
    def outline(self) -> "Outline | None":
        """What the last search (its first thread) remembers; None if it keeps no tree.

        RuntimeError while a search runs.
        """
        self._begin()
        try:
            return self._outline()
        finally:
            self._turn.append(None)

    def _outline(self) -> "Outline | None":
        from search.outline import outline_of

        return outline_of(self._last[0]) if self._last else None

    def go(
        self,
        view: "State",
        limits: Limits,
        on_info: "Callable[[Info], None] | None" = None,
        info_ms: float = 100,
        multipv: int = 1,
        belief: "Belief | None" = None,
    ) -> Result:
        """Search and return the move to play; blocks without the GIL.

        Args:
            view: what the seat to move knows. A full state is blinded first.
            limits: when to end.
            on_info: called about every `info_ms` (at least 50), and when an infinite search comes
                to rest; not with the final report, which is part of the result.
            multipv: how many root moves a report tells of.
            belief: of the seat to move, up to date; where given, worlds are drawn by it.

        Raises:
            ValueError: no decision of the view's seat here; no limit given; no legal searchmoves; a
                belief that does not fit the view.
            RuntimeError: a search is running.
        """
        start = monotonic_ns()
        self._begin()
        try:
            return self._go(view, limits, on_info, info_ms, multipv, belief, start)
        finally:
            self._turn.append(None)

    def _go(
        self,
        view: "State",
        limits: Limits,
        on_info: "Callable[[Info], None] | None",
        info_ms: float,
        multipv: int,
        belief: "Belief | None",
        start: int,
    ) -> Result:
        if not self._armed:
            self._lower()
        self._armed = False
        if limits.is_open:
            raise ValueError("a search needs a limit: nodes, time_ms, depth, clock_ms or infinite")
        if view.seat_to_move < 0:
            raise ValueError("no seat is to move here")
        stop, asked = self._ends
        root = view if view.observer >= 0 else view.view(view.seat_to_move)
        _check_belief(belief, root)
        moves = None if limits.searchmoves is None else tuple(limits.searchmoves)
        last, self._last = self._last, []
        self._free(last)
        nodes, deadline = self._bounds(root, limits, start)
        solved = self._solve(root, limits, moves, start, nodes, deadline)
        if solved is not None:
            self._pace.end()
            solved.lines = solved.lines[: max(multipv, 1)]
            if limits.infinite:
                if on_info is not None:
                    on_info(solved)
                asked.wait()
            return _answer(solved)
        workers = self._maker.make(root, stop, self.seed, moves, belief, limits.is_counted)
        self._last = workers
        # Where a lot decides, the shares of all moves count, not which has the most.
        by_clock = limits.clock_ms is not None and limits.time_ms is None
        by_clock = by_clock and self.options["final"] in ("auto", "most", "robust")
        for i, worker in enumerate(workers):
            goal = _part(nodes, i, len(workers))
            worker.set_limits(goal, deadline, limits.depth, limits.infinite, by_clock)
        search = Running(
            workers, start, max(multipv, 1), str(self.options["final"]), lot(self.seed, root)
        )
        every = int(min(max(info_ms, 50), limits_module.LONGEST_MS) * _MS)
        try:
            self._run(search, on_info, every)
            if limits.infinite and not asked.is_set():
                if on_info is not None:
                    on_info(search.report())
                asked.wait()
        finally:
            self._pace.end()
        return _answer(search.report(), self._outline())

    def ponder(
        self, view: "State", nodes: int | None = None, belief: "Belief | None" = None
    ) -> None:
        """Think ahead in a view in which its seat does not decide, until `stop` or a limit.

        What is found is kept for the next `go`, which finds it where the position is one that was
        thought of. Algorithms other than puct keep nothing, and return at once.

        Args:
            view: what a seat knows where another seat or luck decides.
            nodes: simulations; None: no limit.
            belief: of the view's seat, up to date; where given, worlds are drawn by it.

        Raises:
            ValueError: no view, or its seat is to move; a belief that does not fit the view.
            RuntimeError: a search is running.
        """
        self._begin()
        try:
            self._ponder(view, nodes, belief)
        finally:
            self._turn.append(None)

    def _ponder(self, view: "State", nodes: int | None, belief: "Belief | None") -> None:
        if not self._armed:
            self._lower()
        self._armed = False
        _check_belief(belief, view)
        workers = self._maker.make_ahead(view, self._ends[0], self.seed, belief, nodes is not None)
        if not workers:
            return
        for i, worker in enumerate(workers):
            worker.set_limits(_part(nodes, i, len(workers)), None, None, True)
        search = Running(workers, monotonic_ns(), 1, "auto", 0.0)
        self._run(search, None, limits_module.LONGEST_MS * _MS)

    def _run(self, search: Running, on_info: "Callable[[Info], None] | None", every: int) -> None:
        """Run a search until it ends; nothing of it runs afterwards, whatever came between."""
        try:
            try:
                search.run(self._helpers, on_info, every)
            finally:
                self._ends[0].set()
                search.join(None)
        except BaseException:
            # Should a signal have cut the waiting short, a helper may still write to them.
            self._forget()
            raise

    def _solve(
        self,
        root: "State",
        limits: Limits,
        moves: "tuple[int, ...] | None",
        start: int,
        nodes: int | None,
        deadline: int | None,
    ) -> Info | None:
        """Return the exact report of a late position, or None where it cannot be worked out."""
        if not self.options["solver"] or nodes == 0:
            return None
        from search.solver import Solver

        solver = Solver(
            root,
            margin_share=float(self.options["margin_share"] or 0.0),
            max_nodes=None if nodes is None else _SOLVER_NODES_PER_NODE * nodes,
            max_bytes=_SOLVER_BYTES,
            searchmoves=moves,
        )
        now = monotonic_ns()
        # What a limit in nodes alone finds must not depend on the time.
        until = now + _SOLVER_LONGEST_NS if nodes is None else None
        if deadline is not None:
            share = now + (deadline - now) // _SOLVER_SHARE
            until = share if until is None else min(until, share)
        rows = solver.run(until, self._ends[0])
        if rows is None:
            return None
        from search.solved import info_of

        return info_of(solver, rows, start)

    def _bounds(self, root: "State", limits: Limits, start: int) -> "tuple[int | None, int | None]":
        """Turn the limits into a number of simulations and a time to end, None: without."""
        nodes = limits.nodes
        deadlines: list[int] = []
        if limits.time_ms is not None:
            deadlines.append(start + int(limits.time_ms * _MS))
        share = self.share_ms(root, limits)
        if share is not None:
            # What was done up to here belongs to the overhead, which the share already leaves out.
            self._pace.begin(limits, share)
            deadlines.append(monotonic_ns() + int(share * _MS))
            moves = root.legal_moves() if limits.searchmoves is None else limits.searchmoves
            if len(moves) == 1:
                forced = limits_module.FORCED_SIMULATIONS
                nodes = forced if nodes is None else min(nodes, forced)
        if 0 in (limits.time_ms, share) or (limits.depth is not None and limits.depth <= 0):
            nodes = 0
        return nodes, min(deadlines, default=None)

    def share_ms(self, view: "State", limits: Limits) -> float | None:
        """Return the milliseconds of the own clock that one decision may take.

        0 where the clock does not exceed the overhead; None if the limits have no clock.
        """
        return self._pace.share_ms(view, limits, self.seed)


def _check_belief(belief: "Belief | None", view: "State") -> None:
    if belief is not None and belief.view != view:
        raise ValueError("the belief is of another seat or position than the view")


def _part(nodes: int | None, index: int, number: int) -> int | None:
    """Return how many of so many simulations one of several threads makes; None: no limit."""
    return None if nodes is None else nodes // number + (index < nodes % number)


def _answer(info: Info, outline: "Outline | None" = None) -> Result:
    best = info.lines[0]
    ponder = best.pv[1] if len(best.pv) > 1 else None
    if ponder is not None and outline is not None and outline.is_luck_behind(best.move):
        ponder = None
    return Result(best.move, ponder, info)
