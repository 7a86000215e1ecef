"""Pools that fall into parts: who can be compared with whom, and where the zero of ratings is."""

from collections.abc import Sequence

import numpy as np

from bench.statistics.bradley_terry import Bools, Floats, closure
from bench.statistics.elo import ELO_PER_NAT

# Strengths that differ by less are equal but for rounding.
_ROUNDING = 1e-7


class Parts:
    """Groups of contestants, and what each is measured from.

    Made from who met whom, and who is in one class (its most likely strengths differ by a finite
    number). Strengths are measured from the anchor; without one in the group, from the mean of its
    largest class, or of all if no class has two members. ValueError for an unknown anchor.

    `groups` are lists of numbers of contestants, `group_of` the number of the group of each, None
    for those that met nobody, `finite` who is in a largest class and so has a finite strength.
    """

    def __init__(
        self,
        names: Sequence[str],
        met: Bools,
        same_class: Bools,
        anchor: tuple[str, float] | None = None,
    ) -> None:
        if anchor is not None and anchor[0] not in names:
            raise ValueError(f"no contestant {anchor[0]!r} to anchor; there are: {list(names)}")
        size = len(names)
        same_group = closure(met | np.eye(size, dtype=np.bool_))
        self.groups: list[list[int]] = []
        self.anchor: int | None = None
        self.group_of: list[int | None] = [None] * size
        self.finite = np.zeros(size, dtype=np.bool_)
        # Strengths are measured from the mean of these, of a contestant's group or class.
        self.origin = np.zeros((size, size))
        self.class_origin = np.zeros((size, size))
        self.shift = np.zeros(size)
        for i in range(size):
            if self.group_of[i] is not None or not met[i].any():
                continue
            group = [int(j) for j in np.flatnonzero(same_group[i])]
            main = max(([int(k) for k in np.flatnonzero(same_class[j])] for j in group), key=len)
            reference = main if len(main) > 1 else group
            if len(main) > 1:
                self.finite[main] = True
            if anchor is not None and anchor[0] in [names[j] for j in group]:
                self.anchor = names.index(anchor[0])
                reference = [self.anchor]
                self.shift[group] = anchor[1] / ELO_PER_NAT
            for j in group:
                self.group_of[j] = len(self.groups)
                self.origin[j, reference] = 1.0 / len(reference)
                inside = reference if set(reference) <= set(main) else main
                self.class_origin[j, inside] = 1.0 / len(inside)
            self.groups.append(group)

    def anchored(self, strengths: Floats) -> Floats:
        """Return strengths measured from the anchor, or the mean, of their group."""
        moved: Floats = strengths - strengths @ self.origin.T + self.shift
        return moved

    def comparable(self, same_group: Bools) -> Bools:
        """Return who can be compared with its origin in resampled pools, (R, n)."""
        return np.asarray(((self.origin > 0.0) <= same_group).all(axis=-1))

    def interval(self, sample: Floats) -> tuple[Floats, Floats]:
        """Return the ends of the 95 % intervals of samples (R, n) of anchored strengths.

        nan samples don't count; the ends are nan where all others are equal, but for the anchor.
        """
        size = sample.shape[-1]
        low, high = np.full(size, np.nan), np.full(size, np.nan)
        for i in range(size):
            values = sample[:, i][np.isfinite(sample[:, i])]
            if i == self.anchor:
                low[i] = high[i] = self.shift[i]
            elif len(values) and np.ptp(values) > _ROUNDING:
                low[i], high[i] = np.quantile(values, (0.025, 0.975))
        return low, high
