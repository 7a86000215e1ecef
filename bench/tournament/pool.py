"""The embedded executor: places on this machine, each with engine processes of its own."""

import asyncio
from collections.abc import Callable
from typing import Any

from bench.luck.adjust import measure
from bench.plan import Plan, ResultSink
from bench.referee.block import Block
from bench.referee.guardian import Guardian
from bench.referee.slot import Slot

MakeSlot = Callable[..., Any]


class Pool:
    """Plays as many blocks at a time as it has places.

    Which place plays a block changes nothing of its games. A guardian process ends all engines if
    this process is killed.
    """

    def __init__(self, concurrency: int, name: str = "slot", make_slot: MakeSlot = Slot) -> None:
        """Take how many places there are; results name a place by `name` and a number."""
        if concurrency < 1:
            raise ValueError(f"at least one game runs at a time, not {concurrency}")
        self._concurrency, self._name, self._make_slot = concurrency, name, make_slot
        self._plan: Plan | None = None
        self._guardian: Guardian | None = None
        self._slots: list[Slot] = []
        self._idle: list[Slot] = []

    @property
    def capacity(self) -> int:
        """How many blocks can be under way at a time."""
        return self._concurrency

    async def open(self, plan: Plan) -> None:
        """Make ready to play; engines start with their first game."""
        self._plan = plan
        self._guardian = Guardian()
        await self._guardian.start()

    async def play(self, block: Block, rotations: list[int], sink: ResultSink) -> None:
        """Play some seatings of a block; see `bench.plan.Executor`."""
        assert self._plan is not None
        slot = self._free_slot(sink)
        slot.sink = sink
        jobs = self._plan.jobs(block)
        try:
            for rotation in rotations:
                sink.start(jobs[rotation], slot.name)
                result = await slot.play(jobs[rotation])
                if self._plan.evaluator is not None:
                    await measure(self._plan.evaluator, result)
                sink.result(result)
                if result.is_void:
                    return  # the whole block is played again
        finally:
            self._idle.append(slot)

    def _free_slot(self, sink: ResultSink) -> Slot:
        """Return a place where nobody plays, the last one used first: its engines are running."""
        if self._idle:
            return self._idle.pop()
        slot: Slot = self._make_slot(
            self._plan, f"{self._name}-{len(self._slots) + 1}", sink, self._guardian
        )
        self._slots.append(slot)
        return slot

    def exclude(self, worker: str) -> None:
        """Do nothing: all places are on one machine."""

    async def close(self, at_once: bool = False) -> None:
        """End all engines; at once means that they are killed."""
        ends = [slot.close(at_once) for slot in self._slots]
        await asyncio.gather(*ends, return_exceptions=True)
        if self._guardian is not None:
            await asyncio.to_thread(self._guardian.close)


__all__ = ["Pool"]
