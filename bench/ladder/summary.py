"""What is said at the end of a run on the ladder."""

from typing import Any

from bench.ladder.placement import Placement
from bench.ladder.scale import ZERO, Rung, Scale, scale_text
from bench.plan import Plan
from bench.report.ratings import report
from bench.report.summary import PoolSummary
from bench.report.text import ending_words, fault_words
from bench.report.words import grid, number
from bench.statistics.ratings import RATED
from bench.text import visible
from bench.tournament.outcome import Outcome

Fields = dict[str, Any]


class PlacedSummary(PoolSummary):
    """The place of the first contestant on a scale, from a gauntlet against its rungs."""

    def __init__(self, plan: Plan, scale: Scale) -> None:
        self.scale = scale
        super().__init__(plan)

    @property
    def placement(self) -> Placement:
        """The rating of the engine by its blocks so far."""
        ratings = [rung.rating for rung in self.scale.rungs]
        counts = [self.tally.pairs.counts(0, other + 1) for other in range(len(ratings))]
        return Placement(list(zip(ratings, counts, strict=True)))

    def to_json(self, ending: Outcome) -> Fields:
        """Return the object of `--json`: the placement, and what a pool tells beside it."""
        placed = self.placement
        return {
            "engine": self.plan.contestants[0].label,
            "rating": placed.rating,
            "low": placed.low,
            "high": placed.high,
            "score": placed.score,
            "hint": self._hint(placed),
            "scale": scale_json(self.scale),
            "pool": super().to_json(ending),
        }

    def table(self, ending: Outcome) -> str:
        """Return the scale with the engine in its place, and how it did against each rung."""
        placed, label = self.placement, self.plan.contestants[0].label
        if not placed.blocks:
            return f"no block is finished\n{ending_words(ending.reason, ending.games, 0, 0.0)}"
        placed_row = (_place(placed) or 0.0, [f"> {label}", str(placed), "", ""])
        rungs = [(rung.rating, self._row(rung)) for rung in self.scale.rungs]
        ordered = sorted([placed_row, *rungs], key=lambda row: -row[0])
        rows = [["", "rating", "score of it", "blocks"], *(row for _, row in ordered)]
        lines = [
            f"{visible(self.scale.game)}: {label} on the ladder, {placed.blocks} blocks",
            "",
            *grid(rows),
            "",
            f"{label}: {placed}, {self._hint(placed)}",
        ]
        own = self.tally.contestants[0]
        faults = fault_words(
            {
                "terminations": own.terminations,
                "replaced": own.replaced,
                "strikes": own.strikes,
            }
        )
        if faults:
            lines.append(f"games that it lost by a verdict, and what was forgiven: {faults}")
        numbers = (ending.games, ending.counted_games, ending.seconds)
        lines.append(ending_words(ending.reason, *numbers))
        return "\n".join(lines)

    def _row(self, rung: Rung) -> list[str]:
        other = 1 + self.scale.rungs.index(rung)
        score = self.tally.pairs.score(0, other)
        return [
            f"  {rung.label}",
            f"{rung.rating:.0f}",
            "-" if score is None else f"{100 * score:.1f} %",
            str(self.tally.pairs.blocks(0, other)),
        ]

    def _hint(self, placed: Placement) -> str:
        if placed.rating is not None:
            return self.scale.near(placed.rating)
        rungs = self.scale.rungs
        if placed.low is not None:
            below = [rung for rung in rungs if rung.rating < placed.low]
            return f"stronger than {below[-1].words}" if below else "it won every block"
        above = [r for r in rungs if placed.high is not None and r.rating > placed.high]
        return f"weaker than {above[0].words}" if above else "it lost every block"


class MeasuredSummary(PoolSummary):
    """A scale in the making: the ratings of a round robin of the rungs, `random` at 0."""

    def __init__(self, plan: Plan, rungs: list[Rung], command: str) -> None:
        self.rungs, self.command = rungs, command
        super().__init__(plan)

    def scale(self) -> tuple[list[Rung], Fields]:
        """Return the rungs with their ratings, and how they were measured.

        Rungs that won or lost everything have no finite rating and are left out.
        """
        found = report(self.tally, {}, [{} for _ in self.rungs], (ZERO, 0.0))
        rows = {row["label"]: row for row in found["contestants"]}
        measured = [
            Rung(r.preset, r.nodes, row["rating"], row["low"], row["high"])
            for r, row in ((rung, rows[rung.label]) for rung in self.rungs)
            if row["status"] == RATED
        ]
        about = {
            "command": self.command,
            "seed": self.plan.seed,
            "blocks": self.tally.blocks,
            "games": self.tally.games,
        }
        return measured, about

    def toml(self) -> str:
        """Return the text of the file that holds the scale."""
        return scale_text(self.plan.game.identity, *self.scale())

    def to_json(self, ending: Outcome) -> Fields:
        """Return the object of `--json`."""
        rungs, about = self.scale()
        scale = Scale(self.plan.game.identity, rungs, about)
        return {"scale": scale_json(scale), "pool": super().to_json(ending)}

    def table(self, ending: Outcome) -> str:
        """Return the scale, and the tables of the round robin."""
        rungs, about = self.scale()
        scale = Scale(self.plan.game.identity, rungs, about)
        return f"{scale_table(scale)}\n\n{super().table(ending)}"


def _place(placed: Placement) -> float | None:
    """Return the rating, or the bound that is known of it."""
    known = (placed.rating, placed.low, placed.high)
    return next((value for value in known if value is not None), None)


def scale_json(scale: Scale) -> Fields:
    """Return a scale as an object."""
    return {
        "game": scale.game,
        **scale.about,
        "rungs": [
            {
                "label": rung.label,
                "preset": rung.preset,
                "nodes": rung.nodes,
                "rating": rung.rating,
                "low": rung.low,
                "high": rung.high,
            }
            for rung in scale.rungs
        ],
    }


def scale_table(scale: Scale) -> str:
    """Return a scale for people, the strongest rung on top."""
    rows = [["", "rating", "95 %", "expected against the next"]]
    rungs = list(reversed(scale.rungs))
    for rung, below in zip(rungs, [*rungs[1:], None], strict=True):
        rows.append(
            [
                rung.label,
                f"{rung.rating:.0f}",
                f"{number(rung.low, '.0f')} to {number(rung.high, '.0f')}",
                "" if below is None else f"{100 * expected(rung, below):.0f} %",
            ]
        )
    about = scale.about
    head = f"{visible(scale.game)}: the ladder, logistic Elo above {ZERO}"
    made = f"measured by `{about.get('command')}`, {about.get('games')} games"
    return "\n".join([head, "", *grid(rows), "", made])


def expected(one: Rung, other: Rung) -> float:
    """Return the expected score of a rung against another."""
    from bench.statistics.elo import score_from_elo

    return score_from_elo(one.rating - other.rating)


__all__ = ["MeasuredSummary", "PlacedSummary", "expected", "scale_json", "scale_table"]
