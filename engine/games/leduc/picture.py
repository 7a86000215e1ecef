"""Leduc poker as people see it at the table: cards, pot, and the betting of both rounds."""

from engine.games.leduc.notation import DEAL, LINES, NAMES, NONE, PUBLIC, UNKNOWN, Fields

RANKS, SUITS = ("jack", "queen", "king"), ("spades", "hearts")


def card_words(card: int) -> str:
    """Return a card in words, such as `king of hearts`."""
    if card >= UNKNOWN:
        return "hidden" if card == UNKNOWN else "not dealt"
    return f"{RANKS[card // 2]} of {SUITS[card % 2]}"


def told(line: int) -> list[str]:
    """Return the betting of a round in words."""
    words, is_raised = [], False
    for letter in LINES[line]:
        if letter == "r":
            words.append("raise" if is_raised else "bet")
            is_raised = True
        else:
            words.append("fold" if letter == "f" else "call" if is_raised else "check")
    return words


def chips(fields: Fields) -> list[int]:
    """Return how many chips each seat has put in."""
    paid = [1, 1]
    for line, size in zip(fields[3:], (2, 4), strict=True):
        base = max(paid)
        level = [0, 0]
        for number, letter in enumerate(LINES[line]):
            if letter != "f":
                level[number % 2] = max(level) + (size if letter == "r" else 0)
        paid = [base + level[0], base + level[1]] if line else paid
    return paid


def draw(fields: Fields) -> str:
    """Return the drawing."""
    one, two, public, first, second = fields
    lines = [f"seat 1: {card_words(one)}   seat 2: {card_words(two)}"]
    lines.append(f"public card: {card_words(public)}")
    lines.append(f"first round: {', '.join(told(first)) or 'nothing yet'}")
    if public != NONE:
        lines.append(f"second round: {', '.join(told(second)) or 'nothing yet'}")
    lines.append("chips: {} and {}".format(*chips(fields)))
    return "\n".join(lines)


def describe(move: int, seat: int) -> str:
    """Say a move or outcome in a player's words; `seat` is who decides, negative for luck."""
    kind, to_seat, card = move >> 24, move >> 8 & 0xFF, move & 0xFF
    if kind not in (DEAL, PUBLIC):
        return f"seat {seat + 1}: {NAMES[move]}"
    words = "a hidden card" if card == UNKNOWN else f"the {card_words(card)}"
    return f"{words} is turned up" if kind == PUBLIC else f"seat {to_seat + 1} is dealt {words}"
