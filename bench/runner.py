"""One run from its plan to its exit code: what `drakkar match`, `sprt` and `tournament` call."""

import asyncio
import errno
import json
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bench.contestant import BadContestant
from bench.exits import EXIT_DONE, EXIT_OUTPUT, EXIT_WARNINGS, complain
from bench.interrupts import until_signal
from bench.outputs import Unbuffered, open_output
from bench.records.head import journal_head
from bench.records.writer import Writer, open_record
from bench.referee.verdicts import Termination
from bench.tournament import events
from bench.tournament.counting import Taker
from bench.tournament.guard import Guard
from bench.tournament.journal import Journal
from bench.tournament.manager import run
from bench.tournament.outcome import Outcome
from bench.tournament.pool import Pool

if TYPE_CHECKING:
    from bench.plan import Executor, Plan


class RunSettings:
    """How a run goes: nothing in it changes the result of a game.

    Attributes:
        concurrency: games at the same time; 0 for as many as there are cores.
        journal: the file that keeps every finished game, or None.
        resume: go on with the journal; it has to be there and to fit the plan.
        record: the file that gets the counted games in canonical form, or None.
        events: the file that gets the event stream, "-" for standard output, or None.
        quiet: no live display.
        strict: a run with warnings ends with exit code 5.
        cluster: address of a scheduler that hands blocks to other machines; "" for this machine.
        as_json: print one JSON object at the end in place of the table.
        resume_command: the words of the command that goes on with this run; told when it ends
            before its time and has a journal.
    """

    def __init__(
        self,
        concurrency: int = 0,
        journal: Path | None = None,
        resume: bool = False,
        record: Path | None = None,
        events: str | None = None,
        quiet: bool = False,
        strict: bool = False,
        cluster: str = "",
        as_json: bool = False,
        resume_command: Sequence[str] = (),
    ) -> None:
        self.concurrency, self.journal, self.resume = concurrency, journal, resume
        self.record, self.events, self.quiet, self.strict = record, events, quiet, strict
        self.cluster, self.as_json = cluster, as_json
        self.resume_command = list(resume_command)


def play(plan: "Plan", settings: RunSettings, summary: Any = None) -> int:
    """Play a run, print its summary, and return the exit code.

    `summary` takes the blocks and is printed in the end, `bench.report.summary.summary_of(plan)`
    if it is None.

    Raises BadContestant (an engine does not declare an option; `contestant` says whose), BadJournal
    (it exists already, is that of another run, is locked, cannot be read) and OSError naming its
    file (record or events cannot be opened, no scheduler at the address): wrong usage, exit code 2.
    """
    return asyncio.run(until_signal(_Session(plan, settings, summary).play()))


class _Session:
    """A run with all its files, displays and messages."""

    def __init__(self, plan: "Plan", settings: RunSettings, summary: Any = None) -> None:
        self._plan, self._settings, self._summary = plan, settings, summary
        self._head = journal_head(plan, plan.make_schedule().describe())
        self._takers: list[Taker] = []
        self._journal: Journal | None = None
        self._writer: Writer | None = None
        self._lines: events.LineWriter | None = None
        self._outlets: list[events.Outlet] = []

    async def play(self) -> int:
        """Play what is left of the plan, close what was opened, and return the exit code."""
        from bench.report.summary import summary_of

        settings = self._settings
        summary = self._summary or summary_of(self._plan)
        self._takers.append(summary)
        with ExitStack() as stack:
            if settings.record is not None:
                file = stack.enter_context(open_record(settings.record))
                self._writer = Writer(file, self._head, self._plan.make_schedule)
                self._takers.append(self._writer)
            journal = self._journal = self._open_journal()
            if journal is not None:
                stack.callback(journal.close)
            self._open_outlets(stack)
            try:
                outcome = await run(
                    self._plan,
                    self._executor(),
                    journal=journal,
                    takers=self._takers,
                    emit=self._emit if self._outlets else None,
                    make_guard=Guard if settings.cluster else None,
                    resume_command=settings.resume_command,
                    finish=self._finish,
                )
            except (BadContestant, OSError):
                if journal is not None:
                    journal.discard()  # or the corrected command would be refused
                raise
        code = self._after(outcome)
        self._print(summary, outcome)
        return code

    def _open_journal(self) -> Journal | None:
        path = self._settings.journal
        if path is None:
            return None
        if self._settings.resume:
            return Journal.resume(path, self._head)
        return Journal.create(path, self._head)

    def _open_outlets(self, stack: ExitStack) -> None:
        """Open the event stream and the display; both are told in threads of their own."""
        settings = self._settings
        if settings.events is not None:
            stream = _open_events(settings.events, settings.resume)
            self._lines = events.LineWriter(stream)
            self._outlets.append(events.Outlet(self._lines))
            stack.callback(self._close_events, stream, self._outlets[-1])
        if not settings.quiet:
            from bench.report.live import Live

            live = Live()
            stack.callback(live.close)
            self._outlets.append(events.Outlet(live))
            stack.callback(self._outlets[-1].close)

    def _close_events(self, stream: Unbuffered, outlet: events.Outlet) -> None:
        """Close the stream once all is written; a reader that stands still is left to itself."""
        if outlet.close():
            stream.close()
        elif self._lines is not None:
            self._lines.error = OSError(errno.EAGAIN, "their reader stands still")

    def _executor(self) -> "Executor":
        settings = self._settings
        if settings.cluster:
            from bench.tournament.cluster import Cluster

            return Cluster(settings.cluster, self._tell_worker)
        return Pool(settings.concurrency or len(os.sched_getaffinity(0)))

    def _tell_worker(self, worker: str, state: str, reason: str) -> None:
        self._emit(events.worker_event(worker, state, reason or None))

    def _emit(self, event: events.Event) -> None:
        for outlet in self._outlets:
            outlet(event)

    def _finish(self, outcome: Outcome) -> None:
        """Close the record, and find out what the run is worth, before its end is told."""
        failure = outcome.failure
        if failure is not None and failure["fault"].get("kind") == Termination.START:
            if self._journal is not None and self._journal.discard_starts():
                outcome.resume = None
        error = None
        if self._writer is not None:
            self._writer.close(self._plan.seed if outcome.is_complete else None)
            error = self._writer.error
        if outcome.exit_code != EXIT_DONE:
            return
        if error is not None:
            outcome.exit_code = EXIT_OUTPUT
        elif self._settings.strict and outcome.warnings:
            outcome.exit_code = EXIT_WARNINGS
            outcome.text += f", with {outcome.warnings} warnings"

    def _after(self, outcome: Outcome) -> int:
        """Tell what went wrong, and return the exit code."""
        code = outcome.exit_code
        if self._writer is not None and self._writer.error is not None:
            reason = self._writer.error.strerror
            complain(f"the record {self._settings.record} is not complete: {reason}")
        if self._lines is not None and self._lines.error is not None:
            error = self._lines.error
            complain(f"the events are not complete: {getattr(error, 'strerror', None) or error}")
            code = code or EXIT_OUTPUT
        if any(outlet.lost for outlet in self._outlets):
            complain(f"{max(o.lost for o in self._outlets)} events came too fast for their reader")
        is_untold = self._settings.quiet and not outcome.is_complete
        if is_untold or code == EXIT_WARNINGS:
            complain(outcome.text)
            if outcome.resume is not None:
                complain(f"to go on: {outcome.resume}")
        stderr = "" if outcome.failure is None else outcome.failure["fault"].get("stderr", "")
        if stderr:
            complain(f"last lines of its standard error:\n{stderr}")
        for words in outcome.last_words:
            complain(f"last lines of the standard error of {words}")
        return code

    def _print(self, summary: Any, outcome: Outcome) -> None:
        """Print the summary; to standard error where the events have standard output."""
        to_error = self._settings.events == "-"
        if self._settings.as_json:
            click.echo(json.dumps(summary.to_json(outcome)), err=to_error)
        elif outcome.games:
            click.echo(summary.table(outcome), err=to_error)


def _open_events(path: str, resume: bool) -> Unbuffered:
    """Return the stream of a file, or of "-". Raises OSError with its name."""
    if path != "-":
        return Unbuffered(open_output(path, os.O_APPEND if resume else os.O_TRUNC))
    try:
        sys.stdout.flush()
        return Unbuffered(os.dup(sys.stdout.fileno()))
    except (AttributeError, ValueError):  # there is none, or it is no file
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), path) from None


__all__ = ["RunSettings", "play"]
