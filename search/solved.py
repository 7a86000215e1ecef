"""Reports of a position that was worked out exactly."""

from time import monotonic_ns

from search.info import Info, Line

TYPE_CHECKING = False  # true for type checkers; importing typing would be slow
if TYPE_CHECKING:
    from search.solver import Solved, Solver


def lines_of(solver: "Solver", rows: "list[Solved]") -> list[Line]:
    """Return the root moves as lines of a report, best first; their values are exact.

    Args:
        solver: after its `run`.
        rows: what `run` returned.
    """
    lines = []
    for move, win, margin, won, drawn in rows:
        share_won, share_drawn = round(1000 * won), round(1000 * drawn)
        share_drawn = min(share_drawn, 1000 - share_won)
        wdl = (share_won, share_drawn, 1000 - share_won - share_drawn)
        lines.append(Line(move, 1, 1, win, margin, wdl, solver.line_from(move), 0.0))
    return lines


def info_of(solver: "Solver", rows: "list[Solved]", start: int) -> Info:
    """Return the report of a position that was worked out.

    Args:
        solver: after its `run`.
        rows: what `run` returned.
        start: time.monotonic_ns() when the search began.
    """
    elapsed = max(monotonic_ns() - start, 1)
    lines = lines_of(solver, rows)
    longest = max(len(line.pv) for line in lines)
    return Info(
        depth=longest,
        seldepth=longest,
        nodes=solver.nodes,
        worlds=0,
        time_ms=elapsed // 1_000_000,
        nps=solver.nodes * 1_000_000_000 // elapsed,
        hashfull=0,
        lines=lines,
        solved=True,
    )
