"""Recorded sessions: the files of tests/transcripts, and the blocks in protocol/SPEC.md.

    ---           ends the process and starts the next
    > line        is sent
    < line        is the next line of output; `*` stands for any text
    ~ start       any number of lines that begin so may come here
    # ...         a remark

At the end the input is closed; nothing more may come and the exit code must be 0. After a change of
what the engine prints, `python tests/test_transcripts.py` rewrites the `<` lines that do not match
any more (not those of SPEC.md, nor of a file that begins with `# By hand`, since only a person can
say how far a search gets before the next command).
"""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "tests" / "transcripts").glob("*.txt"))
SPEC = (ROOT / "protocol" / "SPEC.md").read_text()
BLOCKS = [match.group(1) for match in re.finditer(r"```session\n(.*?)```", SPEC, re.DOTALL)]


def pattern(text):
    """Return the regular expression of an expected line."""
    return ".*".join(re.escape(part) for part in text.split("*"))


def replay(text):
    """Play sessions, each with a new process; fail at the first line that differs."""
    from talking import Process

    for session in text.split("\n---\n"):
        with Process() as process:
            _replay(process, session)


def _replay(process, text):
    optional = []
    sent = []
    for number, line in enumerate(text.splitlines(), 1):
        mark, _, rest = line.partition(" ")
        if mark == ">":
            process.send(rest)
            sent.append(rest)
        elif mark == "~":
            optional.append(rest)
        elif mark == "<":
            got = process.read_line()
            while not re.fullmatch(pattern(rest), got) and got.startswith(tuple(optional)):
                got = process.read_line()
            if not re.fullmatch(pattern(rest), got):
                pytest.fail(f"line {number}, after {sent[-1]!r}:\nexpected {rest}\ngot      {got}")
            optional = []
        else:
            assert not line.strip() or mark.startswith("#"), f"line {number}: {line!r}"
    process.popen.stdin.close()
    left = [
        line for line in process.read_rest() if not (optional and line.startswith(tuple(optional)))
    ]
    assert not left, f"after the last line: {left}"
    assert process.ended()[0] == 0


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_transcript(path):
    replay(path.read_text())


def test_there_are_transcripts():
    assert len(FILES) >= 6
    assert len(BLOCKS) >= 5


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_sessions_of_the_specification(number):
    replay(BLOCKS[number])


def test_the_specification_names_everything():
    """Each command, option, limit, query and error code has its place in SPEC.md."""
    from protocol import messages
    from protocol.server import Server

    server = Server(1)
    words = [*server._handlers, *server._people, *messages.QUERIES, *messages._INTS]
    words += ["infinite", "ponder", "searchmoves", "id"]
    for word in words:
        assert re.search(rf"`{word}\b|, {word}\b|\b{word}`", SPEC), word
    for option in server.options._options.values():
        assert option.setting is not None or f"| {option.name} |" in SPEC, option.name
    codes = {v for k, v in vars(messages).items() if k.isupper() and isinstance(v, str)}
    for code in codes - {"0000", "uci", "ugi", "uhi", messages.BLANKS}:
        assert f"| `{code}` |" in SPEC, code


def test_a_difference_is_noticed():
    with pytest.raises(pytest.fail.Exception, match="expected readyoo"):
        replay("> isready\n< readyoo\n")
    with pytest.raises(AssertionError, match="after the last line"):
        replay("> isready\n")
    replay("> isready\n~ x\n< ready*\n")


def rewrite(path):
    """Replace the expected lines of a transcript that do not match what the engine prints now."""
    from talking import Talk

    talk = Talk()
    talk.server.handle("setoption name Game value " + talk.server.options.find("Game").default)
    out, old, optional = [], [], []

    def settle():
        """Write the expected lines for the latest output, keeping the old ones that still fit."""
        lines = [x for x in printed if not (optional and x.startswith(tuple(optional)))]
        if len(lines) != len(old):
            old.extend([""] * len(lines))
        out.extend(f"~ {start}" for start in optional)
        for got, was in zip(lines, old, strict=False):
            new = re.sub(r"\b(time|nps) \d+", r"\1 *", got)
            out.append(f"< {was if was and re.fullmatch(pattern(was), got) else new}")
        old.clear()
        optional.clear()

    printed = []
    for line in path.read_text().splitlines():
        if line.startswith("< "):
            old.append(line[2:])
        elif line.startswith("~ "):
            optional.append(line[2:])
        else:
            settle()
            out.append(line)
            printed = talk.ask(line[2:]) if line.startswith("> ") and line != "> quit" else []
    settle()
    path.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    for transcript in FILES:
        if not transcript.read_text().startswith("# By hand"):
            rewrite(transcript)
