"""Positions and games of Leduc poker for the tests."""

from functools import cache

import engine


def at(fields):
    """Return the state of a position text without its head."""
    return engine.load("leduc").from_text(f"leduc/1 {fields}")


def legal(state):
    """Return the words of all moves, or the tokens of all outcomes."""
    names = [state.event_name(move) for move in state.legal_moves()]
    return [name if name[0] == "~" else name.split(":", 1)[1] for name in names]


def play(state, *words):
    """Carry out decisions and luck written as words or tokens; return the state."""
    for word in words:
        state.apply(state.game.parse_event(word)[1])
    return state


@cache
def everything():
    """Return all positions of the game with the tokens that lead there, 9,457 in all."""
    found, state = [], engine.load("leduc").new_state()

    def walk(state, tokens):
        found.append((state, tokens))
        for move in state.legal_moves():
            child = state.copy()
            child.apply(move)
            walk(child, (*tokens, state.event_name(move)))

    walk(state, ())
    return found
