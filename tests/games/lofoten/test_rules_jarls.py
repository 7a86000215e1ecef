"""Lofoten, RULES.md section 11: Jarls, their requirements and the claim."""

import pytest
from helpers import (
    TYPES,
    field,
    finish_turn,
    first_luck,
    legal,
    phase,
    play,
    position,
    ships,
    stored,
    take_luck,
    weights,
)
from module_helpers import jarls_only, read_cards, wheel, with_modules

import engine

MARKET = ("~tile=F1x", "~tile=M2o", "~tile=S3x", "~tile=C2x", "~tile=F2o", "~top1=C", "~top2=S")
HOUSES = tuple(f"~warehouse=w{n}" for n in (3, 8, 1, 6))
SIDES = [f"q{card}{side}" for card in range(1, 8) for side in "ab"]


def claims(requirement, warehouses="w1|w4|w6|w8", seat=1, **given):
    """Return whether a seat may claim, at the end of its turn, a Jarl with this requirement."""
    other = "q7b" if requirement[1] != "7" else "q5b"
    given = {"market": "-.-.-.-.-", "jarl_cards": f"j6:{requirement}|j7:{other}"} | given
    given["upgrades"] = "on" if "_" in warehouses else "off"
    state = with_modules(phase="end", turn=f"p{seat}", warehouses=warehouses, **given)
    assert "claim:2" not in legal(state)
    return "claim:1" in legal(state)


# 11.1: set-up.


def test_11_1_two_jarls_and_above_each_a_requirement():
    """EN Module 2, Setup: 2 Jarl cards, a requirement card above each, random side; R81."""
    state = play(engine.load("lofoten", jarls="on").new_state(), *MARKET, *HOUSES)
    assert weights(state) == {f"~jarl=j{n}": 1 for n in range(1, 9)}
    state = play(state, "~jarl=j3")
    assert weights(state) == {f"~requirement={side}": 1 for side in SIDES}
    state = play(state, "~requirement=q5b")
    assert weights(state) == {f"~jarl=j{n}": 1 for n in range(1, 9) if n != 3}
    state = play(state, "~jarl=j8")
    left = [side for side in SIDES if side[1] != "5"]
    assert weights(state) == {f"~requirement={side}": 1 for side in left}
    state = play(state, "~requirement=q7a")
    assert phase(state) == "order p1" and field(state, "jarl-cards") == "j3:q5b|j8:q7a"


def test_11_1_the_jarls_are_public():
    """R81: all of them, with the side that shows."""
    state = take_luck(engine.load("lofoten", jarls="on").new_state(), 3)
    for seat in (0, 1):
        assert field(state.view(seat), "jarl-cards") == field(state, "jarl-cards") != "-"


def test_11_1_setting_off_deals_none():
    """EN Complete Game: the modules can be played separately; jarls=off."""
    state = play(engine.load("lofoten").new_state(), *MARKET, *HOUSES)
    assert phase(state) == "order p1" and field(state, "jarl-cards", "none") == "none"
    assert legal(position(phase="end")) == {"end"}


def test_11_1_the_players_then_begin_as_ever():
    """R6, R81: two Jarls on the table change nothing in the turn."""
    state = take_luck(engine.load("lofoten", jarls="on").new_state(), 8)
    assert phase(state) == "play p1" and field(state, "coins") == "2.3.3"


# 11.2: when a Jarl may be claimed.


def rich(**given):
    """Return a state in which the first Jarl wants 5 coins, which both have or may have."""
    return jarls_only(**({"jarl_cards": "j6:q7b|j7:q4a", "coins": "5.0.3"} | given))


def test_11_2_at_the_end_of_the_turn():
    """EN Module 2, Playing: at the end of your turn; not when the condition is met earlier."""
    state = rich(hand_p1="C1.M2.F3")
    seen = [phase(state)]
    assert not any(word.startswith("claim") for word in legal(state))
    for event in ("mid:M2", "discard:5", "~draw@p1=C1", "put:left", "pile:1"):
        state = play(state, event)
        assert state.is_chance or not any(word.startswith("claim") for word in legal(state))
        seen.append(phase(state))
    state = first_luck(play(first_luck(state), "place:5"))
    assert phase(state) == "end p1" and "claim:1" in legal(state)
    assert seen == ["play p1", "use p1", "draw p1", "put p1", "pile p1", "flip p1"]


def test_11_2_the_turn_goes_on_after_a_claim():
    """EN Module 2, Playing: claiming is one of the options of the end of the turn."""
    state = play(rich(phase="end"), "claim:1")
    assert phase(state) == "end p1" and field(state, "jarl-cards") == "j6:q7b:p1|j7:q4a"
    assert legal(state) == {"extra", "redraw:M1.F1.S1", "end"}
    assert phase(play(state, "end")) == "play p2"


def test_11_2_nobody_has_to_claim():
    """EN Module 2, Playing: not required; R56: fulfilled again later it can be claimed then."""
    state = play(rich(phase="end", hand_p1="C1.F1.S1"), "end")
    assert field(state, "jarl-cards") == "j6:q7b|j7:q4a"
    state = play(finish_turn(play(state, "left:M3", "stop")), "left:C1", "stop")
    state = play(state, "~draw@p1=C2", "put:left")
    assert phase(state) == "end p1" and "claim:1" in legal(state)


def test_11_2_not_once_the_condition_is_lost():
    """R56: it must hold at the moment of claiming."""
    state = rich(phase="end", coins="6.0.2")
    assert "claim:1" in legal(state)
    state = play(state, "redraw:M1.F1.S1", "~draw@p1=C1", "~draw@p1=C1", "~draw@p1=C2")
    assert field(state, "coins") == "4.0.4" and "claim:1" not in legal(state)
    state = jarls_only(
        phase="end", turn="p2", coins="5.0.3", jarl_cards="j6:q7b|j7:q4a", hand_p1="C1.F1.S1"
    )
    state = play(state, "end", "left:C1", "turn:ccw", "pay:turn:ccw", "stop", "~draw@p1=C1")
    assert "claim:1" not in legal(play(state, "put:left"))


def test_11_2_after_a_redraw_that_leaves_enough():
    """R29, R56: a redraw at the end of the turn comes back to the claim."""
    state = rich(phase="end", coins="7.0.1")
    state = play(state, "redraw:M1.F1.S1", "~draw@p1=C1", "~draw@p1=C1", "~draw@p1=C2")
    assert phase(state) == "end p1" and field(state, "coins") == "5.0.3"
    state = play(state, "claim:1")
    assert field(state, "jarl-cards").startswith("j6:q7b:p1")


def test_11_2_a_condition_met_within_the_turn_is_enough():
    """R56: what was stored or taken in this turn counts."""
    state = jarls_only(
        hand_p1="F1.F2.C3",
        ships_p1=ships(right="C1+C2o"),
        warehouses="w1:C:C3o.C3x/-|w4|w6|w8",
        jarl_cards="j6:q4a|j7:q7b",
    )
    state = play(state, "mid:F2", "turn:cw", "~draw@p1=C1", "put:left")
    assert stored(state, 1) == "C:C2o.C3x.C3o/-" and "claim:1" in legal(state)


def test_11_2_in_additional_turns_too():
    """R30, R75: an additional turn has an end like any other."""
    state = play(rich(phase="end", hand_p1="C1.F1.S1", extra=1), "end")
    state = play(state, "left:C1", "stop", "~draw@p1=C2", "put:left")
    assert phase(state) == "end p1" and "claim:1" in legal(state)


def test_11_2_in_the_last_turn():
    """R47: the end-of-turn options follow the action phase of the last turn."""
    given = {"triggered": 1, "turn": "p2", "coins": "0.5.3", "unseen": "-"}
    state = play(rich(market="M1x.F1x.S1x.C1x.-", **given), "left:M3", "stop")
    assert phase(state) == "last p2" and legal(state) == {"claim:1", "extra", "end"}
    state = play(state, "claim:1")
    assert phase(state) == "last p2" and legal(state) == {"extra", "end"}
    state = play(state, "end", "keep", "keep")
    assert state.scores() == [0, 4]


def test_11_2_not_during_the_final_unloading():
    """EN Module 2, Playing: at the end of your turn, so not after the last one."""
    state = rich(phase="unload", triggered=1)
    assert legal(state) == {"keep"}


def test_11_2_only_by_the_seat_whose_turn_it_is():
    """EN Module 2, Playing: at the end of *your* turn."""
    assert "claim:1" not in legal(rich(phase="end", coins="0.5.3"))
    assert "claim:1" in legal(rich(phase="end", coins="0.5.3", turn="p2"))


# 11.3: one each.


def test_11_3_nobody_can_have_both():
    """EN Module 2, Attention: you cannot claim both Jarls, in this turn or later; R57."""
    given = {"jarl_cards": "j6:q7b|j7:q5b", "coins": "5.0.3"}
    stock = {"market": "-.-.-.-.-", "warehouses": "w1:F:F3x.F3o.F2x.F2o/-|w4|w6|w8"}
    state = jarls_only(phase="end", unseen="-", triggered=1, **given, **stock)
    assert {"claim:1", "claim:2"} < legal(state)
    for first, other in (("claim:1", "claim:2"), ("claim:2", "claim:1")):
        assert other not in legal(play(state, first))
    owned = given | {"jarl_cards": "j6:q7b:p1|j7:q5b"}
    state = jarls_only(phase="end", unseen="-", triggered=1, **owned, **stock)
    assert "claim:2" not in legal(state)


def test_11_3_a_claimed_jarl_is_gone_for_the_other():
    """EN Module 2, Attention; R57: first come."""
    given = {"phase": "end", "turn": "p2", "coins": "0.5.3"}
    assert "claim:1" not in legal(rich(jarl_cards="j6:q7b:p1|j7:q4a", **given))


def test_11_3_each_seat_may_claim_one():
    """EN Module 2, Attention: the second can be claimed by the opponent, who meets it."""
    stock = "w1:F:F3x.F3o.F2x.F2o/-|w4:C:-/C3x.C3o.C2x.C2o|w6|w8"
    state = jarls_only(
        phase="end",
        coins="5.0.3",
        market="-.-.-.-.-",
        warehouses=stock,
        jarl_cards="j6:q7b|j7:q5b",
        triggered=1,
        unseen="-",
    )
    state = play(state, "claim:1", "end", "left:M3", "stop")
    assert phase(state) == "last p2" and "claim:2" in legal(state)
    state = play(state, "claim:2")
    assert field(state, "jarl-cards") == "j6:q7b:p1|j7:q5b:p2"
    state = play(state, "end", "keep", "keep")
    assert state.scores() == [4 + 4, 6 + 2], "renown for seat 1, two bucklers for seat 2"


# 11.4 to 11.7: the requirements.


@pytest.mark.parametrize("number, kind", list(enumerate(TYPES, 1)))
@pytest.mark.parametrize(
    "tiles, three, six",
    [
        ("1x.1o.2x/-", True, False),
        ("3x.3o/1x", False, True),
        ("1x.2o.2o/-", True, False),
        ("1x.1o.2x.2x/-", True, True),
        ("3x.2o/-", False, False),
        ("-/3x.3o.2x", False, False),
        ("2x.2o/2o.3x.3o", False, False),
    ],
)
def test_11_4_three_tiles_or_six_merchandise_of_a_type(number, kind, tiles, three, six):
    """FR Requirements: 3 tiles, or 6 merchandise, of the type shown; R82: on the own side."""
    side = "/".join(
        ".".join(kind + tile if tile != "-" else tile for tile in part.split("."))
        for part in tiles.split("/")
    )
    other = "C" if kind != "C" else "M"
    house = f"w1:{kind}:{side}|w4:{other}:{other}1x.{other}2o.{other}3o/-|w6|w8"
    assert claims(f"q{number}a", house) is three
    assert claims(f"q{number}b", house) is six


@pytest.mark.parametrize(
    "missing, met", [("", True), ("M", False), ("F", False), ("S", False), ("C", False)]
)
def test_11_4_a_tile_of_each_type(missing, met):
    """FR Requirements: a tile of every type, on the own side."""
    houses = [
        f"w{n}:{kind}:-/{kind}1x" if kind == missing else f"w{n}:{kind}:{kind}1o/-"
        for n, kind in enumerate(TYPES, 1)
    ]
    assert claims("q5a", "|".join(houses)) is met
    assert claims("q5a", "|".join(houses), seat=2) is False


@pytest.mark.parametrize(
    "warehouses, met",
    [
        ("w1:F:F3x.F3o.F2x.F2x/-|w4|w6|w8", True),
        ("w1:F:F3x.F3o/-|w4:M:M2x/-|w6:S:S1x.S1o/-|w8", True),
        ("w1:F:F3x.F3o.F2x/-|w4:M:M1x/M3x.M3o|w6|w8", False),
    ],
)
def test_11_4_ten_merchandise(warehouses, met):
    """FR Requirements: 10 merchandise, over all warehouses of the own side."""
    assert claims("q5b", warehouses) is met


def test_11_4_seat_2_counts_its_own_side():
    """R82: what seat 2 stores is on the other side."""
    house = "w1:F:-/F1x.F1o.F2x|w4|w6|w8"
    assert claims("q2a", house, seat=2) and not claims("q2a", house, seat=1)
    assert not claims("q2a", "w1:F:F1x.F1o.F2x/F3x|w4|w6|w8", seat=2)


@pytest.mark.parametrize(
    "requirement, stock",
    [
        ("q2a", "w1:F:F1x.F1o/-|w4|w6|w8"),
        ("q2b", "w1:F:F3x.F1o/-|w4|w6|w8"),
        ("q5b", "w1:F:F3x.F1o/-|w4:M:M3x.M1x/-|w6|w8"),
        ("q6a", "w1:F:F1x.F3x.F1o/-|w4|w6|w8"),
        ("q6b", "w1:F:F1o.F2o.F3o/-|w4:M:M1o/-|w6|w8"),
    ],
)
def test_11_4_tiles_on_ships_do_not_count(requirement, stock):
    """R82: only tiles stored on the own side; with the tile on the ship stored it is met."""
    assert not claims(requirement, stock, ships_p1=ships(top="F2+F2o"))
    assert claims(requirement, stock.replace("/-|w4", ".F2o/-|w4", 1))


@pytest.mark.parametrize(
    "tiles, each, alike",
    [
        ("F1x.F2x/-|w4:C:C1o.C2o/-", True, False),
        ("F1x.F2x.F3x/-|w4:C:C1o/-", False, False),
        ("F1o.F2o.F3o/-|w4:C:C1x/-", False, False),
        ("F1x.F2x.F2x.F3x/-|w4:C:C1x/-", False, True),
        ("F1o.F2o.F2o.F3o/-|w4:C:C1o/-", False, True),
        ("F1x.F2x.F2x.F3x/-|w4:C:C1o.C2o.C2o.C3o/-", True, False),
        ("F1x.F2x.F2x/F3x.F2o|w4:C:C1x.C1o/C2o", False, False),
        ("-/F1x.F2x.F2x.F3x|w4:C:-/C1x.C1o.C2o", False, False),
    ],
)
def test_11_7_bucklers(tiles, each, alike):
    """FR Requirements: 2 bucklers of both clans, or 5 of one; R61: of one's own tiles."""
    house = f"w1:F:{tiles}|w6|w8"
    assert claims("q6a", house) is each
    assert claims("q6b", house) is alike


def test_11_7_both_seats_may_use_either_clan():
    """R61: five bucklers of one clan, one's own or the other."""
    for tiles in ("F1x.F2x.F2x.F3x", "F1o.F2o.F2o.F3o"):
        house = f"w1:F:-/{tiles}|w4:C:-/C1{tiles[2]}|w6|w8"
        assert claims("q6b", house, seat=2)
        assert claims("q6b", house, seat=2, first_clan="2")
        assert not claims("q6b", house, seat=1)


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize(
    "coins, give, own", [(2, 0, 0), (3, 1, 0), (4, 1, 0), (5, 1, 1), (6, 1, 1)]
)
def test_11_6_coins_just_enough(seat, coins, give, own):
    """FR Requirements: 3 coins to give, 5 coins to own; no others count."""
    mine = {"coins": f"{coins}.2.{6 - coins}" if seat == 1 else f"2.{coins}.{6 - coins}"}
    assert claims("q7a", seat=seat, **mine) == bool(give)
    assert claims("q7b", seat=seat, **mine) == bool(own)


@pytest.mark.parametrize(
    "turn, before, after", [("p1", "3.2.3", "0.5.3"), ("p2", "2.4.2", "5.1.2")]
)
def test_11_6_three_coins_go_to_the_opponent(turn, before, after):
    """FR Requirements: 3 coins for the opponent; R58: paid at the claim, not to the reserve."""
    state = jarls_only(phase="end", turn=turn, coins=before, jarl_cards="j6:q7a|j7:q4a")
    assert field(play(state, "claim:1"), "coins") == after


def test_11_6_five_coins_are_only_shown():
    """FR Requirements: 5 coins to own; R59: nothing is paid."""
    state = play(rich(phase="end", coins="5.1.2"), "claim:1")
    assert field(state, "coins") == "5.1.2"


def test_11_6_the_coins_given_are_no_longer_there_for_a_turn():
    """R58, R71: six coins are enough for the Jarl and an additional turn, in either order."""
    given = {"phase": "end", "jarl_cards": "j6:q7a|j7:q4a"}
    state = jarls_only(coins="6.0.2", **given)
    one = play(state, "claim:1", "extra")
    two = play(state, "extra", "claim:1")
    assert field(one, "coins") == field(two, "coins") == "0.3.5"
    assert phase(play(one, "end")) == "play p1"
    state = jarls_only(coins="5.0.3", **given)
    assert "extra" not in legal(play(state, "claim:1"))
    assert "claim:1" not in legal(play(state, "extra"))


# 11.5: tiles turned face down.


@pytest.mark.parametrize(
    "requirement, warehouses, everywhere, scoring",
    [
        ("q2a", "w1:F:F1x_.F1o_.F2x/-|w4|w6|w8", True, True),
        ("q5a", "w1:F:F1x_/-|w2:M:M1x/-|w3:S:S1x/-|w4:C:C1x/-", True, True),
        ("q2b", "w1:F:F3x_.F3o.F2x/-|w4|w6|w8", True, True),
        ("q2b", "w1:F:F3x_.F3o.F1x/-|w4|w6|w8", False, True),
        ("q2b", "w1:F:F3x_.F2o/-|w4|w6|w8", False, False),
        ("q5b", "w1:F:F3x.F3o.F2x/-|w4:M:M2x_/-|w6|w8", False, True),
        ("q5b", "w1:F:F3x.F3o.F2x/-|w4:M:M2x_.M1x/-|w6|w8", True, True),
        ("q6a", "w1:F:F1x.F2x.F1o.F2o_/-|w4|w6|w8", False, True),
        ("q6a", "w1:F:F1x.F2x.F1o.F2o.F3o_/-|w4|w6|w8", True, True),
        ("q6b", "w1:F:F1x.F2x.F2x.F3x_/-|w4:M:M1x/-|w6|w8", False, True),
        ("q6b", "w1:F:F1x.F2x.F2x.F3x_/-|w4:M:M1x.M2x/-|w6|w8", True, True),
    ],
)
def test_11_5_tiles_face_down_in_requirements(requirement, warehouses, everywhere, scoring):
    """R60: one merchandise and no buckler; turned=scoring: value and buckler still count here."""
    number = warehouses.count("_")
    given = {"ships_p1": wheel(letters="abcd"[: 4 - number] + "ABCD"[4 - number :])}
    assert claims(requirement, warehouses, **given) is everywhere
    assert claims(requirement, warehouses, turned="everywhere", **given) is everywhere
    assert claims(requirement, warehouses, turned="scoring", **given) is scoring


def test_11_5_the_upgrade_of_this_turn_may_spoil_the_claim():
    """R60, R62: turning the tile first takes away what the Jarl wants."""
    given = {
        "phase": "end",
        "jarl_cards": "j6:q2b|j7:q4a",
        "market": "-.-.-.-.-",
        "warehouses": "w1:F:F3x.F3o/-|w4|w6|w8",
    }
    state = with_modules(**given)
    assert "claim:1" in legal(state)
    assert "claim:1" not in legal(play(state, "facedown:F3x", "upgrade:A"))
    assert "facedown:F3x" in legal(play(state, "claim:1"))
    state = with_modules(turned="scoring", **given)
    assert "claim:1" in legal(play(state, "facedown:F3x", "upgrade:A"))


def test_11_4_the_figures_of_a_card_file_count(tmp_path):
    """RULES 15: what is wanted is data: 4 coins instead of 3 to give, 6 to own, 2 of each type."""
    cards = read_cards(
        tmp_path,
        ('kind = "give_coins", coins = 3', 'kind = "give_coins", coins = 4'),
        ('kind = "own_coins", coins = 5', 'kind = "own_coins", coins = 6'),
        ('kind = "each_type", tiles = 1', 'kind = "each_type", tiles = 2'),
    )
    assert not claims("q7a", coins="3.0.5", cards=cards)
    state = jarls_only(phase="end", coins="4.0.4", cards=cards, jarl_cards="j6:q7a|j7:q4a")
    assert field(play(state, "claim:1"), "coins") == "0.4.4"
    assert [claims("q7b", coins=f"{n}.0.{8 - n}", cards=cards) for n in (5, 6)] == [False, True]
    one = "|".join(f"w{n}:{kind}:{kind}1o/-" for n, kind in enumerate(TYPES, 1))
    two = "|".join(f"w{n}:{kind}:{kind}1x.{kind}1o/-" for n, kind in enumerate(TYPES, 1))
    assert not claims("q5a", one, cards=cards) and claims("q5a", two, cards=cards)
