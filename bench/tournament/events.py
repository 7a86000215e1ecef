"""The event stream: one JSON object for all that happens in a run, for programs and displays.

Engines may read it, so it tells no seed, no deal, no decision and no score of a game under way.
Numbers that people count (blocks, games, rounds) begin at 1; contestants are places, from 0, in
the list of the `run` event. The schema is `drakkar-events/1`: later versions only add to it.
"""

import queue
import re
import threading
from collections.abc import Callable
from typing import IO, Any

from bench.outputs import Unbuffered
from bench.plan import Plan, Schedule
from bench.records.lines import to_line
from bench.referee.block import Block, Job
from bench.referee.game_result import GameResult, block_points
from bench.tournament.standings import Standings

Event = dict[str, Any]
Emit = Callable[[Event], None]

SCHEMA = "drakkar-events/1"

_SEED = re.compile(r"(--seed[= ])\S+")

# Events that wait for a slow reader at most, and how long its last ones are waited for, seconds.
WAITING_MAX = 10_000
PATIENCE_S = 5.0


def run_event(plan: Plan, schedule: Schedule, concurrency: int, resumed_blocks: int) -> Event:
    """Return the first event: what is played, and by whom; everything but the seed."""
    return {
        "event": "run",
        "schema": SCHEMA,
        "game": plan.game.identity,
        "contestants": [
            {
                "label": contestant.label,
                "command": contestant.argv,
                "limit": str(contestant.limit),
                "options": contestant.options,
            }
            for contestant in plan.contestants
        ],
        "format": schedule.describe(),
        "blocks": schedule.planned,
        "games_per_block": plan.games_per_block,
        "concurrency": concurrency,
        "resumed_blocks": resumed_blocks,
    }


def start_event(job: Job, worker: str) -> Event:
    """Return the event of a game that begins."""
    return {"event": "start", **_place(job), "worker": worker}


def game_event(result: GameResult) -> Event:
    """Return the event of a game that has ended, also of one without a result."""
    event: Event = {
        "event": "game",
        **_place(result.job),
        "termination": str(result.termination),
        "returns": result.returns,
        "scores": result.scores,
        "margins": result.margins,
        "plies": result.plies,
        "seconds": round(result.seconds, 3),
        "worker": result.worker,
        "replaced": len(result.replaced),
        "strikes": result.strikes,
    }
    if result.fault is not None:
        # What a process says in its trouble may tell what it knows.
        event["fault"] = {k: v for k, v in result.fault.to_json().items() if k != "stderr"}
    return event


def _place(job: Job) -> Event:
    return {
        "number": job.number + 1,
        "block": job.block.number + 1,
        "game": job.rotation + 1,
        "seats": list(job.seats),
    }


def block_event(block: Block, results: list[GameResult], counted: int) -> Event:
    """Return the event of a counted block; `points` are mean shares in the order of its line-up."""
    return {
        "event": "block",
        "block": block.number + 1,
        "round": block.round + 1,
        "lineup": list(block.lineup),
        "points": [block_points(results, contestant) for contestant in block.lineup],
        "counted": counted,
    }


def standings_event(
    standings: Standings,
    schedule: Schedule,
    test: dict[str, Any] | None,
    seconds: float,
    eta_s: float | None,
) -> Event:
    """Return the event of the standings; ratings are fitted for it."""
    return {
        "event": "standings",
        "blocks": standings.blocks,
        "planned": schedule.planned,
        "games": standings.games,
        "rows": standings.rows(),
        "seats": standings.seat_rows(),
        "sprt": test,
        "adjusted": standings.adjusted(),
        "seconds": round(seconds, 3),
        "eta_s": None if eta_s is None else round(eta_s, 1),
        **standings.clock_numbers(),
        "notes": schedule.standing_notes(),
    }


def warning_event(text: str, contestant: int | None = None, **fields: Any) -> Event:
    """Return the event of something unusual that does not end the run."""
    event: Event = {"event": "warning", "text": text, **fields}
    if contestant is not None:
        event["contestant"] = contestant
    return event


def worker_event(worker: str, state: str, reason: str | None = None) -> Event:
    """Return the event of a worker that joins, leaves or is set aside."""
    event: Event = {"event": "worker", "worker": worker, "state": state}
    if reason is not None:
        event["reason"] = reason
    return event


def end_event(reason: str, text: str, resume: str | None, exit_code: int) -> Event:
    """Return the last event; `resume` is the command that goes on with the run."""
    return {
        "event": "end",
        "reason": reason,
        "text": text,
        "resume": resume,
        "exit_code": exit_code,
    }


def without_seed(event: Event) -> Event:
    """Return an event as others may read it: games are to come when a command goes on."""
    if not event.get("resume"):
        return event
    return {**event, "resume": _SEED.sub(r"\1SEED", event["resume"])}


class LineWriter:
    """Writes events to a text stream, one line each; call it with each event.

    The seed of the run is left out, so others may read the stream.

    `error` says why the stream takes no more, if so; nothing is written any longer then.
    """

    def __init__(self, stream: IO[str] | Unbuffered) -> None:
        self._stream = stream
        self.error: OSError | ValueError | None = None

    def __call__(self, event: Event) -> None:
        """Write an event."""
        if self.error is not None:
            return
        try:
            self._stream.write(to_line(without_seed(event)))
            self._stream.flush()
        except (OSError, ValueError) as error:
            self.error = error


class Outlet:
    """Hands events to somebody who may be slow, in a thread of its own: no game waits for it.

    Events that would wait behind WAITING_MAX others are left out and counted in `lost`.
    """

    def __init__(self, taker: Emit) -> None:
        self._taker = taker
        self.lost = 0
        self._queue: queue.Queue[Event | None] = queue.Queue(WAITING_MAX)
        self._thread = threading.Thread(target=self._work, name="events", daemon=True)
        self._thread.start()

    def __call__(self, event: Event) -> None:
        """Take the next event."""
        try:
            self._queue.put_nowait(event)
        except queue.Full:
            self.lost += 1

    def close(self) -> bool:
        """Wait until all is taken, but for a few seconds only; return False if it is not."""
        try:
            self._queue.put(None, timeout=PATIENCE_S)
        except queue.Full:
            return False
        self._thread.join(PATIENCE_S)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (event := self._queue.get()) is not None:
            self._taker(event)


__all__ = [
    "SCHEMA",
    "Emit",
    "Event",
    "LineWriter",
    "Outlet",
    "block_event",
    "end_event",
    "game_event",
    "run_event",
    "standings_event",
    "start_event",
    "warning_event",
    "without_seed",
    "worker_event",
]
