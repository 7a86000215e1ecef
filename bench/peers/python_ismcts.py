"""OpenSpiel's IS-MCTS in Python on any game of ours: its search, our rules and playouts.

Its bot asks a state for a few methods and does not mind whose class that is. Determinizations and
playouts, which take most of the time, are made by our compiled code; luck is settled within a move,
so that the bot meets no chance nodes. What is compared is the search, not the rules.
"""

from collections.abc import Callable, Sequence
from functools import cache
from time import monotonic_ns
from typing import Any

from bench.peers.games import openspiel
from engine import State
from engine.stream import RandomStream
from search.playout import Playouts

_DETERMINIZE = 2
_CHANCE = 1


class BotState:
    """A full state of ours, or the view at the root, with the methods that OpenSpiel's bot calls.

    `stream` decides the luck that follows a move.
    """

    __slots__ = ("_kind", "state", "stream")

    def __init__(self, state: State, stream: RandomStream, kind: Any) -> None:
        self.state, self.stream, self._kind = state, stream, kind

    def get_game(self) -> Any:
        """Return an object that tells what kind of game this is."""
        return self._kind

    def current_player(self) -> int:
        """Return the seat that decides."""
        return self.state.seat_to_move

    def information_state_string(self) -> int:
        """Return the key of what the seat that decides knows; the bot only looks it up."""
        return self.state.infoset_key(self.state.seat_to_move)

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self.state.is_terminal

    def is_chance_node(self) -> bool:
        """Return False: luck is settled as soon as it is due."""
        return False

    def legal_actions(self) -> list[int]:
        """Return the legal moves."""
        return self.state.legal_moves()

    def apply_action(self, move: int) -> None:
        """Make a move, and what luck decides next."""
        state = self.state
        state.apply(move)
        while state.is_chance:
            state.apply(state.sample_chance(self.stream))

    def returns(self) -> list[float]:
        """Return what each seat got, -1 (lost) to 1 (won)."""
        return [2.0 * r - 1.0 for r in self.state.returns()]


class _Kind:
    """Stands for OpenSpiel's game: the bot asks it for its type, once a search."""

    def __init__(self) -> None:
        kinds = openspiel().GameType
        self.dynamics = kinds.Dynamics.SEQUENTIAL
        self.information = kinds.Information.IMPERFECT_INFORMATION

    def get_type(self) -> "_Kind":
        """Return the type of the game."""
        return self


class _Evaluator:
    """One playout of ours, to the end; all moves alike before it."""

    def __init__(self, playouts: Playouts) -> None:
        self._playouts = playouts

    def evaluate(self, state: BotState) -> list[float]:
        """Return what each seat got, -1 to 1."""
        return [2.0 * r - 1.0 for r in self._playouts.returns(state.state)]

    def prior(self, state: BotState) -> list[tuple[int, float]]:
        """Return the legal moves, all as likely."""
        moves = state.legal_actions()
        return [(move, 1.0 / len(moves)) for move in moves]


class _EnoughError(Exception):
    """The time is over, or somebody wants an answer."""


@cache
def _bot_class() -> Any:
    """Return OpenSpiel's bot made to end by time; it knows only a number of simulations."""
    openspiel()
    from open_spiel.python.algorithms.ismcts import (
        ISMCTSBot,
        ISMCTSFinalPolicyType,
    )

    class TimedBot(ISMCTSBot):  # type: ignore[misc]
        """Looks at the clock where a simulation begins, and counts simulations."""

        def __init__(self, ends: Callable[[], bool], *args: Any, **options: Any) -> None:
            kind = ISMCTSFinalPolicyType.MAX_VISIT_COUNT
            super().__init__(*args, final_policy_type=kind, **options)
            self._ends = ends
            self.simulations = 0

        def sample_root_state(self, state: BotState) -> BotState:
            """Return a determinization."""
            if self.simulations and self._ends():
                raise _EnoughError
            self.simulations += 1
            sampled: BotState = super().sample_root_state(state)
            return sampled

        def visits(self, state: BotState) -> list[tuple[int, int, float]]:
            """Search; return each legal move with its visits and its mean, ascending."""
            try:
                self.run_search(state)
            except _EnoughError:
                pass
            tried = self._root_node.child_info if self.simulations else {}
            return [
                (move, tried[move].visits, tried[move].value()) if move in tried else (move, 0, 0.0)
                for move in state.legal_actions()
            ]

    return TimedBot


def load() -> None:
    """Load OpenSpiel, which takes a second; PeerMissing where it is not installed."""
    _bot_class()


def search(
    view: State,
    nodes: int | None,
    deadline_ns: int | None,
    seed: int,
    exploration: float = 1.4,
    stopped: Callable[[], bool] = lambda: False,
    moves: Sequence[int] | None = None,
) -> tuple[int, list[tuple[int, int, float]]]:
    """Search a view with OpenSpiel's bot; return simulations, and (move, visits, mean) per move.

    Args:
        view: what the seat to move knows.
        nodes: simulations at most, or None.
        deadline_ns: time.monotonic_ns() at which to end, or None; one simulation is made anyhow.
        seed: with a limit in nodes, the same seed gives the same result.
        exploration: of UCB1 for returns from -1 to 1.
        stopped: ends the search when it returns True.
        moves: root moves to return, or None: all. The search itself considers all of them.
    """
    import numpy as np

    name = (seed ^ view.infoset_key(view.seat_to_move)) & 0xFFFFFFFFFFFFFFFF
    worlds = RandomStream(name, _DETERMINIZE)
    kind = _Kind()
    root = BotState(view, RandomStream(name, _CHANCE), kind)

    def ends() -> bool:
        return stopped() or (deadline_ns is not None and monotonic_ns() >= deadline_ns)

    def resample(state: BotState, _seat: int) -> BotState:
        return BotState(state.state.determinize(worlds), state.stream, kind)

    bot = _bot_class()(
        ends,
        kind,
        _Evaluator(Playouts(name)),
        exploration,
        2**62 if nodes is None else max(nodes, 1),
        random_state=np.random.RandomState(name & 0xFFFFFFFF),
    )
    bot.set_resampler(resample)
    rows = bot.visits(root)
    return bot.simulations, [row for row in rows if moves is None or row[0] in moves]
