"""One search in progress: its workers, the helper threads, reports."""

from time import monotonic_ns

from search.final import in_order
from search.info import Info, Line
from search.worker import PAUSED

TYPE_CHECKING = False  # true for type checkers; importing typing would be slow
if TYPE_CHECKING:
    from collections.abc import Callable

    from search.event import Event
    from search.helpers import Helpers
    from search.worker import Row, Worker

_MS = 1_000_000
# Python can handle signals so often, in nanoseconds.
_PAUSE_NS = 100 * _MS


class Running:
    """Runs the workers of a search and merges what they have.

    Args:
        workers: at least one; the first runs in the thread of the caller.
        start: time.monotonic_ns() when the search began.
        multipv: how many root moves a report tells of.
        final: which move is played, a word of search.final.FINALS.
        lot: the number that decides where a move is drawn; see search.final.
    """

    def __init__(
        self, workers: "list[Worker]", start: int, multipv: int, final: str, lot: float
    ) -> None:
        self.workers, self.start, self.multipv = workers, start, multipv
        self.final, self.lot = final, lot
        self._helped: list[Event] = []
        self._ended: int | None = None

    def run(self, helpers: "Helpers", on_info: "Callable[[Info], None] | None", every: int) -> None:
        """Run the first worker here and the others in threads, until all are done.

        The first worker pauses each `every` nanoseconds for a report, and more often so that Python
        can handle signals. What no thread can be had for is done here, after the others.
        """
        here, others = self.workers[:1], self.workers[1:]
        if others:
            number = helpers.reserve(len(others))
            here += others[number:]
            for worker in others[:number]:
                self._helped.append(helpers.start(worker.run, None))
            if number < len(others):
                helpers.let_go()  # the rest of the process may need a thread too
        due = self.start + every
        pause = min(due, self.start + _PAUSE_NS)
        while here or self.join(pause):
            if here:
                worker = here.pop(0)
                # Workers may wait for each other: those of one thread take turns.
                if worker.run(0 if here else pause) == PAUSED:
                    here.append(worker)
            now = monotonic_ns()
            if now >= due:
                if on_info is not None:
                    on_info(self.report())
                due = now + every
            pause = min(due, now + _PAUSE_NS)
        self._ended = monotonic_ns()

    def join(self, until: int | None) -> bool:
        """Wait for the helper threads, at most until a time; True if some still run."""
        for done in self._helped:
            done.wait(-1.0 if until is None else max(0, until - monotonic_ns()) / 1e9)
        return not all(done.is_set() for done in self._helped)

    def report(self) -> Info:
        """Merge what the workers have so far; only while no worker runs in this thread."""
        workers = self.workers
        rows = [_merge(same) for same in zip(*(w.rows() for w in workers), strict=True)]
        nodes, worlds = (sum(column) for column in zip(*(w.counts for w in workers), strict=True))
        # Not the time at rest, where a search waits to be asked.
        elapsed = max((self._ended or monotonic_ns()) - self.start, 1)
        return Info(
            depth=sum(w.total_depth for w in workers) // max(nodes, 1),
            seldepth=max(w.seldepth for w in workers),
            nodes=nodes,
            worlds=worlds,
            time_ms=elapsed // _MS,
            nps=nodes * 1_000_000_000 // elapsed,
            hashfull=max(w.permille for w in workers),
            lines=[self._line(row) for row in self._ordered(rows)[: self.multipv]],
        )

    def _ordered(self, rows: "list[Row]") -> "list[Row]":
        if self.final == "auto":
            return self.workers[0].best_order(rows)
        average = getattr(self.workers[0], "policy", None)
        return in_order(rows, self.final, self.lot, dict(average()) if average else None)

    def _line(self, row: "Row") -> Line:
        move, visits, availability, reward, margin, wins, draws, square, told = row
        pv = self.workers[0].line_from(move)
        if not visits:
            return Line(move, 0, availability, 0.5, 0.0, (0, 1000, 0), pv, 0.5)
        # What is told of a worker that runs may be a simulation apart.
        win = min(max(reward / visits, 0.0), 1.0)
        spread = max(square / visits - win**2, 0.0)
        if told < 2:
            # The most that rewards from 0 to 1 with this mean can spread.
            spread = win * (1.0 - win) if visits > 1 else 0.25
        error = (spread / visits) ** 0.5
        if not told:
            wins, told = win, 1
        won = min(round(1000 * wins / told), 1000)
        drawn = min(round(1000 * draws / told), 1000 - won)
        wdl = (won, drawn, 1000 - won - drawn)
        return Line(move, visits, availability, win, margin / told, wdl, pv, error)


def _merge(rows: "tuple[Row, ...]") -> "Row":
    """Add up the rows of one root move."""
    sums = [sum(column) for column in list(zip(*rows, strict=True))[1:]]
    return (rows[0][0], *sums)
