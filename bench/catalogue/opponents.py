"""The figures of strength: `drakkar` against the yardsticks, and against itself without a part."""

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


def _gather(name: str, what: str, parts: dict[str, int], games: int, arguments: str) -> None:
    """Register a long match in parts, by name with their seeds, of so many games each.

    All of them together have to be clear of an even score.
    """
    for part, seed in parts.items():
        _register(part, f"{what}: a part of {name}", games, arguments.format(seed=seed))
    everything = len(parts) * games
    register(
        name,
        f"{what}: the games of {', '.join(parts)}",
        partial(pool, names=list(parts)),
        Bound("games", everything, everything),
        Bound("lost_by_verdict", 0, 0),
        Bound("score_low", 0.5),
    )


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
_gather(
    "threads-points",
    "drakkar with two threads against one at 1 ms a decision",
    {f"threads-1ms-{seed}": seed for seed in (5, 6, 7)},
    2000,
    _THREADS.replace("{ms}", "1"),
)
_register(
    "pondering",
    "drakkar that ponders against drakkar that does not, 10 ms a decision, one game at a time",
    600,
    f"drakkar drakkar --game {GAME} --movetime 10 --concurrency 1 --ponder --a Ponder=true",
)
# Twice the time is worth 1.7 points in a hundred, so what is kept is worth about as much, and 1,000
# games have an error of 2.8: they tell it from nothing in one match of three. Five matches of as
# many engines gave 50.4 to 54.1 %; the last failed its bound. So the four of tree-reuse-all were
# announced before they were played, and are gathered whatever they come to.
_REUSE = (
    f"drakkar drakkar --game {GAME} --movetime 10 --concurrency 2 "
    "--a Search=reuse=timed --b Search=reuse=off --seed {seed}"
)
_KEEPS = (
    "drakkar that keeps its graph from move to move against one that does not, 10 ms a decision"
)
_register(
    "tree-reuse",
    _KEEPS,
    1000,
    _REUSE.format(seed=1),
    Bound("score_low", 0.5),  # on by default
)
_gather(
    "tree-reuse-all",
    _KEEPS,
    {f"tree-reuse-{seed}": seed for seed in (2, 3, 4, 5)},
    1000,
    _REUSE,
)
