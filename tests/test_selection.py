"""Logarithm, UCB1, availability counts and the memory of the tree, by hand."""

import math
from collections import Counter

import pytest

from search.maths import natural_log
from search.selection import step
from search.tree import Tree

MEBIBYTE = 1 << 20


def counts(tree: Tree) -> dict[int, tuple[int, int, float]]:
    """Return (visits, availability, reward) of each root edge."""
    return {move: (v, a, r) for move, v, a, r, _ in tree.edges_of(0)}


def test_logarithm_agrees_with_the_library():
    """On all small numbers, around all powers of two, and across the whole range."""
    numbers = set(range(2, 20_000)) | {2**32 - 1}
    numbers |= {2**k + d for k in range(14, 32) for d in (-1, 0, 1, 2 ** (k - 12), 12_345)}
    numbers |= {i * 2_654_435_761 % 2**32 for i in range(1, 20_000)} - {0, 1}
    for n in numbers:
        assert natural_log(n) == pytest.approx(math.log(n), rel=1e-14), n


def test_logarithm_of_one_is_zero_and_of_zero_refused():
    assert natural_log(1) == 0.0
    with pytest.raises(ValueError, match="zero"):
        natural_log(0)


def test_availability_counts_by_hand():
    """Moves 1, 2, 3; which of them are legal differs between determinizations."""
    tree = Tree(1, 0, MEBIBYTE)
    assert step(tree, 0, [1], 0.7, 1.0) == 1
    assert counts(tree) == {1: (1, 1, 1.0)}
    # Move 2 is untried and must be taken; move 1 was not legal and not available.
    assert step(tree, 0, [2], 0.7, 0.0) == 2
    assert counts(tree) == {1: (1, 1, 1.0), 2: (1, 1, 0.0)}
    # Both available once so far, ln 1 = 0: the better mean wins; both were available.
    assert step(tree, 0, [1, 2], 0.7, 0.5) == 1
    assert counts(tree) == {1: (2, 2, 1.5), 2: (1, 2, 0.0)}
    # The untried move first; its edge counts as available in the simulation that makes it.
    assert step(tree, 0, [2, 3], 0.7, 1.0) == 3
    assert counts(tree) == {1: (2, 2, 1.5), 2: (1, 3, 0.0), 3: (1, 1, 1.0)}
    # 1: 0.75 + 0.7 sqrt(ln 2 / 2) = 1.162; 2: 0.7 sqrt(ln 3 / 1) = 0.734; 3: 1 + 0.
    assert step(tree, 0, [1, 2, 3], 0.7, 0.0) == 1
    # 1: 0.5 + 0.7 sqrt(ln 3 / 3) = 0.924; 2: 0.7 sqrt(ln 4) = 0.824; 3: 1.0 + 0.7 sqrt(ln 2).
    assert step(tree, 0, [1, 2, 3], 0.7, 0.0) == 3
    assert counts(tree) == {1: (3, 4, 1.5), 2: (1, 5, 0.0), 3: (2, 3, 1.0)}
    # Had move 2 been judged by visits of the parent (7) instead, it would not wait: with 5,
    # 2 has 0.7 sqrt(ln 5) = 0.888 and 1 has 0.5 + 0.7 sqrt(ln 4 / 3) = 0.976.
    assert step(tree, 0, [1, 2], 0.7, 0.0) == 1


@pytest.mark.parametrize("exploration", [0.0, 0.7, 2.0])
def test_ucb_against_plain_python(exploration):
    """A bandit of five moves, four of them legal at a time, for 2,000 simulations."""
    tree = Tree(1, 0, MEBIBYTE)
    mirror: dict[int, list[float]] = {}
    for i in range(2_000):
        legal = [m for m in range(1, 6) if m != 1 + i * 7 % 5]
        untried = [m for m in legal if m not in mirror]

        def ucb(move: int) -> float:
            visits, available, reward = mirror[move]
            return reward / visits + exploration * math.sqrt(math.log(available) / visits)

        best = max(ucb(m) for m in legal if m in mirror) if not untried else None
        reward = (i * 31 % 11) / 10
        move = step(tree, 0, legal, exploration, reward, seed=i)
        if best is None:
            assert move in untried
            mirror[move] = [0, 0, 0.0]
        else:
            assert ucb(move) == pytest.approx(best, rel=1e-12)
        for m in legal:
            if m in mirror:
                mirror[m][1] += 1
        mirror[move][0] += 1
        mirror[move][2] += reward
    assert counts(tree) == {m: tuple(mirror[m]) for m in mirror}


def test_equal_values_give_the_lower_move():
    tree = Tree(1, 0, MEBIBYTE)
    for move in (3, 9, 5):
        step(tree, 0, [move], 0.7, 0.5)
    assert step(tree, 0, [3, 5, 9], 0.7, 0.5) == 3


def test_expansion_is_uniform_among_untried_moves():
    """600 first choices among three moves; bounds at five standard deviations."""
    chosen = Counter(step(Tree(1, 0, 1), 0, [4, 5, 6], 0.7, 0.0, seed=s) for s in range(600))
    assert set(chosen) == {4, 5, 6}
    assert all(abs(n - 200) < 58 for n in chosen.values())


def test_a_full_tree_refuses_edges_and_keeps_its_memory():
    """The least capacity is 2,048 edges, whatever the limit; `step` never enlarges it."""
    tree = Tree(1, 0, 1)
    for move in range(1, 2_049):
        assert step(tree, 0, [move], 0.7, 0.0) == move
    before = tree.memory, counts(tree)
    assert tree.permille == 1000
    assert step(tree, 0, [1, 5_000], 0.7, 0.0) is None
    assert (tree.memory, counts(tree)) == before
    assert step(tree, 0, [1, 2], 0.7, 0.0) == 1


def test_edges_stand_in_ascending_order():
    tree = Tree(1, 0, MEBIBYTE)
    for move in (5, 1, 9, 3, 7):
        step(tree, 0, [move], 0.7, 0.0)
    assert [edge[0] for edge in tree.edges_of(0)] == [1, 3, 5, 7, 9]
    with pytest.raises(IndexError, match="no node 1"):
        tree.edges_of(1)
