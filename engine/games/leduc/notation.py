"""Texts of Leduc poker: moves, events and positions, both ways."""

from engine.errors import BadMoveText, BadPositionText, shorten
from engine.notation import name_of, outcome_of, read_fields

FOLD, CALL, RAISE, DEAL, PUBLIC = range(1, 6)
CARDS = ("SJ", "HJ", "SQ", "HQ", "SK", "HK")
UNKNOWN, NONE = 6, 8
CARD_OF = {name: card for card, name in enumerate(CARDS)} | {"?": UNKNOWN}
CARD_NAMES = {card: name for name, card in CARD_OF.items()} | {NONE: "-"}

# The lines of a round, in the order of state.pxd.
LINES = tuple(" c r cr rr crr cc rc crc rrc crrc rf crf rrf crrf".split(" "))
LETTERS = {"f": FOLD << 24, "c": CALL << 24, "r": RAISE << 24}

WORDS = {"fold": FOLD << 24, "call": CALL << 24, "raise": RAISE << 24}
TOKENS = {
    f"~deal@p{seat + 1}={name}": DEAL << 24 | seat << 8 | card
    for seat in range(2)
    for name, card in CARD_OF.items()
} | {f"~public={name}": PUBLIC << 24 | card for card, name in enumerate(CARDS)}
NAMES = {move: word for word, move in (WORDS | TOKENS).items()}

FIELDS = ("me", "hand.p1", "hand.p2", "public", "round1", "round2")

# Cards of seat 1, of seat 2, the public one; the lines of both rounds.
Fields = tuple[int, int, int, int, int]


def move_name(move: int) -> str:
    """Return the word of a decision."""
    return name_of(NAMES, move, False, "Leduc poker")


def parse_move(word: str) -> int:
    """Return the decision of a word."""
    if word not in WORDS:
        raise BadMoveText(f"{shorten(word)!r} is no move; use fold, call or raise")
    return WORDS[word]


def luck_name(move: int) -> str:
    """Return the token of a deal: `~deal@p1=SK` or `~public=HQ`."""
    return name_of(NAMES, move, True, "Leduc poker")


def parse_luck(token: str) -> int:
    """Return the deal of a token."""
    return outcome_of(TOKENS, token, "~deal@p1=SK or ~public=HQ")


def to_text(fields: Fields, observer: int) -> str:
    """Write `leduc/1 hand.p1=SK hand.p2=? public=HQ round1=crc round2=-`."""
    one, two, public, *lines = fields
    names = f"hand.p1={CARD_NAMES[one]} hand.p2={CARD_NAMES[two]} public={CARD_NAMES[public]}"
    rounds = " ".join(f"round{i + 1}={LINES[line] or '-'}" for i, line in enumerate(lines))
    me = f" me=p{observer + 1}" if observer >= 0 else ""
    return f"leduc/1{me} {names} {rounds}"


def from_text(text: str) -> tuple[Fields, int]:
    """Return the fields of `to_text` and the observer; whether they fit is not looked at."""
    values, observer = read_fields(text, "leduc/1", FIELDS)
    one, two = (_card(values, key, "?") for key in ("hand.p1", "hand.p2"))
    public = _card(values, "public", "")
    first, second = (_line(values, key) for key in ("round1", "round2"))
    return (one, two, public, first, second), observer


def events(fields: Fields) -> list[int]:
    """Return the moves and chance outcomes that lead from the start to the fields of a position."""
    one, two, public, first, second = fields
    found = [DEAL << 24 | seat << 8 | card for seat, card in enumerate((one, two)) if card != NONE]
    found += [LETTERS[letter] for letter in LINES[first]]
    if public != NONE:
        found.append(PUBLIC << 24 | public)
    return found + [LETTERS[letter] for letter in LINES[second]]


def _card(values: dict[str, str], key: str, hidden: str) -> int:
    value = values[key]
    if value == "-":
        return NONE
    if value not in CARD_OF or (value == "?" and not hidden):
        allowed = ", ".join([*CARDS, *hidden])
        text = f"field {key}: {shorten(value)!r} is no card; use {allowed} or -"
        raise BadPositionText(text, key)
    return CARD_OF[value]


def _line(values: dict[str, str], key: str) -> int:
    value = "" if values[key] == "-" else values[key]
    if value not in LINES:
        text = f"field {key}: {shorten(value)!r} is no betting; use {' '.join(LINES[1:])} or -"
        raise BadPositionText(text, key)
    return LINES.index(value)
