"""Workers that cannot be trusted are found, and honest ones are left alone."""

import pytest

from bench.referee.block import Block, Job
from bench.referee.game_result import GameResult
from bench.referee.verdicts import Fault, Termination
from bench.tournament.guard import Guard, binomial_tail
from engine import RandomStream


def game(number, worker, first_wins, termination=Termination.RULES):
    """Return a game between contestants 0 and 1 that one of them won."""
    job = Job(Block(number, (0, 1), number), 0, (0, 1), number, number)
    fault = None if termination == Termination.RULES else Fault(0, 3, termination, "late")
    returns = [float(first_wins), float(not first_wins)]
    return GameResult(job, termination, fault, returns=returns, worker=worker)


def fill(guard, share_won, games=400, workers=4, slow=0.0):
    """Have workers play; worker 0 wins with another share, or loses on time so often."""
    stream = RandomStream(1, 7)
    for number in range(games):
        worker = number % workers
        wins = stream.below(1000) < 1000 * (share_won if worker == 0 else 0.5)
        late = worker == 0 and stream.below(1000) < 1000 * slow
        termination = Termination.TIME if late else Termination.RULES
        guard.take(game(number, f"host/{worker}", wins, termination))
    return [bool(guard.fault(f"host/{worker}")) for worker in range(workers)]


def test_honest_workers_are_left_alone():
    """No more than chance."""
    assert fill(Guard(), 0.5) == [False] * 4


def test_a_worker_out_of_line_is_found():
    """One engine does far better there than elsewhere."""
    guard = Guard()
    assert fill(guard, 0.95) == [True, False, False, False]
    assert "standard errors" in guard.fault("host/0")
    assert guard.residual("host/0") > 5


def test_a_slow_worker_is_found():
    """Games are lost on time there and nowhere else."""
    guard = Guard()
    assert fill(guard, 0.5, slow=0.2) == [True, False, False, False]
    assert "ended by faults, 0 of 300 elsewhere" in guard.fault("host/0")


def test_a_bad_engine_is_no_bad_worker():
    """Faults that happen everywhere say nothing of a machine."""
    guard = Guard()
    for number in range(400):
        late = number % 5 == 0
        termination = Termination.TIME if late else Termination.RULES
        guard.take(game(number, f"host/{number % 3}", number % 2, termination))
    assert [guard.fault(f"host/{worker}") for worker in range(3)] == ["", "", ""]


def test_little_says_nothing():
    """A single worker, a few games, void games."""
    guard = Guard()
    for number in range(40):
        guard.take(game(number, "alone", 1))
    assert guard.fault("alone") == ""
    for number in range(4):
        guard.take(game(number, "other", 0, Termination.TIME))
    guard.take(game(5, "third", 0, Termination.INTERRUPTED))
    assert guard.fault("other") == ""
    assert guard.fault("third") == ""


@pytest.mark.parametrize(
    ("trials", "least", "share"), [(50, 9, 0.05), (300, 20, 0.02), (9, 0, 0.1)]
)
def test_the_tail_of_the_binomial_distribution(trials, least, share):
    """As scipy has it."""
    from scipy.stats import binom

    assert binomial_tail(trials, least, share) == pytest.approx(binom.sf(least - 1, trials, share))
