"""The suite of late positions: what a search chooses there, and whether solved values are exact."""

from bench import late
from bench.registry import Out
from search import Limits, Searcher
from search.info import Line

# The text of a value in the file has nine figures.
_ROUNDING = 1e-6


def suite(out: Out, preset: str, time_ms: float, number: int | None = None) -> None:
    """Let a preset choose in the first `number` positions (None: all) and compare with the file.

    A choice loses nothing if no move has a higher expected return, or an equal one and a higher
    expected margin; `best_by_margin` counts the choices that are best the other way round.
    `greatest_error` is of the return or the margin of any root move of a solved position.
    """
    positions = late.read()[:number]
    best = by_margin = solved = solved_best = 0
    error = 0.0
    kinds: dict[str, int] = {}
    for index, position in enumerate(positions):
        searcher = Searcher(preset, seed=index)
        moves = len(position.values)
        result = searcher.go(position.view, Limits(time_ms=time_ms), multipv=moves)
        is_best = position.is_best(result.best_move)
        best += is_best
        by_margin += position.is_best(result.best_move, by_margin=True)
        if getattr(result.info, "solved", False):
            solved += 1
            solved_best += is_best
            kinds[position.kind] = kinds.get(position.kind, 0) + 1
            error = max(error, _error(position, result.info.lines))
    out["positions"] = len(positions)
    out["best_share"] = best / len(positions)
    out["best_by_margin_share"] = by_margin / len(positions)
    out["solved"] = solved
    out["solved_by_kind"] = dict(sorted(kinds.items()))
    out["solved_but_not_best"] = solved - solved_best
    out["greatest_error"] = error
    out["within_rounding"] = int(error <= _ROUNDING)


def _error(position: late.Late, lines: list[Line]) -> float:
    """Return the greatest error of the return or the margin of a move of a solved position."""
    rows = [(line, position.values[line.move]) for line in lines]
    return max(max(abs(line.win - row[0]), abs(line.margin - row[1])) for line, row in rows)
