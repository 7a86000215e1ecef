"""Field cases P01 to P14: reading and writing lines, starting; and a list of all cases."""

import os
import re
import sys
import time
from pathlib import Path

import field_cases
import pytest
from field_cases import AT_ONCE_S, BAD, LEGAL, M1, M2, SLOWEST, SOON_S, V1, ready, within
from talking import ENGINE, ROOT, Process, bestmoves

from protocol.messages import MAX_LINE

WORDS = "id option uciok ugiok uhiok readyok feature game info bestmove response error".split()


@pytest.fixture(scope="module", autouse=True)
def waiting_scripts(request):
    """Start what only waits, so that it does so beside the other tests."""
    field_cases.start_scripts([item.name for item in request.session.items])


def test_p01_line_endings_and_blank_space(tmp_path):
    log = tmp_path / "log"
    with Process() as process:
        process.send_bytes(b"uci\r\n\t  isready \t\r\n   debug     on  \r\n\r\n")
        lines = process.read_until("readyok")
        assert "uciok" in lines
        process.send_bytes(b"position   startpos\t\r\ngo   nodes   50\r\n")
        lines += process.read_until("bestmove")
        process.send_bytes(b"setoption name Hash value 33\r\n")
        lines += process.read_until("info string option Hash = 33")
        process.send_bytes(b"setoption name Debug Log File value %s\r\nquit\r\n" % bytes(log))
        lines += process.read_rest()
        assert process.ended()[::2] == (0, "")
    assert len(bestmoves(lines)) == 1 and bestmoves(lines) != ["0000"]
    assert not any("error" in line or "\r" in line for line in lines)
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


def test_p02_output_is_flushed_line_by_line_from_every_thread():
    environment = {key: word for key, word in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with Process(env=environment) as process:
        process.ask("uci", "uciok")
        lines = process.ask(f"position {V1}\ngo nodes 200", "bestmove")
        assert bestmoves(lines)[0] in LEGAL
        assert not process.popen.stdin.closed


def test_p03_the_client_dies():
    with ready() as process:
        code, seconds, errors = process.ended()
        assert (code, errors) == (0, "") and seconds < SOON_S
    with ready(f"position {V1}", "go infinite") as process:
        code, seconds, errors = process.ended()
        assert (code, errors) == (0, "") and seconds < SOON_S
    with ready(f"position {V1}", "go infinite") as process:
        process.read_until("info depth")
        start = time.monotonic()
        process.popen.stdout.close()
        assert process.popen.wait() == 0
        assert time.monotonic() - start < SOON_S
        assert process.errors() == ""


def test_p04_moves_with_nothing_after_it():
    with ready() as process:
        for text in ("startpos moves", f"{V1} moves", "startpos"):
            lines = process.ask(f"position {text}\ngo nodes 50", "bestmove")
            assert lines[-2].startswith("info depth") and bestmoves(lines) != ["0000"]
            assert not any("error" in line for line in lines)


@pytest.mark.serial
@pytest.mark.parametrize("size", [1 << 18, MAX_LINE - 60])
def test_p05_very_long_game(size):
    """26,000 events of the longest game, and as many as fill the longest line: 100,000."""
    events = field_cases.long_log(size)
    line = f"position view lofoten/1 stall=off me=p1 moves {' '.join(events)}"
    assert len(events) > 25000
    with ready("uhi") as process:

        def replay():
            process.ask("ucinewgame\nisready", "readyok")
            return process.seconds(f"{line}\nisready", "readyok")

        assert within(0.5, replay) < 0.5
        legal = process.ask("query legal", "response")[-1].split()[1].split(",")
        assert bestmoves(process.ask("go nodes 50", "bestmove"))[0] in legal
        full = line + " " * (MAX_LINE - len(line))
        assert process.ask(f"{full}\nquery gameover", "response") == ["response false"]
        longer = process.ask(f"{full} \nisready", "readyok")
        assert longer == [f"error parse line longer than {MAX_LINE} bytes, dropped", "readyok"]
        assert process.ask("query gameover", "response") == ["response false"]


def test_p06_option_names_with_blanks_and_any_case():
    with ready("uhi", "debug on") as process:
        for line, echo in (
            ("name move OVERHEAD value 120", "info string option Move Overhead = 120"),
            ("name   Move   Overhead   value 130", "info string option Move Overhead = 130"),
            ("name Moves Overhead value 140", "error bad-option there is no option 'Moves Over"),
            ("name MoveOverhead value 140", "error bad-option there is no option 'MoveOver"),
        ):
            lines = process.ask(f"setoption {line}\nisready", "readyok")
            assert len(lines) == 2 and lines[0].startswith(echo)
        # The last value holds: a clock of 131 ms leaves 1 ms, one of 130 ms nothing to think.
        process.send(f"position {V1}")
        for clock, thinks in ((130, False), (400, True)):
            lines = process.ask(f"go p1time {clock} p2time 400", "bestmove")
            assert (field_cases.numbers(lines[-2])["nodes"] > 0) == thinks


def test_p07_unknown_words():
    for dialect in ("uci", "ugi", "uhi"):
        with ready(dialect, f"position {V1}") as process:
            assert process.ask("joho isready", "readyok") == ["readyok"]
            lines = process.ask("go flurb 7 nodes 50 zork\nisready", "bestmove")
            lines += process.ask("isready", "readyok")
            assert len(bestmoves(lines)) == 1
            assert field_cases.numbers(next(x for x in lines if " pv " in x))["nodes"] == 50
            lines = process.ask("xyzzy\nquery turn", "response")
            assert len(lines) == (2 if dialect == "uhi" else 1)
            assert dialect != "uhi" or lines[0].startswith("error unknown-command")


@pytest.mark.serial
def test_p08_ping_during_search():
    with ready() as process:

        def script():
            process.send(f"position {V1}\ngo infinite")
            lines = process.read_for(0.2)
            start = time.monotonic()
            process.send("isready\n" * 10, end="")
            for _ in range(10):
                lines += process.read_until("readyok")
            seconds = time.monotonic() - start
            assert not bestmoves(lines)
            lines = process.ask("stop", "bestmove") + process.ask("isready", "readyok")
            assert len(bestmoves(lines)) == 1 and bestmoves(lines)[0] in LEGAL
            return seconds

        assert within(AT_ONCE_S, script) <= AT_ONCE_S


@pytest.mark.serial
@pytest.mark.parametrize("seconds", [2.0, pytest.param(10.0, marks=pytest.mark.slow)])
def test_p09_the_search_must_not_starve_the_reader(seconds):
    """Seconds of pings, then `stop`, then pings while the tree goes and worlds are drawn anew."""
    options = ["setoption name Preset value vanilla", "setoption name Hash value 1024"]

    def script():
        with ready(*options, "setoption name Threads value 1", limit_s=60) as process:
            process.send(f"position {SLOWEST}\ngo infinite")
            worst, end = 0.0, time.monotonic() + seconds
            while time.monotonic() < end:
                worst = max(worst, process.seconds("isready", "readyok"))
                assert not bestmoves(process.read_for(0.1))
            stop = process.seconds("stop", "bestmove")
            for lines in ("ucinewgame", f"position {SLOWEST}\ngo infinite", "stop\ngo infinite"):
                process.send(lines)
                worst = max(worst, *(process.seconds("isready", "readyok") for _ in range(20)))
            # Twice as long is allowed for `stop`.
            return max(worst, stop / 2)

    assert within(AT_ONCE_S, script) <= AT_ONCE_S


@pytest.mark.serial
def test_p10_slow_start_and_first_move(tmp_path):
    """Nothing compiled is found, so the start is as slow as it can be."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path / "empty")}
    argv = [sys.executable, "-B", *ENGINE[1:]]

    def script():
        start = time.monotonic()
        with Process(argv, env=environment) as process:
            process.ask("uci", "uciok")
            handshake = time.monotonic() - start
            maps = Path(f"/proc/{process.pid}/maps")
            assert str(ROOT / "search") not in maps.read_text()
            process.ask("isready", "readyok")
            assert str(ROOT / "search") in maps.read_text()
            process.send(f"position {V1}")
            moves = [process.seconds("go p1time 1000 p2time 1000", "bestmove") for _ in range(3)]
            # Half as long is allowed for a move.
            return max(handshake, 2 * max(moves))

    assert within(1.0, script) < 1.0
    assert not (tmp_path / "empty").exists()


NOISY = """
import sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "search.searcher":
            import noise

sys.meta_path.insert(0, Finder())
"""
NOISE = """
import os, warnings
print("printed at import", flush=True)
os.write(1, b"written at import\\n")
if "error" not in os.environ["NOISE"]:
    warnings.warn("warned at import")
"""


@pytest.mark.parametrize("warnings", ["always", "error"])
def test_p11_stray_output(tmp_path, warnings):
    """A whole game; a module that prints comes in with the search."""
    (tmp_path / "sitecustomize.py").write_text(NOISY)
    (tmp_path / "noise.py").write_text(NOISE)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NOISE": warnings}
    environment["PYTHONWARNINGS"] = warnings
    argv = [sys.executable, "-X", "dev", "-W", warnings, *ENGINE[1:]]
    with Process(argv, env=environment) as process:
        lines = process.ask("uhi\ndebug on\nsetoption name Hash value 16\nisready", "readyok")
        line = "position fen lofoten/1 seed=4 moves"
        while True:
            process.send(f"{line}\nquery gameover")
            lines += process.read_until("response")
            if lines[-1] == "response true":
                break
            lines += process.ask("go nodes 1 id 7", "bestmove")
            line += f" {bestmoves(lines[-1:])[0]}"
        lines += process.ask("query result\nflurb", "error")
        code, _, errors = process.ended()
    assert code == 0
    assert len(bestmoves(lines)) > 100 and "0000" not in bestmoves(lines)
    assert {line.split(" ")[0] for line in lines} - {"uhiok"} <= set(WORDS)
    assert "printed at import" in errors and "written at import" in errors
    assert "Traceback" not in errors
    assert ("warned at import" in errors) == (warnings == "always")


@pytest.mark.parametrize(
    ("text", "code", "token"),
    [
        ("view nonsense", "bad-position", 3),
        (f"{V1} moves {M1} {BAD}", "bad-position", V1.count(" ") + 5),
        (f"{V1} moves {M1} left:F3", "illegal-move", V1.count(" ") + 5),
        (V1.replace("discard=-", "discard=M1.M1.M1.M1.M1.M1.M1.M1.M1"), "bad-position", 17),
        (V1.replace(" coins=2.3.3", ""), "bad-position", 3),
        (V1.replace(" hand.p1=F3.F2.C2", ""), "bad-position", 3),
    ],
)
def test_p12_bad_positions(text, code, token):
    with ready("uhi", f"position {V1}") as process:
        lines = process.ask(f"position {text}\ngo nodes 50 id 3", "bestmove")
        assert lines[0].startswith(f"error {code} token {token}: "), lines
        assert lines[1] == "error no-position id=3 there is no valid position"
        assert lines[2:] == ["bestmove 0000 id 3"]
        assert process.ask("isready", "readyok") == ["readyok"]
        lines = process.ask(f"position {V1} moves {M1} {M2}\ngo nodes 50", "bestmove")
        assert bestmoves(lines) != ["0000"] and not any("error" in line for line in lines)


@pytest.mark.parametrize(
    ("lines", "answers"),
    [
        (["go nodes 50"], ["info string error no-position .+", "bestmove 0000"]),
        (["uci", "go nodes 50"], [".*", "info string error no-position .+", "bestmove 0000"]),
        (["uci", "position startpos", "go nodes 50"], [".*", "info depth .+", "bestmove [^0].+"]),
        ([f"position {V1}", "go nodes 50"], ["info depth .+", "bestmove [^0].+"]),
        (["isready"], ["readyok"]),
        (["ponderhit"], []),
        (["query result"], ["info string error no-position .+", "response none"]),
    ],
)
def test_p13_commands_out_of_the_usual_order(lines, answers):
    with Process() as process:
        process.send("\n".join(lines))
        process.popen.stdin.close()
        printed = process.read_rest()
        assert process.ended()[::2] == (0, "")
    if answers[:1] == [".*"]:
        printed = printed[printed.index("uciok") + 1 :]
        answers = answers[1:]
    assert len(printed) == len(answers), printed
    for line, answer in zip(printed, answers, strict=True):
        assert re.fullmatch(answer, line), line


@pytest.mark.parametrize("dialect", ["uci", "ugi", "uhi"])
def test_p14_option_declarations_that_guis_can_parse(dialect):
    with Process() as process:
        lines = process.ask(dialect, f"{dialect}ok")
    declared = [line for line in lines if line.startswith("option")]
    assert len(declared) > 20
    names = [strictly_parsed(line).lower() for line in declared]
    assert len(set(names)) == len(names)


def strictly_parsed(line):
    """Return the name in an `option` line; fail where a strict parser would."""
    match = re.fullmatch(
        r"option name (?P<name>\S+(?: \S+)*?) type (?P<kind>check|spin|combo|button|string)"
        r"(?: default (?P<default>\S+))?(?: min (?P<min>-?\d+) max (?P<max>-?\d+))?"
        r"(?P<vars>(?: var \S+)*)",
        line,
    )
    assert match, line
    name, kind, default = match["name"], match["kind"], match["default"]
    assert not {"name", "value", "type", "default", "min", "max", "var"} & set(name.split())
    assert (default is None) == (kind == "button")
    assert (match["min"] is not None) == (kind == "spin")
    assert kind != "spin" or int(match["min"]) <= int(default) <= int(match["max"])
    assert kind != "check" or default in ("true", "false")
    choices = match["vars"].split(" var ")[1:]
    assert bool(choices) == (kind == "combo")
    assert kind != "combo" or default in choices
    return name


# ---- is there a test of every case? ----

CASES = [*range(1, 34), 35, *range(37, 67), 71]


def test_every_case_has_its_test():
    sources = "\n".join(path.read_text() for path in sorted((ROOT / "tests").rglob("test_*.py")))
    for number in CASES:
        assert re.search(rf"^(?:async )?def test_p{number:02d}_\w+\(", sources, re.M), number
