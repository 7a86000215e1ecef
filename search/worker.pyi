from engine.game import State
from search.control import StopFlag

PAUSED: int
DONE: int
STOPPED: int

# See Worker.rows.
Row = tuple[int, int, int, float, float, float, float, float, int]

class Worker:
    def __init__(
        self,
        view: State,
        stop: StopFlag,
        seed: int,
        index: int,
        searchmoves: tuple[int, ...] | None,
        playout_plies: int | None,
    ) -> None: ...
    simulations: int
    seldepth: int
    def set_limits(
        self,
        goal: int | None,
        deadline_ns: int | None,
        depth: int | None,
        endless: bool = False,
        by_clock: bool = False,
    ) -> None: ...
    def run(self, pause_ns: int | None) -> int: ...
    def rows(self) -> list[Row]: ...
    @property
    def total_depth(self) -> int: ...
    @property
    def counts(self) -> tuple[int, int]: ...
    @property
    def permille(self) -> int: ...
    def best_order(self, rows: list[Row]) -> list[Row]: ...
    def line_from(self, move: int) -> list[int]: ...
