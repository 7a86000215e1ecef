"""Speed of a game and of its search, as `drakkar bench --speed` reports it.

Seconds depend on the machine and on its neighbours. They are comparable only within one run, so
whatever is compared is measured side by side, in turns, several times, and the median is taken.
"""

import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

from bench import positions
from bench.games import parse_game
from engine.game import Game
from search import Limits, Searcher
from search.playout import run_playouts

# A timed piece of work is made about this long, seconds.
PIECE_SECONDS = 0.3
ROUNDS = 9
SEED = 1


def playouts(game: Game, rounds: int = ROUNDS) -> dict[str, float]:
    """Return speed and size of random playouts from the start of a game, on one thread."""
    number = calibrate(game)
    seconds = []
    plies = choices = 0
    for index in range(rounds):
        start = time.perf_counter()
        _, more_plies, more_choices = run_playouts(game.new_state(), number, SEED, index)
        seconds.append(time.perf_counter() - start)
        plies += more_plies
        choices += more_choices
    total = number * rounds
    per_second = number / statistics.median(seconds)
    return {
        "state_bytes": game.state_size,
        "playouts_per_s": per_second,
        "plies_per_s": per_second * plies / total,
        "plies_per_playout": plies / total,
        "choice_plies_per_playout": choices / total,
        "choice_plies_share": choices / plies,
    }


def simulations(game: Game, rounds: int = ROUNDS) -> dict[str, float]:
    """Return simulations a second of `vanilla` beside playouts a second from the same views.

    `full` plays to the end of the game, `cut` values the new node at once (playouts of length 0).
    """
    views = positions.read(game)
    tasks: dict[str, Callable[[int], object]] = {
        "playouts_from_views_per_s": lambda n: [run_playouts(v, n, SEED) for v in views],
        "simulations_full_per_s": lambda n: _search(game, n, None),
        "simulations_cut_per_s": lambda n: _search(game, n, 0),
    }
    numbers = {name: max(1, _calibrate(task)) for name, task in tasks.items()}
    speeds: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            start = time.perf_counter()
            task(numbers[name])
            seconds = time.perf_counter() - start
            speeds[name].append(numbers[name] * len(views) / seconds)
    return {name: statistics.median(values) for name, values in speeds.items()}


def two_threads(game: Game, rounds: int = ROUNDS) -> dict[str, Any]:
    """Compare the playouts of two threads with those of two processes, in turns in one run.

    `ratio` is the work that two threads do in the time in which two processes do 1; its median.
    """
    number = calibrate(game)
    ratios = []
    context = get_context("spawn")
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2, mp_context=context) as processes:
        for pool in (threads, processes):
            _both(pool, game.identity, number)
        for index in range(rounds):
            seconds = {}
            for pool in (threads, processes) if index % 2 else (processes, threads):
                seconds[pool is threads] = _both(pool, game.identity, number)
            ratios.append(seconds[False] / seconds[True])
    return {
        "ratio": statistics.median(ratios),
        "ratios": [round(r, 4) for r in ratios],
        "cores": os.cpu_count() or 0,
    }


def calibrate(game: Game) -> int:
    """Return how many playouts from the start take about PIECE_SECONDS."""
    state = game.new_state()
    return max(1, _calibrate(lambda number: run_playouts(state, number, SEED)))


def report(game: Game) -> str:
    """Return all figures of a game as lines of text."""
    figures = {**playouts(game), **simulations(game), **two_threads(game)}
    figures.pop("ratios")
    figures["two_threads_to_two_processes"] = figures.pop("ratio")
    return "\n".join(f"    {name.replace('_', ' '):32} {_number(v)}" for name, v in figures.items())


def _calibrate(task: Callable[[int], object]) -> int:
    number, seconds = 1, 0.0
    while seconds < PIECE_SECONDS / 10:
        number *= 2
        start = time.perf_counter()
        task(number)
        seconds = time.perf_counter() - start
    return int(number * PIECE_SECONDS / seconds)


def _search(game: Game, nodes: int, playout_plies: int | None) -> None:
    for view in positions.read(game):
        searcher = Searcher("vanilla", threads=1, seed=SEED, playout_plies=playout_plies)
        searcher.go(view, Limits(nodes=nodes))


def _both(pool: Executor, identity: str, number: int) -> float:
    """Let both workers of a pool do the same work at once; return the seconds until both are done.

    Each worker takes one piece, as a piece is long against handing it out.
    """
    start = time.perf_counter()
    for job in [pool.submit(_work, identity, number, index) for index in range(2)]:
        job.result()
    return time.perf_counter() - start


def _work(identity: str, number: int, index: int) -> None:
    run_playouts(parse_game(identity).new_state(), number, SEED, index)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 or value == int(value) else f"{value:.3f}"
