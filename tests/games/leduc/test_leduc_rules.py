"""Leduc poker, one test a rule of RULES.md, and the whole game against the slow rules."""

from collections import Counter

import pytest
from leduc_helpers import at, everything, legal, play
from leduc_reference import LUCK, OVER, Reference
from perft_tables import entries

import engine
from engine import IllegalMove

DECK = ["SJ", "HJ", "SQ", "HQ", "SK", "HK"]


def test_rule_1_each_seat_gets_a_card_that_only_it_sees():
    state = engine.load("leduc").new_state()
    for seat, left in ((1, 6), (2, 5)):
        assert legal(state) == [f"~deal@p{seat}={card}" for card in DECK[:left]]
        assert [p for _, p in state.chance_outcomes()] == [1 / left] * left
        state.apply(state.legal_moves()[-1])
    assert state.to_text() == "leduc/1 hand.p1=HK hand.p2=SK public=- round1=- round2=-"
    assert "me=p1 hand.p1=HK hand.p2=? " in state.view(0).to_text()
    assert "me=p2 hand.p1=? hand.p2=SK " in state.view(1).to_text()


@pytest.mark.parametrize("public, first", [("-", "-"), ("HK", "cc")])
@pytest.mark.parametrize("line, seat", [("-", 0), ("c", 1), ("r", 1), ("cr", 0), ("rr", 0)])
def test_rule_2_seat_1_begins_each_round_and_they_take_turns(public, first, line, seat):
    rounds = f"round1={first} round2={line}" if public != "-" else f"round1={line}"
    assert at(f"hand.p1=SJ hand.p2=SQ public={public} {rounds}").seat_to_move == seat


@pytest.mark.parametrize(
    "events, chips",
    [
        ("raise", "3 and 1"),
        ("call raise", "1 and 3"),
        ("raise raise", "3 and 5"),
        ("raise call ~public=HJ raise", "7 and 3"),
        ("raise raise call ~public=HJ call raise raise", "13 and 9"),
        ("raise raise call ~public=HJ call raise raise call", "13 and 13"),
    ],
)
def test_rules_2_and_3_what_is_put_in(events, chips):
    state = play(at("hand.p1=SJ hand.p2=SQ"), *events.split())
    assert str(state).splitlines()[-1] == f"chips: {chips}"


@pytest.mark.parametrize("line", ["rr", "crr"])
def test_rule_3_a_round_has_at_most_two_raises(line):
    for fields in (f"round1={line}", f"public=HK round1=rrc round2={line}"):
        state = at(f"hand.p1=SJ hand.p2=SQ {fields}")
        assert legal(state) == ["fold", "call"]
        with pytest.raises(IllegalMove, match="raise"):
            play(state, "raise")


@pytest.mark.parametrize("line, can", [("-", False), ("c", False), ("r", True), ("cr", True)])
def test_rule_4_only_a_seat_that_is_behind_may_fold(line, can):
    for fields in (f"round1={line}", f"public=HK round1=rrc round2={line}"):
        assert ("fold" in legal(at(f"hand.p1=SJ hand.p2=SQ {fields}"))) == can


@pytest.mark.parametrize(
    "first, second, won",
    [
        ("rf", "-", 1),
        ("crf", "-", -1),
        ("rrf", "-", -3),
        ("crrf", "-", 3),
        ("cc", "rf", 1),
        ("rc", "crf", -3),
        ("rrc", "rrf", -9),
        ("crrc", "crrf", 9),
    ],
)
def test_rule_4_a_fold_gives_the_pot_to_the_other_seat(first, second, won):
    for cards in ("SJ HK HQ", "HK SJ HJ"):
        one, two, public = cards.split()
        up = "" if second == "-" else f"public={public}"
        state = at(f"hand.p1={one} hand.p2={two} {up} round1={first} round2={second}")
        assert state.is_terminal and state.margins() == [won, -won] == state.scores()
        with pytest.raises(IllegalMove, match="over"):
            play(state, "call")


@pytest.mark.parametrize("line", ["cc", "rc", "crc", "rrc", "crrc"])
def test_rules_5_and_6_a_call_brings_the_public_card_and_then_the_end(line):
    state = at(f"hand.p1=SJ hand.p2=HQ round1={line}")
    assert legal(state) == ["~public=HJ", "~public=SQ", "~public=SK", "~public=HK"]
    assert [p for _, p in state.chance_outcomes()] == [1 / 4] * 4
    play(state, "~public=HJ")
    assert state.seat_to_move == 0 and legal(state) == ["call", "raise"]
    assert state.view(1).to_text().endswith(f"public=HJ round1={line} round2=-")
    assert at(f"hand.p1=SJ hand.p2=HQ public=HJ round1=cc round2={line}").is_terminal


@pytest.mark.parametrize(
    "one, two, public, winner",
    [
        ("SJ", "SQ", "SK", -1),
        ("HK", "SQ", "SJ", 1),
        ("SJ", "SQ", "HJ", 1),
        ("SK", "SJ", "HJ", -1),
        ("SQ", "HQ", "SJ", 0),
        ("HJ", "SJ", "SK", 0),
        ("SK", "SQ", "HK", 1),
    ],
)
@pytest.mark.parametrize("lines, stake", [("cc cc", 1), ("rc cc", 3), ("rrc crrc", 13)])
def test_rule_7_the_showdown(one, two, public, winner, lines, stake):
    first, second = lines.split()
    state = at(f"hand.p1={one} hand.p2={two} public={public} round1={first} round2={second}")
    assert state.is_terminal and state.margins() == [winner * stake, -winner * stake]


def test_rule_8_returns_follow_the_chips():
    seen = set()
    for state, _ in everything():
        if state.is_terminal:
            won = state.margins()[0]
            seen.add(won)
            assert state.returns() == pytest.approx([0.5 + won / 26, 0.5 - won / 26], abs=1e-6)
            assert sum(state.returns()) == 1
    assert seen == {0, *(sign * won for sign in (1, -1) for won in (1, 3, 5, 7, 9, 11, 13))}


def test_the_whole_game_agrees_with_the_slow_rules():
    counts = {"decisions": 0, "over": 0}
    depths: Counter[int] = Counter()
    for state, tokens in everything():
        slow = Reference(tokens)
        turn = slow.to_move()
        assert state.seat_to_move == {LUCK: -1, OVER: -2}.get(turn, turn)
        assert [state.event_name(move) for move in state.legal_moves()] == slow.legal()
        assert state.margins()[0] == slow.won() and state.check() == 0
        assert str(state).endswith("chips: {} and {}".format(*slow.chips())), tokens
        counts["decisions"] += state.seat_to_move >= 0
        counts["over"] += state.is_terminal
        depths[len(tokens)] += 1
    assert counts == {"decisions": 3780, "over": 5520} and len(everything()) == 9457
    table = [entry for entry in entries("leduc") if entry.name == "empty table"]
    assert {entry.depth: entry.count for entry in table} == {n: depths[n] for n in range(13)}
