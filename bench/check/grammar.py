"""The output grammar of SPEC.md part 7, read strictly."""

import re

from bench.check.steps import Failure, expect, fail
from bench.text import visible
from protocol.messages import DIALECTS, UCI, UGI, UHI, split_words

OUT_WORDS = frozenset(
    "id option uciok ugiok uhiok readyok feature game info bestmove response error".split()
)
"""Words that a line of output may begin with."""

_UHI_WORDS = frozenset(("feature", "game", "error", "uhiok"))

ERROR_CODES = frozenset(
    "parse unknown-command bad-option bad-value bad-position inconsistent-view illegal-move "
    "no-position unsupported internal".split()
)
"""All codes of errors."""

KINDS = ("check", "spin", "combo", "button", "string")
"""The types of options."""

MOVE = re.compile(r"[A-Za-z0-9][A-Za-z0-9+=.:@#/()_-]{0,63}")

_WHOLE = re.compile(r"[+-]?[0-9]{1,19}")
_OPTION_KEYS = ("default", "min", "max", "var")
_INFO_NUMBERS = "depth seldepth multipv nodes worlds nps hashfull time se solved".split()
_FORBIDDEN = frozenset(("name", "type", "value", *_OPTION_KEYS))
_SHOWN = 300


class Declared:
    """An option as its line declares it; what the line does not give is None."""

    __slots__ = ("choices", "default", "high", "kind", "low", "name")

    def __init__(self, name: str, kind: str) -> None:
        self.name, self.kind = name, kind
        self.default: str | None = None
        self.low: int | None = None
        self.high: int | None = None
        self.choices: list[str] = []


class Error:
    """A complaint of the engine: its code, the id of the `go` it belongs to or "", its text."""

    __slots__ = ("code", "go_id", "text")

    def __init__(self, code: str, go_id: str, text: str) -> None:
        self.code, self.go_id, self.text = code, go_id, text


class Answer:
    """What came between a `go` and its `bestmove`, both included."""

    __slots__ = ("dialect", "go_id", "lines", "move", "ponder", "seconds")

    def __init__(self, lines: list[str], dialect: str, seconds: float) -> None:
        self.lines, self.dialect, self.seconds = lines, dialect, seconds
        self.move, self.ponder, self.go_id = parse_bestmove(lines[-1], dialect)

    @property
    def errors(self) -> list[Error]:
        """Complaints that came before the answer."""
        return errors_among(self.lines, self.dialect)

    @property
    def report(self) -> list[dict[str, object]]:
        """The lines with a pv that stand directly before `bestmove`, up to a second rank 1."""
        found: list[dict[str, object]] = []
        for line in reversed(self.lines[:-1]):
            info = parse_info(line) if line.startswith("info ") else {}
            if "pv" not in info:
                break
            found.insert(0, info)
            if info.get("multipv", 1) == 1:
                break
        return found


def shown(line: str, size: int = _SHOWN) -> str:
    """Return a line made visible, cut to about `size` characters with its length told."""
    if len(line) <= size:
        return line if line.isprintable() else visible(line)
    half = size // 2
    return f"{visible(line[:half])} ... {visible(line[-half:])} ({len(line)} characters)"


def read_raw_line(raw: bytes, dialect: str) -> str:
    """Return a line of output without its end; Failure if it is none of the grammar."""
    text = raw.decode("utf-8", "replace")
    expect(raw.endswith(b"\n"), "output in whole lines, each ended by LF", shown(text))
    expect(b"\r" not in raw, "output without any CR", repr(raw[:_SHOWN])[1:])
    expect(text.encode() == raw, "output in UTF-8", repr(raw[:_SHOWN])[1:])
    line = text[:-1]
    words = split_words(line)
    first = words[0] if words else ""
    if first not in OUT_WORDS or line != line.lstrip():
        fail("nothing on standard output but lines of the protocol", shown(line) or "an empty line")
    if dialect != UHI and first in _UHI_WORDS:
        fail(f"no `{first}` line in the dialect {dialect}", shown(line))
    return line


def parse_bestmove(line: str, dialect: str) -> tuple[str, str, str]:
    """Return move, ponder move and id of a `bestmove` line, the latter two "" if not there."""
    words = split_words(line)
    rest = words[2:]
    ponder = go_id = ""
    if rest[:1] == ["ponder"] and len(rest) > 1 and dialect != UGI:
        ponder, rest = rest[1], rest[2:]
    if rest[:1] == ["id"] and len(rest) > 1 and dialect == UHI:
        go_id, rest = rest[1], rest[2:]
    form = {
        UCI: "bestmove MOVE [ponder MOVE]",
        UGI: "exactly two words, bestmove MOVE",
        UHI: "bestmove MOVE [ponder MOVE] [id ID]",
    }
    good = len(words) > 1 and not rest and MOVE.fullmatch(words[1])
    expect(bool(good), form[dialect], shown(line))
    return words[1], ponder, go_id


def parse_response(line: str) -> str:
    """Return the one word of a `response` line."""
    words = split_words(line)
    expect(len(words) == 2, "exactly two words, response ANSWER", shown(line))
    return words[1]


def parse_error(line: str, dialect: str) -> Error | None:
    """Return the complaint that a line is; None if it is something else."""
    start = "error " if dialect == UHI else "info string error "
    if not line.startswith(start):
        return None
    code, _, text = line.removeprefix(start).partition(" ")
    expect(code in ERROR_CODES, f"one of the error codes: {' '.join(sorted(ERROR_CODES))}", line)
    go_id = ""
    if dialect == UHI and text.startswith("id="):
        go_id, _, text = text.removeprefix("id=").partition(" ")
    expect(bool(text.strip()), "a text behind the error code", shown(line))
    expect(text.isprintable(), "an error text of printable characters", shown(line))
    return Error(code, go_id, text)


def errors_among(lines: list[str], dialect: str) -> list[Error]:
    """Return the complaints among some lines."""
    found = (parse_error(line, dialect) for line in lines)
    return [error for error in found if error is not None]


def is_remark(line: str, dialect: str) -> bool:
    """Return True for an `info string` line that is no complaint."""
    return line.startswith("info string ") and not errors_among([line], dialect)


def without_remarks(lines: list[str], dialect: str) -> list[str]:
    """Return the lines that are no remarks."""
    return [line for line in lines if not is_remark(line, dialect)]


def parse_info(line: str) -> dict[str, object]:
    """Return the fields of an `info` line; those of SPEC.md must be right, others are skipped."""
    words = split_words(line)
    fields: dict[str, object] = {}
    i = 1
    while i < len(words):
        key, values = words[i], words[i + 1 :]
        i += 1
        if key == "string":
            fields[key] = " ".join(values)
            break
        if key == "pv":
            good = bool(values) and all(MOVE.fullmatch(word) for word in values)
            expect(good, "one move or more behind `pv`", shown(line))
            fields[key] = values
            break
        if key in _INFO_NUMBERS:
            fields[key] = _number(key, values, line)
            i += 1
        elif key == "score":
            expect(values[:1] in (["cp"], ["mate"]), "score cp N", shown(line))
            fields["score"] = _number("score", values[1:], line, signed=True)
            i += 2
        elif key == "wdl":
            fields[key] = [_number(key, values[k:], line) for k in range(3)]
            i += 3
    return fields


def _number(key: str, values: list[str], line: str, signed: bool = False) -> int:
    good = bool(values) and bool(_WHOLE.fullmatch(values[0]))
    good = good and (signed or not values[0].startswith("-"))
    expect(good, f"a whole number behind `{key}`{'' if signed else ', not below 0'}", shown(line))
    return int(values[0])


def parse_option(line: str) -> Declared:
    """Return what an `option` line declares; Failure if a strict parser cannot read it."""
    form = "option name NAME type TYPE [default X] [min N] [max N] [var X]..."
    head, found, tail = line.partition(" type ")
    name = head.removeprefix("option name ")
    expect(bool(found) and name != head and bool(name.strip()), form, shown(line))
    kind, *words = split_words(tail) or [""]
    expect(kind in KINDS, f"a type out of {', '.join(KINDS)}", shown(line))
    option = Declared(name, kind)
    fields: list[tuple[str, list[str]]] = []
    for word in words:
        if word in _OPTION_KEYS:
            fields.append((word, []))
        else:
            expect(bool(fields), form, shown(line))
            fields[-1][1].append(word)
    for key, value in ((key, " ".join(value)) for key, value in fields):
        expect(bool(value), f"a value behind `{key}` (an empty text is <empty>)", shown(line))
        if key == "var":
            option.choices.append(value)
        elif key == "default":
            expect(option.default is None, "one default", shown(line))
            option.default = value
        else:
            expect(bool(_WHOLE.fullmatch(value)), f"a whole number behind `{key}`", shown(line))
            expect(getattr(option, _BOUNDS[key]) is None, f"one {key}", shown(line))
            setattr(option, _BOUNDS[key], int(value))
    return option


_BOUNDS = {"min": "low", "max": "high"}


def check_name(name: str) -> None:
    """Fail if an option has a name that parsers stumble over."""
    words = split_words(name)
    expect(not _FORBIDDEN & set(words), "an option name without words such as `value`", shown(name))
    expect(name == " ".join(words), "single blanks between the words of a name", repr(name))


def readable_options(lines: list[str]) -> dict[str, Declared]:
    """Return those of the declared options that can be read, by lower-case name."""
    options = {}
    for line in lines:
        if line.startswith("option"):
            try:
                option = parse_option(line)
            except Failure:
                continue
            options[option.name.lower()] = option
    return options


def handshake_end(dialect: str) -> str:
    """Return the word that ends the answer to a handshake."""
    assert dialect in DIALECTS
    return f"{dialect}ok"
