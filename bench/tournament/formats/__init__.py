"""The formats of a tournament: which blocks it has, and in what order.

One format a module, found by scanning this folder. A module holds a class `Format`, a `Schedule` of
bench/plan.py whose docstring begins with a line for the user; it is made with `Terms`
and raises BadFormat where they make no sense. `Format.uses` names the numbers among the terms that
mean something to it.
"""

import pkgutil
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bench.plan import Schedule

BLOCKS = 10
"""Blocks of a pairing where nothing else is said."""


class BadFormat(ValueError):
    """A format that cannot be played so; the text says why."""


class Terms:
    """What a format is made from.

    Attributes:
        seats: of the game.
        labels: names of the contestants, in the order of the run; the order is the seeding.
        blocks: how many blocks each pairing or line-up has (in each round), or None for BLOCKS.
        rounds: how many rounds there are, or None for a number that suits the format.
        challengers: how many contestants, from the first, play against all others; or None.
    """

    __slots__ = ("blocks", "challengers", "labels", "rounds", "seats")

    def __init__(
        self,
        seats: int,
        labels: list[str],
        blocks: int | None = None,
        rounds: int | None = None,
        challengers: int | None = None,
    ) -> None:
        self.seats, self.labels = seats, labels
        self.blocks, self.rounds, self.challengers = blocks, rounds, challengers


@cache
def available() -> list[str]:
    """Return the names of all formats, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def find(name: str) -> Any:
    """Return the class of a format. Raises BadFormat for an unknown name."""
    if name not in available():
        near = get_close_matches(name, available(), 1, 0.0)[0]
        raise BadFormat(f"no format {name!r}; do you mean {near}?")
    return import_module(f"{__name__}.{name}").Format


def make(name: str, terms: Terms) -> "Schedule":
    """Return a new schedule of a format. Raises BadFormat if it cannot be played so."""
    made = find(name)
    for value, wanted in ((terms.blocks, "blocks"), (terms.rounds, "rounds")):
        if value is not None and value < 1:
            raise BadFormat(f"{wanted} are at least 1, not {value}")
    for other in ("blocks", "rounds", "challengers"):
        if getattr(terms, other) is not None and other not in made.uses:
            raise BadFormat(f"the format {name} has no {other}")
    if len(terms.labels) < terms.seats:
        raise BadFormat(
            f"{terms.seats} seats need at least {terms.seats} engines, not {len(terms.labels)}"
        )
    schedule: Schedule = made(terms)
    return schedule


__all__ = ["BLOCKS", "BadFormat", "Terms", "available", "find", "make"]
