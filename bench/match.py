"""A match between two engines: pairs of games with the same deal and swapped seats.

Each slot of the pool holds one process of each engine and plays game after game; processes live
for the whole match and are told of each new game. At fixed nodes the games do not depend on the
number of slots. However a match ends, every engine process is ended with it.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from bench.contestant import Contestant
from bench.openings import Opening
from bench.play import EngineFailure, GameResult, Job, failure, play_game
from bench.seeds import deal_seed
from engine.game import Game
from protocol.client import Engine, EngineError

START_SECONDS = 30.0


class Plan:
    """What a match is: the game, two contestants, how many games, and where luck comes from."""

    __slots__ = ("concurrency", "contestants", "game", "games", "openings", "seed")

    def __init__(
        self,
        game: Game,
        contestants: list[Contestant],
        games: int,
        seed: int,
        concurrency: int,
        openings: list[Opening] | None = None,
    ) -> None:
        if game.num_seats != 2:
            raise ValueError(f"a match has two seats; {game.name} has {game.num_seats}")
        if games < 2 or games % 2:
            raise ValueError(f"a match has an even number of games, two for each deal; not {games}")
        self.game, self.contestants, self.games = game, contestants, games
        self.seed, self.concurrency, self.openings = seed, concurrency, openings or []

    def job(self, number: int) -> Job:
        """Return game `number`, from 0; it depends on the seed and its pair only."""
        pair = number // 2
        deal = deal_seed(self.seed, pair)
        if not self.openings:
            return Job(number, deal)
        opening = self.openings[pair % len(self.openings)]
        if opening.deal is not None:
            return Job(number, opening.deal)
        return Job(number, deal, opening.state, opening.text)


class Outcome:
    """How a match went: its finished games in order, its time, and the failure that ended it."""

    def __init__(self) -> None:
        self.results: list[GameResult] = []
        self.seconds = 0.0
        self.failure: EngineFailure | None = None
        self.interrupted = False


async def run_match(plan: Plan, on_game: Callable[[GameResult, int], None]) -> Outcome:
    """Play a match and return its outcome; a failing engine ends it early.

    `on_game(result, finished)` is called for each game in the order of the match, so games that
    finish early wait for those before them; `finished` counts all that are done. Only games that
    were handed to it are in the outcome, so that a record and the statistics always agree. The
    events of a game are forgotten after the call.

    When the task is cancelled, the engines are ended and the outcome so far is returned with
    `interrupted` set.
    """
    outcome = Outcome()
    done: dict[int, GameResult] = {}
    jobs = iter(range(plan.games))
    start = time.monotonic()

    def finish(result: GameResult) -> None:
        done[result.job.number] = result
        while len(outcome.results) in done:
            earliest = done.pop(len(outcome.results))
            outcome.results.append(earliest)
            on_game(earliest, len(outcome.results) + len(done))
            earliest.events = ""

    slots = min(plan.concurrency, plan.games)
    tasks = [asyncio.create_task(_slot(plan, jobs, finish)) for _ in range(slots)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    except asyncio.CancelledError:
        outcome.interrupted = True
    for task in tasks:
        task.cancel()
    faults = [e for e in await asyncio.gather(*tasks, return_exceptions=True) if e is not None]
    outcome.seconds = time.monotonic() - start
    for fault in faults:
        if isinstance(fault, EngineFailure):
            outcome.failure = outcome.failure or fault
        elif not isinstance(fault, asyncio.CancelledError):
            raise fault
    return outcome


async def _slot(plan: Plan, jobs: Iterator[int], finish: Callable[[GameResult], None]) -> None:
    engines: list[Engine] = []
    try:
        for side, contestant in enumerate(plan.contestants):
            try:
                engine = await Engine.open(contestant.argv, dialect="uhi", timeout_s=START_SECONDS)
                engines.append(engine)
                if "strict views" in engine.options:
                    await engine.set_option("Strict Views", True)
                for name, value in contestant.options.items():
                    await engine.set_option(name, value)
                await engine.ping(START_SECONDS)
            except EngineError as error:
                raise failure(side, plan.contestants, engines, "start", str(error), None) from None
        for number in jobs:
            finish(
                await play_game(plan.game, plan.job(number), engines, plan.contestants, plan.seed)
            )
    finally:
        await _end(engines)


async def _end(engines: list[Engine]) -> None:
    """End all processes, also when the slot is cancelled while it does so."""
    ending = asyncio.gather(*(engine.quit() for engine in engines), return_exceptions=True)
    while not ending.done():
        with suppress(asyncio.CancelledError):
            await asyncio.shield(ending)
