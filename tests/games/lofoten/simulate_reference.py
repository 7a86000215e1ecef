"""Play the reference rules of Lofoten at random and print what the games look like.

Run as a script: `python tests/games/lofoten/simulate_reference.py --games 2000 --seed 1
stall=60`. Every legal word is equally likely; chance follows the physical weights. Each game
has its own generator, so a game depends on the seed and its number only.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import Counter
from multiprocessing import Pool

from reference import CHANCE, Reference

INTERESTING = ("redraw", "extra", "redeal", "orders again")


KINDS = {
    "left:": "card to play",
    "pay:": "bought step",
    "move:": "step",
    "turn:": "step",
    "discard:": "mead",
    "store:": "store",
    "put:": "put",
    "pile:": "pile",
    "place:": "place",
    "end": "end",
    "keep": "final unloading",
    "stop": "coffer",
}
"""The sort of a decision, by the start of the first of these that it offers."""


def kind_of(words: list[str]) -> str:
    """Return the sort of a decision."""
    return next(
        name for start, name in KINDS.items() if any(word.startswith(start) for word in words)
    )


def check(game: Reference) -> None:
    """Assert that no coin, card or tile has been lost or made, and no docked ship is loaded."""
    facts = game.facts()
    assert sum(facts["coins"]) == 8
    ships = [ship for wheel in facts["ships"] for ship in wheel]
    cards = sum(sum(facts[name].values()) for name in ("deck", "discards", "set_aside"))
    cards += sum(map(len, facts["hands"])) + (facts["drawn"] is not None)
    assert cards + sum(card is not None for card, _ in ships) == 36
    tiles = sum(facts["piles"]) + sum(tile is not None for tile in facts["market"])
    tiles += (facts["flipped"] is not None) + len(facts["tiles_out"])
    tiles += sum(len(mine) + len(theirs) for _, _, mine, theirs in facts["warehouses"])
    assert tiles + sum(tile is not None for _, tile in ships) == 32
    assert sum(facts["unseen"].values()) == sum(facts["piles"])


def play(job: tuple[int, int, dict[str, str]]) -> Counter[str]:
    """Return the counts of one random game; a job is seed, game number and settings."""
    seed, number, settings = job
    rng = random.Random(f"{seed}/{number}")
    game = Reference(settings)
    count: Counter[str] = Counter()
    while (who := game.to_move()) is not None:
        options = game.legal()
        if who == CHANCE:
            tokens, weights = zip(*options, strict=True)
            game.apply(rng.choices(tokens, weights)[0])
            continue
        kind = kind_of(options)
        count["decisions"] += 1
        count["legal"] += len(options)
        count["choices"] += len(options) > 1
        count[f"decisions: {kind}"] += 1
        count[f"forced: {kind}"] += len(options) == 1
        game.apply(rng.choice(options))
        if count["decisions"] % 50 == 0:
            check(game)
    check(game)
    first, second = game.scores()
    count["margin"] = first - second
    count["points doubled"] = int(2 * game.result())
    count["turns"] = game.turns
    count["plies"] = len(game.history)
    count.update({name: game.happened[name] for name in ("reshuffle", "four", "stall")})
    count.update({name: game.happened[name] for name in INTERESTING})
    return count


def report(games: list[Counter[str]]) -> str:
    """Return the table of means over some games."""

    def mean(name: str) -> float:
        return statistics.fmean(game[name] for game in games)

    points = [game["points doubled"] / 2 for game in games]
    margins = [game["margin"] for game in games]
    error = 196 * statistics.stdev(points) / len(games) ** 0.5
    spread = statistics.stdev(game["decisions"] for game in games) / len(games) ** 0.5
    lines = [
        f"games                      {len(games)}",
        f"decisions per game         {mean('decisions'):.1f} +- {1.96 * spread:.1f}",
        f"mean legal moves           {mean('legal') / mean('decisions'):.3f}",
        f"decisions with 2 or more   {mean('choices'):.1f}"
        f" ({100 * mean('choices') / mean('decisions'):.1f} %)",
        f"plies, chance included     {mean('plies'):.1f}",
        f"longest game, plies        {max(game['plies'] for game in games)}",
        f"turns                      {mean('turns'):.1f}",
        f"reshuffles                 {mean('reshuffle'):.2f}",
        f"four of a kind             {mean('four'):.3f}",
        f"first seat, points         {100 * statistics.fmean(points):.1f} +- {error:.1f} %",
        f"draws                      {100 * points.count(0.5) / len(games):.1f} %",
        f"margin, mean and sd        {statistics.fmean(margins):+.2f}, "
        f"{statistics.stdev(margins):.2f}",
        f"ended by the stall rule    {100 * mean('stall'):.1f} %",
        *(f"{name:<26} {mean(name):.3f}" for name in INTERESTING),
        "by sort of decision: all, forced",
    ]
    for kind in dict.fromkeys(KINDS.values()):
        lines.append(
            f"  {kind:<24} {mean(f'decisions: {kind}'):8.2f} {mean(f'forced: {kind}'):8.2f}"
        )
    return "\n".join(lines)


def main() -> None:
    """Read the command line, play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("settings", nargs="*", help="NAME=VALUE")
    args = parser.parse_args()
    settings = dict(text.split("=", 1) for text in args.settings)
    jobs = [(args.seed, number, settings) for number in range(args.games)]
    with Pool(args.jobs) as pool:
        print(report(pool.map(play, jobs, chunksize=20)))


if __name__ == "__main__":
    main()
