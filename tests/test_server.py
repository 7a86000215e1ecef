"""The engine process: the state table, errors, what a seat may be told, repeatability."""

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import engine
from engine.game import RandomStream
from protocol.server import Server

ROOT = Path(__file__).resolve().parent.parent
ENGINE = [sys.executable, str(ROOT / "drakkar.py")]
HANG_S = 20.0

VIEW = "position view kuhn/1 me=p1 moves ~deal@p1=K ~deal@p2=?"
OTHER = "position view kuhn/1 me=p2 moves ~deal@p1=? ~deal@p2=Q p1:bet"


class Talk:
    """An engine inside this process: send it lines, get the lines it prints."""

    def __init__(self, *lines):
        self._in, out = os.pipe()
        self.lines = []
        self._news = threading.Condition()
        self.server = Server(out)
        self._out = out
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.send("setoption name Game value kuhn", *lines)

    def _read(self):
        with os.fdopen(self._in, "rb") as stream:
            for raw in stream:
                with self._news:
                    self.lines.append(raw.decode().removesuffix("\n"))
                    self._news.notify_all()

    def wait_for(self, start, count=1):
        """Return the lines so far once `count` of them begin with `start`."""
        with self._news:
            found = self._news.wait_for(
                lambda: sum(x.startswith(start) for x in self.lines) >= count, HANG_S
            )
        assert found, f"no {start!r} among {self.lines}"
        return list(self.lines)

    def send(self, *lines):
        for line in lines:
            assert self.server.handle(line)

    def ask(self, *lines):
        """Send lines and return all that is printed until `go` and the lines are answered."""
        self.send(*lines)
        if self.server.job is not None and not self.server.job.holds_back:
            assert self.server.job.done.wait(HANG_S)
        self.server.writer.write("end of answer")
        out = self.wait_for("end of answer")
        with self._news:
            self.lines.clear()
        return out[:-1]

    def close(self):
        self.server.handle("stop")
        os.close(self._out)
        self._reader.join(HANG_S)


@pytest.fixture
def talk():
    talk = Talk()
    yield talk
    talk.close()


def without_times(lines):
    return [re.sub(r"\b(time|nps) \d+", r"\1 *", line) for line in lines]


def bestmoves(lines):
    return [line.split()[1] for line in lines if line.startswith("bestmove")]


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
    "limits", ["p1time 400", "movetime 30", "nodes 50", "depth 1", "p1time 0", ""]
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


def test_the_answer_of_infinite_waits_even_with_nothing_to_decide(talk):
    talk.send("position startpos moves bet bet", "go infinite")
    assert not talk.server.job.done.wait(0.1)
    assert bestmoves(talk.ask("stop")) == ["0000"]


def test_stop_right_behind_go(talk):
    for _ in range(200):
        assert bestmoves(talk.ask(VIEW, "go infinite", "stop"))[0] in ("pass", "bet")


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


# ---- positions ----


def test_a_longer_log_is_not_replayed(talk):
    session = talk.server.session
    talk.send(VIEW)
    assert session.replayed == 2
    talk.send(f"{VIEW} p1:pass")
    assert session.replayed == 1
    talk.send(f"{VIEW}  p1:pass \t p2:bet ")
    assert session.replayed == 4, "other blanks: read again"
    talk.send(f"{VIEW}  p1:pass \t p2:bet")
    assert session.replayed == 0
    assert talk.ask("query view") == ["response kuhn/1;me=p1;hand.p1=K;hand.p2=?;actions=pb"]
    talk.send(VIEW)
    assert session.replayed == 2
    talk.send(OTHER)
    assert session.replayed == 3


def test_a_word_that_only_begins_alike_is_no_prefix(talk):
    talk.send("position startpos moves bet")
    assert talk.ask("position startpos moves better")[0].startswith(
        "info string error bad-position token 4:"
    )
    assert talk.ask("query turn")[-1] == "response none"


@pytest.mark.parametrize("change", ["ucinewgame", "setoption name Game value kuhn"])
def test_a_new_game_or_setting_reads_from_the_start(talk, change):
    talk.send(VIEW, change, f"{VIEW} p1:pass")
    assert talk.server.session.replayed == 3


@pytest.mark.parametrize(
    ("position", "code", "token"),
    [
        ("position", "bad-position", 2),
        ("position nonsense", "bad-position", 2),
        ("position view", "bad-position", 3),
        ("position view nonsense", "bad-position", 3),
        ("position view nonsense/1 me=p1", "bad-position", 3),
        ("position view kuhn/7", "bad-position", 3),
        ("position view kuhn/1 me=p1 hand.p1=X", "bad-position", 5),
        ("position view kuhn/1 me=p9", "bad-position", 4),
        ("position view kuhn/1 flurb=p1", "bad-position", 4),
        ("position view kuhn/1 me=p1 hand.p1=K hand.p2=Q", "bad-position", 6),
        ("position fen kuhn/1 seed=x", "bad-position", 4),
        ("position fen kuhn/1 seed=-1", "bad-position", 4),
        ("position fen kuhn/1 me=p1 seed=1", "bad-position", 5),
        ("position fen kuhn/1 hand.p1=K hand.p2=Q seed=1", "bad-position", 6),
        (f"{VIEW} p1:fold", "bad-position", 8),
        (f"{VIEW} p1:bet p2:bet p1:bet", "illegal-move", 10),
        (f"{VIEW} p2:bet", "illegal-move", 8),
        (f"{VIEW} ~deal@p1=Q", "inconsistent-view", 8),
        ("position view kuhn/1 me=p1 moves ~deal@p1=?", "inconsistent-view", 6),
        ("position view kuhn/1 me=p1 moves ~deal@p1=K ~deal@p2=Q", "inconsistent-view", 7),
        ("position view kuhn/1 me=p1 moves bet", "illegal-move", 6),
        ("position startpos moves bet ~deal@p1=K", "illegal-move", 5),
        ("position startpos moves ~deal@p1=K ~deal@p2=K", "illegal-move", 5),
    ],
)
def test_a_bad_position_is_refused_and_none_is_left(talk, position, code, token):
    for before in (VIEW, "ucinewgame"):
        lines = talk.ask("uhi", before, "isready", position)
        lines = lines[lines.index("readyok") + 1 :]
        assert len(lines) == 1
        assert lines[0].startswith(f"error {code} token {token}:"), lines
        lines = talk.ask("go nodes 50 id 3")
        assert lines == ["error no-position id=3 there is no valid position", "bestmove 0000 id 3"]
        assert bestmoves(talk.ask(VIEW, "go nodes 50"))[0] != "0000"


@pytest.mark.parametrize("text", ["startpos moves", "startpos", "fen kuhn/1 seed=3 moves"])
def test_moves_may_be_empty(talk, text):
    assert bestmoves(talk.ask(f"position {text}", "go nodes 50"))[0] != "0000"


def test_open_deals(talk):
    views = set()
    for seed in range(30):
        lines = talk.ask(f"position fen kuhn/1 seed={seed}", "query view")
        assert lines == talk.ask(f"position view kuhn/1 seed={seed} moves", "query view")
        views.add(lines[0])
    assert len(views) == 3, "seat 1 is shown its own card only"
    assert talk.ask("position startpos", "query view") == talk.ask(
        "position startpos moves", "query view"
    )
    assert talk.ask("position startpos moves pass", "query turn") == ["response p2"]
    assert talk.ask("query view")[0].startswith("response kuhn/1;me=p2;hand.p1=?")


def test_an_open_log_begins_with_luck(talk):
    talk.send("position startpos moves ~deal@p1=K")
    assert talk.ask("query turn") == ["response chance"]
    assert talk.ask("query view", "query legal", "query hash") == ["response -"] * 3
    assert talk.ask("go nodes 5")[0] == "info string no decision: luck decides here"
    talk.send("position startpos moves ~deal@p1=K ~deal@p2=J bet pass")
    assert talk.ask("query gameover", "query result", "query scores", "query ranks") == [
        "response true",
        "response p1win",
        "response 1,-1",
        "response 1,2",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "startpos",
        "startpos moves ~deal@p1=K",
        "fen kuhn/1 seed=1",
        "fen kuhn/1 hand.p1=K hand.p2=Q",
    ],
)
def test_strict_views_refuse_open_cards(talk, text):
    talk.send("setoption name strict VIEWS value TRUE")
    assert talk.ask(f"position {text}")[0].startswith("info string error bad-position token")
    assert bestmoves(talk.ask("go nodes 5")) == ["0000"]
    assert bestmoves(talk.ask(VIEW, "go nodes 5"))[0] != "0000"


def test_turning_strict_drops_an_open_position(talk):
    talk.send("position startpos", "setoption name Strict Views value true")
    assert bestmoves(talk.ask("go nodes 5")) == ["0000"]


# ---- queries ----


def test_queries_of_a_view(talk):
    answers = {
        "p1turn": "true",
        "gameover": "false",
        "result": "none",
        "turn": "p1",
        "players": "2",
        "ranks": "none",
        "legal": "pass,bet",
        "view": "kuhn/1;me=p1;hand.p1=K;hand.p2=?;actions=-",
        "game": "kuhn/1",
    }
    talk.send(VIEW)
    for word, value in answers.items():
        assert talk.ask(f"query {word}") == [f"response {value}"]
    assert re.fullmatch(r"response [0-9a-f]{16}", talk.ask("query hash")[0])


def test_a_seat_that_does_not_decide_has_no_moves(talk):
    talk.send(f"{VIEW} p1:bet")
    assert talk.ask("query turn", "query legal") == ["response p2", "response -"]
    assert talk.ask("go nodes 9") == [
        "info string no decision: seat 2 decides here, and this is the view of seat 1",
        "bestmove 0000",
    ]


def test_a_result_is_told_only_to_who_can_know_it(talk):
    assert talk.ask(f"{VIEW} bet bet", "query result", "query scores") == [
        "response p1win",
        "response 2,-2",
    ]
    middle = "position view kuhn/1 me=p1 moves ~deal@p1=Q ~deal@p2=? bet"
    assert talk.ask(f"{middle} pass", "query result") == ["response p1win"]
    assert talk.ask(f"{middle} bet", "query gameover", "query result", "query scores") == [
        "response true",
        "response none",
        "response ?,?",
    ]


def test_query_without_a_position_still_has_a_response(talk):
    assert talk.ask("query result") == [
        "info string error no-position there is no valid position",
        "response none",
    ]
    assert talk.ask("query game") == ["response kuhn/1"]
    assert talk.ask("query flurb")[-1] == "response none"


def test_people_get_info_strings(talk):
    lines = talk.ask("help", "d", "legal", VIEW, "d", "legal")
    assert len(lines) > 12
    assert all(line.startswith("info string") for line in lines)
    assert "king" in "".join(lines)


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
        ("name Hash value 0", "error bad-value option Hash takes a number from 1 to 65536"),
        ("name Hash value x", "error bad-value option Hash takes a number from 1 to 65536"),
        ("name Hash", "error bad-value option Hash needs a value"),
        ("name Ponder value 1", "error bad-value option Ponder takes true or false"),
        ("value 3", "error parse setoption needs: setoption name <name> [value <value>]"),
    ],
)
def test_setoption(talk, line, echo):
    assert talk.ask("debug on", f"setoption {line}") == [f"info string {echo}"]


def test_settings_belong_to_the_game(talk):
    for name in engine.available():
        for setting in engine.game_settings(name):
            words = [w for w in setting.values if w != setting.default] or [str(setting.low)]
            talk.send(f"setoption name Game value {name}", "ucinewgame")
            talk.send(f"setoption name {name} {setting.name} value {words[0]}")
            assert talk.ask("query game") == [f"response {name}/1;{setting.name}={words[0]}"]
            assert talk.ask("position startpos", "query game") == talk.ask("query game")
            talk.send(f"setoption name {name} {setting.name} value {setting.default}")


# ---- repeatability and secrecy ----


def repeat_lines(game):
    options = [f"setoption name Game value {game}", "setoption name MultiPV value 3"]
    return [*options, "position startpos", "go nodes 1000 seed 5"]


@pytest.mark.parametrize("game", engine.available())
def test_the_same_search_prints_the_same_lines(talk, game):
    lines = repeat_lines(game)
    first = without_times(talk.ask(*lines))
    assert len(bestmoves(first)) == 1
    assert without_times(talk.ask(*lines)) == first
    talk.ask("position startpos", "go nodes 77 seed 9")
    assert without_times(talk.ask("uhinewgame", *lines)) == first
    other = Process()
    for line in lines:
        other.send(line)
    assert without_times(other.read_until("bestmove")) == first
    other.close()


@pytest.mark.parametrize("game", engine.available())
def test_an_open_position_tells_a_seat_only_what_it_knows(talk, game):
    """Two states that the seat to move cannot tell apart get the same answers, byte for byte."""
    pairs = different = 0
    rng = RandomStream(11)
    rules = engine.load(game)
    longest = min(120, 2 * rules.max_plies)
    asked = ["query view", "query legal", "query hash", "query turn", "query p1turn"]
    asked += ["query game", "d", "legal", "go nodes 10", "go nodes 10 multipv 9 searchmoves x"]
    for index in range(60):
        state = rules.new_state()
        for _ in range(rng.below(longest)):
            if state.is_terminal:
                break
            moves = state.legal_moves()
            move = state.sample_chance(rng) if state.is_chance else moves[rng.below(len(moves))]
            state.apply(move)
        while state.is_chance:
            state.apply(state.sample_chance(rng))
        if state.is_terminal:
            continue
        view = state.view(state.seat_to_move)
        texts = [view.determinize(RandomStream(index, 9, i)).to_text() for i in range(2)]
        answers = []
        for text in texts:
            lines = talk.ask(f"position fen {text}", *asked)
            assert not any("error bad" in line for line in lines), lines
            answers.append(without_times(lines))
        assert answers[0] == answers[1]
        pairs += 1
        different += texts[0] != texts[1]
    assert pairs > 15 and different > 5


# ---- the process ----


class Process:
    """An engine process with pipes."""

    def __init__(self, **kwargs):
        self.popen = subprocess.Popen(
            ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kwargs
        )
        self._watchdog = threading.Timer(HANG_S, self.popen.kill)
        self._watchdog.start()

    def send(self, text, end="\n"):
        self.popen.stdin.write(text.encode() + end.encode())
        self.popen.stdin.flush()

    def read_until(self, start):
        """Return the lines up to the first that begins with `start`."""
        lines = []
        while not (lines and lines[-1].startswith(start)):
            raw = self.popen.stdout.readline()
            assert raw, f"output ended after {lines}"
            assert b"\r" not in raw
            lines.append(raw.decode().removesuffix("\n"))
        return lines

    def ended(self):
        """Close the input and return (exit code, seconds it took, standard error)."""
        start = time.monotonic()
        if not self.popen.stdin.closed:
            self.popen.stdin.close()
        code = self.popen.wait()
        seconds = time.monotonic() - start
        errors = self.popen.stderr.read().decode()
        self.close()
        return code, seconds, errors

    def close(self):
        self._watchdog.cancel()
        self.popen.kill()
        self.popen.wait()
        for stream in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            stream.close()


SEARCHES = ["", f"{VIEW}\ngo infinite\n", f"{VIEW}\ngo movetime 60000\n", f"{VIEW}\ngo ponder\n"]


@pytest.mark.parametrize("before", SEARCHES)
@pytest.mark.parametrize("how", ["quit", "end of input", "SIGTERM"])
def test_leaving(before, how):
    process = Process()
    process.send(f"isready\n{before}isready")
    process.read_until("readyok")
    process.read_until("readyok")
    if how == "quit":
        process.send("quit")
        process.popen.wait()
    elif how == "SIGTERM":
        process.popen.terminate()
        process.popen.wait()
    code, seconds, errors = process.ended()
    assert (code, errors) == (0, "")
    assert seconds < 10.0


def test_a_bounded_search_may_finish_at_the_end_of_input():
    process = Process()
    process.send(f"{VIEW}\ngo nodes 50", end="")
    process.popen.stdin.close()
    assert len(bestmoves(process.read_until("bestmove"))) == 1
    assert process.ended()[0] == 0


def test_a_reader_that_goes_away():
    process = Process()
    process.send(f"{VIEW}\ngo infinite\nisready")
    process.read_until("readyok")
    process.popen.stdout.close()
    process.send("isready")
    assert process.popen.wait() == 0
    assert process.popen.stderr.read() == b""
    process.close()


def test_blanks_and_line_ends():
    process = Process()
    process.send(
        "uci\r\n\t  isready \t\r\n   debug     on  \r\n\r\n"
        f"{VIEW.replace(' ', '   ')}\t\r\ngo   nodes   50\r\nquit",
        end="",
    )
    lines = process.read_until("uciok") + process.read_until("readyok")
    lines += process.read_until("bestmove")
    assert not any("error" in line for line in lines)
    assert process.ended()[0] == 0


def test_a_line_too_long_is_dropped_and_the_next_one_works():
    process = Process()
    process.send("uhi\nposition startpos " + "x" * (1 << 20) + "\nisready")
    process.read_until("uhiok")
    line = process.read_until("error")[0]
    assert line == "error parse line longer than 1048576 bytes, dropped"
    process.read_until("readyok")
    process.send(" " * ((1 << 20) - 7) + "isready")
    process.read_until("readyok")
    assert process.ended()[0] == 0


def test_bytes_that_are_no_text():
    process = Process()
    process.popen.stdin.write(b"uhi\nposition view \xff\xfe\x00\nxy\x80\nisready\n")
    process.popen.stdin.flush()
    process.read_until("error bad-position token 3:")
    process.read_until("error unknown-command")
    process.read_until("readyok")
    assert process.ended()[0] == 0


def test_whatever_else_prints_goes_to_standard_error(tmp_path):
    (tmp_path / "noise.py").write_text(
        "import protocol.session as s, os\n"
        "old = s.Session.set_position\n"
        "def loud(self, text):\n"
        "    print('noise', flush=True)\n"
        "    os.write(1, b'more\\n')\n"
        "    old(self, text)\n"
        "s.Session.set_position = loud\n"
        "import protocol.server\n"
        "raise SystemExit(protocol.server.run())\n"
    )
    run = subprocess.run(
        [sys.executable, str(tmp_path / "noise.py")],
        input=f"{VIEW}\ngo nodes 9\n",
        capture_output=True,
        text=True,
        timeout=HANG_S,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert {line.split()[0] for line in run.stdout.splitlines()} == {"info", "bestmove"}
    assert "noise" in run.stderr and "more" in run.stderr


@pytest.mark.parametrize("game", engine.available())
def test_isready_and_stop_are_quick_during_a_search(game):
    """Ten times the limits: 50 ms for `readyok`, 100 ms for `bestmove`."""
    process = Process()
    process.send(f"setoption name Game value {game}\nisready\nposition startpos\ngo infinite")
    process.read_until("readyok")
    worst = 0.0
    for _ in range(20):
        start = time.monotonic()
        process.send("isready")
        process.read_until("readyok")
        worst = max(worst, time.monotonic() - start)
    start = time.monotonic()
    process.send("stop")
    process.read_until("bestmove")
    assert worst < 0.5
    assert time.monotonic() - start < 1.0
    assert process.ended()[0] == 0
