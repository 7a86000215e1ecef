"""The report of ratings as plain data, which the text, the JSON and the HTML page are made of."""

from collections.abc import Sequence
from typing import Any

from bench.report.match import variance_kept
from bench.report.tally import ContestantTally, Tally
from bench.statistics.pairs import PairTable
from bench.statistics.ratings import Pool, Rating, ranking, rate
from bench.statistics.running import Moments

SCHEMA = "drakkar-ratings/1"

Report = dict[str, Any]


def report(
    tally: Tally,
    about: Report,
    terms: Sequence[dict[str, str]],
    anchor: tuple[str, float] | None = None,
    seed: int = 1,
    replicates: int = 1000,
) -> Report:
    """Return all that is told of a pool.

    `about` holds game, formats and files; `terms` has command and limits of each contestant. The
    contestants stand in the order of their ratings, best first, and so do the rows and columns of
    the cross table. Ratings are logistic Elo with the ends of 95 % intervals over resampled blocks,
    drawn with `seed`. Raises ValueError for an unknown anchor.
    """
    pool = _rated(tally, anchor, replicates, seed)
    order = [tally.labels.index(rating.name) for rating in ranking(pool)]
    return {
        "schema": SCHEMA,
        **about,
        "seats": tally.num_seats,
        "blocks": tally.blocks,
        "games": tally.games,
        "unit": pool.unit,
        "anchor": None if anchor is None else {"label": anchor[0], "rating": anchor[1]},
        "seed": seed,
        "groups": pool.groups,
        "contestants": [{**_row(tally.contestants[i], pool.ratings[i]), **terms[i]} for i in order],
        "cross": _cross(tally.pairs, order),
        "superiority": _chosen(pool, order),
        "by_seat": [
            {
                "seat": seat + 1,
                "score": tally.seats[seat].mean,
                "score_error": tally.seats[seat].error,
                "margin": tally.seat_margins[seat].mean,
                "margin_deviation": tally.seat_margins[seat].deviation,
            }
            for seat in range(tally.num_seats)
        ],
        "terminations": dict(sorted(tally.terminations.items())),
        "plies": tally.plies.mean,
        "tallies": {name: moments.mean for name, moments in tally.tallies.items()},
        "lag_p99_ms": tally.lag.quantile(0.99),
        "lag_max_ms": tally.lag.greatest if tally.lag.count else None,
        "test": _test(tally),
    }


def _test(tally: Tally) -> Report | None:
    """Return how the sequential test stands, and how it came there."""
    if tally.test is None:
        return None
    now = tally.test.to_json()
    series = [list(point) for point in tally.llr.points]
    if tally.blocks and (not series or series[-1][0] != tally.blocks):
        series.append([tally.blocks, now["llr"]])
    return {**now, "series": series}


def _rated(tally: Tally, anchor: tuple[str, float] | None, replicates: int, seed: int) -> Pool:
    """Return the ratings: by results of two against each other, or by rankings at larger tables."""
    if tally.num_seats == 2:
        return rate(tally.pairs, anchor, replicates, seed)
    from bench.statistics.tables import rate_tables

    pool = rate(tally.pairs, None, 0, tables=tally.tables)
    tables = rate_tables(tally.labels, tally.placings(), anchor, replicates, seed)
    rated = [
        Rating(r.name, r.status, r.elo, r.low, r.high, _half(r.low, r.high), r.group, r.blocks, pts)
        for r, pts in zip(tables, [rating.points for rating in pool.ratings], strict=True)
    ]
    return pool._replace(ratings=rated)


def _half(low: float | None, high: float | None) -> float | None:
    return None if low is None or high is None else (high - low) / 2.0


def _row(own: ContestantTally, rating: Rating) -> Report:
    return {
        "label": rating.name,
        "rating": rating.elo,
        "status": rating.status,
        "low": rating.low,
        "high": rating.high,
        "error": rating.error,
        "group": rating.group,
        "score": own.score.mean,
        "score_error": own.score.error,
        "points": own.points,
        "games": own.games,
        "blocks": own.score.count,
        "wins": own.wins,
        "draws": own.draws,
        "losses": own.losses,
        "places": own.places,
        "terminations": dict(sorted(own.terminations.items())),
        "replaced": own.replaced,
        "strikes": own.strikes,
        "margin": own.margin.mean,
        "margin_error": own.margin.error,
        "adjusted": _adjusted(own),
        "by_seat": [
            {"seat": seat + 1, "games": m.count, "score": m.mean, "score_error": m.error}
            for seat, m in enumerate(own.seats)
        ],
        "nodes": own.nodes.mean,
        "time_ms": own.time.mean,
        "time_p99_ms": own.time.quantile(0.99),
        "latency_ms": own.latency.mean,
        "latency_p99_ms": own.latency.quantile(0.99),
        "margins": [list(bar) for bar in sorted(own.margins.counts.items())],
        "scores": [list(point) for point in own.scores.points],
    }


def _adjusted(own: ContestantTally) -> Report | None:
    """Return score and margin less luck, beside those of the same blocks as they were."""
    found: Report = {}
    luck = own.luck
    for name, raw, adjusted in zip(("score", "margin"), luck.raw, luck.adjusted, strict=True):
        if adjusted.count:
            found |= _side_by_side(name, raw, adjusted)
    return found or None


def _side_by_side(name: str, raw: Moments, adjusted: Moments) -> Report:
    return {
        f"{name}_blocks": adjusted.count,
        f"raw_{name}": raw.mean,
        f"raw_{name}_error": raw.error,
        name: adjusted.mean,
        f"{name}_error": adjusted.error,
        f"{name}_variance_kept": variance_kept(raw, adjusted),
    }


def _cross(pairs: PairTable, order: list[int]) -> list[list[Report | None]]:
    """Return blocks, points and score of each contestant (row) against each, None if not met."""
    return [
        [
            None
            if i == j or not pairs.blocks(i, j)
            else {
                "blocks": pairs.blocks(i, j),
                "points": float(pairs.points(i, j)),
                "score": pairs.score(i, j),
            }
            for j in order
        ]
        for i in order
    ]


def _chosen(pool: Pool, order: list[int]) -> list[list[float | None]]:
    return [[pool.superiority[i][j] for j in order] for i in order]


__all__ = ["SCHEMA", "Report", "report"]
