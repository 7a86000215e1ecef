"""Try many options at once: every pair of games tells something of each of them.

    python -m bench.ideas.screen keying=observer,public valued_plies=9,16 --pairs 1200 --movetime 10

In a pair A has each option at one of its two values, by lot, and B has it at the other one; both
seatings of a deal are played. Fitted to A's scores, by least squares, is what each option adds: the
points, in per cent above one half, with its second value against its first, the others at either
value. So ten options take no more games than one, where a test of one after the other takes ten
times as many. It is a screen: what it finds is then tried by itself, since options may depend on
each other. (Random balance designs: F. E. Satterthwaite, Technometrics 1(2), 1959.)

Searches run in this program, without an engine process. With `--journal FILE` pairs are written
down one by one, and the same command goes on where it was broken off.
"""

import argparse
import json
import math
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bench.games import parse_game
from bench.ideas.catalogue import GAME, PRESET
from bench.ideas.trial import TIME_MS, count
from bench.interrupts import exit_on_signal
from bench.seeds import PURPOSE_SCREEN, SearchSeeds, deal_seed
from bench.statistics.basics import NORMAL_95
from engine import EngineError, RandomStream
from engine.game import Game
from search.belief import Belief
from search.limits import Limits
from search.options import find
from search.searcher import Searcher

HASH_MB = 16


class Factor:
    """An option and the two values between which the screen chooses."""

    __slots__ = ("high", "low", "name")

    def __init__(self, name: str, low: str, high: str) -> None:
        self.name, self.low, self.high = name, low, high

    def __str__(self) -> str:
        return f"{self.name}={self.low},{self.high}"


def parse_factor(text: str) -> Factor:
    """Read `NAME=LOW,HIGH`; ValueError says what is wrong."""
    name, _, values = text.partition("=")
    low, comma, high = values.partition(",")
    option = find(name)
    if not comma or option.read(low) == option.read(high):
        raise ValueError(f"{text[:60]!r}: use NAME=VALUE,OTHER with two values that differ")
    return Factor(name, low, high)


class Plan:
    """What is played: plain data, handed to worker processes.

    Attributes:
        game: its identity.
        preset: of both sides.
        factors: what differs between them.
        limits: nodes or milliseconds of each decision.
        seed: of the deals, of the searches, and of who has which value.
    """

    __slots__ = ("factors", "game", "limits", "preset", "seed")

    def __init__(
        self, game: str, preset: str, factors: list[Factor], limits: dict[str, float], seed: int
    ) -> None:
        self.game, self.preset, self.factors = game, preset, factors
        self.limits, self.seed = limits, seed

    @property
    def head(self) -> dict[str, Any]:
        """What the first line of a journal says: only the same plan goes on with it."""
        plain = {name: getattr(self, name) for name in ("game", "preset", "limits", "seed")}
        return plain | {"factors": [str(factor) for factor in self.factors]}

    def signs(self, pair: int) -> list[int]:
        """Return for each factor 1 where A has the second value in a pair, else -1."""
        lots = RandomStream(self.seed, PURPOSE_SCREEN, pair)
        return [1 if lots.below(2) else -1 for _ in self.factors]

    def options(self, signs: Sequence[int]) -> dict[str, Any]:
        """Return the options of a side."""
        chosen = zip(self.factors, signs, strict=True)
        return {f.name: f.high if sign > 0 else f.low for f, sign in chosen}


class Side:
    """One side of a pair: its search, and what each seat it plays believes."""

    def __init__(self, plan: Plan, game: Game, signs: Sequence[int]) -> None:
        self._searcher = Searcher(plan.preset, hash_mb=HASH_MB, options=plan.options(signs))
        self._limits = Limits(**plan.limits)  # type: ignore[arg-type]
        self._game = game

    def begin(self, seat: int, seeds: SearchSeeds) -> None:
        """Get ready for a game at a seat."""
        self._searcher.new_game()
        self._seeds, self.seat = seeds, seat
        self._belief = Belief(self._game.new_state().view(seat)) if self._game.belief_size else None

    def move(self, view: Any) -> int:
        """Return the move that it makes."""
        self._searcher.seed = self._seeds.next()
        return self._searcher.go(view, self._limits, belief=self._belief).best_move

    def observe(self, move: int) -> None:
        """Take in an event as its seat sees it."""
        if self._belief is not None:
            self._belief.observe(move)


def play_pair(pair: int, plan: Plan) -> tuple[int, float, float]:
    """Play both games of a pair; return its number, and A's mean score and margin."""
    game, signs = parse_game(plan.game), plan.signs(pair)
    sides = [Side(plan, game, signs), Side(plan, game, [-sign for sign in signs])]
    score = margin = 0.0
    for number in range(2):
        for i, side in enumerate(sides):
            side.begin(i ^ number, SearchSeeds(plan.seed, i, 2 * pair + number))
        won, ahead = _play(game, plan, pair, sides)
        score += won / 2
        margin += ahead / 2
    return pair, score, margin


def _play(game: Game, plan: Plan, pair: int, sides: Sequence[Side]) -> tuple[float, float]:
    deal, state = game.new_deal(deal_seed(plan.seed, pair)), game.new_state()
    by_seat = sorted(sides, key=lambda side: side.seat)
    while not state.is_terminal:
        seat = state.seat_to_move
        if state.is_chance:
            move = deal.outcome(state)
        else:
            moves = state.legal_moves()
            move = by_seat[seat].move(state.view(seat)) if len(moves) > 1 else moves[0]
        for side in by_seat:
            side.observe(state.redact(move, side.seat))
        state.apply(move)
    seat = sides[0].seat
    return state.returns()[seat], state.margins()[seat]


def play_all(plan: Plan, pairs: Sequence[int], jobs: int) -> Iterator[tuple[int, float, float]]:
    """Yield pairs as they end."""
    work = partial(play_pair, plan=plan)
    if jobs == 1:
        yield from map(work, pairs)
        return
    ignored = signal.SIGINT, signal.SIG_IGN
    with ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, ignored) as pool:
        futures = [pool.submit(work, pair) for pair in pairs]
        try:
            for done in as_completed(futures):
                yield done.result()
        finally:
            # What is being played ends; nothing else begins.
            for future in futures:
                future.cancel()


def effects(signs: Sequence[Sequence[int]], values: Sequence[float]) -> list[tuple[float, float]]:
    """Return what each factor adds to the values, and half of its 95 % interval.

    No constant is fitted: sides with the same options are even. ValueError: too few pairs, or
    factors that these pairs do not tell apart.
    """
    import numpy as np

    x, y = np.array(signs, dtype=float), np.array(values)
    if not len(x) or len(x) <= x.shape[1] or np.linalg.matrix_rank(x) < x.shape[1]:
        raise ValueError(f"{len(x)} pairs are too few to tell the options apart")
    inverse = np.linalg.inv(x.T @ x)
    fitted = inverse @ x.T @ y
    rest = y - x @ fitted
    variance = float(rest @ rest) / (len(x) - x.shape[1])
    return [
        (float(one), NORMAL_95 * math.sqrt(variance * square))
        for one, square in zip(fitted, np.diag(inverse), strict=True)
    ]


def lines(plan: Plan, played: Sequence[tuple[int, float, float]]) -> list[str]:
    """Return the table of what was found."""
    signs = [plan.signs(pair) for pair, _, _ in played]
    scores = effects(signs, [100 * (score - 0.5) for _, score, _ in played])
    margins = effects(signs, [margin for _, _, margin in played])
    rows = zip(plan.factors, scores, margins, strict=True)
    return [
        f"| option, {2 * len(played):,} games | points in 100 of the second value | margin |",
        "|---|---|---|",
        *(
            f"| `{factor}` | {s:+.1f} ± {s_error:.1f} | {m:+.2f} ± {m_error:.2f} |"
            for factor, (s, s_error), (m, m_error) in rows
        ),
    ]


class Journal:
    """Pairs in a file, the plan at its head; without a path nothing is kept."""

    def __init__(self, path: Path | None, plan: Plan) -> None:
        self.played: list[tuple[int, float, float]] = []
        self._path = path
        if path is None:
            return
        if path.exists():
            head, *rows = path.read_text(encoding="utf-8").splitlines() or [""]
            if head != json.dumps(plan.head):
                raise ValueError(f"{path} is of another plan; name another file or remove it")
            # The last line may be broken off.
            self.played = [tuple(json.loads(row)) for row in rows if row.endswith("]")]
        text = [json.dumps(plan.head), *(json.dumps(row) for row in self.played)]
        path.write_text("".join(line + "\n" for line in text), encoding="utf-8")

    def add(self, row: tuple[int, float, float]) -> None:
        """Keep a pair."""
        self.played.append(row)
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def run(plan: Plan, pairs: int, jobs: int, path: Path | None) -> list[str]:
    """Play what is missing; return the table. ValueError and EngineError as those called."""
    game = parse_game(plan.game)
    if game.num_seats != 2:
        raise ValueError(f"{plan.game} has {game.num_seats} seats; a screen needs two")
    journal = Journal(path, plan)
    done = {row[0] for row in journal.played}
    for row in play_all(plan, [pair for pair in range(pairs) if pair not in done], jobs):
        journal.add(row)
        if len(journal.played) % 50 == 0:
            print(f"{len(journal.played)} of {pairs} pairs", file=sys.stderr, flush=True)
    return lines(plan, sorted(journal.played))


def main(arguments: list[str]) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.ideas.screen",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("factors", nargs="+", metavar="NAME=VALUE,OTHER")
    parser.add_argument("--game", default=GAME)
    parser.add_argument("--preset", default=PRESET)
    parser.add_argument("--pairs", type=count, default=1200)
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--movetime", type=count, default=TIME_MS, help="ms of a decision")
    limit.add_argument("--nodes", type=count, help="simulations of a decision, in place of a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=count, default=2, help="processes")
    parser.add_argument("--journal", type=Path, metavar="FILE")
    asked = parser.parse_args(arguments)
    limits = {"nodes": asked.nodes} if asked.nodes else {"time_ms": asked.movetime}
    try:
        factors = [parse_factor(text) for text in asked.factors]
        if len({factor.name for factor in factors}) < len(factors):
            raise ValueError("an option is named twice")
        plan = Plan(asked.game, asked.preset, factors, limits, asked.seed)
        print("\n".join(run(plan, asked.pairs, asked.jobs, asked.journal)))
    except (ValueError, EngineError, OSError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0


if __name__ == "__main__":
    exit_on_signal()
    sys.exit(main(sys.argv[1:]))
