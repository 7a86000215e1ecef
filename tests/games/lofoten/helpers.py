"""Positions of Lofoten for the tests: written with a few fields, played with words, read back."""

from collections import Counter
from functools import partial

import engine

TYPES = "MFSC"
CARDS = Counter({f"{kind}{value}": 3 for kind in TYPES for value in "123"})
TILES = Counter(
    {
        f"{kind}{value}{clan}": 1 + (value == "2")
        for kind in TYPES
        for value in "123"
        for clan in "xo"
    }
)
PLACES = ("top", "right", "dock", "left")
USUAL = {
    "phase": "play",
    "turn": "p1",
    "hand.p1": "M1.F1.S1",
    "hand.p2": "M3.F3.S3",
    "ships.p1": "-.-.-.-",
    "area.p1": "3",
    "ships.p2": "-.-.-.-",
    "area.p2": "3",
    "coins": "0.0.8",
    "market": "M1x.F1x.S1x.C1x.M1o",
    "warehouses": "w1|w4|w6|w8",
    "discard": "-",
    "out": "-",
}
"""Nobody has coins, orders or stored tiles; any area of the market can be told by its tile."""


def names_in(text, known):
    """Return the cards or tiles, of those `known`, that a field's text names."""
    for sign in ".+/:|_":
        text = text.replace(sign, " ")
    return Counter(name for name in text.split() if name in known)


def rest(fields, known, keys):
    """Return what the fields of these keys leave over of a box, named from M1 on."""
    used = sum((names_in(fields.get(key, "-"), known) for key in keys), Counter())
    assert used <= known, f"more than there are: {+(used - known)}"
    return known - used


def listed(counts):
    return ".".join(sorted(counts.elements(), key=lambda n: (TYPES.index(n[0]), n))) or "-"


def position_text(deck=None, unseen=None, **given):
    """Return a position text; `_` stands for `.` or `-` in a field's or setting's name.

    With `deck`, exactly these cards are in the deck and all others not mentioned discarded; with
    `unseen`, exactly these tiles are in the piles and all others not mentioned out of the game.
    The piles are as even as possible unless they are given.
    """
    dashes = {setting.name for setting in engine.game_settings("lofoten")} | {"jarl-cards", "on-d"}
    fields = dict(USUAL)
    for key, value in given.items():
        dashed = key.replace("_", "-")
        fields[dashed if dashed in dashes else key.replace("_", ".")] = str(value)
    tile_keys = ["market", "ships.p1", "ships.p2", "warehouses", "out", "tile"]
    if unseen is not None:
        left = rest(fields, TILES, tile_keys) - names_in(unseen, TILES)
        fields["out"] = listed(left + names_in(fields["out"], TILES))
    if deck is not None:
        keys = ["hand.p1", "hand.p2", "drawn.p1", "drawn.p2", "ships.p1", "ships.p2", "discard"]
        left = rest(fields, CARDS, keys) - names_in(deck, CARDS)
        fields["discard"] = listed(left + names_in(fields["discard"], CARDS))
    if "piles" not in fields:
        hidden = rest(fields, TILES, tile_keys)
        tops = [tile[0] for tile in sorted(hidden.elements())] or ["-"]
        sizes = (hidden.total() + 1) // 2, hidden.total() // 2
        piles = zip((tops[0], tops[-1]), sizes, strict=True)
        fields["piles"] = ".".join(f"{top}{size}" if size else "-" for top, size in piles)
    return " ".join(["lofoten/1", *(f"{key}={value}" for key, value in fields.items())])


def position(deck=None, unseen=None, **given):
    """Return the state of `position_text`."""
    return engine.load("lofoten").from_text(position_text(deck, unseen, **given))


def play(state, *events):
    """Return the state after some move words and event tokens; the one given stays as it is."""
    state = state.copy()
    for event in events:
        seat, move = state.game.parse_event(event)
        assert seat in (None, state.seat_to_move), f"{event}: {state.to_text()}"
        state.apply(move)
        assert state.check() == 0, state.to_text()
    return state


def legal(state):
    """Return the legal words of a decision, or the tokens of a chance event."""
    if state.is_chance:
        return {state.game.event_name(move, -1) for move in state.legal_moves()}
    return {state.game.move_name(move) for move in state.legal_moves()}


def weights(state):
    """Return each outcome's token and the number of pieces that stand for it."""
    assert state.is_chance
    return {state.game.event_name(m, -1): state.chance_weight(m) for m in state.legal_moves()}


def fields(state):
    """Return the fields of a state's text."""
    return dict(part.split("=", 1) for part in state.to_text().split()[1:])


def field(state, key, usual="-"):
    """Return one field of a state's text; fields at their usual value are left out there."""
    return fields(state).get(key, usual)


def number(state, key):
    """Return a numeric field, 0 where the text leaves it out."""
    return int(field(state, key, "0"))


def phase(state):
    """Return phase and seat, such as "play p1"."""
    return f"{field(state, 'phase')} {field(state, 'turn')}"


def ships(top="-", right="-", dock="-", left="-"):
    """Return the text of a wheel."""
    return f"{top}.{right}.{dock}.{left}"


def ship(state, seat, place):
    """Return the text of one ship; seats count from 1, as in all texts."""
    return field(state, f"ships.p{seat}").split(".")[PLACES.index(place)]


def area(state, seat):
    """Return the area where a fleet stands, 1 to 5."""
    return int(field(state, f"area.p{seat}"))


def market(state):
    """Return the five areas' tiles, "-" where there is none."""
    return field(state, "market").split(".")


def stored(state, house):
    """Return one warehouse, counted from 1: "type:tiles of seat 1/tiles of seat 2" or ""."""
    return field(state, "warehouses").split("|")[house - 1].partition(":")[2]


def take_luck(state, seed=0):
    """Return the state after all the luck that is due, from one fixed deal."""
    state, deal = state.copy(), state.game.new_deal(seed)
    while state.is_chance:
        state.apply(deal.outcome(state))
    return state


def first_luck(state):
    """Return the state after all the luck that is due, each time the first outcome listed."""
    state = state.copy()
    while state.is_chance:
        state.apply(state.legal_moves()[0])
    return state


def finish_turn(state):
    """Return the state after the turn: draw, the new card to the right, the market filled, end."""
    start = number(state, "turns")
    wanted = ("stop", "put:right", "pile:1", "pile:2", *(f"place:{n}" for n in range(1, 6)), "end")
    while number(state, "turns") == start:
        state = first_luck(state)
        words = legal(state)
        state = play(state, next(word for word in wanted if word in words))
    return state


tiles_in = partial(names_in, known=TILES)
cards_in = partial(names_in, known=CARDS)


def random_game(seed, **settings):
    """Yield each state of a random game with the event that follows; the last with None."""
    state = engine.load("lofoten", **settings).new_state()
    luck, choice = engine.RandomStream(seed, 1), engine.RandomStream(seed, 5)
    while not state.is_terminal:
        moves = state.legal_moves()
        event = state.sample_chance(luck) if state.is_chance else moves[choice.below(len(moves))]
        yield state.copy(), event
        state.apply(event)
    yield state, None
