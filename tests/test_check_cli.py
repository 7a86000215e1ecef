"""The command `drakkar check`: what it prints, its exit codes, and that nothing is left running."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from talking import HANG_S, ROOT

from bench.check.steps import all_steps

SMALL = [sys.executable, "-E", "-S", str(ROOT / "tests" / "faulty_engines.py")]
DRAKKAR = [sys.executable, str(ROOT / "drakkar.py"), "check"]


def run(*arguments):
    return subprocess.run([*DRAKKAR, *arguments], capture_output=True, text=True, timeout=HANG_S)


def engines(mark):
    """Return the command lines of the processes that have a word in theirs."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode("utf-8", "replace").split("\0")
        except OSError:
            continue
        if mark in words and "check" not in words:
            found.append(words)
    return found


def wait_for(condition):
    deadline = time.monotonic() + HANG_S
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert condition()


def test_one_line_for_each_step_and_a_sum():
    result = run("--step", "ready", "--step", "query-turn", "--step", "forced-move", *SMALL)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert [line for line in lines if line.startswith("uhi: ")] == [
        "uhi: Small plays kuhn/1",
        "uhi: 2 ok, 0 failed, 1 skipped",
    ]
    assert lines[-1].startswith("passed in ")
    assert sum("ready " in line and " ok " in line for line in lines) == 3
    assert sum("skip  this game never leaves only one move" in line for line in lines) == 3


def test_a_failure_shows_its_transcript_and_ends_the_run():
    result = run("--dialect", "uhi", " ".join([*SMALL, "StrayPrint"]))
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if "FAIL" in line)
    assert "output-lines" in lines[at]
    assert lines[at + 1].endswith("protocol/SPEC.md part 7, Output")
    assert lines[at + 3].endswith("thinking...")
    transcript = [line for line in lines if re.match(r" +[0-9.]+ [<>] ", line)]
    assert transcript[-1].endswith("< thinking...")
    assert any(line.endswith("> go nodes 20") for line in transcript)
    assert lines[-2:-1] == ["uhi: 2 ok, 1 failed, 0 skipped"]


def test_keep_going():
    names = ["output-lines", "ready"]
    steps = [word for name in names for word in ("--step", name)]
    result = run("--keep-going", "--json", *steps, "--dialect=uci", *SMALL, "CarriageReturns")
    assert result.returncode == 1
    told = json.loads(result.stdout)
    assert [(step["name"], step["status"]) for step in told["steps"]] == [
        ("ready", "ok"),
        ("output-lines", "fail"),
    ]


def test_json_is_one_object():
    result = run(
        "--json", "--dialect", "uhi", "--step", "unknown-line", *SMALL, "DiesOfUnknownWord"
    )
    assert result.returncode == 1 and not result.stderr
    told = json.loads(result.stdout)
    assert told["schema"] == 1 and told["name"] == "Small" and told["game"] == "kuhn/1"
    assert told["engine"] == [*SMALL, "DiesOfUnknownWord"]
    assert told["dialects"] == ["uhi"] and told["passed"] is False
    [step] = told["steps"]
    assert step["name"] == "unknown-line" and step["status"] == "fail"
    assert "exit code 1" in step["got"] and "ValueError: xyzzy" in step["stderr"]
    assert step["source"] == "protocol/SPEC.md part 3, Handshakes and dialects"
    assert any(line.endswith("> xyzzy") for line in step["transcript"])


def test_the_list():
    result = run("--list")
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert len(lines) == len(all_steps())
    assert re.match(r" +1 handshake +part 3  Answer ", lines[0])
    assert run("--list", "--step", "quit").stdout.split()[1] == "quit"


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        ([], "say which engine"),
        (["--step", "999", "drakkar"], "no step '999'"),
        (["--step", "repeets", "drakkar"], "do you mean repeats?"),
        (["drakkar", "--dialcet", "uci"], "do you mean --dialect?"),
        (["--jsn", "drakkar"], "do you mean --json?"),
        (["--dialect", "usi", "drakkar"], "'usi' is not one of"),
        (["--game", "chess", "drakkar"], "no game 'chess'"),
        (["--game", "kuhn cards=7", "drakkar"], "no setting 'cards'"),
        (["--timeout", "nan", "drakkar"], "nan is no time"),
        (["drakar"], "no preset and no command 'drakar'"),
        (["'"], "No closing quotation"),
        (["--game", "lofoten", *SMALL], "no `game` line for lofoten, it plays: kuhn"),
    ],
)
def test_bad_usage(arguments, complaint):
    result = run(*arguments)
    assert result.returncode == 2
    assert complaint in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "words, complaint",
    [
        (["/nowhere/engine"], "No such file or directory"),
        ([sys.executable, "-c", "raise SystemExit(7)"], "exit code 7"),
        ([sys.executable, "nosuch.py"], "can't open file"),
    ],
)
def test_an_engine_that_does_not_start(words, complaint):
    result = run("--timeout", "0.3", "--", *words)
    assert result.returncode == 3 and not result.stdout
    assert complaint in result.stderr and "Traceback" not in result.stderr
    told = json.loads(run("--json", "--timeout", "0.3", "--", *words).stdout)
    assert complaint in told["error"] and told["engine"] == words
    assert told["schema"] == 1 and told["passed"] is False and told["steps"] == []


@pytest.mark.slow
def test_last_words_are_never_lost():
    for _ in range(4):
        result = run("--json", "--", sys.executable, "-S", "-E", "nosuch.py")
        assert result.returncode == 3
        assert "can't open file" in json.loads(result.stdout)["stderr"]


ANSWERS = """
import sys
{first}
for line in open(0):
    if line.strip() in ("uci", "ugi", "uhi"):
        out.write("id name X{end}" + line.strip() + "ok{end}")
        {then}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "script, expected, received",
    [
        ("import time; time.sleep(60)", "`uhiok` within 0.3 s", "(end of input)"),
        ("while True: print('x' * 99)", "lines of the protocol", "< xxx"),
        ("print('Hello', flush=True); input()", "lines of the protocol", "< Hello"),
        (
            ANSWERS.format(
                first="out = open(1, 'w')\nout.write('Welcome\\n')", end="\\n", then="out.flush()"
            ),
            "lines of the protocol",
            "< Welcome",
        ),
        (
            ANSWERS.format(first="out = open(1, 'w')", end="\\r\\n", then="out.flush()"),
            "without any CR",
            "< id name X\\r",
        ),
        (
            ANSWERS.format(first="out = open(1, 'w')", end="\\n", then="pass"),
            "`uhiok` within 0.3 s",
            "< uhiok",
        ),
        (
            ANSWERS.format(first="out = open(1, 'w')", end="", then="out.flush()"),
            "`uhiok` within 0.3 s",
            "< id name Xuhiok",
        ),
    ],
)
def test_an_engine_that_answers_no_handshake_fails_at_the_first_step(script, expected, received):
    words = ["--timeout", "0.3", "--", sys.executable, "-S", "-E", "-c", script]
    result = run(*words)
    assert result.returncode == 1 and not result.stderr
    assert "   1 handshake                FAIL" in result.stdout
    assert "is standard output flushed after every line?" in result.stdout
    result = run("--json", *words)
    assert result.returncode == 1 and not result.stderr
    told = json.loads(result.stdout)
    [step] = told["steps"]
    assert told["passed"] is False and step["name"] == "handshake"
    assert step["source"] == "protocol/SPEC.md part 3, Handshakes and dialects"
    assert expected in step["expected"] and step["hint"]
    assert any(received in line for line in step["transcript"])


def test_a_dialect_that_is_not_answered_is_skipped_and_told_why(tmp_path):
    script = tmp_path / "engine.py"
    script.write_text(
        "for line in open(0):\n"
        "    if line == 'uci\\n':\n"
        "        print('id name X\\nid author Y\\nuciok', flush=True)\n"
        "    if line == 'isready\\n':\n"
        "        print('readyok', flush=True)\n"
    )
    words = ["--step", "ready", "--game", "kuhn", "--timeout", "0.3"]
    result = run(*words, sys.executable, str(script))
    assert result.returncode == 0, result.stdout
    told = "ugi: skipped, no answer to this handshake (expected `ugiok` within 0.3 s"
    assert told in result.stdout


GREETS = """
import sys, time
def say(text):
    sys.stdout.buffer.write(text)
    sys.stdout.flush()
for line in sys.stdin:
    word = line.strip()
    if word == "ugi":
        {ugi}
    if word in ("uci", "ugi"):
        say(b"{more}id name X\\nid author Y\\n" + word.encode() + b"ok\\n")
    if word == "isready":
        say(b"readyok\\n")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "ugi",
    [
        "say(b'hello\\n')",
        "say(b'\\n')",
        "say(b'id author \\xe9\\n')",
        "say(b'id name X\\r\\n')",
        "sys.exit(7)",
        "time.sleep(60)",
        "say(b'id name X\\n'); continue",
    ],
)
def test_a_broken_handshake_is_a_failed_step_and_not_skipped(ugi):
    script = GREETS.format(ugi=ugi, more="")
    words = ["--json", "--step", "ready", "--game", "kuhn", "--timeout", "0.5", "--keep-going"]
    result = run(*words, "--", sys.executable, "-S", "-E", "-c", script)
    assert result.returncode == 1 and not result.stderr
    told = json.loads(result.stdout)
    found = {(step["dialect"], step["name"]): step["status"] for step in told["steps"]}
    assert found[("ugi", "handshake")] == "fail" and found[("uci", "ready")] == "ok"


@pytest.mark.slow
@pytest.mark.parametrize(
    "line, step",
    [
        ("option name N type spin default \u00b2 min 0 max 9", "option-defaults"),
        ("feature maxline=\u00b2", "feature-lines"),
        ("feature maxline=100000000000", ""),
        (f"option name N type spin default +5 min 0 max {2**63 - 1}", ""),
    ],
)
def test_odd_numbers_are_no_trouble(tmp_path, line, step):
    script = tmp_path / "odd.py"
    script.write_text(
        f"import os, sys\nsys.path.insert(0, {str(ROOT / 'tests')!r})\n"
        "from small_engine import Engine\n"
        "class Odd(Engine):\n"
        "    def say(self, *lines):\n"
        f"        cut = [x for x in lines if not x.startswith({line.split('=')[0]!r})]\n"
        f"        at = [{line!r}] if 'uhiok' in lines else []\n"
        "        super().say(*at, *cut)\n"
        "Odd().serve()\n"
    )
    names = ["option-defaults", "feature-lines", "longest-line", "longer-line", "huge-line"]
    steps = [word for name in names for word in ("--step", name)]
    words = ["--json", "--keep-going", "--dialect", "uhi", *steps]
    result = run(*words, sys.executable, "-S", str(script))
    assert not result.stderr
    found = json.loads(result.stdout)["steps"]
    assert [x["name"] for x in found if x["status"] == "fail"] == ([step] if step else [])
    if "0000000" in line:
        assert [x["status"] for x in found][-3:] == ["skip"] * 3


@pytest.mark.slow
def test_a_name_that_cannot_be_printed_is_escaped(monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    script = GREETS.format(ugi="continue", more="id name \\xe2\\x99\\x94\\n")
    words = ["--step", "ready", "--game", "kuhn", "--dialect", "uci", "--timeout", "0.5"]
    result = run(*words, "--", sys.executable, "-S", "-E", "-c", script)
    assert result.returncode == 0 and not result.stderr
    assert "uci: \\u2654 plays kuhn/1" in result.stdout


@pytest.mark.slow
def test_the_marks_of_a_transcript_are_explained():
    result = run("--dialect", "uhi", "--step", "last-line", "--step", "quit", *SMALL, "LeavesChild")
    assert result.returncode == 1
    for mark in ("> sent", "< answered", "! happened", "further process", "(process N: ...)"):
        assert mark in result.stdout


@pytest.mark.slow
def test_a_game_that_nobody_knows(tmp_path):
    script = tmp_path / "engine.py"
    script.write_text(
        "for line in open(0):\n"
        "    if line == 'uci\\n':\n"
        "        print('option name Game type combo default chess var chess\\nuciok', flush=True)\n"
        "    if line == 'isready\\n':\n"
        "        print('readyok', flush=True)\n"
    )
    result = run("--dialect", "uci", "--timeout", "0.3", sys.executable, str(script))
    assert result.returncode == 2
    assert "it tells of chess; use --game with" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_nothing_behind(number, tmp_path):
    command = [*DRAKKAR, "--dialect", "uhi", "--", *SMALL, "ChokesOnLongLine", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with process:
        for line in process.stdout:
            if "longest-line" in line:
                break
        assert engines(str(tmp_path))
        process.send_signal(number)
        _, errors = process.communicate(timeout=HANG_S)
    assert process.returncode == 130
    assert not errors
    wait_for(lambda: not engines(str(tmp_path)))


@pytest.mark.slow
def test_a_run_leaves_nothing_behind(tmp_path):
    steps = ["--step", "quit", "--step", "game-processes", "--step", "ready-in-search"]
    result = run("--keep-going", *steps, "--dialect", "uhi", *SMALL, "LeavesChild", str(tmp_path))
    assert result.returncode == 1
    assert not engines(str(tmp_path))
