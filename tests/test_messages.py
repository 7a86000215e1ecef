"""Reading is lenient, printing is strict."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import messages
from protocol.messages import (
    MAX_LINE,
    ProtocolError,
    one_line,
    parse_go,
    parse_int,
    parse_setoption,
    split_at,
    split_command,
    split_words,
)

WORDS = frozenset(["isready", "go", "position"])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("isready", ("isready", "")),
        ("\t  isready \t\r", ("isready", " \t\r")),
        ("joho isready", ("isready", "")),
        ("xyzzy", ("", "")),
        ("", ("", "")),
        (" \r\t ", ("", "")),
        ("goo  go  nodes 5", ("go", "  nodes 5")),
        ("isready\x0b", ("", "")),
        ("\xa0go", ("", "")),
        ("x\ty\rgo\tz", ("go", "\tz")),
    ],
)
def test_first_known_word_is_the_command(line, expected):
    assert split_command(line, WORDS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b  c", ("a ", "b", "  c")),
        ("b", ("", "b", "")),
        ("\tb\r", ("\t", "b", "\r")),
        ("a bb", ("a bb", "", "")),
        ("", ("", "", "")),
    ],
)
def test_split_at_the_first_of_some_words(text, expected):
    assert split_at(text, frozenset("bc")) == expected


def test_only_blank_tab_and_return_are_blanks():
    assert split_words(" a\tb\r c ") == ["a", "b", "c"]
    for other in "\v\f\x1c\x85\xa0\u2028\u3000":
        assert split_words(f"a{other}b c") == [f"a{other}b", "c"]


@given(st.text(alphabet=" \t\rabc"))
def test_splitting_loses_nothing(text):
    before, word, behind = split_at(text, frozenset(["a", "bb"]))
    assert before + word + behind == text
    assert split_words(before) + [word] * bool(word) + split_words(behind) == split_words(text)
    assert not {"a", "bb"} & {*split_words(before)}


@pytest.mark.parametrize("blank", [" ", "\t", "\r"])
@pytest.mark.parametrize(
    "parse", [split_words, parse_go, messages.split_position, messages.parse_info, one_line,
              lambda text: parse_setoption(f"name {text}"), lambda text: split_command(text, WORDS)]
)  # fmt: skip
def test_the_longest_line_is_parsed_in_linear_time(parse, blank):
    """Ten times the limit; what is quadratic takes much longer."""
    start = time.perf_counter()
    parse(f"x{blank}" * (MAX_LINE // 2))
    assert time.perf_counter() - start < 5.0


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("0", 0),
        ("+7", 7),
        ("-7", -7),
        ("007", 7),
        ("9223372036854775807", 2**63 - 1),
        ("9223372036854775808", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("9" * 5000, 2**63 - 1),
        ("-" + "9" * 5000, -(2**63)),
        ("0" * 5000 + "1", 1),
        ("", None),
        ("-", None),
        ("1_0", None),
        ("1.5", None),
        ("0x10", None),
        ("٣", None),
        ("²", None),
    ],
)
def test_numbers_saturate(word, value):
    assert parse_int(word) == value


def test_go_reads_limits_in_any_order():
    go = parse_go("ponder p2inc 3 id a7 winc 2 btime 500 wtime 400 movestogo 9 searchmoves x y z")
    assert go.times == {0: 400, 1: 500}
    assert go.incs == {0: 2, 1: 3}
    assert (go.movestogo, go.id, go.ponder, go.infinite) == (9, "a7", True, False)
    assert go.searchmoves == ["x", "y", "z"]


def test_searchmoves_end_at_the_next_limit():
    go = parse_go("searchmoves x y nodes 5")
    assert (go.searchmoves, go.nodes) == (["x", "y"], 5)


@pytest.mark.parametrize("word", ["a", "é", "x" * 64])
def test_an_id_is_short_and_printable(word):
    go = parse_go(f"nodes 5 id {word} depth 3")
    assert (go.id, go.faults, go.depth) == (word, [], 3)


@pytest.mark.parametrize("word", ["x" * 65, "\x1b[1m", "\0", "a\xa0b"])
def test_another_id_is_a_fault_and_is_ignored(word):
    go = parse_go(f"nodes 5 id {word} depth 3")
    assert (go.id, len(go.faults), go.nodes, go.depth) == (None, 1, 5, 3)


def test_go_skips_unknown_words():
    assert parse_go("flurb 7 nodes 50 zork").nodes == 50


def test_of_doubled_limits_the_last_counts():
    assert parse_go("nodes 5 depth 2 nodes 7").nodes == 7


@pytest.mark.parametrize("text", ["nodes movetime 7", "nodes abc movetime 7", "id movetime 7"])
def test_a_missing_value_swallows_no_keyword(text):
    go = parse_go(text)
    assert (go.nodes, go.id, go.movetime) == (None, None, 7)


@pytest.mark.parametrize("text", ["", "nodes", "movetime x", "movestogo 5", "p2time 9", "zork"])
def test_go_without_a_limit_for_the_seat(text):
    assert not parse_go(text).is_bounded(0)


@pytest.mark.parametrize("text", ["nodes 0", "movetime -5", "p1time 9", "wtime -1", "mate 3"])
def test_go_with_a_limit_for_the_seat(text):
    assert parse_go(text).is_bounded(0)


def test_counts_of_zero_are_as_if_not_given():
    go = parse_go("movestogo 0 multipv 0 nodes 0")
    assert (go.movestogo, go.multipv, go.nodes) == (None, None, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" name Hash value 32", ("Hash", "32")),
        (" name  Move \t Overhead  value  130 \r", ("Move Overhead", " 130 ")),
        (" name Clear Hash", ("Clear Hash", None)),
        (" name File value a value of  two ", ("File", "a value of  two ")),
        (" name File value", ("File", "")),
        (" junk name A value b", ("A", "b")),
    ],
)
def test_setoption(text, expected):
    assert parse_setoption(text) == expected


@pytest.mark.parametrize("text", ["", " value 3", " name", " name value 3"])
def test_setoption_without_a_name_is_refused(text):
    with pytest.raises(ProtocolError) as caught:
        parse_setoption(text)
    assert caught.value.code == "parse"


def test_position_splits_at_moves():
    assert messages.split_position("view a b=c moves d e") == (["view", "a", "b=c"], ["d", "e"])
    assert messages.split_position("startpos moves") == (["startpos"], [])
    assert messages.split_position("startpos") == (["startpos"], [])


def test_bestmove_has_two_words_under_ugi():
    line = messages.format_bestmove("ugi", "a", "b", "7")
    assert line == "bestmove a"
    assert messages.format_bestmove("uci", "a", "b", "7") == "bestmove a ponder b"
    assert messages.format_bestmove("uhi", "a", "b", "7") == "bestmove a ponder b id 7"


@given(st.text())
def test_an_error_is_one_printable_line(text):
    line = messages.format_error("uhi", "parse", text)
    assert line.isprintable() and len(line) < 5000


def test_what_cannot_be_printed_is_written_as_an_escape():
    assert one_line("a \x1b[2J\0b\u202e é") == "a \\x1b[2J\\x00b\\u202e é"
    assert one_line("x" * 500, 80) == "x" * 77 + "..."


def test_errors_are_info_strings_for_old_clients():
    assert messages.format_error("uci", "parse", "a\nb") == "info string error parse a b"
    assert messages.format_error("uhi", "parse", "a", "7") == "error parse id=7 a"


@given(st.text())
def test_a_response_has_two_words(text):
    assert len(messages.format_response(text).split()) == 2


def test_info_comes_back_as_it_was_sent():
    numbers = (3, 5, 2, 900, 800, 70, 6, 50)
    line = messages.format_info(*numbers, -1.25, (1, 2, 997), 13, True, ["a", "b"])
    assert messages.parse_info(line) == {
        "depth": 3,
        "seldepth": 5,
        "multipv": 2,
        "nodes": 900,
        "worlds": 800,
        "nps": 70,
        "hashfull": 6,
        "time": 50,
        "cp": -125,
        "wdl": (1, 2, 997),
        "se": 13,
        "solved": 1,
        "pv": ["a", "b"],
    }
    plain = messages.format_info(*numbers, 1.0, None, None, False, ["a"])
    assert plain.endswith(" time 50 score cp 100 pv a")


def test_info_of_strangers_is_read_as_far_as_possible():
    line = "info depth x score mate -3 lowerbound currmove q nodes 7 string pv a"
    assert messages.parse_info(line) == {"mate": -3, "nodes": 7, "string": "pv a"}


@given(st.text())
def test_no_line_breaks_the_parsers(text):
    split_command(text, WORDS)
    parse_go(text)
    messages.split_position(text)
    messages.parse_info(text)
    messages.parse_int(text)
