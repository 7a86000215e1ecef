"""Positions and games of Oh Hell for the tests."""

import engine


def load(**settings):
    """Return the game; `_` stands for `-` in the name of a setting."""
    return engine.load("oh_hell", **{key.replace("_", "-"): word for key, word in settings.items()})


def at(fields):
    """Return the state of a position text without its head."""
    return engine.load("oh_hell").from_text(f"oh_hell/1 {fields}")


def legal(state):
    """Return the words of all moves, or the tokens of all outcomes."""
    names = [state.event_name(move) for move in state.legal_moves()]
    return [name if name[0] == "~" else name.split(":", 1)[1] for name in names]


def play(state, *words):
    """Carry out decisions and luck written as words or tokens; return the state."""
    for word in words:
        state.apply(state.game.parse_event(word)[1])
    return state


TRICK = (
    "hand-size=3 dealer=p3 hand.p1=C4.D9.SA hand.p2=C7.DT.H2 hand.p3=CQ.S3.HK trump=D5 bids=1.0.3"
)
"""Three seats before the first card: seat 1 leads, diamonds are trumps."""
