"""The figures of strength: `drakkar` against the yardsticks, and two threads against one."""

from functools import partial

from bench.measure.matches import play_on, pool, whole
from bench.registry import Bound, register

GAME = "lofoten"
MODULES = "lofoten level2=2 jarls=on upgrades=on"


def _register(name: str, what: str, games: int, arguments: str, *bounds: Bound) -> None:
    """Register a match that can be gone on with."""
    arguments += f" --games {games}"
    run = partial(play_on, name=name, arguments=arguments)
    register(name, what, run, *whole(games), *bounds)


_register(
    "drakkar-vanilla",
    "drakkar against vanilla at 20 ms a decision",
    300,
    f"drakkar vanilla --game {GAME} --movetime 20 --concurrency 2",
    Bound("points_share", 0.95),
)
_register(
    "drakkar-classic",
    "drakkar against classic at 20 ms a decision",
    1000,
    f"drakkar classic --game {GAME} --movetime 20 --concurrency 2",
    Bound("points_share", 0.62),
    Bound("score_low", 0.585),
)
_register(
    "drakkar-classic-modules",
    "the same with all modules",
    400,
    f"drakkar classic --game '{MODULES}' --movetime 20 --concurrency 2",
    Bound("points_share", 0.60),
)
_register(
    "drakkar-equilibrium",
    "drakkar against regret matching at 20 ms a decision, whatever it is",
    200,
    f"drakkar equilibrium --game {GAME} --movetime 20 --concurrency 2",
)
# The gain of twice the simulations is small and falls with their number: it takes many games at a
# short time. At 2 ms the first attempt, seed 1, failed its bound. The second was to be 6,000 games
# of seeds 2 to 4; it was given up when 4,000 of them had 50.5 %. The third is at 1 ms, with
# threads that are kept from search to search, which makes them twice as fast as one there, too.
_THREADS = (
    f"drakkar drakkar --game {GAME} --concurrency 1 --a Threads=2 --movetime {{ms}} --seed {{seed}}"
)
_AT_2_MS = "drakkar with two threads against one at 2 ms a decision, one game at a time"
_register(
    "threads-points-1",
    _AT_2_MS,
    2000,
    _THREADS.format(ms=2, seed=1),
    Bound("score_low", 0.5),
)
for _seed in (2, 3):
    _register(
        f"threads-points-{_seed}",
        _AT_2_MS,
        2000,
        _THREADS.format(ms=2, seed=_seed),
    )
_PARTS = {f"threads-1ms-{seed}": seed for seed in (5, 6, 7)}
for _name, _seed in _PARTS.items():
    _register(
        _name,
        "the same at 1 ms, a part of threads-points",
        2000,
        _THREADS.format(ms=1, seed=_seed),
    )
register(
    "threads-points",
    "drakkar with two threads against one at 1 ms a decision: the games of all threads-1ms",
    partial(pool, names=list(_PARTS)),
    Bound("games", 6000, 6000),
    Bound("lost_by_verdict", 0, 0),
    Bound("score_low", 0.5),
)
