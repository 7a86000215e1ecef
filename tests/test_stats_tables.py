"""Ratings of tables: against choix and openskill, ties, and those who won or lost everything."""

import choix
import numpy as np
import pytest
from openskill.models import PlackettLuce

from bench.statistics.elo import ELO_PER_NAT
from bench.statistics.pairs import Placing
from bench.statistics.tables import rate_tables, stages

NAMES = "ABCDEF"
TRUE = [-90.0, -40.0, 0.0, 20.0, 40.0, 70.0]


def blocks_of(number: int, seats: int, seed: int, ties: bool) -> list[list[list[Placing]]]:
    """Return simulated blocks of as many games as seats, from the model; ties by rounding."""
    numbers = np.random.default_rng(seed)
    blocks = []
    for _ in range(number):
        sitting = numbers.permutation(len(TRUE))[:seats]
        games = []
        for _ in range(seats):
            scores = np.array(TRUE)[sitting] / ELO_PER_NAT + numbers.gumbel(size=seats)
            if ties:
                scores = np.round(2 * scores)
            places = [int((scores > score).sum()) + 1 for score in scores]
            games.append([(int(c), place) for c, place in zip(sitting, places, strict=True)])
        blocks.append(games)
    return blocks


def found(blocks: list[list[list[Placing]]], replicates: int = 0) -> list[float]:
    ratings = rate_tables(NAMES, blocks, replicates=replicates)
    assert all(r.status == "rated" for r in ratings)
    return [r.elo for r in ratings if r.elo is not None]


@pytest.mark.parametrize("seats", [3, 4])
def test_rankings_without_ties_agree_with_choix(seats: int) -> None:
    """The most likely worths of the same rankings."""
    blocks = blocks_of(60, seats, 1, ties=False)
    rankings = [
        [contestant for contestant, _ in sorted(game, key=lambda seat: seat[1])]
        for block in blocks
        for game in block
    ]
    expected = choix.ilsr_rankings(len(NAMES), rankings) * ELO_PER_NAT
    assert found(blocks) == pytest.approx(list(expected - expected.mean()), abs=1e-3)


@pytest.mark.parametrize("seats", [3, 4])
def test_rankings_with_ties_order_as_openskill(seats: int) -> None:
    """The order of well separated strengths."""
    blocks = blocks_of(150, seats, 2, ties=True)
    model = PlackettLuce()
    players = [model.rating() for _ in NAMES]
    for block in blocks:
        for game in block:
            teams = [[players[contestant]] for contestant, _ in game]
            rated = model.rate(teams, ranks=[float(place) for _, place in game])
            for (contestant, _), team in zip(game, rated, strict=True):
                players[contestant] = team[0]
    ours = found(blocks)
    correlation = np.corrcoef(ours, [player.mu for player in players])[0, 1]
    assert correlation > 0.9
    assert ours.index(max(ours)) == 5 and ours.index(min(ours)) == 0


def test_two_seats_are_the_logistic_curve() -> None:
    """Three to one is 190.8 Elo; a drawn game is half a win."""
    games: list[list[list[Placing]]] = [[[(0, 1), (1, 2)]]] * 2 + [[[(0, 1), (1, 1)]]] * 2
    ratings = rate_tables("AB", games, replicates=0)
    assert ratings[0].elo is not None and ratings[1].elo is not None
    assert ratings[0].status == "rated"
    assert ratings[0].elo - ratings[1].elo == pytest.approx(190.85, abs=0.01)
    assert ratings[0].first == 0.75


def test_a_tie_is_the_mean_of_its_orders() -> None:
    """All three orders of a tie of two behind a winner, two orders of a tie for the first place."""
    assert stages([(0, 1), (1, 2), (2, 2)]) == {
        ((0, 1, 2), 0): 1.0,
        ((1, 2), 1): 0.5,
        ((1, 2), 2): 0.5,
    }
    assert stages([(7, 1), (3, 1), (5, 2)]) == {
        ((3, 5, 7), 7): 0.5,
        ((3, 5, 7), 3): 0.5,
        ((3, 5), 3): 0.5,
        ((5, 7), 7): 0.5,
    }
    everybody = stages([(0, 1), (1, 1), (2, 1)])
    assert everybody[(0, 1, 2), 1] == pytest.approx(1 / 3)
    assert sum(everybody.values()) == pytest.approx(2.0)


def test_all_tied_is_even() -> None:
    """No difference, and a rating for all."""
    ratings = rate_tables("ABC", [[[(0, 1), (1, 1), (2, 1)]]] * 5)
    assert [r.elo for r in ratings] == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)


def test_intervals_hold_the_truth() -> None:
    """20 tournaments at tables of four: about 95 % of the intervals."""
    inside = 0
    for seed in range(20):
        for rating, value in zip(
            rate_tables(NAMES, blocks_of(80, 4, seed, ties=False), replicates=200),
            TRUE,
            strict=True,
        ):
            assert rating.low is not None and rating.high is not None
            inside += rating.low <= value <= rating.high
    assert 0.88 <= inside / 120 <= 0.99


def test_who_lost_all_and_who_sat_nowhere() -> None:
    """A bound and no rating; the others' order stays."""
    blocks = blocks_of(60, 3, 1, ties=False)
    order = sorted(range(6), key=lambda i: found(blocks)[i])
    for number in range(30):
        one, other = number % 6, (number + 1) % 6
        blocks.append([[(one, 1), (other, 1), (6, 3)]])
    ratings = rate_tables(NAMES + "GH", blocks, replicates=200)
    assert [r.status for r in ratings] == ["rated"] * 6 + ["at most", "no rating"]
    winless, idle = ratings[6:]
    assert winless.elo is not None and winless.low is None and winless.high is not None
    assert winless.elo < min(r.elo for r in ratings[:6] if r.elo is not None) - 200
    assert (idle.elo, idle.low, idle.high, idle.blocks) == (None, None, None, 0)
    assert sorted(range(6), key=lambda i: ratings[i].elo or 0.0) == order
    assert [r.status for r in rate_tables("AB", [])] == ["no rating"] * 2


def test_table_ratings_repeat_with_the_seed() -> None:
    """Same seed, same intervals."""
    blocks = blocks_of(20, 3, 5, ties=True)
    assert rate_tables(NAMES, blocks, None, 50, 1) == rate_tables(NAMES, blocks, None, 50, 1)
    assert rate_tables(NAMES, blocks, None, 50, 1) != rate_tables(NAMES, blocks, None, 50, 2)


def test_an_anchor_moves_its_group() -> None:
    """Two tables that never met: one has the anchor, the other a mean of 0."""
    one: list[list[Placing]] = [[(0, 1), (1, 2), (2, 3)], [(2, 1), (1, 2), (0, 3)]]
    other: list[list[Placing]] = [[(3, 1), (4, 2)], [(4, 1), (3, 2)], [(3, 1), (4, 2)]]
    ratings = rate_tables("ABCDE", [one, other] * 5, anchor=("A", 100.0), replicates=50)
    assert [r.group for r in ratings] == [0, 0, 0, 1, 1]
    assert (ratings[0].elo, ratings[0].low, ratings[0].high) == pytest.approx((100.0,) * 3)
    assert (ratings[3].elo or 0.0) + (ratings[4].elo or 0.0) == pytest.approx(0.0, abs=1e-6)
    assert (ratings[3].elo or 0.0) - (ratings[4].elo or 0.0) == pytest.approx(120.4, abs=0.1)
    with pytest.raises(ValueError, match="no contestant 'X'"):
        rate_tables("AB", [], anchor=("X", 0.0))
