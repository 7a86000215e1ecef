"""Ratings of a pool of contestants that meet in twos, with intervals over blocks.

Ratings are in logistic Elo. Where they have no finite most likely value (a contestant that lost
everything) they are marked as bounds; the others' are not changed by it. At tables of three and
four seats scores of pairs go together, which `TableSums` tells; `bench.statistics.tables` has
ratings by whole rankings.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from bench.statistics.basics import NORMAL_95, normal_cdf
from bench.statistics.bradley_terry import Bools, Fit, Floats, curvature, expected, fit
from bench.statistics.elo import ELO_PER_NAT, LOGISTIC, UNITS, alike_share
from bench.statistics.pairs import PairTable, TableSums
from bench.statistics.parts import Parts
from bench.statistics.resample import generator

RATED, AT_LEAST, AT_MOST, BETWEEN = "rated", "at least", "at most", "between"
NO_RATING = "no rating"
# A variance, in natural units of strength, that is nothing but rounding.
_ROUNDING = 1e-15
# Numbers in one array of resampled pools.
_CHUNK = 2_000_000


class Rating(NamedTuple):
    """The rating of one contestant, in logistic Elo."""

    name: str
    status: str
    """"rated"; "at least", "at most" or "between" where the most likely value is infinite and `elo`
    only a weak guess within the bounds `low` and `high`; "no rating" without a block."""
    elo: float | None
    low: float | None
    """Lower end of the 95 % interval, by resampled blocks; None where nothing bounds it."""
    high: float | None
    error: float | None
    """Half of the 95 % interval by the sandwich estimate; None where it is unknown."""
    group: int | None
    """Number of the group in `Pool.groups`; ratings of different groups can't be compared."""
    blocks: int
    points: float
    """Sum of the block scores."""


class Pool(NamedTuple):
    """The ratings of a pool, in the order of the contestants in its table."""

    ratings: list[Rating]
    groups: list[list[str]]
    """Contestants that met, directly or through others; more than one group is worth a warning."""
    superiority: list[list[float | None]]
    """Probability that the contestant of the row is stronger than that of the column."""
    unit: str


def rate(
    table: PairTable,
    anchor: tuple[str, float] | None = None,
    replicates: int = 1000,
    seed: int = 1,
    tables: TableSums | None = None,
) -> Pool:
    """Return the most likely ratings of the contestants of a table.

    `anchor` names a contestant and its rating, which has no error then. Without it, and in groups
    that it does not belong to, the mean is 0: that of the contestants with a finite rating, or of
    all if there are fewer than two. Intervals are over `replicates` resamples of all blocks, drawn
    with the seed; with 0 replicates they are those of `error`. A replicate in which a contestant
    did not meet the others does not count for it. With `tables`, of the same blocks, `error` and
    `superiority` allow for pairs of a table going together; resamples do not, so take 0 replicates
    then. Raises ValueError for an unknown anchor.
    """
    size = len(table.names)
    if size == 0:
        return Pool([], [], [], UNITS[LOGISTIC])
    cells = _Cells(table)
    blocks, points = cells.matrices(cells.counts)
    found = fit(blocks, points)
    parts = Parts(table.names, blocks > 0.0, found.same_class, anchor)
    strengths = parts.anchored(found.strengths)
    covariance = _covariance(cells, blocks, found, tables)
    errors = _errors(covariance, parts)
    low, high = strengths - errors, strengths + errors
    if replicates:
        low, high = _resampled(cells, parts, replicates, seed)
    ratings = []
    for i, name in enumerate(table.names):
        total = int(blocks[i].sum())
        if not total:
            ratings.append(Rating(name, NO_RATING, None, None, None, None, None, 0, 0.0))
            continue
        status: str = RATED
        ends: tuple[float | None, float | None] = float(low[i]), float(high[i])
        error: float | None = float(errors[i])
        if not parts.finite[i]:
            status, ends = _bounds(i, strengths, blocks, points, found.same_class)
            error = None
        elo, *bounds = (_elo(value) for value in (float(strengths[i]), *ends))
        if anchor is not None and i == parts.anchor:
            elo, bounds = anchor[1], [anchor[1]] * 2
        rating = Rating(
            name,
            status,
            elo,
            bounds[0],
            bounds[1],
            None if error is None or math.isnan(error) else error * ELO_PER_NAT,
            parts.group_of[i],
            total,
            float(points[i].sum()),
        )
        ratings.append(rating)
    los = _superiority(strengths, covariance, blocks, points, found)
    groups = [[table.names[i] for i in group] for group in parts.groups]
    return Pool(ratings, groups, los, UNITS[LOGISTIC])


def _elo(strength: float | None) -> float | None:
    """Return a strength in Elo; None for what is not a finite number."""
    if strength is None or not math.isfinite(strength):
        return None
    return strength * ELO_PER_NAT + 0.0


class _Cells:
    """The table as arrays of its different (pair, score) and their counts."""

    def __init__(self, table: PairTable) -> None:
        rows = [(i, j, s, n) for i, j, counts in table.items() for s, n in counts.items() if n]
        self.size = len(table.names)
        self.one = np.array([row[0] for row in rows], dtype=np.intp)
        self.other = np.array([row[1] for row in rows], dtype=np.intp)
        self.scores = np.array([float(row[2]) for row in rows])
        self.counts = np.array([row[3] for row in rows], dtype=np.int64)

    def matrices(self, counts: "np.typing.NDArray[np.int64]") -> tuple[Floats, Floats]:
        """Return blocks and points of each two contestants for counts, or rows of counts."""
        shape = (*counts.shape[:-1], self.size, self.size)
        blocks, points = np.zeros(shape), np.zeros(shape)
        # Cells of a pair stand together, so that sums over runs are exact and fast.
        pairs = self.one * self.size + self.other
        starts = np.flatnonzero(np.diff(pairs, prepend=-1))
        if not len(starts):
            return blocks, points
        one, other = self.one[starts], self.other[starts]
        met = np.add.reduceat(counts, starts, axis=-1)
        won = np.add.reduceat(counts * self.scores, starts, axis=-1)
        blocks[..., one, other] = blocks[..., other, one] = met
        points[..., one, other], points[..., other, one] = won, met - won
        return blocks, points


def _covariance(cells: _Cells, blocks: Floats, found: Fit, tables: TableSums | None) -> Floats:
    """Return the sandwich covariance of strengths within classes; nan where it is unknown.

    Its middle is the sum of squared residuals of block scores, with the usual correction for the
    number of strengths fitted.
    """
    size, same = cells.size, found.same_class
    inside = same.astype(np.float64)
    means = expected(found.strengths)
    if tables is None:
        middle = _middle_of_pairs(cells, means, inside)
        seen = ((inside @ (blocks * inside)) * inside).sum(axis=1) / 2.0
    else:
        middle, seen = _middle_of_tables(tables, means, inside)
    bread = np.linalg.inv(curvature(blocks * inside, found.strengths) + inside)
    free = seen - (inside.sum(axis=1) - 1.0)
    factor = np.divide(seen, free, out=np.full(size, np.nan), where=free > 0.0)
    covariance: Floats = bread @ middle @ bread * factor[:, None]
    covariance[~same] = np.nan
    return covariance


def _middle_of_pairs(cells: _Cells, means: Floats, inside: Floats) -> Floats:
    """Return the sums of products of residuals where all pairs are independent."""
    size, one, other = cells.size, cells.one, cells.other
    squares = cells.counts * (cells.scores - means[one, other]) ** 2 * inside[one, other]
    middle = np.zeros((size, size))
    np.add.at(middle, (one, other), -squares)
    middle += middle.T
    middle[np.diag_indices(size)] = -middle.sum(axis=1)
    return middle


def _middle_of_tables(tables: TableSums, means: Floats, inside: Floats) -> tuple[Floats, Floats]:
    """Return the same over whole tables, and at how many blocks two of each class met."""
    size = len(means)
    middle, seen = np.zeros((size, size)), np.zeros(size)
    for pairs, (blocks, total, products) in tables.sums.items():
        one, other = np.array(pairs, dtype=np.intp).T
        mean = means[one, other]
        crossed = np.outer(total, mean)
        square = np.array(products) - crossed - crossed.T + blocks * np.outer(mean, mean)
        numbers = np.arange(len(pairs))
        spread = np.zeros((size, len(pairs)))
        spread[one, numbers] = inside[one, other]
        spread[other, numbers] = -inside[one, other]
        middle += spread @ square @ spread.T
        seen += blocks * (inside @ np.abs(spread).max(axis=1) > 0.0)
    return middle, seen


def _errors(covariance: Floats, parts: Parts) -> Floats:
    """Return half of the 95 % intervals of strengths that are finite, nan for others.

    They are measured from the anchor, or the mean, if it is of the same class, and otherwise from
    the mean of the class.
    """
    size = len(covariance)
    contrast = np.eye(size) - parts.class_origin
    known = np.where(np.isnan(covariance), 0.0, covariance)
    variance = np.einsum("ij,jk,ik->i", contrast, known, contrast)
    errors = NORMAL_95 * np.sqrt(np.maximum(variance, 0.0))
    unknown = ~parts.finite | np.isnan(np.diag(covariance)) | (np.diag(covariance) <= _ROUNDING)
    result: Floats = np.where(unknown, np.nan, errors)
    return result


def _resampled(cells: _Cells, parts: Parts, replicates: int, seed: int) -> tuple[Floats, Floats]:
    """Return the ends of the 95 % intervals by resampling all blocks."""
    numbers = generator(seed)
    total = int(cells.counts.sum())
    if not total:
        return parts.interval(np.full((1, cells.size), np.nan))
    shares = cells.counts / total
    chunk = max(1, _CHUNK // cells.size**2)
    samples = []
    for start in range(0, replicates, chunk):
        counts = numbers.multinomial(total, shares, size=min(chunk, replicates - start))
        found = fit(*cells.matrices(counts))
        strengths = parts.anchored(found.strengths)
        samples.append(np.where(parts.comparable(found.same_group), strengths, np.nan))
    return parts.interval(np.concatenate(samples))


def _bounds(
    i: int, strengths: Floats, blocks: Floats, points: Floats, same_class: Bools
) -> tuple[str, tuple[float | None, float | None]]:
    """Return status and bounds of a contestant whose class won or lost all against others.

    The class is moved, with the strengths of the others as they are, until it would lose (or win)
    all these blocks with a probability of 2.5 %.
    """
    members = np.flatnonzero(same_class[i])
    apart = blocks[members] * ~same_class[members]
    lost = apart * (points[members] == 0.0)
    won = apart - lost
    difference = strengths[members, None] - strengths[None, :]
    low = high = None
    if lost.any():
        share = 1.0 - alike_share(int(lost.sum()))
        high = float(strengths[i]) + _move(lost, difference, share)
    if won.any():
        share = alike_share(int(won.sum()))
        low = float(strengths[i]) + _move(won, difference, share)
    status = BETWEEN if lost.any() and won.any() else AT_MOST if lost.any() else AT_LEAST
    return status, (low, high)


def _move(blocks: Floats, difference: Floats, share: float) -> float:
    """Return by how much to move strengths so that the expected share of the points is `share`."""
    wanted = share * float(blocks.sum())

    def excess(move: float) -> float:
        return float((blocks * 0.5 * (1.0 + np.tanh(0.5 * (difference + move)))).sum()) - wanted

    return _root(excess, -100.0, 100.0)


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Return where a rising function is 0."""
    for _ in range(100):
        middle = 0.5 * (low + high)
        if rising(middle) < 0.0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _superiority(
    strengths: Floats, covariance: Floats, blocks: Floats, points: Floats, found: Fit
) -> list[list[float | None]]:
    """Return for each two the probability that the first is stronger; None where it is unknown.

    Within a class by the normal distribution. Between classes that met, one of which won all n
    blocks, by even chances of each block and a flat prior: 1 - 2^-(n + 1).
    """
    size = len(strengths)
    inside = found.same_class.astype(np.float64)
    apart = 1.0 - inside
    between = inside @ (blocks * apart) @ inside
    won = inside @ (points * apart) @ inside
    rows: list[list[float | None]] = [[None] * size for _ in range(size)]
    for i in range(size):
        for j in range(size):
            if i == j:
                continue
            if found.same_class[i, j]:
                variance = covariance[i, i] + covariance[j, j] - covariance[i, j] - covariance[j, i]
                if variance > _ROUNDING:
                    z = (strengths[i] - strengths[j]) / math.sqrt(variance)
                    rows[i][j] = normal_cdf(float(z))
            elif between[i, j] > 0.0:
                doubt = 0.5 ** (float(between[i, j]) + 1.0)
                rows[i][j] = 1.0 - doubt if won[i, j] > 0.0 else doubt
    return rows


def ranking(pool: Pool) -> Sequence[Rating]:
    """Return the ratings by group, best first; those without a rating come last."""
    return sorted(
        pool.ratings,
        key=lambda r: (r.group is None, r.group or 0, -(r.elo or 0.0), r.name),
    )
