"""The display of a run: it renders the event stream and knows nothing else of the run."""

import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import IO, Any

from bench.referee.game_result import seat_points
from bench.referee.verdicts import VOID
from bench.report.panel import panel
from bench.report.screen import Screen, fit, is_screen
from bench.report.words import number, plus_minus, span
from bench.text import visible

Event = dict[str, Any]
# The display is renewed at most so often, seconds.
RENEWAL_S = 0.1
# Plain lines that tell how far a run is, about.
LINES = 10
# Faults of one sort by one contestant that are shown.
ALIKE = 3


class Live:
    """Shows a run to people: call it with each event, and close it at the end.

    On a terminal it keeps one block of lines up to date, with warnings above it. Elsewhere, and on
    a terminal that cannot move its cursor, it writes about ten plain lines, and one for each
    warning. A stream that takes nothing more is left alone, for the run matters more. `quiet`
    leaves everything out. `clock` gives seconds.
    """

    def __init__(
        self,
        stream: IO[str] | None = None,
        quiet: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # Without standard error there is no stream at all.
        chosen: IO[str] | None = stream if stream is not None else sys.stderr
        self._stream = None if quiet else chosen
        self._clock = clock
        self._screen = None
        if self._stream is not None and is_screen(self._stream):
            self._screen = Screen(self._stream)
        self.view = View(clock)
        self._shown_s = float("-inf")
        self._tenth = 0
        self._told: Counter[tuple[int | None, str | None]] = Counter()
        self._last: list[str] = []

    def __call__(self, event: Event) -> None:
        """Take the next event of the stream; kinds that it does not know are left out."""
        if self._stream is None:
            return
        self.view.take(event)
        kind = event["event"]
        above = self._remark(event)
        try:
            if self._screen is not None and kind == "end":
                self._last = above
            elif self._screen is not None:
                self._renew(above)
            else:
                self._write(above + self._milestone(kind))
        except (OSError, ValueError):
            self._stream = None

    def close(self) -> None:
        """Leave the last state on the terminal and the cursor below it."""
        if self._stream is None or self._screen is None:
            return
        try:
            self._screen.show(panel(self.view, *self._screen.size))
            self._screen.leave(self._last)
        except (OSError, ValueError):
            pass
        self._stream = None

    def _renew(self, above: list[str]) -> None:
        assert self._screen is not None
        now = self._clock()
        if not above and now - self._shown_s < RENEWAL_S:
            return
        self._shown_s = now
        self._screen.show(panel(self.view, *self._screen.size), above)

    def _remark(self, event: Event) -> list[str]:
        """Return lines that stay: warnings, workers that are set aside, and an unusual end."""
        kind = event["event"]
        if kind == "warning":
            return self._warning(event)
        if kind == "worker" and event.get("reason"):
            return [visible(f"worker {event['worker']}: {event['state']}, {event['reason']}")]
        if kind == "end" and event["reason"] != "finished":
            resume = event.get("resume")
            text = event.get("text") or event["reason"]
            return [visible(text), *([visible(f"to go on: {resume}")] if resume else [])]
        return []

    def _warning(self, event: Event) -> list[str]:
        """Return the line of a warning; of one sort about one contestant only the first few."""
        sort = (event.get("contestant"), event.get("kind"))
        if sort[1] is not None:
            self._told[sort] += 1
            if self._told[sort] > ALIKE:
                return []
        more = ", and is not told again" if self._told[sort] == ALIKE else ""
        return [visible(f"warning: {event['text']}{more}")]

    def _milestone(self, kind: str) -> list[str]:
        """Return a plain line each time another tenth of the run is done."""
        if kind not in ("game", "standings"):
            return []
        tenth = int(LINES * self.view.share + 1e-9)
        if tenth <= self._tenth:
            return []
        self._tenth = tenth
        return [self.view.line()]

    def _write(self, lines: list[str]) -> None:
        if lines and self._stream is not None:
            text = "".join(f"{line}\n" for line in lines)
            self._stream.write(fit(text, self._stream))
            self._stream.flush()


class View:
    """What the events so far have told, in the form that people are shown."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._start_s = clock, clock()
        self.game, self.format_name = "", ""
        self.labels: list[str] = []
        self.games_per_block, self.concurrency = 1, 1
        self.planned_blocks = 0
        self.games, self.resumed_games, self.warnings = 0, 0, 0
        self.standings: Event = {}
        self.end: Event | None = None
        self._points: list[float] = []

    def take(self, event: Event) -> None:
        """Take the next event."""
        kind = event["event"]
        if kind == "run":
            self._begin(event)
        elif kind == "game" and event["termination"] not in VOID:
            self.games += 1
            for seat, contestant in enumerate(event["seats"]):
                self._points[contestant] += seat_points(event["returns"], seat)
        elif kind == "standings":
            self.standings = event
            self.planned_blocks = event.get("planned", self.planned_blocks)
        elif kind == "warning":
            self.warnings += 1
        elif kind == "end":
            self.end = event

    def _begin(self, event: Event) -> None:
        self._start_s = self._clock()
        self.game = visible(event.get("game", ""))
        self.format_name = str(event.get("format", {}).get("name", ""))
        self.labels = [visible(c["label"]) for c in event["contestants"]]
        self.games_per_block = event.get("games_per_block", 1)
        self.concurrency = event.get("concurrency", 1)
        self.planned_blocks = event.get("blocks") or 0
        self.games = self.resumed_games = event.get("resumed_blocks", 0) * self.games_per_block
        self._points = [0.0] * len(self.labels)

    @property
    def planned_games(self) -> int:
        """How many games the run will have at most."""
        return max(self.planned_blocks * self.games_per_block, self.games)

    @property
    def share(self) -> float:
        """How far the run is, 0..1: of its games, or of the way to the decision of its test."""
        done = self.games / self.planned_games if self.planned_games else 0.0
        return min(1.0, max(done, abs(self.llr_place())))

    def llr_place(self) -> float:
        """Return where the sequential test is: -1 at its lower bound, 1 at its upper one."""
        test = self.standings.get("sprt")
        if not test:
            return 0.0
        bound = test["upper"] if test["llr"] >= 0 else -test["lower"]
        return max(-1.0, min(1.0, float(test["llr"] / bound)))

    @property
    def seconds(self) -> float:
        """How long the run takes until now."""
        return self._clock() - self._start_s

    @property
    def rate(self) -> float | None:
        """Games a minute since the start; None before the first."""
        played = self.games - self.resumed_games
        return 60.0 * played / self.seconds if played and self.seconds > 0 else None

    @property
    def rest_s(self) -> float | None:
        """Seconds that the games left will take at this rate, at most if there is a test."""
        rate = self.rate
        return None if rate is None else 60.0 * (self.planned_games - self.games) / rate

    def line(self) -> str:
        """Return how far the run is, as one plain line."""
        parts = [f"{self.games} of {self.planned_games} games"]
        rows = self.standings.get("rows") or []
        if len(self.labels) == 2 and (rows or not self.resumed_games):
            points = self._points
            if self.resumed_games:  # of those only the standings know the points
                points = [row["points"] for row in sorted(rows, key=lambda r: r["contestant"])]
            parts.append(f"{points[0]:g} : {points[1]:g} points")
        elif rows:
            best = rows[0]
            rating = plus_minus(best.get("rating"), best.get("error"), "+.0f")
            parts.append(f"first {visible(best['label'])} {rating}")
        test = self.standings.get("sprt")
        if test:
            parts.append(
                f"LLR {number(test['llr'], '.2f')} of {test['lower']:.2f} to {test['upper']:.2f}"
            )
        parts.append(span(self.seconds))
        if self.games < self.planned_games:
            parts.append(f"about {span(self.rest_s)} to go{', at most' if test else ''}")
        return ", ".join(parts)


__all__ = ["Live", "View"]
