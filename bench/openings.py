"""Openings: what successive pairs of a match start from.

A file of one opening a line; blank lines and lines that begin with `#` are skipped. A line is
either a whole number, the seed of a deal for an ordinary game, or a position text of a full state
(nothing unknown). Pair k uses opening k, beginning again at the top after the last one; both games
of a pair use the same one with the seats swapped, and the same deal of what is left. That deal has
the seed of the pair, so a position that comes round again is played on with other luck; a deal that
comes round again is the same deal, and only other search seeds tell its games apart.
"""

from pathlib import Path

from bench.reading import BadText, read_text
from bench.seeds import SEED_BITS
from engine import EngineError
from engine.game import Game, State


class BadOpening(ValueError):
    """An opening that cannot be used; the text names file and line."""


class Opening:
    """Either `deal`, the seed of a deal, or `state`, a full state."""

    __slots__ = ("deal", "state", "text")

    def __init__(self, text: str, deal: int | None, state: State | None) -> None:
        self.text, self.deal, self.state = text, deal, state


def read_openings(path: Path, game: Game) -> list[Opening]:
    """Return the openings of a file, all for the given game; BadOpening at the first fault."""
    try:
        lines = read_text(path).splitlines()
    except BadText as error:
        raise BadOpening(f"{path}: {error}") from None
    openings = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            openings.append(parse_opening(text, game))
        except (EngineError, BadOpening) as error:
            raise BadOpening(f"{path}, line {number}: {error}") from None
    if not openings:
        raise BadOpening(f"{path}: no opening in it")
    return openings


def parse_opening(text: str, game: Game) -> Opening:
    """Return the opening of one line."""
    if text.isascii() and text.isdigit():
        if len(text) > 20 or int(text) >= 2**SEED_BITS:
            raise BadOpening(f"the seed of a deal is below 2**{SEED_BITS}")
        return Opening(text, int(text), None)
    state = game.from_text(text)
    if state.observer >= 0:
        raise BadOpening("this is one seat's view; an opening shows everything")
    if state.game.identity != game.identity:
        raise BadOpening(f"this is {state.game.identity}, the match plays {game.identity}")
    if state.is_terminal:
        raise BadOpening("the game is over here")
    game.new_deal(0, state)  # refuses a position whose rest cannot be dealt
    return Opening(text, None, state)
