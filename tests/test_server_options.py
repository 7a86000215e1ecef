"""Dialects, errors, options."""

import os
import re
import subprocess

import pytest
from talking import ENGINE, HANG_S, VIEW, bestmoves

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


# ---- log file ----


def test_the_log_file_has_every_line_in_and_out(talk, tmp_path):
    path = tmp_path / "a log.txt"
    talk.send(f"setoption name Debug Log File value {path}")
    out = talk.ask("isready", VIEW, "query turn", "go nodes 20 seed 1")
    talk.ask("setoption name debug log file value <empty>")
    talk.ask("isready")
    lines = path.read_text().splitlines()
    assert [x[2:] for x in lines if x.startswith("> ")][:4] == [
        "isready",
        VIEW,
        "query turn",
        "go nodes 20 seed 1",
    ]
    assert [x[2:] for x in lines if x.startswith("< ")] == [*out, "end of answer"]
    assert path.stat().st_mode & 0o077 == 0
    talk.ask(f"setoption name Debug Log File value {path}", "isready")
    assert path.read_text().splitlines()[: len(lines)] == lines, "a log is added to"


@pytest.mark.parametrize("path", ["/nowhere/x", "{folder}", "{folder}/fifo", "/dev/null", "a\0b"])
def test_what_cannot_be_a_log_is_refused(talk, tmp_path, path):
    """Nothing changes then: the log of before goes on."""
    good = tmp_path / "log"
    os.mkfifo(tmp_path / "fifo")
    talk.send(f"setoption name Debug Log File value {good}")
    path = path.format(folder=tmp_path)
    (answer,) = talk.ask(f"setoption name Debug Log File value {path}")
    assert answer.startswith("info string error bad-value option Debug Log File: ")
    assert talk.server.options.text("Debug Log File") == str(good)
    talk.ask("query turn")
    assert "> query turn" in good.read_text()


def test_own_input_and_output_are_no_log(tmp_path):
    """The engine would read what it writes."""
    talk = tmp_path / "talk"
    line = "setoption name Debug Log File value"
    talk.write_text(f"{line} {talk}\n{line} /dev/stdin\n{line} {tmp_path / 'out'}\nisready\n")
    with open(talk, "rb") as source, open(tmp_path / "out", "wb") as out:
        subprocess.run(ENGINE, stdin=source, stdout=out, check=True, timeout=HANG_S)
    lines = (tmp_path / "out").read_text().splitlines()
    assert [x.partition(" error ")[2][:9] for x in lines[:3]] == ["bad-value"] * 3
    assert lines[3:] == ["readyok"]


def test_an_option_is_echoed_in_print(talk, tmp_path):
    """No control character comes back, nor a text of any length."""
    talk.send("debug on")
    path = f"{tmp_path}/\x1b[2J"
    assert talk.ask(f"setoption name Debug Log File value {path}")[-1].endswith("\\x1b[2J")
    assert all(len(x) < 600 for x in talk.ask(f"setoption name CardFile value {'x' * 10000}"))


def test_reports_without_wdl(talk):
    with_wdl = talk.ask(VIEW, "go nodes 50 seed 1")[0]
    assert " wdl " in with_wdl
    without = talk.ask("setoption name uci_showwdl value false", "go nodes 50 seed 1")[0]
    assert without.partition(" score ")[2] == re.sub(
        r"wdl \d+ \d+ \d+ ", "", with_wdl.partition(" score ")[2]
    )


def test_games_of_many_settings_are_not_all_kept(talk):
    for number in range(1, 200):
        talk.ask(f"position fen lofoten/1 stall={number} seed=1")
    assert len(talk.server.session._games) <= 16
    assert talk.ask("query game")[0].endswith(";stall=199")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("solver", "'solver' is no name=value"),
        ("=", "'=' is no name=value"),
        ("=on", "'=on' is no name=value"),
        ("solver=on solver=off", "'solver=off' is given twice"),
        ("solver=ON", "solver=ON: use on, off"),
        ("zork=1", "no search option 'zork'; there are: "),
        ("exploration=nan", "use a number from 0 to 1000"),
        ("exploration=1001", "use a number from 0 to 1000"),
        ("exploration=1_0", "use a number from 0 to 1000"),
        ("playout_plies=1.0", "use a whole number from 0 to 100000"),
        ("playout_plies=\N{ARABIC-INDIC DIGIT ONE}", "use a whole number from 0 to 100000"),
        ("solver=off algorithm=zork", "algorithm=zork: use ismcts, puct"),
    ],
)
def test_search_options_that_are_none(talk, text, told):
    """Nothing changes, not even by those before the bad one."""
    talk.ask("uhi", "setoption name Search value exploration=2")
    lines = talk.ask(f"setoption name Search value {text}")
    assert len(lines) == 1 and lines[0].startswith("error bad-value option Search: ")
    assert told in lines[0]
    assert talk.server.options.text("Search") == "exploration=2"
