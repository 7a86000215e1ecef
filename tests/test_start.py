"""The way to `uciok` stays short: few imports, none of them heavy; one version number."""

import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

import drakkar
import protocol
import search

ROOT = Path(__file__).resolve().parent.parent
HEAVY = {
    "asyncio",
    "collections",
    "contextlib",
    "ctypes",
    "dataclasses",
    "enum",
    "functools",
    "inspect",
    "json",
    "re",
    "signal",
    "subprocess",
    "threading",
    "typing",
}
COMPILED = {"engine.game", "engine.zobrist", "search.searcher", "search.ismcts"}


def modules_after(lines):
    """Return the modules that an engine process has loaded after the lines."""
    code = (
        "import os, sys\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "import protocol.server\n"
        "server = protocol.server.Server(os.open(os.devnull, os.O_WRONLY))\n"
        f"for line in {lines!r}: server.handle(line)\n"
        "print('\\n'.join(sys.modules))\n"
    )
    # Without `site`, whose own imports depend on what is installed.
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    return set(run.stdout.split())


def test_a_handshake_loads_nothing_heavy():
    for dialect in ("uci", "ugi", "uhi"):
        loaded = modules_after([dialect])
        assert "protocol.options" in loaded
        assert not loaded & HEAVY
        assert not loaded & COMPILED


def test_isready_loads_what_the_search_needs():
    loaded = modules_after(["uci", "isready"])
    assert {"engine.game", "search.searcher"} <= loaded


def test_front_door_is_lazy():
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import drakkar; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    loaded = set(run.stdout.split())
    assert "drakkar" in loaded
    assert not loaded & {"engine", "search", "protocol", *HEAVY}


def test_help_loads_nothing_that_plays_or_computes():
    """What a run, its statistics or a cluster need is imported when there is one."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); sys.argv = ['drakkar', '--help']\n"
        "from bench.cli import main\n"
        "main(standalone_mode=False)\n"
        "print(*sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.splitlines()[-1].split())
    assert {"bench.commands.match", "bench.commands.tournament"} <= loaded
    heavy = {"asyncio", "numpy", "scipy", "distributed", "msgpack", "tomllib", "subprocess"}
    assert not loaded & {*heavy, "bench.runner", "bench.records", "search.searcher"}


def test_the_way_to_uciok_is_short():
    """Ten times the limit, which is 3 times the start of an empty Python."""

    def best(command, answer):
        times = []
        for _ in range(5):
            start = time.perf_counter()
            run = subprocess.run(command, input=b"uci\n", capture_output=True, check=True)
            times.append(time.perf_counter() - start)
            assert answer in run.stdout
        return min(times)

    empty = best([sys.executable, "-I", "-S", "-c", "pass"], b"")
    engine = best([sys.executable, str(ROOT / "drakkar.py")], b"uciok")
    assert engine < 30 * empty


def test_python_face():
    assert {"lofoten", "kuhn"} & set(drakkar.available())
    game = drakkar.load("kuhn")
    assert isinstance(game, drakkar.Game)
    view = game.from_text("kuhn/1 me=p1 hand.p1=K hand.p2=?")
    assert isinstance(view, drakkar.State)
    result = drakkar.Searcher("vanilla", seed=1).go(view, drakkar.Limits(nodes=100))
    assert game.move_name(result.best_move) in ("pass", "bet")
    assert not hasattr(drakkar, "nonsense")


@pytest.mark.parametrize("module", [drakkar, protocol, search])
def test_lazy_names_are_listed(module):
    assert {*module.__all__, "__name__"} <= set(dir(module))
    assert all(hasattr(module, name) for name in dir(module))


def test_one_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert drakkar.__version__ == project["version"]
