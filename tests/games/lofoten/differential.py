"""Compare the engine with the slow reference rules of Lofoten, before every event of many games.

Run as a script: `python tests/games/lofoten/differential.py --plies 4000000 --jobs 2` prints a
JSON object in one line: plies (decisions), differences, shares of the policies, numbers of module
and setting combinations, and how often each rare branch of the rules was met. Each game has its
own generator, so it depends on the seed and its number only; the games before the one that
reaches so many plies all count, whatever the number of processes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from multiprocessing import Pool
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

from card_sets import card_set
from openings import near_the_end
from policies import OTHERS, POLICIES, TRADERS
from reference import CHANCE, Reference, from_text
from reference_cards import CHOICES
from reference_scoring import warehouse_points
from reference_text import texts

import engine

MODULES = [
    {"level2": level2, "jarls": jarls, "upgrades": upgrades}
    for level2 in CHOICES["level2"]
    for jarls in CHOICES["jarls"]
    for upgrades in CHOICES["upgrades"]
]
"""All combinations of the modules, each number of level-2 warehouses counted apart."""


class Difference(AssertionError):
    """The two disagree; the text says where."""


def chosen(settings: dict[str, str]) -> dict[str, str]:
    """Return the settings that are not at their default."""
    return {name: value for name, value in settings.items() if value != CHOICES[name][0]}


def random_settings(rng: random.Random) -> dict[str, str]:
    """Return a combination of modules with no, some or many settings changed."""
    settings = dict(rng.choice(MODULES))
    share = rng.choice((0, 0, 0.15, 0.4))
    for name, values in CHOICES.items():
        if name not in settings and rng.random() < share:
            settings[name] = rng.choice(values[1:])
    if settings.get("stall"):
        settings["stall"] = rng.choice(("3", "7", "20", "40"))
    return chosen(settings)


class Pair:
    """One game played by both, compared before every event."""

    def __init__(
        self,
        settings: dict[str, str],
        rng: random.Random,
        late: bool = False,
        dice: str = "",
        cards: int = 0,
    ) -> None:
        identity, self.cards = card_set(cards)
        self.game = engine.load("lofoten", **settings, cards=identity)
        self.reference = Reference(settings, self.cards, identity)
        if late:
            near_the_end(self.reference, rng)
        self.load(self.reference.to_text())
        self.rng, self.dice = rng, dice
        self.branches: Counter[str] = Counter()
        self.decisions = 0
        self.past: list[str] = []
        self.fours = 0

    def load(self, text: str) -> None:
        """Set both up from a text."""
        happened = self.reference.happened
        self.state, self.reference = self.game.from_text(text), from_text(text, self.cards)
        self.reference.happened = happened

    def play(self, policy: str, picks: Iterable[int] = ()) -> Counter[str]:
        """Play to the end and return which branches were met.

        `picks` choose among the words as long as they last, then the policy does. Now and then
        both are set up anew from the text.
        """
        decide, left = POLICIES[policy], iter(picks)
        while (mover := self.reference.to_move()) is not None:
            options = self.compare(mover)
            if self.rng.random() < 0.01:
                self.load(self.reference.to_text())
                self.compare(mover)
            if mover == CHANCE:
                word = self.roll(options)
            else:
                self.decisions += 1
                pick = next(left, None)
                if pick is None:
                    word = decide(self.reference, self.rng, options)
                else:
                    word = options[pick % len(options)]
            self.step(word)
        self.compare(None)
        if not self.state.is_terminal or self.state.returns()[0] != self.reference.result():
            raise Difference(f"the result differs: {self.where()}")
        self.count_end()
        return +(self.branches + self.reference.happened)

    def step(self, word: str) -> None:
        """Carry out a word on both sides."""
        before = self.before(word)
        self.state.apply(self.game.parse_event(word)[1])
        self.reference.follow(word)
        self.past.append(word)
        self.after(word, before)

    def compare(self, mover: int | str | None) -> list[Any]:
        """Raise Difference unless both hold and allow the same; return the options."""
        state, game = self.state, self.game
        mine = [state.to_text(), state.view(0).to_text(), state.view(1).to_text()]
        theirs = texts(self.reference)
        if mine != theirs:
            pairs = [pair for pair in zip(mine, theirs, strict=True) if pair[0] != pair[1]]
            raise Difference(f"texts: {pairs[0][0]}\nreference: {pairs[0][1]}\n  {self.where()}")
        if state.scores() != self.reference.scores():
            scores = f"{state.scores()} {self.reference.scores()}"
            raise Difference(f"scores {scores}: {self.where()}")
        moves, options = state.legal_moves(), self.reference.legal()
        known: list[Any]
        if mover == CHANCE:
            known = sorted((game.event_name(m, -1), state.chance_weight(m)) for m in moves)
            same = state.is_chance
        else:
            known = sorted(map(game.move_name, moves))
            same = mover is None or state.seat_to_move == mover
        if not same or known != options:
            raise Difference(f"options: {known}\nreference: {options}\n  {self.where()}")
        if state.check():
            raise Difference(f"check {state.check()}: {self.where()}")
        return options

    def roll(self, options: list[tuple[str, int]]) -> str:
        """Draw an outcome by weight; loaded dice bring more tiles or start orders of one type."""
        tokens = [token for token, _ in options]
        weights = [n for _, n in options]
        if self.dice and tokens[0].startswith(("~tile", "~top", "~order")):
            weights = [n * (20 if f"={self.dice}" in token else 1) for token, n in options]
        return self.rng.choices(tokens, weights)[0]

    def where(self) -> str:
        """Return the position and the last words."""
        return f"{self.reference.to_text()}\n  after {' '.join(self.past[-12:])}"

    # Which branches a word takes.

    def before(self, word: str) -> tuple[str, str, int, bool]:
        """Return what `after` compares with."""
        reference = self.reference
        return reference.phase, reference.effect, reference.uses, reference.triggered

    def after(self, word: str, before: tuple[str, str, int, bool]) -> None:
        """Count the branches that a word has taken."""
        reference, met = self.reference, self.branches
        phase, effect, uses, triggered = before
        head = word.partition(":")[0]
        met["redraw in maintenance"] += head == "redraw" and phase == "pile"
        met["late step"] += head == "pay" and phase in ("pile", "end")
        met["extra after the trigger"] += head == "extra" and triggered
        met["extra in the last turn"] += head == "extra" and phase == "last"
        met["extra between coffers"] += head == "extra" and phase == "use"
        met["a new type at the end"] += head == "store" and triggered and reference.phase == "over"
        met["harbour used"] += phase == "harbour"
        met["first market refilled"] += reference.filling and phase == "hand"
        met["last turn of seat 2"] += reference.phase == "last" and phase != "last"
        if reference.triggered and not triggered:
            met[
                f"end triggered in a turn of seat {1 if word == 'end' else reference.seat + 1}"
            ] += 1
        if not any(reference.market):
            mead = reference.effects
            placed = head == "mid" and mead[word[4]] == "discard"
            more = head == "discard" and uses > 1 and mead[effect] == "discard"
            met["discard with an empty market"] += placed or more
        if word == "end" or reference.phase == "over":
            met["four of a kind"] += reference.happened["four"] - self.fours == 1
            met["four of a kind, repeated"] += reference.happened["four"] - self.fours > 1
            self.fours = reference.happened["four"]
        if reference.phase == "play" and not met["dead position"]:
            met["dead position"] += self.dead()

    def dead(self) -> bool:
        """Tell whether all ships wait for types that the market lacks."""
        kinds = {tile[0] for tile in self.reference.market if tile}
        return all(
            ship.card and not ship.tiles and ship.card[0] not in kinds and not ship.able("C")
            for wheel in self.reference.wheels
            for ship in wheel
        )

    def count_end(self) -> None:
        """Count what the whole game shows."""
        reference, met = self.reference, self.branches
        met["market dealt again"] += reference.redeals
        met["reshuffle"] += reference.shuffles
        for at, house in enumerate(reference.warehouses):
            card = reference.set.warehouses[house.card]
            if card["level"] == 2 and any(warehouse_points(reference, at)):
                met[f"scoring {card['scoring']}"] += 1


REPORTED = (
    *("market dealt again", "orders again", "first market refilled", "coin from the opponent"),
    *("discard with an empty market", "reshuffle", "redraw", "redraw in maintenance"),
    *("four of a kind", "four of a kind, repeated", "four with too few tiles", "four kept"),
    *("piles empty", "stall", "dead position", "last turn of seat 2", "late step"),
    *(f"end triggered in a turn of seat {seat}" for seat in (1, 2)),
    *("extra after the trigger", "extra turn after the trigger", "extra in the last turn"),
    *("extra between coffers", "extra for fewer coins", "final unload", "a new type at the end"),
    *("second tile on B", "third tile on B", "ship B with several tiles unloaded"),
    *("final unload of one tile of B", "ship C load", "ship C leave", "use on D", "rowers"),
    *("harbour used", *(f"upgrade:{letter}" for letter in "ABCD")),
    *(
        f"claim {name}"
        for name in ("tribute", "harbour", "rowers", "traders")
        + ("swift", "renown", "banners", "storehouse")
    ),
    *(
        f"requirement {name}"
        for name in ("each_type", "tiles_of_type", "bucklers_each", "give_coins")
        + ("merchandise", "merchandise_of_type", "bucklers_alike", "own_coins")
    ),
    *(
        f"scoring {name}"
        for name in ("most_tiles", "own_bucklers", "rival_bucklers", "difference", "runner_up")
        + ("threshold", "fewest", "buckler_pairs")
    ),
)
"""The rare branches of the rules."""


def play_game(seed: int, number: int) -> dict[str, Any]:
    """Play one game of the long form and return what it met."""
    rng = random.Random(f"{seed}/{number}")
    settings = random_settings(rng)
    policy = rng.choice([*TRADERS] * 8 + [*OTHERS])
    late = rng.random() < (0.6 if policy in TRADERS else 0.8)
    if late:  # where these settings matter
        rare = {"stall": ("off", 0.05), "four-short": ("keep", 0.3), "final-b": ("one", 0.5)}
        settings |= {name: value for name, (value, p) in rare.items() if rng.random() < p}
    dice = rng.choice(("", "", "", "", *"MFSC"))
    cards = rng.choice((0, 0, rng.randint(1, 100)))
    fault, branches, plies = "", Counter[str](), 0
    try:
        pair = Pair(settings, rng, late, dice, cards)
        branches = pair.play(policy)
        plies = pair.decisions
    except Exception as error:  # an engine that refuses a position or a word differs too
        fault = f"game {seed}/{number} {settings} {policy}: {type(error).__name__} {error}"
    return {
        "policy": policy,
        "settings": settings | {"cards": str(cards)},
        "plies": plies,
        "fault": fault,
        "branches": branches,
    }


def long_form(plies: int, jobs: int, seed: int) -> dict[str, Any]:
    """Play until so many decisions have been compared, and return the figures."""
    total, games, faults = 0, 0, []
    shares: Counter[str] = Counter()
    met: Counter[str] = Counter()
    modules, combinations, sets = set(), set(), set()
    with Pool(jobs) as pool:
        numbers = ((seed, number) for number in range(10**9))
        for found in imap_games(pool, numbers):
            total += found["plies"]
            games += 1
            shares[found["policy"]] += found["plies"]
            met.update(found["branches"])
            if found["fault"]:
                faults.append(found["fault"])
            settings = found["settings"]
            sets.add(settings.pop("cards"))
            modules.add(tuple(settings.get(name) for name in ("level2", "jarls", "upgrades")))
            combinations.add(tuple(sorted(settings.items())))
            if total >= plies or len(faults) >= 20:
                break
        pool.terminate()
    branches = {name: met[name] for name in REPORTED}
    return {
        "plies": total,
        "games": games,
        "differences": len(faults),
        "faults": faults,
        "shares": {name: round(n / total, 4) for name, n in sorted(shares.items())},
        "share_of_traders": round(sum(shares[name] for name in TRADERS) / total, 4),
        "module_combinations": len(modules),
        "setting_combinations": len(combinations),
        "card_sets": len(sets),
        "rarest_branch": min(branches.values()),
        "rarest": min(branches, key=lambda name: branches[name]),
        "branches": branches,
    }


def imap_games(pool: Any, numbers: Iterator[tuple[int, int]]) -> Iterator[dict[str, Any]]:
    """Yield the results of games in their order, without running far ahead."""
    while True:
        batch = [next(numbers) for _ in range(200)]
        yield from pool.imap(play_numbered, batch, chunksize=5)


def play_numbered(job: tuple[int, int]) -> dict[str, Any]:
    """Play the game of a seed and a number."""
    return play_game(*job)


def main() -> None:
    """Read the command line, play, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", type=int, default=4_000_000)
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    figures = long_form(args.plies, args.jobs, args.seed)
    print(json.dumps(figures))
    sys.exit(bool(figures["differences"]))


if __name__ == "__main__":
    main()
