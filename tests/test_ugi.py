"""A UGI match runner that knows nothing of Drakkar plays games between two of its processes."""

import ast
import shlex
import subprocess
import sys

import pytest
from talking import ENGINE, HANG_S, ROOT

RUNNER = ROOT / "tests" / "ugi_runner.py"
STARTS = [
    *(f"kuhn/1 seed={seed}" for seed in range(7)),
    "startpos",
    "lofoten/1 stall=20 seed=2",
    "lofoten/1 level2=2 jarls=on upgrades=on stall=20 seed=3",
]
# Passes everything on, but tells that the game was drawn.
LIAR = """
import subprocess, sys
inner = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    inner.stdin.write(line)
    inner.stdin.flush()
    end = {"ugi": "ugiok", "isready": "readyok", "query": "response", "go": "bestmove"}
    word = line.split()[0]
    while word in end:
        answer = inner.stdout.readline()
        if answer.startswith("response p"):
            answer = "response draw\\n"
        print(answer, end="", flush=True)
        if answer.startswith(end[word]):
            break
"""


def run(tmp_path, starts, *arguments, engines=(ENGINE, ENGINE)):
    """Return what the runner does in a folder where it can find nothing of Drakkar."""
    positions = tmp_path / "positions.txt"
    positions.write_text("\n".join(starts) + "\n")
    return subprocess.run(
        [
            *(sys.executable, "-I", str(RUNNER), *arguments),
            *(shlex.join(command) for command in engines),
            str(positions),
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=4 * HANG_S,
    )


@pytest.mark.slow
def test_twenty_games_between_two_processes(tmp_path):
    options = ["--set", "Ponder=true", "--set", "Preset=vanilla"]
    limits = "nodes 2 seed 1 p1time 60000 p2time 60000 p1inc 0 p2inc 0"
    done = run(tmp_path, STARTS, "--go", limits, *options)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == 24
    assert lines[-1] == "20 games, 0 dropped"
    results = [line.rpartition(" ")[2] for line in lines[:20]]
    assert set(results) >= {"p1win", "p2win"}
    assert results[::2] == results[1::2], "equal engines, equal deal: the same seat wins"
    for line in lines[-3:-1]:
        _, number, games, won, drawn, lost, points = line.split()
        assert int(games) == 20 == int(won) + int(drawn) + int(lost)
        assert float(points) == int(won) + int(drawn) / 2
    assert {line.split()[2:4] == ["engine", "1"] for line in lines[:20]} == {True, False}


def test_a_game_is_dropped_where_the_engines_differ(tmp_path):
    (tmp_path / "liar.py").write_text(LIAR)
    liar = [sys.executable, str(tmp_path / "liar.py"), *ENGINE]
    done = run(tmp_path, ["kuhn/1 seed=1"], "--go", "nodes 2", engines=(ENGINE, liar))
    assert done.stdout.splitlines()[-1] == "2 games, 2 dropped", done.stderr
    assert done.returncode == 1


def test_the_runner_imports_nothing_of_drakkar_and_is_short():
    source = RUNNER.read_text()
    assert len(source.splitlines()) < 150
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        assert not isinstance(node, ast.ImportFrom)
    assert names <= set(sys.stdlib_module_names)
