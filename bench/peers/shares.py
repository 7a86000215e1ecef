"""Do both programs choose alike? Shares of the visits of the root moves over many seeds.

Both search each position with as many seeds. For each move the two means of its share are compared
by Welch's statistic z; the last move of a position follows from the others and is left out. If both
run the same algorithm, z**2 is 1 on average and the largest |z| is that of so many normal numbers,
roughly: moves of one position are correlated, which makes both tests milder, not stricter.

    python -m bench.peers.shares [GAME ...]
"""

import argparse
import sys
from math import sqrt
from typing import Any

from bench.peers.games import Translator, translator
from bench.peers.searches import Compatible, Peer, roots
from bench.registry import Out
from bench.statistics.basics import deviation, mean, normal_cdf
from engine.stream import RandomStream

GAMES = {
    "kuhn": 1.4,
    "leduc": 5.0,
    "oh_hell tricks=17": 1.4,
    "oh_hell cards-per-suit=4 tricks=5": 1.4,
}
"""Games with the exploration that suits their stakes.

Of Oh Hell those in which every card is dealt: where some are not, OpenSpiel 2.0.2 draws worlds in
which these are the true ones, though no seat knows them; `same_undealt` tells how often.
"""
PEEKED = "oh_hell"


def welch(ours: list[float], theirs: list[float]) -> float | None:
    """Return the difference of two means in its standard errors; None where nothing varies."""
    first, second = deviation(ours) or 0.0, deviation(theirs) or 0.0
    error = sqrt(first**2 / len(ours) + second**2 / len(theirs))
    difference = (mean(ours) or 0.0) - (mean(theirs) or 0.0)
    if error > 0:
        return difference / error
    return None if difference == 0 else float("inf")


def compare(
    out: Out, identity: str, positions: int, seeds: int, simulations: int, exploration: float
) -> None:
    """Search so many positions of a game with so many seeds and write what differs into `out`.

    Writes `tests`, `mean_square_z`, `worst_z`, and `p_value`: how likely equal programs are to
    differ at least as much in the worst of all tests.
    """
    game = translator(identity)
    found: list[float] = []
    spreads: list[float] = []
    for number, state in enumerate(roots(game, positions, seed=2)):
        ours: list[dict[int, float]] = []
        theirs: list[dict[int, float]] = []
        for seed in range(1, seeds + 1):
            name = seed + 1000 * number
            own = Compatible(state, simulations, exploration, name)
            own.run()
            ours.append(own.shares())
            peer = Peer(game, state, simulations, exploration, name)
            peer.run()
            theirs.append(peer.shares())
        for move in state.legal_moves()[:-1]:
            columns = [row[move] for row in ours], [row[move] for row in theirs]
            z = welch(*columns)
            spreads.append(deviation(columns[1]) or 0.0)
            if z is not None:
                found.append(z)
    worst = max(map(abs, found), default=0.0)
    out.update(
        positions=positions,
        seeds=seeds,
        simulations=simulations,
        exploration=exploration,
        tests=len(found),
        mean_square_z=sum(z * z for z in found) / max(len(found), 1),
        worst_z=worst,
        p_value=1 - (1 - 2 * normal_cdf(-worst)) ** max(len(found), 1),
        deviation_of_a_share=mean(spreads),
    )


def same_undealt(identity: str, positions: int = 24, worlds: int = 100) -> dict[str, float]:
    """Return the share of worlds in which the undealt cards are the true ones: `peer`, `ours`.

    Both draw them for the seat to move at the positions that are compared.
    """
    game = translator(identity)
    stream = RandomStream(1)
    same = {"peer": 0, "ours": 0}
    for state in roots(game, positions, seed=2):
        seat = state.seat_to_move
        twin, view = game.peer_state(state), state.view(seat)
        dealt = _dealt(game, twin)
        for _ in range(worlds):
            drawn = twin.resample_from_infostate(seat, lambda: stream.below(1 << 30) / (1 << 30))
            same["peer"] += _dealt(game, drawn) == dealt
            same["ours"] += _dealt(game, game.peer_state(view.determinize(stream))) == dealt
    return {name: count / (positions * worlds) for name, count in same.items()}


def _dealt(game: Translator, peer: Any) -> frozenset[int]:
    """Return OpenSpiel's numbers of the cards in all hands at the start of a game of Oh Hell."""
    tricks, _, *cards = peer.history()
    return frozenset(cards[: tricks * game.ours.num_seats])


def run(out: Out, positions: int = 24, seeds: int = 100, simulations: int = 2000) -> None:
    """Compare all of GAMES; `out` gets a dictionary for each and the least p-value.

    Of the game that can't be compared it gets `same_undealt`.
    """
    for identity, exploration in GAMES.items():
        out[identity] = {}
        compare(out[identity], identity, positions, seeds, simulations, exploration)
    out["same_undealt"] = same_undealt(PEEKED)
    out["least_p_value"] = min(out[identity]["p_value"] for identity in GAMES)


def main(arguments: list[str]) -> int:
    """Print the comparison of the named games."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers.shares", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="name and settings, in quotes")
    for identity in parser.parse_args(arguments).games or list(GAMES):
        out: Out = {}
        compare(out, identity, 24, 100, 2000, GAMES.get(identity, 1.4))
        print(f"{identity}:", *(f"{name}={value:.4g}" for name, value in out.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
