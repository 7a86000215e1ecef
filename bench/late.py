"""Late positions with exact values: `bench/positions/late/lofoten.txt` and how it is made.

`python -m bench.late` plays the endings anew from seeds and writes the file, the same on every
machine. Games are played by `classic` at few nodes; the end of each is then played again several
times, with coins and a third of the moves by lot, so that positions vary. A position is taken if
the solver works it out and its moves differ in value; those for which it needs more memory and time
than a search gives it are as welcome. In at least half of each kind the moves differ in the return,
in the rest perhaps only in the margin. Kinds:

- `last`: the last turn of the game, or the final unloading after it; hidden cards count only
  through the odds of a draw.
- `reply`: the other seat has one more turn, with a hand that is known in part.
- `known`: the same with all hidden cards deduced. In play this is rare; so the other seat's cards
  are marked as kept from older decks, each a class of its own, which everybody can then name.

A line is the kind, the values and the position text, with ` | ` between. The values of a move are
`word=win,margin;win,margin`: expected return and margin where the return is maximised (the margin
decides between equals), then where the margin is (the return decides between equals).
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from bench.positions import FOLDER
from bench.seeds import PURPOSE_POSITIONS
from engine import RandomStream, load
from engine.game import Game, State
from search.limits import Limits
from search.searcher import Searcher
from search.solver import Solver

FILE = FOLDER / "late" / "lofoten.txt"
# Positions of each kind, of the base game and with modules.
WANTED = {"last": (110, 40), "reply": (55, 20), "known": (55, 20)}
MODULES = {"level2": "2", "jarls": "on", "upgrades": "on"}
# Simulations of a move; decisions at the end that are played again, and how often.
_NODES = 100
_SHORTEST, _TAIL = 4, 30
_REPLAYS = 6
# Limits of the solver: generous, so that not only what is quickly done is in the file.
_MOST_POSITIONS = 500_000
_MOST_BYTES = 1 << 27
# Positions of one kind from one game.
_FROM_ONE_GAME = 2
_DIFFERENCE = 1e-6

# By move: return and margin where the return is maximised, then where the margin is.
Values = dict[int, tuple[float, float, float, float]]


class Late:
    """A position of the file."""

    def __init__(self, kind: str, view: State, values: Values) -> None:
        self.kind, self.view, self.values = kind, view, values

    def loss(self, move: int, by_margin: bool = False) -> float:
        """Return how much less a move gives than the best one: of the return, or of the margin."""
        at = 3 if by_margin else 0
        return max(row[at] for row in self.values.values()) - self.values[move][at]

    def is_best(self, move: int, by_margin: bool = False) -> bool:
        """Whether no move gives more of what is maximised, or as much and more of the other."""
        if self.loss(move, by_margin) > _DIFFERENCE:
            return False
        equal = [
            row for other, row in self.values.items() if self.loss(other, by_margin) <= _DIFFERENCE
        ]
        at = 2 if by_margin else 1
        return max(row[at] for row in equal) - self.values[move][at] <= _DIFFERENCE


def read(path: Path = FILE) -> list[Late]:
    """Return the positions of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_from_line(line) for line in lines if line and not line.startswith("#")]


def _from_line(line: str) -> Late:
    kind, values, text = line.split(" | ")
    view = load(text.split("/", 1)[0]).from_text(text)
    rows: Values = {}
    for item in values.split():
        word, _, numbers = item.partition("=")
        win, margin, other_win, other_margin = map(float, numbers.replace(";", ",").split(","))
        rows[view.game.parse_move(word)] = (win, margin, other_win, other_margin)
    return Late(kind, view, rows)


def to_line(late: Late) -> str:
    """Return the line of a position."""
    game = late.view.game
    values = " ".join(
        f"{game.move_name(move)}={row[0]:.9g},{row[1]:.9g};{row[2]:.9g},{row[3]:.9g}"
        for move, row in sorted(late.values.items())
    )
    return f"{late.kind} | {values} | {late.view.to_text()}"


def exact_values(view: State) -> Values | None:
    """Return the exact values of all moves, or None where the solver does not apply."""
    found = []
    for objective in ("win", "margin"):
        solver = Solver(view, objective=objective, max_nodes=_MOST_POSITIONS, max_bytes=_MOST_BYTES)
        rows = solver.run()
        if rows is None:
            return None
        found.append({row[0]: row[1:3] for row in rows})
    return {move: (*found[0][move], *found[1][move]) for move in found[0]}


def endings(game: Game, seed: int) -> Iterator[State]:
    """Yield late states of one game and of other ends of it, where a seat has a choice."""
    searcher = Searcher("classic", seed=seed)
    luck = RandomStream(seed, PURPOSE_POSITIONS)
    choices = _play(game.new_state(), searcher, luck, 0)
    yield from choices[-_TAIL:]
    for _ in range(_REPLAYS):
        start = choices[-min(_SHORTEST + luck.below(_TAIL - _SHORTEST), len(choices))]
        yield from _play(_with_coins(start, luck), searcher, luck, 3)


def _with_coins(state: State, luck: RandomStream) -> State:
    """Return a state with other coins: up to three for each seat; good play spends them early."""
    fields = state.game.fields(state)  # type: ignore[attr-defined]
    first, second = luck.below(4), luck.below(4)
    fields["coins"] = [first, second, sum(fields["coins"]) - first - second]
    other: State = state.game.build(fields, -1)  # type: ignore[attr-defined]
    return state.copy() if other.check() else other


def _play(state: State, searcher: Searcher, luck: RandomStream, lot: int) -> list[State]:
    """Play to the end and return the states with a choice; one move in `lot` is by lot."""
    choices = []
    while not state.is_terminal:
        if state.is_chance:
            state.apply(state.sample_chance(luck))
            continue
        moves = state.legal_moves()
        move = moves[0]
        if len(moves) > 1:
            choices.append(state.copy())
            if lot and luck.below(lot) == 0:
                move = moves[luck.below(len(moves))]
            else:
                move = searcher.go(state, Limits(nodes=_NODES)).best_move
        state.apply(move)
    return choices


def kind_of(view: State) -> str:
    """Return `last` where the other seat has no turn left, else `reply`."""
    fields = view.game.fields(view)  # type: ignore[attr-defined]
    unloading = fields["phase"] >= _UNLOAD or (fields["back"] == _UNLOAD)
    return "last" if unloading or fields["seat"] == 1 else "reply"


_UNLOAD = 24


def deduced(state: State) -> State | None:
    """Return the view of the seat to move with the other hand known, or None if it cannot be."""
    game, seat = state.game, state.seat_to_move
    fields = game.fields(state)  # type: ignore[attr-defined]
    fields["label"][1 - seat] = [i + 1 if i < 3 else 0 for i in range(4)]
    known: State = game.build(fields, -1)  # type: ignore[attr-defined]
    return None if known.check() else known.view(seat)


def make(game: Game, wanted: dict[str, int]) -> list[Late]:
    """Return so many positions of each kind."""
    found: dict[str, list[Late]] = {kind: [] for kind in wanted}
    seen: set[str] = set()
    plain = dict.fromkeys(wanted, 0)
    seed = 0
    while any(len(found[kind]) < wanted[kind] for kind in wanted):
        taken = dict.fromkeys(wanted, 0)
        for state in endings(game, seed):
            views = [state.view(state.seat_to_move)]
            if kind_of(views[0]) == "reply":
                other = deduced(state)
                views += [other] if other is not None else []
            for at, view in enumerate(views):
                kind = "known" if at else kind_of(view)
                if taken[kind] == _FROM_ONE_GAME or len(found[kind]) == wanted[kind]:
                    continue
                values = exact_values(view)
                if values is None or not _differ(values, 3) or view.to_text() in seen:
                    continue
                if not _differ(values, 0):
                    if 2 * plain[kind] >= wanted[kind]:
                        continue
                    plain[kind] += 1
                seen.add(view.to_text())
                taken[kind] += 1
                found[kind].append(Late(kind, view, values))
        seed += 1
    return [late for kind in wanted for late in found[kind]]


def _differ(values: Values, at: int) -> bool:
    """Whether moves differ in the return (0) or in the margin (3), where it is maximised."""
    column = [row[at] for row in values.values()]
    return max(column) - min(column) > _DIFFERENCE


def main(arguments: list[str] | None = None) -> None:
    """Write the file."""
    argparse.ArgumentParser(prog="python -m bench.late", description=__doc__).parse_args(arguments)
    FILE.parent.mkdir(exist_ok=True)
    found = []
    for at, settings in enumerate(({}, MODULES)):
        game = load("lofoten", **settings)
        found += make(game, {kind: numbers[at] for kind, numbers in WANTED.items()})
    text = "".join(to_line(late) + "\n" for late in found)
    FILE.write_text(text, encoding="utf-8")
    print(f"{len(found)} positions, {len(text)} bytes")


if __name__ == "__main__":
    main()
