"""Scores of blocks, and counts of them between each two."""

from fractions import Fraction

import pytest

from bench.statistics.elo import Strength
from bench.statistics.pairs import PairTable, block_pair_scores
from bench.statistics.ratings import rate
from bench.statistics.sprt import SprtRun, SprtTest
from bench.statistics.variance import pairing_factor

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def test_p65_nothing_divides_by_zero_without_a_whole_block() -> None:
    """Every number is there, or None."""
    assert Strength([0] * 5).score is None
    assert SprtRun(SprtTest(0, 5)).status().llr == 0.0
    table = PairTable("AB")
    assert table.score(0, 1) is None
    assert [r.status for r in rate(table).ratings] == ["no rating"] * 2
    assert pairing_factor([]).value is None
    assert rate(PairTable([])).ratings == []


def test_scores_of_a_block_of_two_games() -> None:
    """Won and drawn is three quarters."""
    games = [[(0, 1), (1, 2)], [(1, 1), (0, 1)]]
    assert block_pair_scores(games) == {(0, 1): Fraction(3, 4)}


def test_scores_of_a_block_at_a_table() -> None:
    """Three contestants, two games, a tie; a contestant in two seats meets the others twice."""
    games = [[(2, 1), (0, 2), (1, 2)], [(0, 1), (1, 2), (2, 3)]]
    assert block_pair_scores(games) == {(0, 1): Fraction(3, 4), (0, 2): HALF, (1, 2): HALF}
    assert block_pair_scores([[(0, 1), (0, 3), (1, 2)]]) == {(0, 1): HALF}


def test_a_table_counts_from_both_sides() -> None:
    """A quarter for one is three quarters for the other."""
    table = PairTable("ABC")
    table.add(2, 0, QUARTER, 3)
    table.add(0, 2, Fraction(1))
    assert table.counts(0, 2) == {Fraction(3, 4): 3, Fraction(1): 1}
    assert table.counts(2, 0) == {Fraction(0): 1, QUARTER: 3}
    assert table.points(2, 0) == Fraction(3, 4)
    assert table.score(0, 1) is None


def test_wrong_entries_are_refused() -> None:
    """Scores outside 0 to 1, contestants that are not there, equal names."""
    table = PairTable("AB")
    for arguments in ((0, 1, Fraction(5, 4)), (0, 2, HALF), (1, 1, HALF), (0, 1, HALF, -1)):
        with pytest.raises(ValueError, match="no "):
            table.add(*arguments)
    with pytest.raises(ValueError, match="differ"):
        PairTable("AA")
