"""The match: one line-up, block after block."""

from bench.tournament.formats import BLOCKS, BadFormat, Terms
from bench.tournament.periodic import Periodic


class Format(Periodic):
    """As many engines as seats, all blocks between them."""

    def __init__(self, terms: Terms) -> None:
        if len(terms.labels) != terms.seats:
            raise BadFormat(
                f"a match has as many engines as the game has seats: {terms.seats}, "
                f"not {len(terms.labels)}"
            )
        blocks = BLOCKS if terms.blocks is None else terms.blocks
        super().__init__("match", [tuple(range(terms.seats))], blocks, 1, blocks=blocks)
