"""The vocabulary of card files: scorings, abilities and requirements, each with its figures.

A row here gives a kind its name, its figures with their ranges and its sentence; the function that
carries it out registers itself under the name (scorings.pyx, jarls.pyx). What each does on ties, on
empty sides and with tiles turned face down: RULES.md parts 10, 11 and 15.
"""

TYPE = "type"
"""The one figure that is no number: a type of goods, M, F, S or C."""


class Figure:
    """A number that a card gives: its key in the file and its range."""

    __slots__ = ("high", "low", "name")

    def __init__(self, name: str, low: int, high: int) -> None:
        self.name, self.low, self.high = name, low, high


class Kind:
    """A kind of card: its name, its figures in order (at most two numbers), and its sentence.

    `typed` kinds also have the figure `type`. `words` is filled with the figures by `str.format`;
    the type stands there in words.
    """

    __slots__ = ("figures", "name", "typed", "words")

    def __init__(self, name: str, figures: tuple[Figure, ...], words: str, typed: bool = False):
        self.name, self.figures, self.words, self.typed = name, figures, words, typed


POINTS = Figure("points", 1, 50)
AT_MOST = Figure("at_most", 1, 50)

SCORINGS = (
    Kind("majority", (POINTS,), "who has more merchandise: {points}"),
    Kind("most_tiles", (POINTS,), "who has more tiles: {points}"),
    Kind(
        "own_bucklers",
        (POINTS, AT_MOST),
        "each player, for each buckler of the own clan: {points}, at most {at_most}",
    ),
    Kind("rival_bucklers", (POINTS,), "who has more bucklers of the other clan: {points}"),
    Kind("difference", (AT_MOST,), "who has more merchandise: the difference, at most {at_most}"),
    Kind(
        "runner_up",
        (POINTS, Figure("second", 1, 50)),
        "who has more merchandise: {points}; the other, with a tile there: {second}",
    ),
    Kind(
        "threshold",
        (Figure("merchandise", 1, 18), POINTS),
        "each player with at least {merchandise} merchandise: {points}",
    ),
    Kind("fewest", (POINTS,), "who has less merchandise, if both have a tile there: {points}"),
    Kind(
        "buckler_pairs",
        (POINTS, AT_MOST),
        "each player, for each pair of unlike bucklers: {points}, at most {at_most}",
    ),
)

ABILITIES = (
    Kind("tribute", (Figure("coins", 1, 8),), "at once, coins from the reserve: {coins}"),
    Kind("harbour", (), "at once: unload one loaded longship, whatever its place"),
    Kind("rowers", (Figure("moves", 1, 9),), "from now on, more moves for each side card: {moves}"),
    Kind("traders", (Figure("uses", 1, 7),), "from now on, more uses for each middle card: {uses}"),
    Kind("swift", (Figure("coins", 1, 2),), "from now on, coins for an additional turn: {coins}"),
    Kind("renown", (POINTS,), "at the end, points: {points}"),
    Kind(
        "banners",
        (POINTS, AT_MOST),
        "at the end, for each stored buckler of the own clan: {points}, at most {at_most}",
    ),
    Kind(
        "storehouse",
        (Figure("merchandise", 1, 9),),
        "attached to a warehouse, more merchandise there: {merchandise}",
    ),
)

REQUIREMENTS = (
    Kind("each_type", (Figure("tiles", 1, 8),), "tiles of each type stored: {tiles}"),
    Kind("tiles_of_type", (Figure("tiles", 1, 8),), "tiles of {type} stored: {tiles}", typed=True),
    Kind("bucklers_each", (Figure("bucklers", 1, 16),), "bucklers of each clan: {bucklers}"),
    Kind("give_coins", (Figure("coins", 1, 8),), "coins given to the other player: {coins}"),
    Kind("merchandise", (Figure("merchandise", 1, 64),), "merchandise stored: {merchandise}"),
    Kind(
        "merchandise_of_type",
        (Figure("merchandise", 1, 16),),
        "merchandise of {type} stored: {merchandise}",
        typed=True,
    ),
    Kind("bucklers_alike", (Figure("bucklers", 1, 32),), "bucklers of one clan: {bucklers}"),
    Kind("own_coins", (Figure("coins", 1, 8),), "coins owned: {coins}"),
)


def index_of(kinds: tuple[Kind, ...], name: str) -> int:
    """Return the number of a kind, by which C knows it."""
    return [kind.name for kind in kinds].index(name)
