"""Lofoten, RULES.md sections 10 and 15: level-2 warehouses and every scoring."""

import pytest
from helpers import field, first_luck, legal, phase, play, position, weights
from module_helpers import final, points, read_cards, storehouse

import engine

MARKET = ("~tile=F1x", "~tile=M2o", "~tile=S3x", "~tile=C2x", "~tile=F2o", "~top1=C", "~top2=S")
LEVEL_2 = {f"~warehouse=w{n}" for n in range(9, 17)}
LEVEL_1 = {f"~warehouse=w{n}" for n in range(1, 9)}
BOTH = {"level2_tie": "both"}


# 10.1 and 10.2: the cards.


@pytest.mark.parametrize("level2", [0, 1, 2, 3, 4])
def test_10_1_so_many_cards_of_level_1_are_replaced(level2):
    """EN Module 1, Setup: replace as many level-1 cards as you wish; R55: at random."""
    state = play(engine.load("lofoten", level2=level2).new_state(), *MARKET)
    laid = []
    for place in range(4):
        left = (LEVEL_1 if place < 4 - level2 else LEVEL_2) - set(laid)
        assert weights(state) == dict.fromkeys(left, 1)
        laid.append(max(left))
        state = play(state, laid[-1])
    assert phase(state).startswith("order")
    assert field(state, "warehouses") == "|".join(token[11:] for token in laid)


def test_10_1_the_places_have_no_meaning():
    """R55: an unloaded tile may open a level-2 warehouse as well as any other."""
    given = {"hand_p1": "M1.F2.M2", "ships_p1": "-.C2+C1o.-.-", "warehouses": "w1|w4|w9|w16"}
    state = play(position(level2=2, **given), "mid:F2", "turn:cw")
    assert legal(state) == {f"store:{n}" for n in (1, 2, 3, 4)}
    assert field(play(state, "store:4"), "warehouses") == "w1|w4|w9|w16:C:C1o/-"


@pytest.mark.parametrize(
    "house, expected",
    [
        ("w1:F:F2x/F1o", [4, 0]),
        ("w8:F:F2x/F3o", [0, 8]),
        ("w8:F:F2x/F2o", [0, 0]),
        ("w8:F:F3x_/F2o", [0, 8]),
        ("w8:F:F3x_/F1o", [0, 0]),
        ("w8:F:F3x_.F2x_/F1o", [8, 0]),
        ("w8", [0, 0]),
    ],
)
def test_10_2_level_1_cards_score_as_ever(house, expected):
    """EN Module 1, End: nothing changes for level 1; a tile turned face down counts 1 (12.4)."""
    assert points(house) == expected


def test_10_2_the_tie_of_each_level_has_a_setting_of_its_own():
    """R54, R87: tie=both pays at level 1 only, level2-tie=both at level 2 only."""
    warehouses = "w1:M:M2x/M2o|w2|w3|w9:F:F2x/F2o"
    for tie, tie2, score in (
        ("none", "none", 0),
        ("both", "none", 4),
        ("none", "both", 6),
        ("both", "both", 10),
    ):
        state = final(warehouses, level2=1, tie=tie, level2_tie=tie2)
        assert state.scores() == [score, score], (tie, tie2)


def test_10_2_all_four_warehouses_are_added_up():
    """EN Final Scoring: score each of the 4 warehouses; the player with more PP wins."""
    state = final(
        "w8:M:M2x/M2o.M1x|w9:F:F2x.F1x/F3o|w12:S:S3x.S3o/S1x|w14:C:C3o.C2x/C3x.C2o", level2=3
    )
    assert state.scores() == [6 + 5 + 4, 8 + 4]
    assert state.returns() == [1, 0] and state.margins() == [3, -3]


# 10.3 and 15: what each scoring pays, with one side empty and with tiles turned face down.


@pytest.mark.parametrize(
    "house, expected",
    [
        ("w9:F:F1x.F1o/F3x", [6, 0]),
        ("w9:F:F3x/F1x.F1o", [0, 6]),
        ("w9:F:F1x/-", [6, 0]),
        ("w9:F:-/F1x", [0, 6]),
        ("w9:F:F3o_.F2x_/F3x", [6, 0]),
        ("w9:F:F1x/F3o_.F3x", [0, 6]),
    ],
)
def test_10_3_most_tiles(house, expected):
    """RULES 15: who has more tiles, not merchandise; tiles turned face down are tiles."""
    assert points(house) == expected


@pytest.mark.parametrize(
    "house, expected",
    [
        ("w10:F:F1x/F1o", [2, 2]),
        ("w10:F:F1x.F2x.F3o/F2o.F2o.F3x", [4, 4]),
        ("w10:F:F1o.F2o/F1x.F2x", [0, 0]),
        ("w10:F:F1x.F2x.F2x.F3x/-", [8, 0]),
        ("w10:F:-/F1x.F2x.F1o", [0, 2]),
        ("w10:F:F1x.F2x_/F1o_.F2o.F2o_", [2, 2]),
        ("w10:F:F1x_/F1o_", [0, 0]),
    ],
)
def test_10_3_own_bucklers(house, expected):
    """RULES 15: each player, 2 for each buckler of his clan; none on a tile turned face down."""
    assert points(house) == expected


@pytest.mark.parametrize(
    "house, expected",
    [
        ("w11:F:F1o.F2o/F1x", [6, 0]),
        ("w11:F:F1o/F1x.F2x", [0, 6]),
        ("w11:F:F1x.F2x.F1o/F2o.F2o", [6, 0]),
        ("w11:F:F1o/-", [6, 0]),
        ("w11:F:-/F1x", [0, 6]),
        ("w11:F:F1x/-", [0, 0]),
        ("w11:F:F1o_.F2o_/F1x", [0, 6]),
    ],
)
def test_10_3_rival_bucklers(house, expected):
    """RULES 15: who has more bucklers of the other player's clan; none on a tile face down."""
    assert points(house) == expected


@pytest.mark.parametrize(
    "house, expected",
    [
        ("w12:F:F3x/F1o", [2, 0]),
        ("w12:F:F1o/F3x", [0, 2]),
        ("w12:F:F3x/-", [3, 0]),
        ("w12:F:F3x.F3o.F2x/-", [8, 0]),
        ("w12:F:F3x.F3o.F2x.F2x/F1o", [8, 0]),
        ("w12:F:F1o/F3x.F3o.F2x", [0, 7]),
        ("w12:F:F3x_/F3o", [0, 2]),
        ("w12:F:F3x_.F3o_/-", [2, 0]),
    ],
)
def test_10_3_difference(house, expected):
    """RULES 15: who has more merchandise gains the difference, at most 8; face down counts 1."""
    assert points(house) == expected


@pytest.mark.parametrize(
    "house, expected",
    [
        ("w13:F:F3x/F1o", [6, 3]),
        ("w13:F:F1x.F1o/F3x", [3, 6]),
        ("w13:F:F3x/-", [6, 0]),
        ("w13:F:-/F1x", [0, 6]),
        ("w13:F:F3x_/F2o", [3, 6]),
        ("w13:F:F3x_/F2o.F2x_", [3, 6]),
        ("w13:F:F3x_.F3o_/F1x", [6, 3]),
    ],
)
def test_10_3_runner_up(house, expected):
    """RULES 15: more merchandise 6, strictly less and at least one tile 3."""
    assert points(house) == expected


@pytest.mark.parametrize(
    "house, expected",
    [
        ("w14:F:F3x.F2x/F3o.F1o", [4, 0]),
        ("w14:F:F3x.F2x/F3o.F2o", [4, 4]),
        ("w14:F:F2x.F2o/F2x.F2o", [0, 0]),
        ("w14:F:-/F3o.F3x", [0, 4]),
        ("w14:F:F3x_.F2x.F2x/F3o.F2o_", [4, 0]),
        ("w14:F:F3x_.F2x.F1x/-", [0, 0]),
    ],
)
def test_10_3_threshold(house, expected):
    """RULES 15: each player with at least 5 merchandise, one or both; face down counts 1."""
    assert points(house) == expected


@pytest.mark.parametrize(
    "house, expected",
    [
        ("w15:F:F1x/F2o", [6, 0]),
        ("w15:F:F3x/F1x.F1o", [0, 6]),
        ("w15:F:F1x/-", [0, 0]),
        ("w15:F:-/F3x", [0, 0]),
        ("w15:F:F3x_/F2o", [6, 0]),
        ("w15:F:F3x_.F3o_/F1o", [0, 6]),
    ],
)
def test_10_3_fewest(house, expected):
    """RULES 15: less merchandise and at least one tile, if the other has a tile too."""
    assert points(house) == expected


@pytest.mark.parametrize(
    "house, expected",
    [
        ("w16:F:F1x.F2o/F3x.F3o", [3, 3]),
        ("w16:F:F1x.F2x.F2o/F3x", [3, 0]),
        ("w16:F:F1x.F2x/F1o.F2o", [0, 0]),
        ("w16:F:F1x.F2x.F1o.F2o/-", [6, 0]),
        ("w16:F:-/F1x.F2x.F3x.F1o.F2o.F3o", [0, 6]),
        ("w16:F:F1x.F2o_/F3x.F2x.F3o_.F1o", [0, 3]),
    ],
)
def test_10_3_buckler_pairs(house, expected):
    """RULES 15: each player, 3 for each pair of unlike bucklers, at most 6; R88: the smaller."""
    assert points(house) == expected


@pytest.mark.parametrize("card", range(1, 17))
def test_10_3_nobody_scores_a_warehouse_without_goods(card):
    """R52: 0 to 0 pays nothing, at either level, under any setting."""
    for given in ({}, BOTH | {"tie": "both", "bucklers": "all"}):
        assert points(f"w{card}", **given) == [0, 0]


# A storehouse (11.15) in each scoring: merchandise, but no tile and no buckler.


@pytest.mark.parametrize(
    "house, seat, always, with_tile",
    [
        ("w1:F:F1x/F2o", 1, [4, 0], [4, 0]),
        ("w1:F:F1x/F3o", 1, [0, 0], [0, 0]),
        ("w1:F:-/F1o", 1, [4, 0], [0, 4]),
        ("w1:F:F1o/-", 2, [0, 4], [4, 0]),
        ("w1", 2, [0, 4], [0, 0]),
        ("w9:F:-/F1o", 1, [0, 6], [0, 6]),
        ("w9:F:F1x/F1o", 1, [0, 0], [0, 0]),
        ("w10:F:F1x/F1o", 1, [2, 2], [2, 2]),
        ("w11", 1, [0, 0], [0, 0]),
        ("w12:F:F3x/F1o", 1, [4, 0], [4, 0]),
        ("w12:F:-/F1o", 1, [1, 0], [0, 1]),
        ("w12:F:F3x/F1o", 2, [0, 0], [0, 0]),
        ("w12", 1, [2, 0], [0, 0]),
        ("w13:F:F2x/F3o", 1, [6, 3], [6, 3]),
        ("w13:F:F1x/-", 2, [3, 6], [6, 0]),
        ("w13:F:F3x/-", 2, [6, 0], [6, 0]),
        ("w13", 2, [0, 6], [0, 0]),
        ("w14:F:F3x/F1o", 1, [4, 0], [4, 0]),
        ("w14:F:F2x/F1o", 1, [0, 0], [0, 0]),
        ("w15:F:F2x/F3o", 1, [0, 6], [0, 6]),
        ("w15:F:F3x/-", 2, [0, 0], [0, 0]),
        ("w15:F:F1x/-", 2, [0, 0], [0, 0]),
        ("w16:F:F1x/F1o", 1, [0, 0], [0, 0]),
    ],
)
def test_10_3_a_storehouse_is_merchandise_only(house, seat, always, with_tile):
    """R86, R87: 2 merchandise more, also without a tile; with-tile: only beside a tile."""
    given = storehouse(seat, 1 if house.partition(":")[0] == "w1" else 4)
    assert points(house, **given) == always
    assert points(house, storehouse="always", **given) == always
    assert points(house, storehouse="with-tile", **given) == with_tile


def test_10_3_a_storehouse_counts_in_its_own_warehouse_only():
    """R86: the merchandise of that warehouse."""
    warehouses = "w1:M:M2x/M3o|w2:F:F2x/F3o|w3|w4"
    for house, scores in ((1, [4, 5]), (2, [5, 4]), (3, [5, 9]), (4, [6, 9])):
        assert final(warehouses, **storehouse(1, house)).scores() == scores


def test_10_3_a_turned_tile_is_tile_enough_for_a_storehouse():
    """R86, R21: a tile turned face down stays a tile."""
    given = storehouse(1) | {"storehouse": "with-tile"}
    assert points("w13:F:F3x_/F2o", **given) == [6, 3]


# 10.4 and 10.5: ties.


TIES = [
    ("w9:F:F1x.F1o/F3x.F2o", [6, 6]),
    ("w9:F:F1x.F3o_/F3x_.F2o", [6, 6]),
    ("w11:F:F1o.F3x/F1x.F3o", [6, 6]),
    ("w12:F:F3x/F1x.F2o", [0, 0]),
    ("w13:F:F3x/F1x.F2o", [6, 6]),
    ("w13:F:F3x_/F1x", [6, 6]),
    ("w15:F:F3x/F1x.F2o", [6, 6]),
]


@pytest.mark.parametrize("house, paid", TIES)
def test_10_4_a_tie_pays_nobody(house, paid):
    """R87: most_tiles, rival_bucklers, difference, runner_up and fewest."""
    assert points(house) == points(house, level2_tie="none") == [0, 0]


@pytest.mark.parametrize("house, paid", TIES)
def test_10_5_setting_both_a_tie_pays_both_the_first_amount(house, paid):
    """R87, level2-tie=both; a difference of nothing pays nothing under any setting."""
    assert points(house, **BOTH) == paid


@pytest.mark.parametrize(
    "house, expected",
    [
        ("w9:F:F1x.F1o/F3x", [6, 0]),
        ("w11:F:F1o/F3x.F1x", [0, 6]),
        ("w12:F:F3x/F1o", [2, 0]),
        ("w13:F:F3x/F1o", [6, 3]),
        ("w15:F:F3x/F1o", [0, 6]),
        ("w11:F:F1x/F1o", [0, 0]),
        ("w10:F:F1x/F1o", [2, 2]),
        ("w14:F:F3x/F3o", [0, 0]),
        ("w16:F:F1x.F1o/F2x.F2o", [3, 3]),
    ],
)
def test_10_5_setting_both_changes_nothing_without_a_tie(house, expected):
    """R87: and 0 to 0 is no tie: no rival's buckler on either side pays nobody."""
    assert points(house, **BOTH) == points(house) == expected


@pytest.mark.parametrize(
    "house, expected", [("w13:F:F2x/-", [6, 6]), ("w15:F:F2x/-", [0, 0]), ("w12:F:F2x/-", [0, 0])]
)
def test_10_5_setting_both_with_a_storehouse_instead_of_tiles(house, expected):
    """R87: 2 to 2 is a tie though one side has no tile; `fewest` wants a tile on both."""
    given = storehouse(2)
    assert points(house, **given) == [0, 0]
    assert points(house, **BOTH, **given) == expected


# 10.6: whose bucklers.


@pytest.mark.parametrize(
    "house, own, every",
    [
        ("w10:F:F1x.F2x/F2o.F3x", [4, 2], [6, 2]),
        ("w10:F:F1o/-", [0, 0], [0, 2]),
        ("w10:F:F1x.F3o_/F2x_.F1o", [2, 2], [2, 2]),
        ("w11:F:F1x.F2x/F2o", [0, 0], [0, 6]),
        ("w11:F:F1o/F1x.F2o", [0, 0], [6, 0]),
        ("w11:F:F1x/F1o", [0, 0], [0, 0]),
        ("w16:F:F1x.F2x/F2o", [0, 0], [3, 3]),
        ("w16:F:F1x.F2o/-", [3, 0], [3, 3]),
        ("w16:F:F1x.F2x/F2o.F1o", [0, 0], [6, 6]),
        ("w9:F:F1x.F2x/F2o", [6, 0], [6, 0]),
    ],
)
def test_10_6_bucklers_of_the_own_tiles_or_of_all(house, own, every):
    """R88: each player's own tiles; bucklers=all: those of both players count for each."""
    assert points(house) == points(house, bucklers="own") == own
    assert points(house, bucklers="all") == every


def test_10_6_bucklers_all_makes_ties():
    """R87, R88: one of each clan there is one buckler of the rival's for both."""
    given = {"bucklers": "all"}
    assert points("w11:F:F1x/F1o", **given) == [0, 0]
    assert points("w11:F:F1x/F1o", **given, **BOTH) == [6, 6]
    assert points("w11:F:F1x/F1o", **BOTH) == [0, 0]


@pytest.mark.parametrize(
    "house, one, two",
    [
        ("w10:F:F1x.F2x/F2x.F1o", [4, 2], [0, 2]),
        ("w10:F:F1o/F1x", [0, 0], [2, 2]),
        ("w11:F:F1o.F2o/F2o", [6, 0], [0, 6]),
        ("w16:F:F1x.F2o/F2x", [3, 0], [3, 0]),
        ("w9:F:F1x/-", [6, 0], [6, 0]),
    ],
)
def test_10_6_first_clan_2_exchanges_the_clans(house, one, two):
    """R79: the first player has clan x, under first-clan=2 clan o."""
    assert points(house) == points(house, first_clan="1") == one
    assert points(house, first_clan="2") == two


def test_10_6_first_clan_2_with_all_bucklers():
    """R79, R88: two settings at once."""
    given = {"first_clan": "2", "bucklers": "all"}
    assert points("w10:F:F1x.F2x/F2o", **given) == [2, 4]
    assert points("w11:F:F1x.F2x/F2o", **given) == [6, 0]


# 15: the figures of a card file are what counts.


def test_10_4_a_majority_of_level_2_ties_as_level_2(tmp_path):
    """RULES 10.4, 15: `majority` may be a level-2 card; its tie follows level2-tie, not tie."""
    cards = read_cards(tmp_path, ('"most_tiles"\npoints = 6', '"majority"\npoints = 9'))
    assert points("w9:F:F3x/F1x.F1o", cards=cards) == [9, 0]
    tied = "w9:F:F3x/F1x.F2o"
    assert points(tied, cards=cards) == points(tied, cards=cards, tie="both") == [0, 0]
    assert points(tied, cards=cards, **BOTH) == [9, 9]
    assert points("w9:F:-/F1o", cards=cards, **storehouse(1)) == [9, 0]


@pytest.mark.parametrize(
    "old, new, house, expected",
    [
        ('"own_bucklers"\npoints = 2\nat_most = 8', (3, 7), "w10:F:F1x.F2x.F2x/F1o", [7, 3]),
        ('"difference"\nat_most = 8', (4,), "w12:F:F3x.F3o/F1o", [4, 0]),
        ('"runner_up"\npoints = 6\nsecond = 3', (2, 9), "w13:F:F3x/F1o", [2, 9]),
        ('"threshold"\nmerchandise = 5\npoints = 4', (2, 7), "w14:F:F2x/F1o", [7, 0]),
        ('"fewest"\npoints = 6', (50,), "w15:F:F1x/F2o", [50, 0]),
        (
            '"buckler_pairs"\npoints = 3\nat_most = 6',
            (2, 5),
            "w16:F:F1x.F2x.F3x.F1o.F2o.F3o/-",
            [5, 0],
        ),
    ],
)
def test_10_3_the_figures_of_the_card_count(tmp_path, old, new, house, expected):
    """RULES 15: all figures are data, also the limits."""
    text = old
    for line, number in zip(old.splitlines()[1:], new, strict=True):
        text = text.replace(line, f"{line.partition('=')[0]}= {number}")
    assert points(house, cards=read_cards(tmp_path, (old, text))) == expected


def test_10_3_a_storehouse_alone_can_reach_a_threshold(tmp_path):
    """R86: any scoring that counts merchandise, with or without a tile there."""
    old = '"threshold"\nmerchandise = 5'
    cards = read_cards(tmp_path, (old, old.replace("5", "2")))
    given = storehouse(2) | {"cards": cards}
    assert points("w14:F:F1x/-", **given) == points("w14", **given) == [0, 4]
    assert points("w14:F:F1x/-", storehouse="with-tile", **given) == [0, 0]
    assert points("w14:F:F1x/-", cards=cards, **storehouse(1)) == [4, 0]


def test_10_a_whole_turn_with_four_level_2_cards():
    """Module 1 changes the scoring only: the turn is the same."""
    given = {"hand_p1": "F1.M2.C3", "level2": 4, "warehouses": "w9|w10|w11|w12"}
    state = play(position(**given), "mid:M2", "discard:4", "~draw@p1=F2", "put:left")
    state = first_luck(play(state, "pile:1"))
    assert phase(first_luck(play(state, "place:4"))) == "end p1"
