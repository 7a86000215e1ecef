"""The event stream: complete, versioned, free of secrets, and no burden to the run."""

import asyncio
import io
import json
import shlex
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest
from runs import MadeUp, head_of, lost, made_up, make_plan, play, void

from bench.records import to_line
from bench.referee.block import Block
from bench.referee.verdicts import Termination
from bench.tournament import events
from bench.tournament.journal import Journal
from bench.tournament.manager import run

KEYS = {
    "run": "schema game contestants format blocks games_per_block concurrency resumed_blocks",
    "start": "number block game seats worker",
    "game": "number block game seats termination returns scores margins plies seconds worker "
    "replaced strikes",
    "block": "block round lineup points counted",
    "standings": "blocks planned games rows seats sprt adjusted seconds eta_s lag_p99_ms "
    "latency_ms overruns overrun_max_ms notes",
    "end": "reason text resume exit_code",
}


def test_the_stream_is_complete() -> None:
    """Each game begins, ends and counts; the schema is what is documented."""
    plan = make_plan("random", "greedy", "vanilla", blocks=4, form="round_robin")
    played = play(plan, executor=MadeUp(3, turns=lambda job: 1 + job.number % 5))
    kinds = [event["event"] for event in played.events]
    assert kinds[0] == "run" and kinds[-1] == "end" and kinds[-2] == "standings"
    assert {kind: kinds.count(kind) for kind in ("run", "start", "game", "block", "end")} == {
        "run": 1,
        "start": 24,
        "game": 24,
        "block": 12,
        "end": 1,
    }
    for event in played.events:
        assert set(event) == {"event", *KEYS[event["event"]].split()}
        assert json.loads(to_line(event)) == event
    run = played.events[0]
    assert (run["schema"], run["blocks"], run["games_per_block"]) == ("drakkar-events/1", 12, 2)
    assert [set(c) for c in run["contestants"]] == [{"label", "command", "limit", "options"}] * 3
    numbers = {event["number"]: (event["block"], event["game"]) for event in played.of("game")}
    assert numbers == {2 * b + g + 1: (b + 1, g + 1) for b in range(12) for g in range(2)}
    assert all(len(event["points"]) == len(event["lineup"]) == 2 for event in played.of("block"))


def test_no_seed_and_no_deal_is_told() -> None:
    """Whoever reads the stream of a run learns nothing of the cards."""
    plan = make_plan("random", "greedy", blocks=6, seed=987654321)
    text = "".join(map(to_line, play(plan, executor=MadeUp()).events))
    deals = {str(plan.jobs(plan.make_schedule().block(number))[0].deal) for number in range(6)}
    assert "987654321" not in text
    assert not any(deal in text for deal in deals)
    assert "deal" not in text and "seed" not in text


@pytest.mark.parametrize("words", [["--seed", "987654321"], ["--seed=987654321"]])
def test_a_run_that_goes_on_later_keeps_its_seed(words: list[str]) -> None:
    """The command to go on is written without it: deals are still to be played."""
    plan = make_plan("random", "greedy", blocks=2, seed=987654321)
    file = io.StringIO()
    told: list[str] = []
    writer = events.LineWriter(file)

    def emit(event: dict[str, Any]) -> None:
        writer(event)
        told.append(str(event.get("resume")))

    again = ["drakkar", "match", "a b", *words, "--resume"]
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal.create(Path(folder) / "journal", head_of(plan))
        executor = MadeUp(script=lambda job, attempt: void(job))
        asyncio.run(run(plan, executor, journal=journal, emit=emit, resume_command=again))
    assert told[-1] == shlex.join(again), "people are told the whole command"
    assert "987654321" not in file.getvalue()
    hidden = shlex.join(again).replace("987654321", "SEED")
    assert json.loads(file.getvalue().splitlines()[-1])["resume"] == hidden


def test_what_an_engine_says_in_its_trouble_is_not_told() -> None:
    """Its standard error may hold what it knows of its cards, and others may read the stream."""
    job = next(iter(make_plan("random", "greedy").jobs(Block(0, (0, 1), 0))))
    result = lost(job, Termination.DISCONNECT)
    assert result.fault is not None
    result.fault.stderr, result.fault.exit_code = "I hold the king", -11
    told = events.game_event(result)
    assert told["fault"]["exit_code"] == -11
    assert "king" not in to_line(told)


def test_a_fault_is_told_with_its_game() -> None:
    """As in the record."""
    plan = make_plan("random", "greedy", blocks=1)
    job = plan.jobs(plan.make_schedule().block(0))[0]
    event = events.game_event(lost(job, Termination.STALL, 1))
    assert event["termination"] == "stall"
    assert event["fault"] == {"seat": 1, "ply": 1, "kind": "stall", "text": "made up"}
    assert "fault" not in events.game_event(made_up(job))


def test_standings_are_told_seldom_but_at_the_end() -> None:
    """At most once a second; a thousand blocks in less time give a handful."""
    played = play(make_plan("random", "greedy", blocks=1000), executor=MadeUp())
    told = played.of("standings")
    assert 1 <= len(told) <= 3 + played.outcome.seconds
    assert told[-1]["blocks"] == 1000 and told[-1]["games"] == 2000


def test_a_stream_that_fails_is_left_alone() -> None:
    """The first error is kept, and nothing is written after it."""

    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    stream = Full()
    writer = events.LineWriter(stream)
    for _ in range(3):
        writer({"event": "x"})
    assert isinstance(writer.error, OSError)
    assert stream.getvalue().count("\n") == 1


def test_a_slow_reader_does_not_hold_the_run(monkeypatch) -> None:
    """Events that do not fit are left out and counted; the end does not wait for ever."""
    monkeypatch.setattr(events, "WAITING_MAX", 10)
    monkeypatch.setattr(events, "PATIENCE_S", 0.1)
    gate, taken = threading.Event(), []

    def slow(event) -> None:
        gate.wait()
        taken.append(event)

    outlet = events.Outlet(slow)
    for number in range(50):
        outlet({"event": "x", "number": number})
    assert 39 <= outlet.lost <= 40
    assert not outlet.close()
    gate.set()


def test_an_outlet_hands_over_everything_in_order() -> None:
    """And is done when it is closed."""
    taken: list[dict] = []
    outlet = events.Outlet(taken.append)
    for number in range(500):
        outlet({"event": "x", "number": number})
    assert outlet.close()
    assert [event["number"] for event in taken] == list(range(500)) and outlet.lost == 0
