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


def play(job: tuple[int, int, dict[str, str]]) -> Counter[str]:
    """Return the counts of one random game; a job is seed, game number and settings."""
    seed, number, settings = job
    rng = random.Random(f"{seed}/{number}")
    game = Reference(settings)
    count: Counter[str] = Counter()
    while (who := game.to_move()) is not None:
        count["plies"] += 1
        options = game.legal()
        if who == CHANCE:
            tokens, weights = zip(*options, strict=True)
            game.apply(rng.choices(tokens, weights)[0])
            continue
        count["decisions"] += 1
        count["legal"] += len(options)
        count["choices"] += len(options) > 1
        count[f"decisions: {game.phase}"] += 1
        count[f"forced: {game.phase}"] += len(options) == 1
        game.apply(rng.choice(options))
        if count["decisions"] % 50 == 0:
            assert not game.faults(), game.to_text()
    assert not game.faults(), game.to_text()
    first, second = game.scores()
    count["margin"] = first - second
    count["points doubled"] = int(2 * game.result())
    count["turns"] = game.turns
    count["reshuffle"], count["four"], count["redeal"] = game.shuffles, game.fours, game.redeals
    count.update({name: game.happened[name] for name in ("stall", "redraw", "extra")})
    count["orders again"] = game.happened["orders again"]
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
        "by phase: decisions, forced ones",
    ]
    phases = sorted({name for game in games for name in game if name.startswith("decisions: ")})
    for name in phases:
        phase = name.removeprefix("decisions: ")
        lines.append(f"  {phase:<24} {mean(name):8.2f} {mean(f'forced: {phase}'):8.2f}")
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
