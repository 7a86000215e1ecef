"""Texts of Leduc poker: positions, words, pictures, deals, and numbers for luck."""

import re

import pytest
from leduc_helpers import at, play

import engine
from engine import BadMoveText, BadPositionText

FAULTS = [
    ("", "must begin with leduc/1"),
    ("leduc/2", "must begin with leduc/1"),
    ("leduc/1 hand.p3=SK", "the fields are"),
    ("leduc/1 public", "write key=value"),
    ("leduc/1 =SK", "write key=value"),
    ("leduc/1 public=", "the fields are"),
    ("leduc/1 me=-", "use p1 or p2"),
    ("leduc/1 me=", "the fields are"),
    ("leduc/1 me=p3", "use p1 or p2"),
    ("leduc/1 hand.p1=SK hand.p1=SK", "given twice"),
    ("leduc/1 hand.p1=K", "no card"),
    ("leduc/1 hand.p1=SK hand.p2=SJ round1=cc public=?", "no card"),
    ("leduc/1 hand.p2=SK", "seat 1 is dealt before"),
    ("leduc/1 hand.p1=SK hand.p2=SK", "leads here"),
    ("leduc/1 hand.p1=SK hand.p2=SJ public=SK round1=cc", "leads here"),
    ("leduc/1 hand.p1=SK hand.p2=SJ public=HK", "leads here"),
    ("leduc/1 hand.p1=SK hand.p2=SJ public=HK round1=rf", "leads here"),
    ("leduc/1 hand.p1=SK hand.p2=SJ public=HK round1=r", "leads here"),
    ("leduc/1 hand.p1=SK hand.p2=SJ round1=cc round2=c", "leads here"),
    ("leduc/1 hand.p1=SK round1=c", "leads here"),
    ("leduc/1 hand.p1=SK hand.p2=SJ round1=ccc", "no betting"),
    ("leduc/1 hand.p1=SK hand.p2=SJ round1=f", "no betting"),
    ("leduc/1 hand.p1=SK hand.p2=?", "whose view"),
    ("leduc/1 me=p2 hand.p1=SK hand.p2=?", "whose view"),
    ("leduc/1 me=p1 hand.p1=SK hand.p2=SJ", "cannot show"),
]


@pytest.mark.parametrize("text, told", FAULTS)
def test_a_wrong_position_is_refused_by_name(text, told):
    with pytest.raises(BadPositionText, match=re.escape(told)):
        engine.load("leduc").from_text(text)


@pytest.mark.parametrize("word", ["check", "p1:bet", "~deal@p3=SK", "~public=?", "~deal@p1=K"])
def test_a_wrong_word_is_refused(word):
    with pytest.raises(BadMoveText, match=re.escape(word.removeprefix("p1:"))):
        engine.load("leduc").parse_event(word)


@pytest.mark.parametrize("move", [0, 4 << 24, 5 << 24 | 6, 6 << 24, 1 << 24 | 1])
def test_a_number_that_is_no_move_has_no_name(move):
    game = engine.load("leduc")
    with pytest.raises(BadMoveText, match=str(move)):
        game.move_name(move)
    assert move == 4 << 24 or pytest.raises(BadMoveText, game.event_name, move, -1)


def test_the_examples_of_the_rules_are_the_same_position():
    with open(engine.__path__[0] + "/games/leduc/RULES.md", encoding="utf-8") as file:
        lines = file.read().splitlines()
    start = "position view "
    log, text = (line.removeprefix(start) for line in lines if line.startswith(start))
    head, events = log.split(" moves ")
    state = play(engine.load("leduc").from_text(head), *events.split())
    assert state == engine.load("leduc").from_text(text)
    first = lines.index("seat 1: hidden   seat 2: queen of hearts")
    assert str(state).splitlines() == lines[first : first + 5]


def test_a_game_is_told_in_words():
    state = at("hand.p1=SK hand.p2=HJ round1=rc")
    game = state.game
    assert game.describe_move(state, game.parse_event("~public=HQ")[1]) == (
        "the queen of hearts is turned up"
    )
    play(state, "~public=HQ", "call")
    assert game.describe_move(state, game.parse_move("raise")) == "seat 2: raise"
    hidden = state.redact(game.parse_event("~deal@p1=SK")[1], 1)
    assert game.describe_move(game.new_state(), hidden) == "seat 1 is dealt a hidden card"
    assert "first round: bet, call\nsecond round: check\n" in str(state)


def test_deals_depend_on_the_seed_alone_and_go_on_from_what_is_dealt():
    game = engine.load("leduc")
    logs = []
    for seed in (1, 1, 2, 3, 4):
        state, deal = game.new_state(), game.new_deal(seed)
        while not state.is_terminal:
            call = game.parse_move("call")
            state.apply(deal.outcome(state) if state.is_chance else call)
        logs.append(state.to_text())
    assert logs[0] == logs[1] and len(set(logs)) > 2
    for seed in range(10):
        for text in ("hand.p1=SK", "hand.p1=SK hand.p2=HK round1=cc"):
            start = at(text)
            after = start.copy()
            after.apply(game.new_deal(seed, start).outcome(start))
            assert "SK" not in after.to_text().replace("hand.p1=SK", "")


def test_features_tell_of_ranks_and_pairs():
    game = engine.load("leduc")
    state = at("hand.p1=SK hand.p2=HJ public=SJ round1=rrc")
    assert game.features(state, 0) == [2.0, 10.0, -1.0, -5.0]
    assert game.features(state, 1) == [-2.0, -10.0, 1.0, 5.0]
    assert game.features(at("hand.p1=SK"), 0) == [1.0, 1.0, 0.0, 0.0]
    assert game.features(at("hand.p1=SQ hand.p2=HQ"), 0) == [0.0] * 4
    assert len(game.feature_names) == 4


@pytest.mark.parametrize("preset", ["vanilla", "flat"])
def test_a_seat_with_a_pair_of_kings_does_not_fold(preset):
    from search import Limits, Searcher

    view = at("me=p2 hand.p1=? hand.p2=SK public=HK round1=rc round2=crr")
    result = Searcher(preset=preset, threads=1, seed=1).go(view, Limits(nodes=300))
    assert view.game.move_name(result.best_move) == "call"
