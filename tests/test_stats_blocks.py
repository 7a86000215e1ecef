"""Games put together to blocks, and counts of block scores between each two."""

from fractions import Fraction
from itertools import permutations

import pytest

from bench.statistics.blocks import BlockBook
from bench.statistics.elo import Strength
from bench.statistics.pairs import PairTable, block_pair_scores
from bench.statistics.ratings import rate
from bench.statistics.sprt import SprtRun, SprtTest
from bench.statistics.variance import pairing_factor

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def test_blocks_come_in_schedule_order_whatever_ends_first() -> None:
    """Every order of six games hands out the same three blocks."""
    games = [(block, game) for block in range(3) for game in range(2)]
    for order in permutations(games):
        book: BlockBook[str] = BlockBook(2)
        due = [d for block, game in order for d in book.add(block, game, f"{block}{game}")]
        assert due == [("00", "01"), ("10", "11"), ("20", "21")]
        assert (book.complete, book.other_games, book.waiting) == (3, 0, 0)


def test_p65_half_blocks() -> None:
    """Five finished games, a block with a void game: two games count, three are shown apart."""
    book: BlockBook[float] = BlockBook(2)
    run = SprtRun(SprtTest(0, 20))
    table = PairTable("AB")
    due = book.add(0, 0, 1.0) + book.add(0, 1, 0.5) + book.add(2, 0, 0.0)
    due += book.add(1, 0, 1.0)
    due += book.drop(1)
    due += book.add(1, 1, 0.0)
    for first, second in due:
        run.add((first + second) / 2)
        table.add(0, 1, Fraction(first + second) / 2)
    assert due == [(1.0, 0.5)]
    assert (book.complete, book.void, book.counted_games, book.other_games) == (1, 1, 2, 3)
    assert (run.counts, run.blocks) == ([0, 0, 0, 1, 0], 1)
    assert table.blocks(0, 1) == 1
    assert [r.blocks for r in rate(table, replicates=50).ratings] == [1, 1]


def test_a_void_block_holds_nothing_back() -> None:
    """The block after it is due at once, however late the void one was given up."""
    book: BlockBook[int] = BlockBook(1)
    assert book.add(0, 0, 0) == [(0,)]
    assert book.add(2, 0, 2) == []
    assert book.waiting == 1
    assert book.drop(1) == [(2,)]
    assert book.drop(3) == []
    assert book.add(4, 0, 4) == [(4,)]
    assert (book.complete, book.void, book.other_games) == (3, 2, 0)


def test_p65_nothing_divides_by_zero_without_a_whole_block() -> None:
    """One half block: every number is there, or None."""
    book: BlockBook[float] = BlockBook(2)
    assert book.add(0, 0, 1.0) == []
    assert (book.complete, book.other_games) == (0, 1)
    assert Strength([0] * 5).score is None
    assert SprtRun(SprtTest(0, 5)).status().llr == 0.0
    table = PairTable("AB")
    assert table.score(0, 1) is None
    assert [r.status for r in rate(table).ratings] == ["no rating"] * 2
    assert pairing_factor([]).value is None
    assert rate(PairTable([])).ratings == []


def test_a_game_is_added_once() -> None:
    """The second time is an error, and so is a game that no block has."""
    book: BlockBook[int] = BlockBook(2)
    book.add(0, 0, 1)
    with pytest.raises(ValueError, match="there already"):
        book.add(0, 0, 1)
    with pytest.raises(ValueError, match="games 0 to 1"):
        book.add(0, 2, 1)
    book.add(0, 1, 1)
    with pytest.raises(ValueError, match="there already"):
        book.add(0, 1, 1)
    with pytest.raises(ValueError, match="complete"):
        book.drop(0)
    assert book.add(1, 0, 7) == []


def test_a_resumed_run_goes_on_with_a_later_block() -> None:
    """The first block due is the one that it is told."""
    book: BlockBook[int] = BlockBook(1, first=5)
    assert book.add(6, 0, 6) == []
    assert book.add(5, 0, 5) == [(5,), (6,)]


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
