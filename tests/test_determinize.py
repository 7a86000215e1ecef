"""Worlds drawn from a view: consistent, in proportion, and blind to the truth."""

import pytest

from engine import RandomStream
from engine.conformance import Trial, fits


def samples(view, draws):
    stream = RandomStream(11, 2)
    return [view.determinize(stream) for _ in range(draws)]


@pytest.mark.parametrize("actions", ["-", "p", "b", "pb"])
@pytest.mark.parametrize("own", ["J", "Q", "K"])
@pytest.mark.parametrize("seat", [0, 1])
def test_kuhn_other_card_is_even(kuhn, seat, own, actions):
    hands = ["?", "?"]
    hands[seat] = own
    view = kuhn.from_text(
        f"kuhn/1 me=p{seat + 1} hand.p1={hands[0]} hand.p2={hands[1]} actions={actions}"
    )
    counts = {ord(card): 0 for card in "JQK" if card != own}
    for world in samples(view, 2000):
        text = world.to_text()
        counts[ord(text[text.index(f"hand.p{2 - seat}=") + 8])] += 1
    assert fits(counts, dict.fromkeys(counts, 1000.0))


def test_kuhn_before_the_second_deal(kuhn):
    view = kuhn.from_text("kuhn/1 me=p2 hand.p1=? hand.p2=-")
    counts: dict[int, int] = {}
    stream = RandomStream(5, 1)
    for world in samples(view, 6000):
        world.apply(world.sample_chance(stream))
        counts[world.key()] = counts.get(world.key(), 0) + 1
    assert len(counts) == 6
    assert fits(counts, dict.fromkeys(counts, 1000.0))


def test_truth_does_not_matter(game):
    """From every world that a seat takes for the truth the same seed draws the same worlds."""
    for seed in range(3):
        for state in Trial(game, seed, 300).sparse(6):
            for seat in range(game.num_seats):
                twin = state.view(seat).determinize(RandomStream(seed, 5))
                for index in range(3):
                    mine = state.view(seat).determinize(RandomStream(seed, 2, index))
                    other = twin.view(seat).determinize(RandomStream(seed, 2, index))
                    assert mine == other


def test_worlds_play_on_to_the_end(game):
    for seed in range(2):
        for state in Trial(game, seed, 120).sparse(30):
            for seat in range(game.num_seats):
                world = state.view(seat).determinize(RandomStream(seed, 2))
                luck, choice = RandomStream(seed, 1), RandomStream(seed, 3)
                while not world.is_terminal:
                    moves = world.legal_moves()
                    event = (
                        world.sample_chance(luck)
                        if world.is_chance
                        else moves[choice.below(len(moves))]
                    )
                    world.apply(event)
                assert world.check() == 0


def test_a_full_state_determinizes_to_itself(game):
    for state in Trial(game, 2, 200).sparse(10):
        assert state.determinize(RandomStream(1, 2)) == state
