"""Lists every world that a view allows. For tests; shares nothing with `hidden.determinize`."""

from engine.game import State
from engine.games.leduc.notation import CARDS


def worlds(view: State) -> list[tuple[State, int]]:
    """Return all full states that fit a view, each with the weight 1: all are equally likely."""
    head, _, *fields = view.to_text().split()  # all but me=p1
    values = dict(field.split("=") for field in fields)
    hidden = [key for key, value in values.items() if value == "?"]
    unseen = [card for card in CARDS if card not in values.values()]
    fillings = [{key: card} for key in hidden for card in unseen] or [{}]
    found = []
    for filling in fillings:
        words = [f"{key}={value}" for key, value in (values | filling).items()]
        found.append((view.game.from_text(" ".join([head, *words])), 1))
    return found
