from engine.game import State

def run_playouts(
    state: State, number: int, seed: int = 0, index: int = 0, plies: int | None = None
) -> tuple[int, int, int]: ...
