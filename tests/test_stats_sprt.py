"""Sequential tests: known answers, cross-checks with scipy, extreme scores, wrong settings."""

import math
import time
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
import scipy.optimize

from bench.statistics import sprt as sprt_module
from bench.statistics.elo import (
    LOGISTIC,
    NORMALIZED,
    block_scores,
    score_from_elo,
    t_from_nelo,
)
from bench.statistics.running import Moments
from bench.statistics.sprt import (
    SprtRun,
    SprtTest,
    check_contestants,
    settings,
)
from bench.statistics.tilt import moments, tilt_to_mean, tilt_to_t, tilt_to_zero

KNOWN = [
    ((759, 1863, 880), LOGISTIC, 0, 5, 2.947),
    ((36027, 68692, 36433), NORMALIZED, 0, 2, 0.923),
    ((365, 16618, 36229, 16974, 390), NORMALIZED, 0, 2, 2.250),
    ((379, 10170, 21828, 10640, 343), NORMALIZED, 0, 2, 2.946),
]
EXTREME = [
    (144, 3, 1, 0, 0),
    (20, 0, 0, 0, 0),
    (0, 0, 0, 0, 20),
    (0, 0, 20, 0, 0),
    (0, 0, 0, 1, 0),
    (1, 0, 0, 0, 0),
    (0, 0, 0, 0, 1),
]
HYPOTHESES = [(-1500, -500), (0, 2), (0, 5), (-3, 1), (0, 100), (500, 1500), (-3000, 3000)]


@pytest.mark.parametrize(("counts", "model", "elo0", "elo1", "llr"), KNOWN)
def test_p61_llr_values_and_units(
    counts: tuple[int, ...], model: str, elo0: float, elo1: float, llr: float
) -> None:
    """The published values to 1e-3; the unit of Elo is in every report of a test."""
    test = SprtTest(elo0, elo1, model=model, games=(len(counts) - 1) // 2)
    status = test.status(counts)
    assert status.llr == pytest.approx(llr, abs=1e-3)
    assert status.lower == pytest.approx(-2.944, abs=1e-3)
    assert status.upper == pytest.approx(2.944, abs=1e-3)
    assert status.decision == ("H1" if llr > 2.944 else None)
    assert status.unit == f"{model} Elo"
    assert status.unit in test.describe()


@pytest.mark.parametrize("counts", EXTREME)
def test_p62_extreme_scores(counts: tuple[int, ...]) -> None:
    """Finite numbers, at once, for any hypotheses; mirrored scores give mirrored numbers."""
    start = time.monotonic()
    for model, (elo0, elo1) in product((LOGISTIC, NORMALIZED), HYPOTHESES):
        status = SprtTest(elo0, elo1, model=model).status(counts)
        assert math.isfinite(status.llr)
        mirrored = SprtTest(-elo1, -elo0, model=model).llr(counts[::-1])
        assert mirrored == pytest.approx(-status.llr, rel=1e-6, abs=1e-6)
    assert time.monotonic() - start < 2.0


def test_p62_extreme_scores_decide_for_the_right_side() -> None:
    """Far below both hypotheses the lower one is nearer; all won ends for the upper one."""
    assert SprtTest(-1500, -500, model=NORMALIZED).status((144, 3, 1, 0, 0)).decision == "H0"
    for model, (elo0, elo1) in product((LOGISTIC, NORMALIZED), ((0, 5), (0, 100), (-3, 1))):
        test = SprtTest(elo0, elo1, model=model)
        assert test.llr((0, 0, 0, 0, 20)) > 0.0 > test.llr((20, 0, 0, 0, 0))
        assert test.llr((0, 0, 20, 0, 0)) < 0.0 or elo0 < 0
        for score, decision in ((1.0, "H1"), (0.0, "H0")):
            run = SprtRun(test)
            while run.add(score) is None:
                assert run.blocks < 1000
            assert run.decision == decision


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0 is less than elo1"),
        ({"elo0": 5, "elo1": 0}, "elo0 is less than elo1"),
        ({"alpha": 0.0}, "alpha lies between"),
        ({"beta": 1.0}, "beta lies between"),
        ({"alpha": math.nan}, "alpha lies between"),
        ({"alpha": 0.5, "beta": 0.5}, "add up to less than 1"),
        ({"elo1": math.inf}, "elo1 lies between"),
        ({"elo0": math.nan}, "elo0 lies between"),
        ({"model": "bayesian"}, "model is logistic or normalized"),
        ({"games": 0}, "one game or more"),
    ],
)
def test_p63_impossible_test_settings(changed: dict[str, float], reason: str) -> None:
    """Refused, with the reason."""
    with pytest.raises(ValueError, match=reason):
        SprtTest(**{"elo0": 0, "elo1": 5, **changed})


@pytest.mark.parametrize("number", [0, 1, 3])
def test_p63_a_test_has_two_contestants(number: int) -> None:
    """Three engines have no one difference to test."""
    with pytest.raises(ValueError, match="two contestants, not"):
        check_contestants(number)
    check_contestants(2)


def _random_shares(numbers: np.random.Generator, size: int) -> list[float]:
    return [float(p) for p in numbers.dirichlet(np.full(size, 0.7))]


@pytest.mark.parametrize("size", [3, 5, 13])
def test_the_tilt_agrees_with_a_root_found_by_scipy(size: int) -> None:
    """Random shares and means; at the root the mean is the wanted one and all shares positive."""
    numbers = np.random.default_rng(size)
    support = np.linspace(0.0, 1.0, size)
    for _ in range(200):
        shares = _random_shares(numbers, size)
        wanted = float(numbers.uniform(0.02, 0.98))
        tilted = tilt_to_mean(shares, list(support), wanted)
        assert tilted is not None
        away = support - wanted

        def excess(x: float, away: np.ndarray = away, shares: Sequence[float] = shares) -> float:
            return float(np.sum(shares * away / (1 + x * away)))

        inside = 1 - 1e-12
        root = scipy.optimize.brentq(excess, -inside / away[-1], -inside / away[0], xtol=1e-14)
        assert tilted == pytest.approx(list(shares / (1 + root * away)), abs=1e-6)
        assert moments(tilted, list(support))[0] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("t", [-1.2, -0.05, 0.0, 0.02, 0.4])
def test_the_tilt_to_a_t_value_agrees_with_a_constrained_search(t: float) -> None:
    """scipy finds nothing more likely with the same t-value."""
    support = np.array(block_scores())
    for counts in ((20, 60, 90, 70, 30), (3, 1, 12, 2, 8), (40, 5, 1, 5, 40)):
        shares = np.array(counts) / sum(counts)
        tilted = tilt_to_t(list(shares), list(support), t)
        assert tilted is not None
        middle, spread = moments(tilted, list(support))
        assert (middle - 0.5) / spread == pytest.approx(t, abs=1e-7)

        def away(q: np.ndarray) -> float:
            mean = q @ support
            return float(mean - 0.5 - t * math.sqrt(max(0.0, q @ support**2 - mean**2)))

        found = scipy.optimize.minimize(
            lambda q, shares=shares: -float(shares @ np.log(np.maximum(q, 1e-12))),
            tilted,
            method="SLSQP",
            bounds=[(1e-9, 1.0)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda q: float(q.sum()) - 1.0},
                {"type": "eq", "fun": away},
            ],
        )
        assert float(shares @ np.log(tilted)) >= -found.fun - 1e-6


def test_no_distribution_fits_outside_the_support() -> None:
    """None, not a wrong one."""
    assert tilt_to_mean([0.5, 0.5], [0.0, 1.0], 1.0) is None
    assert tilt_to_zero([0.5, 0.5], [0.1, 0.2]) is None
    assert tilt_to_t([0.3, 0.7], [0.6, 0.9], -1.0) is None


def test_the_closed_form_takes_over_where_the_iteration_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nearly the same number for the usual counts, and still a finite one for the others."""
    test = SprtTest(0, 2, model=NORMALIZED)
    exact = test.llr((379, 10170, 21828, 10640, 343))
    monkeypatch.setattr(sprt_module, "tilt_to_t", lambda *_: None)
    assert test.llr((379, 10170, 21828, 10640, 343)) == pytest.approx(exact, rel=0.01)
    for counts in EXTREME:
        assert math.isfinite(test.llr(counts))
    assert SprtTest(-1500, -500, model=NORMALIZED).status((144, 3, 1, 0, 0)).decision == "H0"


def test_the_closed_form_is_used_for_both_hypotheses_or_for_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that fails is enough; and without it the numbers are the exact ones."""
    test = SprtTest(0, 100, model=NORMALIZED)
    counts = (0, 10, 30, 20, 5)
    exact = test.llr(counts)
    closed = []
    for failing in ((0,), (1,), (0, 1)):
        calls = iter((0, 1))
        monkeypatch.setattr(
            sprt_module,
            "tilt_to_t",
            lambda *a, calls=calls, failing=failing: (
                None if next(calls) in failing else tilt_to_t(*a)
            ),
        )
        closed.append(test.llr(counts))
    assert closed[0] == closed[1] == closed[2] != exact


@pytest.mark.parametrize("counts", EXTREME)
def test_what_did_not_occur_counts_a_thousandth_of_a_block(counts: tuple[int, ...]) -> None:
    """The LLR, summed up with roots found by scipy."""
    filled = np.array([c or 1e-3 for c in counts])
    support = np.array(block_scores())
    best = []
    for elo in (0.0, 5.0):
        away = support - score_from_elo(elo)
        inside = 1 - 1e-14
        root = scipy.optimize.brentq(
            lambda x, away=away: float(np.sum(filled * away / (1 + x * away))),
            -inside / away[-1],
            -inside / away[0],
            xtol=1e-15,
        )
        best.append(1 / (1 + root * away))
    expected = float(filled @ np.log(best[1] / best[0]))
    assert SprtTest(0, 5).llr(counts) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("model", [LOGISTIC, NORMALIZED])
def test_real_scores_agree_with_counts_where_both_can_be_used(model: str) -> None:
    """Moments of 2,000 blocks, in quarters."""
    counts = (300, 400, 600, 400, 300 + 60)
    test = SprtTest(0, 5, model=model)
    scores = Moments()
    for score, number in zip(test.support, counts, strict=True):
        for _ in range(number):
            scores.add(score)
    status = test.status_of_moments(scores)
    assert status.llr == pytest.approx(test.llr(counts), rel=0.02)
    values = np.repeat(test.support, counts)
    assert (scores.count, status.blocks) == (len(values), len(values))
    assert (scores.mean, scores.squares / scores.count) == pytest.approx(
        (values.mean(), values.var())
    )


def test_few_real_scores_that_are_alike_decide_nothing() -> None:
    """The spread of two numbers is not known."""
    moments_of_two = Moments()
    assert SprtTest(0, 20).status_of_moments(moments_of_two).llr == 0.0
    for _ in range(2):
        moments_of_two.add(score_from_elo(20))
    assert SprtTest(0, 20).status_of_moments(moments_of_two).decision is None
    moments_of_two.add(math.nan)
    with pytest.raises(ValueError, match="no moments"):
        SprtTest(0, 20).status_of_moments(moments_of_two)


def test_a_decision_is_final() -> None:
    """Blocks after it are counted apart and don't change it, whatever they are."""
    run = SprtRun(SprtTest(0, 100))
    while run.add(1.0) is None:
        pass
    blocks, llr = run.blocks, run.status().llr
    for _ in range(200):
        assert run.add(0.0) == "H1"
    assert (run.blocks, run.late, run.status().llr) == (blocks, 200, llr)
    assert run.status().decision == "H1"


def test_a_test_is_looked_at_every_so_many_blocks() -> None:
    """Beyond the bound at block 21 and again at 24: the decision is that of block 24."""
    each, eighth = SprtRun(SprtTest(0, 100)), SprtRun(SprtTest(0, 100), every=8)
    while each.add(1.0) is None:
        pass
    while eighth.add(1.0) is None:
        pass
    assert each.blocks % 8 != 0
    assert eighth.blocks == math.ceil(each.blocks / 8) * 8


def test_no_blocks_and_wrong_counts() -> None:
    """0 without blocks; other numbers of counts, and counts below 0, are refused."""
    test = SprtTest(0, 5)
    assert test.status((0, 0, 0, 0, 0)).llr == 0.0
    for counts in ((1, 2, 3), (1, 2, 3, 4, -1), (1, 2, 3, 4, math.nan)):
        with pytest.raises(ValueError, match="counts"):
            test.llr(counts)


def test_the_settings_make_the_same_test() -> None:
    """For run heads."""
    test = SprtTest(-3, 1, 0.05, 0.1, NORMALIZED, 6)
    again = SprtTest(**settings(test))
    assert (again.describe(), again.lower, again.upper) == (
        test.describe(),
        test.lower,
        test.upper,
    )
    assert "blocks of 6 games" in test.describe()


def test_hypotheses_where_the_score_lies_between_have_no_llr() -> None:
    """Half way between s0 and s1, or t0 and t1, neither is more likely."""
    counts = (10, 20, 30, 20, 10)
    for model in (LOGISTIC, NORMALIZED):
        assert SprtTest(-5, 5, model=model).llr(counts) == pytest.approx(0.0, abs=1e-9)
    assert t_from_nelo(-5) == -t_from_nelo(5)
