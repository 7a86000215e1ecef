"""The gauntlet: some against all others, who do not meet without them."""

from bench.tournament.formats import BLOCKS, BadFormat, Terms
from bench.tournament.lineups import LINEUPS_MAX, all_lineups, count_lineups
from bench.tournament.periodic import Periodic


class Format(Periodic):
    """The first engine, or the first few, against all others.

    One challenger sits at each table. At tables of more than two seats each plays with every
    choice of the others. Block k of every line-up has the same deal, and the line-ups take turns.
    """

    uses = ("blocks", "challengers")

    def __init__(self, terms: Terms) -> None:
        contestants, blocks = len(terms.labels), BLOCKS if terms.blocks is None else terms.blocks
        challengers = 1 if terms.challengers is None else terms.challengers
        others = contestants - challengers
        if challengers < 1 or others < terms.seats - 1:
            raise BadFormat(
                f"{challengers} challengers of {contestants} engines leave {others} others: "
                f"a gauntlet has at least 1 challenger and {terms.seats - 1} others"
            )
        count = challengers * count_lineups(others, terms.seats - 1)
        if count > LINEUPS_MAX:
            raise BadFormat(f"{count:,} line-ups; at most {LINEUPS_MAX:,} can be played")
        lineups = [
            (challenger, *(challengers + other for other in lineup))
            for lineup in all_lineups(others, terms.seats - 1)
            for challenger in range(challengers)
        ]
        super().__init__(
            "gauntlet", lineups, count * blocks, count, blocks=blocks, challengers=challengers
        )
