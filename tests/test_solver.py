"""The exact solver of late positions, against brute force and against the shipped suite."""

import time
from collections import Counter

import pytest
from brute_force import BruteForce, TooLarge

import engine
import search
from bench import late, positions
from engine import RandomStream, game_variants
from search.control import StopFlag
from search.solver import OBJECTIVES, Solver, list_worlds

SUITE = late.read()
NEAR = 1e-9
# Positions of the suite, of each kind, that brute force works out in tenths of a second.
QUICK = (230, 4, 259, 42, 250, 11, 200, 177, 295, 160, 146)
# Far behind: only a redraw can win, and it costs points on average.
LAST_HOPE = (
    "lofoten/1 me=p2 phase=play turn=p2 triggered=1 turns=69 shuffles=2 fours=1 hand.p1=?.?.? "
    "hand.p2=F2.F3.M3 ships.p1=-.M2+M1o.M2.S3 area.p1=2 ships.p2=-.F3+F2o.-.S1 area.p2=3 "
    "coins=0.2.6 market=S1x.C2o.F3o.M2o.- piles=-.- warehouses=w2:S:S1o.S2x/S2o|"
    "w7:C:C1o.C2x.C3o/C1x.C2x.C2o|w6:M:M2x.M3x/M2x.M3o|w8:F:F2x.F3x/F1x.F1o.F2x "
    "discard=M1.M1.M1.M3.F1.F1.F2.S1.S2.S2.C1.C1.C2.C3.C3 "
    "out=M1x.M2o.F2o.S2x.S2o.S3x.S3o.C3x"
)


def solve(view, **limits):
    """The values of the root moves by move, None if the solver does not apply."""
    rows = Solver(view, **limits).run()
    return None if rows is None else {row[0]: row[1:3] for row in rows}


def agrees(view, objective, most):
    """Whether brute force was possible; fails where it finds other values than the solver."""
    found = solve(view, objective=objective, max_nodes=100_000)
    if found is None:
        return False
    try:
        expected = BruteForce(view, objective == "margin", most).moves()
    except TooLarge:
        return False
    assert found.keys() == expected.keys()
    for move, values in expected.items():
        assert found[move] == pytest.approx(values, abs=NEAR), view.to_text()
    return True


def last_choices(game, seed, number):
    """The last states of a random game at which a seat has a choice."""
    luck, state, choices = RandomStream(seed, 1), game.new_state(), []
    while not state.is_terminal:
        if state.is_chance:
            state.apply(state.sample_chance(luck))
            continue
        moves = state.legal_moves()
        if len(moves) > 1:
            choices.append(state.copy())
        state.apply(moves[luck.below(len(moves))])
    return choices[-number:]


def busy():
    """A position of the suite that takes more than a few looks at the clock."""
    return next(p.view for p in SUITE if _nodes(p.view) > 1000)


def _nodes(view):
    solver = Solver(view)
    assert solver.run() is not None
    return solver.nodes


# ---- exact ----


def test_suite_is_as_announced():
    assert len(SUITE) == 300
    kinds = Counter(p.kind for p in SUITE)
    assert kinds == {kind: sum(numbers) for kind, numbers in late.WANTED.items()}
    for position in SUITE:
        assert position.kind == "known" or late.kind_of(position.view) == position.kind
        assert position.kind != "known" or len(list_worlds(position.view)) == 1
        assert any(position.loss(move, by_margin=True) > 0 for move in position.values)
        assert late._from_line(late.to_line(position)).values == position.values


def test_suite_is_solved_as_written():
    for position in SUITE[::4]:
        for at, objective in ((0, "win"), (2, "margin")):
            found = solve(position.view, objective=objective)
            if found is None:
                continue  # more memory than a search gives
            for move, values in found.items():
                row = position.values[move]
                assert values == pytest.approx(row[at : at + 2], abs=1e-6)


def test_brute_force_agrees_on_the_suite():
    compared = Counter(SUITE[at].kind for at in QUICK if agrees(SUITE[at].view, "win", 8000))
    assert min(compared[kind] for kind in late.WANTED) >= 2, compared


@pytest.mark.slow
def test_brute_force_agrees_on_more_of_the_suite():
    compared = Counter(p.kind for p in SUITE[::6] if agrees(p.view, "win", 8000))
    assert compared["last"] > 15
    assert compared["known"] > 3


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_brute_force_agrees_on_random_games(objective):
    games = [engine.load("lofoten", **s) for s in ({}, *game_variants("lofoten"))]
    compared = 0
    for seed in range(24):
        for state in last_choices(games[seed % len(games)], seed, 10):
            compared += agrees(state.view(state.seat_to_move), objective, 6000)
    assert compared > 40


@pytest.mark.parametrize(
    ("own", "actions", "call", "win"),
    [("J", "pb", -2, 0.0), ("Q", "pb", 0, 0.5), ("K", "pb", 2, 1.0), ("Q", "b", 0, 0.5)],
)
def test_kuhn_last_decision(kuhn, own, actions, call, win):
    seat = len(actions) % 2
    hands = ["?", "?"]
    hands[seat] = own
    view = kuhn.from_text(
        f"kuhn/1 me=p{seat + 1} hand.p1={hands[0]} hand.p2={hands[1]} actions={actions}"
    )
    rows = {kuhn.move_name(row[0]): row for row in Solver(view).run()}
    assert rows["bet"][1:] == (0.5 + 0.25 * call, call, win, 0.0)
    assert rows["pass"][1:] == (0.25, -1, 0.0, 0.0)


def test_kuhn_bet_depends_on_what_the_other_believes(kuhn):
    assert Solver(kuhn.from_text("kuhn/1 me=p1 hand.p1=K hand.p2=?")).run() is None


# ---- the worlds ----


def test_worlds_are_those_of_the_game():
    compared = 0
    for game in (engine.load("lofoten"), engine.load("lofoten", **late.MODULES)):
        for seed in range(6):
            for state in last_choices(game, seed, 400)[::40]:
                view = state.view(state.seat_to_move)
                expected = game.worlds(view, 400)
                if expected is not None:
                    found = list_worlds(view)
                    assert {w.key(): n for w, n in found} == {w.key(): n for w, n in expected}
                    assert len(found) == len(expected)
                    compared += 1
    assert compared > 10


# ---- order, lines ----


def test_best_move_comes_first_and_equal_moves_ascend():
    for position in SUITE[::10]:
        for objective, at in (("win", 1), ("margin", 2)):
            rows = Solver(position.view, objective=objective).run()
            if rows is None:
                continue
            assert position.is_best(rows[0][0], objective == "margin")
            for better, worse in zip(rows, rows[1:], strict=False):
                assert better[at] >= worse[at] - NEAR
                if better[1:3] == worse[1:3]:
                    assert better[0] < worse[0]


def test_chances_add_up_to_the_return():
    for position in SUITE[::10]:
        for _, win, _, won, drawn in Solver(position.view).run() or ():
            assert win == pytest.approx(won + drawn / 2, abs=NEAR)


def test_lines_can_be_played():
    longest = 0
    for position in SUITE[::5]:
        solver = Solver(position.view)
        for move, *_ in solver.run() or ():
            line = solver.line_from(move)
            assert line[0] == move
            state = position.view.copy()
            for step in line:
                if state.seat_to_move == state.observer:
                    assert step in state.legal_moves()
                state.apply(step)
            longest = max(longest, len(line))
    assert longest > 3


def test_the_aim_decides_between_a_hope_and_the_least_loss():
    view = engine.load("lofoten").from_text(LAST_HOPE)

    def best(**aim):
        return view.game.move_name(Solver(view, **aim).run()[0][0])

    # The share of the margin is taken of a curve that flattens, so it too hopes from far behind.
    assert best() == best(margin_share=1.0) == "redraw:F2.F3.M3"
    assert best(objective="margin") == "right:M3"


def test_searchmoves_are_all_that_is_worked_out():
    position = SUITE[0]
    moves = sorted(position.values)[1:]
    assert sorted(solve(position.view, searchmoves=moves)) == moves
    assert Solver(position.view, searchmoves=[]).run() is None


def test_a_card_that_a_redraw_may_put_away_is_told_apart():
    """While a redraw can be paid for, a drawn card is not left unknown: it may be discarded.

    In each position an empty area is filled from a pile behind the draw. With one coin all drawn
    cards are as good as one. With two there is this, that again behind a redraw, and the cards.
    """
    for at in (206, 155, 214):
        text = SUITE[at].view.to_text()
        nodes = []
        for coins in ("1.0.7", "2.0.6"):
            words = (f"coins={coins}" if w.startswith("coins=") else w for w in text.split())
            view = SUITE[at].view.game.from_text(" ".join(words))
            stop = next(m for m in view.legal_moves() if view.game.move_name(m) == "stop")
            solver = Solver(view, searchmoves=[stop])
            assert solver.run() is not None
            nodes.append(solver.nodes)
            view.apply(stop)
            assert view.is_chance
        assert nodes[1] >= 2 * nodes[0] + len(view.chance_outcomes())


# ---- giving up ----


@pytest.mark.parametrize("name", engine.available())
def test_costs_nothing_where_the_game_is_not_late(name):
    for view in positions.read(engine.load(name)):
        solver = Solver(view)
        if solver.run() is None:
            assert solver.nodes < 20


def test_gives_up_at_each_limit():
    view = busy()
    full = Solver(view)
    assert full.run() is not None
    assert Solver(view, max_nodes=full.nodes).run() is not None
    assert Solver(view, max_nodes=full.nodes - 1).run() is None
    assert Solver(view, max_bytes=1000).run() is None
    assert full.run() is not None


def test_stop_and_deadline_end_it():
    view, flag = busy(), StopFlag()
    flag.set()
    solver = Solver(view)
    assert solver.run(stop=flag) is None
    assert solver.nodes <= 64
    assert solver.run(deadline_ns=time.monotonic_ns() - 1) is None
    later = time.monotonic_ns() + 60 * 10**9
    assert solver.run(deadline_ns=later, stop=StopFlag()) is not None


@pytest.mark.parametrize(
    ("limits", "share_ms", "positions"),
    [
        ({"time_ms": 4000}, 1000, None),
        ({"time_ms": 40_000}, 2000, None),
        ({"infinite": True}, 2000, None),
        ({"nodes": 10}, None, 500),
        ({"nodes": 10**30}, None, 50 * 10**30),
        ({"nodes": 10, "time_ms": 40_000}, 10_000, 500),
    ],
)
def test_a_search_has_so_much_time_for_the_solver(monkeypatch, limits, share_ms, positions):
    """A quarter, 2 s at most; with a limit in nodes only so many positions, so that it repeats."""
    asked = []

    class Recorded(Solver):
        def __init__(self, view, **given):
            asked.append(given["max_nodes"])

        def run(self, deadline_ns=None, stop=None):
            asked.append(deadline_ns and round((deadline_ns - time.monotonic_ns()) / 1e6))
            return super().run(deadline_ns, stop)

    monkeypatch.setattr("search.solver.Solver", Recorded)
    searcher = search.Searcher()
    if "infinite" in limits:
        searcher.arm()
        searcher.stop()
    searcher.go(SUITE[0].view, search.Limits(**limits))
    assert asked[0] == positions
    assert asked[1] is None if share_ms is None else share_ms - 500 < asked[1] <= share_ms


def test_refuses_what_is_no_view_of_the_seat_to_move(kuhn):
    with pytest.raises(ValueError, match="view of the seat"):
        Solver(kuhn.from_text("kuhn/1 me=p2 hand.p1=? hand.p2=K actions=-"))
    with pytest.raises(ValueError, match="objective"):
        Solver(SUITE[0].view, objective="draw")
