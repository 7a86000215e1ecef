"""Texts of Kuhn poker: moves, events and positions, both ways."""

from engine.errors import BadMoveText, BadPositionText, shorten

KIND_PASS, KIND_BET, KIND_DEAL = 1, 2, 3
CARDS = "JQK?-"
WORDS = {"pass": KIND_PASS << 24, "bet": KIND_BET << 24}
NAMES = {move: word for word, move in WORDS.items()}


def move_name(move: int) -> str:
    """Return the word of a decision."""
    if move not in NAMES:
        raise BadMoveText(f"move number {move} is no decision of Kuhn poker")
    return NAMES[move]


def parse_move(word: str) -> int:
    """Return the decision of a word."""
    if word not in WORDS:
        raise BadMoveText(f"{shorten(word)!r} is no move; use pass or bet")
    return WORDS[word]


def event_name(move: int, seat: int) -> str:
    """Return `p1:bet` or `~deal@p1=K`."""
    if seat >= 0:
        return f"p{seat + 1}:{move_name(move)}"
    kind, to_seat, card = move >> 24, move >> 8 & 0xFFFF, move & 0xFF
    if kind != KIND_DEAL or to_seat > 1 or card > CARDS.index("?"):
        raise BadMoveText(f"move number {move} is no deal of Kuhn poker")
    return f"~deal@p{to_seat + 1}={CARDS[card]}"


def parse_event(token: str) -> tuple[int | None, int]:
    """Return (seat, move); seat -1 for luck, None where the token names no seat."""
    if token.startswith("~"):
        head, _, card = token.partition("=")
        if head not in ("~deal@p1", "~deal@p2") or card not in ("J", "Q", "K", "?"):
            raise BadMoveText(f"{shorten(token)!r} is no event; luck is written ~deal@p1=K")
        return -1, KIND_DEAL << 24 | (int(head[-1]) - 1) << 8 | CARDS.index(card)
    if token.startswith(("p1:", "p2:")):
        return int(token[1]) - 1, parse_move(token[3:])
    return None, parse_move(token)


def to_text(fields: tuple[int, int, int, int], observer: int) -> str:
    """Write (card 1, card 2, number of actions, bets) as `kuhn/1 hand.p1=K hand.p2=? actions=-`."""
    one, two, count, bets = fields
    actions = "".join("b" if bets >> i & 1 else "p" for i in range(count)) or "-"
    me = f" me=p{observer + 1}" if observer >= 0 else ""
    return f"kuhn/1{me} hand.p1={CARDS[one]} hand.p2={CARDS[two]} actions={actions}"


def from_text(text: str) -> tuple[tuple[int, int, int, int], int]:
    """Return the fields of `to_text` and the observer."""
    head, *rest = text.split() or [""]
    if head != "kuhn/1":
        raise BadPositionText(f"position must begin with kuhn/1, not {shorten(head)!r}")
    values = _read_fields(rest)
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
    if values["me"] not in ("-", "p1", "p2"):
        raise BadPositionText(f"field me: {shorten(values['me'])!r}; use p1 or p2", "me")
    bets = sum(1 << i for i, a in enumerate(actions) if a == "b")
    observer = -1 if values["me"] == "-" else int(values["me"][1]) - 1
    return (cards[0], cards[1], len(actions), bets), observer


def _read_fields(items: list[str]) -> dict[str, str]:
    """Return key and value of each field, `-` for those not given."""
    values = dict.fromkeys(("me", "hand.p1", "hand.p2", "actions"), "-")
    given = set()
    for item in items:
        key, equals, value = item.partition("=")
        if key not in values or not equals or (key == "me" and value == "-"):
            names = ", ".join(values)
            raise BadPositionText(f"field {shorten(item)!r}: the fields are {names}", key)
        if key in given:
            raise BadPositionText(f"field {key} is given twice", key)
        given.add(key)
        values[key] = value
    return values
