"""The figures of rules, search and protocol."""

from functools import partial
from itertools import compress, product

from bench import instructions, speed
from bench.games import parse_game
from bench.measure import (
    fuzz,
    hidden,
    keys,
    leaks,
    matches,
    outside,
    process,
    random_games,
    texts,
    worlds,
)
from bench.registry import Bound, Out, register

GAME = "lofoten"
MODULES = "lofoten level2=2 jarls=on upgrades=on"
VARIANTS = (("", GAME, ""), ("-modules", MODULES, " with all modules"))


def _register_matches() -> None:
    """Matches through real processes."""
    register(
        "vanilla-random",
        "vanilla against random, the match of `make match`",
        lambda out: matches.play(out, f"vanilla random --game {GAME} --games 20"),
        *matches.whole(20),
        Bound("points_share", 0.95),
    )
    register(
        "vanilla-greedy",
        "vanilla against greedy at 20 ms a decision, whatever it is",
        lambda out: matches.play(out, f"vanilla greedy --game {GAME} --games 200 --movetime 20"),
        *matches.whole(200),
    )
    register(
        "vanilla-vanilla",
        "vanilla against itself with other search seeds: even within 3 standard errors",
        lambda out: matches.play(out, f"vanilla vanilla --game {GAME} --games 400 --nodes 300"),
        *matches.whole(400),
        Bound("errors_from_even", None, 3.0),
    )
    register(
        "clocks",
        "100 games at 2 s + 10 ms for a decision, no margin: nobody loses on time",
        lambda out: matches.play(
            out, "drakkar vanilla --games 100 --tc 2+0.01 --margin 0 --concurrency 2"
        ),
        *matches.whole(100),
    )
    for suffix, game, what in VARIANTS:
        register(
            f"statistics{suffix}",
            f"vanilla against itself{what}: turns, scores, first seat, special rulings",
            partial(
                matches.statistics,
                arguments=f"vanilla vanilla --game '{game}' --games 400 --nodes 100",
            ),
            *matches.whole(400),
            Bound("errors_from_even", None, 3.0),
        )


def _register_reference() -> None:
    """The engine against rules written by somebody else, and against deliberate faults."""
    register(
        "random-random",
        "2,000 random games: decisions, turns, results, against an independent simulation",
        lambda out: random_games.run(out, GAME, 2000, checked=False),
        Bound("decisions_per_game", 985, 1037),
        Bound("legal_moves_per_decision", 2.08, 2.12),
        Bound("choices_per_game", 755, 795),
        Bound("first_seat", 0.462, 0.529),
    )
    register(
        "differential",
        "4 million plies: legal moves, luck, observations, scores and texts as the slow reference",
        lambda out: outside.run(
            out, "tests/games/lofoten/differential.py --plies 4000000 --jobs 2"
        ),
        Bound("plies", 4_000_000),
        Bound("differences", 0, 0),
        Bound("share_of_traders", 2 / 3),
        Bound("setting_combinations", 20),
        Bound("rarest_branch", 50),
    )
    register(
        "perft-reference",
        "the perft tables, counted again by the slow reference",
        lambda out: outside.run(out, "tests/games/lofoten/perft_reference.py --jobs 2"),
        Bound("tables", 20),
        Bound("differences", 0, 0),
    )
    register(
        "mutations",
        "deliberate faults in the rules, one after another: each is caught by the tests",
        lambda out: outside.run(out, "tests/games/lofoten/mutations.py"),
        Bound("mutations", 30),
        Bound("missed", 0, 0),
    )


def _register_rules(suffix: str, game: str, what: str) -> None:
    """Random games, keys, hidden information, of the base game or with all modules."""
    register(
        f"random-games{suffix}",
        f"100,000 random games{what}, checked after every event: how often each ruling occurs",
        lambda out: random_games.run(out, game, 100_000, checked=True),
        Bound("games", 100_000),
    )
    register(
        f"keys-recomputed{suffix}",
        f"updated and recomputed keys at every event of 10,000 random games{what}",
        lambda out: keys.recomputed(out, game, 10_000),
        Bound("broken", 0, 0),
        Bound("differing", 0, 0),
    )
    register(
        f"keys-distinct{suffix}",
        f"10^6 distinct states{what}, no two with the same key",
        lambda out: keys.distinct(out, game, 1_000_000),
        Bound("states", 1_000_000),
        Bound("collisions", 0, 0),
    )
    register(
        f"determinizer{suffix}",
        f"10,000 random positions{what}: samples keep key, observation and legal moves",
        lambda out: hidden.determinizer(out, game, 10_000, samples=4),
        Bound("changed", 0, 0),
        Bound("broken", 0, 0),
    )
    register(
        f"determinizer-worlds{suffix}",
        f"chi-square of samples against all worlds of late positions{what}, with their weights",
        lambda out: worlds.run(out, game, 24, samples=100_000),
        Bound("positions", 20),
        Bound("worst_standard_errors", None, 4.0),
    )


def _register_small_worlds() -> None:
    """The sampler of the other games: Lofoten's is among the rules of each variant."""
    for name, game in {
        "kuhn": "kuhn",
        "leduc": "leduc",
        "oh_hell": "oh_hell",
        "oh_hell-4": "oh_hell seats=4",
    }.items():
        register(
            f"determinizer-worlds-{name}",
            f"chi-square of samples against all worlds of late positions of {game}",
            partial(worlds.run, identity=game, number=24, samples=100_000),
            Bound("positions", 20),
            Bound("worst_standard_errors", None, 4.0),
        )


def _register_leaks() -> None:
    """Games that a seat can't tell apart, of each game and combination of modules."""
    games = {f"leak-{name}": name for name in ("kuhn", "leduc", "oh_hell")}
    games["leak-oh_hell-4"] = "oh_hell seats=4"
    for chosen in product((False, True), repeat=len(MODULES.split()) - 1):
        settings = list(compress(MODULES.split()[1:], chosen))
        modules = ["modules"] if all(chosen) else [s.partition("=")[0] for s in settings]
        games["-".join(["leak", *modules])] = " ".join([GAME, *settings])
    for name, game in games.items():
        # Short games are compared at every decision.
        every = 6 if game.startswith(GAME) else 1
        register(
            name,
            f"10,000 pairs of games alike for a seat, {game}: what it is sent, what is printed",
            partial(leaks.run, identity=game, pairs=10_000, nodes=8, every=every),
            Bound("pairs", 10_000),
            Bound("differing", 0, 0),
            Bound("pairs_with_other_secrets", 9_500),
            Bound("seat_decides", 3_000, 8_000),
            Bound("from_the_empty_table", 1_000),
        )


def _register_others() -> None:
    register(
        "texts",
        "10^5 random states to text and back, 10^5 mutated texts: refused by name, or sound",
        lambda out: texts.run(out, "lofoten", 100_000),
        Bound("states", 100_000),
        Bound("mutated", 100_000),
        Bound("faults", 0, 0),
    )
    register(
        "fuzz",
        "10^6 lines of broken sessions: no fall, no hang, no traceback, no growth",
        lambda out: fuzz.fuzz(out, lines=1_000_000, seed=1),
        Bound("lines", 1_000_000),
        Bound("lines_per_s", 1000),
        Bound("gos", 19_000),
        Bound("slowest_probe_ms", None, 1000),
        Bound("growth_mb", None, 20),
        Bound("faults", 0, 0),
    )
    register(
        "kuhn",
        "root policy of vanilla at 100,000 simulations in all information sets of Kuhn poker",
        lambda out: hidden.kuhn_policy(out, 100_000),
        Bound("information_sets", 12, 12),
        Bound("dominated", 0, 0),
    )


def _register_speed() -> None:
    """Speed, start and answer times."""
    register(
        "instructions",
        "instructions in random playouts per decision with a choice",
        lambda out: out.update(instructions.count(GAME)),
        Bound("instructions_per_choice_ply", None, 323),
    )
    register(
        "instructions-modules",
        "the same with all modules, and how many times more that is than without",
        _instructions_of_modules,
        Bound("ratio", None, 1.40),
    )
    register(
        "playouts",
        "playouts and decisions a second, size of a state",
        lambda out: out.update(speed.playouts(parse_game(GAME))),
        Bound("state_bytes", None, 512),
    )
    register(
        "simulations",
        "simulations a second beside playouts a second, to the end and of length 0",
        lambda out: out.update(speed.simulations(parse_game(GAME))),
    )
    register(
        "two-threads",
        "playouts of two threads against those of two processes in the same run",
        lambda out: out.update(speed.two_threads(parse_game(GAME), rounds=31)),
        Bound("ratio", 0.95),
    )
    register(
        "start",
        "time of an installed wheel to uciok against a bare interpreter, side by side",
        lambda out: process.start(out, rounds=31),
        Bound("ratio", None, 3.0),
    )
    register(
        "latency",
        "slowest answers to isready and stop during go infinite in the longest playouts",
        lambda out: process.latency(out, GAME, rounds=50),
        Bound("isready_ms", None, 50),
        Bound("stop_ms", None, 100),
    )
    register(
        "endurance",
        "slowest answers during a minute of search that fills gigabytes, and while they are freed",
        lambda out: process.endurance(out, GAME, seconds=60),
        Bound("seconds", 60),
        Bound("isready_ms", None, 50),
        Bound("stop_ms", None, 100),
    )


def _instructions_of_modules(out: Out) -> None:
    out.update(instructions.count(MODULES))
    base = instructions.count(GAME)["instructions_per_choice_ply"]
    out["base"], out["ratio"] = base, out["instructions_per_choice_ply"] / base


_register_matches()
_register_reference()
for _variant in VARIANTS:
    _register_rules(*_variant)
_register_small_worlds()
_register_leaks()
_register_others()
_register_speed()
