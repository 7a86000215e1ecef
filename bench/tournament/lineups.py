"""Line-ups: which contestants sit down together, in an order that is fair at every moment."""

from functools import cache, partial
from itertools import combinations
from math import comb, gcd

LINEUPS_MAX = 100_000
"""So many different line-ups a format has at most; they are kept in memory."""

CYCLE_MAX = 1_000
"""After about so many line-ups `balanced_lineups` begin again."""


def all_lineups(contestants: int, size: int) -> list[tuple[int, ...]]:
    """Return every line-up of some contestants once, ascending within, in an order that is fair.

    Line-ups that are shifts of each other stand together, so each stretch of `contestants`
    line-ups has nearly all contestants equally often.

    >>> all_lineups(4, 2)
    [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2), (1, 3)]
    """
    orbits = [
        _shifts(lineup, contestants)
        for lineup in ((0, *rest) for rest in combinations(range(1, contestants), size - 1))
        if lineup == min(_shifts_with_first(lineup, contestants))
    ]
    # Neighbours in this list are alike; strides of the golden section mix them.
    stride = max(1, round(0.618 * len(orbits)))
    while gcd(stride, len(orbits)) > 1:
        stride += 1
    order = [orbits[index * stride % len(orbits)] for index in range(len(orbits))]
    return [lineup for orbit in order for lineup in orbit]


def count_lineups(contestants: int, size: int) -> int:
    """Return how many line-ups `all_lineups` has."""
    return comb(contestants, size)


@cache
def balanced_lineups(contestants: int, size: int, count: int) -> tuple[tuple[int, ...], ...]:
    """Return line-ups for a number of tables, such that all sit and all meet about equally often.

    For tables of three or more. After any number of tables nobody has sat at more than one table
    more than another. The list has at most about CYCLE_MAX line-ups, in whole rounds, and is then
    to be begun again.

    >>> balanced_lineups(6, 3, 4)
    ((0, 1, 2), (3, 4, 5), (0, 1, 3), (2, 4, 5))
    """
    a_round = tables_per_round(contestants, size)
    count = min(count, max(1, CYCLE_MAX // a_round) * a_round)
    sat = [0] * contestants
    met = [[0] * contestants for _ in range(contestants)]
    lineups = []
    for _ in range(count):
        first = [c for c in range(contestants) if sat[c] == min(sat)]
        table = min((_table(start, size, sat, met) for start in first), key=partial(_cost, met))
        for new in table:
            sat[new] += 1
            for old in table:
                met[new][old] += new != old
        lineups.append(tuple(sorted(table)))
    return tuple(lineups)


def _table(first: int, size: int, sat: list[int], met: list[list[int]]) -> list[int]:
    """Return a table with a contestant, and with others that have sat least and met least."""
    table = [first]
    while len(table) < size:
        free = (new for new in range(len(sat)) if new not in table)
        table.append(
            min(free, key=lambda new: (sat[new], sum(met[new][old] ** 2 for old in table), new))
        )
    return table


def _cost(met: list[list[int]], table: list[int]) -> tuple[int, list[int]]:
    """Return how often those at a table have met, often counting more; and the lowest numbers."""
    return sum(met[one][other] ** 2 for one, other in combinations(table, 2)), sorted(table)


def tables_per_round(contestants: int, size: int) -> int:
    """Return the smallest number of tables at which all contestants sit equally often."""
    return contestants // gcd(contestants, size)


def _shifts(lineup: tuple[int, ...], contestants: int) -> list[tuple[int, ...]]:
    """Return all different line-ups that come of adding the same number to each place."""
    shifts = (
        tuple(sorted((place + step) % contestants for place in lineup))
        for step in range(contestants)
    )
    return list(dict.fromkeys(shifts))


def _shifts_with_first(lineup: tuple[int, ...], contestants: int) -> list[tuple[int, ...]]:
    """Return the shifts of a line-up that hold contestant 0."""
    return [tuple(sorted((other - place) % contestants for other in lineup)) for place in lineup]


__all__ = [
    "CYCLE_MAX",
    "LINEUPS_MAX",
    "all_lineups",
    "balanced_lineups",
    "count_lineups",
    "tables_per_round",
]
