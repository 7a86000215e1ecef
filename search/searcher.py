"""The face of the package: one search after another. Prints nothing; reports by callbacks."""

from _thread import start_new_thread
from time import monotonic_ns

from search import limits as limits_module
from search.control import StopFlag
from search.event import Event
from search.info import Info, Line, Result
from search.limits import Limits
from search.playout import run_playouts
from search.presets import TABLE
from search.worker import PAUSED

TYPE_CHECKING = False  # true for type checkers; importing typing would be slow
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Thread

    from engine import State
    from search.tree import Tree
    from search.worker import Row, Worker

_MS = 1_000_000
# Playouts from which the decisions still to come are estimated when a clock has to be divided.
_SAMPLES = 4
# With more memory than this, in MiB, nobody waits until the trees of a search are given back.
_HASH_QUICKLY_FREED = 64


class Searcher:
    """Finds moves with one preset.

    Args:
        preset: a name from `search.PRESETS`.
        threads: independent trees, merged at the root; greedy and random use one.
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
        if threads < 1 or hash_mb < 1:
            raise ValueError("threads and hash_mb are at least 1")
        if playout_plies is not None and playout_plies < 0:
            raise ValueError("playout_plies is at least 0, or None")
        self.preset, self.threads, self.hash_mb = preset, threads, hash_mb
        self.seed, self.move_overhead_ms = seed, move_overhead_ms
        changes = dict(options or {})
        if playout_plies is not None:
            changes["playout_plies"] = playout_plies
        self.options = TABLE[preset].with_changes(changes)
        self._stop = StopFlag()
        # Up after stop(), for an answer that waits for it with nothing left to search.
        self._asked = Event()
        self._armed = False
        self._last: list[Worker] = []

    def arm(self) -> None:
        """Get ready for a `go` that another thread will start: from now on `stop` counts for it.

        Without this a `stop` that comes before `go` has begun is forgotten.
        """
        self._lower()
        self._armed = True

    def stop(self) -> None:
        """Make the running `go` return within milliseconds; any thread may call this."""
        self._stop.set()
        self._asked.set()

    def _lower(self) -> None:
        self._stop.clear()
        self._asked = Event()

    def new_game(self) -> None:
        """Forget everything about earlier searches."""
        workers, self._last = self._last, []
        if self.hash_mb > _HASH_QUICKLY_FREED:
            start_new_thread(workers.clear, ())

    @property
    def tree(self) -> "Tree | None":
        """The tree of the last search (its first thread), for tests and analysis."""
        return getattr(self._last[0], "tree", None) if self._last else None

    def go(
        self,
        view: "State",
        limits: Limits,
        on_info: "Callable[[Info], None] | None" = None,
        info_ms: float = 100,
        multipv: int = 1,
    ) -> Result:
        """Search and return the move to play; blocks without the GIL.

        Args:
            view: what the seat to move knows. A full state is blinded first.
            limits: when to end.
            on_info: called about every `info_ms` (at least 50), and when an infinite search comes
                to rest; not with the final report, which is part of the result.
            multipv: how many root moves a report tells of.

        Raises:
            ValueError: no decision of the view's seat here; no limit given; no legal searchmoves.
        """
        start = monotonic_ns()
        if not self._armed:
            self._lower()
        self._armed = False
        if limits.is_open:
            raise ValueError("a search needs a limit: nodes, time_ms, depth, clock_ms or infinite")
        if view.seat_to_move < 0:
            raise ValueError("no seat is to move here")
        root = view if view.observer >= 0 else view.view(view.seat_to_move)
        workers = self._make_workers(root, limits)
        self.new_game()
        self._last = workers
        self._set_limits(workers, root, limits, start)
        search = _Search(workers, start, max(multipv, 1))
        every = int(min(max(info_ms, 50), limits_module.LONGEST_MS) * _MS)
        try:
            search.run(on_info, every)
            if limits.infinite and not self._asked.is_set():
                if on_info is not None:
                    on_info(search.report())
                self._asked.wait()
        finally:
            self._stop.set()
            search.join(None)
            self._stop.clear()
        info = search.report()
        best = info.lines[0]
        return Result(best.move, best.pv[1] if len(best.pv) > 1 else None, info)

    def _make_workers(self, root: "State", limits: Limits) -> "list[Worker]":
        number = self.threads if self.options["algorithm"] in ("ismcts", "puct", "flat") else 1
        return [self._make_worker(root, limits, i, number) for i in range(number)]

    def _make_worker(self, root: "State", limits: Limits, index: int, number: int) -> "Worker":
        """Make the worker `index` of `number` that share the memory."""
        options = self.options
        moves = None if limits.searchmoves is None else tuple(limits.searchmoves)
        common = (root, self._stop, self.seed, index, moves, options["playout_plies"])
        if options["algorithm"] == "ismcts":
            from search.ismcts import IsmctsWorker

            return IsmctsWorker(
                *common,
                exploration=options["exploration"],
                hash_bytes=self.hash_mb * 1024 * 1024 // number,
            )
        if options["algorithm"] == "flat":
            from search.flat import FlatWorker

            return FlatWorker(*common)
        from search.simple import GreedyWorker, RandomWorker

        return (GreedyWorker if options["algorithm"] == "greedy" else RandomWorker)(*common)

    def _set_limits(
        self, workers: "list[Worker]", root: "State", limits: Limits, start: int
    ) -> None:
        """Turn the limits into a number of simulations for each worker and one deadline."""
        nodes = limits.nodes
        deadlines: list[int] = []
        if limits.time_ms is not None:
            deadlines.append(start + int(limits.time_ms * _MS))
        share = self.share_ms(root, limits)
        if share is not None:
            # What was done up to here belongs to the overhead, which the share already leaves out.
            deadlines.append(monotonic_ns() + int(share * _MS))
            if len(workers[0].rows()) == 1:
                forced = limits_module.FORCED_SIMULATIONS
                nodes = forced if nodes is None else min(nodes, forced)
        if 0 in (limits.time_ms, share) or (limits.depth is not None and limits.depth <= 0):
            nodes = 0
        for i, worker in enumerate(workers):
            goal = None
            if nodes is not None:
                goal = nodes // len(workers) + (i < nodes % len(workers))
            deadline = min(deadlines, default=None)
            worker.set_limits(goal, deadline, limits.depth, limits.infinite)

    def share_ms(self, view: "State", limits: Limits) -> float | None:
        """Return the milliseconds of the own clock that one decision may take.

        0 where the clock does not exceed the overhead; None if the limits have no clock.
        """
        if limits.clock_ms is None:
            return None
        if limits.clock_ms <= self.move_overhead_ms:
            return 0.0
        to_go = float(limits.moves_to_go or 0)
        if to_go <= 0:
            _, _, choices = run_playouts(view, _SAMPLES, self.seed % 2**64)
            to_go = limits_module.expected_to_go(choices / _SAMPLES, view.game.num_seats)
        return limits_module.share_of_clock(
            limits.clock_ms, limits.inc_ms, to_go, self.move_overhead_ms
        )


class _Search:
    """One search in progress: its workers, the helper threads, reports."""

    def __init__(self, workers: "list[Worker]", start: int, multipv: int) -> None:
        self.workers, self.start, self.multipv = workers, start, multipv
        self.helpers: list[Thread] = []

    def run(self, on_info: "Callable[[Info], None] | None", every: int) -> None:
        """Run the first worker here and the others in threads, until all are done.

        The first worker pauses each `every` nanoseconds: for a report, and so that Python can
        handle signals.
        """
        if len(self.workers) > 1:
            from threading import Thread

            for worker in self.workers[1:]:
                helper = Thread(target=worker.run, args=(None,))
                helper.start()
                self.helpers.append(helper)
        pause = self.start + every
        while self.workers[0].run(pause) == PAUSED or self.join(pause):
            now = monotonic_ns()
            if on_info is not None and now >= pause:
                on_info(self.report())
            pause = now + every

    def join(self, until: int | None) -> bool:
        """Wait for the helper threads, at most until a time; True if some still run."""
        for helper in self.helpers:
            wait = None if until is None else max(0, until - monotonic_ns()) / 1e9
            helper.join(wait)
        return any(helper.is_alive() for helper in self.helpers)

    def report(self) -> Info:
        """Merge what the workers have so far; only while the first worker does not run."""
        workers = self.workers
        first = workers[0]
        rows = [_merge(same) for same in zip(*(w.rows() for w in workers), strict=True)]
        nodes = sum(w.simulations for w in workers)
        elapsed = max(monotonic_ns() - self.start, 1)
        return Info(
            depth=sum(w.total_depth for w in workers) // max(nodes, 1),
            seldepth=max(w.seldepth for w in workers),
            nodes=nodes,
            worlds=sum(w.worlds for w in workers),
            time_ms=elapsed // _MS,
            nps=nodes * 1_000_000_000 // elapsed,
            hashfull=max(w.permille for w in workers),
            lines=[self._line(row) for row in first.best_order(rows)[: self.multipv]],
        )

    def _line(self, row: "Row") -> Line:
        move, visits, availability, reward, margin, wins, draws = row
        pv = self.workers[0].line_from(move)
        if not visits:
            return Line(move, 0, availability, 0.5, 0.0, (0, 1000, 0), pv)
        won, drawn = round(1000 * wins / visits), round(1000 * draws / visits)
        drawn = min(drawn, 1000 - won)
        wdl = (won, drawn, 1000 - won - drawn)
        return Line(move, visits, availability, reward / visits, margin / visits, wdl, pv)


def _merge(rows: "tuple[Row, ...]") -> "Row":
    """Add up the rows of one root move."""
    sums = [sum(column) for column in list(zip(*rows, strict=True))[1:]]
    return (rows[0][0], *sums)
