"""The figures of comparisons with OpenSpiel; they need the extra `peers`."""

import shlex
import sys

from bench.measure import matches
from bench.registry import Bound, Out, register

GAME = "lofoten"
PEER_ENGINE = shlex.quote(f"{shlex.quote(sys.executable)} -m bench.peers.engine")


def _speed(out: Out) -> None:
    from bench.peers import table

    for game in table.GAMES:
        out[game] = {}
        table.speed(out[game], game)
        for name in ("times_peer", "share_of_bytes", "share_of_bound"):
            if name in out[game]:
                out[f"{game}_{name}"] = out[game][name]


def _strength(out: Out) -> None:
    from bench.peers import table

    for game, exploration in (("kuhn", 1.4), ("leduc", 5.0), ("oh_hell", 1.4)):
        out[game] = {}
        table.strength(out[game], game, exploration, (100, 1000, 10_000), blocks=500)


def _shares(out: Out) -> None:
    from bench.peers import shares

    shares.run(out)


def _match(out: Out, limit: str) -> None:
    arguments = f"drakkar {PEER_ENGINE} --game {GAME} --games 100 {limit} --concurrency 2"
    matches.play(out, arguments)


def _same_games(out: Out) -> None:
    from bench.peers import same_games

    same_games.run(out, 10_000)


register(
    "peers-same-games",
    "10,000 random games of kuhn, leduc and oh_hell each, step by step here and in OpenSpiel",
    _same_games,
    Bound("games_each", 10_000, 10_000),
    Bound("differing", 0, 0),
)
register(
    "peers-speed",
    "simulations a second and bytes a node beside OpenSpiel's IS-MCTS, one core, in turn",
    _speed,
    Bound("leduc_times_peer", 10),
    Bound("oh_hell_times_peer", 10),
    Bound("leduc_share_of_bytes", None, 0.25),
    Bound("oh_hell_share_of_bytes", None, 0.25),
    Bound("leduc_share_of_bound", 0.5),
)
register(
    "peers-shares",
    "root visit shares of OpenSpiel's IS-MCTS and of the compatible search over 100 seeds",
    _shares,
    Bound("least_p_value", 0.001),
)
register(
    "peers-strength",
    "NashConv, and games against OpenSpiel's IS-MCTS at equal simulations and equal time",
    _strength,
)
register(
    "peers-lofoten-time",
    "drakkar against OpenSpiel's IS-MCTS in Python on our kernel, 20 ms a decision",
    lambda out: _match(out, "--movetime 20"),
    *matches.whole(100),
    Bound("points_share", 0.95),
)
register(
    "peers-lofoten-simulations",
    "drakkar against OpenSpiel's IS-MCTS in Python on our kernel, 200 simulations a decision",
    lambda out: _match(out, "--nodes 200"),
    *matches.whole(100),
    Bound("points_share", 0.5),
)
