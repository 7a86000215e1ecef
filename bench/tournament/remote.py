"""What a worker on another machine does: check itself, and play one block.

Everything here is called by name on the worker, with small arguments. A worker has no part in the
truth: what it returns is written to the journal of the run, or played again.
"""

import asyncio
import os
import socket
from collections.abc import Callable
from copy import copy
from importlib import import_module
from typing import Any

from bench.contestant import Contestant, engine_argv
from bench.games import parse_game
from bench.openings import parse_opening
from bench.plan import Plan, no_schedule
from bench.referee.block import Block, Job
from bench.referee.game_result import GameResult, result_line
from protocol import VERSION
from search.presets import PRESETS

STOP_ASKED_S = 1.0
"""Seconds between two looks at whether the run was stopped."""

Spec = dict[str, Any]
"""A plan without its schedule, as it is sent to workers."""


class Stopped(Exception):
    """The run was ended while a block was played."""


def describe(plan: Plan) -> Spec:
    """Return what a worker has to know of a plan; `build` makes a plan of it again."""
    return {
        "version": VERSION,
        "game": plan.game.identity,
        "contestants": plan.contestants,
        "seed": plan.seed,
        "policy": plan.policy,
        "rotation": plan.rotation,
        "openings": [opening.text for opening in plan.openings],
        "card_file": plan.card_file,
        "evaluator": plan.evaluator,
    }


def build(spec: Spec) -> Plan:
    """Return the plan of a description, with the engines of this machine for presets.

    Raises:
        ValueError, EngineError: this machine has not the version, the cards or the game.
    """
    if spec["version"] != VERSION:
        raise ValueError(f"the run is of version {spec['version']}, this worker of {VERSION}")
    if spec["card_file"]:
        from engine import read_cards

        read_cards(spec["card_file"])
    game = parse_game(spec["game"])
    if game.identity != spec["game"]:
        raise ValueError(f"the run plays {spec['game']}, this worker has {game.identity}")
    return Plan(
        game,
        [_local(contestant) for contestant in spec["contestants"]],
        no_schedule,
        spec["seed"],
        spec["policy"],
        spec["rotation"],
        [parse_opening(text, game) for text in spec["openings"]],
        spec["card_file"],
        spec["evaluator"],
    )


def _local(contestant: Contestant) -> Contestant:
    """Return a contestant with the engine of this machine, if it is one of ours."""
    if contestant.name not in PRESETS:
        return contestant
    twin = copy(contestant)
    twin.argv = engine_argv()
    return twin


def self_check(spec: Spec) -> str:
    """Return why this worker cannot be used for a run, or "" if it can."""
    try:
        plan = build(spec)
        state = plan.game.new_state()
        deal = plan.game.new_deal(1)
        while state.is_chance:
            state.apply(deal.outcome(state))
    except Exception as error:  # whatever is wrong with the machine
        return f"{type(error).__name__}: {error}"
    return ""


class Collector:
    """A sink that keeps lines and warnings until the block is over."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.warnings: list[tuple[str, int | None, dict[str, Any]]] = []

    def start(self, job: Job, worker: str) -> None:
        """Take that a game begins, which is told to nobody from here."""

    def result(self, result: GameResult) -> None:
        """Keep the record line of a game."""
        self.lines.append(result_line(result))

    def warn(self, text: str, contestant: int | None = None, **fields: Any) -> None:
        """Keep a remark."""
        self.warnings.append((text, contestant, fields))


def worker_name() -> str:
    """Return what results call this worker: its machine and process."""
    return f"{socket.gethostname()}/{os.getpid()}"


def play_block(
    spec: Spec, block: tuple[int, tuple[int, ...], int, int], rotations: list[int], stop: str
) -> tuple[list[dict[str, Any]], list[tuple[str, int | None, dict[str, Any]]]]:
    """Play seatings of a block with engines of its own; return record lines and warnings.

    `stop` is the name of the event of the cluster that ends it before its time. Raises Stopped
    then, and BadContestant if an engine has no such option.
    """
    sink = Collector()
    asyncio.run(_play(build(spec), Block(*block), rotations, sink, _stop_asker(stop)))
    return sink.lines, sink.warnings


def _stop_asker(name: str) -> Callable[[], bool]:
    """Return a function that tells whether the run was stopped, or the cluster is gone."""
    distributed = import_module("distributed")
    event = distributed.Event(name, client=distributed.get_client())

    def asks() -> bool:
        try:
            return bool(event.is_set())
        except Exception:  # without a scheduler nobody waits for the block
            return True

    return asks


async def _play(
    plan: Plan, block: Block, rotations: list[int], sink: Collector, is_stopped: Callable[[], bool]
) -> None:
    from bench.tournament.pool import Pool

    pool = Pool(1, name=worker_name())
    await pool.open(plan)
    playing = asyncio.ensure_future(pool.play(block, rotations, sink))
    try:
        while not (await asyncio.wait({playing}, timeout=STOP_ASKED_S))[0]:
            if await asyncio.to_thread(is_stopped):
                raise Stopped("the run was ended")
        playing.result()
    finally:
        playing.cancel()
        await asyncio.wait({playing})
        await pool.close()


__all__ = ["Collector", "Spec", "Stopped", "build", "describe", "play_block", "self_check"]
