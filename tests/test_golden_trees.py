"""Whole trees of small searches, compared line by line: any change of a search shows here.

The files of tests/golden_trees begin with remarks (`#`), the position and the search, which are
written by hand; the rest is what the search made of it. After a change of behaviour that was meant,
`python tests/test_golden_trees.py` writes the rest anew (a part of `make golden`).

`*_drakkar.txt` are made with the preset as it is, so they change with its options and with fitted
weights; the others name their options and depend on no weights.
"""

import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent / "golden_trees"
FILES = sorted(FOLDER.glob("*.txt"))
BY_HAND = ("#", "position ", "search ")


def tree_of(head):
    """Return the lines of the tree that the search of a file makes."""
    from engine import load
    from search import Limits, Searcher
    from search.options import parse_options

    told = dict(line.split(" ", 1) for line in head if not line.startswith("#"))
    preset, nodes, seed, *options = told["search"].split()
    text = told["position"]
    game = load(text.partition("/")[0])
    view = game.from_text(text)
    searcher = Searcher(preset, seed=int(seed), options=parse_options(" ".join(options)))
    limits = Limits(nodes=int(nodes))
    result = searcher.go(view, limits, multipv=len(view.legal_moves()))
    name, outline = game.move_name, searcher.outline
    assert outline.size <= 600, "too large for a golden file"
    lines = [f"best {name(result.best_move)}"]
    for line in result.info.lines:
        pv = " ".join(name(move) for move in line.pv)
        lines.append(
            f"line {line.visits} win {line.win:.6f} error {line.error:.6f} "
            f"margin {line.margin:.6f} wdl {line.wdl} pv {pv}"
        )
    for index in range(outline.size):
        spot = outline.spot(index)
        secret = " open" if spot.is_open else ""
        lines.append(f"node {index} p{spot.seat + 1} {spot.visits} {spot.mean:.6f}{secret}")
        for branch in spot.branches:
            prior = "" if branch.prior is None else f" prior {branch.prior:.6f}"
            child = f" -> {branch.child}" if branch.child >= 0 else ""
            luck = " ~" if branch.after_luck else ""
            lines.append(
                f"  {name(branch.move)} {branch.visits} {branch.mean:.6f}{prior}{luck}{child}"
            )
    return lines


def split(path):
    """Return the lines of a file: those written by hand, and the rest."""
    lines = path.read_text(encoding="utf-8").splitlines()
    at = next((i for i, line in enumerate(lines) if not line.startswith(BY_HAND)), len(lines))
    return lines[:at], lines[at:]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_tree(path):
    head, expected = split(path)
    assert tree_of(head) == expected


def test_every_game_has_trees_of_both_searches():
    from engine import available

    for game in available():
        kinds = {path.stem.removeprefix(f"{game}_") for path in FILES if game in path.stem}
        assert kinds & {"vanilla", "classic"}, game
        assert kinds & {"puct", "drakkar"}, game


if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]
    for file in FILES:
        by_hand, _ = split(file)
        file.write_text("\n".join([*by_hand, *tree_of(by_hand)]) + "\n", encoding="utf-8")
