"""Field cases P15 to P28: resting, starting, limiting and stopping a search, clocks."""

import fcntl
import re
import time
from concurrent.futures import ThreadPoolExecutor

import field_cases
import pytest
from field_cases import (
    AT_ONCE_S,
    LAST_MOVE,
    LEGAL,
    M1,
    NEARLY_OVER,
    ONE,
    SEVEN,
    SOON_S,
    THREE,
    V1,
    numbers,
    pv,
    ready,
    within,
)
from talking import OTHER, VIEW, Process, bestmoves, without_times

PIPE_BYTES = 4096


@pytest.fixture(scope="module", autouse=True)
def waiting_scripts(request):
    """Start what only waits, so that it does so beside the other tests."""
    field_cases.start_scripts([item.name for item in request.session.items])


@pytest.fixture
def process():
    """An engine that is ready to search."""
    with ready() as process:
        yield process


def infos(lines):
    return [line for line in lines if line.startswith("info depth")]


def nothing_left(process):
    """Return True if no more `bestmove` comes: the answer to a ping is all that is printed."""
    return process.ask("isready", "readyok") == ["readyok"]


def test_p16_stop_while_idle_leaves_no_trace(process):
    process.send("stop\nstop\nstop")
    assert nothing_left(process)
    process.send(f"position {V1}\ngo infinite")
    assert not bestmoves(process.read_for(2.0))
    lines = process.ask("stop\nstop\nisready", "readyok")
    assert len(bestmoves(lines)) == 1 and bestmoves(lines)[0] in LEGAL
    assert numbers(infos(lines)[-1])["time"] >= 1900
    assert nothing_left(process)


@pytest.mark.slow
def test_p18_ponder_keeps_its_answer():
    def script():
        with ready() as hit, ready() as stopped:
            for process in (hit, stopped):
                process.send(f"position {V1}\ngo ponder p1time 1000 p2time 1000")
            for seconds, process in ((3.0, hit), (0.0, stopped)):
                assert all(line.startswith("info") for line in process.read_for(seconds))
            after_hit = hit.seconds("ponderhit", "bestmove")
            after_stop = stopped.seconds("stop", "bestmove")
            assert nothing_left(hit) and nothing_left(stopped)
            # A second is on the clock after `ponderhit`, a twentieth of it is allowed for `stop`.
            return max(after_hit, after_stop * 20)

    assert within(1.0, script) <= 1.0


@pytest.mark.serial
@pytest.mark.parametrize(("go", "times"), [("go infinite\nstop", 1000), ("go movetime 1", 200)])
def test_p19_stop_right_behind_go(process, go, times):
    process.send(f"position {V1}")
    for _ in range(times):
        lines = process.ask(go, "bestmove")
        assert [line.split()[0] for line in lines] == ["info", "bestmove"]
        assert bestmoves(lines)[0] in LEGAL
    assert nothing_left(process)


@pytest.mark.serial
@pytest.mark.parametrize("go", ["go movetime 0", "go movetime -5"])
def test_p20_zero_and_negative_think_time(process, go):
    process.send(f"position {V1}")

    def script():
        start = time.monotonic()
        assert bestmoves(process.ask(go, "bestmove"))[0] in LEGAL
        return time.monotonic() - start

    assert within(AT_ONCE_S, script) <= AT_ONCE_S
    assert nothing_left(process)


@pytest.mark.parametrize(("text", "decisions"), [(THREE, 3), (ONE, 1), (V1, 4)])
def test_p21_more_lines_asked_than_decisions_exist(process, text, decisions):
    for lines_asked in (decisions + 7, 256):
        process.send(f"setoption name MultiPV value {lines_asked}\nposition {text}")
        legal = process.ask("query legal", "response")[-1].split()[1].split(",")
        assert len(legal) == decisions
        lines = process.ask("go nodes 5000", "bestmove")
        reports = [numbers(line) for line in infos(lines)]
        assert [report["multipv"] for report in reports] == list(range(1, decisions + 1))
        assert {report["nodes"] for report in reports} == {5000}
        assert sorted(pv(line)[0] for line in infos(lines)) == sorted(legal)
        # Reports on the way, and a search that ends before it has tried each decision.
        lines = process.ask("go movetime 300", "bestmove") + process.ask("go nodes 2", "bestmove")
        assert len(infos(lines)) >= decisions + 1
        for line in infos(lines):
            assert 1 <= numbers(line)["multipv"] <= decisions and pv(line)[0] in legal


def test_p22_quit_while_thinking():
    with Process() as process:
        lines = process.ask("uci", "uciok")
        threads = next(line.split(" max ")[1] for line in lines if " Threads " in line)
        process.send(f"setoption name Threads value {threads}\nposition {V1}\ngo infinite")
        process.read_until("info depth")
        children = process.children()
        process.send("quit")
        start = time.monotonic()
        assert process.popen.wait() == 0
        assert time.monotonic() - start < SOON_S
        assert children == [] and not process.has_group()
        assert process.errors() == ""


@pytest.mark.parametrize(
    ("text", "go"),
    [
        (V1, "go nodes 1"),
        (V1, "go depth 1"),
        (V1, "go nodes 0"),
        (ONE, "go nodes 50"),
        (ONE, "go p1time 60000 p2time 60000"),
        (V1, "go infinite\nstop"),
        (V1, "go nodes 500"),
    ],
)
def test_p23_final_report_before_the_answer(process, text, go):
    """Each `go` twice: the second may find what the first has left behind."""
    process.send(f"position {text}")
    for lines in (process.ask(go, "bestmove"), process.ask(go, "bestmove")):
        assert re.match(r"info depth \d+ .*\bnodes \d+ .*\btime \d+ .*\bscore cp -?\d+ ", lines[-2])
        assert pv(lines[-2])[0] == bestmoves(lines)[0] != "0000"


@pytest.mark.slow
def test_p24_report_flood():
    """Five lines of seven decisions as well: there the reader is slower than the reports."""
    with ThreadPoolExecutor() as pool:
        figures = list(pool.map(slowly_read, (NEARLY_OVER, SEVEN)))
    for reports, seconds in figures:
        assert len({report["time"] for report in reports}) <= 2 * 20 + 2
        assert reports[-1]["time"] <= 2100
        # What the pipe holds is read after the search has ended.
        assert seconds < 2.0 + PIPE_BYTES / 100 * 0.02 + SOON_S


def slowly_read(text):
    """Return the reports of 2 s, each line read 20 ms after the one before, and the seconds."""
    with ready("setoption name MultiPV value 5", f"position {text}") as process:
        fcntl.fcntl(process.popen.stdout, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        process.send("go movetime 2000")
        start = time.monotonic()
        lines = []
        while not bestmoves(lines):
            time.sleep(0.02)
            lines.append(process.read_line())
        return [numbers(line) for line in infos(lines)], time.monotonic() - start


@pytest.mark.slow
def test_p24_a_reader_that_does_not_read_at_all():
    """The pipe is full after the first reports; the time is up when it is up."""
    options = ["setoption name MultiPV value 7", f"position {SEVEN}"]
    with ready(*options) as timed, ready(*options) as infinite:
        begin = time.monotonic()
        for process, go in ((timed, "go movetime 1000"), (infinite, "go infinite")):
            fcntl.fcntl(process.popen.stdout, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
            process.send(go)
        time.sleep(1.5)
        timed.send("stop")
        infinite.send("stop")
        stopped_ms = 1000 * (time.monotonic() - begin)
        time.sleep(0.2)
        for process, latest in ((timed, 1000), (infinite, stopped_ms)):
            reports = [numbers(line) for line in infos(process.read_until("bestmove"))]
            assert {report["multipv"] for report in reports} == set(range(1, 8))
            assert reports[-1]["time"] <= latest + 100
            assert nothing_left(process)


def test_p25_new_game_means_clean_slate(process):
    def script(process):
        process.send(f"setoption name Threads value 1\nucinewgame\nposition {V1}")
        return without_times(process.ask("go nodes 8000 seed 5", "bestmove"))

    first = script(process)
    for number, text in enumerate((V1, f"{V1} moves {M1}", THREE, VIEW[9:], OTHER[9:]) * 2):
        process.ask(f"position {text}\ngo nodes {100 * number + 50}", "bestmove")
    assert script(process) == first
    with ready() as fresh:
        assert script(fresh) == first
    assert len(infos(first)) == 1 and bestmoves(first)[0] in LEGAL


@pytest.mark.serial
@pytest.mark.parametrize(
    ("go", "key", "low", "high"),
    [
        ("movetime 300", "time", 250, 310),
        ("depth 3", "depth", 3, 3),
        ("nodes 1000", "nodes", 1000, 1000),
        ("movetime 60000 nodes 1000", "nodes", 1000, 1000),
        ("depth 99 movetime 200", "time", 150, 210),
        ("p1time 1000 p2time 1000", "time", 0, 500),
        ("p1time 1000 p2time 1000 p1inc 100 p2inc 100", "time", 5, 500),
        ("p1time 1000 p2time 1000 movestogo 5", "time", 5, 500),
        ("p1time 300 p2time 300 movestogo 1", "time", 5, 300),
        ("worlds 700", "worlds", 700, 700),
    ],
)
def test_p26_every_advertised_limit_works(process, go, key, low, high):
    """Simulations are met exactly, so no node is searched over the limit."""
    process.send(f"position {V1}")

    def script():
        value = numbers(process.ask(f"go {go}", "bestmove")[-2])[key]
        assert value >= low
        return value

    assert within(high, script) <= high
    assert nothing_left(process)


@pytest.mark.parametrize(("go", "nodes"), [("mate 3", 0), ("mate 3 nodes 200", 200)])
def test_p26_an_unsupported_limit_is_reported(process, go, nodes):
    lines = process.ask(f"position {V1}\ngo {go}", "bestmove")
    assert lines[0] == "info string error unsupported go mate is not supported"
    assert bestmoves(lines)[0] in LEGAL and numbers(lines[-2])["nodes"] == nodes


@pytest.mark.parametrize(
    ("end", "result"),
    [
        (f"{NEARLY_OVER} moves {LAST_MOVE}", "p[12]win|draw|none"),
        ("fen kuhn/1 hand.p1=K hand.p2=J moves bet bet", "p1win"),
        ("fen kuhn/1 hand.p1=Q hand.p2=J moves bet pass", "p1win"),
        (f"{VIEW[9:]} bet bet", "p1win"),
    ],
)
def test_p27_no_decision_exists_at_the_end(process, end, result):
    lines = process.ask(f"position {end}\ngo nodes 50", "bestmove")
    assert lines == ["info string no decision: the game is over", "bestmove 0000"]
    assert process.ask("query gameover", "response") == ["response true"]
    answer = process.ask("query result", "response")[-1].split()[1]
    assert re.fullmatch(result, answer)


def test_p27_no_decision_exists_where_the_other_seat_decides(process):
    lines = process.ask(f"position {VIEW[9:]} p1:pass\ngo nodes 50", "bestmove")
    assert lines[0].startswith("info string no decision: seat 2 decides here")
    assert lines[1:] == ["bestmove 0000"]


@pytest.mark.serial
def test_p28_negative_clock_values(process):
    process.send(f"position {V1}")
    at_once = process.ask("go p1time -50 p2time 60000", "bestmove")
    assert numbers(at_once[-2])["time"] <= 1000 * AT_ONCE_S and bestmoves(at_once)[0] in LEGAL
    lines = process.ask("go wtime 100 btime -170671 winc 2000 binc 2000", "bestmove")
    assert numbers(lines[-2])["nodes"] > len(LEGAL) and bestmoves(lines)[0] in LEGAL
    assert nothing_left(process)


# What waits longest stands last, so that the other tests use the time.


def test_p15_idle_means_idle():
    for cpu, growth_kib in field_cases.script_result("test_p15_idle_means_idle"):
        assert cpu < 0.1, "1 % of 10 s"
        assert growth_kib < 256


@pytest.mark.slow
def test_p17_infinite_keeps_its_answer():
    process, lines, cpu = field_cases.script_result("test_p17_infinite_keeps_its_answer")
    with process:
        assert all(line.startswith("info depth") for line in lines)
        assert cpu < 2.0, "one root move is searched out at once"

        def stop():
            start = time.monotonic()
            lines = process.ask("stop", "bestmove")
            seconds = time.monotonic() - start
            assert bestmoves(lines) == ["end"] and lines[-2].startswith("info depth")
            assert nothing_left(process)
            process.send("go infinite")
            return seconds

        assert within(AT_ONCE_S, stop) <= AT_ONCE_S
