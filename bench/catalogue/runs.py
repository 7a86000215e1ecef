"""The figures of tournaments and their statistics."""

from functools import partial

from bench.measure import kills, ladder, memory, overhead, pairing, pools, sprt
from bench.registry import Bound, register

GAME = "lofoten"

register(
    "overhead",
    "what the referee adds to a decision, with engines that answer at once, two games at a time",
    partial(overhead.overhead, identity=GAME, blocks=20),
    Bound("gap_median_ms", None, 0.5),
    Bound("gap_p99_ms", None, 2.0),
    Bound("decisions_per_second", 3000),
)
register(
    "restarts",
    "1,000 games with engines that live for one game: descriptors that stay open",
    partial(overhead.restarts, identity="kuhn", games=1000),
    Bound("restarts", 1000),
    Bound("grown", 0, 0),
)
register(
    "planned-games",
    "memory and start with a million planned games against a thousand",
    memory.planned_games,
    Bound("grown_mb", None, 20),
    Bound("later_s", None, 1),
    Bound("played_grown_mb", None, 20),
)
register(
    "kills",
    "five tournaments of 60 blocks, each killed ten times and resumed: nothing lost or doubled",
    kills.kills,
    Bound("tournaments", 5, 5),
    Bound("kills", 50, 50),
    Bound("differing_standings", 0, 0),
    Bound("differing_records", 0, 0),
    Bound("doubled_games", 0, 0),
    Bound("missing_games", 0, 0),
    Bound("engines_left", 0, 0),
)
register(
    "sprt-errors",
    "2,000 simulated tests where each hypothesis is true, looked at every 8 pairs",
    sprt.sprt_errors,
    Bound("tests", 2000),
    Bound("h0_error_ratio", None, 1.25),
    Bound("h1_error_ratio", None, 1.25),
    Bound("undecided", 0, 0),
)
register(
    "sprt-quick-games",
    "tests of two equals one of which wins only long games, 16 games at a time",
    partial(sprt.quick_games, tests=200),
    Bound("h0_share", 0.9375),
)
register(
    "pairing",
    "500 blocks of vanilla at 100 against 200 nodes: what pairs and luck adjustment save",
    partial(pairing.pairing, game=GAME, blocks=500),
    Bound("blocks", 500),
    Bound("exit_code", 0, 0),
)
register(
    "round-robin",
    "four engines, 40 blocks a pair at 100 nodes on Lofoten, without a warning",
    partial(pools.tournament, example="lofoten.toml"),
    Bound("exit_code", 0, 0),
    Bound("games", 480, 480),
)
for _seats in (3, 4):
    register(
        f"tables-{_seats}",
        f"tables of {_seats} out of five engines at oh_hell, without a warning",
        partial(pools.tournament, example="oh_hell.toml", flags=f"--game 'oh_hell seats={_seats}'"),
        Bound("exit_code", 0, 0),
    )
register(
    "ladder",
    "the built-in presets at several node counts rated against each other",
    partial(ladder.ladder, game=GAME, blocks=12),
    Bound("least_step", 0.6),
    Bound("greatest_step", None, 0.9),
)
