"""Hostile lines: as long as allowed, huge numbers, strange characters; each is answered soon."""

import time

import pytest
from talking import VIEW, bestmoves

import engine
from protocol.messages import MAX_LINE

MAX_INT = 2**63 - 1
# Ten times the limit of half a second. What is quadratic takes far longer.
SOON_S = 5.0
HUGE = "1" * 5000


def filled(start, piece, end=""):
    """Return a line of the greatest length: `start`, then `piece` again and again, then `end`."""
    number = (MAX_LINE - len(start) - len(end)) // len(piece)
    return start + piece * number + end


LONG_LINES = [
    filled("", "x "),
    filled("", "x\t"),
    filled("", " "),
    filled("", "\t\r "),
    filled("", "x ", "isready"),
    filled("setoption name ", "x "),
    filled("setoption name ", "x\t", "value 3"),
    filled("setoption ", "x "),
    filled("setoption ", "name value "),
    filled("setoption name Hash value ", "x "),
    filled("setoption name Preset value ", "x"),
    filled("setoption name Hash value ", "1"),
    filled("go ", "x ", "nodes 5"),
    filled("go ", "nodes 5 "),
    filled("go nodes ", "1", " movetime 5"),
    filled("go searchmoves ", "x ", "nodes 5"),
    filled("go nodes 5 id ", "x"),
    filled("position ", "x "),
    filled("position view ", "x "),
    filled("position view ", "x"),
    filled("position view ", "moves "),
    filled("position view " + "A" * 500_000 + " ", "a=1 "),
    filled("position view kuhn/" + "A" * 500_000 + " ", "a=1 "),
    filled("position view kuhn/1 me=p1 ", "hand.p1=K "),
    filled("position view kuhn/1 me=p1 " + "A" * 500_000 + " ", "a=1 "),
    filled("position view kuhn/1 me=p1 hand.p1=", "K"),
    filled("position fen kuhn/1 ", "seed=1 "),
    filled("position fen kuhn/1 seed=", "1"),
    filled("position startpos moves ", "x "),
    filled("position startpos moves ", "~"),
    filled("position startpos moves bet ", "bet "),
    filled("query ", "x "),
    filled("uhi ", "x"),
    filled("uhi ", "1 "),
    filled("debug ", "on "),
]


@pytest.mark.parametrize("line", LONG_LINES, ids=lambda line: repr(line[:28] + ".." + line[-8:]))
def test_a_line_of_the_greatest_length_is_answered_soon(talk, line):
    talk.ask("uhi", VIEW)
    start = time.monotonic()
    lines = talk.ask(line, "isready")
    assert time.monotonic() - start < SOON_S
    assert "readyok" in lines
    assert not any("internal" in x for x in lines)
    assert all(len(x) < 300 for x in lines if not x.startswith("game "))


@pytest.mark.parametrize("name", engine.available())
def test_long_lines_about_each_game(talk, name):
    talk.ask("uhi", f"setoption name Game value {name}")
    for start, piece in [
        ("me=p1 ", "a=1 "),
        ("me=p1 ", "x "),
        ("", "me=p1 "),
        ("me=", "p"),
        ("", "?"),
    ]:
        begin = time.monotonic()
        line = talk.ask(filled(f"position view {name}/1 {start}", piece))[0]
        assert time.monotonic() - begin < SOON_S
        assert line.startswith("error bad-position token") and len(line) < 500
    begin = time.monotonic()
    assert "bad-position" in talk.ask(filled("position startpos moves ", "x.y "))[0]
    assert time.monotonic() - begin < SOON_S


@pytest.mark.parametrize("number", [10**12, 10**13, MAX_INT, 10**30, int(HUGE[:4000])])
@pytest.mark.parametrize("sign", ["", "-"])
def test_huge_times(talk, number, sign):
    """Positive: a search that its other limit ends; negative: a move at once."""
    word = f"{sign}{number}"
    for time_words in (
        f"movetime {word}",
        f"p1time {word} p2time {word}",
        f"p1time 9000 p1inc {word} p2inc {word}",
        f"p1time {word} movestogo {number}",
        f"p1time {word} p1inc {word} movestogo 1",
    ):
        talk.send(VIEW)
        lines = talk.ask(f"go {time_words} nodes 50")
        assert [x.split()[0] for x in lines] == ["info", "bestmove"], lines
        if not sign:
            assert " nodes 50 " in lines[0]


@pytest.mark.parametrize("number", [10**13, MAX_INT, 10**30])
@pytest.mark.parametrize("key", ["movetime", "p1time"])
def test_ponderhit_with_a_huge_time(talk, number, key, capfd):
    talk.send(VIEW, f"go ponder {key} {number} p1inc {number}", "ponderhit")
    assert not talk.server.job.done.wait(0.1)
    lines = talk.ask("stop")
    assert len(bestmoves(lines)) == 1
    assert not any("error" in x for x in lines)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "go",
    [
        f"nodes {HUGE} movetime 20",
        f"worlds {HUGE} movetime 20",
        f"depth {HUGE} movetime 20",
        f"movetime {HUGE} nodes 50",
        f"p1time {HUGE} p1inc {HUGE} movestogo {HUGE} nodes 50",
        f"nodes 50 multipv {HUGE}",
        f"nodes 50 seed {HUGE}",
        f"nodes 50 seed -{HUGE}",
        f"mate {HUGE} nodes 50",
    ],
)
def test_numbers_of_thousands_of_digits_in_go(talk, go):
    lines = talk.ask(VIEW, f"go {go}")
    assert not any("internal" in x for x in lines)
    assert " nodes 0 " not in lines[-2]
    assert bestmoves(lines)[0] in ("pass", "bet")


def test_numbers_of_thousands_of_digits_in_options(talk):
    talk.send("uhi")
    for option in talk.server.options._options.values():
        lines = talk.ask("isready", f"setoption name {option.name} value {HUGE}")
        lines = lines[lines.index("readyok") + 1 :]
        assert not any("internal" in x for x in lines), lines
        assert (len(lines) == 1 and lines[0].startswith("error bad-value")) or (
            not lines and option.kind == "button"
        )
    for game in engine.available():
        words = [f"position view {game}/{HUGE}", f"position fen {game}/1 seed={HUGE}x"]
        words += [f"position view {game}/1 {x.name}={HUGE}" for x in engine.game_settings(game)]
        for line in words:
            lines = talk.ask(line)
            assert len(lines) == 1 and lines[0].startswith("error bad-position"), lines
    talk.send(f"uhi {HUGE}", f"debug {HUGE}")


# ---- characters ----


@pytest.mark.parametrize(
    "character", ["\xa0", "\v", "\f", "\x85", "\u2028", "\u3000", "\x1c", "\0"]
)
def test_only_blank_tab_and_return_separate_words(talk, character):
    talk.send("uhi", VIEW)
    assert talk.ask(f"isready{character}")[-1].startswith("error unknown-command")
    assert talk.ask(f"query{character}turn")[-1].startswith("error unknown-command")
    assert talk.ask(f"go{character}infinite")[-1].startswith("error unknown-command")
    assert talk.ask(f"setoption name{character}Hash value 3")[-1].startswith("error parse")
    assert talk.ask(f"setoption name Hash value 3{character}")[-1].startswith("error bad-value")
    assert talk.ask(f"position{character}startpos")[-1].startswith("error unknown-command")
    assert talk.ask(f"position startpos{character}moves")[-1].startswith(
        "error bad-position token 2"
    )
    line = f"position view kuhn/1 me=p1{character}hand.p1=K"
    assert talk.ask(line)[-1].startswith("error bad-position token 4")
    assert talk.ask(f"position startpos moves bet{character}")[-1].startswith(
        "error bad-position token 4"
    )
    assert talk.ask("position\r startpos\tmoves  bet\r", "query turn") == ["response p2"]


@pytest.mark.parametrize(
    "word", ["\x1b[31mx", "a\0b", "x\u202ey", "\x7f", "a\x85b", "z" * 65, "z" * 1_000_000]
)
def test_an_id_that_is_not_allowed_is_ignored(talk, word):
    talk.send("uhi", VIEW)
    lines = talk.ask("isready", f"go nodes 5 id {word}")
    lines = lines[lines.index("readyok") + 1 :]
    assert lines[0] == "error bad-value go id: at most 64 characters, all of them printable"
    assert [x.split()[0] for x in lines[1:]] == ["info", "bestmove"]
    assert len(lines[-1].split()) == 2


@pytest.mark.parametrize("word", ["z" * 64, "é7", "a,b=c"])
def test_an_id_that_is_allowed_comes_back(talk, word):
    assert talk.ask("uhi", VIEW, f"go nodes 5 id {word}")[-1].endswith(f" id {word}")


def test_no_control_character_comes_back(talk):
    word = "a\x1b[2J\x07\0\x85\u202e\xa0z"
    talk.send("uhi", "debug on")
    for line in (
        word,
        f"uhi {word}",
        f"setoption name {word} value 1",
        f"setoption name Game value {word}",
        *(f"setoption name {g} {s.name} value {word}" for g in engine.available()
          for s in engine.game_settings(g)),
        f"position {word}",
        f"position view {word}",
        f"position view {word}/1",
        f"position view kuhn/1 {word}",
        f"position view kuhn/1 hand.p1={word}",
        f"position startpos moves {word}",
        f"position startpos moves p1:{word}",
        f"position startpos moves ~{word}",
        f"query {word}",
        f"debug {word}",
    ):  # fmt: skip
        for answer in talk.ask(line):
            assert answer.isprintable(), repr(answer)
    assert talk.ask(VIEW, f"go nodes 5 searchmoves {word} id {word}")[-1].isprintable()
