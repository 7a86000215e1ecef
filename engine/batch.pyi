from engine.game import Game

def estimates(game: Game, states: bytes) -> bytearray: ...
def priors(game: Game, states: bytes) -> bytearray: ...
def policy_games(
    one: Game,
    two: Game,
    seed: int,
    start: int,
    number: int,
    power: int = 1,
    sharpness: float = 0.0,
    playouts: int = 1,
    plies: int = 0,
    points: int = 1,
) -> tuple[float, float]: ...
