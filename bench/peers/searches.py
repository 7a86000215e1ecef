"""Searches of both programs from the same positions, for comparisons.

*peer* is OpenSpiel's compiled `ISMCTSBot` with one uniform playout a simulation; *compatible* is
the same algorithm on our kernel (search/compatible.pxd); *best* is a search of ours as a user gets
it. All of them start a fresh tree for each decision.
"""

import ctypes
from collections.abc import Sequence
from time import monotonic_ns, thread_time
from typing import Any

from bench.peers.games import Translator, openspiel
from engine import State
from engine.stream import RandomStream
from search.compatible import CompatibleWorker
from search.control import StopFlag

HASH_BYTES = 256 << 20


def roots(translator: Translator, number: int, seed: int = 1, first: bool = False) -> list[State]:
    """Return so many full states, the same for a seed, in which a seat has a choice.

    Each is from a random game of its own: the first choice of the game, or any as likely.
    """
    found: list[State] = []
    stream = RandomStream(seed)
    deal = 0
    while len(found) < number:
        deal += 1
        state = translator.ours.new_state()
        choices: list[State] = []
        while not state.is_terminal:
            if state.is_chance:
                state.apply(state.sample_chance(stream))
                continue
            moves = state.legal_moves()
            if len(moves) > 1:
                choices.append(state.copy())
            state.apply(moves[stream.below(len(moves))])
        if choices:
            found.append(choices[0 if first else stream.below(len(choices))])
    return found


class Peer:
    """OpenSpiel's search from one position of ours; `seconds` 0: as many simulations as said."""

    def __init__(
        self,
        translator: Translator,
        state: State,
        simulations: int,
        exploration: float,
        seed: int,
        seconds: float = 0.0,
    ) -> None:
        spiel = openspiel()
        self._translator, self._state = translator, state
        self._root = translator.peer_state(state)
        self._bot = spiel.ISMCTSBot(
            seed,
            spiel.RandomRolloutEvaluator(1, seed),
            exploration,
            simulations,
            -1,
            spiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT,
            False,
            False,
            seconds or -1.0,
        )
        self._policy: list[tuple[int, float]] = []

    def run(self) -> float:
        """Search; return the seconds of processor time it took."""
        start = thread_time()
        try:
            self._policy = self._bot.get_policy(self._root)
        except openspiel().SpielError:
            # It fails if its time is over before it has tried a move: then any is as good.
            actions = self._root.legal_actions()
            self._policy = [(action, 1 / len(actions)) for action in actions]
        return thread_time() - start

    def shares(self) -> dict[int, float]:
        """Return the share of the visits of each legal move of ours, after `run`."""
        return {self._translator.move(self._state, action): share for action, share in self._policy}


class Compatible:
    """The same search on our kernel; `seconds` 0: as many simulations as said."""

    def __init__(
        self,
        state: State,
        simulations: int,
        exploration: float,
        seed: int,
        seconds: float = 0.0,
    ) -> None:
        self._view = state if state.observer >= 0 else state.view(state.seat_to_move)
        self._limits = (simulations, exploration, seed, seconds)
        self.worker: CompatibleWorker | None = None

    def run(self) -> float:
        """Search; return the seconds of processor time, those for making the tree included."""
        simulations, exploration, seed, seconds = self._limits
        start = thread_time()
        worker = CompatibleWorker(
            self._view,
            StopFlag(),
            seed,
            0,
            None,
            None,
            exploration=exploration,
            hash_bytes=HASH_BYTES,
        )
        if seconds:
            worker.set_limits(None, monotonic_ns() + int(1e9 * seconds), None)
        else:
            worker.set_limits(simulations, None, None)
        worker.run(None)
        self.worker = worker
        return thread_time() - start

    def shares(self) -> dict[int, float]:
        """Return the share of the visits of each legal move, after `run`."""
        assert self.worker is not None
        rows = self.worker.rows()
        total = max(sum(row[1] for row in rows), 1)
        return {row[0]: row[1] / total for row in rows}


def most_visited(shares: dict[int, float]) -> int:
    """Return the move with the largest share; of equals the lowest."""
    return max(shares, key=lambda move: (shares[move], -move))


class _HeapCounts(ctypes.Structure):
    # What the C library tells of its heap; `in_use` counts the bytes given out.
    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "a", "b", "c", "mapped", "d", "e", "in_use", "free", "f")
    ]


def heap_in_use() -> int | None:
    """Return the bytes that this process has taken from the heap; None if nobody counts."""
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError):
        return None
    ask.restype = _HeapCounts
    counts: Any = ask()
    return int(counts.in_use) + int(counts.mapped)


def heap_bytes(searches: Sequence[Peer] | Sequence[Compatible], num_nodes: int) -> float | None:
    """Run searches; return the heap bytes that they hold then for each of so many nodes."""
    before = heap_in_use()
    for search in searches:
        search.run()
    after = heap_in_use()
    return None if before is None or after is None else (after - before) / num_nodes


def num_nodes(searches: Sequence[Compatible]) -> int:
    """Run searches; return how many nodes they have made.

    OpenSpiel's bot doesn't say that of its own. The same algorithm makes as many on average.
    """
    total = 0
    for search in searches:
        search.run()
        assert search.worker is not None
        total += search.worker.size
        search.worker = None
    return total


__all__ = [
    "Compatible",
    "Peer",
    "heap_bytes",
    "heap_in_use",
    "most_visited",
    "num_nodes",
    "roots",
]
