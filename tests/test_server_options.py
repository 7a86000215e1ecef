"""Dialects, errors, options."""

import os
import re

import pytest
from talking import VIEW, bestmoves

import engine
from protocol.options import most_hash, most_threads

# ---- dialects and errors ----


@pytest.mark.parametrize("dialect", ["uci", "ugi", "uhi"])
def test_unknown_words(talk, dialect):
    talk.ask(dialect)
    expected = ["error unknown-command 'xyzzy' is no command; try help"]
    assert talk.ask("xyzzy 7") == (expected if dialect == "uhi" else [])
    assert talk.ask("joho isready") == ["readyok"]


@pytest.mark.parametrize("dialect", ["uci", "ugi", "uhi"])
def test_a_session_in_every_dialect(talk, dialect):
    lines = talk.ask("setoption name Ponder value true", dialect)
    assert lines[-1] == f"{dialect}ok"
    assert any(x.startswith("feature") for x in lines) == (dialect == "uhi")
    lines = talk.ask(VIEW, "go nodes 300 id q7")
    words = lines[-1].split()
    assert ("ponder" in words) == (dialect != "ugi")
    assert (words[-2:] == ["id", "q7"]) == (dialect == "uhi")
    if dialect == "ugi":
        assert len(words) == 2


def test_version_of_uhi(talk):
    assert talk.ask("uhi 1")[-1] == "uhiok"
    assert talk.ask("uhi uhi/1.7")[-1] == "uhiok"
    lines = talk.ask("uhi 2")
    assert len(lines) == 1 and lines[0].startswith("error unsupported")


def test_ugi_lines_have_two_words(talk):
    talk.ask("ugi", "setoption name Ponder value true")
    queries = "p1turn gameover result turn players scores ranks legal view hash game x".split()
    for position in ("startpos", "fen kuhn/1 seed=2 moves pass bet bet", "view x", VIEW[9:]):
        lines = talk.ask(f"position {position}", *(f"query {q}" for q in queries))
        lines += talk.ask("go nodes 40 id 7 ponder", "stop")
        answers = [x for x in lines if x.startswith(("response", "bestmove"))]
        assert len(answers) == len(queries) + 1
        assert all(len(x.split()) == 2 for x in answers)


def test_internal_errors_do_not_end_the_engine(talk, monkeypatch):
    def fail(*_args, **_kwargs):
        raise RuntimeError("broken")

    monkeypatch.setattr(talk.server.session, "set_position", fail)
    assert talk.ask(VIEW) == ["info string error internal RuntimeError: broken"]
    monkeypatch.undo()
    monkeypatch.setattr(type(talk.server.thinker.searcher()), "go", fail)
    assert talk.ask(VIEW, "go nodes 5") == [
        "info string error internal RuntimeError: broken",
        "bestmove pass",
    ]
    monkeypatch.undo()
    assert bestmoves(talk.ask("go nodes 5"))[0] != "0000"


# ---- options ----


def test_options_can_be_read_by_a_strict_parser(talk):
    names = set()
    for line in talk.ask("uci"):
        if not line.startswith("option"):
            continue
        match = re.fullmatch(
            r"option name (?P<name>\S+(?: \S+)*?) type (?P<type>check|spin|combo|button|string)"
            r"(?: default (?P<default>\S+))?(?: min (?P<min>-?\d+) max (?P<max>-?\d+))?"
            r"(?P<vars>(?: var \S+)*)",
            line,
        )
        assert match, line
        name, kind, default = match["name"], match["type"], match["default"]
        assert not {"name", "value", "type", "default", "min", "max", "var"} & set(name.split())
        assert name.lower() not in names
        names.add(name.lower())
        assert (default is None) == (kind == "button")
        assert (match["min"] is not None) == (kind == "spin")
        if kind == "spin":
            assert int(match["min"]) <= int(default) <= int(match["max"])
        elif kind == "check":
            assert default in ("true", "false")
        choices = match["vars"].split(" var ")[1:]
        assert bool(choices) == (kind == "combo")
        assert kind != "combo" or default in choices
    wanted = "game preset hash threads multipv ponder seed".split()
    assert names >= {*wanted, "move overhead", "strict views", "clear hash", "playout plies"}
    for game in engine.available():
        for setting in engine.game_settings(game):
            assert f"{game} {setting.name}".lower() in names


@pytest.mark.parametrize(
    ("line", "echo"),
    [
        ("name move OVERHEAD value 120", "option Move Overhead = 120"),
        ("name   Move   Overhead   value 130", "option Move Overhead = 130"),
        ("name ponder value TRUE", "option Ponder = true"),
        ("name PRESET value Greedy", "option Preset = greedy"),
        ("name Clear Hash", "option Clear Hash = <empty>"),
        ("name nonsense value 3", "error bad-option there is no option 'nonsense'"),
        ("name Hash value 0", "error bad-value option Hash takes a number from 1 to"),
        ("name Hash value x", "error bad-value option Hash takes a number from 1 to"),
        ("name Hash", "error bad-value option Hash needs a value"),
        ("name Ponder value 1", "error bad-value option Ponder takes true or false"),
        ("value 3", "error parse setoption needs: setoption name <name> [value <value>]"),
    ],
)
def test_setoption(talk, line, echo):
    (answer,) = talk.ask("debug on", f"setoption {line}")
    assert re.sub(r" to \d+$", " to", answer) == f"info string {echo}"


def test_threads_are_limited_by_the_machine(talk):
    declared = [x for x in talk.ask("uci") if x.startswith("option name Threads")]
    assert declared == [f"option name Threads type spin default 1 min 1 max {most_threads()}"]
    assert 8 <= most_threads() <= max(8, 4 * os.cpu_count())
    assert "bad-value" in talk.ask(f"setoption name Threads value {most_threads() + 1}")[0]


def test_hash_is_limited_by_the_machine(talk):
    """A tree beyond the memory would have the system kill the process in a long search."""
    declared = [x for x in talk.ask("uci") if x.startswith("option name Hash")]
    assert declared == [f"option name Hash type spin default 64 min 1 max {most_hash()}"]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    assert 64 <= most_hash() < max(memory, 65)
    assert "bad-value" in talk.ask(f"setoption name Hash value {most_hash() + 1}")[0]


def test_settings_belong_to_the_game(talk):
    for name in engine.available():
        for setting in engine.game_settings(name):
            if setting.digits:
                continue  # what may stand there has to be loaded first: test_card_files.py
            words = [w for w in setting.values if w != setting.default] or [str(setting.high)]
            identity = engine.load(name, **{setting.name: words[0]}).identity
            talk.send(f"setoption name Game value {name}", "ucinewgame")
            talk.send(f"setoption name {name} {setting.name} value {words[0]}")
            assert f"{setting.name}={words[0]}" in identity
            assert talk.ask("query game") == [f"response {identity.replace(' ', ';')}"]
            assert talk.ask("position startpos", "query game") == talk.ask("query game")
            talk.send(f"setoption name {name} {setting.name} value {setting.default}")
