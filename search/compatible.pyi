from engine.game import State
from search.control import StopFlag
from search.worker import Worker

class CompatibleWorker(Worker):
    def __init__(
        self,
        view: State,
        stop: StopFlag,
        seed: int,
        index: int,
        searchmoves: tuple[int, ...] | None,
        playout_plies: int | None,
        *,
        exploration: float,
        hash_bytes: int,
    ) -> None: ...
    def node(self, key: int) -> tuple[int, list[tuple[int, int, float]]] | None: ...
    @property
    def size(self) -> int: ...
    @property
    def bytes_per_node(self) -> float: ...
    @property
    def memory(self) -> int: ...
