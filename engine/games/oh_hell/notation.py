"""Move words and event tokens of Oh Hell, both ways. Positions: position.py. Bits: state.pxd."""

from engine.errors import BadMoveText, shorten
from engine.notation import name_of, outcome_of

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
    return name_of(NAMES, move, False, "Oh Hell")


def parse_move(word: str) -> int:
    """Return the decision of a word."""
    move = WORDS.get(word)
    if move is None:
        raise BadMoveText(f"{shorten(word)!r} is no move; use one such as bid:2 or play:S7")
    return move


def luck_name(move: int) -> str:
    """Return the token of a chance outcome: `~deal@p1=S7`."""
    return name_of(NAMES, move, True, "Oh Hell")


def parse_luck(token: str) -> int:
    """Return the chance outcome of a token."""
    return outcome_of(TOKENS, token, "~deal@p1=S7 or ~trump=HA")


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
