"""The top of a search: which moves were tried, how often, and what was found, as data and as text.

The search begins from the view of the seat that decides, so it holds nothing that this seat may not
know, and neither does what is made of it here. Nothing comes from a clock, so that a search with a
limit in simulations is told of in the same bytes every time.

`dump` makes the data; README.md in this folder says what the fields are. `text_of` prints it.
"""

from typing import Any

from engine.game import Game, State
from search import Limits, Searcher
from search.belief import Belief
from search.info import Info, Line
from search.outline import Branch, Outline, Spot

VERSION = 1
"""Of the form of the data; another number means that a field got another meaning."""

LINE_MOVES = 12
"""Moves of a line of play at most."""

LUCK = "~"

Node = dict[str, Any]


class NoTree(ValueError):
    """The search keeps no tree."""


class Bounds:
    """How much is told.

    Args:
        depth: decisions below each other, 1 for the root alone.
        breadth: moves of a node, the most visited ones; the others are summed up.
        min_visits: a node is told of if the move that leads to it has as many visits.
    """

    __slots__ = ("breadth", "depth", "min_visits")

    def __init__(self, depth: int = 3, breadth: int = 4, min_visits: int = 2) -> None:
        self.depth, self.breadth, self.min_visits = depth, breadth, min_visits


def dump(
    searcher: Searcher,
    view: State,
    limits: Limits,
    bounds: Bounds,
    belief: Belief | None = None,
) -> dict[str, Any]:
    """Search, and return the top of what the search then remembers.

    Args:
        searcher: with one thread; with more, root moves are those of all, the rest of the first.
        view: what the seat to move knows.
        limits: when the search ends.
        bounds: how much is told.
        belief: of the seat to move; see `Searcher.go`.

    Raises:
        NoTree: the search keeps no tree, as those that only look at the root.
    """
    searcher.new_game()
    result = searcher.go(view, limits, multipv=len(view.legal_moves()), belief=belief)
    info, outline = result.info, searcher.outline
    if outline is None and not info.solved:
        raise NoTree(f"{searcher.preset} with algorithm={searcher.options['algorithm']}")
    top = _Top(view.game, bounds, None if info.solved else outline)
    return {
        "form": "drakkar-tree",
        "version": VERSION,
        "game": view.game.identity,
        "position": view.to_text(),
        "seat": _seat(view.seat_to_move),
        "preset": searcher.preset,
        "seed": searcher.seed,
        "solved": info.solved,
        "simulations": info.nodes,
        "worlds": info.worlds,
        "depth": info.depth,
        "seldepth": info.seldepth,
        "hashfull": info.hashfull,
        "nodes": 0 if top.outline is None else top.outline.size,
        "best": view.game.move_name(result.best_move),
        "root": top.root(info, view.seat_to_move),
    }


class _Top:
    """Makes the nodes of one dump; without an outline only the root is known."""

    def __init__(self, game: Game, bounds: Bounds, outline: Outline | None) -> None:
        self.game, self.bounds, self.outline = game, bounds, outline

    def root(self, info: Info, seat: int) -> Node:
        """Return the root: its moves in the order and with the figures of the final report."""
        bounds = self.bounds
        if self.outline is None:
            best = info.lines[0]
            moves = [self._solved_move(line, seat) for line in info.lines[: bounds.breadth]]
            left = len(info.lines) - len(moves)
            return _node(seat, None, best.win, False, moves, left, None)
        spot = self.outline.spot(self.outline.root)
        known = {branch.move: branch for branch in spot.branches}
        total = sum(line.visits for line in info.lines)
        moves = []
        for line in info.lines[: bounds.breadth]:
            branch = known.get(line.move) or Branch(line.move, 0, None, 0.0, -1, False, None)
            move = self._move(branch, line.visits, total, 1)
            told = {"win": line.win, "error": line.error, "margin": line.margin}
            move.update((key, _round(x) if line.visits else None) for key, x in told.items())
            moves.append(move)
        rest = info.lines[len(moves) :]
        left = sum(line.visits for line in rest)
        return _node(seat, spot.visits, spot.mean, False, moves, len(rest), left)

    def _below(self, outline: Outline, index: int, depth: int) -> Node:
        """Return a node that lies under `depth` decisions."""
        spot = outline.spot(index)
        branches = _by_visits(spot)
        total = sum(branch.visits for branch in branches)
        shown, rest = branches[: self.bounds.breadth], branches[self.bounds.breadth :]
        moves = [self._move(branch, branch.visits, total, depth + 1) for branch in shown]
        left = sum(branch.visits for branch in rest)
        return _node(spot.seat, spot.visits, spot.mean, spot.is_open, moves, len(rest), left)

    def _move(self, branch: Branch, visits: int, total: int, depth: int) -> dict[str, Any]:
        """Return a move with what lies below it: a node, or only the line most visited."""
        outline, below, line = self.outline, None, []
        if outline is not None and branch.child >= 0:
            if depth < self.bounds.depth and branch.visits >= self.bounds.min_visits:
                spot = outline.spot(branch.child)
                below = self._below(outline, branch.child, depth) if spot.visits else None
            else:
                line = self._line(outline, branch)
        return {
            "move": self.game.move_name(branch.move),
            "visits": visits,
            "share": _round(visits / total) if total else None,
            "win": _round(branch.mean) if branch.visits else None,
            "error": None,
            "margin": None,
            "prior": None if branch.prior is None else _round(branch.prior),
            "luck": branch.after_luck,
            "nodes": branch.outcomes,
            "line": line,
            "then": below,
        }

    def _solved_move(self, line: Line, seat: int) -> dict[str, Any]:
        """Return a root move of a position that was worked out."""
        branch = Branch(line.move, 0, None, line.win, -1, False, None)
        move = self._move(branch, 0, 0, 1)
        told = {"win": line.win, "error": line.error, "margin": line.margin}
        move.update((key, _round(value)) for key, value in told.items())
        move["visits"] = None
        return move

    def _line(self, outline: Outline, branch: Branch) -> list[str]:
        """Return what was most visited below a move, with LUCK where luck lies between."""
        words: list[str] = []
        for _ in range(LINE_MOVES):
            spot = outline.spot(branch.child)
            tried = [one for one in _by_visits(spot)[:1] if one.visits]
            if not tried:
                break
            words += [LUCK] if branch.after_luck else []
            branch = tried[0]
            words.append(f"{_seat(spot.seat)}:{self.game.move_name(branch.move)}")
            if branch.child < 0:
                break
        return words


def _node(
    seat: int,
    visits: int | None,
    win: float,
    is_open: bool,
    moves: list[dict[str, Any]],
    left_moves: int,
    left_visits: int | None,
) -> Node:
    return {
        "seat": _seat(seat),
        "visits": visits,
        "win": _round(win),
        "open": is_open,
        "moves": moves,
        "other_moves": left_moves,
        "other_visits": left_visits,
    }


def _by_visits(spot: Spot) -> list[Branch]:
    return sorted(spot.branches, key=lambda b: (-b.visits, -b.mean, b.move))


def _seat(seat: int) -> str:
    return f"p{seat + 1}"


def _round(value: float) -> float:
    return round(value, 6)


def text_of(data: dict[str, Any]) -> list[str]:
    """Return the lines that tell people of a dump."""
    told = f"{data['simulations']} simulations in {data['worlds']} worlds"
    if data["solved"]:
        told = f"worked out exactly, {data['simulations']} positions"
    lines = [
        f"position {data['position']}",
        f"search   {data['preset']}, seed {data['seed']}: {told}",
    ]
    if not data["solved"]:
        full = f"{data['hashfull'] / 10:.1f} % of the memory"
        deep = f"depth {data['depth']}, at most {data['seldepth']}"
        lines.append(f"tree     {data['nodes']} nodes, {full}; {deep}")
    return [*lines, f"best     {data['best']}", "", *_node_text(data["root"], "", "")]


def _node_text(node: Node, indent: str, mark: str) -> list[str]:
    visits = "" if node["visits"] is None else f", {_count(node['visits'], 'visit')}"
    secret = ", secrets not known" if node["open"] else ""
    lines = [f"{indent}{mark}{node['seat']} decides{visits}, win {_percent(node['win'])}{secret}"]
    moves = node["moves"]
    word = max(len(move["move"]) for move in moves) if moves else 0
    count = max(len(str(move["visits"])) for move in moves) if moves else 0
    for move in moves:
        cells = [f"{move['move']:{word}}"]
        if move["visits"] is not None:
            cells.append(f"{move['visits']:>{count}} {_percent(move['share'])}")
        if move["win"] is not None:
            cells.append(f"win {_percent(move['win'])}{_error(move['error'])}")
        if move["margin"] is not None:
            cells.append(f"margin {move['margin']:+.2f}")
        if move["prior"] is not None:
            cells.append(f"prior {_percent(move['prior'])}")
        if (move["nodes"] or 0) > 1:
            cells.append(f"the last of {move['nodes']} nodes" if move["then"] else "")
        if move["line"]:
            cells.append(f"then {' '.join(move['line'])}")
        lines.append(f"{indent}  {'  '.join(cell for cell in cells if cell)}")
        if move["then"]:
            mark = f"{LUCK} " if move["luck"] else ""
            lines += _node_text(move["then"], f"{indent}      ", mark)
    if node["other_moves"]:
        more = _count(node["other_moves"], "more move")
        if node["other_visits"] is not None:
            more += f", {_count(node['other_visits'], 'visit')}"
        lines.append(f"{indent}  {more}")
    return lines


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _percent(share: float | None) -> str:
    return "    -  " if share is None else f"{100 * share:5.1f} %"


def _error(error: float | None) -> str:
    return "" if error is None else f" ± {100 * error:.1f}"


__all__ = ["VERSION", "Bounds", "NoTree", "dump", "text_of"]
