from engine.game import State
from search.belief import Belief
from search.control import StopFlag
from search.exchange import Exchange
from search.graph import Graph
from search.worker import Worker

class PuctWorker(Worker):
    graph: Graph
    search: int
    root_node: int
    def __init__(
        self,
        view: State,
        stop: StopFlag,
        seed: int,
        index: int,
        searchmoves: tuple[int, ...] | None,
        playout_plies: int | None,
        *,
        graph: Graph,
        options: dict[str, bool | int | float | str | None],
        belief: Belief | None = None,
        ahead: bool = False,
        exchange: Exchange | None = None,
    ) -> None: ...
