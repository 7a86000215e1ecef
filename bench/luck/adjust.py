"""The luck of a finished game, and results less their luck.

For each chance event of the game, what the evaluator says after its outcome, less what it says on
average over all outcomes with their probabilities. The mean of that is 0 whatever the evaluator
says and whatever the players do, because luck falls independently of both.
"""

import asyncio
from collections.abc import Generator, Iterable
from time import perf_counter

from bench.luck.evaluator import DIGITS, Evaluator
from bench.referee.game_result import GameResult
from engine.game import State

SLICE_S = 0.0005
"""Seconds of work between two moments at which other tasks can run."""


def luck_steps(
    evaluator: Evaluator, events: Iterable[str], opening: State | None = None
) -> Generator[None, None, list[float]]:
    """Work out the luck of each seat in small steps; the generator's return value is the answer.

    Args:
        evaluator: what says how good an outcome is.
        events: event tokens with nothing hidden, from the opening on.
        opening: the full state that the game started from; None for the empty table.

    Raises:
        IllegalMove, BadMoveText: the events are none of this game.
    """
    game = evaluator.game
    state = game.new_state() if opening is None else opening.copy()
    seats = range(game.num_seats)
    luck = [0.0] * game.num_seats
    for token in events:
        move = game.parse_event(token)[1]
        outcomes = state.chance_outcomes() if state.is_chance else []
        if len(outcomes) > 1:
            for outcome, probability in outcomes:
                after = state.copy()
                after.apply(outcome)
                values = evaluator.values(after)
                for seat in seats:
                    luck[seat] -= probability * values[seat]
                if outcome == move:
                    for seat in seats:
                        luck[seat] += values[seat]
                yield
        state.apply(move)
    return [round(value, DIGITS) + 0.0 for value in luck]


def luck_of(
    evaluator: Evaluator, events: Iterable[str], opening: State | None = None
) -> list[float]:
    """Return the points by which luck favoured each seat; arguments and errors as luck_steps."""
    steps = luck_steps(evaluator, events, opening)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            luck: list[float] = end.value
            return luck


async def measure(evaluator: Evaluator | None, result: GameResult) -> None:
    """Set `result.luck`, leaving the loop to others at least each millisecond.

    Nothing happens without an evaluator and for void games. A game that ended by a verdict is
    measured up to there: to leave those out would shift the mean of the others.
    """
    if evaluator is None or result.is_void:
        return
    steps = luck_steps(evaluator, result.events.split(), result.job.opening)
    until = perf_counter() + SLICE_S
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result.luck = end.value
            return
        if perf_counter() >= until:
            await asyncio.sleep(0)
            until = perf_counter() + SLICE_S


def adjusted_points(evaluator: Evaluator, result: GameResult, contestant: int) -> float | None:
    """Return a contestant's points less the share that luck gave it; below 0 or above 1 at times.

    None if luck was not measured.
    """
    if result.luck is None:
        return None
    luck = result.luck[result.seat_of(contestant)]
    return result.points(contestant) - evaluator.score_coefficient * luck


def adjusted_margin(result: GameResult, contestant: int) -> float | None:
    """Return a contestant's margin less its luck; None if luck was not measured."""
    if result.luck is None:
        return None
    return result.margin(contestant) - result.luck[result.seat_of(contestant)]


__all__ = ["SLICE_S", "adjusted_margin", "adjusted_points", "luck_of", "luck_steps", "measure"]
