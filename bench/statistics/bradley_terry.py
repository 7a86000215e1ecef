"""Strengths of a pool by maximum likelihood, for many resampled pools at once.

The model: the expected block score of i against j is 1 / (1 + exp(r_j - r_i)). The most likely
strengths give each contestant the points that it has. They exist only where nobody can be cut off:
a group that lost nothing to the rest runs away from it. So contestants are parted into *classes*,
within which each has scored against each, if need be through others. Strengths within a class come
from its own games alone, as they would in the limit. Then whole classes are moved against each
other, with a drawn fraction of a block added between them to keep them at a finite distance.

Arrays have any number of leading dimensions R, one pool each: `blocks[..., i, j]` is the number of
blocks of i with j (symmetric), `points[..., i, j]` the points of i in them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# Weight of the draw between two classes that met, in blocks.
DRAWN_BLOCKS = 0.5
_STEPS = 100
_CLOSE = 1e-10


class Fit(NamedTuple):
    """Strengths in natural units (Elo times ln 10 / 400), and who can be compared with whom."""

    strengths: Floats
    """(R, n); the mean of each group is 0. Contestants without a block are groups of their own."""
    same_class: Bools
    """(R, n, n): finite difference of the most likely strengths."""
    same_group: Bools
    """(R, n, n): met, directly or through others."""


def fit(blocks: Floats, points: Floats) -> Fit:
    """Return the most likely strengths of each pool."""
    size = blocks.shape[-1]
    identity = np.eye(size, dtype=np.bool_)
    above = closure((points > 0.0) | identity)
    same_class = above & np.swapaxes(above, -1, -2)
    same_group = closure((blocks > 0.0) | identity)
    inside = same_class.astype(np.float64)
    strengths = _newton(blocks * inside, points * inside, np.zeros(blocks.shape[:-1]), None, inside)
    if not np.array_equal(same_class, same_group):
        strengths = _place_classes(blocks, points, strengths, same_class, same_group)
    return Fit(strengths, same_class, same_group)


def expected(strengths: Floats) -> Floats:
    """Return the expected block score of each contestant (row) against each."""
    difference = strengths[..., :, None] - strengths[..., None, :]
    scores: Floats = 0.5 * (1.0 + np.tanh(0.5 * difference))
    return scores


def curvature(blocks: Floats, strengths: Floats) -> Floats:
    """Return the negative second derivatives of the log-likelihood; rows add up to 0."""
    scores = expected(strengths)
    weights = blocks * scores * (1.0 - scores)
    diagonal = np.einsum("...ij->...i", weights)
    result: Floats = -weights
    indices = np.arange(blocks.shape[-1])
    result[..., indices, indices] += diagonal
    return result


def closure(relation: Bools) -> Bools:
    """Return the transitive closure of reflexive relations."""
    reach = relation.astype(np.float32)
    for _ in range(max(1, int(np.ceil(np.log2(relation.shape[-1] + 1))))):
        reach = (reach @ reach > 0.0).astype(np.float32)
    closed: Bools = reach > 0.0
    return closed


def _place_classes(
    blocks: Floats, points: Floats, strengths: Floats, same_class: Bools, same_group: Bools
) -> Floats:
    """Move whole classes until they have the points that they won, with a bit of a draw added."""
    inside = same_class.astype(np.float64)
    apart = blocks * (1.0 - inside)
    # Blocks between the classes of i and j, at (i, j).
    between = inside @ apart @ inside
    share = np.divide(DRAWN_BLOCKS, between, out=np.zeros_like(apart), where=between > 0.0)
    drawn = apart * share
    project = inside / inside.sum(axis=-1, keepdims=True)
    moved = _newton(
        apart + drawn,
        points * (1.0 - inside) + 0.5 * drawn,
        strengths,
        project,
        same_group.astype(np.float64),
    )
    group = same_group / same_group.sum(axis=-1, keepdims=True)
    centred: Floats = moved - np.einsum("...ij,...j->...i", group, moved)
    return centred


def _newton(
    blocks: Floats, points: Floats, start: Floats, project: Floats | None, fixed: Floats
) -> Floats:
    """Return the most likely strengths from a start, by damped steps that never make it worse.

    Steps lie in the image of the projection, and add up to 0 over each class of the relation
    `fixed`. A step is shortened by the range of what it changes (the log-likelihood is generalized
    self-concordant, F. Bach, "Self-concordant analysis for logistic regression").
    """
    strengths = start
    identity = np.eye(blocks.shape[-1])
    scale = max(1.0, float(blocks.max(initial=0.0)))
    for _ in range(_STEPS):
        gradient = (points - blocks * expected(strengths)).sum(axis=-1)
        hessian = curvature(blocks, strengths)
        if project is not None:
            gradient = np.einsum("...ij,...j->...i", project, gradient)
            hessian = project @ hessian @ project + (identity - project)
        if float(np.abs(gradient).max(initial=0.0)) < _CLOSE * scale:
            break
        step = np.linalg.solve(hessian + fixed, gradient[..., None])[..., 0]
        span = step.max(axis=-1, keepdims=True) - step.min(axis=-1, keepdims=True)
        length = np.divide(np.log1p(span), span, out=np.ones_like(span), where=span > 1e-12)
        strengths = strengths + length * step
    return strengths
