"""Positions, deals, pictures, features and search of Oh Hell."""

import re

import pytest
from oh_hell_helpers import TRICK, at, load, play

import engine
from engine import BadPositionText, RandomStream
from engine.conformance import Trial
from search import Limits, Searcher

DEALT = "hand-size=2 dealer=p1 hand.p1=S2.S7 hand.p2=C3.HA hand.p3=C2.D2 trump=H4"
FAULTS = [
    ("oh_hell/2", "must begin"),
    ("oh_hell/1 seats=5", "from 3 to 4"),
    ("oh_hell/1 seats=4 tricks=17", "at most 12"),
    ("oh_hell/1 flurb=1", "the fields are"),
    ("oh_hell/1 hand.p4=C2", "the fields are"),
    ("oh_hell/1 dealer", "write key=value"),
    ("oh_hell/1 dealer=", "the fields are"),
    ("oh_hell/1 me=p4", "use one of p1, p2, p3"),
    ("oh_hell/1 hand-size=18", "from 0 to 17"),
    ("oh_hell/1 tricks=3 hand-size=4", "says 3"),
    ("oh_hell/1 hand-size=1 hand.p1=C2", "say who deals"),
    ("oh_hell/1 dealer=p1", "dealer"),
    ("oh_hell/1 hand-size=2 dealer=p1 hand.p1=C2 hand.p2=C2", "hand.p2"),
    ("oh_hell/1 hand-size=2 dealer=p1 hand.p2=C2", "hand.p1"),
    ("oh_hell/1 hand-size=2 dealer=p1 hand.p1=C2.C3 hand.p2=C4", "hand.p"),
    ("oh_hell/1 hand-size=1 dealer=p1 hand.p1=C2.C3 hand.p2=C4 hand.p3=C5", "hand.p"),
    ("oh_hell/1 hand-size=1 dealer=p1 hand.p1=? hand.p2=C4 hand.p3=C5", "whose view"),
    ("oh_hell/1 me=p1 hand-size=1 dealer=p1 hand.p1=? hand.p2=? hand.p3=?", "own cards"),
    ("oh_hell/1 me=p1 hand-size=1 dealer=p1 hand.p1=C2 hand.p2=C4 hand.p3=?", "cannot show"),
    ("oh_hell/1 hand-size=1 dealer=p1 hand.p1=X2", "no card"),
    ("oh_hell/1 hand-size=2 dealer=p1 hand.p1=D2.C3", "sort"),
    (f"oh_hell/1 {DEALT} bids=1.-.-", "in turn"),
    (f"oh_hell/1 {DEALT} bids=1.0", "write 3 numbers"),
    (f"oh_hell/1 {DEALT} bids=1.0.1", "bids"),
    (f"oh_hell/1 {DEALT} bids=-.3.-", "from 0 to 2"),
    ("oh_hell/1 hand-size=1 dealer=p1 hand.p1=S2 hand.p2=- hand.p3=C2 trump=H4 plays=C3",
     "all seats"),
    (f"oh_hell/1 {TRICK} plays=C5.H7.C6", "hand.p"),
    ("oh_hell/1 hand-size=1 dealer=p3 hand.p1=- hand.p2=S4 hand.p3=C5 trump=D2 bids=0.0.0 plays=D2",
     "trump"),
    ("oh_hell/1 hand-size=2 dealer=p3 hand.p1=C2 hand.p2=C4 hand.p3=C5.C6 trump=D2 bids=0.0.0 "
     "plays=C7.H8", "plays"),
    ("oh_hell/1 suits=2 cards-per-suit=5 hand-size=3 dealer=p3 me=p1 hand.p1=D2.D3 hand.p2=?.? "
     "hand.p3=?.? trump=D5 bids=1.0.3 plays=C6.D4.D6", "plays"),
]  # fmt: skip


@pytest.mark.parametrize("text, told", FAULTS)
def test_a_wrong_position_is_refused_by_name(text, told):
    with pytest.raises(BadPositionText, match=re.escape(told)):
        engine.load("oh_hell").from_text(text)


def test_the_examples_of_the_rules_are_the_same_position():
    rules = (engine.__path__[0]) + "/games/oh_hell/RULES.md"
    with open(rules, encoding="utf-8") as file:
        lines = file.read().splitlines()
    start = "position view "
    log, text = (line.removeprefix(start) for line in lines if line.startswith(start))
    head, events = log.split(" moves ")
    state = play(engine.load("oh_hell").from_text(head), *events.split())
    assert state == engine.load("oh_hell").from_text(text)
    first = lines.index("1 trick, seat 2 deals, diamonds are trumps (D2 turned up)")
    assert str(state).splitlines() == lines[first : first + 6]


def test_deals_depend_on_the_seed_alone():
    game = load(seats=4)
    logs = []
    for seed in (1, 1, 2, 3):
        state, deal, log = game.new_state(), game.new_deal(seed), []
        while state.is_chance:
            log.append(state.event_name(deal.outcome(state)))
            state.apply(deal.outcome(state))
        logs.append(log)
    assert logs[0] == logs[1] and len({" ".join(log) for log in logs}) == 3


def test_a_deal_goes_on_from_the_cards_that_are_dealt():
    start = at("hand-size=2 dealer=p1 hand.p1=S2.S7 hand.p2=C3 hand.p3=C2")
    deal, seen = load().new_deal(5, start), {"S2", "S7", "C3", "C2"}
    state = start.copy()
    while state.is_chance:
        token = state.event_name(deal.outcome(state))
        assert token[-2:] not in seen
        seen.add(token[-2:])
        state.apply(deal.outcome(state))
    assert len(seen) == 7


@pytest.mark.parametrize("identity", ["oh_hell/1", "oh_hell/1 seats=4", "kuhn/1"])
def test_features_have_names_and_mirror_each_other(identity):
    game = engine.load(identity.split("/")[0])
    game = game.from_text(identity).game
    assert len(game.feature_names) == len(set(game.feature_names)) >= 2
    seen = set()
    for seed in range(3):
        for state in Trial(game, seed, 200).sparse(3):
            rows = [game.features(state, seat) for seat in range(game.num_seats)]
            assert all(len(row) == len(game.feature_names) for row in rows)
            for numbers in zip(*rows, strict=True):
                assert all(isinstance(number, float) for number in numbers)
                assert sum(numbers) == pytest.approx(0, abs=1e-9)
            seen.add(tuple(rows[0]))
    assert len(seen) > 3


def test_features_tell_good_hands_from_bad():
    state = at("hand-size=2 dealer=p1 hand.p1=DK.DA hand.p2=C3.S9 hand.p3=C2.H2 trump=D4")
    names = state.game.feature_names
    good = dict(zip(names, state.game.features(state, 0), strict=True))
    bad = dict(zip(names, state.game.features(state, 2), strict=True))
    assert good["trumps"] == 2 and good["strength"] > 1 > 0 > bad["strength"]
    play(state, "bid:0", "bid:1", "bid:2")
    near = dict(zip(names, state.game.features(state, 0), strict=True))
    assert near["distance"] < 0, "two tricks are bid and to be expected"


def test_features_fit_their_names_in_every_game(game):
    assert isinstance(game.feature_names, tuple)
    state = game.new_state()
    assert len(game.features(state, 0)) == len(game.feature_names)


@pytest.mark.parametrize("preset", ["vanilla", "drakkar", "flat"])
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("own, best", [("DA", "bid:1"), ("C3", "bid:0")])
def test_a_seat_bids_what_it_takes(preset, seats, own, best):
    """The ace of trumps takes the only trick; a three is as good as sure to lose it."""
    for seat in range(seats):
        dealer = (seat + seats - 2) % seats  # the seat bids and plays second
        hands = " ".join(f"hand.p{s + 1}={own if s == seat else '?'}" for s in range(seats))
        first = (dealer + 1) % seats
        bids = ".".join("0" if s == first else "-" for s in range(seats))
        state = at(
            f"seats={seats} me=p{seat + 1} hand-size=1 dealer=p{dealer + 1} {hands} trump=D4 "
            f"bids={bids}"
        )
        result = Searcher(preset, threads=1, seed=1).go(state, Limits(nodes=1000))
        assert state.game.move_name(result.best_move) == best


def test_places_in_the_middle_are_no_draws():
    """Seats 1 to 3 will have 11, 10 and 0 points: the second place is worth one half, not level."""
    fields = (
        "hand-size=1 dealer=p3 me=p2 hand.p1=- hand.p2=C4 hand.p3=? trump=D2 bids=1.0.1 plays=CA"
    )
    state = at(fields)
    result = Searcher("flat", threads=1, seed=1).go(state, Limits(nodes=2000))
    (line,) = result.info.lines
    won, drawn, lost = line.wdl
    assert drawn == 0 and won + lost == 1000 and 0.4 < line.win < 0.7


@pytest.mark.parametrize("seats", [3, 4])
def test_search_beats_random_play(seats):
    """Each seat in turn searches against random others; one half would be no better than they."""
    game = load(seats=seats, tricks=3)
    total, games = 0.0, 24
    for number in range(games):
        state, luck, choice = game.new_state(), RandomStream(number, 1), RandomStream(number, 5)
        while not state.is_terminal:
            if state.is_chance:
                state.apply(state.sample_chance(luck))
            elif state.seat_to_move == number % seats:
                searcher = Searcher("vanilla", threads=1, seed=number)
                view = state.view(state.seat_to_move)
                state.apply(searcher.go(view, Limits(nodes=200)).best_move)
            else:
                moves = state.legal_moves()
                state.apply(moves[choice.below(len(moves))])
        total += state.returns()[number % seats]
    assert total / games > 0.65
