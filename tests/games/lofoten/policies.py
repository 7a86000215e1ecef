"""Players for the differential test: they read the slow reference and choose among its words."""

from __future__ import annotations

import random
from collections.abc import Callable

from reference import Reference
from reference_table import DOCK, LEFT, RIGHT, TOP, Ship

Wheel = list[tuple[str | None, int, str]]
"""Of each ship: order, merchandise on it, and the letter of what it can do."""

Policy = Callable[[Reference, random.Random, list[str]], str]

LOAD, DELIVER = 2, 5


def wheel_of(game: Reference) -> Wheel:
    """Return the fleet of the seat to move, as much of it as a plan needs."""

    def able(ship: Ship) -> str:
        return ship.letter if ship.upgraded else ""

    ships = game.wheels[game.seat]
    return [(ship.card, sum(int(t[1]) for t in ship.tiles), able(ship)) for ship in ships]


def stepped(wheel: Wheel, area: int, seat: int, step: str) -> tuple[Wheel, int]:
    """Return fleet and area after a step."""
    if step == "turn:cw":
        return [wheel[LEFT], wheel[TOP], wheel[RIGHT], wheel[DOCK]], area
    if step == "turn:ccw":
        return [wheel[RIGHT], wheel[DOCK], wheel[LEFT], wheel[TOP]], area
    rightwards = (step == "move:right") == (seat == 0)
    return wheel, area + (1 if rightwards else -1)


def gain(wheel: Wheel, market: list[str | None], area: int) -> int:
    """Return what loading and delivering bring here; both are noted in fleet and market."""
    found = 0
    card, load, able = wheel[TOP]
    tile = market[area - 1]
    if card and tile:
        same = card[0] == tile[0]
        if (load == 0 and (same or able == "C")) or (
            same and able == "B" and load + int(tile[1]) <= 4
        ):
            wheel[TOP] = (card, load + int(tile[1]), able)
            market[area - 1] = None
            found += LOAD
    if wheel[DOCK][1]:
        found += DELIVER + wheel[DOCK][1]
        wheel[DOCK] = (None, 0, wheel[DOCK][2])
    return found


def outlook(
    game: Reference,
    wheel: Wheel,
    market: list[str | None],
    area: int,
    steps: tuple[str, ...],
    n: int,
) -> int:
    """Return the best that up to n steps of these kinds bring; sooner counts a little more."""
    best = 0
    for step in steps if n else ():
        turned, there = stepped(wheel, area, game.seat, step)
        if 1 <= there <= 5:
            fleet, goods = list(turned), list(market)
            found = 10 * gain(fleet, goods, there)
            best = max(best, found + outlook(game, fleet, goods, there, steps, n - 1) - 1)
    return best


def promise(game: Reference, word: str) -> int:
    """Return what a step, or a card played for its steps, can bring in loads and deliveries."""
    wheel, area = wheel_of(game), game.areas[game.seat]
    head, _, rest = word.partition(":")
    if head in ("left", "right"):
        steps = ("turn:cw" if head == "right" else "turn:ccw", f"move:{head}")
        return outlook(game, wheel, game.market, area, steps, int(rest[1]))
    if head == "pay":
        return promise(game, rest) - 15
    kinds: tuple[str, ...] = ("turn:cw", "turn:ccw")
    if game.direction:
        kinds = ("turn:cw" if game.direction == "right" else "turn:ccw", f"move:{game.direction}")
    elif head == "move":
        kinds = ("move:left", "move:right")
    turned, there = stepped(wheel, area, game.seat, word)
    fleet, goods = list(turned), list(game.market)
    found = 10 * gain(fleet, goods, there)
    left = min(3, max(game.moves, game.uses) - 1)
    return found + outlook(game, fleet, goods, there, kinds, left) if left > 0 else found


def uniform(game: Reference, rng: random.Random, words: list[str]) -> str:
    """Play any word."""
    return rng.choice(words)


TRADER = {
    "mid": 9,
    "stop": 0.5,
    "keep": 0.1,
    "extra": 0.6,
    "redraw": 0.1,
    "claim": 3,
    "facedown": 0.2,
}
BUILDER = {"mid": 9, "stop": 0.5, "extra": 0.6, "redraw": 0.2, "claim": 30, "facedown": 4, "end": 1}
HOARDER = {"take": 12, "stop": 0.1, "pay": 0.03, "redraw": 0.03, "claim": 4, "keep": 0.5}
SPENDER = {"take": 6, "extra": 5, "pay": 3, "redraw": 4, "stop": 0.3, "facedown": 0.5, "end": 0.7}


def weigh(weights: dict[str, float], rng: random.Random, words: list[str]) -> str:
    """Play by fixed weights of the first parts of the words."""
    return rng.choices(words, [weights.get(word.partition(":")[0], 1) for word in words])[0]


def best_step(game: Reference, rng: random.Random, words: list[str]) -> str | None:
    """Return a word that leads to loads or deliveries, if there is one."""
    chances = [
        (promise(game, w), w) for w in words if w[:5] in ("move:", "turn:", "pay:t", "pay:m")
    ]
    if game.phase == "play":
        chances += [(promise(game, w), w) for w in words if w.startswith(("left", "right"))]
    best = max(chances, default=(0, ""))[0]
    if best <= 0:
        return None
    return rng.choice([word for value, word in chances if value == best])


def trading(weights: dict[str, float]) -> Policy:
    """Return a player that likes loading and delivering, and else goes by weights."""

    def play(game: Reference, rng: random.Random, words: list[str]) -> str:
        if game.phase in ("play", "step", "use", "pile", "end") and rng.random() < 0.9:
            # A middle card in the dock is what there will be to load.
            if game.phase == "play" and rng.random() < 0.5:
                middle = [word for word in words if word.startswith("mid:")]
                if middle:
                    return middle[0]
            step = best_step(game, rng, words)
            if step:
                return step
        return weigh(weights, rng, words)

    return play


def fixed(weights: dict[str, float]) -> Policy:
    """Return a player that goes by weights alone."""

    def play(game: Reference, rng: random.Random, words: list[str]) -> str:
        return weigh(weights, rng, words)

    return play


def brewer(game: Reference, rng: random.Random, words: list[str]) -> str:
    """Empty the market with the cards that discard tiles."""
    mead = {f"mid:{kind}" for kind, effect in game.effects.items() if effect == "discard"}
    liked = [word for word in words if word[:5] in mead or word.startswith("discard:")]
    if liked and rng.random() < 0.9:
        return rng.choice(liked)
    return TRADERS["trader"](game, rng, words)


TRADERS: dict[str, Policy] = {"trader": trading(TRADER), "builder": trading(BUILDER)}
"""The players that like loading and delivering."""

OTHERS: dict[str, Policy] = {
    "uniform": uniform,
    "hoarder": fixed(HOARDER),
    "spender": trading(SPENDER),
    "brewer": brewer,
}

POLICIES = TRADERS | OTHERS
