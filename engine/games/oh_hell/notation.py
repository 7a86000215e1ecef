"""Move words and event tokens of Oh Hell, both ways. Positions: position.py. Bits: state.pxd."""

from engine.errors import BadMoveText, shorten

TRICKS, DEALER, DEAL, TRUMP, BID, PLAY = range(1, 7)
SUITS = "CDSH"
RANKS = "23456789TJQKA"
CARDS = [suit + rank for rank in RANKS for suit in SUITS]
CARD_UNKNOWN = 62
CARD_OF = {name: card for card, name in enumerate(CARDS)}
CARD_NAMES = dict(enumerate(CARDS)) | {CARD_UNKNOWN: "?"}
MOST_TRICKS, MOST_SEATS = 17, 4

SUIT_WORDS = ("clubs", "diamonds", "spades", "hearts")
_RANK_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack")
RANK_WORDS = (*_RANK_WORDS, "queen", "king", "ace")


def _words() -> dict[str, int]:
    words = {f"bid:{number}": BID << 24 | number for number in range(MOST_TRICKS + 1)}
    return words | {f"play:{name}": PLAY << 24 | card for name, card in CARD_OF.items()}


def _tokens() -> dict[str, int]:
    tokens = {f"~tricks={number}": TRICKS << 24 | number for number in range(1, MOST_TRICKS + 1)}
    tokens |= {f"~dealer=p{seat + 1}": DEALER << 24 | seat for seat in range(MOST_SEATS)}
    for seat in range(MOST_SEATS):
        for card, name in CARD_NAMES.items():
            tokens[f"~deal@p{seat + 1}={name}"] = DEAL << 24 | seat << 8 | card
    return tokens | {f"~trump={name}": TRUMP << 24 | card for name, card in CARD_OF.items()}


WORDS = _words()
TOKENS = _tokens()
NAMES = {move: word for word, move in (WORDS | TOKENS).items()}


def move_name(move: int) -> str:
    """Return the word of a decision."""
    name = NAMES.get(move)
    if name is None or name[0] == "~":
        raise BadMoveText(f"move number {move} is no decision of Oh Hell")
    return name


def parse_move(word: str) -> int:
    """Return the decision of a word."""
    move = WORDS.get(word)
    if move is None:
        raise BadMoveText(f"{shorten(word)!r} is no move; use one such as bid:2 or play:S7")
    return move


def event_name(move: int, seat: int) -> str:
    """Return the event token: `p1:play:S7`, or `~deal@p1=S7` for luck."""
    if seat >= 0:
        return f"p{seat + 1}:{move_name(move)}"
    name = NAMES.get(move)
    if name is None or name[0] != "~":
        raise BadMoveText(f"move number {move} is no chance outcome of Oh Hell")
    return name


def parse_event(token: str) -> tuple[int | None, int]:
    """Return (seat, move): seat -1 for luck, None where the token names no seat."""
    if token[:1] == "~":
        move = TOKENS.get(token)
        if move is None:
            raise BadMoveText(
                f"{shorten(token)!r} is no chance outcome, such as ~deal@p1=S7 or ~trump=HA"
            )
        return -1, move
    if token[:3] in ("p1:", "p2:", "p3:", "p4:"):
        return int(token[1]) - 1, parse_move(token[3:])
    return None, parse_move(token)


def card_words(card: int) -> str:
    """Return a card in words, such as `the seven of spades`."""
    if card == CARD_UNKNOWN:
        return "a hidden card"
    return f"the {RANK_WORDS[card // 4]} of {SUIT_WORDS[card % 4]}"


def counted(number: int, what: str) -> str:
    """Return `1 trick`, `2 tricks`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def describe(move: int, seat: int) -> str:
    """Say a move or outcome in a player's words; `seat` is who decides, negative for luck."""
    kind, to_seat, value = move >> 24, move >> 8 & 0xFF, move & 0xFF
    if kind == TRICKS:
        return f"the game has {counted(value, 'trick')}"
    if kind == DEALER:
        return f"seat {value + 1} is the dealer"
    if kind == DEAL:
        return f"seat {to_seat + 1} is dealt {card_words(value)}"
    if kind == TRUMP:
        return f"{card_words(value)} is turned up, so {SUIT_WORDS[value % 4]} are trumps"
    if kind == BID:
        return f"seat {seat + 1} bids {value}"
    return f"seat {seat + 1} plays {card_words(value)}"
