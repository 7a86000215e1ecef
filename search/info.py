"""What a search tells: plain records without behaviour."""


class Line:
    """One root move with what the search thinks of it."""

    __slots__ = ("availability", "error", "margin", "move", "pv", "visits", "wdl", "win")

    def __init__(
        self,
        move: int,
        visits: int,
        availability: int,
        win: float,
        margin: float,
        wdl: tuple[int, int, int],
        pv: list[int],
        error: float,
    ) -> None:
        self.move = move
        """The root move."""
        self.visits = visits
        """Simulations that took it."""
        self.availability = availability
        """Simulations that could have taken it."""
        self.win = win
        """Expected return of the searching seat, 0 (lost) to 1 (won); 0.5 without visits."""
        self.margin = margin
        """Expected points ahead of the best other seat at the end, by this search; 0 without it."""
        self.wdl = wdl
        """Won, drawn and lost simulations of this search per thousand; they sum to 1000."""
        self.pv = pv
        """The best line: this move and what would follow."""
        self.error = error
        """Standard error of `win`; its most where fewer than two simulations tell of it."""

    def __repr__(self) -> str:
        return f"<Line {self.move} visits={self.visits} win={self.win:.4f}>"


class Info:
    """The state of a search at one moment."""

    __slots__ = (
        "depth",
        "hashfull",
        "lines",
        "nodes",
        "nps",
        "seldepth",
        "solved",
        "time_ms",
        "worlds",
    )

    def __init__(
        self,
        depth: int,
        seldepth: int,
        nodes: int,
        worlds: int,
        time_ms: int,
        nps: int,
        hashfull: int,
        lines: list[Line],
        solved: bool = False,
    ) -> None:
        self.depth = depth
        """Decisions that a simulation made inside the tree, on average, rounded down; 0 or more."""
        self.seldepth = seldepth
        """Decisions that the deepest simulation made inside the tree."""
        self.nodes = nodes
        """Simulations done."""
        self.worlds = worlds
        """Determinizations drawn."""
        self.time_ms = time_ms
        """Milliseconds since the search began."""
        self.nps = nps
        """Simulations per second."""
        self.hashfull = hashfull
        """How full the memory for the tree is, per thousand."""
        self.lines = lines
        """The best root moves, best first; at least one."""
        self.solved = solved
        """True where the values are exact: the rest of the game was worked out."""

    def __repr__(self) -> str:
        return f"<Info nodes={self.nodes} depth={self.depth} lines={self.lines}>"


class Result:
    """The answer of a search."""

    __slots__ = ("best_move", "info", "ponder_move")

    def __init__(self, best_move: int, ponder_move: int | None, info: Info) -> None:
        self.best_move = best_move
        """The move to play; always legal."""
        self.ponder_move = ponder_move
        """The move expected next, or None where luck decides next or nothing is expected."""
        self.info = info
        """The final report."""

    def __repr__(self) -> str:
        return f"<Result {self.best_move} {self.info!r}>"
