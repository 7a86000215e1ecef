"""Steps: line ends, blanks, unknown words, long lines, numbers, strange bytes."""

import asyncio
import re

from bench.check.grammar import errors_among, without_remarks
from bench.check.steps import AT_ONCE_S, Skip, expect, in_time, step
from bench.check.subject import Subject, expect_legal
from bench.check.talk import Talk


@step("crlf", 2)
async def crlf(subject: Subject) -> None:
    """Read lines that end with CR LF."""
    moment = subject.material.start
    talk = await subject.talk()
    lines = f"{subject.dialect}newgame\r\n\r\n{moment.line}\r\ngo nodes 20\r\n"
    await talk.send_bytes(lines.encode())
    answer = await talk.answer()
    expect(not answer.errors, "no complaint", str([error.text for error in answer.errors]))
    expect_legal(answer.move, moment)


@step("blanks", 2)
async def blanks(subject: Subject) -> None:
    """Take blanks, tabs and CRs between, before and behind words in any number."""
    moment = subject.material.start
    talk = await subject.talk()
    await talk.silent("\t " + moment.line.replace(" ", " \t\r  ") + "  \t")
    await talk.silent("   debug   \t off  \r")
    await subject.stands_at(talk, moment)
    await talk.send("  \tgo\t\tnodes   20\t")
    expect_legal((await talk.answer()).move, moment)


@step("empty-lines", 2)
async def empty_lines(subject: Subject) -> None:
    """Pass over lines without any word."""
    await (await subject.talk()).silent("", "   ", "\t\r", "")


@step("word-before", 2)
async def word_before(subject: Subject) -> None:
    """Skip unknown words before a command."""
    talk = await subject.talk()
    await talk.send("joho isready")
    await talk.only_ready()
    moment = subject.material.start
    await talk.silent(f"please   {moment.line}")
    await subject.stands_at(talk, moment)


@step("unknown-line", 3)
async def unknown_line(subject: Subject) -> None:
    """Answer a line without a command by silence, under uhi by `error unknown-command`."""
    talk = await subject.talk()
    for line in ("xyzzy", "Isready", "readyok", "bestmove 0000"):
        if subject.dialect == "uhi":
            await talk.refused(line, "unknown-command")
        else:
            await talk.silent(line)


@step("other-blanks", 2)
async def other_blanks(subject: Subject) -> None:
    """Let nothing but blank, tab and CR separate words."""
    talk = await subject.talk()
    for blank in ("\u00a0", "\u2003", "\x0c", "\x0b", "\x1f"):
        await talk.send(f"isready{blank}isready")
        lines = await talk.sync()
        expect("readyok" not in lines, f"one unknown word, with {blank!a} inside", "readyok")


@step("unknown-go-words", 8)
async def unknown_go_words(subject: Subject) -> None:
    """Skip unknown words in a `go` line."""
    moment = subject.material.start
    talk = await subject.at(moment)
    answer = await talk.go("flurb 7 nodes 20 zork")
    expect(not answer.errors, "no complaint", str([error.text for error in answer.errors]))
    expect_legal(answer.move, moment)


@step("register", 4)
async def register(subject: Subject) -> None:
    """Ignore `register`."""
    await (await subject.talk()).silent("register later", "register name a code 1")


@step("debug", 4)
async def debug(subject: Subject) -> None:
    """Print nothing more than `info string` lines while debug is on."""
    moment = subject.material.start
    talk = await subject.talk()
    await talk.silent("debug on", moment.line, "stop", "ponderhit", "debug")
    await subject.stands_at(talk, moment)
    expect_legal((await talk.go("nodes 20")).move, moment)
    await talk.silent("debug off")


@step("split-packets", 2)
async def split_packets(subject: Subject) -> None:
    """Wait for the end of a line that comes in pieces."""
    moment = subject.material.start
    talk = await subject.talk()
    data = f"{moment.line}\nisready\n".encode()
    half = len(data) // 2
    for piece in (data[:1], data[1:half], data[half:-7], data[-7:-1]):
        await talk.send_bytes(piece, f"{len(piece)} bytes of `{moment.head}...` `isready`")
        await talk.quiet(0.02)
    await talk.send_bytes(data[-1:], "the last LF")
    await talk.only_ready()
    await subject.stands_at(talk, moment)


@step("one-write", 2)
async def one_write(subject: Subject) -> None:
    """Answer many commands of one write, each once and in order."""
    moment = subject.material.start
    talk = await subject.talk()
    asked = {"isready": "readyok", "query turn": f"response {moment.turn}"}
    if not subject.knows("turn"):
        del asked["query turn"]
    await talk.send(moment.line, *asked, *asked, "go nodes 20")
    answers = [x for x in (await talk.answer()).lines if not x.startswith("info")]
    wanted = [*asked.values(), *asked.values()]
    expect(answers[:-1] == wanted, "; ".join(wanted), "; ".join(answers[:-1]))
    await talk.send(*["isready"] * BURST)
    for _ in range(BURST):
        await talk.until("readyok")


BURST = 200
"""Lines of one write."""

MOST_BYTES = 64 << 20
"""Longest line that is tried."""


def _size(subject: Subject) -> int:
    """Return how long a line of the engine may be; Skip if that is too much to try."""
    size = subject.max_line
    if size > MOST_BYTES:
        raise Skip(f"lines may have {size} bytes, more than the {MOST_BYTES} that are tried")
    return size


@step("longest-line", 2)
async def longest_line(subject: Subject) -> None:
    """Take a line of exactly the longest length."""
    talk = await subject.talk()
    size = _size(subject)
    await talk.send_bytes(
        b"isready" + b" " * (size - 7) + b"\n", f"isready and blanks, {size} bytes"
    )
    await talk.only_ready()


@step("longer-line", 2)
async def longer_line(subject: Subject) -> None:
    """Drop a line that is one byte too long with one error `parse`."""
    talk = await subject.talk()
    size = _size(subject) + 1
    await talk.send_bytes(
        b"isready" + b" " * (size - 7) + b"\n", f"isready and blanks, {size} bytes"
    )
    talk.one_error(await talk.sync(), f"a line of {size} bytes", "parse")


@step("huge-line", 2)
async def huge_line(subject: Subject) -> None:
    """Drop a line of several times the longest length with one error, and read the next."""
    talk = await subject.talk()
    piece = b"x" * (_size(subject) // 2)
    for _ in range(7):
        await talk.send_bytes(piece, f"{len(piece)} bytes without a line end")
    await talk.send_bytes(b"\n", "LF")
    talk.one_error(await talk.sync(), "a huge line", "parse")
    await subject.stands_at(await subject.at(subject.material.start), subject.material.start)


@step("huge-numbers", 2)
async def huge_numbers(subject: Subject) -> None:
    """Bring numbers beyond 64 bits to the nearest limit."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    huge = "9" * 40
    clocks = " ".join(f"p{seat + 1}time {huge}" for seat in range(subject.game.num_seats))
    for limits in (
        f"nodes {huge} movetime 40",
        f"movetime {huge} nodes 20",
        f"{clocks} nodes 20",
        f"nodes 20 seed {huge}",
        f"movetime -{huge}",
        f"nodes -{huge}",
    ):
        answer = await talk.go(limits)
        expect(not answer.errors, "no complaint", str([error.text for error in answer.errors]))
        expect_legal(answer.move, moment)


@step("number-signs", 2)
async def number_signs(subject: Subject) -> None:
    """Take whole numbers with an optional sign; anything else is none."""
    moment = subject.material.choice
    talk = await subject.at(moment)
    for limits in ("nodes +20", "nodes 0020", "nodes 1e9 nodes 20", "depth 1.5 nodes 20"):
        expect_legal((await talk.go(limits)).move, moment)

    async def wait() -> float:
        answer = await talk.go("nodes 1000000000 movetime -0")
        expect_legal(answer.move, moment)
        return answer.seconds

    await in_time(wait, AT_ONCE_S, "bestmove for `movetime -0`")


@step("strange-bytes", 2)
async def strange_bytes(subject: Subject) -> None:
    """Survive bytes that are no UTF-8, NULs and other control characters."""
    talk = await subject.talk()
    for data in (
        b"\xff\xfe\xc3(\n",
        b"\x00\n",
        b"\x00isready\x00\n",
        b"\xed\xa0\x80\n",
        b"\x1b[2J\n",
    ):
        await talk.send_bytes(data, f"bytes {data!r}")
        for line in without_remarks(await talk.sync(), talk.dialect):
            expect(bool(errors_among([line], talk.dialect)), "an error or silence", line)
    await talk.send_bytes(b"position view \xff\xfe/1\n")
    talk.one_error(await talk.sync(), "position view with bytes that are no UTF-8", "bad-position")
    await subject.stands_at(await subject.at(subject.material.start), subject.material.start)


@step("visible-errors", 7)
async def visible_errors(subject: Subject) -> None:
    """Write what cannot be printed as an escape in error texts."""
    talk = await subject.talk()
    for word in ("\x1b]0;title\x07", "a\u202eb", "x\u2028y"):
        # The parser of errors looks at each character.
        await talk.refused(f"position view {word}", "bad-position")
        text = await talk.refused(f"position view {word}/1 me=p1", "bad-position")
        expect(not re.search(r"[\x00-\x1f\u202e\u2028]", text), "an escape", ascii(text))


@step("short-errors", 7)
async def short_errors(subject: Subject) -> None:
    """Cut short what error texts repeat."""
    talk = await subject.talk()
    text = await talk.refused(f"position view {'x' * 20000}", "bad-position")
    expect(len(text) < 2000, "an error text of less than 2000 characters", f"{len(text)}")


@step("last-line", 2)
async def last_line(subject: Subject) -> None:
    """Carry out a last line that lacks its end."""
    talk = await subject.open()
    await talk.send_bytes(b"isready")
    await asyncio.sleep(0)
    talk.wire.close_input()
    talk.note("(end of input)")
    await _ends_with_ready(talk)


async def _ends_with_ready(talk: Talk) -> None:
    await talk.until("readyok")
    await talk.ended()
