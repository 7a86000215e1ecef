"""The switches and numbers of a search, as plain data: what presets set and users may override."""

NONE = "none"  # how a text says that a number is not set


class SearchOption:
    """One switch or number: its name, what it may be, and what it does."""

    __slots__ = ("choices", "default", "help", "high", "low", "name")

    def __init__(
        self,
        name: str,
        default: "bool | int | float | str | None",
        help: str,
        low: float = 0.0,
        high: float = 1e6,
        choices: tuple[str, ...] = (),
    ) -> None:
        self.name, self.default, self.help = name, default, help
        self.low, self.high, self.choices = low, high, choices

    @property
    def range(self) -> str:
        """What it may be, in words."""
        if self.choices:
            return ", ".join(self.choices)
        if isinstance(self.default, bool):
            return "on, off"
        whole = "a whole number" if self._is_whole else "a number"
        none = f", or {NONE}" if self.default is None else ""
        return f"{whole} from {self.low:g} to {self.high:g}{none}"

    @property
    def _is_whole(self) -> bool:
        return self.default is None or type(self.default) is int

    def read(self, value: object) -> "bool | int | float | str | None":
        """Return a value or its text as it is used; ValueError if it is not allowed."""
        if self.choices:
            if value in self.choices:
                return str(value)
        elif isinstance(self.default, bool):
            if value in (True, False, "on", "off"):
                return value in (True, "on")
        elif self.default is None and value in (None, NONE):
            return None
        else:
            text = str(value)
            try:
                number = int(text) if self._is_whole else float(text)
            except (ValueError, OverflowError):
                number = self.low - 1
            # Python reads digits of all scripts, and 1_0 as ten.
            if not text.isascii() or "_" in text:
                number = self.low - 1
            if self.low <= number <= self.high:
                return number
        raise ValueError(f"{self.name}={str(value)[:40]}: use {self.range}")


TABLE = (
    SearchOption(
        "algorithm",
        "ismcts",
        "the kind of search: IS-MCTS, the graph of `drakkar`, regret matching, OpenSpiel's "
        "IS-MCTS, flat Monte Carlo, or a simple player",
        choices=("ismcts", "puct", "regret", "compatible", "flat", "greedy", "random"),
    ),
    SearchOption("exploration", 0.7, "weight of what was tried little", 0, 1000),
    SearchOption(
        "keying",
        "observer",
        "what makes the nodes of puct where another seat decides, and those behind, see above",
        choices=("observer", "public", "actor", "abstract"),
    ),
    SearchOption("first_play", 0.0, "puct: how much worse an untried move is thought to be", -1, 1),
    SearchOption("prior_mix", 0.1, "puct: share of the priors that is spread evenly", 0, 1),
    SearchOption("margin_share", 0.0, "share of the margin in what puct maximises", 0, 1),
    SearchOption("belief", False, "puct draws worlds by what the others' decisions tell"),
    SearchOption(
        "decided_share",
        1.0,
        "puct ends early once this share of the simulations left could not change the move",
        0.1,
        1e9,
    ),
    SearchOption(
        "solver", False, "works out late positions exactly where it can, see search/solver.pxd"
    ),
    SearchOption(
        "final",
        "auto",
        "which move is played, see search/final.py",
        choices=("auto", "most", "robust", "shares", "average"),
    ),
    SearchOption(
        "reuse",
        "off",
        "puct keeps its graph from move to move; timed: but where a count may end the search, so "
        "that it repeats",
        choices=("off", "timed", "on"),
    ),
    SearchOption(
        "playout_plies",
        None,
        "decisions of a playout; none: valued_plies where puct or regret can value positions, "
        "else to the end",
        0,
        100000,
    ),
    SearchOption("valued_plies", 0, "see playout_plies", 0, 100000),
    SearchOption(
        "valued_points",
        1,
        "puct values a playout so often, each time playout_plies further on, and takes the mean",
        1,
        100,
    ),
    SearchOption(
        "playout_policy",
        "uniform",
        "how puct makes the moves of playouts: by lot, or by the prior where a game has one",
        choices=("uniform", "prior"),
    ),
    SearchOption(
        "leaf",
        "estimate",
        "what puct values leaves by: the game's estimate or the margin",
        choices=("estimate", "margin"),
    ),
    SearchOption(
        "widening",
        0.0,
        "puct: at most so many times the root of a move's visits are the outcomes of luck behind "
        "it; 0: all; see search/widening.pxd",
        0,
        1000,
    ),
)

BY_NAME = {option.name: option for option in TABLE}


def parse_options(text: str) -> "dict[str, bool | int | float | str | None]":
    """Read `name=value name=value`; ValueError names what is wrong."""
    values: dict[str, bool | int | float | str | None] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not (name and equals):
            raise ValueError(f"search option {word[:40]!r} is no name=value")
        if name in values:
            raise ValueError(f"search option {word[:40]!r} is given twice")
        values[name] = find(name).read(value)
    return values


def find(name: str) -> SearchOption:
    """Return the option of a name; ValueError if there is none."""
    if name not in BY_NAME:
        raise ValueError(f"no search option {name[:40]!r}; there are: {', '.join(BY_NAME)}")
    return BY_NAME[name]
