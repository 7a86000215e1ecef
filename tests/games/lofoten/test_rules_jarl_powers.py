"""Lofoten, RULES.md section 11: abilities of Jarls that last, and those that bring points."""

import pytest
from helpers import area, field, finish_turn, legal, number, phase, play, ships, stored
from module_helpers import COFFERS, claiming, final, owning, read_cards, upgraded_wheel

# 11.11: rowers.


@pytest.mark.parametrize("value, low", [(1, 2), (2, 3), (3, 3)])
@pytest.mark.parametrize("side, step", [("left", "turn:ccw"), ("right", "turn:cw")])
def test_11_11_rowers_have_one_more_move(value, low, side, step):
    """R90: value + 1 moves, also for value 3; rowers=low: not for value 3."""
    hand = f"C{value}.F1.C{value}"
    for given, moves in (({}, value + 1), ({"rowers": "all"}, value + 1), ({"rowers": "low"}, low)):
        state = play(owning("rowers", hand_p1=hand, **given), f"{side}:C{value}")
        for _ in range(moves):
            assert legal(state) == {step, f"move:{side}", "stop"}, moves
            state = play(state, step)
        assert phase(state) == "draw p1"


def test_11_11_rowers_pay_for_moves_after_their_own():
    """R71, R90: bought moves come when the card's own moves, four here, are used up."""
    given = {"hand_p1": "C1.F1.C3", "coins": "1.0.7", "area_p1": 1}
    state = play(owning("rowers", **given), "right:C3", *["move:right"] * 3)
    assert legal(state) == {"move:right", "turn:cw", "stop"}
    state = play(state, "move:right")
    assert area(state, 1) == 5 and legal(state) == {"pay:turn:cw", "stop"}
    assert phase(play(state, "pay:turn:cw")) == "draw p1"


def test_11_11_rowers_with_low_pay_earlier():
    """R71, R90, rowers=low: the fourth move of a card of value 3 has to be bought."""
    state = owning("rowers", rowers="low", hand_p1="C1.F1.C3", coins="1.0.7")
    state = play(state, "right:C3", *["turn:cw"] * 3)
    assert legal(state) == {"pay:move:right", "pay:turn:cw", "stop"}


def test_11_11_rowers_do_not_help_middle_cards():
    """R90: each *side* card."""
    state = owning("rowers", hand_p1="C1.F1.C3")
    assert phase(play(state, "mid:F1", "turn:cw")) == "draw p1"


def test_11_11_rowers_may_stop_early():
    """R10: no move is compulsory."""
    assert phase(play(owning("rowers", hand_p1="C1.F1.C3"), "left:C1", "stop")) == "draw p1"


def test_11_11_rowers_have_the_figure_of_the_card(tmp_path):
    """RULES 15: `rowers` has the figure `moves`."""
    cards = read_cards(tmp_path, ('"rowers"\nmoves = 1', '"rowers"\nmoves = 3'))
    state = play(owning("rowers", hand_p1="C1.F1.C2", cards=cards), "left:C1", *["turn:ccw"] * 4)
    assert phase(state) == "draw p1"


# 11.12: traders; on ship D see test_rules_ships.py.


@pytest.mark.parametrize(
    "warehouses, uses", [("w1|w4|w6|w8", 2), ("w1:C:C3o/-|w4|w6|w8", 2), (COFFERS, 4)]
)
@pytest.mark.parametrize("setting", ["after", "before"])
def test_11_12_traders_have_one_more_use(warehouses, uses, setting):
    """R90: one use more after R17; before or after makes no difference off ship D."""
    state = owning("traders", hand_p1="F1.C2.S1", warehouses=warehouses, traders=setting)
    state = play(state, "mid:C2")
    for left in range(uses, 0, -1):
        assert {"take", "stop"} <= legal(state) <= {"take", "stop", "extra"}, left
        state = play(state, "take")
    assert phase(state) == "draw p1" and field(state, "coins") == f"{uses}.0.{8 - uses}"


@pytest.mark.parametrize(
    "card, words",
    [
        ("M2", ["discard:1", "discard:2"]),
        ("F2", ["turn:cw", "turn:ccw"]),
        ("S2", ["move:left", "move:right"]),
    ],
)
def test_11_12_traders_with_every_effect(card, words):
    """R90: each middle card has one use more."""
    state = play(owning("traders", hand_p1=f"C1.{card}.C1"), f"mid:{card}", words[0])
    assert phase(state) == "use p1" and words[1] in legal(state)
    assert phase(play(state, words[1])) == "draw p1"


def test_11_12_traders_do_not_help_side_cards():
    """R90: each *middle* card."""
    state = owning("traders", hand_p1="C1.F1.C1")
    assert phase(play(state, "right:C1", "turn:cw")) == "draw p1"


@pytest.mark.parametrize("count, uses", [("fixed", 2), ("live", 3)])
def test_11_12_traders_count_anew_under_live(count, uses):
    """R18, R90: one fish stored is N = 1, two uses; the second fish makes it three."""
    state = owning(
        "traders",
        hand_p1="S1.F2.S1",
        count=count,
        ships_p1=ships(right="F3+F3x"),
        warehouses="w1:F:F2x/-|w4|w6|w8",
    )
    state = play(state, "mid:F2", "turn:cw")
    assert stored(state, 1) == "F:F2x.F3x/-"
    for _ in range(uses - 1):
        assert legal(state) == {"turn:cw", "turn:ccw", "stop"}
        state = play(state, "turn:ccw")
    assert phase(state) == "draw p1"


def test_11_12_traders_have_the_figure_of_the_card(tmp_path):
    """RULES 15: `traders` has the figure `uses`."""
    cards = read_cards(tmp_path, ('"traders"\nuses = 1', '"traders"\nuses = 4'))
    state = owning("traders", hand_p1="F1.C2.S1", cards=cards)
    assert phase(play(state, "mid:C2", *["take"] * 5)) == "draw p1"


# 11.13: swift.


@pytest.mark.parametrize("turn, coins, after", [("p1", "2.3.3", "0.3.5"), ("p2", "3.2.3", "3.0.5")])
def test_11_13_swift_pays_two_coins_for_an_additional_turn(turn, coins, after):
    """R90: 2 coins for each additional turn; the coins go to the reserve (R25)."""
    state = owning("swift", seat=int(turn[1]), turn=turn, coins=coins, hand_p1="M1.F1.C1")
    assert "extra" in legal(state)
    state = play(state, "extra")
    assert field(state, "coins") == after and number(state, "extra") == 1


def test_11_13_swift_at_every_offer():
    """R71, R90: when a card is to be played, between the uses of a coffer, at the end."""
    given = {"coins": "2.0.6", "warehouses": COFFERS, "hand_p1": "F1.C2.S1"}
    state = owning("swift", **given)
    assert "extra" in legal(state)
    state = play(state, "mid:C2", "take")
    assert "extra" in legal(state)
    assert "extra" in legal(owning("swift", phase="end", **given))
    less = given | {"coins": "1.0.7"}
    assert "extra" not in legal(owning("swift", **less))
    assert "extra" not in legal(owning("swift", phase="end", **less))


def test_11_13_swift_buys_each_of_several_turns_for_two():
    """R31, R90: each additional turn."""
    state = play(owning("swift", coins="5.0.3", hand_p1="M1.F1.C1"), "extra", "extra")
    assert field(state, "coins") == "1.0.7" and "extra" not in legal(state)
    assert number(state, "extra") == 2


def test_11_13_swift_from_the_claim_on():
    """R90: also for the turn bought right after the claim."""
    given = {"warehouses": COFFERS, "jarl_cards": "j5:q4a|j6:q7b", "coins": "2.0.6"}
    state = claiming("swift", **given)
    assert "extra" not in legal(state)
    state = play(state, "claim:1", "extra", "end")
    assert phase(state) == "play p1" and field(state, "coins") == "0.0.8"


def test_11_13_swift_in_the_last_turn():
    """R74, R90: claimed after the last action phase, it buys the additional turn for two."""
    state = claiming(
        "swift",
        turn="p2",
        coins="0.2.6",
        triggered=1,
        unseen="-",
        market="-.-.-.-.-",
        hand_p2="M3.F3.S3",
        warehouses="w1:C:-/C1o.C2x.C2o|w4|w6|w8",
        jarl_cards="j5:q4a|j6:q7b",
        phase="play",
    )
    state = play(state, "left:M3", "stop")
    assert legal(state) == {"claim:1", "end"}
    state = play(state, "claim:1")
    assert legal(state) == {"extra", "end"}
    state = play(state, "extra")
    assert phase(state) == "draw p2" and field(state, "coins") == "0.0.8"
    state = play(finish_turn(state), "left:F3", "stop")
    assert phase(state) == "last p2" and legal(state) == {"end"}


@pytest.mark.parametrize("price", [1, 2])
def test_11_13_swift_has_the_figure_of_the_card(tmp_path, price):
    """RULES 15: `swift` has the figure `coins`."""
    edit = ('"swift"\ncoins = 2', f'"swift"\ncoins = {price}')
    cards = read_cards(tmp_path, edit) if price != 2 else None
    given = {"cards": cards} if cards else {}
    state = owning("swift", coins="1.0.7", **given)
    assert ("extra" in legal(state)) == (price == 1)


# 11.14: renown and banners.


def with_jarl(jarl, seat, warehouses="w1|w4|w6|w8", **given):
    """Return the final scores where a seat has this Jarl."""
    given = {"jarls": "on", "jarl_cards": f"{jarl}:q5b:p{seat}|j1:q2a"} | given
    return final(warehouses, **given).scores()


def test_11_14_renown_is_four_points():
    """R90: at the end of the game; it decides a game that is otherwise even."""
    assert with_jarl("j6", 1) == [4, 0] and with_jarl("j6", 2) == [0, 4]
    state = final("w1|w4|w6|w8", jarls="on", jarl_cards="j6:q5b:p2|j1:q2a")
    assert state.returns() == [0, 1] and state.margins() == [-4, 4]


def test_11_14_an_unclaimed_jarl_pays_nobody():
    """EN Module 2: only the one who has the card."""
    assert final("w1|w4|w6|w8", jarls="on", jarl_cards="j6:q5b|j7:q2a").scores() == [0, 0]


@pytest.mark.parametrize(
    "house, one, two",
    [
        ("w1:F:F1x.F2x/F2o.F2o", 2, 2),
        ("w1:F:F1o.F2o/F1x.F2x", 0, 0),
        ("w1:F:F1x.F2o/F1o.F2x", 1, 1),
        ("w1:F:F1x.F2x_/F2o_.F2o", 1, 1),
        ("w1:F:F1x_/F2o_", 0, 0),
    ],
)
def test_11_14_banners_are_points_for_bucklers_of_the_own_clan(house, one, two):
    """R90: face-up tiles of the own side; also under turned=scoring, for this is the scoring."""
    turned = house.count("_") // 2
    given = {"upgrades": "on"} if turned else {}
    given |= {f"ships_p{seat}": upgraded_wheel(turned) for seat in (1, 2)} if turned else {}
    text = f"{house}|w4|w6|w8"
    for setting in ("everywhere", "scoring"):
        plain = with_jarl("j1", 1, text, turned=setting, jarl_cards="j1:q5b|j3:q2a", **given)
        for seat, more in ((1, one), (2, two)):
            scores = with_jarl("j7", seat, text, turned=setting, **given)
            assert scores[seat - 1] - plain[seat - 1] == more
            assert scores[2 - seat] == plain[2 - seat]


def test_11_14_banners_over_all_warehouses_but_at_most_six():
    """R90: 1 each, at most 6, on all own stored tiles; not those on ships (R82)."""
    houses = "w1:F:F1x.F2x.F2x/-|w4:M:M1x.M2x/-|w6:S:-/S1x.S2x.S3x|w8:C:C2x/-"
    base = [4 + 6 + 8, 7]
    assert with_jarl("j7", 1, houses) == [base[0] + 6, base[1]]
    assert with_jarl("j7", 1, houses.replace("C2x", "C2o")) == [base[0] + 5, base[1]]
    assert with_jarl("j7", 1, houses.replace("C2x", "C2x.C3x")) == [base[0] + 6, base[1]]
    on_ship = {"ships_p1": ships(top="C2+C3x")}
    assert with_jarl("j7", 1, houses.replace("C2x", "C2o"), **on_ship) == [base[0] + 5, base[1]]


@pytest.mark.parametrize("clan, more", [("1", 2), ("2", 1)])
def test_11_14_banners_follow_the_clan_of_the_first_player(clan, more):
    """R79, R90: under first-clan=2 the first player's clan is o; bucklers=all is another matter."""
    houses = "w1:F:F1x.F2x.F2o/F1o.F3o.F2o|w4|w6|w8"
    for bucklers in ("own", "all"):
        scores = with_jarl("j7", 1, houses, first_clan=clan, bucklers=bucklers)
        assert scores == [more, 4]


def test_11_14_points_have_the_figures_of_the_card(tmp_path):
    """RULES 15: `renown` has `points`, `banners` `points` and `at_most`."""
    cards = read_cards(
        tmp_path,
        ('"renown"\npoints = 4', '"renown"\npoints = 11'),
        ('"banners"\npoints = 1\nat_most = 6', '"banners"\npoints = 2\nat_most = 5'),
    )
    assert with_jarl("j6", 2, cards=cards) == [0, 11]
    assert with_jarl("j7", 1, "w1:F:F1x.F2x/-|w4|w6|w8", cards=cards) == [8, 0]
    assert with_jarl("j7", 1, "w1:F:F1x.F2x.F3x/-|w4|w6|w8", cards=cards) == [9, 0]
