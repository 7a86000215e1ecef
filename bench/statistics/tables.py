"""Ratings from rankings at tables of three and more seats, with ties, over blocks.

The model is that of Plackett and Luce: the first place goes to i with probability w_i over the sum
of w at the table, the second in the same way among the others, and so on. Of two alone, i comes
first with probability w_i / (w_i + w_j), so 400 log10 w is a logistic Elo. A tie counts as all
orders that fit it, each with an equal share. Fitted by the iteration of D. Hunter, "MM algorithms
for generalized Bradley-Terry models".
"""

import math
from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from bench.statistics.bradley_terry import Bools, Floats, closure
from bench.statistics.elo import ELO_PER_NAT
from bench.statistics.pairs import Placing
from bench.statistics.parts import Parts
from bench.statistics.ratings import AT_LEAST, AT_MOST, BETWEEN, NO_RATING, RATED
from bench.statistics.resample import generator

# Weight of drawn games, in blocks, between two who met, where strengths would be infinite.
_DRAWN = 0.5
_ROUNDS = 5000
_CLOSE = 1e-9
_CHUNK = 4_000_000


class TableRating(NamedTuple):
    """The rating of one contestant, in logistic Elo."""

    name: str
    status: str
    """"rated"; "at least", "at most" or "between" where the most likely value is infinite and
    `elo` only a guess; "no rating" without a game."""
    elo: float | None
    low: float | None
    """Lower end of the 95 % interval by resampled blocks; None where nothing bounds it."""
    high: float | None
    group: int | None
    """Ratings of different groups can't be compared."""
    blocks: int
    first: float
    """Share of the games that it came first in; shared first places are shared."""


def stages(game: Sequence[Placing]) -> dict[tuple[tuple[int, ...], int], float]:
    """Return how often who was chosen from which set of contestants, in one game.

    Keys are (set in ascending order, chosen). The last place is no choice. Ties give fractions: the
    mean of all orders that fit.
    """
    by_place: dict[int, list[int]] = {}
    for contestant, place in game:
        by_place.setdefault(place, []).append(contestant)
    found: dict[tuple[tuple[int, ...], int], float] = {}
    left = sorted(contestant for contestant, _ in game)
    for place in sorted(by_place):
        tied = by_place[place]
        weight = 1.0 / math.factorial(len(tied))
        for order in permutations(tied):
            rest = list(left)
            for chosen in order:
                if len(set(rest)) > 1:
                    key = (tuple(rest), chosen)
                    found[key] = found.get(key, 0.0) + weight
                rest.remove(chosen)
        for contestant in tied:
            left.remove(contestant)
    return found


def rate_tables(
    names: Sequence[str],
    blocks: Iterable[Sequence[Sequence[Placing]]],
    anchor: tuple[str, float] | None = None,
    replicates: int = 1000,
    seed: int = 1,
) -> list[TableRating]:
    """Return the most likely ratings of contestants from the games of complete blocks.

    Each block is a sequence of games, each game the (contestant, place) of its seats, 1 being the
    best place. If somebody can't be compared, having won or lost everything, a fraction of a drawn
    block is added between all who met. Intervals are over `replicates` resamples of the blocks.
    The zero is as in `bench.statistics.ratings.rate`: `anchor` is a contestant and its rating.
    Raises ValueError for an unknown anchor.
    """
    data = _Choices(len(names), blocks)
    found, above = _strengths(data, np.ones((1, data.total)))
    parts = Parts(names, data.met, above[0] & above[0].T, anchor)
    strengths = parts.anchored(found)[0]
    low, high = parts.interval(np.full((1, len(names)), np.nan))
    if replicates and data.total:
        low, high = parts.interval(np.concatenate(list(_resampled(data, parts, replicates, seed))))
    return [
        _rating(i, name, data, parts, above[0], (strengths, low, high))
        for i, name in enumerate(names)
    ]


class _Choices:
    """The choices in all blocks: which sets occurred how often, and who was chosen how often."""

    def __init__(self, size: int, blocks: Iterable[Sequence[Sequence[Placing]]]) -> None:
        sets: dict[tuple[int, ...], int] = {}
        rows: list[dict[int, float]] = []
        wins: list[Floats] = []
        self.size = size
        beaten_by_block: list[Floats] = []
        self.blocks_of = np.zeros(size, dtype=np.int64)
        firsts, games_of = np.zeros(size), np.zeros(size)
        for block in blocks:
            row: dict[int, float] = {}
            won, beaten = np.zeros(size), np.zeros((size, size))
            sat = set()
            for game in block:
                best = min(place for _, place in game)
                winners = [contestant for contestant, place in game if place == best]
                for contestant, place in game:
                    sat.add(contestant)
                    games_of[contestant] += 1
                    firsts[contestant] += (place == best) / len(winners)
                for (members, chosen), weight in stages(game).items():
                    index = sets.setdefault(members, len(sets))
                    row[index] = row.get(index, 0.0) + weight
                    won[chosen] += weight
                    beaten[chosen, list(members)] += weight
            self.blocks_of[list(sat)] += 1
            rows.append(row)
            wins.append(won)
            beaten_by_block.append(beaten)
        self.total = len(rows)
        self.members = np.zeros((len(sets), size))
        for members, index in sets.items():
            np.add.at(self.members[index], list(members), 1.0)
        self.counts = np.zeros((self.total, len(sets)))
        for number, row in enumerate(rows):
            for index, weight in row.items():
                self.counts[number, index] = weight
        self.wins = np.array(wins).reshape(self.total, size)
        # Weight with which i was chosen before j, one row of all (i, j) a block.
        self.beaten = np.array(beaten_by_block).reshape(self.total, size * size)
        met = self.beaten.sum(axis=0).reshape(size, size)
        self.met: Bools = ((met + met.T) > 0.0) & ~np.eye(size, dtype=np.bool_)
        self.first = np.divide(firsts, games_of, out=np.zeros(size), where=games_of > 0.0)


def _strengths(data: _Choices, weights: Floats) -> tuple[Floats, Bools]:
    """Return strengths (R, n) for weights of blocks (R, total), and who is above whom (R, n, n)."""
    size = data.size
    identity = np.eye(size, dtype=np.bool_)
    beaten = (weights @ data.beaten).reshape(-1, size, size)
    above = closure((beaten > 0.0) | identity)
    met = closure(data.met | identity)
    whole: Bools = np.asarray((above | ~met).all(axis=(-2, -1)))
    one, other = np.nonzero(np.triu(data.met))
    members = np.concatenate([data.members, np.zeros((len(one), size))])
    extra = np.arange(len(one)) + len(data.members)
    members[extra, one] = members[extra, other] = 1.0
    drawn = _DRAWN / max(1, size - 1)
    counts = np.concatenate(
        [weights @ data.counts, np.where(whole[:, None], 0.0, np.full((1, len(one)), drawn))],
        axis=1,
    )
    wins = weights @ data.wins + np.where(
        whole[:, None], 0.0, 0.5 * drawn * data.met.sum(axis=1)[None, :]
    )
    return _fit(wins, counts, members), above


def _fit(wins: Floats, counts: Floats, members: Floats) -> Floats:
    """Return the logarithms of the most likely worths, with mean 0 over those who played."""
    played = members.any(axis=0)
    worths = np.ones_like(wins)
    for _ in range(_ROUNDS):
        sums = worths @ members.T
        expected = (counts / np.where(sums > 0.0, sums, 1.0)) @ members
        new = np.divide(wins, expected, out=np.ones_like(wins), where=(expected > 0.0) & (wins > 0))
        logs = np.where(played, np.log(new), 0.0)
        logs -= (logs.sum(axis=1) / max(1, int(played.sum())))[:, None]
        logs = np.where(played, logs, 0.0)
        new = np.exp(logs)
        change = float(np.abs(new / worths - 1.0).max(initial=0.0))
        worths = new
        if change < _CLOSE:
            break
    result: Floats = np.log(worths)
    return result


def _resampled(data: _Choices, parts: Parts, replicates: int, seed: int) -> Iterable[Floats]:
    """Yield strengths of resampled blocks, some replicates at a time."""
    numbers = generator(seed, 1)
    shares = np.full(data.total, 1.0 / data.total)
    chunk = max(1, _CHUNK // max(data.total, len(data.members), 1))
    for start in range(0, replicates, chunk):
        counts = numbers.multinomial(data.total, shares, size=min(chunk, replicates - start))
        yield parts.anchored(_strengths(data, counts.astype(np.float64))[0])


def _rating(
    i: int,
    name: str,
    data: _Choices,
    parts: Parts,
    above: Bools,
    found: tuple[Floats, Floats, Floats],
) -> TableRating:
    """Return the rating of one contestant from all strengths and ends of intervals."""
    blocks, first = int(data.blocks_of[i]), float(data.first[i])
    if parts.group_of[i] is None:
        return TableRating(name, NO_RATING, None, None, None, None, blocks, first)
    values = [float(values[i]) * ELO_PER_NAT + 0.0 for values in found]
    elo, low, high = (value if math.isfinite(value) else None for value in values)
    status = RATED
    if not parts.finite[i]:
        lost = bool((above[:, i] & ~above[i]).any())
        won = bool((above[i] & ~above[:, i]).any())
        status = BETWEEN if lost and won else AT_MOST if lost else AT_LEAST
        low, high = (low if won else None), (high if lost else None)
    return TableRating(name, status, elo, low, high, parts.group_of[i], blocks, first)
