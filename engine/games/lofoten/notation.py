"""Move words and event tokens of Lofoten, both ways. Positions: position.py. Bits: state.pxd."""

from collections.abc import Callable
from itertools import permutations

from engine.errors import BadMoveText, shorten
from engine.notation import name_of, outcome_of

TYPES = "MFSC"
CLANS = "xo"
SLOTS = ("left", "mid", "right")
STEPS = ("move:left", "move:right", "turn:ccw", "turn:cw")
PLACES = ("top", "right", "dock", "left")
SIDES = ("left", "right")
SHIPS = "ABCD"
CARD_UNKNOWN, CARD_NONE, TILE_NONE, TYPE_NONE = 14, 15, 31, 7
HOUSE_NONE, JARL_NONE = 31, 15
SHIP_UPGRADED = 4

CARDS = [f"{t}{v}" for t in TYPES for v in "123"]
TILES = [f"{t}{v}{c}" for t in TYPES for v in "123" for c in CLANS]
HOUSES = [f"w{n}" for n in range(1, 17)]
JARLS = [f"j{n}" for n in range(1, 9)]
REQUIREMENTS = [f"q{n}{side}" for n in range(1, 8) for side in "ab"]
ARRANGEMENTS = ["".join(order) for order in permutations(SHIPS)]
CARD_OF = {name: i for i, name in enumerate(CARDS)} | {"?": CARD_UNKNOWN}
TILE_OF = {name: i for i, name in enumerate(TILES)}

(
    PLAY,
    REDRAW,
    EXTRA,
    STEP,
    PAY_STEP,
    TAKE,
    DISCARD,
    STOP,
    STORE,
    PUT,
    PILE,
    PLACE,
    END,
    SIDE,
    UNLOAD,
    KEEP,
    LOAD,
    CLAIM,
    ATTACH,
    FACEDOWN,
    UPGRADE,
) = range(1, 22)
TILE, TOP, HOUSE, ORDER, FLIP, DRAW, JARL, REQUIREMENT, ARRANGE = range(24, 33)


def _plain_words() -> dict[str, int]:
    """Every decision without cards; the others are built in `parse_move`."""
    words = {"extra": EXTRA << 24, "take": TAKE << 24, "stop": STOP << 24}
    words |= {"end": END << 24, "keep": KEEP << 24}
    words |= {"leave": LOAD << 24, "load": LOAD << 24 | 1}
    for b, step in enumerate(STEPS):
        words[step] = STEP << 24 | b
        words[f"pay:{step}"] = PAY_STEP << 24 | b
    for b, place in enumerate(PLACES):
        words[f"unload:{place}"] = UNLOAD << 24 | b
        for tile, name in enumerate(TILES):
            words[f"unload:{place}:{name}"] = UNLOAD << 24 | tile + 1 << 8 | b
    for b, name in enumerate(TILES):
        words[f"facedown:{name}"] = FACEDOWN << 24 | b
    for b, ship in enumerate(SHIPS):
        words[f"upgrade:{ship}"] = UPGRADE << 24 | b
    for b, side in enumerate(SIDES):
        words[f"put:{side}"] = PUT << 24 | b
        words[f"order:{side}"] = SIDE << 24 | b
    for kind, word, count in (
        (DISCARD, "discard", 5),
        (PLACE, "place", 5),
        (STORE, "store", 4),
        (PILE, "pile", 2),
        (CLAIM, "claim", 2),
        (ATTACH, "attach", 4),
    ):
        for b in range(count):
            words[f"{word}:{b + 1}"] = kind << 24 | b
    for slot, word in enumerate(SLOTS):
        for card, b in CARD_OF.items():
            words[f"{word}:{card}"] = PLAY << 24 | slot << 8 | b
    return words


def _luck_tokens() -> dict[str, int]:
    """Every chance outcome."""
    tokens = {f"~tile={name}": TILE << 24 | b for name, b in TILE_OF.items()}
    for pile in range(2):
        for b, kind in enumerate(TYPES):
            tokens[f"~top{pile + 1}={kind}"] = TOP << 24 | pile << 8 | b
        for name, b in TILE_OF.items():
            tokens[f"~flip{pile + 1}={name}"] = FLIP << 24 | pile << 8 | b
    for kind_of_card, word, names in (
        (HOUSE, "warehouse", HOUSES),
        (JARL, "jarl", JARLS),
        (REQUIREMENT, "requirement", REQUIREMENTS),
    ):
        tokens |= {f"~{word}={name}": kind_of_card << 24 | b for b, name in enumerate(names)}
    for seat in range(2):
        for b, order in enumerate(ARRANGEMENTS):
            tokens[f"~ships@p{seat + 1}={order}"] = ARRANGE << 24 | seat << 8 | b
        for name, b in CARD_OF.items():
            tokens[f"~draw@p{seat + 1}={name}"] = DRAW << 24 | seat << 8 | b
            if name != "?":
                tokens[f"~order@p{seat + 1}={name}"] = ORDER << 24 | seat << 8 | b
    return tokens


WORDS = _plain_words()
TOKENS = _luck_tokens()
NAMES = {move: word for word, move in (WORDS | TOKENS).items()}
CARD_NAMES = {b: name for name, b in CARD_OF.items()}


def move_name(move: int) -> str:
    """Return the word of a decision."""
    if move >> 24 == REDRAW:
        cards = [CARD_NAMES.get(move >> shift & 15) for shift in (8, 4, 0)]
        if move & 0xFFF000 == 0 and None not in cards:
            return "redraw:" + ".".join(str(c) for c in cards)
    return name_of(NAMES, move, False, "Lofoten")


def parse_move(word: str) -> int:
    """Return the decision of a word."""
    move = WORDS.get(word)
    if move is not None:
        return move
    head, _, cards = word.partition(":")
    if head == "redraw":
        names = cards.split(".")
        if len(names) == 3 and all(name in CARD_OF for name in names):
            one, two, three = (CARD_OF[name] for name in names)
            return REDRAW << 24 | one << 8 | two << 4 | three
        raise BadMoveText(
            f"{shorten(word)!r}: redraw names the three cards, such as redraw:F2.S1.C3"
        )
    if head in SLOTS:
        raise BadMoveText(
            f"{shorten(word)!r}: name the card, such as {head}:F2 (M, F, S or C and 1 to 3)"
        )
    if head == "facedown":
        raise BadMoveText(f"{shorten(word)!r}: name the stored tile, such as facedown:F2x")
    raise BadMoveText(f"{shorten(word)!r} is no move of Lofoten")


def luck_name(move: int) -> str:
    """Return the token of a chance outcome: `~draw@p1=F2`."""
    return name_of(NAMES, move, True, "Lofoten")


def parse_luck(token: str) -> int:
    """Return the chance outcome of a token."""
    return outcome_of(TOKENS, token, "~draw@p1=F2 or ~flip1=S3x")


TYPE_WORDS = ("mead", "fish", "sheep", "coffer")
SIDE_OF_MARKET = ("first", "second", "third", "fourth", "fifth")


def counted(number: int, what: str) -> str:
    """Return `1 coin`, `2 coins`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def card_words(b: int) -> str:
    """Return an order card in words, such as `fish 2`."""
    return "a hidden card" if b == CARD_UNKNOWN else f"{TYPE_WORDS[b // 3]} {b % 3 + 1}"


def tile_words(b: int) -> str:
    """Return a tile in words with the letter of its clan, such as `fish 2x`."""
    return f"{TYPE_WORDS[b // 6]} {b % 6 // 2 + 1}{CLANS[b % 2]}"


def join_words(parts: list[str]) -> str:
    """Return `a`, `a and b` or `a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


_STEP_WORDS = (
    "moves the fleet one area to the left",
    "moves the fleet one area to the right",
    "turns the fleet counterclockwise",
    "turns the fleet clockwise",
)
_PLACE_WORDS = ("facing the market", "on the right", "at the dock", "on the left")


def _say_play(a: int, b: int) -> str:
    if a == 1:
        return f"plays the middle card, {card_words(b)}, into the docked ship"
    return f"plays the {SLOTS[a]} card, {card_words(b)}, to move to the {SLOTS[a]}"


def _say_unload(a: int, b: int) -> str:
    ship = f"the ship {_PLACE_WORDS[b]}"
    return f"unloads {tile_words(a - 1)} from {ship}" if a else f"unloads {ship}"


def _say_arrangement(a: int, b: int) -> str:
    places = zip(ARRANGEMENTS[b], _PLACE_WORDS, strict=True)
    return f"longships of seat {a + 1}: " + ", ".join(f"{ship} {where}" for ship, where in places)


_SAY: dict[int, Callable[[int, int], str]] = {
    PLAY: _say_play,
    EXTRA: lambda a, b: "buys an additional turn",
    STEP: lambda a, b: _STEP_WORDS[b],
    PAY_STEP: lambda a, b: f"pays a coin and {_STEP_WORDS[b]}",
    TAKE: lambda a, b: "takes a coin",
    DISCARD: lambda a, b: f"removes the tile in the {SIDE_OF_MARKET[b]} area",
    STOP: lambda a, b: "stops there",
    STORE: lambda a, b: f"opens warehouse {b + 1}",
    PUT: lambda a, b: f"puts the drawn card at the {SIDES[b]} end",
    PILE: lambda a, b: f"turns up the top tile of pile {b + 1}",
    PLACE: lambda a, b: f"places it in the {SIDE_OF_MARKET[b]} area",
    END: lambda a, b: "ends the turn",
    SIDE: lambda a, b: f"puts the first start order on the {SIDES[b]}",
    UNLOAD: _say_unload,
    KEEP: lambda a, b: "unloads nothing more",
    LOAD: lambda a, b: f"{'loads' if b else 'leaves'} the tile that faces longship C",
    CLAIM: lambda a, b: f"claims the {SIDE_OF_MARKET[b]} Jarl",
    ATTACH: lambda a, b: f"attaches the storehouse to warehouse {b + 1}",
    FACEDOWN: lambda a, b: f"turns a stored {tile_words(b)} face down",
    UPGRADE: lambda a, b: f"upgrades longship {SHIPS[b]}",
    TILE: lambda a, b: f"the market gets {tile_words(b)}",
    TOP: lambda a, b: f"pile {a + 1} now shows {TYPE_WORDS[b]}",
    HOUSE: lambda a, b: f"warehouse card {HOUSES[b]} is laid out",
    JARL: lambda a, b: f"Jarl {JARLS[b]} is laid out",
    REQUIREMENT: lambda a, b: f"requirement {REQUIREMENTS[b]} lies above it",
    ARRANGE: _say_arrangement,
    ORDER: lambda a, b: f"seat {a + 1} starts with the order {card_words(b)}",
    FLIP: lambda a, b: f"it is {tile_words(b)}",
    DRAW: lambda a, b: f"seat {a + 1} draws {card_words(b)}",
}


def describe(move: int, seat: int) -> str:
    """Say a move or outcome in a player's words; `seat` is who decides, negative for luck."""
    kind = move >> 24
    if kind == REDRAW:
        cards = ", ".join(card_words(move >> shift & 15) for shift in (8, 4, 0))
        text = f"pays 2 coins and puts away {cards}"
    else:
        text = _SAY[kind](move >> 8 & 0xFF, move & 0xFF)
    return f"seat {seat + 1} {text}" if seat >= 0 else text
