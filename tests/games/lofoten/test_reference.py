"""The engine against the slow reference rules: every ply of some hundred games."""

import random
from collections import Counter

import pytest
from reference import CHANCE, Reference

import engine
from engine.games.lofoten import notation
from engine.games.lofoten.position import PHASES

DEFAULT = {}
VARIANTS = [
    {"effects": "sheep-rotates"},
    {"count": "live"},
    {"tie": "both"},
    {"late-extra": "off"},
    {"four-short": "keep"},
    {"first-market": "play"},
    {"stall": "3"},
    {"stall": "7", "count": "live", "four-short": "keep"},
    {"stall": "20", "tie": "both", "effects": "sheep-rotates"},
    {"stall": "12", "late-extra": "off", "first-market": "play"},
]
"""Settings that the reference knows; it has no word for the others."""


def named(names, numbers):
    return [None if n >= len(names) else names[n] for n in numbers]


def counted(names, counts):
    return {name: n for name, n in sorted(zip(names, counts, strict=True)) if n}


def listed(counts, kinds):
    """Return the sorted names of counted tiles of some kinds."""
    return sorted(notation.TILES[kind] for kind in kinds for _ in range(counts[kind]))


def engine_facts(state):
    """Return what `Reference.facts` returns, read from the engine's state."""
    f = state.game.fields(state)
    cards, tiles = notation.CARDS, notation.TILES
    drawn = [named(cards, hand[3:])[0] for hand in f["hand"]]
    houses = []
    for card, kind in zip(f["house_card"], f["house_type"], strict=True):
        if card < 8:
            own = [
                listed(side, range(6 * kind, 6 * kind + 6) if kind < 4 else ())
                for side in f["stored"]
            ]
            houses.append((f"w{card + 1}", named("MFSC", [kind])[0], *own))
    return {
        "hands": [[card for card in named(cards, hand[:3]) if card] for hand in f["hand"]],
        "drawn": drawn[0] or drawn[1],
        "deck": counted(cards, f["deck"]),
        "discards": counted(cards, f["discard"]),
        "ships": [
            list(zip(named(cards, f["ship_card"][s]), named(tiles, f["ship_tile"][s]), strict=True))
            for s in (0, 1)
        ],
        "area": [area + 1 for area in f["area"]],
        "coins": f["coins"],
        "market": named(tiles, f["market"]),
        "piles": f["pile_size"],
        "tops": named("MFSC", f["pile_top"]),
        "flipped": named(tiles, [f["tile"]])[0],
        "unseen": counted(tiles, f["unseen"]),
        "tiles_out": listed(f["out"], range(24)),
        "warehouses": houses,
        "stall": f["stall"],
        "triggered": bool(f["triggered"]),
        "pending": f["extra"],
        "turns": f["turns"],
        "reshuffles": f["shuffles"],
    }


def reference_facts(reference):
    """Return the reference's facts; start orders set aside lie face up like other discards."""
    facts = reference.facts()
    discards = Counter(facts["discards"]) + Counter(facts.pop("set_aside"))
    facts["discards"] = dict(sorted(discards.items()))
    return facts


class Pair:
    """One game played by both, compared before every event."""

    def __init__(self, settings, seed, policy):
        self.game = engine.load("lofoten", **settings)
        self.state = self.game.new_state()
        names = {name.replace("-", "_"): value for name, value in settings.items()}
        self.reference = Reference(names)
        self.rng = random.Random(f"{policy.__name__} {seed}")
        self.policy = policy
        self.loaded_dice = self.rng.choice("MFSC") if seed % 8 == 0 else ""
        self.branches = Counter()

    @property
    def phase(self):
        return PHASES[self.game.fields(self.state)["phase"]]

    def play(self):
        """Play to the end and return which branches of the rules were met."""
        while (mover := self.reference.to_move()) is not None:
            self.compare()
            if mover == CHANCE:
                assert self.state.is_chance, self.where()
                word = self.roll()
                seat, move = self.game.parse_event(word)
                assert seat == -1
            else:
                assert self.state.seat_to_move == mover, self.where()
                words = self.reference.legal()
                mine = sorted(map(self.game.move_name, self.state.legal_moves()))
                assert mine == words, self.where()
                word = self.policy(self, mover, words)
                move = self.game.parse_move(word)
            self.note(mover, word)
            self.state.apply(move)
            self.reference.apply(word)
        assert self.state.is_terminal, self.where()
        self.compare()
        assert self.state.returns()[0] == self.reference.result()
        self.branches.update(+self.reference.happened)
        return self.branches

    def roll(self):
        """Compare the outcomes' weights and draw one; some games get most tiles of one type."""
        outcomes = self.reference.legal()
        moves = self.state.legal_moves()
        mine = sorted((self.game.event_name(m, -1), self.state.chance_weight(m)) for m in moves)
        assert mine == outcomes, self.where()
        tokens, weights = zip(*outcomes, strict=True)
        if self.loaded_dice and tokens[0][:5] in ("~tile", "~top1", "~top2"):
            wanted = f"={self.loaded_dice}"
            weights = [n * (20 if wanted in t else 1) for t, n in outcomes]
        return self.rng.choices(tokens, weights)[0]

    def compare(self):
        """Assert that both tables hold the same, and that the engine's state is sound.

        The engine counts turns without progress only up to the limit.

        While a warehouse is chosen the engine has the tile in hand and its order discarded; the
        reference leaves both on the ship until the choice is made.
        """
        mine, other = engine_facts(self.state), reference_facts(self.reference)
        other["stall"] = min(other["stall"], int(self.game.settings["stall"]))
        if self.phase == "store":
            for name in ("ships", "discards", "flipped"):
                del mine[name], other[name]
        assert mine == other, self.where()
        assert self.state.scores() == self.reference.scores(), self.where()
        assert self.state.check() == 0, self.where()

    def where(self):
        return f"{self.state.to_text()}\n  after {' '.join(self.reference.history[-12:])}"

    def note(self, mover, word):
        """Count the branch that a word takes."""
        reference, phase = self.reference, self.phase
        head = word.partition(":")[0].partition("=")[0]
        self.branches[head] += mover != CHANCE
        if word == "take" and not reference.reserve:
            self.branches["coin from the opponent"] += 1
        if word == "extra":
            self.branches["extra after the trigger"] += reference.triggered
            self.branches["extra between coffers"] += phase == "use"
            self.branches["extra in the last turn"] += phase == "last"
        self.branches["last turn"] += phase == "last"
        back = PHASES[self.game.fields(self.state)["back"]]
        self.branches["a new type at the end"] += phase == "store" and back == "unload"
        self.branches["redraw in maintenance"] += head == "redraw" and phase == "pile"
        self.branches["piles empty"] += reference.piles == [0, 0]
        if phase == "place" and sum(reference.piles) < 2:
            kinds = Counter(tile[0] for tile in reference.market if tile)
            if kinds[reference.flipped[0]] == 3:
                self.branches["four with too few tiles"] += 1
        if phase == "pile" and reference.drawn is None and not reference.turns:
            self.branches["first market refilled"] += all(map(len, reference.hands))


def uniform(pair, seat, words):
    """Play any word."""
    return pair.rng.choice(words)


def gain(pair, seat, word):
    """Return how many units a word loads or stores."""

    def goods(state):
        f = state.game.fields(state)
        afloat = sum(tile < 24 for tile in f["ship_tile"][seat])
        return afloat + 3 * sum(f["stored_tiles"][seat]) + (f["phase"] == PHASES.index("store"))

    after = pair.state.copy()
    after.apply(pair.game.parse_move(word))
    return goods(after) - goods(pair.state)


def trader(pair, seat, words):
    """Place orders where possible; prefer steps that load or unload, then any step."""
    if pair.rng.random() < 0.1:
        return pair.rng.choice(words)
    steps = [w for w in words if w.startswith(("move:", "turn:", "pay:"))]
    if steps:
        best = max(gain(pair, seat, w) for w in steps)
        good = [w for w in steps if gain(pair, seat, w) == best]
        free = [w for w in good if not w.startswith("pay:")]
        return pair.rng.choice(good if best else free or ["stop"])
    weights = [
        6 if w[:4] == "mid:" else 0.2 if w in ("stop", "keep", "extra") else 1 for w in words
    ]
    return pair.rng.choices(words, weights)[0]


def hoarder(pair, seat, words):
    """Collect coins and spend them on additional turns near the end of the game."""
    late = pair.reference.triggered
    weights = []
    for word in words:
        weight = 1.0
        if word == "take" or word.startswith(("mid:C", "order:C")):
            weight = 12.0
        elif word == "extra":
            weight = 6.0 if late or pair.phase == "use" else 0.05
        elif word.startswith(("pay:", "redraw:")):
            weight = 0.03
        elif word == "stop" and "take" in words:
            weight = 0.1
        weights.append(weight)
    if any(w.startswith("turn:") for w in words) and pair.rng.random() < 0.7:
        return max(words, key=lambda w: gain(pair, seat, w) if w != "stop" else 0)
    return pair.rng.choices(words, weights)[0]


ALWAYS = {
    "reshuffle",
    "four",
    "orders again",
    "redeal",
    "first market refilled",
    "redraw",
    "extra",
    "stall",
    "piles empty",
    "last turn",
    "keep",
    "unload",
}
SCARCE = {"four with too few tiles", "redraw in maintenance", "a new type at the end"}
COINS = {
    "coin from the opponent",
    "extra between coffers",
    "extra after the trigger",
    "extra in the last turn",
}


@pytest.mark.parametrize(
    "policy, games, wanted",
    [(uniform, 40, ALWAYS), (trader, 110, ALWAYS | SCARCE), (hoarder, 70, ALWAYS | COINS)],
    ids=["uniform", "trader", "hoarder"],
)
def test_engine_and_reference_agree(policy, games, wanted):
    """Seat to move, legal words, weights, the whole table and the scores, before every event."""
    met = Counter()
    for seed in range(games):
        settings = VARIANTS[seed // 2 % len(VARIANTS)] if seed % 2 else DEFAULT
        met += Pair(settings, seed, policy).play()
    assert wanted <= set(met), f"not met: {wanted - set(met)}"
    assert sum(met[word] for word in ("left", "mid", "right")) > 20 * games
