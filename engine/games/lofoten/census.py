"""Counts how often a game comes across each special ruling."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine.game import State
from engine.games.lofoten import notation as n
from engine.games.lofoten.position import PHASES

if TYPE_CHECKING:
    from engine.games.lofoten.game import LofotenGame

_UNLOAD, _LAST, _ORDER = PHASES.index("unload"), PHASES.index("last"), PHASES.index("order")
# Kinds of moves before which the state is looked at more closely.
_WATCHED = (
    n.PLAY,
    n.REDRAW,
    n.EXTRA,
    n.PAY_STEP,
    n.TAKE,
    n.STORE,
    n.FLIP,
    n.END,
    n.UNLOAD,
    n.ORDER,
)


class Census:
    """Follows one game: `before(state, move)` for every event, then `finish(state)`."""

    def __init__(self, game: "LofotenGame") -> None:
        self.game = game
        self.counts: Counter[str] = Counter()
        self.first_order = -1
        self.triggered_by = -1

    def before(self, state: State, move: int) -> None:
        """Count what the move, about to be applied, brings about."""
        kind = move >> 24
        if kind not in _WATCHED:
            return
        f = self.game.fields(state)
        seat, counts = f["seat"], self.counts
        if kind == n.PLAY and move >> 8 & 0xFF == 1 and move & 0xFF < 3 and min(f["market"]) == 31:
            counts["R24 mead with an empty market"] += 1
        elif kind == n.REDRAW:
            counts["R29 redraw for 2 coins"] += 1
        elif kind == n.EXTRA:
            counts["R31 extra turn for 3 coins"] += 1
            if f["triggered"]:
                counts["R48 extra turn bought after the trigger"] += 1
            if f["phase"] == _LAST:
                counts["R74 extra turn bought after the last action phase"] += 1
        elif kind == n.PAY_STEP:
            counts["R26 extra move for a coin"] += 1
        elif kind == n.TAKE and f["coins"][2] == 0:
            counts["R22 coin from the opponent"] += 1
        elif kind == n.STORE:
            open_houses = f["house_type"].count(n.TYPE_NONE)
            counts["R33d warehouse chosen" if open_houses > 1 else "R33d last warehouse"] += 1
            if f["back"] == _UNLOAD:
                counts["R50 warehouse opened in the final unloading"] += 1
        elif kind == n.FLIP and f["pile_size"][1 - f["pile"]] == 0:
            counts["R37 tile from the only pile left"] += 1
        elif kind == n.UNLOAD:
            counts["R49 final unloading"] += 1
        elif kind == n.END:
            self._end(f, seat)
        elif kind == n.ORDER:
            self._order(f["step"], move & 0xFF)

    def _order(self, step: int, card: int) -> None:
        if step % 2 == 0:
            self.first_order = card
        elif card // 3 == self.first_order // 3:
            self.counts["R4 start orders drawn anew"] += 1

    def _end(self, f: dict[str, Any], seat: int) -> None:
        if f["phase"] == _LAST:
            self.counts["R47 last turn without draw"] += 1
        elif self.triggered_by < 0 and sum(f["pile_size"]) == 0 and n.TILE_NONE in f["market"]:
            self.triggered_by = seat
            self.counts[f"R43 piles empty in the turn of seat {seat + 1}"] += 1

    def finish(self, state: State) -> Counter[str]:
        """Return the counts of the finished game; `turns` is one of them."""
        f, counts = self.game.fields(state), self.counts
        counts["turns"] = f["turns"]
        counts["R3 first market dealt anew"] = f["redeals"]
        counts["R35 order deck renewed"] = f["shuffles"]
        counts["R38 four of a kind"] = f["fours"]
        if self.triggered_by < 0:
            counts["R70 ended by the stall rule"] = 1
        for house in range(4):
            kind = f["house_type"][house]
            if kind == n.TYPE_NONE:
                counts["R52 warehouse never opened"] += 1
            elif f["stored_units"][0][kind] == f["stored_units"][1][kind]:
                counts["R52 warehouse tied"] += 1
        scores = self.game.scores(state)
        if scores[0] == scores[1]:
            counts["R53 draw"] = 1
        return counts
