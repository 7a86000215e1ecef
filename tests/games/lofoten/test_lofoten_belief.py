"""Beliefs about the other hand against Bayes' rule, worked out over all hands and draws."""

from itertools import product
from math import exp

import pytest

from engine import RandomStream, load
from engine.games.lofoten import choice_weights
from engine.games.lofoten.notation import CARDS
from search.belief import Belief

KINDS = {"play": 1, "put": 10}
DOCK, NO_CARD, PRICE_REDRAW = 2, 15, 2
SETS = choice_weights.SETS["base"]


@pytest.fixture(name="game")
def lofoten():
    """The base game; the fixture of this name elsewhere goes through all games."""
    return load("lofoten")


def numbers_of(game, state):
    """The weights of the model and its shares by lot, by whether the dock is free."""
    fields = game.fields(state)
    return SETS["free" if fields["ship_card"][fields["seat"]][DOCK] == NO_CARD else "taken"]


def worth_of(game, state, kind):
    """exp of the worth of each card in each slot, and of a redraw, from the features."""
    cards, other = game.choice_features(state)
    weights = numbers_of(game, state)[kind]
    if kind == "put":  # the last two are of the better side card
        weights = weights[:-2]

    def weigh(row):
        return exp(sum(w * x for w, x in zip(weights, row, strict=True)))

    return [[weigh(row) for row in slot] for slot in cards], weigh(other)


def chance_to_play(game, state, slot):
    """A function from a hand to the likelihood that the card of `slot` is played."""
    worth, other = worth_of(game, state, "play")
    fields = game.fields(state)
    seat = fields["seat"]
    if fields["ship_card"][seat][DOCK] != NO_CARD:
        worth[1] = [0.0] * 12
    if fields["coins"][seat] < PRICE_REDRAW:
        other = 0.0
    lots = numbers_of(game, state)["lots"][0]
    alternatives = 2 + (worth[1] != [0.0] * 12) + (other > 0)

    def chance(hand):
        parts = [worth[i][hand[i]] for i in range(3)]
        return lots / alternatives + (1 - lots) * parts[slot] / (sum(parts) + other)

    return chance


def chance_to_put(game, state, right):
    """A function from (left, other, drawn) to the likelihood of the end chosen."""
    worth, _ = worth_of(game, state, "put")
    to_play, _ = worth_of(game, state, "play")
    cards, _ = game.choice_features(state)
    of_gain, of_worth = numbers_of(game, state)["put"][-2:]
    lots = numbers_of(game, state)["lots"][1]

    def whole(left, middle, at_right):
        sides = [cards[0][left], cards[2][at_right]]
        gain = max(row[2] + row[3] for row in sides)
        better = max(to_play[0][left], to_play[2][at_right])
        own = worth[0][left] * worth[1][middle] * worth[2][at_right]
        return own * exp(of_gain * gain) * better**of_worth

    def chance(hand):
        a, b, drawn = hand
        at_left, at_right = whole(drawn, a, b), whole(a, b, drawn)
        share = (at_right if right else at_left) / (at_left + at_right)
        return lots / 2 + (1 - lots) * share

    return chance


class Bayes:
    """All deals of the other seat's cards, in the order in which they come, with their weights."""

    def __init__(self, view_fields):
        # A deal: hand so far, cards it holds by place, weight, cards left.
        deck = tuple(view_fields["deck"])
        self.deals = {}
        for cards in product(range(12), repeat=3):
            left, weight = list(deck), 1.0
            for card in cards:
                weight *= left[card]
                left[card] -= 1
            if weight > 0:
                self.deals[cards, tuple(left)] = weight

    def weigh(self, chance):
        """Multiply by a likelihood."""
        self.deals = {deal: w * chance(deal[0]) for deal, w in self.deals.items()}

    def show(self, slot, card, chance):
        """A card is played: other deals are out of the question."""
        self.deals = {deal: w for deal, w in self.deals.items() if deal[0][slot] == card}
        self.weigh(chance)
        self._change(lambda hand: tuple(c for i, c in enumerate(hand) if i != slot))

    def draw_own(self, card):
        """The observer draws a card: so many of its kind are left in each deal."""
        deals = {}
        for (hand, left), w in self.deals.items():
            if left[card] > 0:
                rest = tuple(n - (i == card) for i, n in enumerate(left))
                deals[hand, rest] = w * left[card]
        self.deals = deals

    def draw(self):
        """The other seat draws an unknown card."""
        deals = {}
        for (hand, left), w in self.deals.items():
            for card in range(12):
                if left[card] > 0:
                    rest = tuple(n - (i == card) for i, n in enumerate(left))
                    deals[(*hand, card), rest] = w * left[card]
        self.deals = deals

    def put(self, right, chance):
        """The drawn card is put at one end."""
        self.weigh(chance)
        if not right:
            self._change(lambda hand: (hand[2], hand[0], hand[1]))

    def _change(self, change):
        deals = {}
        for (hand, left), w in self.deals.items():
            key = change(hand), left
            deals[key] = deals.get(key, 0.0) + w
        self.deals = deals

    def shares(self, place):
        """The probability of each card in a place."""
        total = sum(self.deals.values())
        found = {}
        for (hand, _), w in self.deals.items():
            found[CARDS[hand[place]]] = found.get(CARDS[hand[place]], 0.0) + w / total
        return found


@pytest.mark.parametrize(("seed", "seat"), [(1, 0), (2, 1), (6, 0)])
def test_two_turns_of_the_other_seat_by_bayes_rule(game, seed, seat):
    """Each play and each end chosen, in random games, until the other seat has played twice.

    The sum runs over the cards in the order in which they come; the belief only ever knows places.
    """
    stream = RandomStream(seed, 5)
    state = game.new_state()
    belief = Belief(state.view(seat))
    bayes, plays = None, 0
    while plays < 2:
        kind, fields = state.seat_to_move, game.fields(state)
        moves = [m for m in state.legal_moves() if m >> 24 != 2 or state.is_chance]
        move = state.sample_chance(stream) if kind == -1 else moves[stream.below(len(moves))]
        other_decides = kind == 1 - seat
        if bayes is None and kind >= 0 and fields["phase"] == 8:
            bayes = Bayes(game.fields(belief.view))
            assert len(bayes.deals) > 1000
        if bayes is not None:
            follow(bayes, game, state, move, seat)
        belief.observe(state.redact(move, seat))
        plays += other_decides and move >> 24 == KINDS["play"]
        state.apply(move)
        if bayes is not None and (other_decides or kind == -1):
            compare(bayes, belief, seat)


def follow(bayes, game, state, move, seat):
    """Let the sum take in an event."""
    kind, mine = move >> 24, game.fields(state)["seat"] == seat
    if kind == 29 and mine:
        bayes.draw_own(move & 0xFF)
    elif kind == 29:
        bayes.draw()
    elif mine:
        return
    elif kind == KINDS["play"]:
        slot = move >> 8 & 0xFF
        bayes.show(slot, move & 0xFF, chance_to_play(game, state, slot))
    elif kind == KINDS["put"]:
        bayes.put(move & 1, chance_to_put(game, state, move & 1))


def compare(bayes, belief, seat):
    """The belief says of each hidden card what the sum says."""
    rows = {thing: values for thing, values in belief.rows() if thing.startswith(f"p{2 - seat}")}
    assert len(rows) == len(next(iter(bayes.deals))[0])
    for place, values in enumerate(rows.values()):
        wanted = bayes.shares(place)
        for word, ours, _ in values:
            assert ours == pytest.approx(wanted[word], rel=1e-4)


def test_a_decision_tells_something(game):
    """Weights that say nothing leave the deal; the shipped ones do not."""
    state = game.new_state()
    stream = RandomStream(4, 5)
    belief = Belief(state.view(0))
    while game.fields(state)["turns"] < 4:
        moves = state.legal_moves()
        move = state.sample_chance(stream) if state.is_chance else moves[stream.below(len(moves))]
        belief.observe(state.redact(move, 0))
        state.apply(move)
    rows = [values for thing, values in belief.rows() if thing.startswith("p2")]
    assert any(abs(ours - dealt) > 0.02 for values in rows for _, ours, dealt in values)
