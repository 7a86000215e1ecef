"""The example engine: it plays, it keeps to SPEC.md, and it takes nothing from Drakkar."""

import ast
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fake import HANG_SECONDS, command_line
from talking import OTHER, VIEW, Process, without_times

from bench.measure import fuzz, fuzz_engine
from stale import PACKAGES, ROOT

SCRIPT = ROOT / "protocol/examples/random_engine.py"
RULES = shlex.join([sys.executable, str(ROOT / "drakkar.py")])
ARGV = [sys.executable, str(SCRIPT), "--rules", RULES]


@pytest.fixture
def engine():
    process = Process(ARGV)
    yield process
    process.close()


def ask(engine, *lines):
    """Send lines and return all that comes before the `readyok` behind them."""
    for line in lines:
        engine.send(line)
    engine.send("isready")
    return engine.read_until("readyok")[:-1]


def is_gone(pid):
    """Return True once a process has ended, whether or not its new parent has noticed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_it_imports_nothing_but_the_standard_library():
    names = set()
    for node in ast.walk(ast.parse(SCRIPT.read_text())):
        assert not (isinstance(node, ast.ImportFrom) and node.level)
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module.partition(".")[0])
    assert names <= sys.stdlib_module_names
    assert not names & {*PACKAGES, "drakkar", "importlib", "runpy"}
    assert len(SCRIPT.read_text().splitlines()) < 300


@pytest.mark.parametrize(
    "game, games", [("kuhn", 10), pytest.param("lofoten", 2, marks=pytest.mark.slow)]
)
def test_it_plays_a_match(game, games):
    match = [shlex.join(ARGV), "random", "--games", str(games), "--nodes", "5"]
    done = subprocess.run(
        command_line(*match, "--concurrency", "2", game=game),
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert f"{games} games" in done.stdout and "failed" not in done.stdout


@pytest.mark.parametrize("dialect", ["uci", "ugi", "uhi"])
def test_answers_of_a_session(engine, dialect):
    engine.send(dialect)
    greeting = engine.read_until(f"{dialect}ok")
    assert any(line.startswith("game ") for line in greeting) == (dialect == "uhi")
    assert "option name MultiPV type spin default 1 min 1 max 256" in greeting
    assert not any("option name Hash" in line for line in greeting)
    mark, tail = ("error", " id 7") if dialect == "uhi" else ("info string error", "")
    assert ask(engine, "go nodes 1 id 7") == [
        f"{mark} no-position{' id=7' if tail else ''} there is no valid position",
        f"bestmove 0000{tail}",
    ]
    assert ask(engine, "position nonsense")[0].startswith(f"{mark} bad-position token 2:")
    assert ask(engine, VIEW, "query legal") == ["response pass,bet"]
    (report, answer) = ask(engine, "go flurb nodes depth nodes 1 id 7 zork")
    assert report.startswith("info depth 1 ") and " nodes 1 " in report
    assert answer in (f"bestmove pass{tail}", f"bestmove bet{tail}")
    assert report.split(" pv ")[1] == answer.split()[1]
    assert ask(engine, "go movetime 1 searchmoves fold bet")[0].startswith(f"{mark} illegal-move")
    assert ask(engine, "go mate 3")[0].startswith(f"{mark} unsupported")
    assert ask(engine, f"go nodes 1 id {'x' * 65}")[0].startswith(f"{mark} bad-value")
    assert ask(engine, "setoption name Hash value 3")[0].startswith(f"{mark} bad-option")
    assert ask(engine, "setoption name  seed value -1")[0].startswith(f"{mark} bad-value")
    assert ask(engine, "xyzzy") == [] or dialect == "uhi"
    assert ask(engine, "joho query turn") == ["response p1"]
    assert ask(engine, OTHER, "query turn") == ["response p2"]
    assert engine.ended() == (0, pytest.approx(0.5, abs=0.5), "")


def test_the_answer_is_held_back(engine):
    ask(engine, "uhi", VIEW)
    for go, end in [
        ("go infinite", "stop"),
        ("go ponder nodes 1", "ponderhit"),
        ("go", VIEW),
        ("go infinite ponder", "setoption name Seed value 4"),
    ]:
        assert not any(line.startswith("bestmove") for line in ask(engine, go, "query turn"))
        assert [line.split()[0] for line in ask(engine, end)] == ["info", "bestmove"]
    assert ask(engine, "go infinite ponder", "ponderhit") == []
    lines = ask(engine, "go infinite id b", "stop", "stop", "ponderhit")
    assert [line.startswith("bestmove") for line in lines] == [False, True, False, True]
    (reason,) = ask(engine, "position bad", "go ponder")[1:]
    assert reason.startswith("error no-position")
    assert ask(engine, "stop") == ["bestmove 0000"]


def test_lines_and_seeds(engine):
    ask(engine, "ugi", VIEW)
    first = [without_times(ask(engine, f"go nodes 9 seed {k} multipv 8")) for k in range(8)]
    assert len({lines[-1] for lines in first}) == 2
    assert all(len(lines) == 3 for lines in first)
    ask(engine, "uginewgame", VIEW)
    again = [without_times(ask(engine, f"go nodes 9 multipv 8 seed {k}")) for k in range(8)]
    assert first == again
    assert len(ask(engine, "setoption name MultiPV value 2", "go nodes 9")) == 3


def test_odd_lines(engine):
    long = f"{VIEW}{' ' * (1048576 - len(VIEW))}"
    assert ask(engine, "ugi\r", long, "\tquery  turn\r")[-1:] == ["response p1"]
    assert ask(engine, long + " ") == ["info string error parse a line of more than 1048576 bytes"]
    engine.send_bytes(b"uhi\n\xe9 query turn\nxy\xc3\nposition startpos moves p\xff \0\x1b[2J")
    lines = ask(engine, "", "go nodes 1 id \x85")
    codes = [line.split()[1] for line in lines if line.startswith("error")]
    assert codes == ["unknown-command", "bad-position", "bad-value", "no-position"]
    assert "response p1" in lines and all(line.isprintable() for line in lines)
    numbers = "go nodes 99999999999999999999999 movestogo -5 multipv 0 depth " + "9" * 5000
    assert ask(engine, VIEW, numbers)[-1].startswith("bestmove ")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL, None])
@pytest.mark.parametrize("line", ["", "go infinite"])
def test_it_leaves_and_leaves_nothing(engine, number, line):
    ask(engine, VIEW, line)
    (child,) = engine.children()
    if number is None:
        engine.popen.stdin.close()
    else:
        engine.popen.send_signal(number)
    code, seconds, errors = engine.ended()
    assert (code, errors) == (-9 if number == signal.SIGKILL else 0, "") and seconds < 1
    end = time.monotonic() + 1
    while not is_gone(child):
        assert time.monotonic() < end


def test_it_goes_when_nobody_reads(engine):
    ask(engine, VIEW, "go infinite")
    engine.popen.stdout.close()
    assert engine.popen.wait(1) == 0
    assert engine.errors() == ""


def test_the_rules_process_dies(engine):
    ask(engine, "uhi", VIEW)
    os.kill(engine.children()[0], signal.SIGKILL)
    error = "error internal the rules process has ended or hangs"
    assert ask(engine, VIEW) == [error]
    assert ask(engine, "query turn") == [error, "response none"]
    assert ask(engine, "go nodes 1 id 5")[-1] == "bestmove 0000 id 5"
    assert engine.ended()[0] == 0


def test_without_a_rules_process():
    for command in ["/nowhere/rules", "true", "'"]:
        done = subprocess.run(
            [sys.executable, str(SCRIPT), "--rules", command], capture_output=True, text=True
        )
        assert done.returncode == 1 and done.stdout == ""
        assert done.stderr.startswith("--rules ") and done.stderr.count("\n") == 1


def test_it_stands_the_fuzzer(monkeypatch):
    monkeypatch.setattr(fuzz, "HANG_S", 10.0)
    monkeypatch.setattr(fuzz_engine, "CLOSED_S", 10.0)
    out = {}
    fuzz.fuzz(out, lines=5000, seed=1, argv=ARGV)
    assert out["faults"] == 0, out["found"]


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["uci", "ugi", "uhi"])
def test_the_checker_is_content(dialect):
    done = subprocess.run(
        [sys.executable, str(ROOT / "drakkar.py"), "check", "--dialect", dialect, shlex.join(ARGV)],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
