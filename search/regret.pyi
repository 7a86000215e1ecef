from engine.game import State
from search.control import StopFlag
from search.worker import Worker

class RegretWorker(Worker):
    whole: bool
    def __init__(
        self,
        view: State,
        stop: StopFlag,
        seed: int,
        index: int,
        searchmoves: tuple[int, ...] | None,
        playout_plies: int | None,
        *,
        exploration: float = 0.7,
        hash_bytes: int = ...,
        final: str = "auto",
        whole: bool = True,
    ) -> None: ...
    def policy(self) -> list[tuple[int, float]]: ...
    def policy_at(self, view: State) -> list[tuple[int, float]]: ...
    @property
    def passes(self) -> int: ...
    @property
    def information_sets(self) -> int: ...
