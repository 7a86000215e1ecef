"""Figures on position texts: each reads back as it was written, and no broken one does harm.

The states come from random games, the variants of a game by turns; within a game rare kinds of
events are as likely to be next as frequent ones. How texts are broken: mutations.py.
"""

import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from bench.games import parse_game
from bench.measure.mutations import NAMES, mutate
from bench.measure.random_games import random_game
from bench.registry import Out
from bench.seeds import PURPOSE_MEASURE
from engine import RandomStream, available, load
from engine.conformance import variants
from engine.errors import BadPositionText, shorten
from engine.game import Game, State

STATES_A_GAME = 50
GAMES_A_PIECE = 20
PLIES_AFTER = 50
LONGEST_MESSAGE = 400
EXAMPLES = 5  # written out, of each kind of failure
# Streams of one game, beside the one that plays it.
CHOOSING, BREAKING, FOLLOWING = 2**36, 2**37, 2**38

# What differs between messages of one kind.
QUOTED = re.compile(r"'.*'|\".*\"|\b[A-Z]?\d+\w*")
FIRST_WORD = re.compile(r"~?(?:p\d:)?([a-z]+)")


class Tally:
    """Counts of one kind of work, and examples of what went wrong."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.without_field: Counter[str] = Counter()
        self.examples: dict[str, list[str]] = {}

    def fail(self, name: str, text: str, why: str = "") -> None:
        """Count a failure and keep its text."""
        self.counts[name] += 1
        examples = self.examples.setdefault(name, [])
        if len(examples) < EXAMPLES:
            examples.append(f"{text} <- {why}" if why else text)

    def add(self, other: "Tally") -> None:
        """Add what another process has counted."""
        self.counts += other.counts
        self.without_field += other.without_field
        for name, texts in other.examples.items():
            mine = self.examples.setdefault(name, [])
            mine += texts[: EXAMPLES - len(mine)]


def chosen_states(game: Game, seed: int, index: int, number: int) -> list[State]:
    """Return copies of states of one random game, each kind of event as likely next as others."""
    by_kind: dict[str, list[State]] = {}

    def keep(state: State, move: int) -> None:
        found = FIRST_WORD.match(state.event_name(move))
        by_kind.setdefault(found[1] if found else "", []).append(state.copy())

    *_, end = random_game(game, seed, index, keep)
    groups = [*by_kind.values(), [end]]
    stream = RandomStream(seed, PURPOSE_MEASURE, CHOOSING + index)
    picked = (groups[stream.below(len(groups))] for _ in range(number))
    return [group[stream.below(len(group))] for group in picked]


def shown(state: State) -> list[State]:
    """Return a full state and the views of it."""
    return [state, *(state.view(seat) for seat in range(state.game.num_seats))]


def reads_back(state: State) -> str:
    """Say what is lost where a state is written and read again; an empty text if nothing is."""
    text = state.to_text()
    try:
        twin = state.game.from_text(text)
    except BadPositionText as error:
        return f"refused: {error}"
    seats = range(state.game.num_seats) if state.observer < 0 else [state.observer]
    faults = {
        "another state": twin != state,
        "another text": twin.to_text() != text,
        "another key": twin.key() != state.key(),
        "another key of a seat": any(twin.infoset_key(s) != state.infoset_key(s) for s in seats),
        "check": twin.check() != 0,
    }
    return ", ".join(name for name, there in faults.items() if there)


def harm_done(state: State, stream: RandomStream, plies: int = PLIES_AFTER) -> str:
    """Say what is wrong with a state that was read from a broken text, and with games from it."""
    if state.check():
        return f"check {state.check():#x}"
    lost = reads_back(state)
    if lost:
        return f"reads back with {lost}"
    world = state if state.observer < 0 else state.determinize(stream)
    if world is not state and world.view(state.observer) != state:
        return "its seat sees a world of it as another view"
    world = world.copy()
    for ply in range(plies + 1):
        if world.check():
            return f"check {world.check():#x} after {ply} events: {world.to_text()}"
        if world.is_terminal or ply == plies:
            break
        moves = world.legal_moves()
        if not moves:
            return f"nothing is legal after {ply} events: {world.to_text()}"
        chance = world.is_chance
        move = world.sample_chance(stream) if chance else moves[stream.below(len(moves))]
        if move not in moves:
            return f"luck brings {move:#x} after {ply} events: {world.to_text()}"
        world.apply(move)
    world.game.scores(world)
    return "" if str(state).strip() and str(world).strip() else "the picture is empty"


def judge(game: Game, text: str, stream: RandomStream, tally: Tally) -> str:
    """Read a broken text and count what comes of it; return `refused`, `accepted` or `raised`."""
    try:
        state = game.from_text(text)
    except BadPositionText as error:
        message, key = str(error), error.key
        if not 0 < len(message) <= LONGEST_MESSAGE:
            tally.fail("bad_message", text, message)
        if key is None:
            tally.without_field[QUOTED.sub("#", message)] += 1
        elif not any(name in message for name in (shorten(key), repr(shorten(key))[1:-1])):
            tally.fail("not_named", text, f"{key!r}: {message}")
        return "refused"
    except Exception as error:
        tally.fail("raised", text, repr(error))
        return "raised"
    try:
        harm = harm_done(state, stream)
    except Exception as error:
        harm = repr(error)
    if harm:
        tally.fail("harmful", text, harm)
    return "accepted"


def write_and_read(name: str, seed: int, first: int, last: int, number: int) -> Tally:
    """Write and read states of the random games `first` to `last - 1`, `number` of each game."""
    games, tally = variants(name), Tally()
    for index in range(first, last):
        for state in chosen_states(games[index % len(games)], seed, index, number):
            tally.counts["states"] += 1
            for one in shown(state):
                tally.counts["texts"] += 1
                lost = reads_back(one)
                if lost:
                    tally.fail("differing", one.to_text(), lost)
    return tally


def break_and_read(name: str, seed: int, first: int, last: int, number: int) -> Tally:
    """Read broken texts, `number` of each of the random games `first` to `last - 1`."""
    games, tally = variants(name), Tally()
    foreign = [
        state.to_text()
        for other in available()
        if other != name
        for state in chosen_states(load(other), seed, first, STATES_A_GAME)
    ]
    before: list[str] = []  # texts of the game before, of another variant
    for index in range(first, last):
        game = games[index % len(games)]
        stream = RandomStream(seed, PURPOSE_MEASURE, BREAKING + index)
        follow = RandomStream(seed, PURPOSE_MEASURE, FOLLOWING + index)
        texts = []
        for state in chosen_states(game, seed, index, number):
            one = shown(state)
            texts.append(one[stream.below(len(one))].to_text())
        for text in texts:
            broken, kinds = mutate(text, [*texts, *before], foreign, game.setting_list(), stream)
            verdict = judge(game, broken, follow, tally)
            tally.counts["mutated"] += 1
            tally.counts[verdict] += 1
            for kind in kinds:
                tally.counts[f"{kind} {verdict}"] += 1
        before = texts
    return tally


Work = Callable[[str, int, int, int, int], Tally]


FAULTS = ("differing", "raised", "harmful", "not_named", "bad_message")


def run(out: Out, identity: str, number: int, seed: int = 1) -> None:
    """Read `number` states and all views of them back, and `number` broken texts, of all variants.

    Faults: `differing`, a text reads back as something else; `raised`, an error other than
    BadPositionText; `harmful`, a broken text is accepted, but is no sound position, does not read
    back, or a game from it breaks; `not_named` and `bad_message`, a refusal does not name the field
    that it blames, or says nothing or far too much. `without_field` counts the refusals that blame
    no field alone.
    """
    name = parse_game(identity).name
    games = -(-number // STATES_A_GAME)
    pieces = [
        (work, name, seed, first, min(games, first + GAMES_A_PIECE))
        for work in (write_and_read, break_and_read)
        for first in range(0, games, GAMES_A_PIECE)
    ]
    tally = Tally()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for part in pool.map(_piece, pieces):
            tally.add(part)
    out.update(game=name, variants=len(variants(name)), **summary(tally))


def summary(tally: Tally) -> Out:
    """Return what has been counted as a figure."""
    counts = tally.counts
    names = ("states", "texts", "mutated", "refused", "accepted", *FAULTS)
    out: Out = {name: counts[name] for name in names}
    out["faults"] = sum(counts[name] for name in FAULTS)
    out["by_mutation"] = {
        kind: {verdict: counts[f"{kind} {verdict}"] for verdict in ("refused", "accepted")}
        for kind in NAMES
    }
    out["refused_without_field"] = tally.without_field.total()
    out["without_field"] = dict(tally.without_field.most_common())
    out["examples"] = tally.examples
    return out


def _piece(piece: tuple[Work, str, int, int, int]) -> Tally:
    work, name, seed, first, last = piece
    return work(name, seed, first, last, STATES_A_GAME)
