"""Figures on keys: kept up to date, and no two states alike."""

from hashlib import blake2b

from bench.games import parse_game
from bench.measure.random_games import random_game
from bench.registry import Out


def recomputed(out: Out, identity: str, games: int, seed: int = 1) -> None:
    """Check at every event of random games that updated keys equal recomputed ones.

    Two ways: `State.check` recomputes all that is kept up to date, and a state rebuilt from its
    position text has the same keys.
    """
    game = parse_game(identity)
    events = differing = broken = 0
    for index in range(games):
        for state in random_game(game, seed, index):
            events += 1
            broken += state.check() != 0
            if events % 16 == 0:
                twin = game.from_text(state.to_text())
                seats = range(game.num_seats)
                differing += twin.key() != state.key() or any(
                    twin.infoset_key(seat) != state.infoset_key(seat) for seat in seats
                )
    out.update(game=game.identity, games=games, events=events)
    out.update(rebuilt=events // 16, differing=differing, broken=broken)


def distinct(out: Out, identity: str, number: int, seed: int = 1) -> None:
    """Collect distinct states of random games and count pairs that share a 64-bit key.

    States are distinct when their position texts are, apart from fields that the game names in
    `untold`: counters that tell nothing about what can follow and are in no key.
    """
    game = parse_game(identity)
    texts: set[bytes] = set()
    keys: dict[int, bytes] = {}
    collisions = 0
    index = 0
    while len(texts) < number:
        before = len(texts)
        for state in random_game(game, seed, index):
            words = (w for w in state.to_text().split() if w.partition("=")[0] not in game.untold)
            # Read and written again: one text for one situation, whatever way led to it.
            told = game.from_text(" ".join(words)).to_text()
            text = blake2b(told.encode(), digest_size=16).digest()
            texts.add(text)
            collisions += keys.setdefault(state.key(), text) != text
        index += 1
        if len(texts) == before and index > 1000:
            break
    out.update(game=game.identity, games=index, states=len(texts), collisions=collisions)
