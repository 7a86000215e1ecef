"""Engines that think while others decide."""

import asyncio
from collections.abc import Sequence

from bench.contestant import Contestant
from protocol.client import Analysis, Engine, EngineError, EngineRefusal


def wants_to_ponder(contestant: Contestant) -> bool:
    """Return True if the option Ponder of a contestant is on."""
    options = {name.lower(): value.lower() for name, value in contestant.options.items()}
    return options.get("ponder") == "true"


class Pondering:
    """Has the engines of one game ponder, each on what its seat knows.

    Args:
        engines: who sits on each seat.
        seats: those that ponder.
        limit_s: seconds that an engine has to begin, and to answer `stop`.
    """

    def __init__(self, engines: Sequence[Engine], seats: Sequence[int], limit_s: float) -> None:
        self._engines, self._seats, self._limit_s = engines, list(seats), limit_s
        self._searches: dict[int, Analysis] = {}
        self._failed: dict[int, EngineError] = {}

    async def start(self, decider: int, lines: Sequence[bytes]) -> None:
        """Have all seats ponder but the one that decides.

        Args:
            decider: the seat that decides.
            lines: the position line of each seat.
        """
        for seat in self._seats:
            if seat != decider and seat not in self._failed:
                try:
                    search = await self._engines[seat].begin(lines[seat], "ponder", self._limit_s)
                except EngineError as error:
                    self._failed[seat] = error
                else:
                    self._searches[seat] = search

    async def stop(self) -> dict[int, EngineError]:
        """Stop them all and wait until they have answered; return what went wrong, by seat.

        What an engine answers is no matter, nor is a position that it refuses: it will refuse it
        again when it is asked.
        """
        searches, failed = self._searches, self._failed
        self._searches, self._failed = {}, {}
        for search in searches.values():
            search.stop()
        ends = (search.wait(self._limit_s) for search in searches.values())
        found = await asyncio.gather(*ends, return_exceptions=True)
        for seat, error in zip(searches, found, strict=True):
            if isinstance(error, EngineError):
                if not isinstance(error, EngineRefusal):
                    failed[seat] = error
            elif isinstance(error, BaseException):
                raise error
        return dict(sorted(failed.items()))


__all__ = ["Pondering", "wants_to_ponder"]
