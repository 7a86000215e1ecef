"""Texts of Kuhn poker: moves, events and positions, both ways."""

from engine.errors import BadMoveText, BadPositionText, shorten
from engine.notation import name_of, outcome_of, read_fields

KIND_PASS, KIND_BET, KIND_DEAL = 1, 2, 3
CARDS = "JQK?-"
WORDS = {"pass": KIND_PASS << 24, "bet": KIND_BET << 24}
TOKENS = {
    f"~deal@p{seat + 1}={name}": KIND_DEAL << 24 | seat << 8 | card
    for seat in range(2)
    for card, name in enumerate("JQK?")
}
NAMES = {move: word for word, move in (WORDS | TOKENS).items()}

FIELDS = ("me", "hand.p1", "hand.p2", "actions")


def move_name(move: int) -> str:
    """Return the word of a decision."""
    return name_of(NAMES, move, False, "Kuhn poker")


def parse_move(word: str) -> int:
    """Return the decision of a word."""
    if word not in WORDS:
        raise BadMoveText(f"{shorten(word)!r} is no move; use pass or bet")
    return WORDS[word]


def luck_name(move: int) -> str:
    """Return the token of a deal: `~deal@p1=K`."""
    return name_of(NAMES, move, True, "Kuhn poker")


def parse_luck(token: str) -> int:
    """Return the deal of a token."""
    return outcome_of(TOKENS, token, "~deal@p1=K")


def to_text(fields: tuple[int, int, int, int], observer: int) -> str:
    """Write (card 1, card 2, number of actions, bets) as `kuhn/1 hand.p1=K hand.p2=? actions=-`."""
    one, two, count, bets = fields
    actions = "".join("b" if bets >> i & 1 else "p" for i in range(count)) or "-"
    me = f" me=p{observer + 1}" if observer >= 0 else ""
    return f"kuhn/1{me} hand.p1={CARDS[one]} hand.p2={CARDS[two]} actions={actions}"


def from_text(text: str) -> tuple[tuple[int, int, int, int], int]:
    """Return the fields of `to_text` and the observer."""
    values, observer = read_fields(text, "kuhn/1", FIELDS)
    cards = []
    for key in ("hand.p1", "hand.p2"):
        if len(values[key]) != 1 or values[key] not in CARDS:
            value = shorten(values[key])
            raise BadPositionText(f"field {key}: {value!r} is no card; use J, Q, K, ? or -", key)
        cards.append(CARDS.index(values[key]))
    actions = "" if values["actions"] == "-" else values["actions"]
    if len(actions) > 3 or set(actions) - {"p", "b"}:
        text = f"field actions: {shorten(actions)!r}; use up to three of p and b, or -"
        raise BadPositionText(text, "actions")
    bets = sum(1 << i for i, a in enumerate(actions) if a == "b")
    return (cards[0], cards[1], len(actions), bets), observer
