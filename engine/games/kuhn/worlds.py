"""Lists every world that a view allows. For tests; shares nothing with `hidden.determinize`."""

from engine.game import State

CARDS = "JQK"


def worlds(view: State) -> list[tuple[State, int]]:
    """Return all full states that fit a view, each with the weight 1: all are equally likely."""
    words = [word for word in view.to_text().split() if not word.startswith("me=")]
    hidden = [i for i, word in enumerate(words) if word.endswith("=?")]
    if not hidden:
        return [(view.game.from_text(" ".join(words)), 1)]
    shown = {word[-1] for word in words if word.startswith("hand.")}
    found = []
    for card in set(CARDS) - shown:
        filled = [word.replace("?", card) if i in hidden else word for i, word in enumerate(words)]
        found.append((view.game.from_text(" ".join(filled)), 1))
    return found
