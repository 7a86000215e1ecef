"""Speed of the search of `drakkar` with playouts of length 0, and where its instructions go."""

import statistics
from pathlib import Path

from bench.callgrind import run, share_out
from bench.games import parse_game
from bench.instructions import CannotCount
from bench.measure.selfplay import Player, play
from bench.registry import Out
from engine.game import Game, State
from search import Limits, Searcher
from search.belief import Belief

ROOT = Path(__file__).resolve().parent.parent.parent

# `drakkar` without an early end, so that the times are what they say, and without its solver, since
# solved positions are not searched at all.
OPTIONS: "dict[str, bool | int | float | str | None]" = {
    "playout_plies": 0,
    "solver": False,
    "decided_share": 1e9,
}
# The published search with the same playouts, for comparison.
PUBLISHED: "dict[str, bool | int | float | str | None]" = {"playout_plies": 0}
POSITIONS = 24
# Games that positions come from, and who plays them: a preset that never changes.
GAMES, SEED = 6, 1
PLAYER = Player("classic", 30)

# Functions by whole name -> part of a simulation; the first that fits counts.
PARTS = {
    r".*(?:draw_world|_determinize|_4draw)": "determinize",
    r".*_(?:choose|choose_root|choose_open|choose_closed)": "select",
    r".*_(?:open_up|fill_priors|add_edges?|prior)": "expand",
    r".*_(?:value_world|class_end|playout|evaluate|estimate|returns|margins)": "evaluate",
    r".*_(?:back_up|book_root|book_path|book)": "back up",
    r".*_(?:infoset_key|public_key|abstract_key|key_of|redact|find|add_node|child|slot_of)": (
        "key and lookup"
    ),
    r".*_(?:apply|sample_chance|seat_to_move|settle_luck)": "apply and luck",
    r".*Worker_simulate": "select",
    r".*_(?:run_until|first_look|prepare|reserve)": "loop",
}
LOOP = "__pyx_f_6search_6worker_6Worker_run_until"

# What runs under callgrind: one search of each position text.
_DRIVER = """
import ast
import sys
from engine import load
from search import Limits, Searcher
for text in sys.argv[4:]:
    view = load(text.partition("/")[0]).from_text(text)
    searcher = Searcher(sys.argv[2], options=ast.literal_eval(sys.argv[3]))
    print(searcher.go(view, Limits(nodes=int(sys.argv[1]))).info.nodes)
"""


def views(game: Game, number: int = POSITIONS) -> list[State]:
    """Return views of seats with a choice, evenly from the middle halves of some games."""
    found: list[State] = []
    for index in range(GAMES):
        choices: list[State] = []

        def keep(state: State, _: int, choices: list[State] = choices) -> None:
            if state.seat_to_move >= 0 and len(state.legal_moves()) > 1:
                choices.append(state.view(state.seat_to_move))

        play(game, PLAYER, SEED, index, keep)
        each = number // GAMES + (index < number % GAMES)
        middle = choices[len(choices) // 4 : len(choices) * 3 // 4]
        found += [middle[len(middle) * (2 * k + 1) // (2 * each)] for k in range(each)]
    return found


def parts(
    out: Out,
    identity: str = "lofoten",
    times_ms: tuple[int, int] = (20, 1000),
    number: int = POSITIONS,
    rounds: int = 3,
    nodes: int = 5000,
) -> None:
    """Write simulations a second, what a second thread adds, and instructions by part.

    Args:
        out: gets `per_s` (medians over positions, searches of the shorter time), `per_s_long` (of
            the longer), `belief_per_s` (the shorter, worlds drawn by a belief), `threads_ratio`
            (median over positions of two threads against one, the longer time), and
            `instructions`, for each part of a simulation; `instructions_published`, those of
            `vanilla` with the same playouts.
        identity: the game.
        times_ms: of the two kinds of searches.
        number: positions.
        rounds: searches of the shorter time at each position; the best counts, since what
            disturbs a search only makes it slower.
        nodes: simulations of each search whose instructions are counted.
    """
    game = parse_game(identity)
    positions = views(game, number)
    short, long = times_ms
    rows = [_speeds(view, short, long, rounds) for view in positions]
    names = ("per_s", "belief_per_s", "per_s_long", "per_s_two_threads")
    for name, column in zip(names, zip(*rows, strict=True), strict=True):
        out[name] = statistics.median(column)
    out["threads_ratio"] = statistics.median(row[3] / row[2] for row in rows)
    out["slowest_per_s"], out["fastest_per_s"] = min(r[0] for r in rows), max(r[0] for r in rows)
    out["positions"], out["times_ms"] = len(positions), list(times_ms)
    out["legal_moves"] = statistics.mean(len(view.legal_moves()) for view in positions)
    try:
        some = positions[:: max(1, len(positions) // 4)]
        out["instructions"] = instructions(some, nodes, "drakkar", OPTIONS)
        out["instructions_published"] = instructions(some, nodes, "vanilla", PUBLISHED)
    except CannotCount as error:
        out["instructions_missing"] = str(error)
        return
    out["instructions_per_simulation"] = sum(out["instructions"].values())


def _speeds(view: State, short: int, long: int, rounds: int) -> tuple[float, float, float, float]:
    """Return simulations a second: short, short with a belief, long, long with two threads."""
    one, two = (Searcher("drakkar", threads=n, options=OPTIONS) for n in (1, 2))
    with_belief = Searcher("drakkar", options={**OPTIONS, "belief": True})
    belief = Belief(view) if view.game.belief_size else None
    plain, believed = [], []
    for _ in range(rounds):
        plain.append(_speed(one, view, short))
        believed.append(_speed(with_belief, view, short, belief))
    return max(plain), max(believed), _speed(one, view, long), _speed(two, view, long)


def _speed(searcher: Searcher, view: State, ms: int, belief: Belief | None = None) -> float:
    searcher.new_game()
    info = searcher.go(view, Limits(time_ms=ms), belief=belief).info
    return info.nps


def instructions(
    positions: list[State],
    nodes: int,
    preset: str,
    options: "dict[str, bool | int | float | str | None]",
) -> dict[str, float]:
    """Return instructions per simulation by part, over some positions. Raises CannotCount."""
    texts = [view.to_text() for view in positions]
    profile, printed = run(["-c", _DRIVER, str(nodes), preset, repr(options), *texts], ROOT)
    simulations = sum(map(int, printed.split()))
    if not profile.total(LOOP):
        raise CannotCount(f"there is no function {LOOP}: was the build stripped of its names?")
    sources = {}
    for file in sorted((ROOT / "build" / "cython").rglob("*.c")):
        lines = file.read_text(encoding="utf-8").splitlines()
        place = str(file.relative_to(ROOT))
        sources.update({place: lines, str(ROOT / place): lines})
    shares = share_out(profile, LOOP, PARTS, sources)
    order = [*dict.fromkeys(PARTS.values()), *shares]
    return {part: shares[part] / simulations for part in dict.fromkeys(order) if part in shares}
