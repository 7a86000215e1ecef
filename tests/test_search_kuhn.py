"""Search on Kuhn poker, where what is right is known."""

import pytest

import search
from search.playout import run_playouts

PASS, BET = 1 << 24, 2 << 24
# Every information set: seat, what was done, the own card.
INFORMATION_SETS = [
    (seat, actions, card)
    for seat, actions in ((0, "-"), (0, "pb"), (1, "p"), (1, "b"))
    for card in "JQK"
]

# The whole tree of 200 simulations by `vanilla`, seed 0, first seat with a queen: for each node
# its number, seat and edges (move, visits, availability, sum of returns, child).
GOLDEN_TREE = """
0 seat 0: pass 59/199 22.50 ->2; bet 141/200 65.50 ->1
1 seat 1: pass 13/140 3.25 ->-1; bet 127/139 72.00 ->-1
2 seat 1: pass 16/58 8.00 ->-1; bet 42/57 27.75 ->3
3 seat 0: pass 13/41 3.25 ->-1; bet 28/40 10.00 ->-1
"""


def view(kuhn, seat, actions, card):
    """Return what a seat with a card knows after some actions."""
    hands = f"hand.p{seat + 1}={card} hand.p{2 - seat}=?"
    return kuhn.from_text(f"kuhn/1 me=p{seat + 1} {hands} actions={actions}")


def dump(kuhn, tree):
    """Write a tree, one line a node."""
    lines = []
    for node in range(tree.size):
        edges = "; ".join(
            f"{kuhn.move_name(move)} {visits}/{available} {reward:.2f} ->{child}"
            for move, visits, available, reward, child in tree.edges_of(node)
        )
        lines.append(f"{node} seat {tree.seat(node)}: {edges}")
    return "\n".join(lines)


def test_golden_tree(kuhn):
    """A change of this tree is a change of the published algorithm or of a random stream."""
    searcher = search.Searcher("vanilla")
    searcher.go(view(kuhn, 0, "-", "Q"), search.Limits(nodes=200))
    assert dump(kuhn, searcher.tree) == GOLDEN_TREE.strip()


@pytest.mark.parametrize("preset", ["vanilla", "drakkar"])
@pytest.mark.parametrize(("seat", "actions", "card"), INFORMATION_SETS)
def test_no_dominated_action_is_played(kuhn, preset, seat, actions, card):
    """Facing a bet a jack never calls and a king never folds; visits are concentrated."""
    result = search.Searcher(preset, seed=5).go(
        view(kuhn, seat, actions, card), search.Limits(nodes=100_000), multipv=2
    )
    visits = {line.move: line.visits for line in result.info.lines}
    # What is worked out exactly is not visited.
    exact = result.info.solved
    assert exact or sum(visits.values()) == 100_000
    assert visits[result.best_move] == max(visits.values())
    if actions in ("b", "pb") and card != "Q":
        good = PASS if card == "J" else BET
        assert result.best_move == good
        assert exact or visits[good] >= 99_000


@pytest.mark.parametrize("card", "JQK")
def test_the_last_decision_is_valued_exactly(kuhn, card):
    """The second seat facing a bet: folding loses one chip, calling wins or loses two."""
    result = search.Searcher("flat").go(
        view(kuhn, 1, "b", card), search.Limits(nodes=20_000), multipv=2
    )
    lines = {line.move: line for line in result.info.lines}
    assert lines[PASS].margin == -1.0
    assert lines[PASS].win == 0.25
    assert lines[PASS].wdl == (0, 0, 1000)
    expected = {"J": -2.0, "Q": 0.0, "K": 2.0}[card]
    assert lines[BET].margin == pytest.approx(expected, abs=0.1)
    assert lines[BET].win == pytest.approx(0.5 + 0.25 * expected, abs=0.025)


def test_the_tree_is_whole(kuhn):
    """A first seat meets its own decision, two answers, and its own answer to a bet: 4 nodes."""
    searcher = search.Searcher("vanilla")
    result = searcher.go(view(kuhn, 0, "-", "Q"), search.Limits(nodes=5_000))
    assert searcher.tree.size == 4
    assert [searcher.tree.seat(n) for n in range(4)].count(0) == 2
    assert result.info.seldepth == 3


def test_random_playouts_have_the_known_length(kuhn):
    """Uniform play: pass-pass, bet-x and pass-bet-x make 2.25 decisions on average."""
    number, plies, choices = run_playouts(kuhn.new_state(), 100_000, 9)
    assert plies == choices
    assert plies / number == pytest.approx(2.25, abs=0.01)


def test_greedy_and_random_follow_their_rules(kuhn):
    """No move gains at once before the last one: greedy then takes each by lot."""
    first = view(kuhn, 0, "-", "Q")
    for preset in ("greedy", "random"):
        moves = [
            search.Searcher(preset, seed=s).go(first, search.Limits(nodes=100)).best_move
            for s in range(60)
        ]
        assert 10 < moves.count(PASS) < 50, preset
    facing = {card: view(kuhn, 1, "b", card) for card in "JK"}
    for card, good in (("J", PASS), ("K", BET)):
        for seed in range(10):
            result = search.Searcher("greedy", seed=seed).go(
                facing[card], search.Limits(time_ms=10_000)
            )
            assert result.best_move == good
            assert result.info.worlds == 32
