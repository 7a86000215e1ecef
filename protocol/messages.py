"""Lines of the protocol, both ways: `parse_*` read leniently, `format_*` print strictly.

No input and output here, and no game. The grammar stands in SPEC.md. The module avoids `re`,
`typing` and `dataclasses`, which would cost a third of the time to `uciok`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_LINE = 1 << 20
"""Longest input line in bytes, its end not counted."""

MAX_ID = 64
"""Longest id of a `go` in characters."""

INT_MAX = (1 << 63) - 1
INT_MIN = -(1 << 63)

UCI, UGI, UHI = "uci", "ugi", "uhi"
DIALECTS = (UCI, UGI, UHI)

PARSE = "parse"
UNKNOWN_COMMAND = "unknown-command"
BAD_OPTION = "bad-option"
BAD_VALUE = "bad-value"
BAD_POSITION = "bad-position"
INCONSISTENT_VIEW = "inconsistent-view"
ILLEGAL_MOVE = "illegal-move"
NO_POSITION = "no-position"
UNSUPPORTED = "unsupported"
INTERNAL = "internal"

NO_MOVE_WORD = "0000"
QUERIES = "p1turn gameover result turn players scores ranks legal view hash game".split()
SEAT_WORDS = ("p1", "p2", "p3", "p4")

_CLOCK_ALIASES = {"wtime": (0, True), "btime": (1, True), "winc": (0, False), "binc": (1, False)}
_CLOCKS = {
    **_CLOCK_ALIASES,
    **{f"{seat}time": (i, True) for i, seat in enumerate(SEAT_WORDS)},
    **{f"{seat}inc": (i, False) for i, seat in enumerate(SEAT_WORDS)},
}
_INTS = ("movestogo", "movetime", "depth", "nodes", "mate", "multipv", "worlds", "seed")
_GO_WORDS = frozenset((*_CLOCKS, *_INTS, "id", "infinite", "ponder", "searchmoves"))

BLANKS = " \t\r"
"""What separates words: no other character does, whatever Unicode says of it."""


class ProtocolError(Exception):
    """A line that is refused: one of the error codes, and a reason for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def split_command(line: str, words: "frozenset[str]") -> tuple[str, str]:
    """Return the first word of `line` that is in `words`, and the text behind it.

    Unknown words before it are skipped. ("", "") if there is no such word.

    >>> split_command("joho  isready", frozenset(["isready"]))
    ('isready', '')
    """
    word, rest = take_word(line)
    if word not in words:
        _, word, rest = split_at(line, words)
    return word, rest


def split_at(text: str, words: "frozenset[str]") -> tuple[str, str, str]:
    """Return the text before the first word that is in `words`, that word, the text behind it.

    All of it, "" and "" if there is no such word.

    >>> split_at("a  b c", frozenset("b"))
    ('a  ', 'b', ' c')
    """
    start = 0
    for piece in _even_blanks(text).split(" "):
        end = start + len(piece)
        if piece in words:
            return text[:start], piece, text[end:]
        start = end + 1
    return text, "", ""


def split_words(text: str) -> list[str]:
    """Return the words of a text.

    >>> split_words(" a\\t b\\r")
    ['a', 'b']
    """
    return [word for word in _even_blanks(text).split(" ") if word]


def _even_blanks(text: str) -> str:
    """Return a text of the same length with each blank replaced by " "."""
    return text.replace("\t", " ").replace("\r", " ")


def take_word(text: str) -> tuple[str, str]:
    """Return the first word and everything behind it, blanks included."""
    text = text.lstrip(BLANKS)
    end = len(text)
    for blank in BLANKS:
        at = text.find(blank, 0, end)
        if at >= 0:
            end = at
    return text[:end], text[end:]


def parse_int(word: str) -> int | None:
    """Return a whole number, brought into 64 bits; None if the word is none.

    >>> parse_int("+7"), parse_int("9" * 30) == INT_MAX, parse_int("1_0")
    (7, True, None)
    """
    digits = word[1:] if word[:1] in ("+", "-") else word
    if not (digits.isascii() and digits.isdigit()):
        return None
    digits = digits.lstrip("0") or "0"
    size = 1 << 64 if len(digits) > 19 else int(digits)
    return max(-size, INT_MIN) if word[0] == "-" else min(size, INT_MAX)


class Go:
    """What a `go` line asks for. A field is None where the line does not give it."""

    __slots__ = (
        "depth",
        "faults",
        "id",
        "incs",
        "infinite",
        "mate",
        "movestogo",
        "movetime",
        "multipv",
        "nodes",
        "ponder",
        "searchmoves",
        "seed",
        "times",
        "worlds",
    )

    def __init__(self) -> None:
        self.times: dict[int, int] = {}
        """Milliseconds on the clock of each seat, seats from 0."""
        self.incs: dict[int, int] = {}
        """Milliseconds added for each decision of a seat, seats from 0."""
        self.movestogo: int | None = None
        self.movetime: int | None = None
        self.depth: int | None = None
        self.nodes: int | None = None
        self.mate: int | None = None
        self.multipv: int | None = None
        self.worlds: int | None = None
        self.seed: int | None = None
        self.id: str | None = None
        self.faults: list[str] = []
        """What has to be told of values that are not allowed."""
        self.infinite = False
        self.ponder = False
        self.searchmoves: list[str] | None = None

    def is_bounded(self, seat: int) -> bool:
        """Return True if some limit ends a search of `seat`."""
        limits = (self.movetime, self.depth, self.nodes, self.worlds, self.mate)
        return seat in self.times or any(limit is not None for limit in limits)


def parse_go(text: str) -> Go:
    """Return the limits of a `go` line; `text` is what stands behind the word `go`.

    Unknown words are skipped. A key whose value is missing or no number is skipped without its
    value, so that the next key counts. Of a doubled key the last one wins.

    >>> parse_go("flurb 7 nodes 50 depth nodes 60 zork").nodes
    60
    """
    go = Go()
    words = split_words(text)
    i = 0
    while i < len(words):
        word = words[i]
        i += 1
        if word == "infinite":
            go.infinite = True
        elif word == "ponder":
            go.ponder = True
        elif word == "searchmoves":
            start = i
            while i < len(words) and words[i] not in _GO_WORDS:
                i += 1
            go.searchmoves = words[start:i] or go.searchmoves
        elif word in _GO_WORDS and i < len(words) and words[i] not in _GO_WORDS:
            if _set_limit(go, word, words[i]):
                i += 1
    return go


def _set_limit(go: Go, key: str, word: str) -> bool:
    """Store one limit; False if the word is no value for it."""
    if key == "id":
        go.id = word if len(word) <= MAX_ID and word.isprintable() else None
        if go.id is None:
            go.faults = [f"go id: at most {MAX_ID} characters, all of them printable"]
        return True
    value = parse_int(word)
    if value is None:
        return False
    if key in _CLOCKS:
        seat, is_time = _CLOCKS[key]
        (go.times if is_time else go.incs)[seat] = value
    elif value > 0 or key not in ("movestogo", "multipv"):
        setattr(go, key, value)
    return True


def parse_setoption(text: str) -> tuple[str, str | None]:
    """Return name and value of a `setoption` line; `text` is what stands behind that word.

    The name has single blanks, the value is kept as sent behind one blank. No value: None.

    >>> parse_setoption(" name  Move   Overhead value  5 ")
    ('Move Overhead', ' 5 ')
    """
    _, _, rest = split_at(text, frozenset(["name"]))
    before, value_word, behind = split_at(rest, frozenset(["value"]))
    name = " ".join(split_words(before))
    if not name:
        raise ProtocolError(PARSE, "setoption needs: setoption name <name> [value <value>]")
    return name, behind[1:].rstrip("\r") if value_word else None


def split_position(line: str) -> tuple[list[str], list[str]]:
    """Return the words of a `position` line up to `moves`, and the events behind it."""
    words = split_words(line)
    if "moves" not in words:
        return words, []
    at = words.index("moves")
    return words[:at], words[at + 1 :]


def one_line(text: str, limit: int = 400) -> str:
    """Return the text in one line with single blanks, cut off at `limit` characters.

    Control characters and the like are written as escapes, since a terminal would obey them.
    """
    text = " ".join(text.split())
    return printable(text if len(text) <= limit else text[: limit - 3] + "...")


def printable(text: str) -> str:
    """Return the text with escapes in the place of what cannot be printed."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def format_error(dialect: str, code: str, text: str, go_id: str | None = None) -> str:
    """Return the line that reports an error: `error ...` under uhi, else an `info string`."""
    text = one_line(text)
    if dialect != UHI:
        return f"info string error {code} {text}"
    mark = f" id={go_id}" if go_id else ""
    return f"error {code}{mark} {text}"


def format_response(value: str) -> str:
    """Return a `response` line, which has exactly two words: blanks become `;`."""
    return f"response {';'.join(value.split()) or '-'}"


def format_list(values: "Iterable[object]") -> str:
    """Return values with commas between them; `-` if there are none."""
    return ",".join(str(value) for value in values) or "-"


def format_bestmove(
    dialect: str, move: str, ponder: str | None = None, go_id: str | None = None
) -> str:
    """Return the `bestmove` line; under ugi it has exactly two words."""
    line = f"bestmove {move}"
    if ponder and dialect != UGI:
        line += f" ponder {ponder}"
    if go_id and dialect == UHI:
        line += f" id {go_id}"
    return line


def format_info(
    depth: int,
    seldepth: int,
    multipv: int,
    nodes: int,
    worlds: int,
    nps: int,
    hashfull: int,
    time_ms: int,
    margin: float,
    wdl: "Sequence[int] | None",
    error: int | None,
    solved: bool,
    pv: "Sequence[str]",
) -> str:
    """Return one `info` line.

    `margin` is in points, `wdl` in permille of win, draw and loss, `error` in permille; None leaves
    that field out, and so does False for `solved`.
    """
    chances = f"wdl {wdl[0]} {wdl[1]} {wdl[2]} " if wdl is not None else ""
    if error is not None:
        chances += f"se {error} "
    if solved:
        chances += "solved 1 "
    return (
        f"info depth {depth} seldepth {seldepth} multipv {multipv} nodes {nodes} worlds {worlds} "
        f"nps {nps} hashfull {hashfull} time {time_ms} score cp {round(margin * 100)} "
        f"{chances}pv {' '.join(pv)}"
    )


_INFO_INTS = (
    *("depth", "seldepth", "multipv", "nodes", "worlds", "nps", "hashfull", "time"),
    *("se", "solved"),
)


def parse_info(line: str) -> dict[str, object]:
    """Return the fields of an `info` line: whole numbers, `cp`, `mate`, `wdl`, `pv`, `string`.

    Fields that are not known are skipped.

    >>> parse_info("info depth 3 score cp -20 wdl 1 2 997 pv a b")["cp"]
    -20
    """
    fields: dict[str, object] = {}
    words = split_words(line)
    i = 1
    while i < len(words):
        word = words[i]
        value = parse_int(words[i + 1]) if i + 1 < len(words) else None
        if word == "string":
            fields["string"] = " ".join(words[i + 1 :])
            break
        if word == "pv":
            fields["pv"] = words[i + 1 :]
            break
        if word in ("cp", "mate", *_INFO_INTS) and value is not None:
            fields[word] = value
            i += 1
        elif word == "wdl":
            wdl = [parse_int(w) for w in words[i + 1 : i + 4]]
            if len(wdl) == 3 and None not in wdl:
                fields["wdl"] = tuple(wdl)
                i += 3
        i += 1
    return fields
