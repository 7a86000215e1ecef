"""One `go`: a search in another thread, its reports, and exactly one `bestmove`."""

from _thread import allocate_lock
from time import monotonic

from engine.errors import shorten
from protocol.messages import (
    BAD_VALUE,
    ILLEGAL_MOVE,
    INTERNAL,
    NO_MOVE_WORD,
    NO_POSITION,
    UCI,
    UHI,
    UNSUPPORTED,
    Go,
    format_bestmove,
    format_error,
    format_info,
)
from protocol.options import SEARCH, SEARCH_OPTIONS
from protocol.stream import Writer
from search.event import Event
from search.helpers import Helpers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engine.game import Game, State
    from protocol.options import Options
    from protocol.session import Position
    from search import Info, Limits, Result, Searcher
    from search.belief import Belief

REPORT_MS = 100
"""Least time between two reports of a running search."""

SOLVED = "solved"
"""The remark that the values of the report behind it are exact."""


class Thinker:
    """Keeps the searcher that the options ask for, and starts jobs with it."""

    def __init__(self, options: "Options", writer: Writer) -> None:
        self.options = options
        self.writer = writer
        self.helpers = Helpers()
        """The threads of jobs."""
        self._searcher: Searcher | None = None
        self._made_with: tuple[object, ...] = ()
        # Guards whose search the searcher's stop flag belongs to: a late stop, such as that of a
        # clock, must not end the search that follows.
        self._lock = allocate_lock()
        self._owner: Job | None = None
        self.dialect = UCI
        """The dialect of the latest handshake: what is printed next follows it."""

    def searcher(self, seed: int | None = None) -> "Searcher":
        """Return the searcher for the options, with another seed where one is given."""
        options = self.options
        wanted = tuple(options.find(name).value for name in SEARCH_OPTIONS)
        if self._searcher is None or self._made_with != wanted:
            from search import Searcher
            from search.options import parse_options

            plies = options.number("Playout Plies")
            self._searcher = Searcher(
                options.text("Preset"),
                threads=options.number("Threads"),
                hash_mb=options.number("Hash"),
                move_overhead_ms=options.number("Move Overhead"),
                playout_plies=plies if plies >= 0 else None,
                options=parse_options(options.text(SEARCH)),
            )
            self._made_with = wanted
        self._searcher.seed = options.number("Seed") if seed is None else seed
        return self._searcher

    def arm(self, job: "Job", searcher: "Searcher") -> None:
        """Give the stop flag to a job; from here on a stop counts, before its search has begun."""
        with self._lock:
            self._owner = job
            searcher.arm()

    def stop(self, job: "Job") -> None:
        """Stop the search of a job, unless the flag belongs to a later one."""
        with self._lock:
            if self._owner is job and self._searcher is not None:
                self._searcher.stop()

    def new_game(self) -> None:
        """Forget everything learned from earlier positions."""
        if self._searcher is not None:
            self._searcher.new_game()

    def start(self, go: Go, position: "Position | None", started: float) -> "Job":
        """Begin to think; `started` is when the `go` was read, by the monotonic clock."""
        job = Job(self, go, started)
        if position is None:
            job.refuse(NO_POSITION, "there is no valid position")
        elif reason := position.why_no_decision():
            job.refuse("", f"no decision: {reason}")
            if go.ponder and not position.is_open and not position.state.is_terminal:
                try:
                    job.think_ahead(position.state.copy(), position.belief())
                except Exception as error:
                    job.fail(error)
        else:
            view = position.view()
            assert view is not None
            try:
                job.prepare(view.copy(), position.belief())
            except Exception as error:
                job.fail(error)
        job.begin()
        return job


class Job:
    """One `go` from the moment it is read to its `bestmove`."""

    def __init__(self, thinker: Thinker, go: Go, started: float) -> None:
        self.done = Event()
        """Up once `bestmove` is printed."""
        self.holds_back = go.infinite or go.ponder
        """True while the answer must wait for `stop` or `ponderhit`."""
        self._go, self._started = go, started
        self._thinker, self._writer = thinker, thinker.writer
        self._may_answer = Event()
        self._refusal = ""
        self._waits_without_thread = False
        self._view: State | None = None
        # What to think ahead from, where its seat does not decide.
        self._ahead: State | None = None
        self._belief: Belief | None = None
        self._limits: Limits | None = None
        self._searcher: Searcher | None = None
        self._multipv = go.multipv or thinker.options.number("MultiPV")
        self._says_ponder = thinker.options.flag("Ponder")
        self._says_wdl = thinker.options.flag("UCI_ShowWDL")

    def refuse(self, code: str, reason: str) -> None:
        """Answer 0000, with a reason; an error if there is a code."""
        self._refusal = f"info string {reason}"
        if code:
            self._refusal = self._error(code, reason)

    def fail(self, error: Exception) -> None:
        """Answer without a search: an error that should not have happened came between."""
        self._refusal = self._error(INTERNAL, f"{type(error).__name__}: {error}")

    def think_ahead(self, view: "State", belief: "Belief | None") -> None:
        """Search until the answer 0000 may be given, for the sake of the decisions to come."""
        self._searcher = self._thinker.searcher(self._go.seed)
        self._thinker.arm(self, self._searcher)
        self._ahead, self._belief = view, belief

    def prepare(self, view: "State", belief: "Belief | None") -> None:
        """Get ready to search; faults of the `go` line are reported at once."""
        self._view, self._belief = view, belief
        go, seat = self._go, view.seat_to_move
        if go.mate is not None:
            self._writer.write(self._error(UNSUPPORTED, "go mate is not supported"))
        if not (self.holds_back or go.is_bounded(seat)):
            self._writer.write(self._error(BAD_VALUE, "go without a limit: thinking until stop"))
            self.holds_back = go.infinite = True
        self._limits = self._make_limits(seat, self._root_moves(view))
        self._searcher = self._thinker.searcher(go.seed)
        self._thinker.arm(self, self._searcher)

    def _error(self, code: str, text: str) -> str:
        return format_error(self._thinker.dialect, code, text, self._go.id)

    def _root_moves(self, view: "State") -> tuple[int, ...] | None:
        """Return the moves of `searchmoves`; None if the search is free."""
        if self._go.searchmoves is None:
            return None
        legal = {view.game.move_name(move): move for move in view.legal_moves()}
        unknown = [word for word in self._go.searchmoves if word not in legal]
        if unknown:
            text = f"searchmoves: not legal here: {shorten(' '.join(unknown))}"
            self._writer.write(self._error(ILLEGAL_MOVE, text))
        return tuple(sorted({legal[w] for w in self._go.searchmoves if w in legal})) or None

    def _make_limits(self, seat: int, root_moves: tuple[int, ...] | None) -> "Limits":
        from search import Limits

        go = self._go
        nodes = self._nodes()
        depth = go.depth
        has_limit = nodes is not None or self._has_time(seat) or depth is not None
        only_mate = go.mate is not None and not (has_limit or self.holds_back)
        if only_mate or (depth is not None and depth <= 0):
            nodes, depth = 0, None
        if self.holds_back:
            # The clock does not run yet; `ponderhit` starts it.
            limits = Limits(infinite=go.infinite or (nodes is None and depth is None))
        else:
            limits = self._time_limits(seat, (monotonic() - self._started) * 1000)
        limits.nodes, limits.depth, limits.searchmoves = nodes, depth, root_moves
        return limits

    def _nodes(self) -> int | None:
        # Every simulation draws one world.
        counts = [count for count in (self._go.nodes, self._go.worlds) if count is not None]
        return max(0, min(counts)) if counts else None

    def _time_limits(self, seat: int, passed_ms: float) -> "Limits":
        """Return the limits in time of the `go` line, some milliseconds after it counts."""
        from search import Limits

        clock, movetime = self._go.times.get(seat), self._go.movetime
        # However late it is by now, something is searched unless no time was given.
        least = 0.001 if movetime is not None and movetime > 0 else 0.0
        return Limits(
            time_ms=None if movetime is None else max(movetime - passed_ms, least),
            clock_ms=None if clock is None else clock - passed_ms,
            inc_ms=self._go.incs.get(seat, 0),
            moves_to_go=self._go.movestogo,
        )

    def _has_time(self, seat: int) -> bool:
        """Return True if time limits the search, once the clock runs."""
        return self._go.movetime is not None or seat in self._go.times

    def begin(self) -> None:
        """Think in another thread; where there is nothing to think about, say so at once.

        That is done in the reader, so that the answers to later lines come behind it, and the
        answer too, unless it has to wait for `stop`.
        """
        if self._ahead is not None:
            self._writer.write(self._refusal)
        if not self._refusal or self._ahead is not None:
            helpers = self._thinker.helpers
            # One more for the clock, before the search takes what is left.
            if helpers.reserve(1 + self._go.ponder):
                helpers.start(self.run)
                return
            self.fail(RuntimeError("the machine has no thread left"))
        self._writer.write(self._refusal)
        self._waits_without_thread = True
        if not self.holds_back:
            self._answer_without_thread()

    def _answer_without_thread(self) -> None:
        if self._waits_without_thread:
            self._waits_without_thread = False
            self._writer.write(self._move_without_search())
            self.done.set()

    def run(self) -> None:
        """Think and answer; the body of the job's thread."""
        if not self.holds_back:
            self._may_answer.set()
        lines: list[str] = []
        try:
            lines = self._think()
        except Exception as error:
            self.fail(error)
        self._may_answer.wait()
        self._writer.write(*(lines or [self._refusal, self._move_without_search()]))
        self.done.set()

    def _move_without_search(self) -> str:
        """Return the answer 0000 or, where only the search has failed, some legal move."""
        move = NO_MOVE_WORD
        if self._view is not None:
            move = self._view.game.move_name(self._view.legal_moves()[0])
        return format_bestmove(self._thinker.dialect, move, None, self._go.id)

    def _think(self) -> list[str]:
        view, searcher, limits = self._view, self._searcher, self._limits
        assert searcher is not None
        if self._ahead is not None:
            searcher.ponder(self._ahead, self._nodes(), self._belief)
            return [self._move_without_search()]
        assert view is not None and limits is not None
        # Reports come by the clock, so a search that must repeat exactly gives none but the last.
        by_clock = limits.infinite or limits.time_ms is not None or limits.clock_ms is not None
        result = searcher.go(
            view,
            limits,
            on_info=self._report if by_clock else None,
            info_ms=REPORT_MS,
            multipv=self._multipv,
            belief=self._belief,
        )
        return self._final_lines(view.game, result)

    def _final_lines(self, game: "Game", result: "Result") -> list[str]:
        best = game.move_name(result.best_move)
        ponder = None
        if self._says_ponder and result.ponder_move is not None:
            ponder = game.move_name(result.ponder_move)
        return [
            *self._info_lines(result.info),
            format_bestmove(self._thinker.dialect, best, ponder, self._go.id),
        ]

    def _report(self, info: "Info") -> None:
        """Print a report. A reader that does not keep up loses some; the search never waits."""
        if self._writer.is_ready():
            self._writer.write(*self._info_lines(info))

    def _info_lines(self, info: "Info") -> list[str]:
        assert self._view is not None
        game = self._view.game
        # Front ends of other dialects know neither field; a remark they can show.
        uhi = self._thinker.dialect == UHI
        remark = [f"info string {SOLVED}"] if info.solved and not uhi else []
        return remark + [
            format_info(
                depth=info.depth,
                seldepth=info.seldepth,
                multipv=rank,
                nodes=info.nodes,
                worlds=info.worlds,
                nps=info.nps,
                hashfull=info.hashfull,
                time_ms=info.time_ms,
                margin=line.margin,
                wdl=line.wdl if self._says_wdl else None,
                error=round(1000 * line.error) if self._says_wdl and uhi else None,
                solved=info.solved and uhi,
                pv=[game.move_name(move) for move in line.pv],
            )
            for rank, line in enumerate(info.lines, 1)
        ]

    def stop(self, patience: float = -1.0) -> bool:
        """Let the search answer now and wait for its `bestmove`.

        Returns False if that takes more than `patience` seconds (-1: wait for ever).
        """
        self._thinker.stop(self)
        self._may_answer.set()
        self._answer_without_thread()
        return self.done.wait(patience)

    def ponderhit(self) -> None:
        """Start the clock of a `go ponder`; ignored by any other job."""
        go = self._go
        if not go.ponder or go.infinite or self._may_answer.is_set():
            return
        self._may_answer.set()
        self._answer_without_thread()
        self.holds_back = False
        if self._ahead is not None:
            self._thinker.stop(self)
        if self._view is None or self._searcher is None or self.done.is_set():
            return
        seat = self._view.seat_to_move
        limits = self._time_limits(seat, 0.0)
        times = [limits.time_ms, self._searcher.share_ms(self._view, limits)]
        # Where only counts limit the search, it goes on to reach them.
        left = min((ms for ms in times if ms is not None), default=None)
        self._searcher.wait_no_longer()
        if left is None:
            if self._nodes() is not None or go.depth is not None:
                return
            left = 0.0
        helpers = self._thinker.helpers
        if helpers.reserve(2) == 2:
            helpers.start(self._stop_after, left / 1000)
        else:  # better too soon than never
            self.stop()

    def _stop_after(self, seconds: float) -> None:
        if not self.done.wait(seconds):
            self.stop()
