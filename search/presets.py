"""The ready-made searches, as plain data: a handshake lists them without loading compiled code."""

from search.options import TABLE as OPTIONS
from search.options import find


class Preset:
    """A search with a name: the options that differ from their defaults."""

    __slots__ = ("help", "options")

    def __init__(self, help: str, **options: "bool | int | float | str | None") -> None:
        self.help = help
        """One line for people."""
        self.options = {name: find(name).read(value) for name, value in options.items()}

    def with_changes(
        self, changes: "dict[str, bool | int | float | str | None]"
    ) -> "dict[str, bool | int | float | str | None]":
        """Return all options of this preset with some of them changed; ValueError for a bad one."""
        read = {name: find(name).read(value) for name, value in changes.items()}
        return {option.name: option.default for option in OPTIONS} | self.options | read


# `vanilla` and `classic` never change: later work is measured against them.
TABLE = {
    "drakkar": Preset(
        "the best engine of this project",
        algorithm="puct",
        exploration=2.0,
        keying="public",
        prior_mix=0.0,
        valued_plies=20,
        valued_points=2,
        playout_policy="prior",
        solver=True,
        belief=True,
        reuse="timed",
    ),
    "equilibrium": Preset(
        "regret matching: what nobody can exploit in short games",
        algorithm="regret",
        exploration=0.7,
    ),
    "vanilla": Preset("single-observer IS-MCTS as published in 2012"),
    "classic": Preset("vanilla with playouts of 40 decisions, valued by margin", playout_plies=40),
    "random": Preset("a legal move by lot", algorithm="random"),
    "greedy": Preset("the move with the largest immediate gain", algorithm="greedy"),
    "flat": Preset("flat Monte Carlo: every move gets as many playouts", algorithm="flat"),
}

PRESETS: tuple[str, ...] = tuple(TABLE)
