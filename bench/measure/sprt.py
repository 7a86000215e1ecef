"""Figures on sequential tests: how often they err where the truth is known."""

from bench.registry import Out
from bench.seeds import PURPOSE_MEASURE
from bench.statistics.elo import LOGISTIC
from bench.statistics.simulate import (
    LuckModel,
    concurrent_test,
    simulated_tests,
    uneven_games,
)
from bench.statistics.sprt import SprtTest
from engine import RandomStream

# First streams of the parts; parts have fewer tests than the distance.
_STREAMS, _APART = 2**40, 2**20


def sprt_errors(
    out: Out, tests: int = 2000, every: int = 8, elo1: float = 20.0, model: str = LOGISTIC
) -> None:
    """Run simulated tests of 0 against `elo1` where each is true, looked at every 8 pairs.

    The ratios are those of the share of wrong decisions to the nominal one of 5 %.
    """
    test = SprtTest(0.0, elo1, model=model)
    toy = LuckModel()
    out.update(test=test.describe(), tests=tests, looked_at_every=every, luck=toy.luck)
    undecided = 0
    for index, (name, elo, nominal) in enumerate((("h0", 0.0, 0.05), ("h1", elo1, 0.05))):
        shares = toy.shares_at_elo(elo, model)
        done = simulated_tests(test, shares, tests, every, _STREAMS + index * _APART)
        wrong = (done.h1 if elo == 0.0 else done.h0) / tests
        out[f"{name}_pair_shares"] = [round(share, 5) for share in shares]
        out[f"{name}_error"] = wrong
        out[f"{name}_error_ratio"] = wrong / nominal
        out[f"{name}_mean_pairs"] = round(done.mean_blocks, 1)
        undecided += done.undecided
    out["undecided"] = undecided


def quick_games(out: Out, tests: int = 200, every: int = 8, concurrency: int = 16) -> None:
    """Run tests of two equals one of which wins only long games, the other only short ones.

    Many games are under way at a time; pairs enter in schedule order, and for comparison in the
    order in which they are complete. `as_alone` counts the tests that end as with one game at a
    time: after the same pair, with the same decision.
    """
    test = SprtTest(0.0, 10.0)
    h0 = h0_as_complete = alone = 0
    for number in range(tests):
        index = _STREAMS + 2 * _APART + number
        runs = [
            concurrent_test(
                test,
                uneven_games(RandomStream(1, PURPOSE_MEASURE, index)),
                slots,
                every,
                in_order,
            )
            for slots, in_order in ((concurrency, True), (1, True), (concurrency, False))
        ]
        h0 += runs[0].decision == "H0"
        h0_as_complete += runs[2].decision == "H0"
        alone += (runs[0].blocks, runs[0].decision) == (runs[1].blocks, runs[1].decision)
    out.update(test=test.describe(), tests=tests, concurrency=concurrency, as_alone=alone)
    out.update(h0_share=h0 / tests, h0_share_as_complete=h0_as_complete / tests)
    out["least_h0_share"] = 1.0 - 1.25 * test.alpha
