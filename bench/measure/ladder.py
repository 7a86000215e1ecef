"""Measure the rungs of the ladder in a round robin, and write the scale that is shipped.

    python -m bench.measure.ladder [GAME] [--blocks N] [--journal FILE]

The journal is gone on with if it is there already, so a long measurement may be broken off.
"""

import argparse
import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from bench.contestant import engine_argv
from bench.games import parse_game
from bench.ladder.scale import scale_path
from bench.registry import Out
from bench.statistics.elo import score_from_elo


def ladder(out: Out, game: str = "lofoten", blocks: int = 30, journal: str = "") -> None:
    """Play the round robin of the rungs, write the scale of the game, and tell of it in `out`.

    `least_step` and `greatest_step` are the scores that the ratings of neighbouring rungs let
    expect, 0..1: near 0.5 a rung tells nothing new, near 1 there is a gap.
    """
    path = scale_path(parse_game(game).name)
    command = [*engine_argv(), "ladder", "--measure", "--game", game, "--blocks", str(blocks)]
    command += ["--output", str(path), "--json"]
    if journal:
        command += ["--journal", journal, *(["--resume"] if Path(journal).exists() else [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with code {done.returncode}")
    found = json.loads(done.stdout)
    scale = found["scale"]
    steps = [
        score_from_elo(above["rating"] - below["rating"])
        for below, above in pairwise(scale["rungs"])
    ]
    out.update(scale, rung_count=len(scale["rungs"]))
    out.update(least_step=min(steps), greatest_step=max(steps), blocks_a_pair=blocks)
    out["terminations"] = found["pool"]["terminations"]
    out["cross"] = found["pool"]["cross"]


def main(arguments: list[str]) -> int:
    """Measure as the arguments say, and print what was found."""
    parser = argparse.ArgumentParser(description="Measure the rungs of the ladder.")
    parser.add_argument("game", nargs="?", default="lofoten")
    parser.add_argument("--blocks", type=int, default=30)
    parser.add_argument("--journal", default="")
    given = parser.parse_args(arguments)
    out: Out = {}
    ladder(out, given.game, given.blocks, given.journal)
    print(json.dumps(out, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
