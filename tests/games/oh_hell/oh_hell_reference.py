"""Oh Hell once more, slow and plain, from RULES.md; it shares no code with the engine.

Cards are words such as `S7`, hands are lists, and who may do what is looked up in the whole game
so far each time it is asked.
"""

from fractions import Fraction

LUCK, OVER = "luck", "over"
SUITS, RANKS = "CDSH", "23456789TJQKA"


def in_order(cards):
    """Sort cards by rank, then by suit."""
    return sorted(cards, key=lambda card: (RANKS.index(card[1]), SUITS.index(card[0])))


class Reference:
    """A game under way: `events` is its whole history, as tokens."""

    def __init__(self, seats=3, suits=4, cards=13, tricks="random", penalty="off", points=1):
        self.seats, self.points, self.penalty = int(seats), int(points), penalty == "on"
        self.deck = [suit + rank for suit in SUITS[: int(suits)] for rank in RANKS[: int(cards)]]
        self.fixed = tricks if tricks == "random" else int(tricks)
        self.events = []

    def copy(self):
        twin = object.__new__(Reference)
        twin.__dict__.update(self.__dict__, events=list(self.events))
        return twin

    # ---- what has happened ----

    def of(self, head):
        """Return what stands behind each event that begins with `head`."""
        return [event[len(head) :] for event in self.events if event.startswith(head)]

    @property
    def tricks(self):
        if self.fixed != "random":
            return self.fixed
        return int((self.of("~tricks=") or [0])[0])

    @property
    def dealer(self):
        return int(self.of("~dealer=p")[0]) - 1

    @property
    def trump(self):
        return self.of("~trump=")[0][0]

    def bids(self):
        """Return the bid of each seat that has bid."""
        found = {}
        for seat in range(self.seats):
            for bid in self.of(f"p{seat + 1}:bid:"):
                found[seat] = int(bid)
        return found

    def dealt(self):
        return [event.split("=")[1] for event in self.events if event.startswith("~deal@")]

    def hand(self, seat):
        played = self.of(f"p{seat + 1}:play:")
        return [card for card in self.of(f"~deal@p{seat + 1}=") if card not in played]

    def plays(self):
        """Return all cards played, as pairs of seat and card."""
        parts = [event.split(":") for event in self.events if ":play:" in event]
        return [(int(who[1]) - 1, card) for who, _, card in parts]

    def trick_cards(self):
        """Return the tricks, each a list of pairs; the last one may be under way."""
        plays = self.plays()
        return [plays[i : i + self.seats] for i in range(0, len(plays), self.seats)]

    def taker(self, trick):
        trumps = [play for play in trick if play[1][0] == self.trump]
        led = [play for play in trick if play[1][0] == trick[0][1][0]]
        return max(trumps or led, key=lambda play: RANKS.index(play[1][1]))[0]

    def won(self, seat):
        full = [trick for trick in self.trick_cards() if len(trick) == self.seats]
        return sum(self.taker(trick) == seat for trick in full)

    def lacks(self, seat):
        """Return the suits of which a seat has shown that it has none."""
        return {
            trick[0][1][0]
            for trick in self.trick_cards()
            for who, card in trick
            if who == seat and card[0] != trick[0][1][0]
        }

    # ---- what comes next ----

    def to_move(self):
        """Return a seat, LUCK or OVER."""
        if not self.of("~trump="):
            return LUCK
        first = (self.dealer + 1) % self.seats
        bids, tricks = self.bids(), self.trick_cards()
        if len(bids) < self.seats:
            return (first + len(bids)) % self.seats
        if len(self.plays()) == self.tricks * self.seats:
            return OVER
        if not tricks:
            return first
        if len(tricks[-1]) == self.seats:
            return self.taker(tricks[-1])
        return (tricks[-1][-1][0] + 1) % self.seats

    def legal(self):
        """Return the tokens of all moves of the seat to move, or of all outcomes."""
        seat = self.to_move()
        if seat == OVER:
            return []
        if seat == LUCK:
            return self.outcomes()
        bids = self.bids()
        if len(bids) < self.seats:
            numbers = range(self.tricks + 1)
            if len(bids) == self.seats - 1:
                numbers = [n for n in numbers if sum(bids.values()) + n != self.tricks]
            return [f"p{seat + 1}:bid:{number}" for number in numbers]
        cards, tricks = in_order(self.hand(seat)), self.trick_cards()
        if tricks and len(tricks[-1]) < self.seats:
            led = tricks[-1][0][1][0]
            cards = [card for card in cards if card[0] == led] or cards
        return [f"p{seat + 1}:play:{card}" for card in cards]

    def outcomes(self):
        if not self.tricks:
            most = (len(self.deck) - 1) // self.seats
            return [f"~tricks={number}" for number in range(1, most + 1)]
        if not self.of("~dealer=p"):
            return [f"~dealer=p{seat + 1}" for seat in range(self.seats)]
        dealt = self.dealt()
        left = in_order(set(self.deck) - set(dealt))
        if len(dealt) < self.seats * self.tricks:
            return [f"~deal@p{len(dealt) % self.seats + 1}={card}" for card in left]
        return [f"~trump={card}" for card in left]

    def follow(self, token):
        assert token in self.legal(), token
        self.events.append(token)

    # ---- what it is worth ----

    def scores(self):
        """Return the points of each seat for the tricks taken so far."""
        scores = []
        for seat in range(self.seats):
            bid, won = self.bids().get(seat), self.won(seat)
            if bid is None:
                scores.append(0)
            elif bid == won:
                scores.append(self.points * won + 10)
            else:
                scores.append(-self.points * abs(bid - won) if self.penalty else self.points * won)
        return scores

    def returns(self):
        scores = self.scores()
        shares = []
        for seat, score in enumerate(scores):
            others = scores[:seat] + scores[seat + 1 :]
            beaten = sum(score > other for other in others)
            level = sum(score == other for other in others)
            shares.append(Fraction(2 * beaten + level, 2 * len(others)))
        return shares


def from_text(text):
    """Return the game of a position text without secrets, with some order of the deal."""
    pairs = dict(item.split("=") for item in text.split()[1:])
    names = {"seats": "seats", "suits": "suits", "cards-per-suit": "cards", "tricks": "tricks"}
    names |= {"off-bid-penalty": "penalty", "points-per-trick": "points"}
    game = Reference(**{names[key]: value for key, value in pairs.items() if key in names})
    if "hand-size" in pairs:
        game.events.append(f"~tricks={pairs['hand-size']}")
    if "dealer" not in pairs:
        return game
    game.events.append(f"~dealer={pairs['dealer']}")
    hands = [pairs.get(f"hand.p{seat + 1}", "-").replace("-", "") for seat in range(game.seats)]
    hands = [hand.split(".") if hand else [] for hand in hands]
    plays = [card for card in pairs.get("plays", "").split(".") if card]
    # Who played a card shows only when those before it are in place.
    if "trump" not in pairs:
        _deal(game, hands)
        return game
    bids = pairs.get("bids", ".".join("-" * game.seats)).split(".")
    order = [(game.dealer + 1 + i) % game.seats for i in range(game.seats)]
    tail = [f"p{seat + 1}:bid:{bids[seat]}" for seat in order if bids[seat] != "-"]
    probe = game.copy()
    probe.events += [f"~trump={pairs['trump']}", *tail]
    for card in plays:
        seat = probe.to_move()
        hands[seat].append(card)
        probe.events.append(f"p{seat + 1}:play:{card}")
    _deal(game, hands)
    game.follow(f"~trump={pairs['trump']}")
    for event in probe.events[len(probe.of("~tricks=")) + 2 :]:
        game.follow(event)
    return game


def _deal(game, hands):
    for number in range(sum(map(len, hands))):
        seat, turn = number % game.seats, number // game.seats
        game.follow(f"~deal@p{seat + 1}={hands[seat][turn]}")
