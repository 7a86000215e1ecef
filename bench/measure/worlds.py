"""The determinizer against a full list of the worlds that a view allows."""

from collections import Counter

from bench.games import parse_game
from bench.measure.random_games import random_game
from bench.registry import Out
from bench.seeds import PURPOSE_MEASURE
from engine import RandomStream
from engine.game import Game, State

# Worlds, or worlds with the chance outcome that follows.
Weights = dict[tuple[bytes, int], int]


def late_positions(game: Game, number: int, most: int, seed: int) -> list[State]:
    """Return views of late states, from many random games, with 2 to `most` worlds.

    Half of them are taken where luck decides next, so that a card or tile is drawn together with
    the hidden hand; at most two of a game.
    """
    found: list[State] = []
    stream = RandomStream(seed, PURPOSE_MEASURE, 2**36)
    for index in range(1000):
        states = [s.copy() for s in random_game(game, seed, index)]
        late = states[len(states) * 2 // 3 : -1]
        for luck in (False, True):
            # Not every game has luck so late.
            fitting = [s for s in late if s.is_chance == luck] or late
            state = fitting[stream.below(len(fitting))]
            view = state.view(stream.below(game.num_seats))
            weights = weigh(view, most)
            if weights is not None and len(weights) > 1:
                found.append(view)
            if len(found) == number:
                return found
    raise ValueError(f"only {len(found)} positions with at most {most} worlds in 1,000 games")


def weigh(view: State, most: int) -> Weights | None:
    """List the worlds, each with every outcome of the chance event that follows, if one does."""
    listed = view.game.worlds(view, most)
    if listed is None:
        return None
    weights: Weights = Counter()
    for world, ways in listed:
        outcomes = world.legal_moves() if world.is_chance else [0]
        for outcome in outcomes:
            factor = world.chance_weight(outcome) if world.is_chance else 1
            weights[world.to_bytes(), outcome] += ways * factor
    return weights if len(weights) <= most else None


def chi_square(view: State, weights: Weights, samples: int, stream: RandomStream) -> float:
    """Return how many standard errors chi-square lies above its mean (Wilson and Hilferty 1931).

    Worlds that are expected fewer than five times are put together. Infinite if a sample is no
    world of the list.
    """
    seen: Counter[tuple[bytes, int]] = Counter()
    for _ in range(samples):
        world = view.determinize(stream)
        seen[world.to_bytes(), world.sample_chance(stream) if world.is_chance else 0] += 1
    if set(seen) - set(weights):
        return float("inf")
    total = sum(weights.values())
    cells: list[tuple[float, int]] = []
    rest_expected, rest_seen = 0.0, 0
    for world_key, weight in weights.items():
        expected = samples * weight / total
        if expected < 5:
            rest_expected, rest_seen = rest_expected + expected, rest_seen + seen[world_key]
        else:
            cells.append((expected, seen[world_key]))
    if rest_expected:
        cells.append((rest_expected, rest_seen))
    freedom = len(cells) - 1
    if freedom == 0:
        return 0.0
    statistic = sum((n - expected) ** 2 / expected for expected, n in cells)
    spread = 2 / (9 * freedom)
    return float(((statistic / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


def run(
    out: Out, identity: str, number: int, samples: int, seed: int = 1, most: int = 20_000
) -> None:
    """Test `number` late positions with `samples` samples each; the worst is the figure.

    The positions have at most `most` worlds, counted with the luck that follows.
    The largest of n standard normal errors exceeds 4 once in about 30,000 / n runs.
    """
    game = parse_game(identity)
    stream = RandomStream(seed, PURPOSE_MEASURE, 2**37)
    rows = []
    for view in late_positions(game, number, most, seed):
        weights = weigh(view, most)
        assert weights is not None
        error = chi_square(view, weights, samples, stream)
        rows.append({"worlds": len(weights), "luck": view.is_chance, "standard_errors": error})
    out.update(game=game.identity, positions=number, samples=samples, rows=rows)
    out["worst_standard_errors"] = max(float(row["standard_errors"]) for row in rows)
