"""What a seat of Oh Hell knows: worlds dealt evenly, voids, keys, and nothing that leaks."""

from collections import Counter

import pytest
from oh_hell_helpers import at, load, play

from bench.measure import leaks
from engine import RandomStream
from engine.conformance import Trial, fits
from engine.games.oh_hell.worlds import suits_lacking

SMALL = [
    {"suits": 2, "cards_per_suit": 5},
    {"seats": 4, "suits": 3, "cards_per_suit": 6},
    {"seats": 4, "cards_per_suit": 5},
]
VOIDS = {
    "one seat lacks a suit": "cards-per-suit=3 hand-size=3 dealer=p3 me=p1 hand.p1=C4.H4 "
    "hand.p2=?.? hand.p3=?.? trump=D4 bids=1.0.3 plays=S4.H2.S3",
    "two seats lack suits": "seats=4 cards-per-suit=4 hand-size=3 dealer=p4 me=p1 hand.p1=D2 "
    "hand.p2=?.? hand.p3=?.? hand.p4=?.? trump=D5 bids=1.0.3.0 plays=S5.H2.S3.C3.C5",
    "no card is left": "suits=2 cards-per-suit=5 hand-size=3 dealer=p3 me=p1 hand.p1=C4.D2 "
    "hand.p2=?.? hand.p3=?.? trump=D5 bids=1.0.3 plays=C6.C2.D3",
}


def drawn(view, draws, seed=1):
    stream = RandomStream(seed, 2)
    return Counter(view.determinize(stream).to_bytes() for _ in range(draws))


def is_even(view, each=25, z=4.5):
    """Compare the worlds drawn with all those there are, counted by other code."""
    listed = {world.to_bytes() for world, _ in view.game.worlds(view)}
    counts = drawn(view, each * len(listed))
    assert set(counts) <= listed, "a world that the view rules out"
    found = {index: counts[raw] for index, raw in enumerate(sorted(listed))}
    return fits(found, dict.fromkeys(found, float(each)), z)


@pytest.mark.parametrize("settings", SMALL, ids=str)
def test_worlds_are_equally_likely(settings):
    game, views, lacking = load(**settings), 0, 0
    for seed in range(12):
        for state in Trial(game, seed, 300).sparse(4):
            for seat in range(game.num_seats):
                view = state.view(seat)
                worlds = game.worlds(view, 120)
                if worlds is None or len(worlds) < 2:
                    continue
                assert all(world.check() == 0 and world.view(seat) == view for world, _ in worlds)
                assert is_even(view), view.to_text()
                views += 1
                lacking += any(suits_lacking(game.fields(view)))
    assert views > 25 and lacking > 15


@pytest.mark.parametrize("fields", VOIDS.values(), ids=list(VOIDS))
def test_worlds_keep_what_seats_lack(fields):
    view = at(fields)
    worlds = view.game.worlds(view)
    assert 1 <= len(worlds) < 3000
    assert is_even(view, each=20)
    for raw in drawn(view, 300):
        world = view.copy()
        world.load_bytes(raw, -1, view.ply)
        assert world.check() == 0 and world.view(0) == view


def suits(view, seat, draws=3000):
    """Return how often a hidden hand holds so many cards of each suit."""
    counts: Counter[int] = Counter()
    stream = RandomStream(3, 2)
    for _ in range(draws):
        for card in view.game.fields(view.determinize(stream))["hand"][seat]:
            counts[card % 4] += 1
    return [counts[suit] / draws for suit in range(4)]


def test_a_big_hand_with_a_void_has_the_expected_suits():
    """Seat 2 lacks spades: it has any 11 of the other cards, and seat 3 any 11 of what is left."""
    view = at(
        "tricks=12 dealer=p3 me=p1 hand.p1=C2.C3.C4.C5.D2.D3.D4.D6.H3.H4.H5 "
        "hand.p2=?.?.?.?.?.?.?.?.?.?.? hand.p3=?.?.?.?.?.?.?.?.?.?.? "
        "trump=D5 bids=1.0.3 plays=SA.H2.S3"
    )
    fields = view.game.fields(view)
    seen = {*fields["played"], *fields["hand"][0], fields["trump"]}
    unseen = [card for card in fields["cards"] if card not in seen]
    spades = sum(card % 4 == 2 for card in unseen)
    free = len(unseen) - spades
    expected = [11 * sum(card % 4 == suit for card in unseen) / free for suit in range(4)]
    expected[2] = 0.0
    assert suits(view, 1) == pytest.approx(expected, abs=0.1)
    left = [sum(card % 4 == suit for card in unseen) - expected[suit] for suit in range(4)]
    share = [11 * number / sum(left) for number in left]
    assert suits(view, 2) == pytest.approx(share, abs=0.1)


def test_a_view_refuses_what_no_world_allows():
    """No card is left over and seat 3 lacks clubs, so seat 2 has those that seat 1 has not."""
    view = at(VOIDS["no card is left"])
    can = [name for name in ("C3", "C5", "D4", "D6")
           if view.can_follow(view.game.parse_move(f"play:{name}"))]  # fmt: skip
    assert view.seat_to_move == 2 and can == ["D4", "D6"]
    play(view, "play:D4", "play:D2")
    can = [name for name in ("C3", "C5", "D6")
           if view.can_follow(view.game.parse_move(f"play:{name}"))]  # fmt: skip
    assert view.seat_to_move == 1 and can == ["C3", "C5"]


def test_keys_know_the_order_of_play():
    """Two ways to the same hands, tricks and seat to move are different knowledge."""
    start = "hand-size=3 dealer=p3 hand.p1=C4.CK.CA hand.p2=C7.CT.H2 hand.p3=C3.C5.HK trump=D5"
    one = play(at(start + " bids=1.0.3"), *(f"play:{c}" for c in "CA C7 C3 CK CT C5".split()))
    two = play(at(start + " bids=1.0.3"), *(f"play:{c}" for c in "CA CT C3 CK C7 C5".split()))
    first, second = (dict(state.game.fields(state)) for state in (one, two))
    assert first.pop("played") != second.pop("played") and first == second
    assert one.key() != two.key()
    assert all(one.infoset_key(seat) != two.infoset_key(seat) for seat in range(3))


def test_keys_of_a_seat_do_not_see_other_hands():
    one = at("hand-size=1 dealer=p3 hand.p1=C4 hand.p2=C7 hand.p3=C3 trump=D5")
    two = at("hand-size=1 dealer=p3 hand.p1=C4 hand.p2=HK hand.p3=S3 trump=D5")
    assert one.infoset_key(0) == two.infoset_key(0)
    assert one.infoset_key(1) != two.infoset_key(1)
    assert one.key() != two.key()


@pytest.mark.parametrize("identity", ["oh_hell", "oh_hell seats=4 tricks=5"])
def test_nothing_differs_for_a_seat_that_sees_no_difference(identity):
    out = {}
    leaks.run(out, identity, 30, nodes=6, every=2)
    assert out["differing"] == 0, out["first"]
    assert out["pairs"] == 30 and out["pairs_with_other_secrets"] > 25
    assert out["seat_decides"] > 5 and out["longest_log"] > 20
