"""Kuhn poker, one test a rule of RULES.md, and its solution."""

import itertools
from fractions import Fraction

import pytest

from engine import BadMoveText, BadPositionText, IllegalMove

PASS, BET = "pass", "bet"


def at(kuhn, hands, actions="-"):
    return kuhn.from_text(f"kuhn/1 hand.p1={hands[0]} hand.p2={hands[1]} actions={actions}")


def legal(state):
    return [state.game.move_name(move) for move in state.legal_moves()]


def nodes(state):
    """Yield every position below and with `state`, once a path."""
    yield state
    for move in state.legal_moves():
        child = state.copy()
        child.apply(move)
        yield from nodes(child)


def test_rule_1_each_seat_gets_a_card_that_only_it_sees(kuhn):
    state = kuhn.new_state()
    for left in (3, 2):
        assert [p for _, p in state.chance_outcomes()] == [1 / left] * left
        state.apply(state.legal_moves()[-1])
    assert state.to_text() == "kuhn/1 hand.p1=K hand.p2=Q actions=-"
    assert state.view(0).to_text() == "kuhn/1 me=p1 hand.p1=K hand.p2=? actions=-"
    assert state.view(1).to_text() == "kuhn/1 me=p2 hand.p1=? hand.p2=Q actions=-"


@pytest.mark.parametrize("actions, seat", [("-", 0), ("p", 1), ("b", 1), ("pb", 0)])
def test_rules_2_to_4_a_seat_passes_or_bets(kuhn, actions, seat):
    state = at(kuhn, "JQ", actions)
    assert state.seat_to_move == seat
    assert legal(state) == [PASS, BET]


@pytest.mark.parametrize("actions", ["pp", "bp", "bb", "pbp", "pbb"])
def test_rules_3_and_4_the_game_is_over(kuhn, actions):
    state = at(kuhn, "JQ", actions)
    assert state.is_terminal and legal(state) == []
    with pytest.raises(IllegalMove, match="over"):
        state.apply(kuhn.parse_move(PASS))


@pytest.mark.parametrize(
    "actions, lower, higher",
    [("pp", -1, 1), ("bb", -2, 2), ("pbb", -2, 2), ("bp", 1, 1), ("pbp", -1, -1)],
)
def test_rule_5_the_pot(kuhn, actions, lower, higher):
    for one, two in itertools.permutations("JQK", 2):
        chips = higher if "JQK".index(one) > "JQK".index(two) else lower
        state = at(kuhn, one + two, actions)
        assert state.margins() == [chips, -chips]
        assert state.returns() == [0.5 + chips / 4, 0.5 - chips / 4]


def test_54_nodes_and_12_information_sets(kuhn):
    everything = [state for state in nodes(kuhn.new_state()) if not state.is_chance]
    decisions = [state for state in everything if not state.is_terminal]
    assert (len(everything), len(decisions)) == (54, 24)
    assert len({(s.seat_to_move, s.infoset_key(s.seat_to_move)) for s in decisions}) == 12


def value(state, strategies):
    """Return the exact expected chips of seat 1: strategies map seat and set to P(bet)."""
    if state.is_terminal:
        return Fraction(int(state.margins()[0]))
    total = Fraction(0)
    steps = [(move, Fraction(1, len(state.legal_moves()))) for move in state.legal_moves()]
    if not state.is_chance:
        seat = state.seat_to_move
        bet = strategies[seat][state.infoset_key(seat)]
        steps = list(zip(state.legal_moves(), (1 - bet, bet), strict=True))
    for move, probability in steps:
        if probability:
            child = state.copy()
            child.apply(move)
            total += probability * value(child, strategies)
    return total


def strategy(kuhn, seat, bets):
    """Return infoset key -> P(bet) from a table (card, actions) -> P(bet)."""
    hands = {card: (card, "K" if card != "K" else "Q") for card in "JQK"}
    keys = {}
    for (card, actions), bet in bets.items():
        hand = hands[card] if seat == 0 else hands[card][::-1]
        keys[at(kuhn, hand, actions).infoset_key(seat)] = Fraction(bet)
    assert len(keys) == 6
    return keys


def equilibrium(kuhn, alpha):
    third = Fraction(1, 3)
    first = {("J", "-"): alpha, ("Q", "-"): 0, ("K", "-"): 3 * alpha}
    first |= {("J", "pb"): 0, ("Q", "pb"): alpha + third, ("K", "pb"): 1}
    second = {("J", "p"): third, ("Q", "p"): 0, ("K", "p"): 1}
    second |= {("J", "b"): 0, ("Q", "b"): third, ("K", "b"): 1}
    return [strategy(kuhn, 0, first), strategy(kuhn, 1, second)]


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 5), Fraction(1, 3)])
def test_value_is_minus_one_eighteenth(kuhn, alpha):
    """Neither seat does better by any of its 64 pure strategies, so the value is exact."""
    strategies = equilibrium(kuhn, alpha)
    start = kuhn.new_state()
    assert value(start, strategies) == Fraction(-1, 18)
    for seat, best in ((0, max), (1, min)):
        keys, answers = list(strategies[seat]), []
        for bets in itertools.product((0, 1), repeat=6):
            other = list(strategies)
            other[seat] = dict(zip(keys, map(Fraction, bets), strict=True))
            answers.append(value(start, other))
        assert best(answers) == Fraction(-1, 18)


@pytest.mark.parametrize(
    "text, fault",
    [
        ("chess/1", "kuhn/1"),
        ("kuhn/2", "kuhn/1"),
        ("", "kuhn/1"),
        ("kuhn/1 hand.p3=K", "hand.p3"),
        ("kuhn/1 hand.p1=A", "hand.p1"),
        ("kuhn/1 hand.p1=K hand.p2=K", "leads here"),
        ("kuhn/1 hand.p1=K hand.p2=J actions=ppp", "leads here"),
        ("kuhn/1 hand.p1=K hand.p2=J actions=x", "actions"),
        ("kuhn/1 actions=p", "leads here"),
        ("kuhn/1 hand.p2=K", "hand.p1"),
        ("kuhn/1 hand.p1=K hand.p2=?", "me=p1"),
        ("kuhn/1 me=p2 hand.p1=K hand.p2=?", "me=p1"),
        ("kuhn/1 me=p1 hand.p1=K hand.p2=J", "hand.p2"),
        ("kuhn/1 me=p3", "me"),
    ],
)
def test_bad_positions_name_the_fault(kuhn, text, fault):
    with pytest.raises(BadPositionText, match=fault):
        kuhn.from_text(text)


@pytest.mark.parametrize("word", ["", "raise", "p3:bet", "PASS", "~deal@p1=A", "~deal@p1", "p1:"])
def test_bad_events_are_named(kuhn, word):
    with pytest.raises(BadMoveText, match="is no"):
        kuhn.parse_event(word)


@pytest.mark.parametrize("seed", range(20))
def test_deals_fix_the_order_of_the_cards(kuhn, seed):
    deal, state = kuhn.new_deal(seed), kuhn.new_state()
    state.apply(deal.outcome(state))
    state.apply(deal.outcome(state))
    assert state.seat_to_move == 0


def test_deals_are_all_met(kuhn):
    met = set()
    for seed in range(60):
        deal, state = kuhn.new_deal(seed), kuhn.new_state()
        while state.is_chance:
            state.apply(deal.outcome(state))
        met.add(state.to_text())
    assert len(met) == 6


@pytest.mark.parametrize(
    "text, key",
    [
        ("kuhn/1 hand.p1=K hand.p1=Q", "hand.p1"),
        ("kuhn/1 me=", "me"),
        ("kuhn/1 actions=bbbb", "actions"),
        ("kuhn/1 foo=1", "foo"),
    ],
)
def test_an_error_knows_the_field_at_fault(kuhn, text, key):
    with pytest.raises(BadPositionText) as caught:
        kuhn.from_text(text)
    assert caught.value.key == key
