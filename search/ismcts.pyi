from engine.game import State
from search.control import StopFlag
from search.tree import Tree
from search.worker import Worker

class IsmctsWorker(Worker):
    tree: Tree
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
