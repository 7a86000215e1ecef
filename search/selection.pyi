from collections.abc import Sequence

from search.tree import Tree

def step(
    tree: Tree,
    node: int,
    moves: Sequence[int],
    exploration: float,
    reward: float,
    seed: int = 0,
) -> int | None: ...
