"""Plays blocks on the workers of a `dask.distributed` scheduler (extra `cluster`).

The scheduler only carries blocks: the journal is the truth. A worker is used once it has checked
itself: same version, game data and evaluator. Each of its threads plays one block at a time. What a
lost worker had under way is played again, and a second result of a game is nobody's concern.
A scheduler runs whatever its clients send, so it has to listen on a trusted network or use TLS.
"""

import asyncio
import errno
import logging
import secrets
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from bench.contestant import BadContestant
from bench.plan import ExecutorLost, Plan, ResultSink
from bench.referee.block import Block
from bench.referee.game_result import result_from_line
from bench.tournament import remote

CONNECT_S = 15.0
"""Seconds that a scheduler has to answer."""

CHECK_S = 30.0
"""Seconds that a worker has to check itself; later it is refused."""

LOOK_S = 0.5
"""Seconds between two looks at which workers there are."""

WorkerNews = Callable[[str, str, str], None]
"""Called with a worker, what became of it (`joined`, `refused`, `lost`), and why."""


class Cluster:
    """An executor for the scheduler at an address such as `tcp://host:8786`."""

    def __init__(self, address: str, news: WorkerNews | None = None, check_s: float = CHECK_S):
        self._address, self._news, self._check_s = address, news or _unheard, check_s
        self._client: Any = None
        self._stop: Any = None
        self._run = secrets.token_hex(8)
        self._num_tasks = 0
        self._threads: dict[str, int] = {}
        self._busy: Counter[str] = Counter()
        self._names: dict[str, str] = {}
        self._known: set[str] = set()
        self._excluded: set[str] = set()
        self._looking: asyncio.Task[None] | None = None
        self._checks: set[asyncio.Task[None]] = set()

    # ---- for the manager ----

    @property
    def capacity(self) -> int:
        """How many blocks the workers that are in use can play at a time."""
        self._check_scheduler()
        return sum(self._threads.values())

    async def open(self, plan: Plan) -> None:
        """Connect, and begin to look for workers; OSError if there is no such scheduler."""
        try:
            distributed = import_module("distributed")
        except ImportError:
            reason = "a cluster needs the package distributed: install drakkar[cluster]"
            raise OSError(errno.ENOPKG, reason, self._address) from None
        # What becomes of the connection is told by us, in one line.
        for name in logging.root.manager.loggerDict:
            if name.startswith("distributed"):
                logging.getLogger(name).setLevel(logging.CRITICAL)
        self._plan, self._spec = plan, remote.describe(plan)
        try:
            self._client = await distributed.Client(
                self._address, asynchronous=True, timeout=CONNECT_S, set_as_default=False
            )
        except (OSError, ValueError, TimeoutError) as error:
            reason = f"no scheduler answers: {error}"
            raise OSError(errno.ECONNREFUSED, reason, self._address) from None
        self._stop = distributed.Event(f"drakkar-stop-{self._run}", client=self._client)
        self._looking = asyncio.ensure_future(self._look())

    async def play(self, block: Block, rotations: list[int], sink: ResultSink) -> None:
        """Play seatings of a block on a free worker; see `bench.plan.Executor`."""
        worker = await self._free_worker()
        self._busy[worker] += 1
        try:
            lines, warnings = await self._task(
                worker,
                remote.play_block,
                (block.number, block.lineup, block.deal, block.round),
                rotations,
                f"drakkar-stop-{self._run}",
            )
        finally:
            self._busy[worker] -= 1
        jobs = self._plan.jobs(block)
        for text, contestant, fields in warnings:
            sink.warn(text, contestant, **fields)
        for line in lines:
            self._names[line["times"]["worker"]] = worker
            sink.result(result_from_line(line, jobs[line["game"] - 1]))

    def exclude(self, worker: str) -> None:
        """Give nothing more to a worker, by the name that its results have."""
        address = self._names.get(worker)
        if address is not None:
            self._excluded.add(address)
            self._threads.pop(address, None)

    async def close(self, at_once: bool = False) -> None:
        """Stop what is under way, and leave the scheduler."""
        if self._looking is not None:
            self._looking.cancel()
        for check in self._checks:
            check.cancel()
        if self._client is None:
            return
        with suppress(Exception):  # the scheduler may be gone
            async with asyncio.timeout(1.0):
                await self._stop.set()
        with suppress(Exception):
            async with asyncio.timeout(1.0 if at_once else CONNECT_S):
                await self._client.close(timeout=1.0)

    # ---- how it is done ----

    async def _free_worker(self) -> str:
        while True:
            self._check_scheduler()
            free = [w for w, threads in self._threads.items() if self._busy[w] < threads]
            if free:
                return min(free, key=lambda worker: (self._busy[worker], worker))
            await asyncio.sleep(LOOK_S / 5)

    def _check_scheduler(self) -> None:
        if self._client.status != "running":
            raise ExecutorLost(f"the scheduler at {self._address} is gone")

    async def _task(self, worker: str, function: Any, *arguments: Any) -> Any:
        """Run a function on a worker; ConnectionError if the worker is lost meanwhile."""
        self._num_tasks += 1
        self._check_scheduler()
        future = self._client.submit(
            function,
            self._spec,
            *arguments,
            key=f"drakkar-{self._run}-{self._num_tasks}",
            workers=[worker],
            allow_other_workers=False,
            pure=False,
        )
        fetching = asyncio.ensure_future(future.result())
        try:
            while not (await asyncio.wait({fetching}, timeout=LOOK_S))[0]:
                self._check_scheduler()
                if worker not in self._known:
                    raise ConnectionError(f"worker {worker} is lost")
            return self._outcome(fetching, worker)
        finally:
            fetching.cancel()
            with suppress(Exception):
                future.release()

    def _outcome(self, fetching: "asyncio.Future[Any]", worker: str) -> Any:
        """Return what a task returned, or raise what the manager understands."""
        error = asyncio.CancelledError() if fetching.cancelled() else fetching.exception()
        if error is None:
            return fetching.result()
        self._check_scheduler()
        if isinstance(error, BadContestant):
            raise error
        raise ConnectionError(f"worker {worker}: {type(error).__name__}: {error}") from None

    async def _look(self) -> None:
        """Keep the list of workers: check new ones, forget lost ones."""
        while self._client.status == "running":
            with suppress(OSError, TimeoutError):
                workers = (await self._client.scheduler.identity())["workers"]
                for address in self._known - set(workers):
                    self._known.discard(address)
                    if self._threads.pop(address, None) is not None:
                        self._news(address, "lost", "its process or connection ended")
                for address in set(workers) - self._known:
                    self._known.add(address)
                    check = asyncio.ensure_future(self._admit(address, workers[address]))
                    self._checks.add(check)
                    check.add_done_callback(self._checks.discard)
            await asyncio.sleep(LOOK_S)

    async def _admit(self, address: str, told: dict[str, Any]) -> None:
        """Have a new worker check itself, and use it if nothing is wrong."""
        try:
            async with asyncio.timeout(self._check_s):
                reason = await self._task(address, remote.self_check)
        except TimeoutError:
            reason = f"its self-check took longer than {self._check_s:g} s"
        except (ConnectionError, ExecutorLost) as error:
            reason = str(error)
        if reason:
            self._news(address, "refused", reason)
        elif address not in self._excluded:
            self._threads[address] = int(told["nthreads"])
            self._news(address, "joined", "")


def _unheard(worker: str, state: str, reason: str) -> None:
    """Take news that nobody wants."""


__all__ = ["CHECK_S", "Cluster", "WorkerNews"]
