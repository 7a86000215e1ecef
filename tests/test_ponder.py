"""Thinking while others decide: what is found ahead, how it ends, what it answers."""

import threading

import pytest
from searching import position, told
from talking import bestmoves

import engine
import search
from search.belief import Belief

PASSED = "position view kuhn/1 me=p1 moves ~deal@p1=J ~deal@p2=? p1:pass"
DEALING = "position view kuhn/1 me=p1"


def play_on(state, stream):
    """Apply a random move and the luck behind it."""
    moves = state.legal_moves()
    state.apply(moves[stream.below(len(moves))])
    while state.is_chance:
        state.apply(state.sample_chance(stream))


def visits_found(searcher, view):
    """Return the visits of the root that were there before a search of one simulation."""
    info = searcher.go(view, search.Limits(nodes=1), multipv=99).info
    return sum(line.visits for line in info.lines) - info.nodes


def everything(result):
    return result.best_move, [(x.move, x.visits, x.win, x.pv) for x in result.info.lines]


def test_what_is_found_ahead_is_used():
    """Whatever the option `reuse` says, by the next search only."""
    game = engine.load("kuhn")
    waits = game.from_text("kuhn/1 me=p1 hand.p1=Q hand.p2=? actions=p")
    decides = game.from_text("kuhn/1 me=p1 hand.p1=Q hand.p2=? actions=pb")
    for reuse in ("off", "timed", "on"):
        searcher = search.Searcher(options={"solver": False, "reuse": reuse, "exploration": 8.0})
        assert visits_found(searcher, decides) == 0
        searcher.ponder(waits, nodes=2000)
        assert visits_found(searcher, decides) > 5
        assert (visits_found(searcher, decides) > 5) == (reuse == "on")
        searcher.new_game()
        assert visits_found(searcher, decides) == 0


def test_thinking_ahead_repeats(game):
    """With a limit in nodes the search behind it is the same each time."""
    stream = engine.RandomStream(5)
    state = position(game, 0)
    me = 1 - state.seat_to_move if game.num_seats == 2 else (state.seat_to_move + 1) % 3
    ahead = state.view(me)
    while state.seat_to_move != me and not state.is_terminal:
        play_on(state, stream)
    told = []
    for _ in range(2):
        searcher = search.Searcher(options={"solver": False})
        searcher.ponder(ahead, nodes=500)
        if state.is_terminal:
            return
        info = searcher.go(state.view(me), search.Limits(nodes=40), multipv=9).info
        told.append([(line.move, line.visits, line.win) for line in info.lines])
    assert told[0] == told[1]


def test_what_repeats_is_not_thought_on_from_what_does_not():
    """A limit in nodes begins afresh behind thinking that was stopped, or had another limit."""
    game = engine.load("lofoten")
    state, stream = position(game, 40), engine.RandomStream(5)
    me = 1 - state.seat_to_move
    ahead = state.view(me)
    while state.seat_to_move != me:
        play_on(state, stream)
    found = []
    for before in ("nothing", "stopped", "limited"):
        searcher = search.Searcher(options={"solver": False})
        if before == "stopped":
            searcher.arm()
            stopper = threading.Timer(0.1, searcher.stop)
            stopper.start()
            searcher.ponder(ahead)
            stopper.join()
        elif before == "limited":
            searcher.ponder(ahead, nodes=3000)
        searcher.ponder(ahead, nodes=400)
        found.append(everything(searcher.go(state.view(me), search.Limits(nodes=200), multipv=9)))
    assert found[0] == found[1] == found[2]


def test_luck_can_be_thought_ahead_of(game):
    """From the empty table on, where nobody decides yet."""
    searcher = search.Searcher()
    searcher.ponder(game.new_state().view(0), nodes=500)
    state = position(game, 0)
    view = state.view(state.seat_to_move)
    assert searcher.go(view, search.Limits(nodes=20)).best_move in state.legal_moves()


@pytest.mark.parametrize("preset", search.PRESETS)
@pytest.mark.parametrize("threads", [1, 2])
def test_every_preset_ponders(kuhn, preset, threads):
    """Those that keep nothing do nothing; a stop that came before counts once armed."""
    searcher = search.Searcher(preset, threads=threads)
    searcher.arm()
    searcher.stop()
    searcher.ponder(kuhn.from_text("kuhn/1 me=p1 hand.p1=Q hand.p2=? actions=p"))
    view = position(kuhn, 0)
    result = searcher.go(view.view(view.seat_to_move), search.Limits(nodes=9))
    assert result.best_move in view.legal_moves()


def test_a_full_memory_is_pondered_on():
    """Nothing grows any more, and nothing breaks."""
    game = max((engine.load(name) for name in engine.available()), key=lambda g: g.max_plies)
    state = position(game, 40)
    searcher = search.Searcher(hash_mb=1)
    searcher.ponder(state.view(1 - state.seat_to_move), nodes=40_000)
    result = searcher.go(state, search.Limits(nodes=20))
    assert result.best_move in state.legal_moves()


def test_only_who_waits_thinks_ahead(kuhn):
    state = position(kuhn, 0)
    with pytest.raises(ValueError, match="view of the seat"):
        search.Searcher().ponder(state.view(state.seat_to_move))
    with pytest.raises(ValueError, match="view of the seat"):
        search.Searcher().ponder(state)


def test_a_belief_of_another_seat_or_game_is_refused(game):
    state = position(game, 0)
    decides = state.seat_to_move
    view = state.view((decides + 1) % game.num_seats)
    other = next(engine.load(name) for name in engine.available() if name != game.name)
    for belief in (Belief(state.view(decides)), Belief(position(other, 0).view(0))):
        with pytest.raises(ValueError, match="another seat or position"):
            search.Searcher().ponder(view, nodes=5, belief=belief)
    with pytest.raises(ValueError, match=f"not of {game.name}"):
        Belief(view).odds(position(other, 0))


# ---- the protocol ----


@pytest.mark.parametrize("end", ["stop", "ponderhit", "go nodes 5", PASSED, "uhinewgame"])
@pytest.mark.parametrize(
    ("place", "reason"),
    [
        (PASSED, "seat 2 decides here, and this is the view of seat 1"),
        (DEALING, "luck decides here"),
    ],
)
def test_the_answer_is_0000_once_it_may_be_given(talk, place, reason, end):
    """Why is said at once; questions are answered meanwhile."""
    lines = talk.ask(place, "go ponder", "isready")
    assert lines == [f"info string no decision: {reason}", "readyok"]
    assert talk.server.job.holds_back
    assert bestmoves(talk.ask(end))[0] == "0000"
    assert talk.ask("stop") == []
    decides = f"{PASSED} p2:bet"
    assert bestmoves(talk.ask(decides, "go nodes 40")) in (["pass"], ["bet"])


def test_other_searches_do_not_think_ahead(talk):
    """`go infinite` holds the answer back, and `go` gives it at once, without a search."""
    assert bestmoves(talk.ask(PASSED, "go nodes 5")) == ["0000"]
    talk.send("go infinite")
    assert talk.server.job._ahead is None
    assert bestmoves(talk.ask("stop")) == ["0000"]
    over = "position view kuhn/1 me=p1 moves ~deal@p1=J ~deal@p2=? p1:pass p2:bet p1:pass"
    talk.send(over, "go ponder")
    assert talk.server.job._ahead is None
    assert bestmoves(talk.ask("ponderhit")) == ["0000"]


def test_a_fault_while_thinking_ahead_is_told(talk, monkeypatch):
    """The answer comes nevertheless."""

    def fail(*arguments):
        raise RuntimeError("no luck")

    talk.send(PASSED)
    monkeypatch.setattr(search.searcher.Searcher, "ponder", fail)
    talk.send("go ponder")
    lines = talk.ask("stop")
    assert bestmoves(lines) == ["0000"]
    assert any("no luck" in line for line in lines)


@pytest.mark.parametrize("keying", ["public", "actor", "abstract"])
def test_a_seat_does_not_search_on_in_the_graph_of_another(game, keying):
    """What the other seats found with their own hands in sight would tell of these."""
    options = {"solver": False, "belief": False, "reuse": "on", "keying": keying}
    state = position(game, 1, seed=4)
    seat = state.seat_to_move
    view = state.view(seat)
    results = []
    for world in Belief(view).sample(5, number=3):
        searcher = search.Searcher(options=options)
        for other in range(game.num_seats):
            if other != seat:
                searcher.ponder(world.view(other), nodes=300)
        results.append(everything(searcher.go(view, search.Limits(nodes=100), multipv=99)))
    assert results[1:] == results[:1] * 2


def test_a_graph_is_not_kept_for_another_game():
    """Other settings may give the same knowledge another worth, or other moves."""
    searcher = search.Searcher(options={"solver": False, "reuse": "on"})
    for points in ("1", "9"):
        game = engine.load("oh_hell", **{"points-per-trick": points})
        assert visits_found(searcher, position(game, 3)) == 0
        assert visits_found(searcher, position(game, 3)) > 0


def test_timed_searches_go_on_and_counted_ones_repeat():
    """`drakkar` keeps its graph, but what ends by a count must not depend on what was before."""
    searcher = search.Searcher(options={"solver": False})
    state = position(engine.load("lofoten"), 5)
    counted = search.Limits(nodes=500)
    first = told(searcher.go(state, counted, multipv=99))
    info = searcher.go(state, search.Limits(time_ms=20), multipv=99).info
    assert sum(line.visits for line in info.lines) == info.nodes + 500
    assert told(searcher.go(state, counted, multipv=99)) == first
    depth = search.Limits(depth=2)
    assert told(searcher.go(state, depth)) == told(searcher.go(state, depth))


def test_what_was_asked_for_is_not_taken_for_good(game):
    """Behind a search with `searchmoves` its visits would make the moves of it look best."""
    state = position(game, 1)
    moves = state.legal_moves()
    searcher = search.Searcher(options={"solver": False, "reuse": "on"})
    free = search.Limits(nodes=300)
    fresh = told(searcher.go(state, free, multipv=99))
    assert visits_found(searcher, state) > 0
    searcher.go(state, search.Limits(nodes=300, searchmoves=tuple(moves[:1])))
    assert told(searcher.go(state, free, multipv=99)) == fresh


def test_few_new_simulations_do_not_make_a_mean_sure(game):
    """Of moves of which less than two tell the error is the most that it can be."""
    state = position(game, 1)
    searcher = search.Searcher(options={"solver": False, "reuse": "on"})
    known = searcher.go(state, search.Limits(nodes=500), multipv=99).info.lines
    lines = searcher.go(state, search.Limits(nodes=1), multipv=99).info.lines
    assert sum(line.visits for line in lines) == sum(line.visits for line in known) + 1
    for line in lines:
        most = (line.win * (1 - line.win) / line.visits) ** 0.5 if line.visits > 1 else 0.5
        assert line.error == pytest.approx(most)
