"""Searches: the state table of SPEC.md 4, limits, errors inside."""

import time

import pytest
from searching import HANG_S
from talking import OTHER, VIEW, Process, bestmoves

import engine
from search import helpers

# The turn is over, and there are no coins for another.
FORCED = (
    "lofoten/1 me=p2 phase=end turn=p2 extra=1 quiet=1 turns=1 hand.p1=?.?.? hand.p2=F1.F3.M2 "
    "ships.p1=-.S2.-.F2 area.p1=3 ships.p2=-.F1.-.C3 area.p2=3 coins=2.0.6 "
    "market=F3x.C2o.F2o.S2o.F2x piles=F13.C14 warehouses=w4|w8|w5|w1 discard=S2.C3"
)

# ---- the state table: idle, timed search, infinite search ----


def test_idle_commands(talk):
    assert talk.ask("isready") == ["readyok"]
    assert talk.ask("debug on", "debug off", "register later", "stop", "ponderhit", "") == []
    assert talk.ask("ucinewgame", "uginewgame", "uhinewgame") == []
    assert talk.ask(VIEW, "query turn") == ["response p1"]
    assert bestmoves(talk.ask("go nodes 50")) in (["pass"], ["bet"])
    assert not talk.server.handle("quit")


@pytest.mark.parametrize("go", ["go movetime 60000", "go infinite", "go ponder p1time 9999999"])
def test_questions_are_answered_during_a_search(talk, go):
    talk.send(VIEW, go)
    talk.send("debug on", "isready", "query legal", "query turn", "register later", "debug off")
    lines = talk.wait_for("response", 2)
    assert [x for x in lines if not x.startswith("info")] == [
        "readyok",
        "response pass,bet",
        "response p1",
    ]
    assert len(bestmoves(talk.ask("stop", "stop"))) == 1


@pytest.mark.parametrize("go", ["go movetime 60000", "go infinite", "go ponder p1time 9999999"])
@pytest.mark.parametrize(
    ("command", "answer"),
    [
        (OTHER, ["query turn", "response p2"]),
        ("position view nonsense", ["query gameover", "response none"]),
        ("uhinewgame", ["query gameover", "response none"]),
        ("setoption name MultiPV value 2", ["query turn", "response p1"]),
        ("setoption name Nonsense value 2", ["query turn", "response p1"]),
        ("go nodes 20", ["isready", "readyok"]),
        ("stop", ["isready", "readyok"]),
    ],
)
def test_what_ends_a_search_comes_after_its_bestmove(talk, go, command, answer):
    talk.send(VIEW, go)
    lines = talk.ask(command, answer[0])
    searches = 2 if command.startswith("go") else 1
    assert len(bestmoves(lines)) == searches
    assert bestmoves(lines)[0] in ("pass", "bet")
    first = next(i for i, line in enumerate(lines) if line.startswith("bestmove"))
    assert all(x.startswith("info depth") for x in lines[:first])
    assert answer[1] in lines[first:]


def test_ponderhit_is_ignored_by_other_searches(talk):
    talk.send(VIEW, "go infinite", "ponderhit", "isready")
    assert not bestmoves(talk.wait_for("readyok"))
    assert len(bestmoves(talk.ask("stop"))) == 1


@pytest.mark.parametrize(
    "limits", ["p1time 400", "movetime 30", "nodes 50", "depth 1", "p1time 0", "mate 3", ""]
)
def test_ponder_waits_and_then_uses_its_limits(talk, limits):
    talk.send(VIEW, f"go ponder {limits}", "isready")
    assert not talk.server.job.done.wait(0.15)
    assert not bestmoves(talk.wait_for("readyok"))
    start = time.monotonic()
    talk.send("ponderhit")
    lines = talk.ask("isready")
    assert time.monotonic() - start < 4.0
    assert bestmoves(lines) in (["pass"], ["bet"])


@pytest.mark.parametrize(
    "view",
    [
        "kuhn/1 me=p2 hand.p1=? hand.p2=J actions=b",  # worked out
        FORCED,
    ],
)
def test_a_ponderhit_is_answered_at_once_where_time_adds_nothing(talk, view):
    talk.send(f"position view {view}", "go ponder movetime 600000", "isready")
    assert not talk.server.job.done.wait(0.15)
    talk.send("ponderhit")
    assert talk.server.job.done.wait(HANG_S)


def test_the_answer_of_infinite_waits_even_with_nothing_to_decide(talk):
    talk.send("position startpos moves bet bet", "go infinite")
    assert not talk.server.job.done.wait(0.1)
    assert bestmoves(talk.ask("stop")) == ["0000"]


@pytest.mark.parametrize("go", ["go infinite", "go nodes 9999999", "go ponder p1time 9999"])
def test_stop_right_behind_go_still_looks_at_each_move(talk, go):
    for _ in range(100):
        lines = talk.ask(VIEW, go, "stop")
        assert [x.split()[0] for x in lines] == ["info", "bestmove"]
        assert int(lines[0].split(" nodes ")[1].split()[0]) >= 2
        assert bestmoves(lines)[0] in ("pass", "bet")


@pytest.mark.parametrize("game", engine.available())
@pytest.mark.parametrize("clock", ["100", "500", "1000", "3000", "1000 movestogo 0"])
def test_a_short_clock_is_used(talk, game, clock):
    talk.send(f"setoption name Game value {game}", "isready", "position startpos")
    legal = talk.ask("query legal")[-1].split()[1].split(",")
    lines = talk.ask(f"go p2time 100 p1time {clock}")
    assert int(lines[-2].split(" nodes ")[1].split()[0]) >= len(legal) > 1


@pytest.mark.parametrize("seed", ["-5", "-9223372036854775808", "9223372036854775807"])
def test_any_seed_goes_with_a_clock(talk, seed):
    lines = talk.ask("position fen lofoten/1 seed=3", f"go wtime 100 btime 100 seed {seed}")
    assert len(bestmoves(lines)) == 1
    assert not any("error" in line for line in lines)


def test_ponder_with_a_short_clock_is_used(talk):
    talk.send(VIEW, "go ponder p1time 100 p2time 100", "ponderhit")
    assert " nodes 0 " not in talk.ask("isready")[-2]


def test_a_late_clock_does_not_stop_the_next_search(talk):
    talk.send(VIEW, "go ponder movetime 50", "ponderhit", "stop", "go infinite")
    assert not talk.server.job.done.wait(0.2)
    assert len(bestmoves(talk.ask("stop"))) == 2


# ---- limits ----


@pytest.mark.parametrize(
    "go",
    [
        "nodes 100",
        "movetime 30",
        "movetime 0",
        "movetime -5",
        "nodes 0",
        "nodes -3",
        "depth 0",
        "depth 1",
        "depth 99 movetime 50",
        "movetime 60000 nodes 100",
        "wtime 100 btime 100",
        "p1time 100 p2time 100 p1inc 10 p2inc 10 movestogo 1",
        "p1time -50 p2time 60000",
        "wtime 100 btime -170671 winc 2000 binc 2000",
        "worlds 20",
        "nodes 20 multipv 5 seed 7",
        "nodes 50 searchmoves bet",
        "nodes 99999999999999999999999999 movetime 20",
    ],
)
def test_every_limit_ends_the_search(talk, go):
    lines = talk.ask(VIEW, f"go {go}")
    assert [line.split()[0] for line in lines[-2:]] == ["info", "bestmove"]
    final = lines[-2].split()
    for field in ("depth", "nodes", "time", "score", "worlds", "wdl"):
        assert field in final
    rank = [x for x in lines if " multipv 1 " in x][-1]
    assert rank.split(" pv ")[1].split()[0] == bestmoves(lines)[0]


def test_first_limit_reached_wins(talk):
    assert " nodes 100 " in talk.ask(VIEW, "go movetime 60000 nodes 100")[-2]
    assert " nodes 70 " in talk.ask(VIEW, "go nodes 100 worlds 70")[-2]


def test_searchmoves(talk):
    for word in ("pass", "bet"):
        assert bestmoves(talk.ask(VIEW, f"go nodes 90 searchmoves {word}")) == [word]
    lines = talk.ask(VIEW, "go nodes 90 searchmoves nonsense bet")
    assert lines[0] == "info string error illegal-move searchmoves: not legal here: nonsense"
    assert bestmoves(lines) == ["bet"]


def test_unsupported_limit_is_reported_and_does_not_search_for_ever(talk):
    lines = talk.ask("uhi", VIEW, "go mate 3")
    assert "error unsupported go mate is not supported" in lines
    assert len(bestmoves(lines)) == 1


def test_go_without_a_limit_waits_for_stop(talk):
    talk.send("uhi", VIEW, "go p2time 9")
    assert not talk.server.job.done.wait(0.1)
    lines = talk.ask("stop")
    assert "error bad-value go without a limit: thinking until stop" in lines
    assert len(bestmoves(lines)) == 1


def test_more_lines_than_moves(talk):
    lines = talk.ask(VIEW, "setoption name MultiPV value 10", "go nodes 500")
    ranks = [line.split()[6] for line in lines if " multipv " in line]
    assert ranks == ["1", "2"]
    assert all(" nodes 500 " in line for line in lines[:-1])


def test_an_analysis_shows_what_it_has_before_it_rests(talk):
    """The report is printed again right before the answer."""
    talk.send(VIEW, "go infinite")
    talk.wait_for("info depth")
    lines = talk.ask("stop")
    assert lines[-1].startswith("bestmove") and lines[-2].startswith("info depth")


def test_the_time_at_rest_is_none_of_the_search(talk):
    talk.send("setoption name Game value lofoten", "position fen lofoten/1 seed=3")
    talk.send("go infinite nodes 300")
    until = time.monotonic() + 20.0
    while " nodes 300 " not in (line := talk.wait_for("info depth")[-1]):
        assert time.monotonic() < until, line
        time.sleep(0.01)
    found = line.split()
    time.sleep(0.2)
    again = [line.split() for line in talk.ask("stop")]
    assert again[-1][0] == "bestmove"
    passed = found.index("time")
    assert all(int(line[passed + 1]) <= int(found[passed + 1]) + 100 for line in again[:-1])


def test_ponder_with_a_count_reports_with_its_answer(talk):
    """Else it would be a matter of time what stands before the answers to other commands."""
    talk.send(VIEW, "go ponder nodes 50")
    time.sleep(0.2)
    assert talk.ask("isready") == ["readyok"]
    assert [x.split()[0] for x in talk.ask("stop")] == ["info", "bestmove"]


def test_a_mate_that_is_looked_for_ends_no_analysis(talk):
    talk.send(VIEW, "go mate 3 infinite")
    talk.wait_for("info depth")
    assert " nodes 0 " not in talk.ask("stop")[-2]


@pytest.mark.parametrize("go", ["go infinite", "go ponder"])
def test_the_reason_of_a_refusal_does_not_wait(talk, go):
    talk.send(go)
    talk.wait_for("info string error no-position")
    assert [x.split()[0] for x in talk.ask("stop")] == ["info", "bestmove"]
    talk.send(f"{VIEW} p1:pass", go)
    talk.wait_for("info string no decision")
    assert talk.ask("stop")[-1] == "bestmove 0000"


@pytest.mark.parametrize("go", ["go nodes 10 id 1", "go infinite id 1", "go ponder nodes 10 id 1"])
def test_a_machine_without_threads_still_answers(talk, monkeypatch, go):
    """Each `go` is answered, with the reason; the engine works on when there are threads again."""

    def none_left(*args):
        raise RuntimeError("can't start new thread")

    talk.ask("uhi", VIEW)
    with monkeypatch.context() as patch:
        patch.setattr("search.helpers.start_new_thread", none_left)
        talk.send(go)
        lines = talk.ask("stop")
    assert lines[0] == "error internal id=1 RuntimeError: the machine has no thread left"
    assert lines[1:] in (["bestmove pass id 1"], ["bestmove bet id 1"])
    assert bestmoves(talk.ask("go nodes 10"))


def test_thinking_ahead_that_fails_is_answered(talk, monkeypatch):
    """What should not have happened is told, and the `go` has its answer."""

    def none_left(*args):
        raise MemoryError

    talk.ask("uhi", f"{VIEW} p1:pass")
    with monkeypatch.context() as patch:
        patch.setattr("protocol.session.Position.belief", none_left)
        talk.send("go ponder id 1")
        assert talk.ask("stop") == ["error internal id=1 MemoryError:", "bestmove 0000 id 1"]
    assert bestmoves(talk.ask(VIEW, "go nodes 10"))


class OneThread:
    """A machine that has a single thread to give, for good or until it is given back."""

    def __init__(self, monkeypatch):
        self.left = 1
        self.real = helpers.start_new_thread
        monkeypatch.setattr(helpers, "start_new_thread", self.start)

    def start(self, call, args):
        if not self.left:
            raise RuntimeError("can't start new thread")
        self.left -= 1
        return self.real(self.run, (call, args))

    def run(self, call, args):
        call(*args)
        time.sleep(0.05)  # a thread that ends is still one
        self.left += 1


def test_one_thread_is_enough_for_all_searches(talk, monkeypatch):
    """Each `go` is searched, however soon it comes after the one before."""
    OneThread(monkeypatch)
    talk.ask(VIEW, "setoption name Threads value 4")
    for _ in range(20):
        lines = talk.ask("go nodes 20", "go infinite", "stop", "go ponder", "stop")
        assert len(bestmoves(lines)) == 3
        assert not [line for line in lines if "internal" in line]


def test_ponderhit_without_threads_answers_at_once(talk, monkeypatch):
    """Better too soon than never."""
    OneThread(monkeypatch)
    talk.ask("uhi", VIEW)
    talk.send("go ponder movetime 60000")
    assert len(bestmoves(talk.ask("ponderhit"))) == 1


def test_ponderhit_has_a_thread_before_the_search_takes_all(talk, monkeypatch):
    """The clock counts also where the search could use more threads than there are."""
    machine = OneThread(monkeypatch)
    machine.left = 2
    talk.ask("uhi", VIEW, "setoption name Threads value 4")
    talk.send("go ponder movetime 300")
    start = time.monotonic()
    assert len(bestmoves(talk.ask("ponderhit"))) == 1
    assert time.monotonic() - start > 0.25


@pytest.mark.parametrize("position", ["position bad", f"{VIEW} p1:pass", "position fen kuhn/1"])
def test_a_refused_go_is_answered_in_its_turn(position):
    """The answers to later lines stand behind it."""
    process = Process()
    process.send("uhi")
    for number in range(50):
        process.send(f"{position}\ngo nodes 5 id {number}\nquery turn\nisready")
        words = [line.split()[0] for line in process.read_until("readyok")]
        assert words[-4:-2] in (["error", "bestmove"], ["info", "bestmove"]) or (
            words[-5:-3] == ["error", "bestmove"] and words[-3:-1] == ["error", "response"]
        )
    process.close()


def test_an_answer_has_the_form_of_the_latest_handshake(talk):
    talk.ask("uhi", "setoption name Ponder value true", VIEW)
    talk.send("go infinite id Q", "ugi")
    assert len(talk.ask("stop")[-1].split()) == 2
    talk.send("go infinite id Q", "uhi")
    assert talk.ask("stop")[-1].endswith(" id Q")
