"""The value of every move by brute force: what the exact solver is compared with.

It goes through full states, all of those that a view allows, in exact fractions. Slow; it shares
nothing with the solver, nor with what games do for it.
"""

from collections.abc import Iterable
from fractions import Fraction

from engine.game import State

# Return and margin of the searching seat, times the probability of being here.
Pair = tuple[Fraction, Fraction]
# Full states that the searching seat cannot tell apart, each with its probability.
Worlds = list[tuple[State, Fraction]]


class TooLarge(Exception):
    """The position has more branches than allowed."""


class BruteForce:
    """Works out one view.

    Args:
        view: of the seat to move.
        by_margin: the margin is maximised and the return decides between equals; else the other
            way round.
        most: states to look at; then `moves` raises TooLarge.
    """

    def __init__(self, view: State, by_margin: bool = False, most: int = 200_000) -> None:
        self.view, self.seat, self.by_margin, self.left = view, view.observer, by_margin, most
        self.known: dict[tuple[tuple[int, Fraction], ...], Pair] = {}

    def moves(self) -> dict[int, tuple[float, float]]:
        """Return the expected return and margin of each root move."""
        listed = self.view.game.worlds(self.view, 2000)
        if listed is None:
            raise TooLarge
        total = sum(weight for _, weight in listed)
        worlds = [(world, Fraction(weight, total)) for world, weight in listed]
        found = {move: self.value(after(worlds, move)) for move in self.view.legal_moves()}
        return {move: (float(win), float(margin)) for move, (win, margin) in found.items()}

    def order(self, pair: Pair) -> Pair:
        """Return what is maximised first, then what is maximised next."""
        return pair[::-1] if self.by_margin else pair

    def value(self, worlds: Worlds) -> Pair:
        """Return the value of states that look alike to the searching seat."""
        self.left -= len(worlds)
        if self.left < 0:
            raise TooLarge
        name = tuple(sorted((world.key(), weight) for world, weight in worlds))
        if name not in self.known:
            self.known[name] = self.work_out(worlds)
        return self.known[name]

    def work_out(self, worlds: Worlds) -> Pair:
        """Return the value by who decides here, which everybody sees."""
        first = worlds[0][0]
        assert all(world.seat_to_move == first.seat_to_move for world, _ in worlds)
        if first.is_terminal:
            returns, margins = Fraction(0), Fraction(0)
            for world, weight in worlds:
                returns += weight * Fraction(world.returns()[self.seat])
                margins += weight * Fraction(world.margins()[self.seat])
            return returns, margins
        if first.is_chance:
            return add(self.value(group) for group in self.outcomes(worlds))
        if first.seat_to_move == self.seat:
            assert len({world.infoset_key(self.seat) for world, _ in worlds}) == 1
            return max(self.choices(worlds), key=self.order)
        # Another seat knows in which of these groups it is, and wants the opposite.
        groups: dict[int, Worlds] = {}
        for world, weight in worlds:
            groups.setdefault(world.infoset_key(first.seat_to_move), []).append((world, weight))
        return add(min(self.choices(group), key=self.order) for group in groups.values())

    def choices(self, worlds: Worlds) -> list[Pair]:
        """Return the value of each move of the seat to move."""
        return [self.value(after(worlds, move)) for move in worlds[0][0].legal_moves()]

    def outcomes(self, worlds: Worlds) -> list[Worlds]:
        """Return what can follow by luck, grouped by what the searching seat sees of it."""
        groups: dict[int, Worlds] = {}
        for world, weight in worlds:
            outcomes = [(move, world.chance_weight(move)) for move in world.legal_moves()]
            total = sum(ways for _, ways in outcomes)
            for move, ways in outcomes:
                seen = world.redact(move, self.seat)
                one = after([(world, weight * Fraction(ways, total))], move)
                groups.setdefault(seen, []).extend(one)
        return list(groups.values())


def after(worlds: Worlds, move: int) -> Worlds:
    """Return the states behind a move."""
    moved = []
    for world, weight in worlds:
        copy = world.copy()
        copy.apply(move)
        moved.append((copy, weight))
    return moved


def add(pairs: Iterable[Pair]) -> Pair:
    """Return the sum."""
    wins, margins = zip(*pairs, strict=True)
    return sum(wins, Fraction(0)), sum(margins, Fraction(0))
