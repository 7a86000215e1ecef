"""Ratings of pools: against choix and scipy, intervals, pools that are cut into parts."""

import math
from fractions import Fraction
from itertools import combinations

import choix
import numpy as np
import pytest
import scipy.optimize

from bench.statistics.elo import Strength, score_from_elo
from bench.statistics.pairs import PairTable, TableSums
from bench.statistics.ratings import ELO_PER_NAT, Rating, ranking, rate

WON, LOST, DRAWN = Fraction(1), Fraction(0), Fraction(1, 2)


def table_of(names: str, results: dict[str, tuple[int, int, int]]) -> PairTable:
    """Return the table of won, drawn and lost blocks of the first against the second."""
    table = PairTable(names)
    for pair, counts in results.items():
        one, other = (names.index(name) for name in pair)
        for score, blocks in zip((WON, DRAWN, LOST), counts, strict=True):
            table.add(one, other, score, blocks)
    return table


def simulated(true: list[float], blocks: int, seed: int) -> PairTable:
    """Return a round robin of contestants of given Elo, with quarter scores."""
    numbers = np.random.default_rng(seed)
    table = PairTable([f"E{i}" for i in range(len(true))])
    for i, j in combinations(range(len(true)), 2):
        games = numbers.binomial(2, score_from_elo(true[i] - true[j]), size=blocks)
        for wins, count in enumerate(np.bincount(games, minlength=3)):
            table.add(i, j, Fraction(wins, 2), int(count))
    return table


FOUR = {"AB": (12, 3, 8), "AC": (11, 5, 9), "BC": (12, 1, 8), "AD": (15, 0, 5), "CD": (9, 9, 3)}


def elos(ratings: list[Rating]) -> list[float]:
    assert all(r.elo is not None for r in ratings)
    return [r.elo for r in ratings if r.elo is not None]


def test_most_likely_ratings_agree_with_choix() -> None:
    """Without draws, as lists of who beat whom."""
    results = {pair: (won, 0, lost) for pair, (won, _, lost) in FOUR.items()}
    data = []
    for pair, (won, _, lost) in results.items():
        one, other = ("ABCD".index(name) for name in pair)
        data += [(one, other)] * won + [(other, one)] * lost
    expected = choix.ilsr_pairwise(4, data) * ELO_PER_NAT
    pool = rate(table_of("ABCD", results), replicates=0)
    assert elos(pool.ratings) == pytest.approx(list(expected - expected.mean()), abs=1e-4)
    assert pool.unit == "logistic Elo"


def test_most_likely_ratings_agree_with_a_search_by_scipy() -> None:
    """With draws as half a win, and so that each has the points that it has."""
    table = table_of("ABCD", FOUR)

    def badness(ratings: np.ndarray) -> float:
        value = 0.0
        for i, j, counts in table.items():
            p = 1 / (1 + math.exp(ratings[j] - ratings[i]))
            for score, n in counts.items():
                value -= n * (float(score) * math.log(p) + float(1 - score) * math.log(1 - p))
        return value + ratings.sum() ** 2

    best = scipy.optimize.minimize(badness, np.zeros(4), tol=1e-10).x * ELO_PER_NAT
    found = elos(rate(table, replicates=0).ratings)
    assert found == pytest.approx(list(best), abs=0.01)
    assert sum(found) == pytest.approx(0.0, abs=1e-9)
    for i in range(4):
        points = sum(float(table.points(i, j)) for j in range(4) if j != i)
        wanted = [table.blocks(i, j) * score_from_elo(found[i] - found[j]) for j in range(4)]
        assert points == pytest.approx(sum(wanted))


def test_two_contestants_are_the_match_between_them() -> None:
    """Elo, interval and likelihood of superiority as those of the match."""
    table = PairTable("AB")
    counts = [30, 60, 150, 100, 60]
    for place, blocks in enumerate(counts):
        table.add(0, 1, Fraction(place, 4), blocks)
    match, pool = Strength(counts), rate(table, anchor=("B", 100.0))
    first, second = pool.ratings
    assert (second.elo, second.low, second.high) == (100.0, 100.0, 100.0)
    assert second.error == 0.0
    assert match.elo is not None and match.elo_low is not None and match.elo_high is not None
    assert first.elo == pytest.approx(match.elo + 100)
    assert first.error == pytest.approx((match.elo_high - match.elo_low) / 2, rel=0.01)
    assert first.low == pytest.approx(match.elo_low + 100, abs=3.0)
    assert first.high == pytest.approx(match.elo_high + 100, abs=3.0)
    assert pool.superiority[0][1] == pytest.approx(match.los, abs=2e-3)


def test_an_anchor_moves_all_alike() -> None:
    """Differences stay; the anchor is where it was put."""
    table = table_of("ABCD", FOUR)
    free, anchored = rate(table, replicates=0), rate(table, ("C", 1500.0), replicates=0)
    assert anchored.ratings[2].elo == pytest.approx(1500.0)
    shift = 1500.0 - elos(free.ratings)[2]
    assert elos(anchored.ratings) == pytest.approx([r + shift for r in elos(free.ratings)])
    with pytest.raises(ValueError, match="no contestant 'X' to anchor"):
        rate(table, ("X", 0.0))


def test_both_kinds_of_interval_agree_and_hold_the_truth() -> None:
    """100 pools of four: 95 % of intervals hold the true rating, within 4 deviations."""
    true = [-60.0, -20.0, 10.0, 70.0]
    inside = [0, 0]
    for seed in range(100):
        for rating, value in zip(
            rate(simulated(true, 60, seed), replicates=200).ratings, true, strict=True
        ):
            assert rating.elo is not None and rating.error is not None
            assert rating.low is not None and rating.high is not None
            assert rating.error == pytest.approx((rating.high - rating.low) / 2, rel=0.4)
            inside[0] += abs(rating.elo - value) <= rating.error
            inside[1] += rating.low <= value <= rating.high
    for count in inside:
        assert abs(count / 400 - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 400)


def test_ratings_repeat_with_the_seed() -> None:
    """Same seed, same intervals; another seed, others."""
    table = table_of("ABCD", FOUR)
    assert rate(table, seed=3) == rate(table, seed=3)
    assert rate(table, seed=3) != rate(table, seed=4)


def test_p66_an_engine_without_a_win() -> None:
    """The winless one gets an upper bound, the idle one none; the others are as without both."""
    results = {"AB": (12, 3, 8), "AC": (11, 5, 9), "BC": (12, 1, 8)}
    alone = rate(table_of("ABC", results)).ratings
    lost = {"AD": (20, 0, 0), "BD": (20, 0, 0), "CD": (20, 0, 0)}
    pool = rate(table_of("ABCDE", {**results, **lost}))
    assert elos(pool.ratings[:3]) == pytest.approx(elos(alone))
    assert [r.error for r in pool.ratings[:3]] == pytest.approx([r.error for r in alone])
    winless, idle = pool.ratings[3:]
    assert winless.status == "at most"
    assert winless.elo is not None and winless.high is not None and winless.low is None
    assert winless.elo < winless.high < min(elos(alone)) - 300
    assert (idle.status, idle.elo, idle.low, idle.high) == ("no rating", None, None, None)
    assert pool.groups == [["A", "B", "C", "D"]]
    assert [r.name for r in ranking(pool)] == ["A", "B", "C", "D", "E"]
    assert pool.superiority[0][3] == 1.0 and pool.superiority[0][4] is None
    for rating in pool.ratings:
        assert all(value is None or math.isfinite(value) for value in rating[2:6])


def test_p66_an_engine_that_won_all_and_a_chain() -> None:
    """An unbeaten one has a lower bound, one between winners and losers both."""
    pool = rate(table_of("ABC", {"AB": (20, 0, 0), "BC": (20, 0, 0)}))
    assert [r.status for r in pool.ratings] == ["at least", "between", "at most"]
    first, middle, last = pool.ratings
    assert first.low is not None and first.high is None
    assert middle.low is not None and middle.high is not None
    assert middle.low < middle.high
    assert last.low is None and last.high is not None
    assert elos(pool.ratings) == sorted(elos(pool.ratings), reverse=True)


def test_a_bound_is_the_exact_one_of_the_match() -> None:
    """20 won out of 20: at least 277 Elo above the other, where that is."""
    first, second = rate(table_of("AB", {"AB": (20, 0, 0)})).ratings
    assert first.low is not None and second.elo is not None
    assert first.low - second.elo == pytest.approx(277.4, abs=0.1)


def test_groups_that_never_met_are_named() -> None:
    """Each has its own mean of 0, and nobody is compared across."""
    results = {"AB": (12, 3, 8), "CD": (5, 1, 9), "DE": (4, 4, 4)}
    pool = rate(table_of("ABCDE", results), anchor=("A", 50.0))
    assert pool.groups == [["A", "B"], ["C", "D", "E"]]
    assert [r.group for r in pool.ratings] == [0, 0, 1, 1, 1]
    assert pool.ratings[0].elo == pytest.approx(50.0)
    assert sum(elos(pool.ratings[2:])) == pytest.approx(0.0, abs=1e-9)
    assert pool.superiority[0][2] is None and pool.superiority[2][3] is not None


def test_one_block_each_gives_ratings_and_no_false_certainty() -> None:
    """A swiss round or two: wide intervals, or none."""
    results = {"AB": (1, 0, 0), "BC": (1, 0, 0), "CA": (1, 0, 0)}
    for rating in rate(table_of("ABC", results)).ratings:
        assert rating.elo == pytest.approx(0.0, abs=1e-6)
        assert rating.error is not None and rating.error > 200
        assert rating.low is not None and rating.high is not None
        assert rating.high - rating.low > 200


def test_thirty_contestants() -> None:
    """The most likely ratings come near the true ones; all pairs are compared."""
    true = [10.0 * i - 145.0 for i in range(30)]
    pool = rate(simulated(true, 40, 1), replicates=100)
    for rating, value in zip(pool.ratings, true, strict=True):
        assert rating.elo is not None and rating.error is not None
        assert rating.error < 20
        assert abs(rating.elo - value) < 2 * rating.error
    assert pool.superiority[29][0] == pytest.approx(1.0, abs=1e-6)
    assert pool.superiority[3][4] == pytest.approx(1 - pool.superiority[4][3])  # type: ignore


def ranked(true: list[float], numbers: np.random.Generator) -> list[tuple[int, int]]:
    """Return the places of a game in which all sit, drawn by the model of Plackett and Luce."""
    worths = np.array(true) / ELO_PER_NAT + numbers.gumbel(size=len(true))
    return [(int(who), place) for place, who in enumerate(np.argsort(-worths), 1)]


def test_errors_at_tables_hold_what_they_promise() -> None:
    """Who beats one often beats all: intervals over whole tables hold the truth, others don't."""
    true = [60.0, 20.0, -30.0, -50.0]
    numbers = np.random.default_rng(11)
    held = dict.fromkeys(("tables", "pairs"), 0)
    for _ in range(50):
        table, tables = PairTable("ABCD"), TableSums()
        for _ in range(40):
            first = ranked(true, numbers)
            # Half of the games of a block come out as the first one did.
            block = [first, first, ranked(true, numbers), ranked(true, numbers)]
            table.add_block(block)
            tables.add_block(block)
        for name, sums in (("tables", tables), ("pairs", None)):
            for rating, elo in zip(rate(table, None, 0, tables=sums).ratings, true, strict=True):
                assert rating.elo is not None and rating.error is not None
                held[name] += abs(rating.elo - elo) <= rating.error
    assert 0.92 < held["tables"] / 200 < 0.98
    assert held["pairs"] / 200 < 0.88


def test_tables_of_two_are_pairs() -> None:
    """The same errors and chances either way; who lost everything is left out of both."""
    numbers = np.random.default_rng(3)
    table, tables = PairTable("ABCD"), TableSums()
    for one, other in combinations(range(4), 2):
        for _ in range(12):
            places = (1, 2) if other == 3 else [(1, 2), (2, 1), (1, 1)][numbers.integers(3)]
            block = [[(one, places[0]), (other, places[1])]]
            table.add_block(block)
            tables.add_block(block)
    pool, again = rate(table, None, 0), rate(table, None, 0, tables=tables)
    assert pool.ratings[3].status == "at most"
    assert [r.error is None for r in pool.ratings] == [False, False, False, True]
    for own, same in zip(pool.ratings[:3], again.ratings, strict=False):
        assert own.error == pytest.approx(same.error, rel=1e-9)
    for row, same_row in zip(pool.superiority, again.superiority, strict=True):
        assert [chance is None for chance in row] == [chance is None for chance in same_row]
        chances = [chance for chance in same_row if chance is not None]
        assert [chance for chance in row if chance is not None] == pytest.approx(chances, rel=1e-9)


@pytest.mark.parametrize("score", [DRAWN, Fraction(3, 4), Fraction(1, 4)])
@pytest.mark.parametrize("replicates", [0, 200])
def test_blocks_that_are_all_alike_tell_no_spread(score: Fraction, replicates: int) -> None:
    """Rounding is no error of a hundred-millionth, and nobody is stronger for sure by it."""
    table = PairTable("AB")
    table.add(0, 1, score, 20)
    pool = rate(table, replicates=replicates)
    assert [(r.status, r.error, r.low, r.high) for r in pool.ratings] == [
        ("rated", None, None, None)
    ] * 2
    assert pool.superiority == [[None, None], [None, None]]
