from collections.abc import Sequence

def set_weights(
    number: int,
    is_free: bool,
    play: Sequence[float],
    put: Sequence[float],
    lots: tuple[float, float],
) -> None: ...
