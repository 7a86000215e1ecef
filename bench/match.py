"""A match between two engines: pairs of games with the same deal and swapped seats.

Each slot of the pool holds one process of each engine and plays game after game; processes live
for the whole match and are told of each new game. At fixed nodes the games do not depend on the
number of slots. However a match ends, every engine process is ended with it.
"""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from bench.contestant import BadContestant, Contestant, check_option
from bench.openings import Opening
from bench.play import LOSE, TEXT_SIZE, EngineFailure, GameResult, Job, failure, play_game
from bench.seeds import deal_seed
from bench.text import visible
from engine.game import Game
from protocol.client import Engine, EngineError, EngineProtocolError

# How long an engine may take to quit, and again after SIGTERM.
QUIT_SECONDS = 0.5


class Plan:
    """What a match is: the game, two contestants, how many games, and where luck comes from.

    `card_file` is the path of the cards that the game is played with, "" for the shipped ones;
    `illegal` is what an illegal answer does, one of `bench.play.ILLEGAL`.
    """

    __slots__ = (
        "card_file",
        "concurrency",
        "contestants",
        "game",
        "games",
        "illegal",
        "openings",
        "seed",
    )

    def __init__(
        self,
        game: Game,
        contestants: list[Contestant],
        games: int,
        seed: int,
        concurrency: int,
        openings: list[Opening] | None = None,
        card_file: str = "",
        illegal: str = LOSE,
    ) -> None:
        if game.num_seats != 2:
            raise ValueError(f"a match has two seats; {game.name} has {game.num_seats}")
        if games < 2 or games % 2:
            raise ValueError(f"a match has an even number of games, two for each deal; not {games}")
        self.game, self.contestants, self.games = game, contestants, games
        self.seed, self.concurrency, self.openings = seed, concurrency, openings or []
        self.card_file, self.illegal = card_file, illegal

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
    finish early wait for those before them; `finished` counts all that are done. When the match
    ends early, the games that still wait are handed over at its end, past those that are missing.
    The events of a game are forgotten after the call.

    When the task is cancelled, the engines are ended and the outcome so far is returned with
    `interrupted` set; when it is cancelled again, they are killed at once. Raises BadContestant
    if an engine has no such option as it should be given.
    """
    outcome = Outcome()
    done: dict[int, GameResult] = {}
    jobs = iter(range(plan.games))
    start = time.monotonic()

    def hand_over(number: int) -> None:
        result = done.pop(number)
        outcome.results.append(result)
        on_game(result, len(outcome.results) + len(done))
        result.events = ""

    def finish(result: GameResult) -> None:
        done[result.job.number] = result
        while len(outcome.results) in done:
            hand_over(len(outcome.results))

    slots = min(plan.concurrency, plan.games)
    tasks = [asyncio.create_task(_slot(plan, jobs, finish)) for _ in range(slots)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    except asyncio.CancelledError:
        outcome.interrupted = True
    faults = await _end_slots(tasks, outcome)
    outcome.seconds = time.monotonic() - start
    for number in sorted(done):
        hand_over(number)
    for fault in faults:
        if isinstance(fault, EngineFailure):
            outcome.failure = outcome.failure or fault
        elif not isinstance(fault, asyncio.CancelledError):
            raise fault
    return outcome


async def _end_slots(tasks: list[asyncio.Task[None]], outcome: Outcome) -> list[BaseException]:
    """Cancel all slots, again whenever this is cancelled; return what they raised."""
    ending = asyncio.gather(*tasks, return_exceptions=True)
    for task in tasks:
        task.cancel()
    while not ending.done():
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:
            outcome.interrupted = True
            for task in tasks:
                task.cancel()
    return [fault for fault in ending.result() if fault is not None]


async def _slot(plan: Plan, jobs: Iterator[int], finish: Callable[[GameResult], None]) -> None:
    engines: list[Engine] = []
    failed = None
    try:
        for side in range(2):
            await _start(plan, side, engines)
        for number in jobs:
            job = plan.job(number)
            finish(
                await play_game(plan.game, job, engines, plan.contestants, plan.seed, plan.illegal)
            )
    except EngineFailure as error:
        failed = error.side
        raise
    finally:
        await _end(engines, failed)


async def _start(plan: Plan, side: int, engines: list[Engine]) -> None:
    """Start the engine of a side, tell it its options, and add it to `engines`."""
    contestants = plan.contestants
    contestant = contestants[side]
    patience = contestant.limit.hang_s
    try:
        engine = await Engine.open(contestant.argv, dialect="uhi", timeout_s=patience)
        engines.append(engine)
        for name, value in contestant.options.items():
            check_option(name, value, engine.options)
        if "strict views" in engine.options:
            await engine.set_option("Strict Views", True, patience)
        if plan.card_file and "cardfile" in engine.options:
            await _set_option(engine, "CardFile", plan.card_file, patience)
        for name, value in contestant.options.items():
            await _set_option(engine, name, value, patience)
        await engine.ping(patience)
    except BadContestant as error:
        error.side = side
        raise
    except EngineError as error:
        raise failure(side, contestants, engines, "start", error, None) from None


async def _set_option(engine: Engine, name: str, value: str, patience: float) -> None:
    try:
        await engine.set_option(name, value, patience)
    except EngineProtocolError as error:
        raise BadContestant(visible(str(error)[:TEXT_SIZE])) from None


async def _end(engines: list[Engine], failed: int | None) -> None:
    """End all processes: the one that failed at once, all when the slot is cancelled meanwhile."""
    ending = asyncio.gather(
        *(
            engine.kill() if side == failed else engine.quit(QUIT_SECONDS)
            for side, engine in enumerate(engines)
        ),
        return_exceptions=True,
    )
    while not ending.done():
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:
            for engine in engines:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(engine.pid, signal.SIGKILL)
