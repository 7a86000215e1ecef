"""Oh Hell, one test a rule of RULES.md, in its order."""

import pytest
from oh_hell_helpers import TRICK, at, legal, load, play

from engine import BadSetting, IllegalMove, RandomStream
from engine.conformance import Trial


def test_rule_1_three_or_four_seats():
    assert [load(seats=seats).num_seats for seats in (3, 4)] == [3, 4]
    assert load().num_seats == 3
    for seats in (2, 5):
        with pytest.raises(BadSetting, match="from 3 to 4"):
            load(seats=seats)


def test_rule_2_a_smaller_deck_leaves_out_the_last_suits_and_the_highest_ranks():
    state = play(load(suits=3, cards_per_suit=4, tricks=2).new_state(), "~dealer=p1")
    assert legal(state) == [f"~deal@p1={suit}{rank}" for rank in "2345" for suit in "CDS"]
    full = play(load(tricks=1).new_state(), "~dealer=p1")
    assert len(legal(full)) == 52
    assert legal(full)[0] == "~deal@p1=C2" and legal(full)[-1] == "~deal@p1=HA"


@pytest.mark.parametrize("seats, suits, cards", [(3, 1, 2), (3, 1, 3), (4, 1, 4), (4, 2, 2)])
def test_rule_2_a_deck_needs_a_card_for_each_seat_and_one_more(seats, suits, cards):
    with pytest.raises(BadSetting, match=f"{seats + 1}, one of them to turn up"):
        load(seats=seats, suits=suits, cards_per_suit=cards)
    load(seats=3, suits=1, cards_per_suit=4)
    load(seats=4, suits=1, cards_per_suit=5)


@pytest.mark.parametrize("seats, cards, most", [(3, 13, 17), (4, 13, 12), (3, 2, 2), (4, 2, 1)])
def test_rule_3_the_number_of_tricks_is_drawn_evenly(seats, cards, most):
    state = load(seats=seats, cards_per_suit=cards).new_state()
    assert legal(state) == [f"~tricks={number}" for number in range(1, most + 1)]
    assert [p for _, p in state.chance_outcomes()] == [1 / most] * most


def test_rule_3_or_it_is_fixed():
    state = load(tricks=5).new_state()
    assert legal(state) == ["~dealer=p1", "~dealer=p2", "~dealer=p3"]
    assert load(tricks=17) and load(seats=4, tricks=12)
    with pytest.raises(BadSetting, match="at most 12, not 13"):
        load(seats=4, tricks=13)


def test_rule_4_the_dealer_is_drawn_evenly():
    state = play(load(seats=4).new_state(), "~tricks=2")
    assert legal(state) == ["~dealer=p1", "~dealer=p2", "~dealer=p3", "~dealer=p4"]
    assert [p for _, p in state.chance_outcomes()] == [1 / 4] * 4


@pytest.mark.parametrize("dealer", ["p1", "p2", "p3"])
def test_rule_5_cards_are_dealt_by_turns_from_seat_1_on(dealer):
    state = play(load(tricks=2).new_state(), f"~dealer={dealer}")
    order, luck = [], RandomStream(1)
    while state.is_chance:
        move = state.sample_chance(luck)
        assert len(state.legal_moves()) == 52 - len(order)
        order.append(state.event_name(move)[:8])
        state.apply(move)
    assert order == ["~deal@p1", "~deal@p2", "~deal@p3"] * 2 + ["~trump=" + order[-1][7:]]


def test_rule_5_only_its_owner_sees_a_card():
    state = play(load(tricks=1).new_state(), "~dealer=p1")
    card = state.game.parse_event("~deal@p1=S7")[1]
    shown = [state.event_name(state.redact(card, seat)) for seat in range(3)]
    assert shown == ["~deal@p1=S7", "~deal@p1=?", "~deal@p1=?"]
    state.apply(card)
    assert "hand.p1=S7 hand.p2=- " in state.view(0).to_text() + " "
    assert "hand.p1=? hand.p2=- " in state.view(1).to_text() + " "


def test_rule_6_a_card_is_turned_up_and_belongs_to_nobody():
    state = at("hand-size=1 dealer=p1 hand.p1=S7 hand.p2=HA hand.p3=C2")
    assert len(legal(state)) == 49 and not {"~trump=S7", "~trump=HA"} & set(legal(state))
    play(state, "~trump=D4")
    fields = state.game.fields(state)
    assert [len(hand) for hand in fields["hand"]] == [1, 1, 1]
    assert all("trump=D4" in state.view(seat).to_text() for seat in range(3))


def test_rule_7_each_seat_bids_once_from_the_seat_after_the_dealer_on():
    state = at("hand-size=2 dealer=p1 hand.p1=S2.S7 hand.p2=C3.HA hand.p3=C2.D2 trump=H4")
    turns = []
    for _ in range(3):
        turns.append(state.seat_to_move)
        assert legal(state)[0] == "bid:0"
        play(state, legal(state)[-1])
    assert turns == [1, 2, 0]
    assert "bids=2.2.2" in state.view(0).to_text(), "all see the bids"
    assert legal(state)[0].startswith("play:")


@pytest.mark.parametrize(
    "bids, left",
    [
        ("-.0.0", [0, 1]),
        ("-.1.0", [0, 2]),
        ("-.0.2", [1, 2]),
        ("-.2.1", [0, 1, 2]),
    ],
)
def test_rule_8_the_dealer_may_not_make_the_bids_add_up(bids, left):
    hands = "hand-size=2 dealer=p1 hand.p1=S2.S7 hand.p2=C3.HA hand.p3=C2.D2 trump=H4"
    state = at(f"{hands} bids={bids}")
    assert legal(state) == [f"bid:{number}" for number in left]


def test_rule_8_the_others_may_bid_anything():
    state = at("hand-size=2 dealer=p1 hand.p1=S2.S7 hand.p2=C3.HA hand.p3=C2.D2 trump=H4")
    assert legal(state) == ["bid:0", "bid:1", "bid:2"]
    assert legal(play(state, "bid:2")) == ["bid:0", "bid:1", "bid:2"]


def test_rule_9_the_seat_after_the_dealer_leads_any_card():
    state = at(TRICK)
    assert state.seat_to_move == 0
    assert legal(state) == ["play:C4", "play:D9", "play:SA"]


def test_rule_9_who_has_the_suit_led_must_play_it():
    state = play(at(TRICK), "play:C4")
    assert (state.seat_to_move, legal(state)) == (1, ["play:C7"])
    with pytest.raises(IllegalMove, match="p2:play:DT"):
        play(state, "play:DT")
    state = play(at(TRICK), "play:SA")
    assert legal(state) == ["play:H2", "play:C7", "play:DT"], "any card, trumps too"
    assert legal(play(state, "play:DT")) == ["play:S3"]


def test_rule_9_who_takes_a_trick_leads_to_the_next():
    state = play(at(TRICK), "play:C4", "play:C7", "play:CQ")
    assert state.seat_to_move == 2
    assert legal(state) == ["play:S3", "play:HK"]
    assert [x for x in state.game.fields(state)["won"]] == [0, 0, 1]


@pytest.mark.parametrize(
    "cards, taker",
    [
        ("C4 C7 CQ", 2),  # the highest of the suit led
        ("SA DT S3", 1),  # a trump
        ("SA H2 S3", 0),  # other suits do not count, whatever their rank
        ("D9 DT HK", 1),  # the higher trump, led
    ],
)
def test_rule_10_who_takes_the_trick(cards, taker):
    state = play(at(TRICK), *(f"play:{card}" for card in cards.split()))
    assert state.game.fields(state)["won"].index(1) == taker
    assert state.seat_to_move == taker


def test_rule_10_a_higher_trump_beats_a_trump():
    fields = "hand-size=1 dealer=p3 hand.p1=CA hand.p2=D9 hand.p3=DT trump=D2 bids=0.0.0"
    state = play(at(fields), "play:CA", "play:D9", "play:DT")
    assert state.game.fields(state)["won"] == [0, 0, 1]


END = "dealer=p3 hand.p1=CA hand.p2=C9 hand.p3=DT trump=S2 bids=1.1.0 plays=C4.C2.C3.H7.H9.HK"
"""Seat 1 has taken the first trick; seat 3 has the second and leads to the last, which it takes."""


def finish(settings, bids):
    state = at(f"{settings} {END}".replace("1.1.0", bids))
    assert state.seat_to_move == 2
    return play(state, "play:DT", "play:CA", "play:C9")


@pytest.mark.parametrize("points, scores", [(1, [11, 0, 2]), (5, [15, 0, 10]), (0, [10, 0, 0])])
def test_rule_11_points_for_tricks_and_ten_for_a_bid_that_is_met(points, scores):
    state = finish(f"tricks=3 points-per-trick={points}", "1.1.0")
    assert state.is_terminal and state.scores() == scores
    assert finish("tricks=3", "1.0.1").scores() == [11, 10, 2]


@pytest.mark.parametrize("points, scores", [(1, [11, -1, -2]), (5, [15, -5, -10]), (0, [10, 0, 0])])
def test_rule_12_a_missed_bid_costs_points(points, scores):
    state = finish(f"tricks=3 off-bid-penalty=on points-per-trick={points}", "1.1.0")
    assert state.scores() == scores
    assert finish("tricks=3 off-bid-penalty=on", "3.0.3").scores() == [-2, 10, -1]


def test_rule_13_the_return_is_the_share_of_seats_beaten():
    state = finish("tricks=3", "1.1.0")
    assert state.scores() == [11, 0, 2]
    assert state.returns() == [1, 0, 0.5]
    assert state.margins() == [9, -11, -9]


def test_rule_13_equal_points_count_half():
    state = finish("tricks=3 points-per-trick=0", "1.1.0")
    assert state.scores() == [10, 0, 0] and state.returns() == [1, 0.25, 0.25]
    assert state.margins() == [10, -10, -10]
    state = finish("tricks=3 points-per-trick=0", "0.1.0")
    assert state.returns() == [0.5, 0.5, 0.5] and state.margins() == [0, 0, 0]


@pytest.mark.parametrize("seats", [3, 4])
def test_rule_13_returns_add_up_to_half_the_seats(seats):
    game = load(seats=seats)
    for seed in range(20):
        *_, last = (state for state, _ in Trial(game, seed, 400).steps())
        assert sum(last.returns()) == pytest.approx(seats / 2)
        order = sorted(range(seats), key=lambda seat: last.scores()[seat])
        shares = [last.returns()[seat] for seat in order]
        assert shares == sorted(shares)


def test_rule_14_not_to_follow_suit_tells_all():
    state = play(at(TRICK), "play:SA", "play:H2")
    view = state.view(0)
    assert "hand.p2=?.?" in view.to_text()
    play(view, "play:S3", "play:C4")
    for card in ("S4", "SK", "S9"):
        assert not view.can_follow(view.game.parse_move(f"play:{card}")), "it has no spades"
    assert view.can_follow(view.game.parse_move("play:C7"))


def test_scores_during_the_game():
    state = play(at(TRICK), "play:C4", "play:C7", "play:CQ")
    assert state.scores() == [0, 10, 1]
    assert at("hand-size=1 dealer=p1 hand.p1=S7 hand.p2=HA hand.p3=C2 trump=D4").scores() == [0] * 3
