"""The ideas: A, the preset with some options, against B, the preset with others.

What was tried and is gone from the engine is no longer here; its result is kept, see table.py.
"""

GAME = "lofoten"
PRESET = "drakkar"


class Idea:
    """One idea and how it is tried.

    `a` and `b` are search options as the engine option `Search` takes them; `limit` replaces the
    time for each decision where an idea is about a clock.
    """

    __slots__ = ("a", "b", "game", "limit", "name", "source", "what")

    def __init__(
        self,
        name: str,
        what: str,
        a: str,
        b: str = "",
        source: str = "",
        game: str = GAME,
        limit: str = "",
    ) -> None:
        self.name, self.what, self.a, self.b, self.source = name, what, a, b, source
        self.game, self.limit = game, limit

    @property
    def sides(self) -> str:
        """What is played against what, for people."""
        return f"{self.a or 'as it is'} against {self.b or 'as it is'}"


_PUCT = "Silver et al., Nature 550, 2017"
_COUETOUX = "Couëtoux et al., LION 5, 2011"

_LIST = [
    # What the preset has: A has it, B has not.
    Idea("solver", "exact solver of late positions", "", "solver=off"),
    Idea("belief", "worlds drawn by what decisions of others tell", "", "belief=off"),
    Idea("prior", "priors from the game against even ones", "", "prior_mix=1", _PUCT),
    Idea("estimate", "leaves valued by the fitted estimate, not by the margin", "", "leaf=margin"),
    Idea(
        "early-stop",
        "ends once the rest of the time could not change the move",
        "",
        "decided_share=1e9",
        limit="--tc 1+0.005",
    ),
    Idea("keying", "nodes of others, and of later turns: what all know", "", "keying=observer"),
    Idea("points", "a second estimate, 20 moves behind the first", "", "valued_points=1"),
    # What is maximised.
    Idea("margin-25", "reward: a quarter of it the margin", "margin_share=0.25"),
    Idea("margin-50", "reward: half of it the margin", "margin_share=0.5"),
    Idea("margin-100", "reward: the margin alone", "margin_share=1"),
    # Which move is played.
    Idea("final-shares", "plays a move by lot, as likely as its visits", "final=shares"),
    # What makes the nodes of other seats.
    Idea("keying-actor", "nodes of others: what they know", "keying=actor"),
    Idea("keying-abstract", "nodes of others: by classes of hands", "keying=abstract"),
    # Playouts before the estimate.
    Idea("playout", "20 moves by the prior before the estimate", "", "valued_plies=0"),
    Idea("playout-12", "20 of them, not 12", "", "valued_plies=12"),
    Idea("playout-30", "30 of them", "valued_plies=30"),
    Idea("playout-uniform", "20 uniform moves in their place", "playout_policy=uniform"),
    # Luck.
    Idea(
        "widening-1", "outcomes of luck up to the root of the visits", "widening=1", "", _COUETOUX
    ),
]

IDEAS = {idea.name: idea for idea in _LIST}
