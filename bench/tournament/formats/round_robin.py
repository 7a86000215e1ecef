"""The round robin: everybody meets everybody, at tables of any size."""

from bench.tournament.formats import BLOCKS, BadFormat, Terms
from bench.tournament.lineups import LINEUPS_MAX, all_lineups, count_lineups
from bench.tournament.periodic import Periodic


class Format(Periodic):
    """Every line-up of engines plays as many blocks; all line-ups take turns.

    Block k of every line-up has the same deal, and all play it before any plays the next one, so
    the standings are fair after any part of the run.
    """

    def __init__(self, terms: Terms) -> None:
        contestants, blocks = len(terms.labels), BLOCKS if terms.blocks is None else terms.blocks
        count = count_lineups(contestants, terms.seats)
        if count > LINEUPS_MAX:
            raise BadFormat(
                f"{contestants} engines have {count:,} line-ups of {terms.seats}, "
                f"at most {LINEUPS_MAX:,} can be played; the format tables takes a part of them"
            )
        lineups = all_lineups(contestants, terms.seats)
        super().__init__("round_robin", lineups, count * blocks, count, blocks=blocks)
