"""Tables of three or four: as many rounds as wanted, in balanced line-ups."""

from bench.tournament.formats import BadFormat, Terms
from bench.tournament.lineups import balanced_lineups, tables_per_round
from bench.tournament.periodic import Periodic

ROUNDS = 10
"""Rounds where nothing else is said."""


class Format(Periodic):
    """Rounds in which each engine sits equally often, and all meet about equally often.

    A round is the fewest tables that seat everybody equally often; each plays one block, all with
    the same deal. Unlike a round robin it need not have every line-up, so it can be short.
    """

    uses = ("rounds",)

    def __init__(self, terms: Terms) -> None:
        contestants, rounds = len(terms.labels), ROUNDS if terms.rounds is None else terms.rounds
        if terms.seats < 3:
            raise BadFormat("tables have three seats or more; use round_robin for two")
        tables = tables_per_round(contestants, terms.seats)
        lineups = balanced_lineups(contestants, terms.seats, tables * rounds)
        super().__init__("tables", lineups, tables * rounds, tables, rounds=rounds)
