"""Lines for the fuzzer: what stands in its corpus, what the grammar makes, what breaks a line.

All of it follows from a seed. Nothing here knows what the engine answers.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from bench.games import parse_game
from bench.measure.mutations import mutate
from bench.referee.referee import Referee
from bench.seeds import PURPOSE_MEASURE
from engine import RandomStream, game_settings
from protocol.options import Options

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "fuzz_corpus"
TRANSCRIPTS = ROOT / "tests" / "transcripts"
SPEC = ROOT / "protocol" / "SPEC.md"

MAX_LINE = 1 << 20  # `feature maxline` of the engine
PEOPLE = (b"help", b"d", b"legal", b"belief")
COMMANDS = (
    b"uci ugi uhi ucinewgame uginewgame uhinewgame isready setoption position go stop ponderhit "
    b"query debug register quit"
).split()
QUERIES = "turn p1turn gameover result players scores ranks legal view hash game".split()
GO_WORDS = (
    "nodes worlds movetime depth mate multipv seed movestogo p1time p2time p3time p4time p1inc "
    "p2inc wtime btime winc binc searchmoves id infinite ponder"
).split()
GAMES = ("kuhn", "lofoten", "lofoten level2=2 jarls=on upgrades=on", "lofoten stall=12 tie=both")
# Files that the engine may write and read: in the folder that it is started in.
LOG_FILES = (
    *("", "<empty>", "log.txt", "l o g.txt", "\x1b[2J.txt", "no/such/folder.txt", ".", "\0"),
    *("/dev/stdin", "/dev/fd/0", "/dev/fd/3", "/dev/full", "x" * 9000),
)
CARD_FILES = ("cards.toml", "other.toml", "broken.toml", "/dev/zero", "<empty>", "", ".")
NUMBERS = (
    *("0", "1", "2", "3", "7", "16", "255", "256", "65536", "-1", "+5", "007", "2147483648"),
    *("9223372036854775807", "9223372036854775808", "-9223372036854775809", "9" * 25, "9" * 5000),
    *("1e3", "1_0", "0x10", "--1", "+", "-", "", "1.5", "NaN", "\u0664", "\u00b2"),
)
WILD = (
    b"\0!\x1b[2J!\x7f!\x0b!\x0c!\x1c!\x85!\xff!\xc3!\xe2\x80!\xc2\x85!\xc2\xa0!\xe2\x80\xa8!\xef\xbb\xbf!"
    b"\xed\xa0\x80!\xf0\x9f\x90\x99!\t!\r!\n! !  !?!=!@!~!:!,!.!/!-!%s"
).split(b"!")
ENDS = (b"\r\n", b"\r\n", b"\r\r\n", b" \n", b"\t\r\n", b"\n\n", b"\n\r\n")
BLANKS = bytes.maketrans(b"\t\r", b"  ")
NUMBER = re.compile(rb"-?\d+")


class Chance:
    """A stream of random choices."""

    def __init__(self, seed: int, index: int = 0) -> None:
        self.stream = RandomStream(seed, PURPOSE_MEASURE, 2**41 + index)
        self.below = self.stream.below

    def pick(self, things: Sequence[T]) -> T:
        """Return one of some things, each as likely."""
        return things[self.below(len(things))]

    def once_in(self, number: int) -> bool:
        """Return True once in so many times."""
        return self.below(number) == 0

    def bytes(self, size: int) -> bytes:
        """Return random bytes."""
        return bytes(self.below(256) for _ in range(size))


def words_of(line: bytes) -> list[bytes]:
    """Return the words of a line as SPEC.md part 2 separates them."""
    return [word for word in line.translate(BLANKS).split(b" ") if word]


def command_of(line: bytes) -> tuple[bytes, list[bytes]]:
    """Return the command that SPEC.md finds in a line without its LF, and the words behind it."""
    if len(line) > MAX_LINE + 1 or len(line.rstrip(b"\r")) > MAX_LINE:
        return b"", []
    words = words_of(line)
    if words and words[0] in PEOPLE:
        return words[0], words[1:]
    for i, word in enumerate(words):
        if word in COMMANDS:
            return word, words[i + 1 :]
    return b"", []


# ---- sessions that are there ----


def read_corpus() -> list[list[bytes]]:
    """Return the sessions of the corpus, of the transcripts and of SPEC.md, as lines to send."""
    sessions = [unescaped(path.read_text("utf-8")) for path in sorted(CORPUS.glob("*.txt"))]
    texts = [path.read_text("utf-8") for path in sorted(TRANSCRIPTS.glob("*.txt"))]
    texts += re.findall(r"```session\n(.*?)```", SPEC.read_text("utf-8"), re.DOTALL)
    for text in texts:
        sent = [line[2:] for line in text.splitlines() if line.startswith("> ")]
        sessions.append([line.encode() for line in sent])
    sessions = [[line for line in s if command_of(line)[0] != b"quit"] for s in sessions]
    if len(sessions) < 10:
        raise FileNotFoundError(f"the corpus is to be in {CORPUS}; run in the source tree")
    return sessions


def unescaped(text: str) -> list[bytes]:
    """Return the lines of a corpus file: bytes stand as `\\xNN`, remarks begin with `# `."""
    lines = [line for line in text.split("\n") if line and not line.startswith("# ")]
    return [re.sub(rb"\\x([0-9a-f]{2})", _byte, line.encode()) for line in lines]


def escaped(line: bytes) -> str:
    """Return a line as a corpus file writes it."""
    text = "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02x}" for b in line)
    return re.sub(r"^#", r"\\x23", text)


def _byte(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 16)])


# ---- games ----


class Log:
    """A `position` line up to `moves`, and the events that may follow."""

    __slots__ = ("events", "head")

    def __init__(self, head: str, events: list[str]) -> None:
        self.head, self.events = head, events

    def line(self, count: int) -> str:
        """Return the line with the first events."""
        return " ".join([self.head, "moves", *self.events[:count]])


def logs(name: str, seed: int, limit: int) -> list[Log]:
    """Play a random game, `limit` decisions at most, and return the logs that tell of it."""
    game = parse_game(name)
    referee = Referee(game, seed)
    chance = Chance(seed, 1)
    snapshots: list[tuple[int, int, str]] = []
    while not referee.is_over and referee.plies < limit:
        if chance.once_in(1 + referee.plies // 3):
            seat = chance.below(game.num_seats + 1) - 1
            state = referee.state if seat < 0 else referee.state.view(seat)
            snapshots.append((seat, len(referee.events), state.to_text()))
        referee.decide(game.move_name(chance.pick(referee.state.legal_moves())))
    decisions = [event for event in referee.events if event[0] != "~"]
    bare = [event.partition(":")[2] for event in decisions]
    start = f"position fen {game.identity}"
    found = [
        Log("position startpos", bare),
        Log(start, referee.events),
        Log(f"{start} seed={seed}", decisions),
        Log(f"{start} seed={seed}", bare),
    ]
    seen = [referee.events]
    for seat in range(game.num_seats):
        head, _, events = referee.position_line(seat).partition(" moves ")
        seen.append(events.split())
        found.append(Log(head, seen[-1]))
    for seat, at, text in snapshots:
        found.append(Log(f"position view {text}", seen[seat + 1][at:]))
    return found


class Grammar:
    """Lines that the grammar of SPEC.md allows."""

    def __init__(self, chance: Chance, seed: int) -> None:
        self.chance = chance
        lengths = (10, 60, 300, 2000)
        self.logs = {
            name: [log for i, n in enumerate(lengths) for log in logs(name, seed + i, n)]
            for name in GAMES
        }
        self.texts = {
            name: [log.head.split(" ", 2)[2] for log in found if log.head != "position startpos"]
            for name, found in self.logs.items()
        }
        self.options = [_read_option(line) for line in Options().declarations()]

    def any_log(self) -> Log:
        """Return a log of some game."""
        return self.chance.pick(self.logs[self.chance.pick(GAMES)])

    def count(self, log: Log) -> int:
        """Return a number of events: mostly small, since long logs take their time."""
        most = self.chance.pick((4, 4, 10, 10, 20, 20, 20, 40, 40, 40, 80, 80, 80, 200, 3000))
        return self.chance.below(min(most, len(log.events)) + 1)

    def valid_position(self) -> str:
        """Return a `position` line that nothing is wrong with."""
        log = self.any_log()
        return log.line(self.count(log))

    def position(self) -> str:
        """Return a `position` line, now and then with a broken text."""
        if self.chance.below(3):
            return self.valid_position()
        log = self.any_log()
        name = self.chance.pick(GAMES)
        foreign = self.texts[self.chance.pick(GAMES)]
        settings = game_settings(name.split()[0])
        text = self.chance.pick(self.texts[name])
        broken, _ = mutate(text, self.texts[name], foreign, settings, self.chance.stream)
        moves = f" moves {self.chance.pick(log.events)}" if log.events else ""
        return f"position view {broken}{moves}"

    def go(self) -> str:
        """Return a `go` line that ends soon, or one that needs a command to end it."""
        pick, below = self.chance.pick, self.chance.below
        kind = below(9)
        if kind < 3:
            words = [f"nodes {below(80)}"]
        elif kind < 6:
            words = [f"{pick(('movetime', 'p1time', 'wtime', 'p2time', 'btime'))} {below(40)}"]
        elif kind == 6:
            words = [f"depth {below(3)}", f"movetime {below(8)}"]
        else:
            words = [pick(("infinite", "ponder", "ponder movetime 3", "ponder nodes 30", ""))]
        while self.chance.once_in(2):
            word = pick(GO_WORDS)
            value = str(below(20)) if below(3) else pick(NUMBERS)
            if word == "searchmoves":
                value = " ".join(pick(self.any_log().events or ["x"]) for _ in range(below(4)))
            words.insert(below(len(words) + 1), f"{word} {value}")
        return " ".join(["go", *words])

    def setoption(self) -> str:
        """Return a `setoption` line, mostly with an allowed value."""
        name, kind, values = self.chance.pick(self.options)
        if kind == "button":
            return f"setoption name {name}"
        return f"setoption name {name} value {self._value(name, kind, values)}"

    def _value(self, name: str, kind: str, values: list[str]) -> str:
        pick, below = self.chance.pick, self.chance.below
        if name == "Hash":
            return str(1 + below(3)) if below(9) else pick(NUMBERS)
        if name == "Threads":
            return str(1 + below(4)) if below(9) else pick(("5", "8", *NUMBERS))
        if name == "Debug Log File":
            return pick(LOG_FILES)
        if name == "CardFile":
            return pick(CARD_FILES)
        if name == "Strict Views":
            return pick(("true", "false", "false", "false"))
        if below(6) == 0:
            return pick(NUMBERS)
        if kind == "spin":
            low, high = int(values[0]), int(values[1])
            return str(low + below(min(high - low, 300) + 1))
        return pick(values)

    def reset(self) -> list[str]:
        """Return the lines that set every option to its default, but for a small tree."""
        lines = ["debug off"]
        for name, kind, values in self.options:
            if kind != "button":
                lines.append(f"setoption name {name} value {values[-1]}")
        return [*lines, "setoption name Hash value 1", "setoption name Clear Hash"]

    def other(self) -> str:
        """Return some other command."""
        pick = self.chance.pick
        return pick(
            (
                *(f"query {pick(QUERIES)}", f"query {pick(QUERIES)}", f"query {pick(QUERIES)}"),
                *("isready", "stop", "stop", "ponderhit", "uhinewgame", "ucinewgame"),
                *("uhi", "uci", "ugi", "uhi 1", "uhi uhi/2", "debug on", "debug off", "register x"),
                *("d", "legal", "help", "xyzzy", "joho isready", "query", "position", "setoption"),
            )
        )

    def line(self) -> str:
        """Return any line but `go`."""
        kind = self.chance.below(8)
        if kind < 3:
            return self.position()
        return self.setoption() if kind == 3 else self.other()

    def game(self) -> list[str]:
        """Return the lines of a client that follows a game."""
        log = self.any_log()
        lines = [self.chance.pick(("uhinewgame", "isready", "d"))]
        count = self.count(log)
        for _ in range(1 + self.chance.below(6)):
            lines.append(log.line(count))
            lines += [f"query {self.chance.pick(QUERIES)}" for _ in range(self.chance.below(3))]
            lines.append(self.go())
            count += self.chance.below(4)
        return lines


def _read_option(line: str) -> tuple[str, str, list[str]]:
    """Return name, kind and values of an option line, the default last; of a spin the bounds."""
    name, _, rest = line.removeprefix("option name ").partition(" type ")
    kind, _, rest = rest.partition(" default ")
    default, *choices = rest.split(" var ")
    if kind == "spin":
        default, _, bounds = rest.partition(" min ")
        choices = bounds.split(" max ")
    if kind == "check":
        choices = ["true", "false", "TRUE"]
    return name, kind, [*choices, default]
