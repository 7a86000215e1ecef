from collections.abc import Iterable

from engine.game import State
from search.control import StopFlag

OBJECTIVES: tuple[str, ...]

# Move, expected return, expected final margin, probability to win, to draw.
Solved = tuple[int, float, float, float, float]

class Solver:
    def __init__(
        self,
        view: State,
        objective: str = "win",
        margin_share: float = 0.0,
        max_nodes: int | None = ...,
        max_bytes: int = ...,
        searchmoves: Iterable[int] | None = None,
    ) -> None: ...
    nodes: int
    def run(
        self, deadline_ns: int | None = None, stop: StopFlag | None = None
    ) -> list[Solved] | None: ...
    def line_from(self, move: int) -> list[int]: ...

def list_worlds(view: State, most: int = ...) -> list[tuple[State, int]] | None: ...
