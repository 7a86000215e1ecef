"""Bench positions: views from seeded random games, spread over the length of a game.

`bench/positions/<game>.txt` holds one position text a line. `python -m bench.positions` writes the
files of all games anew, `python -m bench.positions NAME` that of one game. A game with modules has
positions of each of its variants too. A change of these files changes the signatures.
"""

import argparse
import sys
from pathlib import Path

from bench.seeds import PURPOSE_POSITIONS
from engine import RandomStream, available, game_variants, load
from engine.game import Game, State

FOLDER = Path(__file__).parent / "positions"
COUNT = 12
# Games tried for COUNT different positions; a small game may not have as many.
_TRIES = 200


def games() -> list[str]:
    """Return the games that have a file of positions, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def read(game: Game) -> list[State]:
    """Return the positions of a game."""
    lines = (FOLDER / f"{game.name}.txt").read_text(encoding="utf-8").splitlines()
    return [game.from_text(line) for line in lines if line and not line.startswith("#")]


def random_game(game: Game, seed: int) -> list[State]:
    """Return the states of a random game at which a seat has a choice, in order."""
    stream = RandomStream(seed, PURPOSE_POSITIONS)
    state = game.new_state()
    choices = []
    while not state.is_terminal:
        if state.is_chance:
            state.apply(state.sample_chance(stream))
            continue
        moves = state.legal_moves()
        if len(moves) > 1:
            choices.append(state.copy())
        state.apply(moves[stream.below(len(moves))])
    return choices


def make_all(name: str) -> list[str]:
    """Return the position texts of a game and of each of its variants."""
    games = [load(name, **settings) for settings in ({}, *game_variants(name))]
    return [text for game in games for text in make(game)]


def make(game: Game) -> list[str]:
    """Return up to COUNT different position texts, each the view of the seat to move."""
    texts: list[str] = []
    for seed in range(_TRIES):
        choices = random_game(game, seed)
        if not choices:
            continue
        # Evenly over the game; after a repeated position, elsewhere in the next game.
        repeats = seed - len(texts)
        at = (2 * len(texts) + 1) * len(choices) // (2 * COUNT) + repeats
        state = choices[at % len(choices)]
        text = state.view(state.seat_to_move).to_text()
        if text not in texts:
            texts.append(text)
        if len(texts) == COUNT:
            break
    return texts


def main(arguments: list[str]) -> None:
    """Write the files of the named games, of all without names."""
    parser = argparse.ArgumentParser(prog="python -m bench.positions", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="GAME", help="default: all")
    names = parser.parse_args(arguments).names
    unknown = [name for name in names if name not in available()]
    if unknown:
        parser.error(f"no game {', '.join(unknown)}; there are: {', '.join(available())}")
    FOLDER.mkdir(exist_ok=True)
    for name in names or available():
        texts = make_all(name)
        (FOLDER / f"{name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
        print(f"{name}: {len(texts)} positions")


if __name__ == "__main__":
    main(sys.argv[1:])
